"""The tables of a deal: one sweep over the 1,430 shapes says what pairs inside the pyramid can do.

Ranks that add up to 13 make a class: class k, 0 to 5, has the ranks k + 1 and 12 - k. A packed count holds
a number for each of the 12 ranks in 4 bits: rank r at nibble r - 1 for r to 6, the partner of rank r
24 bits higher; kings are not counted. A count of the classes uses the low six nibbles.

The balance of a shape is the most pairs that can be made inside it while it is cleared, with at least some
needed number in each class, or -1. `needs` is a number in mixed radix: class k counts up to CAPS[k] and is
worth STEPS[k]. With unlimited passes and pairs with the waste only, that decides a deal (balance.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import lowest
from pyramide_cli.solver.layout import (
    CAPS,
    COUNTS,
    COVER_PAIR,
    COVERS,
    FIELDS,
    FINISH,
    FREE_MASK,
    GOAL_ALL,
    INNER,
    KINGLESS,
    KINGS_STAY,
    MASK,
    OBJECTIVE,
    OTHERS,
    OVER,
    PLACE_COUNTS,
    PLACES_OF,
    RANK_ASKED,
    RANK_AT,
    RANK_STAYS,
    REACH,
    SHAPES,
    STEPS,
    STOCK_COUNTS,
    STOCK_OF,
    STOCK_OF_NIBBLE,
    STOCK_RANK,
    UNDER,
    WIN,
    Numbers,
    counts_of,
    finish_of,
    free_of,
    inner_of,
    kingless_of,
    places_of,
    rank_at,
    reach_of,
)

CLASSES = 6
TOPS = 0x888888888888
"""The high bit of every nibble; counts stay below it."""


@bare
def nibble(rank: int) -> int:
    """Return where a packed count holds a rank (1 to 12), as a shift."""
    return 4 * (rank - 1) if rank < 7 else 4 * (12 - rank) + 24


@bare
def at_least(counts: int, needs: int) -> bool:
    """Return whether a packed count is at least another one in every nibble."""
    return ((counts | TOPS) - needs) & TOPS == TOPS


@bare
def larger_each(counts: int, others: int) -> int:
    """Return the larger number of each nibble of two packed counts."""
    first = ((((counts | TOPS) - others) & TOPS) >> 3) * 7
    return counts & first | others & ~first


@bare
def excess(counts: int, others: int) -> int:
    """Return counts minus others in each nibble, but 0 where that is negative."""
    difference = (counts | TOPS) - others
    return difference & (((difference & TOPS) >> 3) * 7)


@bare
def partners(counts: int) -> int:
    """Return a packed count with each rank's number moved to the rank that it pairs with."""
    return counts >> 24 | (counts & 0xFFFFFF) << 24


@bare
def total(counts: int) -> int:
    """Return the sum of a packed count."""
    counts = (counts & 0x0F0F0F0F0F0F) + (counts >> 4 & 0x0F0F0F0F0F0F)
    return counts * 0x010101010101 >> 40 & 0xFF


@bare
def fill_beside(
    masks: NDArray[np.int64],
    free: NDArray[np.int64],
    without: NDArray[np.int16],
    stays: int,
    number: NDArray[np.int16],
    masks_beside: NDArray[np.int64],
    free_beside: NDArray[np.int64],
    without_beside: NDArray[np.int16],
    common: NDArray[np.int64],
) -> int:
    """Fill the tables of the shapes that hold some cards, as if those were not there; return how many there are.

    masks, free, without: the tables of all shapes (shapes.py). stays: those cards, a shape, as a mask. number: [shape]
    room for the new number of each. The others are filled: the three tables, and common: [shape] its number among all.
    """
    size = 0
    for shape in range(masks.shape[0]):
        if masks[shape] & stays != stays:
            continue
        number[shape] = size
        common[size] = shape
        masks_beside[size] = masks[shape] & ~stays
        left = int(free[shape]) & ~stays
        free_beside[size] = left
        while left:
            place = lowest(left)
            left &= left - 1
            without_beside[size, place] = number[without[shape, place]]
        size += 1
    return size


@bare
def fill_counts(problem: Numbers, counts: int, ranks: int, size: int) -> None:
    """Fill the packed counts of the bytes of a mask of cards, whose ranks lie from `ranks` on."""
    for byte in range((size + 7) >> 3):
        for value in range(1, 1 << min(8, size - 8 * byte)):
            rank = int(problem[ranks + 8 * byte + lowest(value)])
            one = 1 << nibble(rank) if rank < 13 else 0
            index = counts + 256 * byte + value
            problem[index] = problem[index - (value & -value)] + one


@bare
def fill_cards(problem: Numbers, cards: NDArray[np.int64], over: NDArray[np.int64], stays: int) -> int:
    """Fill everything that depends on single cards; return the width of the balance.

    cards: the 52 cards of the deal. over: [place] all the places that lie over it. stays: the places of cards that take
    part in nothing, as a mask.
    """
    staying = 0
    for place in range(28):
        rank = (int(cards[place]) >> 2) + 1
        problem[RANK_AT + place] = rank
        if stays >> place & 1:
            staying += 1 << nibble(rank) if rank < 13 else 0
            problem[KINGS_STAY] += 1 if rank == 13 else 0
            problem[RANK_STAYS] += 1 if rank == problem[RANK_ASKED] else 0
            continue
        problem[PLACES_OF + rank] |= 1 << place
        problem[OVER + place] = over[place]
        # The lowest place over a card is its first cover, the next one the second.
        problem[COVERS + place] = 3 << lowest(int(over[place])) if over[place] else 0
        if rank < 13:
            problem[CAPS + min(rank, 13 - rank) - 1] += 1
    for at in range(24):
        rank = (int(cards[28 + at]) >> 2) + 1
        problem[STOCK_RANK + at] = rank
        problem[STOCK_OF + rank] |= 1 << at
    for rank in range(1, 13):
        problem[STOCK_OF_NIBBLE + (nibble(rank) >> 2)] = problem[STOCK_OF + rank]
    for place in range(28):
        others = places_of(problem, 13 - rank_at(problem, place))
        for other in range(28):
            if int(over[place]) >> other & 1 or int(over[other]) >> place & 1:
                others &= ~(1 << other)
        problem[OTHERS + place] = others
    for place in range(28):
        problem[UNDER + place] = 1 << place
        for other in range(28):
            if int(over[other]) >> place & 1:
                problem[UNDER + place] |= 1 << other
    fill_counts(problem, STOCK_COUNTS, STOCK_RANK, 24)
    fill_counts(problem, PLACE_COUNTS, RANK_AT, 28)
    width = 1
    for k in range(CLASSES):
        # Each of the cards has four partners; those that stay are none.
        fewer = max(staying >> 4 * k & 7, staying >> 4 * k + 24 & 7)
        cap = max(0, int(problem[CAPS + k]) - 4 + fewer)
        problem[CAPS + k] = cap
        if cap:
            problem[STEPS + k] = width
            width *= cap + 1
    return width


@bare
def fill_shapes(
    problem: Numbers,
    masks: NDArray[np.int64],
    free: NDArray[np.int64],
    without: NDArray[np.int16],
    balance: NDArray[np.int8],
    lower: NDArray[np.int16],
) -> None:
    """Fill the fields and the balance of every shape.

    masks, free, without: the tables of shapes.py, for all shapes or for those that hold some cards.
    balance: [shape, needs], to fill.
    lower: [class, needs] room for `needs` with one pair less of a class where it asks for one.
    """
    width = balance.shape[1]
    for k in range(CLASSES):
        step, cap = int(problem[STEPS + k]), int(problem[CAPS + k])
        for needs in range(width):
            lower[k, needs] = needs - (step if cap and needs // step % (cap + 1) else 0)
    balance[0, :] = -1
    balance[0, 0] = 0
    for shape in range(1, masks.shape[0]):
        at = SHAPES + FIELDS * shape
        problem[at + MASK] = masks[shape]
        problem[at + FREE_MASK] = free[shape]
        kings = int(free[shape]) & places_of(problem, 13)
        if kings:
            fill_with_king(problem, balance, shape, int(without[shape, lowest(kings)]))
        else:
            fill_shape(problem, without, balance, lower, shape)


@bare
def fill_with_king(problem: Numbers, balance: NDArray[np.int8], shape: int, after: int) -> None:
    """Fill the fields of a shape with a free king, from those of the shape without it."""
    at = SHAPES + FIELDS * shape
    problem[at + COUNTS] = counts_of(problem, after)
    problem[at + REACH] = reach_of(problem, after)
    problem[at + INNER] = inner_of(problem, after)
    finish = finish_of(problem, after)
    problem[at + FINISH] = finish + 1 if finish >= 0 else -1
    # Where the game ends with the pyramid and points are left elsewhere, the last king may wait.
    waits = after == 0 and problem[OBJECTIVE] != WIN and problem[GOAL_ALL] == 0
    problem[at + KINGLESS] = shape if waits else kingless_of(problem, after)
    for needs in range(balance.shape[1]):
        balance[shape, needs] = balance[after, needs]


@bare
def fill_shape(
    problem: Numbers, without: NDArray[np.int16], balance: NDArray[np.int8], lower: NDArray[np.int16], shape: int
) -> None:
    """Fill the fields of a shape without a free king, from those of the shapes inside it."""
    free = free_of(problem, shape)
    width = balance.shape[1]
    reach, inner, finish = free, 0, -1
    for needs in range(width):
        balance[shape, needs] = -1
    left = free
    while left:
        place = lowest(left)
        left &= left - 1
        single = int(without[shape, place])
        inner = larger_each(inner, inner_of(problem, single))
        for needs in range(width):
            balance[shape, needs] = max(balance[shape, needs], balance[single, needs])
        rank = rank_at(problem, place)
        k = min(rank, 13 - rank) - 1
        others = left
        if problem[COVER_PAIR]:
            others |= free_of(problem, single) & ~free
        others &= places_of(problem, 13 - rank)
        while others:
            both = int(without[single, lowest(others)])
            others &= others - 1
            reach |= reach_of(problem, both)
            inner = larger_each(inner, inner_of(problem, both) + (1 << 4 * k))
            if finish_of(problem, both) >= 0:
                finish = finish_of(problem, both) + 1
            for needs in range(width):
                inside = balance[both, lower[k, needs]]
                if inside >= max(0, balance[shape, needs]):
                    balance[shape, needs] = inside + 1
    at = SHAPES + FIELDS * shape
    one = lowest(free)
    problem[at + COUNTS] = counts_of(problem, int(without[shape, one])) + (1 << nibble(rank_at(problem, one)))
    problem[at + REACH] = reach
    problem[at + INNER] = inner
    problem[at + FINISH] = finish
    problem[at + KINGLESS] = shape
