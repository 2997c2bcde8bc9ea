"""The group of commands. A command's module is imported only when the command is used.

A command `name` is the function `name` in `pyramide_cli/cli/name.py`. Its line in the overview stands here, so that
the overview costs nothing; a test holds both in step.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from pyramide_cli import __version__

COMMANDS: Final = {
    "deal": "Deal from codes, at random or in order, and print the deals.",
    "play": "Play a game at the terminal, from a script, or let a player play many.",
    "replay": "Replay and verify logs and solutions.",
    "solve": "Solve deals: winnable or not, and in how few moves.",
    "stats": "Count games and solutions, and report on them.",
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads each from its module."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command, None where there is none of the name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"pyramide_cli.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview without loading any command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] [ARGS]...",  # older click leaves out the brackets
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="pyramide COMMAND --help tells more. All of them together: "
    "pyramide deal --count 1000 | pyramide solve | pyramide replay | pyramide stats",
)
@click.version_option(__version__, "-V", "--version", prog_name="pyramide", message="%(prog)s %(version)s")
@click.pass_context
def app(context: click.Context) -> None:
    """Deal, play, replay, solve and analyse Pyramid solitaire."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
