"""The search: best first over positions, for every ruleset and every question.

Positions are the packed integers of bits.py. Records of positions, the queue and the hash table are
arrays (memory.py); the caller makes them larger whenever a kernel says that they are full.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import kernel
from pyramide_cli.solver.bits import (
    BONUS,
    BONUS_AT,
    DRAWN,
    DRAWN_AT,
    FRESH,
    FRESH_AT,
    SHAPE,
    SHAPE_AT,
    STOCK,
    TURNED,
    TURNED_AT,
    count,
    length,
    lowest,
    pack,
)
from pyramide_cli.solver.memory import (
    BEST,
    BEST_VALUE,
    EXHAUSTED,
    FOUND,
    FULL,
    LIMIT,
    RECORDS,
    Memory,
    insert,
    pop,
)
from pyramide_cli.solver.problem import CLEARED, MICROSOFT, PAR, RANK, REMOVED, WIN, Problem

MOST_MOVES = 128
"""No position has as many successors."""


@kernel
def is_won(problem: Problem, state: int) -> bool:
    """Return whether the ruleset's goal is reached."""
    return (state >> SHAPE_AT) & SHAPE == 0 and (problem.goal_all == 0 or state & STOCK == 0)


@kernel
def value(problem: Problem, state: int) -> int:
    """Return what the objective counts at a position (for PAR + 52, so that it is not negative)."""
    mask = int(problem.masks[(state >> SHAPE_AT) & SHAPE])
    stock = state & STOCK
    pyramid_left = count(mask)
    left = pyramid_left + count(stock)
    if problem.objective == WIN:
        return 1 if is_won(problem, state) else 0
    if problem.objective == CLEARED:
        return 28 - pyramid_left
    if problem.objective == REMOVED:
        return 52 - left
    if problem.objective == RANK:
        rank = problem.rank
        return 4 - count(mask & int(problem.places[rank])) - count(stock & int(problem.stocks[rank]))
    if problem.objective == PAR:
        return 52 - left + pass_bonus((state >> BONUS_AT) & BONUS)
    kings = count(mask & int(problem.places[13])) + count(stock & int(problem.stocks[13]))
    return 5 * (28 - kings - (left - kings) // 2) + row_bonus(mask)


@kernel
def pass_bonus(cleared_pass: int) -> int:
    """Return what `par` gives for clearing the pyramid in pass 1, 2, 3; 0 for later or not at all."""
    if cleared_pass == 1:
        return 50
    if cleared_pass == 2:
        return 35
    return 20 if cleared_pass == 3 else 0


@kernel
def row_bonus(mask: int) -> int:
    """Return what `microsoft` has given for the rows that a shape has lost (rows 7 to 1: 25 to 500)."""
    bonus = 0
    if mask & 0xFE00000 == 0:
        bonus += 25
    if mask & 0x1F8000 == 0:
        bonus += 50
    if mask & 0x7C00 == 0:
        bonus += 75
    if mask & 0x3C0 == 0:
        bonus += 100
    if mask & 0x38 == 0:
        bonus += 150
    if mask & 0x6 == 0:
        bonus += 250
    return bonus + (500 if mask == 0 else 0)


@kernel
def most(problem: Problem, state: int) -> int:
    """Return an upper bound of the value that can still be reached from a position."""
    mask = int(problem.masks[(state >> SHAPE_AT) & SHAPE])
    stock = state & STOCK
    if problem.objective == WIN:
        return 1
    if problem.objective == CLEARED:
        return 28
    if problem.objective == REMOVED:
        return 52
    if problem.objective == RANK:
        return 4
    if problem.objective == PAR:
        if mask == 0:
            return 52 + pass_bonus((state >> BONUS_AT) & BONUS)
        return 52 + pass_bonus(problem.first_pass + ((state >> TURNED_AT) & TURNED))
    return value(problem, state) + 5 * (count(mask | stock << 28) // 2 + 4) + 1150 - row_bonus(mask)


@kernel
def moves_left(problem: Problem, state: int, target: int) -> int:
    """Return a lower bound of the moves to a position with at least the target value; -1 for "no such position"."""
    if most(problem, state) < target:
        return -1
    mask = int(problem.masks[(state >> SHAPE_AT) & SHAPE])
    stock = state & STOCK
    if problem.objective != WIN:
        return 0 if value(problem, state) >= target else 1
    if problem.goal_all:
        kings = count(mask & int(problem.places[13])) + count(stock & int(problem.stocks[13]))
        return (count(mask) + count(stock) - kings) // 2 + kings
    moves = count(mask & int(problem.places[13]))
    for rank in range(1, 7):
        low, high = int(problem.places[rank]), int(problem.places[13 - rank])
        moves += max(count(mask & low), count(mask & high))
    return moves


@kernel
def drop_pyramid(problem: Problem, state: int, place: int) -> int:
    """Return the position without the free pyramid card of a place."""
    shape = int(problem.without[(state >> SHAPE_AT) & SHAPE, place])
    state = state & ~(SHAPE << SHAPE_AT) | shape << SHAPE_AT
    if shape == 0 and problem.objective == PAR:
        cleared_pass = problem.first_pass + ((state >> TURNED_AT) & TURNED)
        state |= (cleared_pass if cleared_pass < 4 else 0) << BONUS_AT
    return state


@kernel
def drop_stock(state: int, cards: int) -> int:
    """Return the position without some cards of stock and waste; the waste top is among them or it stays fresh."""
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    rest = state & ~(STOCK | DRAWN << DRAWN_AT | SHAPE << SHAPE_AT)
    if cards & ((1 << drawn) - 1):
        rest &= ~FRESH
    return pack(stock & ~cards, drawn, (state >> SHAPE_AT) & SHAPE, rest)


@kernel
def draw_or_recycle(problem: Problem, state: int) -> int:
    """Return the position after a draw, or with an empty stock after a recycle; -1 where neither is legal."""
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    shape = (state >> SHAPE_AT) & SHAPE
    rest = state & ~(STOCK | DRAWN << DRAWN_AT | SHAPE << SHAPE_AT | FRESH)
    ahead = stock >> drawn << drawn
    if ahead:
        at = lowest(ahead)
        if problem.drawn_pair and drawn:
            ranks = int(problem.stock_rank[at]) + int(problem.stock_rank[drawn - 1])
            rest |= (1 if ranks == 13 else 0) << FRESH_AT
        return pack(stock, at + 1, shape, rest)
    if stock == 0:
        return -1
    turned = (state >> TURNED_AT) & TURNED
    if problem.recycles >= 0:
        if turned >= problem.recycles:
            return -1
        turned += 1
    elif problem.objective == PAR:
        turned = min(turned + 1, 3)
    return pack(stock, 0, shape, rest & ~(TURNED << TURNED_AT) | turned << TURNED_AT)


@kernel
def king_at_once(problem: Problem, state: int) -> int:
    """Return the position without a king that can go now and never gains by waiting; -1 where there is none.

    A free pyramid king: it has to go for a win, and counts in every other question but RANK; but the last card of
    the pyramid may wait where the game ends with it and points can still be had from stock and waste. Under the
    goal `all` a king on the waste or the open stock as well (but where only the pyramid counts): it only
    lies in the way.
    """
    if problem.objective == RANK:
        return -1
    shape = (state >> SHAPE_AT) & SHAPE
    kings = int(problem.free[shape]) & int(problem.places[13])
    ends = kings == int(problem.masks[shape]) and not problem.goal_all
    if kings and not (ends and problem.objective in (MICROSOFT, PAR)):
        return drop_pyramid(problem, state, lowest(kings))
    if problem.goal_all and problem.objective != CLEARED:
        stock = state & STOCK
        drawn = (state >> DRAWN_AT) & DRAWN
        if drawn and int(problem.stock_rank[drawn - 1]) == 13:
            return drop_stock(state, 1 << (drawn - 1))
        ahead = stock >> drawn << drawn
        if problem.stock_open and ahead and int(problem.stock_rank[lowest(ahead)]) == 13:
            return drop_stock(state, ahead & -ahead)
    return -1


@kernel
def expand(problem: Problem, state: int, found: NDArray[np.int64]) -> int:
    """Write every position one move on into `found` and return their number."""
    shape = (state >> SHAPE_AT) & SHAPE
    if shape == 0 and problem.goal_all == 0:
        return 0
    king = king_at_once(problem, state)
    if king >= 0:
        found[0] = king
        return 1
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    ahead = stock >> drawn << drawn
    free = int(problem.free[shape])
    mask = int(problem.masks[shape])
    size = 0
    following = draw_or_recycle(problem, state)
    if following >= 0:
        found[size] = following
        size += 1
    waste_rank = int(problem.stock_rank[drawn - 1]) if drawn else 0
    stock_rank = int(problem.stock_rank[lowest(ahead)]) if problem.stock_open and ahead else 0
    for side in range(2):
        rank = stock_rank if side else waste_rank
        card = ahead & -ahead if side else 1 << drawn >> 1
        if rank == 13:
            found[size] = drop_stock(state, card)
            size += 1
        elif rank:
            partners = free & int(problem.places[13 - rank])
            while partners:
                found[size] = drop_pyramid(problem, drop_stock(state, card), lowest(partners))
                size += 1
                partners &= partners - 1
    if waste_rank and waste_rank + stock_rank == 13 and stock_rank:
        found[size] = drop_stock(state, 1 << drawn >> 1 | (ahead & -ahead))
        size += 1
    if state & FRESH:
        below = length(stock & ((1 << drawn >> 1) - 1))
        found[size] = drop_stock(state, 1 << drawn >> 1 | 1 << below >> 1)
        size += 1
    left = free
    while left:
        place = lowest(left)
        left &= left - 1
        rank = int(problem.rank_at[place])
        if rank == 13:
            found[size] = drop_pyramid(problem, state, place)
            size += 1
            continue
        partners = left & int(problem.places[13 - rank])
        while partners:
            found[size] = drop_pyramid(problem, drop_pyramid(problem, state, place), lowest(partners))
            size += 1
            partners &= partners - 1
    if problem.cover_pair:
        covered = mask & ~free
        while covered:
            place = lowest(covered)
            covered &= covered - 1
            covers = mask & (1 << int(problem.cover[place, 0]) | 1 << int(problem.cover[place, 1]))
            partner = lowest(covers)
            if covers == covers & -covers & free and (
                int(problem.rank_at[place]) + int(problem.rank_at[partner]) == 13
            ):
                found[size] = drop_pyramid(problem, drop_pyramid(problem, state, partner), place)
                size += 1
    return size


@kernel
def search(
    problem: Problem,
    memory: Memory,
    found: NDArray[np.int64],
    target: int,
    weight: int,
    limit: int,
) -> int:
    """Go on with a search whose start is in the queue; return FOUND, EXHAUSTED, LIMIT, or FULL for more memory.

    With a target it looks for a position of at least that value; weight 1 proves it to be fewest moves
    away (A*), weight 0 takes the first. With target -1 it looks through everything that
    can be worth more than the best so far. The best record is counts[BEST] with counts[BEST_VALUE].
    `found` is room for MOST_MOVES successors.
    """
    counts = memory.counts
    while True:
        if counts[RECORDS] + MOST_MOVES > memory.states.shape[0]:
            return FULL
        if counts[RECORDS] >= limit:
            return LIMIT
        record = pop(memory)
        if record < 0:
            return EXHAUSTED
        state = int(memory.states[record])
        moves = int(memory.moves[record])
        if target >= 0 and value(problem, state) >= target:
            counts[BEST] = record
            return FOUND
        if target < 0 and most(problem, state) <= counts[BEST_VALUE]:
            continue
        for at in range(expand(problem, state, found)):
            child = int(found[at])
            aim = target
            if target < 0:
                gain = value(problem, child)
                aim = int(counts[BEST_VALUE]) + 1
                if gain >= aim:
                    added = insert(memory, child, record, moves + 1, 0)
                    if added >= 0:
                        counts[BEST] = added
                        counts[BEST_VALUE] = gain
                    continue
            bound = moves_left(problem, child, aim)
            if bound >= 0:
                insert(memory, child, record, moves + 1, weight * (moves + 1) + bound)
