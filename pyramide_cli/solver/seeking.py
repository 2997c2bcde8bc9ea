"""The search for a value: most cards, points, cards of a rank. The arrays are those of search.py.

With a target in the `problem` it moves in bundles and looks for the end with a clear pyramid (of a game without the
cards that stay); else it moves one move at a time, for any position. It stands beside the search for a
win, whose loop is the same but smaller, so that asking for a win does not compile all of this.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import SHAPE, SHAPE_AT
from pyramide_cli.solver.bounds import NEVER
from pyramide_cli.solver.layout import CLEARED, GOAL_ALL, OBJECTIVE, PAR, RANK, REMOVED, TARGET, Numbers
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
    """Return whether a search moves in bundles (macros.py): with a target for the end with a clear pyramid."""
    return bool(problem[TARGET] > 0)


@bare
def most_value(problem: Numbers, balance: NDArray[np.int8], times: NDArray[np.int64], state: int) -> int:
    """Return an upper bound of the value that can still be reached from a position."""
    if problem[OBJECTIVE] == REMOVED or problem[OBJECTIVE] == PAR:
        return most_left(problem, balance, times, state)
    return most(problem, state)


@bare
def moves_left(problem: Numbers, balance: NDArray[np.int8], times: NDArray[np.int64], state: int, target: int) -> int:
    """Return a lower bound of the moves to a position with at least the target value, NEVER for no such position."""
    if is_bundled(problem):
        if problem[OBJECTIVE] == RANK:
            return moves_to_rank(problem, balance, times, state)
        return moves_to_score(problem, balance, times, state)
    missing = target - value(problem, state)
    if missing <= 0:
        return 0
    if problem[OBJECTIVE] == REMOVED or problem[OBJECTIVE] == PAR:
        return moves_to_count(problem, balance, times, state, target)
    if most(problem, state) < target:
        return NEVER
    return (missing + 1) >> 1 if problem[OBJECTIVE] == CLEARED else 1  # a removal takes two cards at most


@bare
def follow(problem: Numbers, without: NDArray[np.int16], chains: Chains, state: int, found: Found) -> int:
    """Write what can follow a position into `found`; return the number."""
    if is_bundled(problem):
        return decide(problem, without, chains, state, found)
    return expand(problem, without, state, found)


@bare
def begin_seeking(
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
    bound = moves_left(problem, balance, times, start, target) if start >= 0 else NEVER
    if start == state and bound < NEVER:
        return
    pop(records, queue)
    if start >= 0 and bound < NEVER:
        insert(records, slots, queue, start, 0, moves, moves + bound)


@bare
def seek(
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
            bound = moves_left(problem, balance, times, child, aim)
            if bound < NEVER and (target < 0 or moves + bound < ceiling):
                insert(records, slots, queue, child, record, moves, weight * moves + bound)
