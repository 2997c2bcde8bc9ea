"""Making the arrays of a question (layout.py, tables.py) from a deal, rules and a position of the engine."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.cards import KING
from pyramide_cli.cards import rank as rank_of
from pyramide_cli.deals import Deal
from pyramide_cli.game import Position
from pyramide_cli.pyramid import PLACES, places
from pyramide_cli.rules import Rules
from pyramide_cli.solver.bits import BONUS_AT, FRESH, pack
from pyramide_cli.solver.layout import (
    BURIED,
    FIELDS,
    GOAL_ALL,
    LATE_KINGS,
    PAR,
    RANK,
    SHAPE_NUMBER,
    SHAPES,
    STOCK_RANK,
    WIN,
    Numbers,
)
from pyramide_cli.solver.shapes import shape_number, shape_tables
from pyramide_cli.solver.tables import CLASSES, fill_beside, fill_cards, fill_shapes

MOST_RECYCLES = 60
"""More recycles are never of use: a pass without a removal changes nothing, and there are 52 cards."""


class Problem(NamedTuple):
    """The arrays that say what is asked."""

    numbers: Numbers
    """The array of layout.py: what kernels call `problem`."""
    without: NDArray[np.int16]
    """[shape, place]: the shape once that free card is gone; nothing where it is not free."""
    balance: NDArray[np.int8]
    """[shape, needs]: the most pairs inside the pyramid (tables.py)."""
    common: NDArray[np.int64]
    """[shape]: its number among all shapes (shapes.py)."""


def make_problem(
    deal: Deal,
    rules: Rules,
    position: Position,
    objective: int,
    rank: int = 0,
    *,
    shortest: bool = True,
    stays: int = 0,
) -> Problem:
    """Return the tables of a deal, and what the objective makes large from a position on.

    stays: a shape, as a mask, whose cards stay in the pyramid and take part in nothing. A win is then that all others
    are gone, whatever the goal; for points play goes on. Nothing is lost by that where just these cards are left in the
    end: they never lie over one that goes.
    """
    shapes = shape_tables()
    masks, free, without, common = shapes.masks, shapes.free, shapes.without, _all_numbers()
    if stays:
        room = np.empty((3, SHAPE_NUMBER), np.int64)
        number, without = np.empty(SHAPE_NUMBER, np.int16), np.empty((SHAPE_NUMBER, PLACES), np.int16)
        size = fill_beside(masks, free, shapes.without, stays, number, room[0], room[1], without, room[2])
        masks, free, without, common = room[0, :size], room[1, :size], without[:size], room[2, :size]
    recycles = -1 if rules.passes is None else rules.passes - position.pass_number
    numbers = np.zeros(SHAPES + FIELDS * len(common), np.int64)
    numbers[:10] = (
        rules.goal == "all" if stays == 0 else objective != WIN,
        recycles if recycles <= MOST_RECYCLES else -1,
        min(position.pass_number, 4),
        rules.stock_open,
        rules.drawn_pair,
        rules.cover_pair,
        objective,
        rank,
        shortest,
        stays,
    )
    # Where kings go at once, or are removed from the open stock, no later draw can stand for that.
    late_kings = (objective == RANK and rank != KING) or (objective == WIN and not numbers[GOAL_ALL])
    numbers[LATE_KINGS] = late_kings and not rules.stock_open
    numbers[BURIED] = _buried_kings(deal, position, bool(numbers[LATE_KINGS]))
    width = fill_cards(numbers, np.array(deal.cards, np.int64), shapes.over, stays)
    balance = np.empty((len(common), width), np.int8)
    lower = np.empty((CLASSES, width), np.int16)
    fill_shapes(numbers, masks, free, without, balance, lower)
    return Problem(numbers, without, balance, common)


@cache
def _all_numbers() -> NDArray[np.int64]:
    return np.arange(SHAPE_NUMBER)


def _buried_kings(deal: Deal, position: Position, but_top: bool) -> int:
    """Return the kings that lie in the waste, as a mask of stock cards; without its top, where that is asked for."""
    waste = position.stock & ((1 << position.drawn) - 1)
    if but_top:
        waste &= ~(1 << waste.bit_length() >> 1)
    return sum(1 << at for at in places(waste) if rank_of(deal.cards[PLACES + at]) == KING)


def start_state(problem: Problem, position: Position) -> int:
    """Return the packed form of a position of the engine."""
    shape = int(np.searchsorted(problem.common, shape_number()[position.pyramid]))
    state = pack(position.stock, position.drawn, shape, 0)
    if position.fresh:
        waste = position.stock & ((1 << position.drawn) - 1)
        top = waste.bit_length() - 1
        below = (waste & ~(1 << top)).bit_length() - 1
        ranks = problem.numbers[STOCK_RANK : STOCK_RANK + 24]
        if below >= 0 and ranks[top] + ranks[below] == 13:
            state |= FRESH
    if problem.numbers[6] == PAR and position.cleared_pass < 4:
        state |= position.cleared_pass << BONUS_AT
    return state
