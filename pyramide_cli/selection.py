"""Looking for deals with a property: winnable or not, or a shortest solution of some length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pyramide_cli.deals import Deal
from pyramide_cli.rules import Rules
from pyramide_cli.solver import Solution, solve


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

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.tried = 0
        self.found = 0
        self.undecided = 0

    def run(
        self,
        deals: Iterable[Deal],
        rules: Rules,
        *,
        count: int | None = None,
        on_step: Callable[[Search], None] | None = None,
    ) -> Iterator[Solution]:
        """Yield the fitting deals in their order, until `count` are found or the deals are used up."""
        if count is not None and self.found >= count:
            return
        for solution in (solve(deal, rules, find=self.wanted.find) for deal in deals):
            self.tried += 1
            self.undecided += solution.verdict == "undecided" or (self.wanted.find != "any" and not _is_exact(solution))
            fits = self.wanted.fits(solution)
            self.found += fits
            if on_step is not None:
                on_step(self)
            if fits:
                yield solution
                if count is not None and self.found >= count:
                    return


def _is_exact(solution: Solution) -> bool:
    return solution.verdict == "unwinnable" or solution.optimal
