"""The search for a win: best first over positions, for every ruleset; and the single moves of a line.

Positions are the packed integers of bits.py, `problem` is the array of layout.py, `without` and `balance` are
those of problem.py, `records`, `slots` and `queue` those of memory.py; the caller makes them larger whenever
a kernel says that they are full. `chains` is that of macros.py, `found` its room for what follows a position.
seeking.py has the search for everything but a win: apart from this one because compiling both takes long.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import SHAPE, SHAPE_AT, STOCK
from pyramide_cli.solver.bounds import NEVER, moves_to_clear, moves_to_remove_all
from pyramide_cli.solver.layout import GOAL_ALL, Numbers, mask_of
from pyramide_cli.solver.macros import MOST_FOUND, MUST_TURN, Chains, Found, decide, forget_chains, settle
from pyramide_cli.solver.memory import (
    BEST,
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
from pyramide_cli.solver.values import is_won


@bare
def moves_to_win(
    problem: Numbers, balance: NDArray[np.int8], times: NDArray[np.int64], state: int, must_turn: int
) -> int:
    """Return a lower bound of the moves to a win, NEVER where there is none."""
    if problem[GOAL_ALL]:
        return moves_to_remove_all(problem, balance, state)
    return 0 if (state >> SHAPE_AT) & SHAPE == 0 else moves_to_clear(problem, balance, times, state, must_turn)


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
) -> None:
    """Put the start into an empty memory; where nothing can come of it the queue stays empty."""
    forget_chains(chains)
    queue[BEST] = insert(records, slots, queue, state, -1, 0, 0)
    start, moves = state, 0
    if not is_won(problem, state):
        start, moves, _ = settle(problem, state)
    bound = moves_to_win(problem, balance, times, start, 0) if start >= 0 else NEVER
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
    weight: int,
    limit: int,
    ceiling: int,
) -> int:
    """Go on with a search that was begun; return FOUND, EXHAUSTED, LIMIT, or FULL for more memory.

    Weight 1 proves a win to be fewest moves away (A*), weight 0 takes the first; ways of `ceiling` moves or more are
    of no use. The record of the win is queue[BEST].
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
        if is_won(problem, state):
            queue[BEST] = record
            return FOUND
        for at in range(decide(problem, without, chains, state, found)):
            child = int(found[at, 0])
            moves = so_far + (int(found[at, 1]) & (MUST_TURN - 1))
            if is_known(records, slots, child, moves):
                continue
            bound = moves_to_win(problem, balance, times, child, int(found[at, 1]) & MUST_TURN)
            if bound < NEVER and moves + bound < ceiling:
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
