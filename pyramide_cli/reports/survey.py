"""Surveys: random deals dealt and solved without a record of any, until there are enough for a rate."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from pyramide_cli.deals import Deal, deal_many, random_numbers
from pyramide_cli.messages import counted
from pyramide_cli.reports.intervals import wilson
from pyramide_cli.reports.naming import rules_label
from pyramide_cli.reports.report import Column, Plot, Report, Row
from pyramide_cli.rules import Rules
from pyramide_cli.solver.question import MAX_STATES

if TYPE_CHECKING:
    import pandas as pd

    from pyramide_cli.solver import Solution

FINDS = ("any", "shortest", "most")

_QUICK_CHUNK = 8192
_CHUNK = 32
_LENGTHS_OVER = {
    "shortest": ("winnable deal, proved shortest", "winnable deals, proved shortest"),
    "most": ("deal whose most cards are proved", "deals whose most cards are proved"),
}
"""What has a length, by the question."""


@dataclass(frozen=True)
class Plan:
    """What to survey: `count` random deals, or fewer, where `within` says how narrow the rate's interval must be.

    find: any, shortest or most. seed: null for other deals each time. within: points of percent, null for all deals.
    """

    count: int
    rules: Rules
    find: str
    seed: int | None = None
    within: float | None = None
    jobs: int = 1
    max_states: int = MAX_STATES


@dataclass
class Survey:
    """What a survey has found so far.

    lengths: of the proved shortest solutions (find shortest), or of those that clear most (find most).
    most: cards gone at most, where proved (find most): pyramid cards, or all cards under goal `all`.
    """

    plan: Plan
    verdicts: dict[str, int] = field(default_factory=lambda: {"winnable": 0, "unwinnable": 0, "undecided": 0})
    lengths: array[int] = field(default_factory=lambda: array("i"))
    most: array[int] = field(default_factory=lambda: array("i"))
    unproved: int = 0
    states: int = 0

    @property
    def deals(self) -> int:
        """How many deals were solved, or given up at a limit."""
        return sum(self.verdicts.values())

    @property
    def width(self) -> float:
        """The points of percent that the winnable rate may lie in: undecided deals may be lost, and may be won."""
        low, _ = wilson(self.verdicts["winnable"], self.deals)
        _, high = wilson(self.verdicts["winnable"] + self.verdicts["undecided"], self.deals)
        return 100.0 if low is None or high is None else 100 * (high - low)

    @property
    def is_enough(self) -> bool:
        """Whether all deals are done, or the interval is as narrow as was asked."""
        within = self.plan.within
        return self.deals >= self.plan.count or (within is not None and self.width <= within)

    def add(self, solution: Solution) -> None:
        """Count one solution."""
        self.verdicts[solution.verdict] += 1
        self.states += solution.states
        if self.plan.find == "any":
            return
        if solution.verdict == "unwinnable" and self.plan.find == "shortest":
            return
        if not solution.optimal or solution.length is None:
            self.unproved += 1
            return
        self.lengths.append(solution.length)
        best = solution.removed if self.plan.rules.goal == "all" else solution.cleared
        if self.plan.find == "most" and best is not None:
            self.most.append(best)


def survey(plan: Plan) -> Survey:
    """Deal and solve random deals until there are enough."""
    found = Survey(plan)
    run(found)
    return found


def run(found: Survey, on_step: Callable[[int], None] = lambda deals: None) -> None:
    """Fill a survey until there are enough deals; `on_step` is told how many were added.

    Whether to stop early is asked after the same deals each time, whatever `jobs` is, so the seed gives the answer.
    What is in `found` when this is interrupted is right as far as it goes.
    """
    if found.plan.find == "any" and _decided_by_pyramid(found.plan.rules):
        _survey_quickly(found, on_step)
    else:
        _survey_by_search(found, on_step)


def _decided_by_pyramid(rules: Rules) -> bool:
    from pyramide_cli.solver.balance import decides

    return decides(rules)


def _survey_quickly(found: Survey, on_step: Callable[[int], None]) -> None:
    """Ask only whether the pyramid can be cleared: arrays of deals, in threads, for kernels leave the lock alone."""
    from pyramide_cli.pools import Threads

    plan = found.plan
    with Threads(plan.jobs) as pool:
        counts = pool.map(partial(_count_winnable, rules=plan.rules), _chunks(plan, _QUICK_CHUNK), even=True)
        while not found.is_enough:
            deals, won = next(counts)
            found.verdicts["winnable"] += won
            found.verdicts["unwinnable"] += deals - won
            on_step(deals)


def _count_winnable(numbers: list[int], rules: Rules) -> tuple[int, int]:
    """Return how many deals there are, and how many of them can be won."""
    import numpy as np

    from pyramide_cli.solver.verdicts import can_be_won_many

    return len(numbers), int(can_be_won_many(deal_many(np.array(numbers, dtype=np.uint64)), rules).sum())


def _survey_by_search(found: Survey, on_step: Callable[[int], None]) -> None:
    from pyramide_cli.batches import Question, answers
    from pyramide_cli.pools import Threads

    plan = found.plan
    asked = (Question(Deal.from_number(number), plan.rules, plan.find) for number in _numbers(plan))
    with Threads(plan.jobs) as pool:
        solutions = answers(asked, pool, max_states=plan.max_states)
        while not found.is_enough:
            before = found.deals
            for solution in islice(solutions, _CHUNK):
                found.add(solution)
            on_step(found.deals - before)


def _numbers(plan: Plan) -> Iterator[int]:
    return islice(random_numbers(plan.seed), plan.count)


def _chunks(plan: Plan, size: int) -> Iterator[list[int]]:
    numbers = _numbers(plan)
    while chunk := list(islice(numbers, size)):
        yield chunk


def _most_columns(what: str) -> tuple[Column, ...]:
    return (
        Column(f"{what}_n", "proved", "count", optional=True, about="The deals for which the most cards are proved."),
        Column(f"{what}_mean", f"mean {what}", "mean", optional=True, about=f"Mean of the cards {what} at most."),
        Column(f"{what}_median", "median", "number", optional=True),
    )


def report(found: Survey) -> Report:
    """Return the survey as a report: one row of rates, and the distributions as further tables."""
    from pyramide_cli.reports.named.solver import COUNTS, LENGTHS, RATES, rates

    plan, verdicts = found.plan, found.verdicts
    row: Row = {"rules": rules_label(plan.rules), "find": plan.find, "solutions": found.deals, **verdicts}
    row |= rates(verdicts["winnable"], verdicts["undecided"], found.deals)
    row |= _lengths(found.lengths)
    what, title = ("removed", "cards removed") if plan.rules.goal == "all" else ("cleared", "pyramid cards cleared")
    row |= _most(what, found.most)
    keys = (Column("rules", "rules", "text", key=True), Column("find", "find", "text", key=True))
    more = (
        _distribution("lengths", found.lengths, "length in moves"),
        _distribution(what, found.most, title),
    )
    return Report(
        "survey",
        f"Survey of {counted(found.deals, 'random deal')}",
        (*keys, *COUNTS, *RATES, *LENGTHS, *_most_columns(what)),
        [row] if found.deals else [],
        None,
        _notes(found),
        (
            Plot("rows", "solutions", ("winnable", "undecided", "unwinnable"), "deals", "", count="solutions"),
            Plot(
                "dots",
                "rate_lost",
                ("rate_lost",),
                "winnable in %, undecided as lost, 95 % interval",
                "",
                low="rate_lost_low",
                high="rate_lost_high",
                count="solutions",
            ),
        ),
        more=tuple(table for table in more if table.rows),
    )


def _notes(found: Survey) -> tuple[str, ...]:
    plan = found.plan
    notes = [
        "Rates are over all deals, with their 95 % Wilson intervals: undecided ones count as lost in the first, as won "
        "in the second."
    ]
    if found.lengths:
        notes.append(f"Lengths are over the {counted(len(found.lengths), *_LENGTHS_OVER[plan.find])}.")
    if found.unproved:
        notes.append(
            f"{counted(found.unproved, 'deal')} reached the limit of the search without a proof; "
            f"{'it has' if found.unproved == 1 else 'they have'} no length."
        )
    if found.deals < plan.count:
        notes.append(
            f"Stopped after {found.deals:,} of {plan.count:,} deals"
            + (
                f": the interval is {found.width:.2f} points wide, and at most {plan.within:g} were asked for."
                if found.is_enough
                else ", before they were enough: these are the results so far."
            )
        )
    if plan.seed is None:
        notes.append("The deals were other ones than the next time; --seed makes them the same.")
    else:
        notes.append(f"Seed {plan.seed}: the same deals each time.")
    return tuple(notes)


def _lengths(values: array[int]) -> Row:
    from pyramide_cli.reports.named.solver import length_figures

    return length_figures(_series(values))


def _most(what: str, values: array[int]) -> Row:
    from pyramide_cli.reports.spread import spread

    figures = spread(_series(values))
    if not figures["n"]:
        return {}
    return {f"{what}_{name}": figures[name] for name in ("n", "mean", "median")}


def _series(values: array[int]) -> pd.Series:
    import pandas as pd

    return pd.Series(values, dtype="Int32")


def _distribution(name: str, values: array[int], title: str) -> Report:
    from pyramide_cli.reports.named.distributions import binned

    return Report(
        name,
        f"Distribution of {title}",
        (
            Column("from", "from", "count", key=True),
            Column("to", "to", "count", key=True),
            Column("deals", "deals", "count"),
            Column("share", "share", "rate"),
            Column("up_to", "up to here", "rate", about="The share of this bin and of those above it."),
        ),
        binned([_series(values)], ("deals",), whole=True) if values else [],
        None,
        (),
        (Plot("bars", "from", ("deals",), title, "deals", x_to="to"),),
    )
