"""The named reports: what each is called, what it answers, and the function that makes it, loaded when asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from pyramide_cli.reports.data import Data, Question, ReportError
from pyramide_cli.reports.report import Report


@dataclass(frozen=True)
class Named:
    """A report: its name, one sentence for the help, the module that makes it, and what the module is told."""

    name: str
    answers: str
    module: str
    settings: dict[str, Any]

    def make(self, data: Data, question: Question) -> Report:
        """Return the report on these data."""
        module = import_module(f"{__name__}.{self.module}")
        build = cast(Callable[..., Report], module.report)
        return build(data, question, name=self.name, **self.settings)


_ALL = (
    Named("summary", "results by rules and player", "overall", {"by": ("player",)}),
    Named("rules", "results by rules", "overall", {"by": ()}),
    Named("player", "results by player", "overall", {"by": ("player",)}),
    Named("day", "results by day", "overall", {"by": ("day",)}),
    Named("week", "results by week", "overall", {"by": ("week",)}),
    Named("deal", "results by deal", "overall", {"by": ("deal",)}),
)

REPORTS: dict[str, Named] = {named.name: named for named in _ALL}
DEFAULT = "summary"


def make(name: str, data: Data, question: Question) -> Report:
    """Return the named report on these data; `ReportError` where there is none of that name."""
    try:
        return REPORTS[name].make(data, question)
    except KeyError:
        raise ReportError(f"no report is called {name!r}; known are {', '.join(REPORTS)}") from None
