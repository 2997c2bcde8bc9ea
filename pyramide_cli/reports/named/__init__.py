"""The named reports: what each is called, what it answers, and the function that makes it, loaded when asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

from pyramide_cli.reports.data import Data, Question, ReportError
from pyramide_cli.reports.report import Report


@dataclass(frozen=True)
class Named:
    """A report: its name, some words for the help, and the module and function that make it, with its settings.

    has_top: whether it can be cut off after some rows, the best, largest or hardest ones.
    """

    name: str
    answers: str
    module: str
    function: str = "report"
    settings: dict[str, Any] = field(default_factory=dict)
    has_top: bool = False

    def make(self, data: Data, question: Question) -> Report:
        """Return the report on these data; `ReportError` where it cannot do what the question asks."""
        if question.top is not None and not self.has_top:
            others = ", ".join(named.name for named in REPORTS.values() if named.has_top)
            raise ReportError(f"--top does not belong to the report {self.name}; it does to {others}")
        module = import_module(f"{__name__}.{self.module}")
        build = cast(Callable[..., Report], getattr(module, self.function))
        return build(data, question, name=self.name, **self.settings)


_ALL: tuple[Named, ...] = (
    Named("summary", "results by rules and player", "overall", settings={"by": ("player",)}, has_top=True),
    Named("rules", "results by rules", "overall", settings={"by": ()}, has_top=True),
    Named("player", "results by player", "overall", settings={"by": ("player",)}, has_top=True),
    Named("day", "results by day", "overall", settings={"by": ("day",)}, has_top=True),
    Named("week", "results by week", "overall", settings={"by": ("week",)}, has_top=True),
    Named("deal", "results by deal", "overall", settings={"by": ("deal",)}, has_top=True),
    Named("ranking", "the best games: score, then time, then moves", "ranking", has_top=True),
    Named("streaks", "wins and losses in a row", "streaks"),
    Named("distributions", "quantiles of all that is measured", "distributions"),
    Named("moves", "distribution of moves", "distributions", "histogram"),
    Named("time", "distribution of the time of a game", "distributions", "histogram"),
    Named("score", "distribution of the score", "distributions", "histogram"),
    Named("left", "distribution of the pyramid cards left", "distributions", "histogram"),
    Named("all-left", "distribution of all cards left", "distributions", "histogram"),
    Named("recycles", "distribution of recycles", "distributions", "histogram"),
    Named("kinds", "how often each kind of move is made", "kinds"),
    Named("efficiency", "wins against the shortest solutions of their deals", "efficiency"),
    Named("losses", "where games are lost, with analysis records", "losses"),
    Named("hardest", "the hardest and the easiest deals to solve", "hardest", "solved", has_top=True),
    Named("hardest-played", "the hardest and the easiest deals to play", "hardest", "played", has_top=True),
    Named("solver", "verdicts, rates, lengths, states, time", "solver"),
    Named("lengths", "distribution of solution lengths", "distributions", "lengths"),
    Named("compare", "two sets on the deals they share (--against FILE)", "compare"),
)

REPORTS: dict[str, Named] = {named.name: named for named in _ALL}
DEFAULT = "summary"
COMPARE = "compare"


def make(name: str, data: Data, question: Question) -> Report:
    """Return the named report on these data; `ReportError` where there is none of that name."""
    named = REPORTS.get(name)
    if named is None:
        raise ReportError(f"no report is called {name!r}; known are {', '.join(REPORTS)}")
    return named.make(data, question)
