"""`pyramide stats --survey`: the options of a survey, and how it is run."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from pyramide_cli.cli.options import MAX_JOBS, Command, Number, RulesChoice, one_of, rules_options
from pyramide_cli.cli.progress import Progress
from pyramide_cli.cli.sections import SurveyOption

if TYPE_CHECKING:
    from pyramide_cli.reports import Report


MOST_DEALS = 10**12
MOST_STATES = 10**12


@dataclass(frozen=True)
class SurveyChoice:
    """What the command line says about a survey; `count` is None where none is asked for."""

    count: int | None
    rules: RulesChoice
    find: str | None
    seed: int | None
    within: float | None
    jobs: int | None
    max_states: int | None

    def stray(self) -> str | None:
        """Return an option that belongs to a survey where none is asked for."""
        if self.count is not None:
            return None
        given = {
            "an option about rules": self.rules.is_given,
            "--find": self.find is not None,
            "--seed": self.seed is not None,
            "--within": self.within is not None,
            "--jobs": self.jobs is not None,
            "--max-states": self.max_states is not None,
        }
        return next((name for name, is_given in given.items() if is_given), None)


def _finite(context: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 < value <= 100:  # nan is neither
        raise click.BadParameter(f"{value} is no width between 0 and 100 points.", context, param)
    return value


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--survey",
        "survey_count",
        type=Number(1, MOST_DEALS),
        help="Deal and solve N random deals, without logs and records, and report the rates, under the rules below.",
        cls=SurveyOption,
    ),
    click.option(
        "--find",
        type=one_of(("any", "shortest", "most")),
        help="What to ask of each deal.  [default: any]",
        cls=SurveyOption,
    ),
    click.option("--seed", type=Number(0, 2**64 - 1), help="Survey the same deals each time.", cls=SurveyOption),
    click.option(
        "--within",
        metavar="W",
        type=float,
        callback=_finite,
        help="Stop when the rate's interval is at most W points wide.",
        cls=SurveyOption,
    ),
    click.option("--jobs", type=Number(1, MAX_JOBS), help="How many deals to solve side by side.", cls=SurveyOption),
    click.option(
        "--max-states",
        type=Number(1, MOST_STATES),
        help="Give a deal up, as undecided, after N positions.",
        cls=SurveyOption,
    ),
)


def survey_options(command: Command) -> Command:
    """Add the options of a survey; the command gets one argument `survey`, a `SurveyChoice`."""

    @functools.wraps(command)
    def with_survey(*args: Any, **values: Any) -> Any:
        names = ("rules", "find", "seed", "within", "jobs", "max_states")
        choice = SurveyChoice(values.pop("survey_count"), **{name: values.pop(name) for name in names})
        return command(*args, survey=choice, **values)

    wrapped: Any = rules_options(with_survey)
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[no-any-return]


def run_survey(choice: SurveyChoice, write: Callable[[Report], None], *, progress: bool | None) -> None:
    """Run a survey and write its report; after Ctrl-C, the report of what there is so far."""
    from pyramide_cli.pools import cores
    from pyramide_cli.reports.survey import Plan, Survey, report, run
    from pyramide_cli.solver.question import MAX_STATES

    assert choice.count is not None
    plan = Plan(
        choice.count,
        choice.rules.over(None),
        choice.find or "any",
        choice.seed,
        choice.within,
        choice.jobs or cores(),
        choice.max_states or MAX_STATES,
    )
    found = Survey(plan)
    with Progress("stats", choice.count, show=progress) as bar:
        try:
            run(found, lambda deals: bar.advance(deals, wins=found.verdicts["winnable"]))
        except KeyboardInterrupt:
            write(report(found))
            raise
    write(report(found))
