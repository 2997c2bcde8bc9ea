"""The command `replay`: logs and solutions held against the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from pyramide_cli.cli.exits import Status, say
from pyramide_cli.cli.inputs import deals_or_stdin, keep_apart
from pyramide_cli.cli.options import (
    ANY_PATH,
    MAX_JOBS,
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
from pyramide_cli.cli.outputs import at_terminal, open_output
from pyramide_cli.cli.progress import Progress
from pyramide_cli.cli.replay.analyses import Analysed, Analyst
from pyramide_cli.cli.replay.style import Style
from pyramide_cli.cli.replay.tally import Tally
from pyramide_cli.cli.replay.views import make_view
from pyramide_cli.cli.sections import SectionedCommand
from pyramide_cli.pools import Threads
from pyramide_cli.records import Located, Problem, read_records
from pyramide_cli.replay import Checked, Replayer, RulesFor, own_rules

ANALYSIS_STATES = 5_000_000
MOST_STATES = 10**12
MOST_ENTRIES = 10**9

_BOARDS = ("describe", "svg")


@click.command(cls=SectionedCommand, short_help="Replay and verify logs and solutions.")
@click.argument("logs", nargs=-1, metavar="[LOG]...", type=ANY_PATH)
@click.option(
    "--at",
    type=Number(0, MOST_ENTRIES),
    help="Show each game after N entries (0: the deal), as a board or a record.",
)
@click.option("--step", is_flag=True, help="The same after every entry.")
@click.option("--analyze", is_flag=True, help="Say what each move was worth: the win, the moves left, the cost.")
@click.option(
    "--lengths/--no-lengths",
    default=None,
    help="With --analyze: also the moves left, which takes longer.  [default: on]",
)
@click.option(
    "--max-states",
    type=Number(1, MOST_STATES),
    help=f"With --analyze: give a position up as undecided after so many.  [default: {ANALYSIS_STATES:,}]",
)
@click.option(
    "--jobs", type=Number(1, MAX_JOBS), help="With --analyze: how many games side by side. Default: all cores."
)
@format_option(
    ["jsonl", "text", *_BOARDS, "html"],
    help_text="How to write; describe (sentences) and svg show boards, so they go with --at or --step; html is one "
    "page that steps through all games. auto: text at a terminal, jsonl elsewhere and with -o.  [default: auto]",
)
@click.option("--plain", is_flag=True, help="Sentences in place of drawn boards, columns and marks.")
@language_option
@rules_options
@color_option
@strict_option
@progress_option
@output_option
@click.pass_context
def replay(
    context: click.Context,
    logs: tuple[str, ...],
    at: int | None,
    step: bool,
    analyze: bool,
    lengths: bool | None,
    max_states: int | None,
    jobs: int | None,
    output_format: str,
    plain: bool,
    rules: RulesChoice,
    color: str,
    strict: bool,
    progress: bool | None,
    output: str | None,
) -> int:
    """Replay logs and solutions, and verify every move, score, counter and outcome in them.

    LOG is a file of records, plain or .gz, or - for stdin, which is also read when no LOG is given. For each game and
    each solution one record of the type "game" is written; its "fault" is the first thing wrong with it, with file and
    line, or null. Games may be interleaved, and one may go on in the next file.

    With --analyze each move gets a record of the type "analysis" (or a line, marked ? where it wasted moves and ??
    where it gave the win away), and each game a summary.

    Ends with 3 when something does not verify. A time that goes back is only warned of: clocks can be set.

    \b
    Examples:
      pyramide replay games.jsonl
      pyramide replay game.jsonl --at 12 --format text
      pyramide replay game.jsonl --analyze --format text
      pyramide replay game.jsonl --analyze --format html -o game.html
      pyramide deal --count 100 | pyramide solve | pyramide replay
    """  # noqa: D301 - click reads the \b
    _check_usage(output_format, at=at, step=step, analyze=analyze)
    if not analyze:
        _refuse(**{"--lengths/--no-lengths": lengths, "--max-states": max_states, "--jobs": jobs})
    paths = deals_or_stdin(context, logs)
    keep_apart(paths, output)
    status = Status(strict=strict)
    tally = Tally()
    if progress is None and at_terminal(output):
        progress = False  # the results themselves show how far it is
    with open_output(output) as target, Progress("replay", unit="result", show=progress) as bar, Threads(jobs) as pool:
        style = Style.choose(target, output, color, plain=plain)
        analyst = Analyst(lengths=lengths is not False, max_states=max_states or ANALYSIS_STATES) if analyze else None
        view = make_view(chosen_format(output_format, output), target, style, at=at, step=step, analyst=analyst)
        replayer = Replayer(_rules_for(rules), view.watch)
        results = replayer.replay(_read_all(paths))
        for result, analysis in _unanalysed(results) if analyst is None else analyst.analyze_all(results, pool):
            if isinstance(result, Problem):
                tally.count_problem(result)
                status.report(result)
                continue
            tally.count(result)
            view.finish(result, analysis)
            bar.advance()
            if result.track.warning is not None:
                target.flush()
                say(str(result.track.warning))
            if result.problem is not None:
                target.flush()
                status.report(result.problem)
        view.close(status)
    tally.passed_over = replayer.passed_over
    say(str(tally))
    return status.code


def _unanalysed(results: Iterable[Checked | Problem]) -> Iterator[Analysed]:
    return ((result, None) for result in results)


def _check_usage(output_format: str, *, at: int | None, step: bool, analyze: bool) -> None:
    """Raise `UsageError` for options that do not go together."""
    if at is not None and step:
        raise click.UsageError("--at and --step exclude each other.")
    on_the_way = at is not None or step
    if output_format in _BOARDS and not on_the_way:
        raise click.UsageError(f"--format {output_format} shows boards: say which by --at N or --step.")
    if output_format == "svg" and step:
        raise click.UsageError("--format svg shows one board: say which by --at N.")
    if output_format == "html" and on_the_way:
        raise click.UsageError("--format html shows every step: it does not go with --at or --step.")
    if analyze and on_the_way:
        raise click.UsageError("--analyze speaks of every move: it does not go with --at or --step.")


def _refuse(**options: object) -> None:
    """Raise `UsageError` for an option of `--analyze` that was given without it."""
    for name, value in options.items():
        if value is not None:
            raise click.UsageError(f"{name} goes with --analyze.")


def _read_all(paths: Sequence[str]) -> Iterator[Located]:
    """Read all files as one stream, so that games may go on from one to the next and ids are compared across them."""
    for path in paths:
        yield from read_records(path)


def _rules_for(choice: RulesChoice) -> RulesFor:
    """Return what says the rules of a record; a preset of the command line replaces even rules that are none."""
    if choice.preset is not None:
        return lambda source: choice.over(None)
    return lambda source: choice.over(own_rules(source))
