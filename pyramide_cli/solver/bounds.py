"""Lower bounds of the moves to a win, and proofs that there is none.

Every bound here counts only moves that each win must make from the position on, so it never exceeds the
truth; NOTES.md tells what each is worth.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import kernel
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
    length,
    lowest,
)
from pyramide_cli.solver.layout import (
    CAPS,
    COVER,
    COVER_PAIR,
    DRAWN_PAIR,
    RECYCLES,
    STEPS,
    STOCK_OPEN,
    Numbers,
    counts_of,
    inner_of,
    mask_of,
    over_of,
    place_count,
    places_of,
    rank_at,
    stock_count,
    stock_of,
    stock_rank,
    under_of,
)
from pyramide_cli.solver.tables import CLASSES, at_least, excess, larger_each, partners, total

USABLE, BEFORE, WASTE_BEFORE = 28, 32, 64
ROUNDS = 2
Room: TypeAlias = NDArray[np.int64]
NEVER = 4000
"""More moves than any game: no win in this way."""


@kernel
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


@kernel
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


@kernel
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


@kernel
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


@kernel
def passing(problem: Numbers, cards: int, shape: int) -> int:
    """Return the fewest moves, beside removals that count elsewhere, to bring the top of the stock past some cards.

    Each has to be drawn; under `stock_open` it may also be removed there, with a card of the pyramid.
    """
    if problem[STOCK_OPEN] == 0:
        return count(cards)
    counts = stock_count(problem, cards)
    return count(cards) - total(counts) + total(excess(counts, partners(counts_of(problem, shape))))


@kernel
def passing_again(problem: Numbers, stock: int, before: int, blocked: int, going: int, spare: int) -> int:
    """Return the fewest moves, beside removals that count elsewhere, to come past some cards again in a next pass.

    Of each rank no more cards can have left than there are partners in the pyramid; a king costs a move either way.
    before: the cards to come past, as a mask; blocked: those of the waste that cannot leave in this pass.
    going: the packed count of the pyramid cards that can go in this pass; spare: that of `spare_pairs`.
    """
    cards = stock & before
    counts = stock_count(problem, cards)
    kings, stuck = 0, 0
    if problem[STOCK_OPEN] == 0:
        kings = count(cards) - total(counts)
        stuck = stock_count(problem, cards & blocked)
    left = excess(counts - stuck, partners(going))
    return kings + total(stuck) + total(excess(left, spare))


@kernel
def too_many(problem: Numbers, cards: int, counts: int, inside: int) -> int:
    """Return what it costs at least that more cards leave the stock in place than there are single cards for them."""
    if problem[STOCK_OPEN] == 0:
        return 0
    there = stock_count(problem, cards)
    leaving = total(there) - total(excess(there, partners(counts)))
    return max(0, leaving - (total(counts) - 2 * inside) + 1) >> 1


@kernel
def spare_pairs(problem: Numbers, shape: int, stock: int) -> int:
    """Return for each rank how many of its cards can pair with other stock cards if the pyramid is still to be cleared."""
    if problem[STOCK_OPEN] == 0 and problem[DRAWN_PAIR] == 0:
        return 0
    counts = stock_count(problem, stock)
    low, high = counts & 0xFFFFFF, counts >> 24
    spare = inner_of(problem, shape) + high - (counts_of(problem, shape) & 0xFFFFFF)
    spare = spare - excess(spare, low)
    spare = spare - excess(spare, high)
    return spare | spare << 24


@kernel
def clear_waste(problem: Numbers, room: Room, alive: int, waste: int, ahead: int) -> int:
    """Return the cards of the waste that can leave it in this pass, as far as the order of removals tells.

    Going down from the top, each card needs a partner that can go before the card under it comes into play.
    room[WASTE_BEFORE + card] is what then must have gone before the card is on top.
    alive: the pyramid cards that can go in this pass.
    """
    before, usable, used = 0, 0, 0
    uses = partners(place_count(problem, alive))
    helped = problem[STOCK_OPEN] | problem[DRAWN_PAIR]
    while waste:
        at = length(waste) - 1
        waste ^= 1 << at
        room[WASTE_BEFORE + at] = before
        rank = stock_rank(problem, at)
        if rank == 13:
            continue
        if helped and stock_of(problem, 13 - rank) & ahead:
            usable |= 1 << at
            continue
        used += stock_count(problem, 1 << at)
        if not at_least(uses, used):
            break
        others = places_of(problem, 13 - rank) & alive & ~before
        if others == 0:
            break
        usable |= 1 << at
        common = -1
        while others:
            place = lowest(others)
            others &= others - 1
            common &= int(room[BEFORE + place]) | 1 << place
        before |= common
    return usable


@kernel
def schedule(problem: Numbers, room: Room, mask: int, todo: int, stock: int, drawn: int, fresh: int) -> int:
    """Return the pyramid cards that cannot go in this pass; room[0] is how far the stock must be drawn for the others.

    A card of the pyramid can go when those over it have gone and a partner is there: another free card, or a card of
    the waste with none above it that stays. A stock card stays when no card that it could pair with goes in this pass.
    times: [place] room for when a card can go first, as the number of stock places that are drawn by then.
    mask: the places still there; blocked: the cards of the waste that cannot leave it in this pass.
    """
    stays = 0
    waste = stock & ((1 << drawn) - 1)
    for place in range(28):
        room[place] = drawn
        room[BEFORE + place] = over_of(problem, place) & todo if problem[COVER_PAIR] == 0 else 0
    rounds = 0
    while True:
        alive = mask & ~stays
        dead = 0
        for rank in range(1, 13):
            if places_of(problem, 13 - rank) & alive == 0:
                if problem[STOCK_OPEN] | problem[DRAWN_PAIR] and stock_of(problem, 13 - rank) & stock:
                    continue
                dead |= stock_of(problem, rank) & stock
        usable = clear_waste(problem, room, alive, waste & ~fresh, stock ^ waste | fresh) | (stock ^ waste | fresh)
        usable &= ~dead
        changed = False
        for place in range(27, -1, -1):
            if todo >> place & 1 == 0:
                continue
            if stays >> place & 1:
                room[place] = 99
                continue
            early, before = drawn, 0
            rank = rank_at(problem, place)
            covers = over_of(problem, place) & todo
            if covers:
                first = int(problem[COVER + 2 * place])
                for cover in range(first, first + 2):
                    if todo >> cover & 1:
                        early = max(early, int(room[cover]))
                        before |= int(room[BEFORE + cover])
                        if problem[COVER_PAIR] == 0 or rank_at(problem, cover) + rank != 13:
                            before |= 1 << cover
            best = 99
            if early >= 99:
                best = 99
            elif rank == 13:
                best = early
            else:
                cards = usable & stock_of(problem, 13 - rank)
                common = -1
                near = cards & ((1 << early) - 1)
                while near:
                    at = length(near) - 1
                    near ^= 1 << at
                    if (dead & ((1 << early) - 1)) >> (at + 1):
                        break
                    if at >= drawn:
                        best = early
                        common = 0
                    elif int(room[WASTE_BEFORE + at]) >> place & 1 == 0:
                        best = early
                        common &= int(room[WASTE_BEFORE + at])
                far = cards >> early << early
                if far:
                    best = min(best, lowest(far) + 1 - problem[STOCK_OPEN])
                    common = 0
                others = alive & places_of(problem, 13 - rank) & ~over_of(problem, place) & ~under_of(problem, place) & ~before
                while others:
                    other = lowest(others)
                    others &= others - 1
                    if int(room[BEFORE + other]) >> place & 1 == 0:
                        best = min(best, max(early, int(room[other])))
                        common &= int(room[BEFORE + other])
                if problem[COVER_PAIR]:
                    best = early
                    common = 0
                before |= common
            room[place] = best
            room[BEFORE + place] = before
            if best >= 99:
                stays |= 1 << place
                changed = True
        rounds += 1
        if not changed and rounds >= ROUNDS:
            room[USABLE] = usable
            return stays


@kernel
def moves_to_clear(problem: Numbers, balance: NDArray[np.int8], room: Room, state: int) -> int:
    """Return a lower bound of the moves until the pyramid is clear, NEVER where it cannot be."""
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
    stays = schedule(problem, room, mask, mask, stock, drawn, fresh)
    until, usable = int(room[0]), int(room[USABLE])
    blocked = stock & ~usable & ~stock_of(problem, 13)
    low = inner_of(problem, shape)
    needs = partners(excess(counts, low | low << 24))
    have = stock_count(problem, usable)
    best = NEVER
    inside_now = most_inside(problem, balance, shape, have)
    if stays == 0 and inside_now >= 0 and at_least(have, needs):
        until = max(draws_to_clear(problem, shape, usable, int(balance[shape, 0])), until)
        best = cards - inside_now + passing(problem, ahead & ((1 << until) - 1), shape)
        best += too_many(problem, ahead & ((1 << until) - 1), counts, inside_now)
    turned = (state >> TURNED_AT) & TURNED
    left = problem[RECYCLES] - turned if problem[RECYCLES] >= 0 else 99
    if left:
        later = cards - inside + passing(problem, ahead, shape) + 1
        deficit = excess(needs, have)
        gone = mask if problem[STOCK_OPEN] else mask & ~stays
        again = 0
        if stays:
            inner_left = low | low << 24
            deficit = larger_each(deficit, partners(excess(place_count(problem, stays), inner_left)))
            stays2 = schedule(problem, room, mask, stays, stock, 0, 0)
            again = room[0]
            if stays2:
                if left == 1:
                    return best
                again = 24
                later += 1
        again = max(again, draws_until(problem, stock, deficit), draws_until(problem, blocked, excess(needs, have)))
        later += passing_again(problem, stock, (1 << again) - 1, blocked, place_count(problem, gone), spare_pairs(problem, shape, stock))
        later += too_many(problem, ahead | stock & ((1 << again) - 1), counts, inside)
        best = min(best, later)
    return best


@kernel
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
        turned = (state >> TURNED_AT) & TURNED
        if problem[RECYCLES] >= 0 and turned >= problem[RECYCLES]:
            return NEVER
        draws += 1 if problem[STOCK_OPEN] else 1 + count(blocked)
    return pairs + kings + draws
