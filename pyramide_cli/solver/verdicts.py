"""The search of balance.py as a kernel: the verdicts of many deals, more than a million a second.

balance.py says why it is right; here is only what makes it fast. The pairs are chosen with an explicit stack: level l
chooses the l-th pair, and `before[l]` holds for each place what has to go earlier, given the pairs below level l. A
deal takes five levels tried on average; the most seen in a million deals were some hundreds.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.pyramid import PLACES, shapes
from pyramide_cli.rules import DEFAULT_RULES, Rules
from pyramide_cli.solver._jit import kernel
from pyramide_cli.solver.balance import OVER

MOST_PAIRS = 14
"""No more fit into the pyramid."""


class Room(NamedTuple):
    """The arrays that the kernel writes to, made once and used for every position."""

    over: NDArray[np.int64]
    """[place]: the places that lie over it; the one array that is only read."""
    ranks: NDArray[np.int64]
    """[place]: the rank of the pyramid card there."""
    in_stock: NDArray[np.int64]
    """[rank]: how many cards of it are in stock and waste."""
    in_pyramid: NDArray[np.int64]
    """[rank]: how many cards of it are in the pyramid."""
    places: NDArray[np.int64]
    """[rank, 0...3]: where they are."""
    groups: NDArray[np.int64]
    """[group, 3]: how many pairs are possible, the rank with fewer cards, and how many pairs it needs."""
    level_rank: NDArray[np.int64]
    """[level]: the rank whose card the level pairs."""
    level_more: NDArray[np.int64]
    """[level]: how many more pairs of this rank the levels after it choose."""
    level_first: NDArray[np.int64]
    """[level]: 1 for the first level of a rank."""
    first: NDArray[np.int64]
    """[level]: the chosen card, an index into `places[rank]`."""
    second: NDArray[np.int64]
    """[level]: its partner, an index into `places[13 - rank]`."""
    used: NDArray[np.int64]
    """[level]: the places of the partners that the levels below it have taken."""
    before: NDArray[np.int64]
    """[level, place]: what has to go before it."""


def new_room() -> Room:
    """Make the arrays."""

    def numbers(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    levels = MOST_PAIRS + 1
    return Room(
        np.array(OVER, np.int64),
        numbers(PLACES),
        numbers(14),
        numbers(14),
        numbers(14, 4),
        numbers(6, 3),
        numbers(levels),
        numbers(levels),
        numbers(levels),
        numbers(levels),
        numbers(levels),
        numbers(levels),
        numbers(levels, PLACES),
    )


@kernel
def _count_cards(room: Room, deck: NDArray[np.uint8], stock: int) -> None:
    """Fill `ranks` and `in_stock` from the 52 cards of a deal and the mask of the stock cards that are left."""
    for place in range(28):
        room.ranks[place] = int(deck[place]) // 4 + 1
    room.in_stock[:] = 0
    for at in range(24):
        if stock >> at & 1:
            room.in_stock[int(deck[28 + at]) // 4 + 1] += 1


@kernel
def _list_levels(room: Room, pyramid: int, exact: int) -> int:
    """Fill the places and levels for the pyramid cards of a mask; return the number of levels, -1 for "impossible"."""
    count, places, groups, over = room.in_pyramid, room.places, room.groups, room.over
    count[:] = 0
    for place in range(28):
        if pyramid >> place & 1:
            rank = room.ranks[place]
            places[rank, count[rank]] = place
            count[rank] += 1
    size = 0
    for low in range(1, 7):
        high = 13 - low
        need = max(count[low] - room.in_stock[high], count[high] - room.in_stock[low])
        if exact and need < 0:
            return -1
        if need <= 0:
            continue
        if need > min(count[low], count[high]):
            return -1
        choices = 0
        for i in range(count[low]):
            first = places[low, i]
            for j in range(count[high]):
                second = places[high, j]
                # Under cover_pair a few more are possible. This is only for the order in which ranks are tried.
                choices += 1 - (over[first] >> second & 1 | over[second] >> first & 1)
        at = size
        while at > 0 and groups[at - 1, 0] > choices:
            groups[at] = groups[at - 1]
            at -= 1
        groups[at, 0] = choices
        groups[at, 1] = low if count[low] <= count[high] else high
        groups[at, 2] = need
        size += 1
    levels = 0
    for group in range(size):
        need = groups[group, 2]
        for number in range(need):
            room.level_rank[levels] = groups[group, 1]
            room.level_more[levels] = need - number - 1
            room.level_first[levels] = number == 0
            levels += 1
    return levels


@kernel
def _makes_a_circle(before: NDArray[np.int64], both: int, earlier: int) -> bool:
    """Whether a card that has to go before a pair has to go after one of its cards."""
    circle = False
    for place in range(28):
        circle |= bool(earlier >> place & 1 and before[place] & both)
    return circle


@kernel
def is_possible(room: Room, pyramid: int, exact: int, cover_pair: int) -> bool:
    """Return whether the pyramid cards of a mask can all go, if every stock card can always be reached.

    The mask holds with each card those over it. `ranks` and `in_stock` are filled in. exact, cover_pair: flags, as in
    balance.py.
    """
    levels = _list_levels(room, pyramid, exact)
    if levels <= 0:
        return levels == 0
    places, used = room.places, room.used
    for place in range(28):
        room.before[0, place] = room.over[place] & pyramid
    used[0] = 0
    level, first, second = 0, 0, -1
    while True:
        rank = room.level_rank[level]
        second += 1
        if second >= room.in_pyramid[13 - rank]:
            second = 0
            first += 1
        if first >= room.in_pyramid[rank] - room.level_more[level]:
            if level == 0:
                return False
            level -= 1
            first, second = room.first[level], room.second[level]
            continue
        here, there = places[rank, first], places[13 - rank, second]
        if used[level] >> there & 1:
            continue
        before = room.before[level]
        both = 1 << here | 1 << there
        waits = before[here] | before[there]
        earlier = waits & ~both
        if waits & both and (not cover_pair or _makes_a_circle(before, both, earlier)):
            continue
        room.first[level], room.second[level] = first, second
        if level + 1 == levels:
            return True
        after = room.before[level + 1]
        for place in range(28):
            mask = before[place]
            after[place] = mask | earlier | both if mask & both else mask
        after[here] = earlier
        after[there] = earlier
        used[level + 1] = used[level] | 1 << there
        level += 1
        first, second = 0 if room.level_first[level] else first + 1, -1


@kernel
def _decide_all(room: Room, decks: NDArray[np.uint8], exact: int, cover_pair: int, verdicts: NDArray[np.bool_]) -> None:
    """Write for each deck, a row of 52 cards, whether it can be won."""
    for number in range(decks.shape[0]):
        _count_cards(room, decks[number], 0xFFFFFF)
        verdicts[number] = is_possible(room, 0xFFFFFFF, exact, cover_pair)


@kernel
def _decide_positions(
    room: Room,
    deck: NDArray[np.uint8],
    pyramids: NDArray[np.int64],
    stocks: NDArray[np.int64],
    exact: int,
    cover_pair: int,
    verdicts: NDArray[np.bool_],
) -> None:
    """Write for each position of one deal whether it can be won."""
    for number in range(pyramids.shape[0]):
        _count_cards(room, deck, stocks[number])
        verdicts[number] = is_possible(room, pyramids[number], exact, cover_pair)


@kernel
def _clear_most(
    room: Room, decks: NDArray[np.uint8], rests: NDArray[np.int64], cover_pair: int, cleared: NDArray[np.int64]
) -> None:
    """Write for each deck how many cards are gone at the first of the shapes `rests` that can be reached."""
    for number in range(decks.shape[0]):
        _count_cards(room, decks[number], 0xFFFFFF)
        for shape in range(rests.shape[0]):
            gone = 0xFFFFFFF & ~rests[shape]
            if is_possible(room, gone, 0, cover_pair):
                size = 0
                while gone:
                    gone &= gone - 1
                    size += 1
                cleared[number] = size
                break


def _flags(rules: Rules) -> tuple[int, int]:
    """Return the flags `exact` and `cover_pair` of these rules, as balance.py has them."""
    return int(rules.goal == "all" and not (rules.stock_open or rules.drawn_pair)), int(rules.cover_pair)


def can_be_won_many(decks: NDArray[np.uint8], rules: Rules = DEFAULT_RULES) -> NDArray[np.bool_]:
    """Return for each deck, a row of 52 cards, whether it can be won if every stock card can always be reached.

    False is a proof under all rules, True only where `balance.decides(rules)`.
    """
    verdicts = np.empty(len(decks), np.bool_)
    _decide_all(new_room(), np.ascontiguousarray(decks), *_flags(rules), verdicts)
    return verdicts


def can_be_won_at(
    deck: NDArray[np.uint8], pyramids: NDArray[np.int64], stocks: NDArray[np.int64], rules: Rules = DEFAULT_RULES
) -> NDArray[np.bool_]:
    """Return the same for many positions of one deal.

    pyramids, stocks: the masks of the cards that are left, as `game.Position` has them.
    """
    verdicts = np.empty(len(pyramids), np.bool_)
    _decide_positions(new_room(), deck, pyramids, stocks, *_flags(rules), verdicts)
    return verdicts


def most_cleared_many(decks: NDArray[np.uint8], rules: Rules = DEFAULT_RULES) -> NDArray[np.int64]:
    """Return for each deck how many pyramid cards can be gone at most if every stock card can always be reached.

    Exact where the goal is `pyramid` and `balance.decides(rules)`, else an upper bound.
    """
    cleared = np.empty(len(decks), np.int64)
    _clear_most(new_room(), np.ascontiguousarray(decks), _fullest_last(), int(rules.cover_pair), cleared)
    return cleared


@cache
def _fullest_last() -> NDArray[np.int64]:
    return np.array(sorted(shapes(), key=int.bit_count), np.int64)
