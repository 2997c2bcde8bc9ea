"""Bounds for points under scoring `microsoft`: how many removals are still possible while the pyramid is cleared.

Two stock cards can pair only when no other card is left between them, one on the waste and the other drawn, or open,
next. So a card that stays for good parts the stock: pairs are made on one side of it or the other, in any pass. Where
the game ends with the pyramid, the card that goes with the apex stays to the end as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.scoring import MICROSOFT_REMOVAL
from pyramide_cli.solver._jit import bare
from pyramide_cli.solver.bits import (
    BONUS,
    BONUS_AT,
    DRAWN,
    DRAWN_AT,
    FRESH,
    SHAPE,
    SHAPE_AT,
    STOCK,
    TURNED,
    TURNED_AT,
    count,
)
from pyramide_cli.solver.bounds import NEVER, most_inside, moves_to_clear, moves_to_remove_all, passes_left
from pyramide_cli.solver.layout import (
    COVER_PAIR,
    DRAWN_PAIR,
    FIRST_PASS,
    GOAL_ALL,
    MICROSOFT,
    OBJECTIVE,
    PAR,
    RANK_ASKED,
    RANK_STAYS,
    STAYS,
    STOCK_OPEN,
    TARGET,
    Numbers,
    counts_of,
    mask_of,
    place_count,
    places_of,
    rank_at,
    stock_count,
    stock_of,
)
from pyramide_cli.solver.passes import ROOM, USABLE, Room, staying, without_partner
from pyramide_cli.solver.tables import CLASSES, excess, larger_each, partners, total
from pyramide_cli.solver.values import pass_bonus, removals, row_bonus, value

SPARE = ROOM
"""room[SPARE + 2 level...] stock cards of one rank, and how many of them must stay."""
CHOICE, PARTED = SPARE + 16, SPARE + 24
"""room[... + level] those of them that are tried, and all cards that part the stock."""
MOST_BONUS = SPARE + 32
"""room[...] the most points for a clear pyramid that `most_left` still counts with."""
POINTS_ROOM = SPARE + 33
MOST_TRIES = 100
"""So many choices of what stays are tried."""


@bare
def pairs_between(problem: Numbers, stock: int, parting: int) -> int:
    """Return for each class the most pairs of stock cards on the same side of each of some cards that part them."""
    if problem[STOCK_OPEN] == 0 and problem[DRAWN_PAIR] == 0:
        return 0
    pairs, done = 0, 0
    while True:
        upto = (parting & -parting) - 1 if parting else STOCK
        parting &= parting - 1
        counts = stock_count(problem, stock & upto & ~done)
        low = counts & 0xFFFFFF
        pairs += low - excess(low, counts >> 24)
        if upto == STOCK:
            return pairs
        done = upto


@bare
def most_pairs(problem: Numbers, counts: int, stock: int, parting: int) -> int:
    """Return the most pairs that can be removed while a pyramid is cleared; -1 where the ranks do not allow that.

    counts: the packed count of the pyramid. stock: the stock cards that may go. parting: those that part them.
    """
    have = stock_count(problem, stock)
    needs = excess(counts, partners(have))
    inside = larger_each(needs & 0xFFFFFF, needs >> 24)
    low, high = counts & 0xFFFFFF, counts >> 24
    if total(excess(inside, low)) or total(excess(inside, high)):
        return -1
    # What is left in the stock of each rank when the pyramid has taken what it needs.
    spare = (have & 0xFFFFFF) - (high - inside)
    spare = spare - excess(spare, (have >> 24) - (low - inside))
    together = pairs_between(problem, stock, parting)
    return total(counts) - total(inside) + total(spare - excess(spare, together))


@bare
def find_spare(problem: Numbers, room: Room, counts: int, stock: int) -> int:
    """Write the ranks of which some stock cards must stay into room[SPARE...]; return the number of these ranks.

    Of two ranks that go together the one with more cards keeps as many as it has more.
    """
    have = stock_count(problem, stock)
    size = 0
    for k in range(CLASSES):
        more = (counts >> 4 * k & 7) + (have >> 4 * k & 7) - (counts >> 4 * k + 24 & 7) - (have >> 4 * k + 24 & 7)
        if more:
            room[SPARE + 2 * size] = stock & stock_of(problem, k + 1 if more > 0 else 12 - k)
            room[SPARE + 2 * size + 1] = abs(more)
            size += 1
    return size


@bare
def can_pair(problem: Numbers, room: Room, counts: int, stock: int, parting: int, wanted: int) -> bool:
    """Return whether so many pairs may be removed while a pyramid is cleared, whichever spare cards stay.

    counts, stock, parting: as for `most_pairs`. True as well where there are too many choices to try them all.
    """
    if most_pairs(problem, counts, stock, parting) < wanted:
        return False
    if problem[STOCK_OPEN] == 0 and problem[DRAWN_PAIR] == 0:
        return True
    size = find_spare(problem, room, counts, stock)
    level, tries = 0, 0
    room[PARTED], room[CHOICE] = parting, 0
    while level < size:
        cards, more = int(room[SPARE + 2 * level]), int(room[SPARE + 2 * level + 1])
        choice = (int(room[CHOICE + level]) - 1) & cards
        while count(choice) != more and choice:
            choice = (choice - 1) & cards
        if choice == 0:
            if level == 0:
                return False
            level -= 1
            continue
        room[CHOICE + level] = choice
        parted = int(room[PARTED + level]) | choice
        tries += 1
        if tries > MOST_TRIES:
            return True
        if most_pairs(problem, counts, stock & ~parted, parted) >= wanted:
            level += 1
            room[PARTED + level], room[CHOICE + level] = parted, 0
    return True


@bare
def can_remove(problem: Numbers, room: Room, state: int, wanted: int) -> bool:
    """Return whether so many removals may still be possible while the pyramid is cleared.

    room: as `moves_to_clear` has left it for this position, in which play goes on. Kings that are left in a last pass
    lie with other cards that are, so they part nothing more.
    """
    shape = (state >> SHAPE_AT) & SHAPE
    mask, stock = mask_of(problem, shape), state & STOCK
    counts = counts_of(problem, shape)
    wanted -= count(mask) - total(counts) + count(stock & stock_of(problem, 13))
    dead = without_partner(problem, mask, stock)
    if passes_left(problem, state) == 0:
        dead |= stock & ~int(room[USABLE])
    stock &= ~dead
    if problem[GOAL_ALL] or problem[COVER_PAIR] or rank_at(problem, 0) == 13:
        return can_pair(problem, room, counts, stock, dead, wanted)
    # The card that goes with the apex is the last one.
    lasts = stock & stock_of(problem, 13 - rank_at(problem, 0))
    single = stock_count(problem, lasts & -lasts)
    while lasts:
        last = lasts & -lasts
        lasts &= lasts - 1
        if can_pair(problem, room, counts - partners(single), stock & ~last, dead | last, wanted - 1):
            return True
    return False


@bare
def moves_to_end(problem: Numbers, balance: NDArray[np.int8], times: NDArray[np.int64], state: int, wanted: int) -> int:
    """Return a lower bound of the moves until the pyramid is clear, NEVER where it cannot be.

    wanted: what else is to be removed; where the game ends with the pyramid, that is never after it.
    """
    if (state >> SHAPE_AT) & SHAPE or problem[GOAL_ALL]:
        return moves_to_clear(problem, balance, times, state, 0)
    return NEVER if wanted > 0 else 0


@bare
def moves_to_score(problem: Numbers, balance: NDArray[np.int8], times: NDArray[np.int64], state: int) -> int:
    """Return a lower bound of the moves to a clear pyramid with the value that is looked for, NEVER for no way.

    For the objectives MICROSOFT and REMOVED; for REMOVED only where play goes on when the pyramid is clear.
    """
    shape = (state >> SHAPE_AT) & SHAPE
    mask, stock, stays = mask_of(problem, shape), state & STOCK, int(problem[STAYS])
    if problem[OBJECTIVE] == MICROSOFT:
        wanted = (int(problem[TARGET]) - row_bonus(stays)) // MICROSOFT_REMOVAL - removals(problem, mask | stays, stock)
        least = wanted
    else:
        # With all kings the fewest pairs are needed; without those of the stock the fewest removals.
        cards = int(problem[TARGET]) - value(problem, state)
        kings = count(mask & places_of(problem, 13))
        least = kings + ((cards - kings + 1) >> 1)
        kings += count(stock & stock_of(problem, 13))
        wanted = kings + ((cards - kings + 1) >> 1)
    clear = moves_to_end(problem, balance, times, state, wanted)
    if clear >= NEVER or wanted <= 0:
        return clear
    if not can_remove(problem, times, state, wanted):
        return NEVER
    return max(clear, least)


@bare
def moves_to_rank(problem: Numbers, balance: NDArray[np.int8], times: NDArray[np.int64], state: int) -> int:
    """Return a lower bound of the moves until the pyramid is clear and enough cards of a rank are gone, else NEVER."""
    shape = (state >> SHAPE_AT) & SHAPE
    rank, stock = int(problem[RANK_ASKED]), state & STOCK
    cards = stock & stock_of(problem, rank)
    wanted = int(problem[TARGET] + problem[RANK_STAYS]) - 4 + count(cards)
    clear = moves_to_end(problem, balance, times, state, wanted)
    if clear >= NEVER or wanted <= 0:
        return clear
    mask = mask_of(problem, shape)
    removals_left = count(mask) - int(balance[shape, 0])
    if rank == 13:
        removals_left += wanted
    else:
        # Of the partners in the pyramid, those that this rank's pyramid cards need are not at hand.
        in_stock = count(stock & stock_of(problem, 13 - rank))
        inside = max(0, count(mask & places_of(problem, rank)) - in_stock)
        together = in_stock if problem[STOCK_OPEN] or problem[DRAWN_PAIR] else 0
        if count(mask & places_of(problem, 13 - rank)) - inside + together < wanted:
            return NEVER
    usable = cards & int(times[USABLE])
    if passes_left(problem, state) == 0 and count(usable) < wanted:
        return NEVER
    return max(clear, removals_left)


@bare
def most_left(problem: Numbers, balance: NDArray[np.int8], room: Room, state: int) -> int:
    """Return an upper bound of the value that can still be reached, for the objectives REMOVED and PAR.

    Pairs are bounded by the cards of their ranks that can go, and by those that need no other stock card. What stays in
    a last pass (passes.py) stays for good; under PAR the pyramid gets clear in this pass only if nothing stays in it.
    """
    shape, stock = (state >> SHAPE_AT) & SHAPE, state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    mask = mask_of(problem, shape)
    dead, stays = without_partner(problem, mask, stock), 0
    last = passes_left(problem, state) == 0
    if last or problem[OBJECTIVE] == PAR:
        fresh = 1 << drawn >> 1 if state & FRESH else 0
        stays = staying(problem, room, mask, mask, stock, drawn, fresh)
        if last:
            dead |= stock & ~int(room[USABLE])
    bonus = 0
    if problem[OBJECTIVE] == PAR:
        if mask == 0:
            bonus = pass_bonus((state >> BONUS_AT) & BONUS)
        elif (stays == 0 or not last) and most_inside(problem, balance, shape, stock_count(problem, stock)) >= 0:
            number = int(problem[FIRST_PASS]) + ((state >> TURNED_AT) & TURNED) + (1 if stays else 0)
            bonus = pass_bonus(number)
    room[MOST_BONUS] = bonus
    going = mask & ~stays if last else mask
    kings = count(going & places_of(problem, 13)) + count(stock & ~dead & stock_of(problem, 13))
    pyramid, have = place_count(problem, going), stock_count(problem, stock & ~dead)
    low, high = (pyramid & 0xFFFFFF) + (have & 0xFFFFFF), (pyramid >> 24) + (have >> 24)
    pairs = low - excess(low, high)
    others = excess(excess(pairs, pyramid & 0xFFFFFF), pyramid >> 24)
    pairs = pairs - excess(others, pairs_between(problem, stock & ~dead, dead))
    return 52 - count(mask) - count(stock) + kings + 2 * total(pairs) + bonus


@bare
def moves_to_count(problem: Numbers, balance: NDArray[np.int8], room: Room, state: int, target: int) -> int:
    """Return a lower bound of the moves to a value for the objectives REMOVED and PAR, NEVER if it is out of reach."""
    if most_left(problem, balance, room, state) < target:
        return NEVER
    shape, stock = (state >> SHAPE_AT) & SHAPE, state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    cards = count(mask_of(problem, shape))
    bonus = int(room[MOST_BONUS])
    wanted = target - bonus - (52 - cards - count(stock))
    # A removal takes two cards at most, and what comes out of the stock has to be drawn.
    moves = 0
    if wanted > 0:
        moves = (wanted + 1) >> 1
        if problem[STOCK_OPEN] == 0:
            moves += max(0, wanted - cards - count(stock & ((1 << drawn) - 1)))
    if target - bonus == 52:
        moves = max(moves, moves_to_remove_all(problem, balance, state))
    if shape and target > 52:
        moves = max(moves, moves_to_clear(problem, balance, room, state, 0))
    return moves
