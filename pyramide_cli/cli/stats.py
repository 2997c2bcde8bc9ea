"""`pyramide stats`: games and solutions counted, and reports on them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pyramide_cli.cli.exits import Status
from pyramide_cli.cli.inputs import keep_apart
from pyramide_cli.cli.options import ANY_PATH, Number, one_of, output_option, progress_option, strict_option
from pyramide_cli.cli.outputs import at_terminal, open_output
from pyramide_cli.cli.sections import SectionedCommand
from pyramide_cli.cli.surveys import SurveyChoice, run_survey, survey_options
from pyramide_cli.cli.watched import LogProgress
from pyramide_cli.reports.extras import MissingExtra, need
from pyramide_cli.reports.formats import FORMATS
from pyramide_cli.reports.named import COMPARE, DEFAULT, REPORTS

if TYPE_CHECKING:
    from pyramide_cli.records import Located
    from pyramide_cli.reports import Data, Report

_PLOT_TYPES = ("png", "svg", "pdf")

_LIST = "\n".join(f"  {name:<15} {named.answers}" for name, named in REPORTS.items())
_EPILOG = f"\b\nReports (--report NAME):\n{_LIST}"


def _plot_type(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and Path(value).suffix.lower().lstrip(".") not in _PLOT_TYPES:
        raise click.BadParameter(f"{value!r} does not end with .png, .svg or .pdf.", ctx, param)
    return value


@click.command(cls=SectionedCommand, epilog=_EPILOG)
@click.argument("logs", nargs=-1, metavar="[LOG]...", type=ANY_PATH)
@click.option(
    "--report",
    "name",
    metavar="NAME",
    type=one_of(REPORTS),
    default=DEFAULT,
    show_default=True,
    help="The question to answer: a name of the list below.",
)
@click.option("--by", metavar="COLUMN", help="Put rows apart by player, day, week, deal or find, beside the rules.")
@click.option("--top", type=Number(1, 10**9), help="Show N rows only: the best, largest or hardest.")
@click.option("--against", metavar="FILE", type=ANY_PATH, help="Compare with a second file, on the deals they share.")
@click.option("--verify", is_flag=True, help="Replay logs and solutions, and count apart what the engine contradicts.")
@click.option(
    "--format",
    "output_format",
    type=one_of(FORMATS),
    default="table",
    show_default=True,
    help="How to write the report.",
)
@survey_options
@click.option("--plot", metavar="FILE", type=ANY_PATH, callback=_plot_type, help="Draw it too: png, svg or pdf.")
@strict_option
@progress_option
@output_option
@click.pass_context
def stats(
    context: click.Context,
    logs: tuple[str, ...],
    name: str,
    by: str | None,
    top: int | None,
    against: str | None,
    verify: bool,
    output_format: str,
    plot: str | None,
    strict: bool,
    progress: bool | None,
    output: str | None,
    survey: SurveyChoice,
) -> int:
    """Count games and solutions, and report on them.

    LOG is a file of records, or - for stdin: logs of games, what replay made of them, and solutions, mixed as you
    like. The same game counts once, an open game is no loss, and rows under different rules are kept apart.

    \b
    Examples:
      pyramide deal --count 100 | pyramide play --player greedy | pyramide stats
      pyramide stats --survey 1000000 --seed 1
    """  # noqa: D301 - click reads the \b
    _check(output_format, output, plot)
    if survey.count is not None:
        if logs or by or top or against or verify or name != DEFAULT:
            raise click.UsageError("a survey makes its own deals and report: no LOG, --report or what belongs to them.")
        run_survey(survey, lambda report: _write(report, output_format, output, plot), progress=progress)
        return 0
    stray = survey.stray()
    if stray is not None:
        raise click.UsageError(f"{stray} belongs to a survey: --survey N.")
    if not logs:
        if sys.stdin is None or sys.stdin.isatty():
            click.echo(context.get_help())
            return 0
        logs = ("-",)
    if against is not None:
        if name not in (DEFAULT, COMPARE):
            raise click.UsageError(f"--against belongs to the report {COMPARE}, not to {name}.")
        name = COMPARE
    from pyramide_cli.reports import Question, ReportError, make

    others = [] if against is None else [against]
    keep_apart([*logs, *others], output, *([] if plot is None else [plot]))
    status = Status(strict=strict)
    with LogProgress([*logs, *others], show=progress) as reader:
        data = _gather(reader.read(logs), status, verify=verify)
        other = _gather(reader.read(others), status, verify=verify) if others else None
    try:
        names = (" ".join(logs), against or "")
        report = make(name, data, Question(by and by.lower(), top, other, names))
    except ReportError as error:
        raise click.UsageError(f"{error}.") from None
    _write(report, output_format, output, plot)
    return status.code


def _check(output_format: str, output: str | None, plot: str | None) -> None:
    """Refuse what cannot be written before anything long is read."""
    try:
        if output_format == "parquet":
            need("pyarrow", extra="parquet", what="parquet files")
        if plot is not None:
            need("matplotlib", extra="plot", what="plots")
    except MissingExtra as error:
        raise click.UsageError(f"{error}.") from None
    if plot is not None and output is not None and os.path.realpath(plot) == os.path.realpath(output):
        raise click.UsageError("-o and --plot name the same file.")
    if output_format == "parquet" and at_terminal(output):
        raise click.UsageError("parquet is not for a terminal: give it a file with -o FILE.")


def _gather(items: Iterable[Located], status: Status, *, verify: bool) -> Data:
    from pyramide_cli.reports import Data, Gatherer

    if verify:
        from pyramide_cli.reports.verified import gather_verified

        return Data(gather_verified(items, status.report), apart=True)
    gatherer = Gatherer(status.report)
    gatherer.add_all(items)
    return Data(gatherer.finish())


def _write(report: Report, output_format: str, output: str | None, plot: str | None) -> None:
    from pyramide_cli.reports import dump

    with open_output(output) as out:
        out.write(dump(report, output_format, width=out.width))
    if plot is not None:
        from pyramide_cli.reports.plots import plot as draw

        with open_output(plot) as out:
            out.write(draw(report, Path(plot).suffix.lower().lstrip(".")))
