"""Bits and packed positions: the integers that the kernels work on.

A position is one integer of 49 bits, low bits first::

    stock    24  the stock cards still there, in stock or waste, in the order in which they are drawn
    drawn     5  1 + the place of the waste top in that order, 0 where the waste is empty:
                 cards below `drawn` are the waste, the others the stock
    shape    11  the number of the pyramid's shape (shapes.py)
    turned    6  recycles so far, where they count; else 0
    fresh     1  the waste top was just drawn, and may pair with the card under it
    bonus     2  the pass in which the pyramid got clear, where that scores; else 0

Plain integers are masked wherever they could outgrow 63 bits, so the kernels answer the same when
they run uncompiled.
"""

from __future__ import annotations

from pyramide_cli.solver._jit import bare

STOCK_CARDS = 24
STOCK = (1 << STOCK_CARDS) - 1
DRAWN_AT, SHAPE_AT, TURNED_AT, FRESH_AT, BONUS_AT = 24, 29, 40, 46, 47
DRAWN, SHAPE, TURNED, BONUS = 31, 2047, 63, 3
FRESH = 1 << FRESH_AT


@bare
def count(mask: int) -> int:
    """Return how many bits of a mask are set (0 to 63 bits; written so that LLVM sees one instruction)."""
    mask -= (mask >> 1) & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (mask * 0x0101010101010101) >> 56 & 0xFF


@bare
def lowest(mask: int) -> int:
    """Return the number of the lowest bit set in a mask that is not 0."""
    return count((mask & -mask) - 1)


@bare
def length(mask: int) -> int:
    """Return 1 + the number of the highest bit set in a mask of up to 32 bits; 0 for 0."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    return count(mask)


@bare
def pack(stock: int, drawn: int, shape: int, rest: int) -> int:
    """Return a position out of its fields; `rest` holds turned, fresh and bonus in their places."""
    waste = stock & ((1 << drawn) - 1)
    return stock | length(waste) << DRAWN_AT | shape << SHAPE_AT | rest
