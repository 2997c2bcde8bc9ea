"""One question about one deal under one ruleset, as a single array of integers: the `problem` of all kernels.

A kernel gets one array instead of a tuple of thirty because every array that is handed on costs time.
The numbers lie in this order (each name below is the index where its part begins):

- a header of single numbers, flags 0 or 1;
- PLACES_OF[rank 0...14] the places of the pyramid cards of a rank; STOCK_OF the same for the stock cards;
- RANK_AT[place] and STOCK_RANK[0...23] the rank of every card;
- OVER[place] all the places that lie over it, however many rows down; COVERS[place] those that cover it directly;
- OTHERS[place] the pyramid cards of the partner rank that lie neither over nor under it;
- STOCK_OF_NIBBLE[nibble] the stock cards of the rank that a packed count has there (tables.py);
- CAPS[class] and STEPS[class]: how the index `needs` of the balance is made (tables.py);
- STOCK_COUNTS[byte][value] the packed count of the stock cards in one byte of a stock mask;
- PLACE_COUNTS[byte][value] the same for the pyramid cards in one byte of a mask of places;
- SHAPES[shape][field] eight numbers for each of the 1,430 shapes, by the field numbers below.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare

Numbers: TypeAlias = NDArray[np.int64]

GOAL_ALL, RECYCLES, FIRST_PASS, STOCK_OPEN, DRAWN_PAIR, COVER_PAIR, OBJECTIVE, RANK_ASKED, SHORTEST = range(9)
"""The header. GOAL_ALL: whether play goes on when the pyramid is clear; RECYCLES: how many are left at the start, -1
without limit; FIRST_PASS: the pass at the start, at most 4; RANK_ASKED: the rank to remove, for the objective RANK;
SHORTEST: whether the number of moves matters."""
STAYS, KINGS_STAY, RANK_STAYS, TARGET = 9, 10, 11, 12
"""More of the header. STAYS: the places of cards that are no part of the game, but are left in the end (problem.py);
KINGS_STAY, RANK_STAYS: how many of them are kings, or of the rank to remove; TARGET: the value that a search in bundles
looks for (macros.py), 0 for other searches."""
LATE_KINGS, BURIED = 13, 14
"""The end of the header. LATE_KINGS: whether a king drawn in a later pass counts as removed in the pass before
(moves.py); BURIED: the kings, as a mask of stock cards, for which that is not so in the first pass after the start."""
PLACES_OF, STOCK_OF, RANK_AT, STOCK_RANK = 16, 32, 48, 80
OVER, COVERS, OTHERS, CAPS, STEPS, STOCK_OF_NIBBLE = 112, 144, 176, 208, 216, 224
UNDER = 256
STOCK_COUNTS = 288
PLACE_COUNTS = STOCK_COUNTS + 3 * 256
SHAPES = PLACE_COUNTS + 4 * 256
FIELDS = 8
SHAPE_NUMBER = 1430

MASK, FREE_MASK, COUNTS, REACH, INNER, FINISH, KINGLESS = range(7)
"""The fields of a shape: its places; those that nothing covers; the packed count of its cards; the places that
can be made free with kings and pairs inside alone; for each class, alone, the most pairs inside (packed);
the removals that clear it with kings and pairs inside alone, or -1; the shape once the kings that are free,
or get free by that, are gone."""

WIN, CLEARED, REMOVED, MICROSOFT, PAR, RANK = range(6)
"""What a search makes large (values.py)."""


@bare
def mask_of(problem: Numbers, shape: int) -> int:
    """Return the places of a shape."""
    return int(problem[SHAPES + FIELDS * shape + MASK])


@bare
def free_of(problem: Numbers, shape: int) -> int:
    """Return the free places of a shape."""
    return int(problem[SHAPES + FIELDS * shape + FREE_MASK])


@bare
def counts_of(problem: Numbers, shape: int) -> int:
    """Return the packed count of the cards of a shape."""
    return int(problem[SHAPES + FIELDS * shape + COUNTS])


@bare
def reach_of(problem: Numbers, shape: int) -> int:
    """Return the places that kings and pairs inside alone can make free."""
    return int(problem[SHAPES + FIELDS * shape + REACH])


@bare
def inner_of(problem: Numbers, shape: int) -> int:
    """Return the most pairs inside the pyramid for each class alone, packed in six nibbles."""
    return int(problem[SHAPES + FIELDS * shape + INNER])


@bare
def finish_of(problem: Numbers, shape: int) -> int:
    """Return the removals that clear a shape with kings and pairs inside alone; -1 where they cannot."""
    return int(problem[SHAPES + FIELDS * shape + FINISH])


@bare
def kingless_of(problem: Numbers, shape: int) -> int:
    """Return the shape once the kings that are free, or get free by that, are gone."""
    return int(problem[SHAPES + FIELDS * shape + KINGLESS])


@bare
def places_of(problem: Numbers, rank: int) -> int:
    """Return the places of the pyramid cards of a rank (0 to 14)."""
    return int(problem[PLACES_OF + rank])


@bare
def stock_of(problem: Numbers, rank: int) -> int:
    """Return the stock cards of a rank (0 to 14)."""
    return int(problem[STOCK_OF + rank])


@bare
def rank_at(problem: Numbers, place: int) -> int:
    """Return the rank of the pyramid card of a place."""
    return int(problem[RANK_AT + place])


@bare
def stock_rank(problem: Numbers, at: int) -> int:
    """Return the rank of a stock card, 0 to 23 in the order in which they are drawn."""
    return int(problem[STOCK_RANK + at])


@bare
def over_of(problem: Numbers, place: int) -> int:
    """Return all the places that lie over a place."""
    return int(problem[OVER + place])


@bare
def covers_of(problem: Numbers, place: int) -> int:
    """Return the two places that cover a place directly; 0 in row 7."""
    return int(problem[COVERS + place])


@bare
def others_of(problem: Numbers, place: int) -> int:
    """Return the pyramid cards of the partner rank that lie neither over nor under a place."""
    return int(problem[OTHERS + place])


@bare
def stock_of_nibble(problem: Numbers, at: int) -> int:
    """Return the stock cards of the rank that a packed count has at a nibble."""
    return int(problem[STOCK_OF_NIBBLE + at])


@bare
def stock_count(problem: Numbers, stock: int) -> int:
    """Return the packed count of the stock cards in a mask."""
    return int(
        problem[STOCK_COUNTS + (stock & 255)]
        + problem[STOCK_COUNTS + 256 + (stock >> 8 & 255)]
        + problem[STOCK_COUNTS + 512 + (stock >> 16)]
    )


@bare
def place_count(problem: Numbers, places: int) -> int:
    """Return the packed count of the pyramid cards in a mask of places."""
    return int(
        problem[PLACE_COUNTS + (places & 255)]
        + problem[PLACE_COUNTS + 256 + (places >> 8 & 255)]
        + problem[PLACE_COUNTS + 512 + (places >> 16 & 255)]
        + problem[PLACE_COUNTS + 768 + (places >> 24)]
    )
