"""The searches that answer one question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.deals import STOCK_SIZE, Deal
from pyramide_cli.game import Position
from pyramide_cli.pyramid import PLACES
from pyramide_cli.rules import Rules
from pyramide_cli.scoring import MICROSOFT_REMOVAL
from pyramide_cli.solver.bits import FRESH, STOCK
from pyramide_cli.solver.bounds import NEVER
from pyramide_cli.solver.layout import CLEARED, MICROSOFT, OBJECTIVE, PAR, RANK, REMOVED, TARGET, WIN
from pyramide_cli.solver.memory import (
    BEST_VALUE,
    EXHAUSTED,
    FOUND,
    LIMIT,
    LOWEST,
    RECORDS,
    Memory,
    pop,
)
from pyramide_cli.solver.memory import FULL as MEMORY_FULL
from pyramide_cli.solver.passes import staying
from pyramide_cli.solver.paths import mask_of_state, path_to_best
from pyramide_cli.solver.problem import Problem, make_problem, start_state
from pyramide_cli.solver.rests import finished, most_of_rank, most_points, most_removed, possible_rests, sizes
from pyramide_cli.solver.search import begin, search
from pyramide_cli.solver.seeking import begin_seeking, seek
from pyramide_cli.solver.solution import UNDECIDED, UNWINNABLE, WINNABLE
from pyramide_cli.solver.values import WIN_SCORE, most, value
from pyramide_cli.solver.workplace import workplace

FIRST_TRY = 4_000
"""So many positions are stored in a first search for each shape: a short line to one helps with the others."""


@dataclass(frozen=True, slots=True)
class Found:
    """How a search ended: the states of its line (empty for none), and bounds of what it looked for."""

    status: int
    states: list[int]
    lower: int
    upper: int
    shortest: bool = False


class Searcher:
    """The searches that answer one question; it counts the positions that they store together."""

    def __init__(self, deal: Deal, rules: Rules, position: Position, max_states: int) -> None:
        self.deal = deal
        self.rules = rules
        self.position = position
        self.left = max_states
        self.stored = 0

    def reach(self, objective: int, rank: int, target: int, *, shortest: bool) -> Found:
        """Look for a position whose value is at least the target."""
        problem = make_problem(self.deal, self.rules, self.position, objective, rank, shortest=shortest)
        status, memory = self._run(problem, target, int(shortest))
        lower = int(memory.queue[LOWEST])
        states = path_to_best(problem, memory) if status == FOUND else []
        return Found(status, states, lower, -1)

    def best(self, objective: int, rank: int) -> Found:
        """Look for the largest value that can be reached, and for the nearest position that has it."""
        if objective == CLEARED:
            return self._most_cleared()
        if objective == MICROSOFT:
            return self._most_points()
        if objective == RANK:
            return self._most_of_rank(rank)
        if objective == REMOVED and (self.rules.passes or 3) >= 3:
            return self._most_removed(clear=True)
        if objective == PAR and self._cannot_clear():
            return self._most_removed(clear=False)
        best = self.largest(objective, rank)
        if best.status == LIMIT:
            return best
        shortest = self.reach(objective, rank, best.lower, shortest=True)
        if shortest.status == LIMIT:
            return best
        return replace(best, states=shortest.states, shortest=True)

    def largest(self, objective: int, rank: int) -> Found:
        """Look for the largest value that can be reached."""
        problem = make_problem(self.deal, self.rules, self.position, objective, rank)
        upper = int(most(problem.numbers, start_state(problem, self.position)))
        status, memory = self._run(problem, -1, 0, upper)
        lower = int(memory.queue[BEST_VALUE])
        return Found(status, path_to_best(problem, memory), lower, upper if status == LIMIT else lower)

    def _rests(self) -> NDArray[np.int64]:
        """Return the shapes that may be left in the end, the empty one first."""
        rests = possible_rests(self.deal, self.rules, self.position)
        if self.rules.passes is None:
            return rests
        problem = make_problem(self.deal, self.rules, self.position, WIN)
        mask, stock, room = self.position.pyramid, self.position.stock, workplace.times
        fresh = 0
        if start_state(problem, self.position) & FRESH:
            fresh = 1 << (stock & ((1 << self.position.drawn) - 1)).bit_length() - 1
        stays = int(staying(problem.numbers, room, mask, mask, stock, self.position.drawn, fresh))
        for _ in range(self.rules.passes - self.position.pass_number):
            stays = int(staying(problem.numbers, room, mask, stays, stock, 0, 0)) if stays else 0
        kept: NDArray[np.int64] = rests[rests & stays == stays]
        return kept

    def _most_cleared(self) -> Found:
        rests = self._rests()
        size = sizes(rests)
        reserve = self._keep_some()
        for left in np.unique(size):
            found = self._nearest(WIN, 1, finished(self.deal, rests[size == left]))
            if found.status != EXHAUSTED:
                value = PLACES - int(left)
                return self._settled(found, value, reserve, CLEARED, [])
        raise AssertionError("all that is there can be left")

    def _most_points(self) -> Found:
        rests = self._rests()
        win = Found(EXHAUSTED, [], -1, -1)
        reserve = self._keep_some()
        if self.rules.goal == "pyramid" and rests[0] == 0:
            win = self.reach(WIN, 0, 1, shortest=False)
            if win.status == EXHAUSTED:
                rests = rests[1:]
            elif win.status == FOUND:
                rests = rests[:1]
        points = most_points(self.deal, rests)
        now = self._points_now()
        for target in range(int(points.max()), now, -MICROSOFT_REMOVAL):
            found = self._nearest(MICROSOFT, target, finished(self.deal, rests[points >= target]))
            if found.status != EXHAUSTED:
                return self._settled(found, target, reserve, MICROSOFT, win.states)
        return Found(EXHAUSTED, [self._start()], now, now, shortest=True)

    def _most_removed(self, *, clear: bool) -> Found:
        """Look for the most cards that can be gone; clear: whether the pyramid may be."""
        rests = self._rests()
        if rests[0] == 0 and not clear:
            rests = rests[1:]
        most = most_removed(self.deal, rests)
        reserve = self._keep_some()
        now = PLACES + STOCK_SIZE - self.position.pyramid.bit_count() - self.position.stock.bit_count()
        for target in range(int(most.max()), now, -1):
            found = self._nearest(REMOVED, target, finished(self.deal, rests[most >= target]))
            if found.status != EXHAUSTED:
                return self._settled(found, target, reserve, REMOVED, [])
        return Found(EXHAUSTED, [self._start()], now, now, shortest=True)

    def _cannot_clear(self) -> bool:
        """Return whether it is proved that the pyramid cannot be cleared."""
        rules = self.rules.replace(goal="pyramid")
        problem = make_problem(self.deal, rules, self.position, WIN, shortest=False)
        return self._run(problem, 1, 0)[0] == EXHAUSTED

    def _most_of_rank(self, rank: int) -> Found:
        rests = self._rests()
        most = most_of_rank(self.deal, rests, rank)
        reserve = self._keep_some()
        here = make_problem(self.deal, self.rules, self.position, RANK, rank)
        start = start_state(here, self.position)
        now = int(value(here.numbers, start))
        for target in range(int(most.max()), now, -1):
            found = self._nearest(RANK, target, rests[most >= target], rank)
            if found.status != EXHAUSTED:
                return self._settled(found, target, reserve, RANK, [], rank)
        return Found(EXHAUSTED, [start], now, now, shortest=True)

    def _settled(
        self, found: Found, value: int, reserve: int, objective: int, known: list[int], rank: int = 0
    ) -> Found:
        """Return what a search for a value that nothing exceeds has given; where it was stopped, something good.

        reserve: how many positions may still be stored for that. known: a line that would do.
        """
        self.left += reserve
        if found.status == FOUND:
            return Found(EXHAUSTED, found.states, value, value, shortest=True)
        if found.states:
            return Found(EXHAUSTED, found.states, value, value)
        if known:
            return Found(LIMIT, known, self._points_at(known[-1]), value)
        best = self.largest(objective, rank)
        return Found(LIMIT, best.states, best.lower, value)

    def _nearest(self, objective: int, target: int, rests: NDArray[np.int64], rank: int = 0) -> Found:
        """Look for the nearest position with a value among those with one of some shapes left in the pyramid.

        The status is LIMIT if that is not proved, with a line to one of them if any is known.
        """
        rules = self.rules.replace(goal="pyramid") if objective == WIN else self.rules
        starts = []
        for rest in rests.tolist():
            problem = make_problem(self.deal, rules, self.position, objective, rank, stays=rest)
            problem.numbers[TARGET] = target
            bound = self._start_bound(problem, target)
            if bound < NEVER:
                starts.append((bound, rest, problem))
        states: list[int] = []
        below = NEVER
        rounds = sorted(starts, key=itemgetter(0, 1))
        for most_states in (FIRST_TRY, self.left) if len(rounds) > 1 else (self.left,):
            hard = []
            for start in rounds:
                bound, _, problem = start
                if bound >= below:
                    continue
                status, memory = self._run(problem, target, 1, below, min(most_states, self.left))
                if status == FOUND:
                    states = path_to_best(problem, memory)
                    below = len(states) - 1
                elif status == LIMIT:
                    hard.append(start)
            rounds = hard
        if any(bound < below for bound, _, _ in rounds):
            return Found(LIMIT, states, -1, -1)
        return Found(FOUND if states else EXHAUSTED, states, -1, -1)

    def _keep_some(self) -> int:
        """Keep an eighth of the positions that may be stored for later; return their number."""
        reserve = self.left // 8
        self.left -= reserve
        return reserve

    def _start(self) -> int:
        return start_state(make_problem(self.deal, self.rules, self.position, WIN), self.position)

    def verdict(self, objective: int, best: Found) -> str:
        """Return whether the goal can be reached, from the largest value or by a search of its own."""
        everything = {CLEARED: PLACES, REMOVED: PLACES + STOCK_SIZE}.get(objective)
        if self.rules.goal == "pyramid" and objective == MICROSOFT:
            everything = WIN_SCORE
        if (objective == CLEARED) == (self.rules.goal == "pyramid") and everything is not None:
            if best.lower >= everything:
                return WINNABLE
            if best.status == EXHAUSTED or best.upper < everything:
                return UNWINNABLE
            return UNDECIDED
        if any(_is_won(self.rules, state) for state in best.states[-1:]):
            return WINNABLE
        found = self.reach(WIN, 0, 1, shortest=False)
        return {FOUND: WINNABLE, EXHAUSTED: UNWINNABLE, LIMIT: UNDECIDED}[found.status]

    def _points_now(self) -> int:
        return self._points_at(self._start())

    def _points_at(self, state: int) -> int:
        """Return the points of a position under `microsoft`."""
        problem = make_problem(self.deal, self.rules, self.position, MICROSOFT)
        return int(value(problem.numbers, state))

    def _start_bound(self, problem: Problem, target: int) -> int:
        """Return a lower bound of the moves to a target; NEVER where there is no way to it."""
        memory = workplace.begin()
        self._begin(problem, memory, target)
        return NEVER if pop(memory.records, memory.queue) < 0 else int(memory.queue[LOWEST])

    def _begin(self, problem: Problem, memory: Memory, target: int) -> None:
        """Put the start into an emptied memory."""
        start = start_state(problem, self.position)
        arrays = (problem.numbers, problem.balance, *memory, workplace.chains, workplace.times)
        if problem.numbers[OBJECTIVE] == WIN:
            begin(*arrays, start)
        else:
            begin_seeking(*arrays, start, target)

    def _run(
        self, problem: Problem, target: int, weight: int, ceiling: int = NEVER, most_states: int | None = None
    ) -> tuple[int, Memory]:
        limit = self.left if most_states is None else most_states
        work = workplace
        memory = work.begin()
        self._begin(problem, memory, target)
        for_win = problem.numbers[OBJECTIVE] == WIN
        while True:
            arrays = (problem.numbers, problem.without, problem.balance, *memory, work.chains, work.found, work.times)
            if for_win:
                status = int(search(*arrays, weight, limit, ceiling))
            else:
                status = int(seek(*arrays, target, weight, limit, ceiling))
            if status != MEMORY_FULL:
                break
            memory = work.larger(memory)
        self.stored += int(memory.queue[RECORDS])
        self.left -= int(memory.queue[RECORDS])
        return status, memory


def _is_won(rules: Rules, state: int) -> bool:
    return mask_of_state(state) == 0 and (rules.goal == "pyramid" or state & STOCK == 0)
