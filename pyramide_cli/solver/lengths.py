"""How long the winning lines of balance.py are, for many deals at once: `winning_line` as a kernel that only counts.

It makes the same moves, so a short record says the same as a full one; a test holds both together. Where the two
could choose different pairs (`cover_pair`) it is not to be used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.pyramid import COVER_MASK, PLACES
from pyramide_cli.rules import DEFAULT_RULES, Rules
from pyramide_cli.solver._jit import kernel
from pyramide_cli.solver.balance import OVER, decides
from pyramide_cli.solver.verdicts import Room, _count_cards, _flags, _list_levels, is_possible, new_room

NO_WIN = -1


def measures(rules: Rules) -> bool:
    """Return whether `winning_lengths` can be asked under these rules."""
    return decides(rules) and not rules.cover_pair


def winning_lengths(decks: NDArray[np.uint8], rules: Rules = DEFAULT_RULES) -> NDArray[np.int64]:
    """Return for each deck, a row of 52 cards, the number of moves of its `winning_line`, `NO_WIN` where it has none.

    For rules that `measures` allows.
    """
    lengths = np.empty(len(decks), np.int64)
    exact, _ = _flags(rules)
    all_go, open_top, on_waste = int(rules.goal == "all"), int(rules.stock_open), int(rules.deal_waste)
    _measure_all(new_room(), _COVER, _UNDER, np.ascontiguousarray(decks), exact, all_go, open_top, on_waste, lengths)
    return lengths


# [place]: the places that cover it, and the places that it lies over, however many rows up; as sets.
_COVER = np.array(COVER_MASK, np.int64)
_UNDER = np.array([sum(1 << under for under in range(PLACES) if OVER[under] >> place & 1) for place in range(PLACES)])


@kernel
def _measure_all(
    room: Room,
    cover: NDArray[np.int64],
    under: NDArray[np.int64],
    decks: NDArray[np.uint8],
    exact: int,
    all_go: int,
    open_top: int,
    on_waste: int,
    lengths: NDArray[np.int64],
) -> None:
    """Write for each deck how many moves its winning line has, -1 where there is none.

    exact: the flag of balance.py. all_go, open_top, on_waste: whether the goal is `all`, the top of the stock is in
    play, and one card is on the waste at the start.
    """
    partner = np.empty(28, np.int64)
    stock = np.empty(24, np.int64)
    waste = np.empty(24, np.int64)
    for number in range(decks.shape[0]):
        deck = decks[number]
        _count_cards(room, deck, 0xFFFFFF)
        if not is_possible(room, 0xFFFFFFF, exact, 0):
            lengths[number] = -1
            continue
        partner[:] = -1
        # The levels list the same pairs again; what was chosen for them is still there.
        for level in range(_list_levels(room, 0xFFFFFFF, exact)):
            rank = room.level_rank[level]
            here, there = room.places[rank, room.first[level]], room.places[13 - rank, room.second[level]]
            partner[here], partner[there] = there, here
        lengths[number] = _play(room.ranks, cover, under, partner, deck, stock, waste, all_go, open_top, on_waste)


@kernel
def _play(
    ranks: NDArray[np.int64],
    cover: NDArray[np.int64],
    under: NDArray[np.int64],
    partner: NDArray[np.int64],
    deck: NDArray[np.uint8],
    stock: NDArray[np.int64],
    waste: NDArray[np.int64],
    all_go: int,
    open_top: int,
    on_waste: int,
) -> int:
    """Play a game that wins with the given pairs inside the pyramid; return the number of moves.

    ranks, partner: [place], the rank there and the place that it goes with, -1 for alone. stock: the ranks to be
    drawn, the next one last. waste: the drawn ranks, the top last. Both are written to.
    """
    drawn, left = 0, 0
    for at in range(24):
        if at < on_waste:
            waste[drawn] = int(deck[28 + at]) // 4 + 1
            drawn += 1
        else:
            stock[23 - at] = int(deck[28 + at]) // 4 + 1
            left += 1
    pyramid = 0xFFFFFFF
    moves = 0
    while pyramid or (all_go and (left or drawn)):
        gone = _find_inside(ranks, cover, partner, pyramid, all_go)
        if not gone and drawn:
            gone = _find_for_top(ranks, cover, under, partner, pyramid, waste[drawn - 1])
            if gone or (all_go and waste[drawn - 1] == 13):
                drawn -= 1
                pyramid &= ~gone
                moves += 1
                continue
        if not gone and open_top and left:
            gone = _find_for_top(ranks, cover, under, partner, pyramid, stock[left - 1])
            if gone or (all_go and stock[left - 1] == 13):
                left -= 1
                pyramid &= ~gone
                moves += 1
                continue
        if gone:
            pyramid &= ~gone
        elif left:
            left -= 1
            waste[drawn] = stock[left]
            drawn += 1
        else:
            while drawn:
                drawn -= 1
                stock[left] = waste[drawn]
                left += 1
        moves += 1
    return moves


@kernel
def _find_inside(
    ranks: NDArray[np.int64], cover: NDArray[np.int64], partner: NDArray[np.int64], pyramid: int, all_go: int
) -> int:
    """Return the free king, or the free pair, that goes next, as a set of places; 0 where there is none."""
    for place in range(28):
        if not pyramid >> place & 1 or cover[place] & pyramid:
            continue
        if ranks[place] == 13:
            return 1 << place
        other = int(partner[place])
        if other >= 0:
            if pyramid >> other & 1 and not cover[other] & pyramid:
                return 1 << place | 1 << other
        elif not all_go:
            for other in range(place + 1, 28):
                if (
                    pyramid >> other & 1
                    and not cover[other] & pyramid
                    and partner[other] < 0
                    and ranks[place] + ranks[other] == 13
                ):
                    return 1 << place | 1 << other
    return 0


@kernel
def _find_for_top(
    ranks: NDArray[np.int64],
    cover: NDArray[np.int64],
    under: NDArray[np.int64],
    partner: NDArray[np.int64],
    pyramid: int,
    top: int,
) -> int:
    """Return the free place whose card goes with the top card of a pile and that the most others wait for, else 0."""
    best, most = 0, -1
    for place in range(28):
        if not pyramid >> place & 1 or cover[place] & pyramid or partner[place] >= 0 or ranks[place] + top != 13:
            continue
        waiting = under[place] & pyramid
        count = 0
        while waiting:
            waiting &= waiting - 1
            count += 1
        if count > most:
            best, most = 1 << place, count
    return best
