"""The searches that answer one question, and the memory that they work in."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.deals import STOCK_SIZE, Deal
from pyramide_cli.game import Position
from pyramide_cli.moves import DRAW, RECYCLE, Move, king, pair
from pyramide_cli.pyramid import PLACES, places, shapes
from pyramide_cli.rules import Rules
from pyramide_cli.scoring import MICROSOFT_REMOVAL, score
from pyramide_cli.solver.bits import DRAWN, DRAWN_AT, FRESH, SHAPE, SHAPE_AT, STOCK
from pyramide_cli.solver.bounds import NEVER
from pyramide_cli.solver.layout import CLEARED, LATE_KINGS, MICROSOFT, OBJECTIVE, PAR, RANK, REMOVED, STAYS, TARGET, WIN
from pyramide_cli.solver.macros import MOST_FOUND, new_chains
from pyramide_cli.solver.memory import (
    BEST,
    BEST_VALUE,
    EXHAUSTED,
    FIRST_RECORDS,
    FOUND,
    LIMIT,
    LOWEST,
    RECORDS,
    Memory,
    clear,
    moves_of,
    new_memory,
    parent_of,
    pop,
    position_of,
    rehash,
)
from pyramide_cli.solver.memory import FULL as MEMORY_FULL
from pyramide_cli.solver.moves import MOST_MOVES
from pyramide_cli.solver.passes import staying
from pyramide_cli.solver.points import POINTS_ROOM
from pyramide_cli.solver.problem import Problem, make_problem, start_state
from pyramide_cli.solver.rests import finished, most_of_rank, most_points, most_removed, possible_rests, sizes
from pyramide_cli.solver.search import begin, search, spell_out
from pyramide_cli.solver.seeking import begin_seeking, seek
from pyramide_cli.solver.solution import UNDECIDED, UNWINNABLE, WINNABLE
from pyramide_cli.solver.values import WIN_SCORE, most, value

LONGEST = 256
"""More moves than the search bundles."""
FIRST_TRY = 4_000
"""So many positions are stored in a first search for each shape: a short line to one helps with the others."""
KEPT_RECORDS = 1 << 22
"""The room for this many positions is kept for the next question; more is given back."""


@dataclass(frozen=True, slots=True)
class Found:
    """How a search ended: the states of its line (empty for none), and bounds of what it looked for."""

    status: int
    states: list[int]
    lower: int
    upper: int
    shortest: bool = False


class _Workplace(threading.local):
    """The memory of the searches of one thread, used again and again."""

    def __init__(self) -> None:
        self.memory = new_memory()
        self.chains = new_chains()
        self.times = np.zeros(POINTS_ROOM, np.int64)
        self.found = np.zeros((MOST_FOUND, 2), np.int64)
        self.lines = np.zeros((LONGEST, MOST_MOVES + 1, 2), np.int64)
        self.line = np.zeros(LONGEST, np.int64)

    def begin(self) -> Memory:
        """Return a part of the memory, emptied, for a small search."""
        memory = self._part(FIRST_RECORDS)
        clear(memory.slots, memory.queue)
        return memory

    def larger(self, memory: Memory) -> Memory:
        """Return what is in a part of the memory, with twice the room (four times while it is small)."""
        old = memory.records.shape[0]
        size = old * (4 if old < 1 << 18 else 2)
        if size > self.memory.records.shape[0]:
            records = np.empty((size, 2), np.int64)
            records[:old] = memory.records
            self.memory = Memory(records, np.zeros(2 * size, np.int32), memory.queue)
        else:
            self.memory.slots[: 2 * size] = 0
        memory = self._part(size)
        rehash(*memory)
        return memory

    def trim(self) -> None:
        """Give back the memory of a large search."""
        if self.memory.records.shape[0] > KEPT_RECORDS:
            self.memory = new_memory()

    def _part(self, size: int) -> Memory:
        return Memory(self.memory.records[:size], self.memory.slots[: 2 * size], self.memory.queue)


workplace = _Workplace()


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
        states = self._path(problem, memory) if status == FOUND else []
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
        return Found(status, self._path(problem, memory), lower, upper if status == LIMIT else lower)

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
                    states = self._path(problem, memory)
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

    def line(self, states: list[int]) -> tuple[Move, ...]:
        """Return the moves from each position to the next."""
        return tuple(self._move(before, after) for before, after in pairwise(states))

    def score(self, states: list[int], line: tuple[Move, ...]) -> int | None:
        """Return the points at the end of a line under the rules' scoring, counted for the whole deal."""
        mask, stock = mask_of_state(states[-1]), states[-1] & STOCK
        left = [self.deal.cards[place] for place in places(mask | stock << PLACES)]
        kings = sum(card >= 48 for card in left)
        cleared_pass = self.position.cleared_pass
        if mask == 0 and cleared_pass == 0:
            before_clear = next(at for at, state in enumerate(states) if mask_of_state(state) == 0)
            cleared_pass = self.position.pass_number + line[:before_clear].count(RECYCLE)
        return score(self.rules.scoring, mask, stock, 28 - kings - (len(left) - kings) // 2, cleared_pass)

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

    def _path(self, problem: Problem, memory: Memory) -> list[int]:
        """Return the states from the start to the best record, one move apart."""
        record, records = int(memory.queue[BEST]), []
        while record >= 0:
            records.append(record)
            record = parent_of(memory.records, record)
        records.reverse()
        states = [position_of(memory.records, records[0])]
        work = workplace
        for one, other in pairwise(records):
            before, after = position_of(memory.records, one), position_of(memory.records, other)
            moves = moves_of(memory.records, other) - moves_of(memory.records, one)
            if not spell_out(problem.numbers, problem.without, before, after, moves, work.line, work.lines):
                raise AssertionError("the solver cannot spell out its own line")
            states += [int(state) for state in work.line[:moves]]
        if problem.numbers[STAYS]:
            common = problem.common[[state >> SHAPE_AT & SHAPE for state in states]].tolist()
            states = [
                state & ~(SHAPE << SHAPE_AT) | shape << SHAPE_AT for state, shape in zip(states, common, strict=True)
            ]
        return _remove_kings_early(states) if problem.numbers[LATE_KINGS] else states

    def _move(self, before: int, after: int) -> Move:
        gone = (mask_of_state(before) & ~mask_of_state(after)) | (before & ~after & STOCK) << PLACES
        cards = [self.deal.cards[place] for place in places(gone)]
        if cards:
            return king(cards[0]) if len(cards) == 1 else pair(cards[0], cards[1])
        return DRAW if (before & STOCK) >> (before >> DRAWN_AT & DRAWN) else RECYCLE


def _remove_kings_early(states: list[int]) -> list[int]:
    """Return the states of a line in which no king vanishes from the stock: it goes in the pass before instead.

    There it goes right after its draw, or at once where it lay on top of the waste at the start.
    """
    for at in range(len(states) - 1):
        king = states[at] & ~states[at + 1] & STOCK
        if king and _is_ahead(states[at], king):
            on_top = at
            while _is_ahead(states[on_top], king):
                on_top -= 1
            while on_top and not _is_ahead(states[on_top - 1], king):
                on_top -= 1
            states[on_top + 1 : at + 2] = [state & ~king for state in states[on_top : at + 1]]
    return states


def _is_ahead(state: int, card: int) -> bool:
    """Return whether a card, given as a mask, is still to be drawn."""
    return card >> (state >> DRAWN_AT & DRAWN) != 0


def mask_of_state(state: int) -> int:
    """Return the places of a packed position."""
    return shapes()[state >> SHAPE_AT & SHAPE]


def _is_won(rules: Rules, state: int) -> bool:
    return mask_of_state(state) == 0 and (rules.goal == "pyramid" or state & STOCK == 0)
