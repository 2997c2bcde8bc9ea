"""`pyramide deal`: deals out of codes, at random or in order, in every format; and the search for deals."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import click

from pyramide_cli.cli.deal.sources import LengthRange, Source, StartDeal
from pyramide_cli.cli.deal.writer import FORMATS, DealWriter
from pyramide_cli.cli.exits import Exit, Status, say
from pyramide_cli.cli.inputs import count_deals, keep_apart
from pyramide_cli.cli.options import (
    ANY_PATH,
    Number,
    RulesChoice,
    chosen_format,
    color_option,
    format_option,
    language_option,
    output_option,
    progress_option,
    rules_options,
    strict_option,
)
from pyramide_cli.cli.outputs import open_output
from pyramide_cli.cli.progress import Progress
from pyramide_cli.cli.sections import SectionedCommand
from pyramide_cli.deals import DEAL_COUNT
from pyramide_cli.messages import counted

if TYPE_CHECKING:
    from pyramide_cli.selection import Wanted

TRIES_A_DEAL = 1_000


@click.command(cls=SectionedCommand)
@click.argument("deals", nargs=-1, metavar="[DEAL]...", type=ANY_PATH)
@click.option(
    "--count",
    type=Number(0, DEAL_COUNT),
    help="How many deals to write. Default: 1, or all given.",
)
@click.option("--start", type=StartDeal(), metavar="CODE", help="Count up from this code or number.")
@click.option("--random", "at_random", is_flag=True, help="Deal at random, as is done where nothing else is said.")
@click.option("--seed", type=Number(0, 2**64 - 1), help="Make the random deals repeatable.")
@click.option("--deck", type=ANY_PATH, metavar="FILE", help="One deck of 52 cards, spread over any lines of FILE.")
@click.option("--winnable", is_flag=True, help="Only deals that are proved to have a win.")
@click.option("--unwinnable", is_flag=True, help="Only deals that are proved to have none.")
@click.option(
    "--length", type=LengthRange(), metavar="A-B", help="Only deals with a shortest solution of A to B moves."
)
@click.option(
    "--tries",
    type=Number(1, DEAL_COUNT),
    help=f"How many deals to search at most. Default: {TRIES_A_DEAL:,} for each that is wanted.",
)
@click.option(
    "--exit-code",
    is_flag=True,
    help="End with 1 if fewer deals were found or named than wanted, with 4 if one that was searched is undecided.",
)
@format_option(FORMATS)
@output_option
@language_option
@color_option
@progress_option
@strict_option
@rules_options
def deal(
    deals: tuple[str, ...],
    count: int | None,
    start: int | None,
    at_random: bool,
    seed: int | None,
    deck: str | None,
    winnable: bool,
    unwinnable: bool,
    length: tuple[int | None, int | None] | None,
    tries: int | None,
    exit_code: bool,
    output_format: str,
    output: str | None,
    color: str,
    progress: bool | None,
    strict: bool,
    rules: RulesChoice,
) -> int:
    """Deal from codes, at random or in order, and print the deals.

    A DEAL is a code, a number, 52 cards in one argument, a file of deals, one a line, or - for stdin. Without one,
    random deals are made.

    \b
    Examples:
      pyramide deal PY1-N-AAAAAAS
      pyramide deal --count 1000 --seed 1 --format code
      pyramide deal --winnable --length 60- --rules microsoft
    """  # noqa: D301 - click reads the \b
    source = Source(deals, start, at_random, seed, deck, count)
    source.check()
    if unwinnable and (winnable or length is not None):
        raise click.UsageError("--unwinnable does not go with --winnable or --length: no deal is both.")
    searching = winnable or unwinnable or length is not None
    if tries is not None and not searching:
        raise click.UsageError("--tries goes with --winnable, --unwinnable or --length.")
    keep_apart((*deals, *([] if deck is None else [deck])), output)
    status = Status(strict=strict)
    with open_output(output) as out:
        writer = DealWriter(out, chosen_format(output_format, output), color, status)
        if searching:
            from pyramide_cli.selection import Wanted

            wanted = Wanted(winnable=not unwinnable, length=length or (None, None))
            answer = _search(source, wanted, tries, rules, writer, status, progress)
            if exit_code:
                status.note(answer)
        elif source.is_given:
            written = 0
            for item in itertools.islice(source.given(status), count):
                writer.one(item.deal, rules.over(item.rules))
                written += 1
            if count is not None and written < count:
                say(f"pyramide: dealt {written:,} of {count:,} deals: no more were named")
                if exit_code:
                    status.note(Exit.NO)
        else:
            writer.many(source.numbers(source.wanted), rules.over(None), count=source.wanted)
        writer.finish()
    return status.code


def _search(
    source: Source,
    wanted: Wanted,
    tries: int | None,
    rules: RulesChoice,
    writer: DealWriter,
    status: Status,
    progress: bool | None,
) -> Exit:
    """Write the deals that fit, say how many there were, and return what `--exit-code` answers.

    Of deals that were named all are wanted where `--count` does not say how many.
    """
    from pyramide_cli.pools import Threads
    from pyramide_cli.selection import Search

    count = source.count if source.is_given else source.wanted
    limit = tries if source.is_given else tries or TRIES_A_DEAL * source.wanted
    total = count_deals(source.deals) if source.is_given else limit
    with Threads() as pool, Progress("deal", total, show=progress) as bar:
        search = Search(wanted, count, on_tried=lambda tried: bar.advance(tried, found=search.found))
        if source.is_given:
            given = itertools.islice(source.given(status), limit)
            found = search.among(((item.deal, rules.over(item.rules)) for item in given), pool)
        else:
            found = search.among_numbers(source.numbers(limit), rules.over(None), pool)
        for dealt, made_under in found:
            writer.one(dealt, made_under)
    undecided = f", {search.undecided:,} of them undecided" if search.undecided else ""
    enough = search.found >= (search.tried if count is None else count)
    if undecided or (count is not None and not enough):
        found_of = counted(search.found, "deal") if count is None else f"{search.found:,} of {count:,} deals"
        say(f"pyramide: found {found_of} in {counted(search.tried, 'try', 'tries')}{undecided}")
    if search.undecided:
        return Exit.UNDECIDED
    return Exit.DONE if enough else Exit.NO
