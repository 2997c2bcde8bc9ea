"""Lower bounds of the moves to a win, and proofs that there is none.

Every bound here counts only moves that each win must make from the position on, so it never exceeds the
truth; NOTES.md tells what each is worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import (
    DRAWN,
    DRAWN_AT,
    FRESH,
    SHAPE,
    SHAPE_AT,
    STOCK,
    TURNED,
    TURNED_AT,
    count,
    lowest,
)
from pyramide_cli.solver.layout import (
    BURIED,
    CAPS,
    DRAWN_PAIR,
    LATE_KINGS,
    OBJECTIVE,
    RECYCLES,
    STEPS,
    STOCK_OPEN,
    WIN,
    Numbers,
    counts_of,
    inner_of,
    mask_of,
    place_count,
    stock_count,
    stock_of,
)
from pyramide_cli.solver.passes import USABLE, Room, staying, staying_open
from pyramide_cli.solver.tables import CLASSES, at_least, excess, larger_each, partners, total

NEVER = 4000
"""More moves than any game: no win in this way."""


@bare
def most_inside(problem: Numbers, balance: NDArray[np.int8], shape: int, stock: int) -> int:
    """Return the most pairs inside the pyramid in a win that uses these stock cards only, -1 for no win.

    stock: the packed count of the stock cards that may be used.
    """
    needs = excess(counts_of(problem, shape), partners(stock)) & 0xFFFFFF
    if not at_least(inner_of(problem, shape), needs):
        return -1
    index = 0
    for k in range(CLASSES):
        index += min(needs >> 4 * k & 7, int(problem[CAPS + k])) * int(problem[STEPS + k])
    return int(balance[shape, index])


@bare
def draws_until(problem: Numbers, cards: int, needs: int) -> int:
    """Return the shortest prefix of the stock order, 0 to 24, in which a mask of cards has the needed count.

    needs: a packed count that all the cards together have.
    """
    low, high = 0, 24
    while low < high:
        middle = (low + high) >> 1
        if at_least(stock_count(problem, cards & ((1 << middle) - 1)), needs):
            high = middle
        else:
            low = middle + 1
    return low


@bare
def draws_to_clear(problem: Numbers, shape: int, cards: int, together: int) -> int:
    """Return the shortest prefix of the stock order, 0 to 24, with which a mask of cards can clear a shape.

    together: the most pairs inside the shape, all classes together.
    """
    counts, inner = counts_of(problem, shape), inner_of(problem, shape)
    low, high = 0, 24
    while low < high:
        middle = (low + high) >> 1
        alone = excess(counts, partners(stock_count(problem, cards & ((1 << middle) - 1))))
        inside = larger_each(alone & 0xFFFFFF, alone >> 24)
        if at_least(inner, inside) and total(inside) <= together:
            high = middle
        else:
            low = middle + 1
    return low


@bare
def blocked_waste(problem: Numbers, waste: int, uses: int) -> int:
    """Return the cards of the waste that cannot leave it in this pass: a mask, always the lowest ones.

    A card can leave only when all above it have left, each with a partner of its own.
    uses: a packed count, for each rank how many cards of it can find a partner.
    """
    low, high = 0, 24
    while low < high:
        middle = (low + high) >> 1
        if at_least(uses, stock_count(problem, waste >> middle << middle)):
            high = middle
        else:
            low = middle + 1
    return waste & ((1 << low) - 1)


@bare
def passing(problem: Numbers, cards: int, shape: int) -> int:
    """Return the fewest moves, beside removals that count elsewhere, to bring the top of the stock past some cards.

    Each has to be drawn; under `stock_open` it may also be removed there, with a card of the pyramid.
    """
    if problem[STOCK_OPEN] == 0:
        return count(cards)
    counts = stock_count(problem, cards)
    return count(cards) - total(counts) + total(excess(counts, partners(counts_of(problem, shape))))


@bare
def kings_again(problem: Numbers, state: int) -> int:
    """Return the kings that cost another move before or in the next pass: those that do not vanish in this one."""
    kings = state & stock_of(problem, 13)
    turned = (state >> TURNED_AT) & TURNED
    if problem[LATE_KINGS] and turned:
        return kings & int(problem[BURIED]) if turned == 1 else 0
    return kings


@bare
def passing_again(problem: Numbers, state: int, before: int, blocked: int, going: int, spare: int) -> int:
    """Return the fewest moves, beside removals that count elsewhere, to come past some cards again in a next pass.

    Of each rank no more cards can have left than there are partners in the pyramid; a king costs a move either way.
    before: the cards to come past, as a mask; blocked: those of the waste that cannot leave in this pass.
    going: the packed count of the pyramid cards that can go in this pass; spare: that of `spare_pairs`.
    """
    cards = state & STOCK & before
    counts = stock_count(problem, cards)
    kings, stuck = 0, 0
    if problem[STOCK_OPEN] == 0:
        kings = count(cards & kings_again(problem, state))
        stuck = stock_count(problem, cards & blocked)
    left = excess(counts - stuck, partners(going))
    return kings + total(stuck) + total(excess(left, spare))


@bare
def too_many(problem: Numbers, cards: int, counts: int, inside: int) -> int:
    """Return what it costs at least that more cards leave the stock in place than there are single cards for them."""
    if problem[STOCK_OPEN] == 0:
        return 0
    there = stock_count(problem, cards)
    leaving = total(there) - total(excess(there, partners(counts)))
    return max(0, leaving - (total(counts) - 2 * inside) + 1) >> 1


@bare
def spare_pairs(problem: Numbers, shape: int, stock: int) -> int:
    """Return for each rank how many of its cards can pair with stock cards if the pyramid is to be cleared."""
    if problem[STOCK_OPEN] == 0 and problem[DRAWN_PAIR] == 0:
        return 0
    counts = stock_count(problem, stock)
    low, high = counts & 0xFFFFFF, counts >> 24
    # No more than `high`, since inside there are no more pairs than cards of the lower rank.
    spare = inner_of(problem, shape) + high - (counts_of(problem, shape) & 0xFFFFFF)
    spare = spare - excess(spare, low)
    return spare | spare << 24


@bare
def passes_left(problem: Numbers, state: int) -> int:
    """Return how many recycles the rules still allow."""
    if problem[RECYCLES] < 0:
        return NEVER
    return int(problem[RECYCLES]) - ((state >> TURNED_AT) & TURNED)


@bare
def last_time(room: Room, mask: int) -> int:
    """Return the time when the last of some pyramid cards, all of which can go, has gone: the apex, if it is one."""
    if mask & 1:
        return int(room[0])
    late = 0
    while mask:
        late = max(late, int(room[lowest(mask)]))
        mask &= mask - 1
    return late


@bare
def moves_to_clear(problem: Numbers, balance: NDArray[np.int8], room: Room, state: int, must_turn: int) -> int:
    """Return a lower bound of the moves until the pyramid is clear, NEVER where it cannot be.

    must_turn: not 0 where only plays with another pass are asked about.
    """
    shape = (state >> SHAPE_AT) & SHAPE
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    waste = stock & ((1 << drawn) - 1)
    ahead = stock ^ waste
    counts = counts_of(problem, shape)
    cards = count(mask_of(problem, shape))
    inside = most_inside(problem, balance, shape, stock_count(problem, stock))
    if inside < 0:
        return NEVER
    mask = mask_of(problem, shape)
    fresh = 1 << drawn >> 1 if state & FRESH else 0
    if problem[STOCK_OPEN] and problem[OBJECTIVE] == WIN:
        stays = staying_open(problem, room, mask, stock, drawn, fresh)
    else:
        stays = staying(problem, room, mask, mask, stock, drawn, fresh)
    until, usable = last_time(room, mask), int(room[USABLE])
    blocked = stock & ~usable
    inner = inner_of(problem, shape)
    inner |= inner << 24
    needs = partners(excess(counts, inner))
    have = stock_count(problem, usable)
    best = NEVER
    inside_now = most_inside(problem, balance, shape, have)
    if must_turn == 0 and stays == 0 and inside_now >= 0 and at_least(have, needs):
        until = max(until, draws_to_clear(problem, shape, usable, int(balance[shape, 0])))
        first = ahead & ((1 << until) - 1)
        best = cards - inside_now + passing(problem, first, shape) + too_many(problem, first, counts, inside_now)
    passes = passes_left(problem, state)
    if passes == 0:
        return best
    missing = excess(needs, have)
    again = draws_until(problem, blocked, missing)
    later = cards - inside + passing(problem, ahead, shape) + 1
    if stays:
        missing = larger_each(missing, partners(excess(place_count(problem, stays), inner)))
        if staying(problem, room, mask, stays, stock, 0, 0):
            if passes == 1:
                return best
            again = 24
            later += 1 if problem[STOCK_OPEN] else 2  # to recycle once more, and to draw
        else:
            again = max(again, last_time(room, stays))
    again = max(again, draws_until(problem, stock, missing))
    before = (1 << again) - 1
    going = counts if problem[STOCK_OPEN] else place_count(problem, mask & ~stays)
    later += passing_again(problem, state, before, blocked, going, spare_pairs(problem, shape, stock))
    later += too_many(problem, ahead | stock & before, counts, inside)
    return min(best, later)


@bare
def moves_to_remove_all(problem: Numbers, balance: NDArray[np.int8], state: int) -> int:
    """Return a lower bound of the moves until all cards are gone, NEVER where they cannot be."""
    shape = (state >> SHAPE_AT) & SHAPE
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    waste = stock & ((1 << drawn) - 1)
    ahead = stock ^ waste
    counts = counts_of(problem, shape)
    in_stock = stock_count(problem, stock)
    if most_inside(problem, balance, shape, in_stock) < 0:
        return NEVER
    uses = partners(counts)
    if problem[STOCK_OPEN] or problem[DRAWN_PAIR]:
        uses += partners(stock_count(problem, ahead))
        if state & FRESH:
            waste &= ~(1 << drawn >> 1)
            uses += partners(stock_count(problem, 1 << drawn >> 1))
            uses = uses & 0x777777777777
    elif not at_least(uses, in_stock):
        return NEVER
    pairs = (total(counts) + total(in_stock)) >> 1
    kings = count(mask_of(problem, shape)) - total(counts) + count(stock) - total(in_stock)
    draws = count(ahead)
    if problem[STOCK_OPEN]:
        alone = total(excess(stock_count(problem, ahead), partners(counts)))
        draws = max(0, (alone - count(waste) + 1) >> 1)
    blocked = blocked_waste(problem, waste, uses)
    if blocked:
        if passes_left(problem, state) == 0:
            return NEVER
        if problem[STOCK_OPEN]:
            # Cards of the waste that pair with each other: one is drawn again, for the other to be next.
            together = excess(stock_count(problem, waste), uses)
            draws += 1 + total(larger_each(together & 0xFFFFFF, together >> 24))
        else:
            draws += 1 + count(blocked)
    return pairs + kings + draws
