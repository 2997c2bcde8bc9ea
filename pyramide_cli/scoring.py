"""Points, and how games rank."""

from __future__ import annotations

import math

from pyramide_cli.pyramid import PLACES, ROW_MASKS, ROWS
from pyramide_cli.rules import Scoring

PYRAMIDE_CARD = 10
"""Scoring `pyramide`: the points for each pyramid card."""

WIN_SCORE = PYRAMIDE_CARD * PLACES
"""The score of every win under scoring `pyramide`: 280."""

MICROSOFT_REMOVAL = 5
"""Scoring `microsoft`: the points for each removal."""

MICROSOFT_ROW_BONUS: tuple[int, ...] = (0, 500, 250, 150, 100, 75, 50, 25)
"""Scoring `microsoft`: the points for clearing each row; index 1 (the apex) to 7."""

PAR_BONUS: dict[int, int] = {1: 50, 2: 35, 3: 20}
"""Scoring `par`: the points for a clear pyramid, by the pass in which it got clear; later passes give 0."""


def score(scoring: Scoring, pyramid: int, stock: int, removals: int, cleared_pass: int) -> int | None:
    """Return the points of a position, None under scoring `none`.

    pyramid, stock: the cards still there, as sets of places (28 bits) and of stock cards (24 bits).
    removals: how many removals lead to the position.
    cleared_pass: the pass in which the pyramid got clear, 0 while it is not.
    """
    if scoring == "pyramide":
        return PYRAMIDE_CARD * (PLACES - pyramid.bit_count())
    if scoring == "microsoft":
        cleared_rows = (row for row in range(1, ROWS + 1) if not pyramid & ROW_MASKS[row])
        return MICROSOFT_REMOVAL * removals + sum(MICROSOFT_ROW_BONUS[row] for row in cleared_rows)
    if scoring == "par":
        return PAR_BONUS.get(cleared_pass, 0) - pyramid.bit_count() - stock.bit_count()
    return None


def ranking_key(score: int | None, seconds: float | None, moves: int) -> tuple[float, float, int]:
    """Return the key by which games are ranked, best first: score (high first), then time, then moves (low first).

    seconds: how long the game took; None, not known, ranks after every known time.
    """
    return (-(score or 0), math.inf if seconds is None else seconds, moves)
