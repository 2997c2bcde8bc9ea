"""The 1,430 shapes of a pyramid as tables for the kernels: the same for every deal."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.pyramid import COVERS, PLACES, free_mask, places, shapes


class Shapes(NamedTuple):
    """What the kernels know of shapes. A shape's number is its index in `pyramid.shapes()`; 0 is the empty one."""

    masks: NDArray[np.int64]
    """[shape]: the places still there, one bit each."""
    free: NDArray[np.int64]
    """[shape]: the places that nothing covers."""
    without: NDArray[np.int16]
    """[shape, place]: the shape once the free card of that place is gone; -1 where it is not free."""
    cover: NDArray[np.int8]
    """[place, 2]: the two places that cover it directly; -1 in row 7."""
    over: NDArray[np.int64]
    """[place]: all the places that lie over it, however many rows down."""


@cache
def shape_tables() -> Shapes:
    """Build the tables, once a process."""
    masks = shapes()
    number = {mask: shape for shape, mask in enumerate(masks)}
    free = [free_mask(mask) for mask in masks]
    without = np.full((len(masks), PLACES), -1, np.int16)
    for shape, mask in enumerate(masks):
        for place in places(free[shape]):
            without[shape, place] = number[mask & ~(1 << place)]
    over = [0] * PLACES
    for place in reversed(range(PLACES)):
        for cover in COVERS[place]:
            over[place] |= over[cover] | 1 << cover
    return Shapes(
        np.array(masks, np.int64),
        np.array(free, np.int64),
        without,
        np.array([covers or (-1, -1) for covers in COVERS], np.int8),
        np.array(over, np.int64),
    )


@cache
def shape_number() -> dict[int, int]:
    """Return the number of every shape by its places."""
    return {mask: shape for shape, mask in enumerate(shapes())}
