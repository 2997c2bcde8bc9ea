"""What can still be done in one pass through the stock: a relaxation that knows the order of the cards.

A card of the pyramid can go when the cards over it have gone and a partner is at hand: another card of the
pyramid that is free by then, a card of the waste, or one still to be drawn. Three things forbid it:

- Time. A stock card is at hand from the moment when it is drawn, and only until a card is drawn onto it that
  stays: one for which no partner is left that can go in this pass. Cards that only go with what lies under a card
  of the pyramid stay as well while it is there.
- Order. A card in the waste comes into play when all above it have left, each with a card of the pyramid. So for
  each card there is a set of pyramid cards that must have gone before: those over it, and whatever every way to
  pair it (or to uncover its partner) has in common. A card that would have to go before itself cannot go.
- Number. No more cards of a rank can leave the waste than there are partners for them.

A card that cannot go keeps those under it, and is no partner for others; a stock card that none of its partners finds
at hand stays too, and buries those under it in the waste. So all this is gone through until nothing changes. What then
stays in the pyramid stays in every play of this pass, so at least one more pass is needed.

The array `room` holds, [place]: the earliest time when a card can go, as the number of stock places that have been
passed by then, LATE for never; [BEFORE + place]: the pyramid cards that must have gone before it;
[WASTE_BEFORE + card]: those that must have gone before a card of the waste comes into play; [USABLE]: the stock cards
that can still leave in this pass, or be of use in it, as a mask; [USED]: those that some partner finds at hand.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare, inlined
from pyramide_cli.solver.bits import length, lowest
from pyramide_cli.solver.layout import (
    COVER_PAIR,
    DRAWN_PAIR,
    OVER,
    STOCK_OPEN,
    UNDER,
    Numbers,
    covers_of,
    others_of,
    place_count,
    places_of,
    rank_at,
    stock_count,
    stock_of,
    stock_of_nibble,
    stock_rank,
)
from pyramide_cli.solver.tables import at_least, partners

Room: TypeAlias = NDArray[np.int64]

USABLE, USED, BEFORE, WASTE_BEFORE, ROOM = 28, 29, 32, 64, 96
LATE = 99


@bare
def staying(problem: Numbers, room: Room, mask: int, todo: int, stock: int, drawn: int, fresh: int) -> int:
    """Return the pyramid cards that cannot go in this pass; room[0] is how far the stock must be drawn for the apex.

    mask: the places that may hold a card that can be a partner; todo: those, closed towards the apex, that are
    asked about; the others are taken to be free. stock, drawn: as in a position. fresh: the waste top as a mask,
    where it may pair with the card under it (which then counts as if it were still to come), else 0.
    """
    ahead = stock >> drawn << drawn | fresh
    if fresh:
        room[WASTE_BEFORE + lowest(fresh)] = 0  # it is on top already
    stays, dead = 0, 0
    spared = without_use(problem, mask & ~todo, stock)
    set_out(problem, room, todo, drawn)
    while True:
        alive = mask & ~stays
        dead |= without_partner(problem, alive, stock)
        usable = (leaving_waste(problem, room, alive, stock & ~ahead, ahead, dead) | ahead) & ~dead
        room[USABLE] = usable
        room[USED] = spared
        more = stays
        for place in range(27, -1, -1):
            if todo >> place & 1:
                if stays >> place & 1:
                    room[place] = LATE
                    continue
                find_time(problem, room, place, mask & ~more, todo, usable, dead, drawn, stock)
                if room[place] >= LATE:
                    more |= 1 << place
        unused = usable & ~int(room[USED])
        if more == stays and unused == 0:
            return stays
        stays = more
        dead |= unused


@bare
def set_out(problem: Numbers, room: Room, todo: int, drawn: int) -> None:
    """Fill the earliest times, and what must have gone before, with what is plain to see."""
    for place in range(28):
        room[place] = drawn
        room[BEFORE + place] = 0 if problem[COVER_PAIR] else problem[OVER + place] & todo


@bare
def staying_open(problem: Numbers, room: Room, mask: int, stock: int, drawn: int, fresh: int) -> int:
    """Return 0 and fill the array `room` as `staying` does, but only with what the waste alone tells.

    The rest is hardly ever worth its time under `stock_open`, where most cards of the stock have a partner beside them.
    """
    ahead = stock >> drawn << drawn | fresh
    if fresh:
        room[WASTE_BEFORE + lowest(fresh)] = 0
    set_out(problem, room, mask, drawn)
    dead = without_partner(problem, mask, stock)
    room[USABLE] = (leaving_waste(problem, room, mask, stock & ~ahead, ahead, dead) | ahead) & ~dead
    return 0


@bare
def without_use(problem: Numbers, others: int, stock: int) -> int:
    """Return the stock cards that may leave the waste though no card that is asked about finds them at hand.

    Kings, those with a partner among the pyramid cards `others`, and those with one in the stock where that counts.
    """
    if problem[COVER_PAIR]:
        return stock
    return stock & ~without_partner(problem, others, stock)


@bare
def without_partner(problem: Numbers, alive: int, stock: int) -> int:
    """Return the stock cards for which no partner is alive in the pyramid, nor in the stock where that can be."""
    counts = place_count(problem, alive)
    missing = ~(counts | counts >> 1 | counts >> 2) & 0x111111111111
    stock_pairs = problem[STOCK_OPEN] | problem[DRAWN_PAIR]
    dead = 0
    while missing:
        at = lowest(missing) >> 2
        missing &= missing - 1
        if stock_pairs == 0 or stock_of_nibble(problem, at) & stock == 0:
            dead |= stock_of_nibble(problem, at + 6 if at < 6 else at - 6)
    return dead & stock


@inlined
def leaving_waste(problem: Numbers, room: Room, alive: int, waste: int, ahead: int, dead: int) -> int:
    """Return the cards of the waste that can leave it in this pass; fill room[WASTE_BEFORE...] for them.

    Going down from the top, each card needs a partner that can go before the card under it comes into play.
    """
    usable, before, used = 0, 0, 0
    uses = partners(place_count(problem, alive))
    stock_pairs = problem[STOCK_OPEN] | problem[DRAWN_PAIR]
    while waste:
        at = length(waste) - 1
        waste ^= 1 << at
        room[WASTE_BEFORE + at] = before
        if dead >> at & 1:
            break
        rank = stock_rank(problem, at)
        if rank < 13 and (stock_pairs == 0 or stock_of(problem, 13 - rank) & ahead == 0):
            used += stock_count(problem, 1 << at)
            others = places_of(problem, 13 - rank) & alive & ~before
            if others == 0 or not at_least(uses, used):
                break
            common = -1
            while others:
                place = lowest(others)
                others &= others - 1
                common &= int(room[BEFORE + place]) | 1 << place
            before |= common
        usable |= 1 << at
    return usable


@inlined
def at_hand(problem: Numbers, place: int, alive: int, near: int, passed: int) -> int:
    """Return those cards of a rank that can get to the top of the waste while the card of a place is still there.

    All above them have to leave first, each with a partner that does not lie under that place. near: the cards;
    passed: all that have been passed. Not for rules under which stock cards pair with each other.
    """
    uses = partners(place_count(problem, alive & ~int(problem[UNDER + place])))
    left = near
    while left:
        at = length(left)
        left ^= 1 << at >> 1
        if not at_least(uses, stock_count(problem, passed >> at << at)):
            return near >> at << at
    return near


@inlined
def find_time(
    problem: Numbers, room: Room, place: int, alive: int, todo: int, usable: int, dead: int, drawn: int, stock: int
) -> None:
    """Fill room[place] and room[BEFORE + place]; add the stock cards that it finds at hand to room[USED].

    todo: the cards that are there in the beginning; dead: the stock cards that stay once they are drawn.
    """
    rank = rank_at(problem, place)
    early, before = drawn, 0
    covers = covers_of(problem, place) & todo
    while covers:
        cover = lowest(covers)
        covers &= covers - 1
        early = max(early, int(room[cover]))
        before |= int(room[BEFORE + cover])
        if problem[COVER_PAIR] == 0 or rank_at(problem, cover) + rank != 13:
            before |= 1 << cover
    if early >= LATE or rank == 13 or problem[COVER_PAIR]:
        room[place] = early
        room[BEFORE + place] = before
        return
    best, common = LATE, -1
    cards = usable & stock_of(problem, 13 - rank)
    near = cards & ((1 << early) - 1)
    onto = length(dead & ((1 << early) - 1))
    near = near >> onto << onto  # the others lie under a card that stays
    if near and problem[STOCK_OPEN] == 0 and problem[DRAWN_PAIR] == 0:
        near = at_hand(problem, place, alive, near, stock & ((1 << early) - 1))
    room[USED] |= near | cards >> early << early
    if near >> drawn:
        best, common = early, 0
    else:
        while near:
            at = length(near) - 1
            near ^= 1 << at
            if int(room[WASTE_BEFORE + at]) >> place & 1 == 0:
                best = early
                common &= int(room[WASTE_BEFORE + at])
    far = cards >> early
    if far:
        best, common = min(best, early + lowest(far) + 1 - int(problem[STOCK_OPEN])), 0
    others = others_of(problem, place) & alive & ~before
    if best > early or common:
        while others:
            other = lowest(others)
            others &= others - 1
            if int(room[BEFORE + other]) >> place & 1 == 0:
                best = min(best, max(early, int(room[other])))
                common &= int(room[BEFORE + other])
    room[place] = best
    room[BEFORE + place] = before | common
