"""What a position is worth, and what it can still come to be worth, for every question."""

from __future__ import annotations

from pyramide_cli.pyramid import ROW_MASKS
from pyramide_cli.scoring import MICROSOFT_REMOVAL, MICROSOFT_ROW_BONUS, PAR_BONUS
from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import BONUS, BONUS_AT, SHAPE, SHAPE_AT, STOCK, TURNED, TURNED_AT, count
from pyramide_cli.solver.layout import (
    CLEARED,
    FIRST_PASS,
    GOAL_ALL,
    KINGS_STAY,
    MICROSOFT,
    OBJECTIVE,
    PAR,
    RANK,
    RANK_ASKED,
    RANK_STAYS,
    REMOVED,
    STAYS,
    WIN,
    Numbers,
    finish_of,
    mask_of,
    places_of,
    stock_of,
)

ROW_POINTS = sum(MICROSOFT_ROW_BONUS)
"""What `microsoft` gives for all seven rows."""
WIN_SCORE = ROW_POINTS + MICROSOFT_REMOVAL * 14
"""No win has less under `microsoft`, and no game without a win as much."""
PAR_BONUSES = tuple(PAR_BONUS.get(number, 0) for number in range(4))
"""What `par` gives for clearing the pyramid in pass 1, 2, 3; index 0 for later or not at all."""


@bare
def is_won(problem: Numbers, state: int) -> bool:
    """Return whether the ruleset's goal is reached."""
    return (state >> SHAPE_AT) & SHAPE == 0 and (problem[GOAL_ALL] == 0 or state & STOCK == 0)


@bare
def value(problem: Numbers, state: int) -> int:
    """Return what the objective counts at a position (for PAR + 52, so that it is not negative)."""
    mask = mask_of(problem, (state >> SHAPE_AT) & SHAPE) | int(problem[STAYS])
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
        left = count(mask & places_of(problem, rank)) + count(stock & stock_of(problem, rank))
        return int(4 - problem[RANK_STAYS] - left)
    if problem[OBJECTIVE] == PAR:
        return 52 - left + pass_bonus((state >> BONUS_AT) & BONUS)
    return MICROSOFT_REMOVAL * removals(problem, mask, stock) + row_bonus(mask)


@bare
def removals(problem: Numbers, mask: int, stock: int) -> int:
    """Return how many removals lead to a position of the whole deal; the mask holds the cards that stay as well."""
    kings = problem[KINGS_STAY] + count(mask & places_of(problem, 13)) + count(stock & stock_of(problem, 13))
    return int(28 - kings - ((count(mask) + count(stock) - kings) >> 1))


@bare
def ends_with(problem: Numbers, state: int) -> int:
    """Return the value once kings and pairs inside have cleared the pyramid; -1 where they cannot."""
    shape = (state >> SHAPE_AT) & SHAPE
    finish = finish_of(problem, shape)
    if finish < 0:
        return -1
    if problem[OBJECTIVE] != MICROSOFT:
        return value(problem, state & ~(SHAPE << SHAPE_AT))
    stays = int(problem[STAYS])
    gone = removals(problem, mask_of(problem, shape) | stays, state & STOCK)
    return MICROSOFT_REMOVAL * (gone + finish) + row_bonus(stays)


@bare
def pass_bonus(cleared_pass: int) -> int:
    """Return what `par` gives for clearing the pyramid in pass 1, 2, 3; 0 for later or not at all."""
    return PAR_BONUSES[cleared_pass] if cleared_pass < 4 else 0


@bare
def row_bonus(mask: int) -> int:
    """Return what `microsoft` has given for the rows that a shape has lost (rows 7 to 1: 25 to 500)."""
    bonus = 0
    for row in range(1, 8):
        if mask & ROW_MASKS[row] == 0:
            bonus += MICROSOFT_ROW_BONUS[row]
    return bonus


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
    more = MICROSOFT_REMOVAL * ((count(mask) + count(stock)) // 2 + 4) + ROW_POINTS - row_bonus(mask)
    return value(problem, state) + more
