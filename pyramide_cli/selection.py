"""Looking for deals with a property: winnable or not, or a shortest solution of some length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pyramide_cli.batches import Question, answers
from pyramide_cli.deals import Deal
from pyramide_cli.pools import Pool
from pyramide_cli.rules import Rules
from pyramide_cli.solver import Solution
from pyramide_cli.solver.balance import decides
from pyramide_cli.solver.question import MAX_STATES

# Below this many deals arrays do not pay: the kernel takes longer to load than the deals to solve one by one.
_MANY: Final = 1_000
_CHUNK: Final = 4_096


@dataclass(frozen=True)
class Wanted:
    """The property that is looked for.

    winnable: True, False, or None for either.
    length: the least and the most moves of a shortest solution, None for no bound on that side.
    """

    winnable: bool | None = None
    length: tuple[int | None, int | None] = (None, None)

    @property
    def find(self) -> str:
        """What the solver has to be asked."""
        return "any" if self.length == (None, None) else "shortest"

    def fits(self, solution: Solution) -> bool:
        """Whether a deal has the property, by proof: an undecided deal never has."""
        if self.find == "any":
            return solution.verdict == ("winnable" if self.winnable else "unwinnable")
        least, most = self.length
        return (
            solution.verdict == "winnable"
            and solution.optimal
            and solution.length is not None
            and (least is None or least <= solution.length)
            and (most is None or solution.length <= most)
        )


class Search:
    """Goes through deals and yields those with a property; counts as it goes.

    tried, found, undecided: how many deals were solved, have the property, and could not be decided.
    """

    def __init__(
        self, wanted: Wanted, count: int | None = None, *, on_tried: Callable[[int], None] | None = None
    ) -> None:
        """Set up a search for `count` deals, None for all; `on_tried` is told how many more deals were tried."""
        self.wanted = wanted
        self.count = count
        self.tried = 0
        self.found = 0
        self.undecided = 0
        self._on_tried = on_tried

    @property
    def is_over(self) -> bool:
        """Whether as many deals are found as are wanted."""
        return self.count is not None and self.found >= self.count

    def among(self, deals: Iterable[tuple[Deal, Rules]], pool: Pool) -> Iterator[tuple[Deal, Rules]]:
        """Yield the fitting deals in their order, until enough are found or the deals are used up."""
        if self.is_over:
            return
        questions = (Question(deal, rules, self.wanted.find) for deal, rules in deals)
        for solution in answers(questions, pool, max_states=MAX_STATES):
            self._count(1)
            self.undecided += not _is_settled(solution)
            if self.wanted.fits(solution):
                self.found += 1
                yield solution.deal, solution.rules
                if self.is_over:
                    return

    def among_numbers(self, numbers: Iterable[int], rules: Rules, pool: Pool) -> Iterator[tuple[Deal, Rules]]:
        """Yield the fitting deals of these numbers like `among`; by arrays where that is quicker."""
        if self.wanted.find == "any" and (self.count or 0) >= _MANY and decides(rules):
            yield from self._by_arrays(numbers, rules)
        else:
            yield from self.among(((Deal.from_number(number), rules) for number in numbers), pool)

    def _by_arrays(self, numbers: Iterable[int], rules: Rules) -> Iterator[tuple[Deal, Rules]]:
        """Go through numbers by the thousand; for what the pyramid alone decides."""
        from pyramide_cli.bulk import chunks
        from pyramide_cli.deals import deal_many
        from pyramide_cli.solver.verdicts import can_be_won_many

        for chunk in chunks(numbers, _CHUNK):
            fits = can_be_won_many(deal_many(chunk), rules) == bool(self.wanted.winnable)
            for number, fit in zip(chunk.tolist(), fits.tolist(), strict=True):
                self._count(1)
                if fit:
                    self.found += 1
                    yield Deal.from_number(number), rules
                    if self.is_over:
                        return

    def _count(self, tried: int) -> None:
        self.tried += tried
        if self._on_tried is not None:
            self._on_tried(tried)


def _is_settled(solution: Solution) -> bool:
    """Whether the question was answered by proof."""
    return solution.verdict == "unwinnable" or (
        solution.verdict == "winnable" and (solution.find == "any" or solution.optimal)
    )
