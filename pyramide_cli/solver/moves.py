"""Single moves on packed positions, for every ruleset."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import (
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
    length,
    lowest,
    pack,
)
from pyramide_cli.solver.layout import (
    BURIED,
    CLEARED,
    COVER_PAIR,
    DRAWN_PAIR,
    FIRST_PASS,
    GOAL_ALL,
    LATE_KINGS,
    MICROSOFT,
    OBJECTIVE,
    PAR,
    RANK,
    RECYCLES,
    STOCK_OPEN,
    Numbers,
    free_of,
    mask_of,
    places_of,
    rank_at,
    stock_rank,
)

MOST_MOVES = 128
"""No position has as many successors."""


@bare
def drop_pyramid(problem: Numbers, without: NDArray[np.int16], state: int, place: int) -> int:
    """Return the position without the free pyramid card of a place."""
    shape = int(without[(state >> SHAPE_AT) & SHAPE, place])
    state = state & ~(SHAPE << SHAPE_AT) | shape << SHAPE_AT
    if shape == 0 and problem[OBJECTIVE] == PAR:
        cleared_pass = problem[FIRST_PASS] + ((state >> TURNED_AT) & TURNED)
        state |= (cleared_pass if cleared_pass < 4 else 0) << BONUS_AT
    return state


@bare
def drop_stock(state: int, cards: int) -> int:
    """Return the position without some cards of stock and waste; the waste top is among them or it stays fresh."""
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    rest = state & ~(STOCK | DRAWN << DRAWN_AT | SHAPE << SHAPE_AT)
    if cards & ((1 << drawn) - 1):
        rest &= ~FRESH
    return pack(stock & ~cards, drawn, (state >> SHAPE_AT) & SHAPE, rest)


@bare
def vanishes(problem: Numbers, turned: int, at: int) -> bool:
    """Return whether a stock card that would be drawn counts as removed in the pass before: a king, in a later pass.

    It was on top of the waste then, and removing it there costs the move that the draw would cost now; so that is
    never worse. The line has to be put right afterwards (paths.py).
    """
    if problem[LATE_KINGS] == 0 or turned == 0 or stock_rank(problem, at) != 13:
        return False
    return bool(turned > 1 or problem[BURIED] >> at & 1 == 0)


@bare
def draw_or_recycle(problem: Numbers, state: int) -> int:
    """Return the position after a draw, or with an empty stock after a recycle; -1 where neither is legal.

    A king that would be drawn may vanish instead.
    """
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    shape = (state >> SHAPE_AT) & SHAPE
    turned = (state >> TURNED_AT) & TURNED
    rest = state & ~(STOCK | DRAWN << DRAWN_AT | SHAPE << SHAPE_AT | FRESH)
    ahead = stock >> drawn << drawn
    if ahead:
        at = lowest(ahead)
        if vanishes(problem, turned, at):
            return drop_stock(state, 1 << at)
        if problem[DRAWN_PAIR] and drawn:
            ranks = stock_rank(problem, at) + stock_rank(problem, drawn - 1)
            rest |= (1 if ranks == 13 else 0) << FRESH_AT
        return pack(stock, at + 1, shape, rest)
    if stock == 0:
        return -1
    if problem[RECYCLES] >= 0:
        if turned >= problem[RECYCLES]:
            return -1
        turned += 1
    elif problem[OBJECTIVE] == PAR:
        turned = min(turned + 1, 3)
    elif problem[LATE_KINGS]:
        turned = min(turned + 1, 2 if problem[BURIED] else 1)
    return pack(stock, 0, shape, rest & ~(TURNED << TURNED_AT) | turned << TURNED_AT)


@bare
def king_at_once(problem: Numbers, without: NDArray[np.int16], state: int) -> int:
    """Return the position without a king that can go now and never gains by waiting; -1 where there is none.

    A free pyramid king: it has to go for a win, and counts in every other question but RANK; but the last card of
    the pyramid may wait where the game ends with it and points can still be had from stock and waste. Under the
    goal `all` a king on the waste or the open stock as well (but where only the pyramid counts): it only
    lies in the way.
    """
    if problem[OBJECTIVE] == RANK:
        return -1
    shape = (state >> SHAPE_AT) & SHAPE
    kings = free_of(problem, shape) & places_of(problem, 13)
    ends = kings == mask_of(problem, shape) and problem[GOAL_ALL] == 0
    if kings and not (ends and problem[OBJECTIVE] in (MICROSOFT, PAR)):
        return drop_pyramid(problem, without, state, lowest(kings))
    if problem[GOAL_ALL] and problem[OBJECTIVE] != CLEARED:
        stock = state & STOCK
        drawn = (state >> DRAWN_AT) & DRAWN
        if drawn and stock_rank(problem, drawn - 1) == 13:
            return drop_stock(state, 1 << (drawn - 1))
        ahead = stock >> drawn << drawn
        if problem[STOCK_OPEN] and ahead and stock_rank(problem, lowest(ahead)) == 13:
            return drop_stock(state, ahead & -ahead)
    return -1


@bare
def expand(problem: Numbers, without: NDArray[np.int16], state: int, found: NDArray[np.int64]) -> int:
    """Write every position one move on into found[..., 0], and 1 into found[..., 1]; return their number."""
    shape = (state >> SHAPE_AT) & SHAPE
    if shape == 0 and problem[GOAL_ALL] == 0:
        return 0
    king = king_at_once(problem, without, state)
    if king >= 0:
        found[0, 0], found[0, 1] = king, 1
        return 1
    size = 0
    following = draw_or_recycle(problem, state)
    if following >= 0:
        found[size, 0] = following
        size += 1
    size = expand_stock(problem, without, state, found, size)
    size = expand_inside(problem, without, state, found, size)
    for at in range(size):
        found[at, 1] = 1
    return size


@bare
def expand_stock(problem: Numbers, without: NDArray[np.int16], state: int, found: NDArray[np.int64], size: int) -> int:
    """Add the positions after each removal of a card from waste or stock; return the new number."""
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    ahead = stock >> drawn << drawn
    free = free_of(problem, (state >> SHAPE_AT) & SHAPE)
    top, following = 1 << drawn >> 1, ahead & -ahead
    top_rank = stock_rank(problem, drawn - 1) if drawn else 0
    following_rank = stock_rank(problem, lowest(ahead)) if problem[STOCK_OPEN] and ahead else 0
    for side in range(2):
        rank = following_rank if side else top_rank
        after = drop_stock(state, following if side else top)
        if rank == 13:
            found[size, 0] = after
            size += 1
        elif rank:
            others = free & places_of(problem, 13 - rank)
            while others:
                found[size, 0] = drop_pyramid(problem, without, after, lowest(others))
                size += 1
                others &= others - 1
    if top_rank and following_rank and top_rank + following_rank == 13:
        found[size, 0] = drop_stock(state, top | following)
        size += 1
    if state & FRESH:
        below = length(stock & (top - 1))
        found[size, 0] = drop_stock(state, top | 1 << below >> 1)
        size += 1
    return size


@bare
def expand_inside(problem: Numbers, without: NDArray[np.int16], state: int, found: NDArray[np.int64], size: int) -> int:
    """Add the positions after each removal that takes cards of the pyramid alone; return the new number."""
    shape = (state >> SHAPE_AT) & SHAPE
    free = free_of(problem, shape)
    left = free
    while left:
        place = lowest(left)
        left &= left - 1
        rank = rank_at(problem, place)
        after = drop_pyramid(problem, without, state, place)
        if rank == 13:
            found[size, 0] = after
            size += 1
            continue
        others = left
        if problem[COVER_PAIR]:
            others |= free_of(problem, int(without[shape, place])) & ~free
        others &= places_of(problem, 13 - rank)
        while others:
            found[size, 0] = drop_pyramid(problem, without, after, lowest(others))
            size += 1
            others &= others - 1
    return size
