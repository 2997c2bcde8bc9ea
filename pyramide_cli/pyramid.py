"""The geometry of the pyramid: places, rows, covers and the 1,430 shapes.

The 28 places are numbered row by row from the top, left to right: the apex is place 0, row 7 is 21 to 27.
A set of places is an integer with bit `p` set for place `p`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

ROWS = 7
PLACES = 28
FULL = (1 << PLACES) - 1

ROW_STARTS: tuple[int, ...] = tuple(row * (row - 1) // 2 for row in range(1, ROWS + 1))
"""The first place of each row, the top row first."""

ROW_OF: tuple[int, ...] = tuple(row for row in range(1, ROWS + 1) for _ in range(row))
"""The row, 1 to 7, of every place."""

ROW_MASKS: tuple[int, ...] = (
    0,
    *(((1 << row) - 1) << ROW_STARTS[row - 1] for row in range(1, ROWS + 1)),
)
"""The places of each row, as a set; index 1 to 7 (index 0 is empty)."""

COVERS: tuple[tuple[int, ...], ...] = tuple(
    (place + ROW_OF[place], place + ROW_OF[place] + 1) if ROW_OF[place] < ROWS else () for place in range(PLACES)
)
"""The two places that cover each place; none in row 7."""

COVER_MASK: tuple[int, ...] = tuple(sum(1 << cover for cover in covers) for covers in COVERS)
"""The same as a set."""

COVERED_BY: tuple[tuple[int, ...], ...] = tuple(
    tuple(place for place in range(PLACES) if cover in COVERS[place]) for cover in range(PLACES)
)
"""The one or two places that each place covers; none for the apex."""


def places(mask: int) -> Iterator[int]:
    """Yield the places of a set, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def free_mask(pyramid: int) -> int:
    """Return the set of free places: still there, and both covers gone."""
    free = pyramid & ROW_MASKS[ROWS]
    for row in range(ROWS - 1, 0, -1):
        start = ROW_STARTS[row - 1]
        below = pyramid >> ROW_STARTS[row]
        # Bit k of `below` is card k of the next row; card k here is covered by cards k and k + 1 there.
        covered = (below | below >> 1) << start
        free |= pyramid & ~covered & ROW_MASKS[row]
    return free


@cache
def shapes() -> tuple[int, ...]:
    """Return the 1,430 shapes that removals can leave, ascending as integers.

    1,430 is the Catalan number C8. Index 0 is the empty pyramid and the last one is the full pyramid; a shape
    comes after every shape that it contains.
    """
    found = {FULL}
    frontier = [FULL]
    while frontier:
        shape = frontier.pop()
        for place in places(free_mask(shape)):
            smaller = shape & ~(1 << place)
            if smaller not in found:
                found.add(smaller)
                frontier.append(smaller)
    return tuple(sorted(found))
