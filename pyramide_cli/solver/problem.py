"""One question about one deal under one ruleset, as integers and arrays for the kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.deals import STOCK_SIZE, Deal
from pyramide_cli.game import Position
from pyramide_cli.pyramid import PLACES
from pyramide_cli.rules import Rules
from pyramide_cli.solver.bits import BONUS_AT, FRESH, pack
from pyramide_cli.solver.shapes import shape_number, shape_tables

WIN, CLEARED, REMOVED, MICROSOFT, PAR, RANK = range(6)
"""What a search makes large (search.py, `value`)."""

MOST_RECYCLES = 60
"""More recycles are never of use: a pass without a removal changes nothing, and there are 52 cards."""


class Problem(NamedTuple):
    """What the kernels know. Numbers that are flags are 0 or 1."""

    masks: NDArray[np.int64]
    """[shape]: the places still there."""
    free: NDArray[np.int64]
    """[shape]: the places that nothing covers."""
    without: NDArray[np.int16]
    """[shape, place]: the shape once that free card is gone."""
    cover: NDArray[np.int8]
    """[place, 2]: the two places that cover it directly; -1 in row 7."""
    over: NDArray[np.int64]
    """[place]: all the places that lie over it."""
    rank_at: NDArray[np.int64]
    """[place]: the rank of the pyramid card there."""
    stock_rank: NDArray[np.int64]
    """[0...23]: the rank of a stock card, in the order in which they are drawn."""
    places: NDArray[np.int64]
    """[rank 0...14]: the places of the pyramid cards of a rank."""
    stocks: NDArray[np.int64]
    """[rank 0...14]: the stock cards of a rank, as a mask."""
    goal_all: int
    recycles: int
    """How many recycles are left at the start; -1 without limit."""
    first_pass: int
    """The pass that is under way at the start, at most 4."""
    stock_open: int
    drawn_pair: int
    cover_pair: int
    objective: int
    rank: int
    """The rank to remove, for RANK; else 0."""


def make_problem(deal: Deal, rules: Rules, position: Position, objective: int, rank: int = 0) -> Problem:
    """Return the tables of a deal, and what the objective makes large from a position on."""
    tables = shape_tables()
    ranks = [card // 4 + 1 for card in deal.cards]
    pyramid_of, stock_of = [0] * 15, [0] * 15
    for place in range(PLACES):
        pyramid_of[ranks[place]] |= 1 << place
    for at in range(STOCK_SIZE):
        stock_of[ranks[PLACES + at]] |= 1 << at
    recycles = -1 if rules.passes is None else rules.passes - position.pass_number
    return Problem(
        *tables,
        np.array(ranks[:PLACES], np.int64),
        np.array(ranks[PLACES:], np.int64),
        np.array(pyramid_of, np.int64),
        np.array(stock_of, np.int64),
        int(rules.goal == "all"),
        recycles if recycles <= MOST_RECYCLES else -1,
        min(position.pass_number, 4),
        int(rules.stock_open),
        int(rules.drawn_pair),
        int(rules.cover_pair),
        objective,
        rank,
    )


def start_state(problem: Problem, position: Position) -> int:
    """Return the packed form of a position of the engine."""
    state = pack(position.stock, position.drawn, shape_number()[position.pyramid], 0)
    if position.fresh:
        waste = position.stock & ((1 << position.drawn) - 1)
        top = waste.bit_length() - 1
        below = (waste & ~(1 << top)).bit_length() - 1
        if below >= 0 and problem.stock_rank[top] + problem.stock_rank[below] == 13:
            state |= FRESH
    if problem.objective == PAR and position.cleared_pass < 4:
        state |= position.cleared_pass << BONUS_AT
    return state
