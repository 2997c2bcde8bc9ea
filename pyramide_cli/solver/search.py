"""The search: best first over positions, for every ruleset and every question.

Positions are the packed integers of bits.py, `problem` is the array of layout.py, `without` and `balance` are
those of problem.py, `records`, `slots` and `queue` those of memory.py; the caller makes them larger whenever
a kernel says that they are full. `chains` is that of macros.py, `found` its room for what follows a position.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import SHAPE, SHAPE_AT, STOCK
from pyramide_cli.solver.bounds import NEVER, moves_to_clear, moves_to_remove_all
from pyramide_cli.solver.layout import (
    CLEARED,
    GOAL_ALL,
    OBJECTIVE,
    PAR,
    RANK,
    REMOVED,
    TARGET,
    WIN,
    Numbers,
    mask_of,
)
from pyramide_cli.solver.macros import MOST_FOUND, MUST_TURN, Chains, Found, decide, forget_chains, settle
from pyramide_cli.solver.memory import (
    BEST,
    BEST_VALUE,
    EXHAUSTED,
    FOUND,
    FULL,
    LIMIT,
    RECORDS,
    insert,
    is_known,
    moves_of,
    pop,
    position_of,
)
from pyramide_cli.solver.moves import expand
from pyramide_cli.solver.points import most_left, moves_to_count, moves_to_rank, moves_to_score
from pyramide_cli.solver.values import most, value


@bare
def is_bundled(problem: Numbers) -> bool:
    """Return whether a search moves in bundles (macros.py): for a win, and with a target for a clear pyramid."""
    return bool(problem[OBJECTIVE] == WIN or problem[TARGET] > 0)


@bare
def most_value(problem: Numbers, balance: NDArray[np.int8], times: NDArray[np.int64], state: int) -> int:
    """Return an upper bound of the value that can still be reached from a position."""
    if problem[OBJECTIVE] == REMOVED or problem[OBJECTIVE] == PAR:
        return most_left(problem, balance, times, state)
    return most(problem, state)


@bare
def moves_left(
    problem: Numbers, balance: NDArray[np.int8], times: NDArray[np.int64], state: int, target: int, must_turn: int
) -> int:
    """Return a lower bound of the moves to a position with at least the target value, NEVER for no such position."""
    if problem[OBJECTIVE] != WIN and is_bundled(problem):
        if problem[OBJECTIVE] == RANK:
            return moves_to_rank(problem, balance, times, state)
        return moves_to_score(problem, balance, times, state)
    if problem[OBJECTIVE] != WIN:
        missing = target - value(problem, state)
        if missing <= 0:
            return 0
        if problem[OBJECTIVE] == REMOVED or problem[OBJECTIVE] == PAR:
            return moves_to_count(problem, balance, times, state, target)
        if most(problem, state) < target:
            return NEVER
        return (missing + 1) >> 1 if problem[OBJECTIVE] == CLEARED else 1  # a removal takes two cards at most
    if problem[GOAL_ALL]:
        return moves_to_remove_all(problem, balance, state)
    return 0 if (state >> SHAPE_AT) & SHAPE == 0 else moves_to_clear(problem, balance, times, state, must_turn)


@bare
def follow(problem: Numbers, without: NDArray[np.int16], chains: Chains, state: int, found: Found) -> int:
    """Write what can follow a position into `found`; return the number."""
    if is_bundled(problem):
        return decide(problem, without, chains, state, found)
    return expand(problem, without, state, found)


@bare
def begin(
    problem: Numbers,
    balance: NDArray[np.int8],
    records: NDArray[np.int64],
    slots: NDArray[np.int32],
    queue: NDArray[np.int64],
    chains: Chains,
    times: NDArray[np.int64],
    state: int,
    target: int,
) -> None:
    """Put the start into an empty memory; where nothing can come of it the queue stays empty."""
    forget_chains(chains)
    queue[BEST_VALUE] = value(problem, state)
    queue[BEST] = insert(records, slots, queue, state, -1, 0, 0)
    if target < 0:
        return
    start, moves = state, 0
    over = state >> SHAPE_AT & SHAPE == 0 and problem[GOAL_ALL] == 0
    if is_bundled(problem) and value(problem, state) < target and not over:
        start, moves, _ = settle(problem, state)
    bound = moves_left(problem, balance, times, start, target, 0) if start >= 0 else NEVER
    if start == state and bound < NEVER:
        return
    pop(records, queue)
    if start >= 0 and bound < NEVER:
        insert(records, slots, queue, start, 0, moves, moves + bound)


@bare
def search(
    problem: Numbers,
    without: NDArray[np.int16],
    balance: NDArray[np.int8],
    records: NDArray[np.int64],
    slots: NDArray[np.int32],
    queue: NDArray[np.int64],
    chains: Chains,
    found: Found,
    times: NDArray[np.int64],
    target: int,
    weight: int,
    limit: int,
    ceiling: int,
) -> int:
    """Go on with a search that was begun; return FOUND, EXHAUSTED, LIMIT, or FULL for more memory.

    With a target it looks for a position of at least that value; weight 1 proves it to be fewest moves
    away (A*), weight 0 takes the first; ways of `ceiling` moves or more are of no use. With target -1 it
    looks through everything that can be worth more than the best so far, unless that is as much as `ceiling`.
    The best record is queue[BEST] with queue[BEST_VALUE].
    """
    while True:
        if queue[RECORDS] + MOST_FOUND > records.shape[0]:
            return FULL
        if queue[RECORDS] >= limit:
            return LIMIT
        record = pop(records, queue)
        if record < 0:
            return EXHAUSTED
        state = position_of(records, record)
        so_far = moves_of(records, record)
        if target >= 0 and value(problem, state) >= target:
            queue[BEST] = record
            return FOUND
        if target < 0 and queue[BEST_VALUE] >= ceiling:
            return EXHAUSTED
        if target < 0 and most_value(problem, balance, times, state) <= queue[BEST_VALUE]:
            continue
        for at in range(follow(problem, without, chains, state, found)):
            child = int(found[at, 0])
            moves = so_far + (int(found[at, 1]) & (MUST_TURN - 1))
            if is_known(records, slots, child, moves):
                continue
            aim = target
            if target < 0:
                gain = value(problem, child)
                aim = int(queue[BEST_VALUE]) + 1
                if gain >= aim:
                    added = insert(records, slots, queue, child, record, moves, 0)
                    if added >= 0:
                        queue[BEST] = added
                        queue[BEST_VALUE] = gain
                    continue
            bound = moves_left(problem, balance, times, child, aim, int(found[at, 1]) & MUST_TURN)
            if bound < NEVER and (target < 0 or moves + bound < ceiling):
                insert(records, slots, queue, child, record, moves, weight * moves + bound)


@bare
def spell_out(
    problem: Numbers,
    without: NDArray[np.int16],
    before: int,
    after: int,
    moves: int,
    line: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> bool:
    """Write the positions after `before`, one move each, to `after` into `line`; return whether it could.

    A depth-first walk over the single moves that remove nothing but what is gone in the end.
    lines: [depth, ..., 0...1] room for what follows the positions of the line; lines[depth, -1, 0] is how many
    of them are left to try.
    """
    mask = mask_of(problem, (after >> SHAPE_AT) & SHAPE)
    depth, here = 0, before
    entered = True
    while depth >= 0:
        if entered:
            if depth == moves:
                if here == after:
                    return True
                lines[depth, -1, 0] = 0
            else:
                lines[depth, -1, 0] = expand(problem, without, here, lines[depth])
        entered = False
        lines[depth, -1, 0] -= 1
        if lines[depth, -1, 0] < 0:
            depth -= 1
            continue
        here = int(lines[depth, lines[depth, -1, 0], 0])
        line[depth] = here
        gone = mask & ~mask_of(problem, (here >> SHAPE_AT) & SHAPE) | after & ~here & STOCK
        if gone == 0:
            depth += 1
            entered = True
    return False
