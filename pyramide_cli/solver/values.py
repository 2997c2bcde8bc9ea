"""What a position is worth, and what it can still come to be worth, for every question."""

from __future__ import annotations

from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import BONUS, BONUS_AT, SHAPE, SHAPE_AT, STOCK, TURNED, TURNED_AT, count
from pyramide_cli.solver.layout import (
    CLEARED,
    FIRST_PASS,
    GOAL_ALL,
    OBJECTIVE,
    PAR,
    RANK,
    RANK_ASKED,
    REMOVED,
    WIN,
    Numbers,
    mask_of,
    places_of,
    stock_of,
)

ROW_POINTS = 1150
"""What `microsoft` gives for all seven rows."""
WIN_SCORE = ROW_POINTS + 5 * 14
"""No win has less under `microsoft`, and no game without a win as much."""


@bare
def is_won(problem: Numbers, state: int) -> bool:
    """Return whether the ruleset's goal is reached."""
    return (state >> SHAPE_AT) & SHAPE == 0 and (problem[GOAL_ALL] == 0 or state & STOCK == 0)


@bare
def value(problem: Numbers, state: int) -> int:
    """Return what the objective counts at a position (for PAR + 52, so that it is not negative)."""
    mask = mask_of(problem, (state >> SHAPE_AT) & SHAPE)
    stock = state & STOCK
    pyramid_left = count(mask)
    left = pyramid_left + count(stock)
    if problem[OBJECTIVE] == WIN:
        return 1 if is_won(problem, state) else 0
    if problem[OBJECTIVE] == CLEARED:
        return 28 - pyramid_left
    if problem[OBJECTIVE] == REMOVED:
        return 52 - left
    if problem[OBJECTIVE] == RANK:
        rank = problem[RANK_ASKED]
        return 4 - count(mask & places_of(problem, rank)) - count(stock & stock_of(problem, rank))
    if problem[OBJECTIVE] == PAR:
        return 52 - left + pass_bonus((state >> BONUS_AT) & BONUS)
    kings = count(mask & places_of(problem, 13)) + count(stock & stock_of(problem, 13))
    return 5 * (28 - kings - (left - kings) // 2) + row_bonus(mask)


@bare
def pass_bonus(cleared_pass: int) -> int:
    """Return what `par` gives for clearing the pyramid in pass 1, 2, 3; 0 for later or not at all."""
    if cleared_pass == 1:
        return 50
    if cleared_pass == 2:
        return 35
    return 20 if cleared_pass == 3 else 0


@bare
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


@bare
def most(problem: Numbers, state: int) -> int:
    """Return an upper bound of the value that can still be reached from a position."""
    mask = mask_of(problem, (state >> SHAPE_AT) & SHAPE)
    stock = state & STOCK
    if problem[OBJECTIVE] == WIN:
        return 1
    if problem[OBJECTIVE] == CLEARED:
        return 28
    if problem[OBJECTIVE] == REMOVED:
        return 52
    if problem[OBJECTIVE] == RANK:
        return 4
    if problem[OBJECTIVE] == PAR:
        if mask == 0:
            return 52 + pass_bonus((state >> BONUS_AT) & BONUS)
        return 52 + pass_bonus(problem[FIRST_PASS] + ((state >> TURNED_AT) & TURNED))
    return value(problem, state) + 5 * (count(mask | stock << 28) // 2 + 4) + 1150 - row_bonus(mask)
