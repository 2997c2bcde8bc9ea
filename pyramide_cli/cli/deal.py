"""`pyramide deal`: deals out of codes, at random or in order."""

from __future__ import annotations

import click

from pyramide_cli.cli.exits import Status
from pyramide_cli.cli.inputs import read_deals
from pyramide_cli.cli.options import RulesChoice, output_option, rules_options, strict_option
from pyramide_cli.cli.outputs import open_output
from pyramide_cli.records import deal_record, encode


@click.command()
@click.argument("deals", nargs=-1, metavar="[DEAL]...")
@strict_option
@output_option
@rules_options
def deal(deals: tuple[str, ...], strict: bool, output: str | None, rules: RulesChoice) -> int:
    """Deal from codes, at random or in order, and print the deals."""
    status = Status(strict=strict)
    with open_output(output) as out:
        for item in read_deals(deals, status.report):
            out.write(encode(deal_record(item.deal, rules.over(item.rules))))
    return status.code
