"""The solver as the rest of the program sees it: questions about deals and games, and their answers."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pyramide_cli.cards import RANKS
from pyramide_cli.deals import STOCK_SIZE, Deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.game import Game, Position
from pyramide_cli.moves import DRAW, RECYCLE, Move, king, pair
from pyramide_cli.pyramid import FULL, PLACES, places, shapes
from pyramide_cli.rules import DEFAULT_RULES, Rules
from pyramide_cli.scoring import score
from pyramide_cli.solver.balance import most_cleared
from pyramide_cli.solver.bits import DRAWN, DRAWN_AT, SHAPE, SHAPE_AT, STOCK
from pyramide_cli.solver.layout import CLEARED, MICROSOFT, PAR, RANK, REMOVED, WIN
from pyramide_cli.solver.macros import MOST_FOUND, new_chains
from pyramide_cli.solver.memory import (
    BEST,
    BEST_VALUE,
    EXHAUSTED,
    FOUND,
    LIMIT,
    LOWEST,
    RECORDS,
    Memory,
    clear,
    larger,
    moves_of,
    new_memory,
    parent_of,
    position_of,
)
from pyramide_cli.solver.memory import FULL as MEMORY_FULL
from pyramide_cli.solver.moves import MOST_MOVES
from pyramide_cli.solver.notice import announce
from pyramide_cli.solver.passes import ROOM
from pyramide_cli.solver.problem import Problem, make_problem, start_state
from pyramide_cli.solver.search import begin, search, spell_out
from pyramide_cli.solver.solution import UNDECIDED, UNWINNABLE, WINNABLE, Solution
from pyramide_cli.solver.values import ROW_POINTS, WIN_SCORE, most

MAX_STATES = 50_000_000
"""How many positions a search stores at most, if nothing else is said."""


LONGEST = 256
"""More moves than the search bundles."""


class FindError(PyramideError):
    """The question is not one that the solver knows, or has no answer under these rules."""


def solve(
    target: Deal | Game, rules: Rules | None = None, *, find: str = "shortest", max_states: int = MAX_STATES
) -> Solution:
    """Answer a question about a deal, or about a game from its present position on.

    find: `any` (is there a win, and one line), `shortest` (fewest moves), `most` (most pyramid cards cleared, or most
    cards removed under the goal `all`, then fewest moves), `score` (highest score, then fewest moves), or `rank=R`
    (as many cards of that rank removed as can be, then fewest moves).
    max_states: how many positions may be stored before the search gives up as undecided.
    A game brings its own rules. Raises `FindError` for a question that does not exist, and for `score` under rules
    without a scoring.
    """
    if isinstance(target, Game):
        deal, rules, position = target.deal, target.rules, target.position
    else:
        deal, rules = target, rules or DEFAULT_RULES
        position = Position(FULL, (1 << STOCK_SIZE) - 1, int(rules.deal_waste), False, 1, 0)
    started = time.perf_counter()
    objective, rank = objective_of(find, rules)
    announce(search)
    searcher = _Searcher(deal, rules, position, max_states)
    if objective == WIN:
        found = searcher.reach(WIN, 0, 1, shortest=find == "shortest")
        verdict = {FOUND: WINNABLE, EXHAUSTED: UNWINNABLE, LIMIT: UNDECIDED}[found.status]
        optimal = find == "shortest" and found.status != LIMIT
        bounds: tuple[int | None, int | None] = (None, None)
        if find == "shortest" and verdict == WINNABLE:
            bounds = (len(found.states) - 1, len(found.states) - 1)
        elif find == "shortest" and verdict == UNDECIDED:
            bounds = (found.lower, None)
        states = found.states
    else:
        best = searcher.best_win(objective) or searcher.largest(objective, rank)
        states, optimal = best.states, False
        if best.status == EXHAUSTED:
            shortest = best if best.shortest else searcher.reach(objective, rank, best.lower, shortest=True)
            if best.shortest or shortest.status == FOUND:
                states, optimal = shortest.states, True
        verdict = searcher.verdict(objective, best)
        shift = 52 if objective == PAR else 0
        scale = 10 if find == "score" and objective == CLEARED else 1
        bounds = ((best.lower - shift) * scale, (best.upper - shift) * scale)
    line = searcher.line(states) if states else None
    end = states[-1] if states else None
    return Solution(
        deal,
        rules,
        find,
        verdict,
        None if line is None else len(line),
        optimal,
        None if line is None else searcher.score(states, line),
        None if end is None else PLACES - _mask(end).bit_count(),
        None if end is None else PLACES + STOCK_SIZE - _mask(end).bit_count() - (end & STOCK).bit_count(),
        bounds[0],
        bounds[1],
        line,
        searcher.stored,
        time.perf_counter() - started,
    )


def is_winnable(game: Game, *, max_states: int = MAX_STATES) -> bool | None:
    """Return whether a win is left in a game, by proof; None when the search gave up."""
    verdict = solve(game, find="any", max_states=max_states).verdict
    return None if verdict == UNDECIDED else verdict == WINNABLE


def rate_moves(game: Game, *, max_states: int = MAX_STATES) -> list[tuple[Move, str, int | None]]:
    """Return every legal move with the verdict after it and the fewest moves left then, None where there is no win."""
    ratings = []
    for move in game.legal_moves():
        after = game.copy()
        after.push(move)
        answer = solve(after, find="shortest", max_states=max_states)
        ratings.append((move, answer.verdict, answer.length))
    return ratings


def objective_of(find: str, rules: Rules) -> tuple[int, int]:
    """Return what a search has to make large for a question, and the rank that it is about (else 0)."""
    if find in ("any", "shortest"):
        return WIN, 0
    if find == "most":
        return REMOVED if rules.goal == "all" else CLEARED, 0
    if find == "score":
        if rules.scoring == "none":
            raise FindError("these rules have no score: choose --scoring, or another --find")
        return {"pyramide": CLEARED, "microsoft": MICROSOFT, "par": PAR}[rules.scoring], 0
    name, _, letter = find.partition("=")
    letter = "T" if letter == "10" else letter.upper()
    if name == "rank" and len(letter) == 1 and letter in RANKS:
        return RANK, RANKS.index(letter) + 1
    raise FindError(f"find is any, shortest, most, score or rank=R with a rank of {RANKS}, not {find!r}")


@dataclass(frozen=True, slots=True)
class _Found:
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
        self.times = np.zeros(ROOM, np.int64)
        self.found = np.zeros((MOST_FOUND, 2), np.int64)
        self.lines = np.zeros((LONGEST, MOST_MOVES + 1, 2), np.int64)
        self.line = np.zeros(LONGEST, np.int64)


_workplace = _Workplace()


class _Searcher:
    """The searches that answer one question; it counts the positions that they store together."""

    def __init__(self, deal: Deal, rules: Rules, position: Position, max_states: int) -> None:
        self.deal = deal
        self.rules = rules
        self.position = position
        self.left = max_states
        self.stored = 0

    def reach(self, objective: int, rank: int, target: int, *, shortest: bool) -> _Found:
        """Look for a position whose value is at least the target."""
        problem = make_problem(self.deal, self.rules, self.position, objective, rank, shortest=shortest)
        status, memory = self._run(problem, target, int(shortest))
        lower = int(memory.queue[LOWEST])
        states = self._path(problem, memory) if status == FOUND else []
        return _Found(status, states, lower, -1)

    def best_win(self, objective: int) -> _Found | None:
        """Look for the win with the highest score under `microsoft`, from the highest thinkable on; None if none."""
        if objective != MICROSOFT or self.rules.goal == "all":
            return None
        win = self.reach(WIN, 0, 1, shortest=False)
        if win.status != FOUND:
            return None
        for target in range(ROW_POINTS + 5 * 28, WIN_SCORE - 1, -5):
            best = self.reach(MICROSOFT, 0, target, shortest=True)
            if best.status == FOUND:
                return _Found(EXHAUSTED, best.states, target, target, shortest=True)
            if best.status == LIMIT:
                return _Found(LIMIT, win.states, WIN_SCORE, target)
        raise AssertionError("a win has a score")

    def largest(self, objective: int, rank: int) -> _Found:
        """Look for the largest value that can be reached."""
        problem = make_problem(self.deal, self.rules, self.position, objective, rank)
        upper = int(most(problem.numbers, start_state(problem, self.position)))
        if objective == CLEARED and self.rules.goal == "pyramid":
            upper = most_cleared(self.deal, self.rules, self.position)
        status, memory = self._run(problem, -1, 0, upper)
        lower = int(memory.queue[BEST_VALUE])
        return _Found(status, self._path(problem, memory), lower, upper if status == LIMIT else lower)

    def verdict(self, objective: int, best: _Found) -> str:
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

    def line(self, states: list[int]) -> tuple[Move, ...]:
        """Return the moves from each position to the next."""
        return tuple(self._move(before, after) for before, after in pairwise(states))

    def score(self, states: list[int], line: tuple[Move, ...]) -> int | None:
        """Return the points at the end of a line under the rules' scoring, counted for the whole deal."""
        mask, stock = _mask(states[-1]), states[-1] & STOCK
        left = [self.deal.cards[place] for place in places(mask | stock << PLACES)]
        kings = sum(card >= 48 for card in left)
        cleared_pass = self.position.cleared_pass
        if mask == 0 and cleared_pass == 0:
            before_clear = next(at for at, state in enumerate(states) if _mask(state) == 0)
            cleared_pass = self.position.pass_number + line[:before_clear].count(RECYCLE)
        return score(self.rules.scoring, mask, stock, 28 - kings - (len(left) - kings) // 2, cleared_pass)

    def _run(self, problem: Problem, target: int, weight: int, ceiling: int = 0) -> tuple[int, Memory]:
        memory, work = _workplace.memory, _workplace
        clear(memory.slots, memory.queue)
        start = start_state(problem, self.position)
        begin(problem.numbers, problem.balance, *memory, work.chains, work.times, start, target)
        while True:
            arrays = (*problem, *memory, work.chains, work.found, work.times)
            status = int(search(*arrays, target, weight, self.left, ceiling))
            if status != MEMORY_FULL:
                break
            memory = _workplace.memory = larger(memory)
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
        work = _workplace
        for one, other in pairwise(records):
            before, after = position_of(memory.records, one), position_of(memory.records, other)
            moves = moves_of(memory.records, other) - moves_of(memory.records, one)
            if not spell_out(problem.numbers, problem.without, before, after, moves, work.line, work.lines):
                raise AssertionError("the solver cannot spell out its own line")
            states += [int(state) for state in work.line[:moves]]
        return states

    def _move(self, before: int, after: int) -> Move:
        gone = (_mask(before) & ~_mask(after)) | (before & ~after & STOCK) << PLACES
        cards = [self.deal.cards[place] for place in places(gone)]
        if cards:
            return king(cards[0]) if len(cards) == 1 else pair(cards[0], cards[1])
        return DRAW if (before & STOCK) >> (before >> DRAWN_AT & DRAWN) else RECYCLE


def _mask(state: int) -> int:
    return shapes()[state >> SHAPE_AT & SHAPE]


def _is_won(rules: Rules, state: int) -> bool:
    return _mask(state) == 0 and (rules.goal == "pyramid" or state & STOCK == 0)
