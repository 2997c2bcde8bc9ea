"""The command `play`: a game at the terminal or from a script, and automatic players."""

from __future__ import annotations

import click
from click.core import ParameterSource

from pyramide_cli.cli.exits import Status
from pyramide_cli.cli.inputs import keep_apart
from pyramide_cli.cli.options import (
    ANY_PATH,
    Number,
    RulesChoice,
    color_option,
    language_option,
    one_of,
    progress_option,
    rules_options,
    strict_option,
)
from pyramide_cli.cli.spoken import SpokenCommand
from pyramide_cli.players import PLAYERS
from pyramide_cli.records import STDIN


@click.command(cls=SpokenCommand, short_help="Play a game at the terminal, from a script, or let a player play many.")
@click.argument("deals", nargs=-1, metavar="[DEAL]...", type=ANY_PATH)
@click.option("--log", metavar="FILE", type=ANY_PATH, help="Append the game to FILE, move by move.")
@click.option("--moves", metavar="TEXT|-", help="Play these words; - reads them from stdin.")
@click.option("--player", type=one_of(PLAYERS), help="Let a player play the deals.")
@click.option("--seed", type=Number(0, 2**64 - 1), help="Make random deals and players repeatable.")
@click.option("--resume", is_flag=True, help="Go on with the last open game of the log.")
@click.option("--plain", is_flag=True, help="Sentences in place of drawn boards.")
@click.option("--error-help/--no-error-help", default=True, help="Whether a covered card is explained.")
@language_option
@rules_options
@color_option
@progress_option
@strict_option
@click.pass_context
def play(
    context: click.Context,
    deals: tuple[str, ...],
    log: str | None,
    moves: str | None,
    player: str | None,
    seed: int | None,
    resume: bool,
    plain: bool,
    error_help: bool,
    rules: RulesChoice,
    color: str,
    progress: bool | None,
    strict: bool,
) -> int:
    """Play a deal: at the terminal, from --moves or stdin line by line, or by an automatic player.

    DEAL is a code, a number, 52 cards, a file with a deal a line, or - for stdin. Without one a random deal is played.
    Type cards (10c 3s), draw, recycle, undo, hint or help.

    The log goes to the file of --log, which is mended and appended to; boards and answers then go to stdout, also into
    a pipe. Without --log the log goes to stdout where that is no terminal, and the answers to stderr. An end is written
    when a finished game is left, or on quit; after Ctrl-C or at the end of the input the game stays open, and
    --log FILE --resume goes on from there.

    \b
    Examples:
      pyramide play PY1-N-AAAAAAS --log games.jsonl
      pyramide play 18 --moves "Kd, 10c 3s, draw" | pyramide replay
      pyramide deal --count 1000 | pyramide play --player greedy | pyramide stats
    """  # noqa: D301 - click reads the \b
    if resume and (log is None or deals or player or rules.is_given):
        raise click.UsageError("--resume goes on with a game of --log FILE, with its own deal, rules and player.")
    if player and moves is not None:
        raise click.UsageError("--player and --moves exclude each other.")
    if player:
        _refuse_manner(context)
    if not player and STDIN in deals and (moves is None or moves == STDIN):
        raise click.UsageError("- reads deals from stdin: then give the moves as --moves TEXT.")
    keep_apart(deals or (STDIN,) if player else deals, log)
    status = Status(strict=strict)
    if player:
        from pyramide_cli.cli.play.batch import play_by_itself

        play_by_itself(player, deals, log=log, seed=seed, rules=rules, progress=progress, status=status)
    else:
        from pyramide_cli.cli.play.sitting import Manner, play_by_hand

        manner = Manner(color=color, plain=plain, error_help=error_help)
        play_by_hand(deals, log=log, moves=moves, seed=seed, resume=resume, rules=rules, manner=manner, status=status)
    return status.code


def _refuse_manner(context: click.Context) -> None:
    """Raise `UsageError` for options about how a game is shown, where a player plays and nothing is."""
    forms = {"plain": "--plain", "error_help": "--error-help/--no-error-help"}
    given = [form for name, form in forms.items() if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given:
        raise click.UsageError(f"--player shows no board and gives no answers: leave out {', '.join(given)}.")
