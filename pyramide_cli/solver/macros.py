"""Moves in bundles, for the search for a win: only positions where something is to be decided remain.

Pairs inside the pyramid wait until they are needed: what a search decides is which card leaves the waste
(or the open stock), with which card of the pyramid, after the shortest chains of pairs inside the pyramid
that free it. Kings of the pyramid go at once, and where nothing can be done the next card is drawn.
"""

from __future__ import annotations

from typing import TypeAlias

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
    length,
    lowest,
)
from pyramide_cli.solver.layout import (
    BURIED,
    COVER_PAIR,
    DRAWN_PAIR,
    GOAL_ALL,
    MICROSOFT,
    OBJECTIVE,
    RANK,
    RANK_ASKED,
    RECYCLES,
    SHAPE_NUMBER,
    SHORTEST,
    STOCK_OPEN,
    TARGET,
    WIN,
    Numbers,
    finish_of,
    free_of,
    kingless_of,
    mask_of,
    over_of,
    places_of,
    rank_at,
    reach_of,
    stock_of,
    stock_rank,
)
from pyramide_cli.solver.moves import draw_or_recycle, drop_stock
from pyramide_cli.solver.values import ends_with

Chains: TypeAlias = NDArray[np.int32]
Found: TypeAlias = NDArray[np.int64]
"""[..., 0...1]: positions that follow one, and the moves to each."""

MUST_TURN = 1 << 16
"""A mark beside the moves: what this way gains comes in a later pass; for this one there is another as short."""

DEEPEST = 16
"""More pairs than can follow each other inside the pyramid."""
MOST_PAIRS = 32
"""More pairs than a shape can have."""
MOST_FOUND = 4 * SHAPE_NUMBER
"""More positions than can follow one."""

# The array `chains` keeps every way to use a card of a rank in a shape that was asked for:
WAYS_USED = 0
"""How many numbers of the part WAYS are used."""
CHAIN = 8
"""[depth][0...3] the chain of pairs under way: the shape, its pairs, the pair that was taken, the removals."""
PAIRS = CHAIN + 4 * DEEPEST
"""[depth][pair] the pairs that can be taken at each depth, as masks of two places."""
KNOWN = PAIRS + DEEPEST * MOST_PAIRS
"""[shape][rank] 1 + where its ways begin in WAYS, and their number from bit 20 on; 0 until asked for."""
WAYS = KNOWN + 16 * SHAPE_NUMBER
"""[...] the shape afterwards, and from bit 11 on the removals that it takes."""
WAYS_ROOM = 16 * SHAPE_NUMBER


def new_chains() -> Chains:
    """Return an empty array `chains`."""
    return np.zeros(WAYS + WAYS_ROOM, np.int32)


@bare
def forget_chains(chains: Chains) -> None:
    """Empty the array `chains` for another deal."""
    chains[:WAYS] = 0


@bare
def without_kings(problem: Numbers, shape: int) -> tuple[int, int]:
    """Return a shape once its free kings are gone, and how many those are."""
    kingless = kingless_of(problem, shape)
    return kingless, count(mask_of(problem, shape)) - count(mask_of(problem, kingless))


@bare
def inside_pairs(problem: Numbers, without: NDArray[np.int16], shape: int, pairs: NDArray[np.int32], begin: int) -> int:
    """Write the pairs that a shape has inside the pyramid into `pairs` from `begin` on; return their number."""
    free = free_of(problem, shape)
    size, left = 0, free
    while left:
        place = lowest(left)
        left &= left - 1
        rank = rank_at(problem, place)
        if rank == 13:
            continue
        others = left
        if problem[COVER_PAIR]:
            others |= free_of(problem, int(without[shape, place])) & ~free
        others &= places_of(problem, 13 - rank)
        while others:
            pairs[begin + size] = 1 << place | (others & -others)
            size += 1
            others &= others - 1
    return size


@bare
def after_pair(without: NDArray[np.int16], shape: int, pair: int) -> int:
    """Return the shape without a pair; where one card covers the other it has the higher place and goes first."""
    high = length(pair) - 1
    return int(without[int(without[shape, high]), lowest(pair)])


@bare
def is_needed(problem: Numbers, chains: Chains, depth: int, place: int) -> bool:
    """Return whether every pair of the chain under way helps to free a place."""
    wanted = over_of(problem, place)
    for at in range(depth - 1, -1, -1):
        pair = int(chains[CHAIN + 4 * at + 2])
        if pair & wanted == 0:
            return False
        wanted |= over_of(problem, lowest(pair)) | over_of(problem, length(pair) - 1)
    return True


@bare
def comes_first(chains: Chains, depth: int, pair: int) -> bool:
    """Return whether a pair could as well have been taken before the last pair of the chain, and sorts first."""
    if depth == 0:
        return False
    before = CHAIN + 4 * (depth - 1)
    if pair > chains[before + 2]:
        return False
    pairs = PAIRS + MOST_PAIRS * (depth - 1)
    known = False
    for at in range(pairs, pairs + int(chains[before + 1])):
        known |= chains[at] == pair
    return known


@bare
def add_ways(problem: Numbers, without: NDArray[np.int16], chains: Chains, depth: int, rank: int, first: int) -> None:
    """Add the ways to use a card of the rank right after the chain under way."""
    shape, moves = int(chains[CHAIN + 4 * depth]), int(chains[CHAIN + 4 * depth + 3])
    cards = free_of(problem, shape) & places_of(problem, rank)
    while cards:
        place = lowest(cards)
        cards &= cards - 1
        if is_needed(problem, chains, depth, place):
            after, kings = without_kings(problem, int(without[shape, place]))
            way = after | (moves + 1 + kings) << 11
            used = int(chains[WAYS_USED])
            known = False
            for at in range(WAYS + first, WAYS + used):
                known |= chains[at] == way
            if not known:
                chains[WAYS + used] = way
                chains[WAYS_USED] = used + 1


@bare
def find_ways(problem: Numbers, without: NDArray[np.int16], chains: Chains, shape: int, rank: int) -> None:
    """Find every way to use a card of a rank in a shape: by shortest chains of pairs inside that free it."""
    if chains[WAYS_USED] + SHAPE_NUMBER > WAYS_ROOM:
        forget_chains(chains)
    first = int(chains[WAYS_USED])
    depth, tried = 0, -1
    chains[CHAIN] = shape
    chains[CHAIN + 3] = 0
    while depth >= 0:
        here = CHAIN + 4 * depth
        pairs = PAIRS + MOST_PAIRS * depth
        if tried < 0:
            add_ways(problem, without, chains, depth, rank, first)
            chains[here + 1] = inside_pairs(problem, without, int(chains[here]), chains, pairs)
        tried += 1
        if tried >= chains[here + 1]:
            depth -= 1
            if depth >= 0:  # go on behind the pair that led here
                tried = 0
                while chains[PAIRS + MOST_PAIRS * depth + tried] != chains[CHAIN + 4 * depth + 2]:
                    tried += 1
            continue
        pair = int(chains[pairs + tried])
        if comes_first(chains, depth, pair):
            continue
        after, kings = without_kings(problem, after_pair(without, int(chains[here]), pair))
        if reach_of(problem, after) & places_of(problem, rank) & ~free_of(problem, int(chains[here])):
            chains[here + 2] = pair
            depth += 1
            chains[here + 4] = after
            chains[here + 7] = chains[here + 3] + 1 + kings
            tried = -1
    chains[KNOWN + 16 * shape + rank] = first + 1 | (int(chains[WAYS_USED]) - first) << 20


@bare
def top_card(problem: Numbers, waste: int) -> int:
    """Return 1 + the number of the highest card in the waste that is no king; 0 for none."""
    return length(waste & ~stock_of(problem, 13))


@bare
def kings_count(problem: Numbers) -> bool:
    """Return whether kings of waste and open stock go at once: where they must go, or give points."""
    if problem[OBJECTIVE] == RANK:
        return bool(problem[RANK_ASKED] == 13)
    return bool(problem[GOAL_ALL] == 1 or problem[OBJECTIVE] == MICROSOFT)


@bare
def may_drop_king(problem: Numbers, state: int) -> bool:
    """Return whether a king on top of the waste may be worth a move though the card under it does not go now.

    With `drawn_pair` the card under it may wait for a drawn one. Else only kings that lay in the waste at the start
    may, in that pass and where another one may come: for all others that is made good when they would be drawn again.
    """
    if kings_count(problem) or (problem[DRAWN_PAIR] == 0 and (problem[BURIED] == 0 or problem[SHORTEST] == 0)):
        return False
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    if drawn == 0 or stock_rank(problem, drawn - 1) != 13 or stock == 0:
        return False
    if problem[DRAWN_PAIR]:
        return True
    turned = (state >> TURNED_AT) & TURNED
    return bool(turned == 0 and problem[RECYCLES] != 0 and problem[BURIED] >> drawn - 1 & 1)


@bare
def may_finish(problem: Numbers, state: int) -> bool:
    """Return whether kings and pairs inside the pyramid are all that is missing."""
    if problem[OBJECTIVE] != WIN:
        return bool(ends_with(problem, state) >= problem[TARGET])
    finish = finish_of(problem, (state >> SHAPE_AT) & SHAPE)
    return finish >= 0 and (problem[GOAL_ALL] == 0 or state & STOCK == 0)


@bare
def is_decision(problem: Numbers, state: int) -> bool:
    """Return whether there is anything to decide but drawing the next card (or turning the waste)."""
    shape = (state >> SHAPE_AT) & SHAPE
    stock = state & STOCK
    if state & FRESH or may_drop_king(problem, state):
        return True
    if may_finish(problem, state):
        return True
    drawn = (state >> DRAWN_AT) & DRAWN
    waste = stock & ((1 << drawn) - 1)
    reach = reach_of(problem, shape)
    top = top_card(problem, waste)
    rank = stock_rank(problem, top - 1) if top else 0
    if top and reach & places_of(problem, 13 - rank):
        return True
    if problem[STOCK_OPEN] and stock != waste:
        other = stock_rank(problem, lowest(stock ^ waste))
        return reach & places_of(problem, 13 - other) != 0 or rank + other == 13
    return False


@bare
def forced(problem: Numbers, state: int) -> tuple[int, int]:
    """Return the position after drawing, or turning the waste, and the moves; the position is -1 where neither can be.

    A king on the open stock is removed instead: that costs the same and leaves the waste as it is. After a king that
    vanishes the next card is drawn too: in between there is nothing new to decide.
    """
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    ahead = stock >> drawn << drawn
    if problem[STOCK_OPEN] and ahead and stock_rank(problem, lowest(ahead)) == 13:
        return drop_stock(state, ahead & -ahead), 1
    after, moves = draw_or_recycle(problem, state), 1
    while after >= 0 and 0 < after & ahead < ahead:
        ahead &= after
        after = draw_or_recycle(problem, after)
        moves += 1
    return after, moves


@bare
def settle(problem: Numbers, state: int) -> tuple[int, int, int]:
    """Go on to the next position where there is something to decide; return it, the moves and the recycles to it.

    The position is -1 where the game cannot be won any more that way.
    """
    moves, turns = 0, 0
    while True:
        shape = (state >> SHAPE_AT) & SHAPE
        after, kings = without_kings(problem, shape)
        state += (after - shape) << SHAPE_AT
        moves += kings
        if after == 0 and (problem[GOAL_ALL] == 0 or state & STOCK == 0):
            return state, moves, turns
        if kings_count(problem):
            drawn = (state >> DRAWN_AT) & DRAWN
            if drawn and stock_rank(problem, drawn - 1) == 13:
                state = drop_stock(state, 1 << (drawn - 1))
                moves += 1
                continue
            ahead = (state & STOCK) >> drawn << drawn
            if problem[STOCK_OPEN] and ahead and stock_rank(problem, lowest(ahead)) == 13:
                state = drop_stock(state, ahead & -ahead)
                moves += 1
                continue
            ahead = (state & STOCK) >> drawn << drawn
            if problem[STOCK_OPEN] and ahead and stock_rank(problem, lowest(ahead)) == 13:
                state = drop_stock(state, ahead & -ahead)
                moves += 1
                continue
        if is_decision(problem, state):
            return state, moves, turns
        drawn = (state >> DRAWN_AT) & DRAWN
        if (state & STOCK) >> drawn == 0:
            turns += 1
        state, more = forced(problem, state)
        if state < 0 or turns == 2:
            return -1, moves, turns
        moves += more


@bare
def decide(problem: Numbers, without: NDArray[np.int16], chains: Chains, state: int, found: Found) -> int:
    """Write the settled positions after every decision, with the moves to each; return their number."""
    shape = (state >> SHAPE_AT) & SHAPE
    stock = state & STOCK
    drawn = (state >> DRAWN_AT) & DRAWN
    waste = stock & ((1 << drawn) - 1)
    ahead = stock ^ waste
    size = 0
    if may_finish(problem, state):
        found[0, 0] = state & ~(SHAPE << SHAPE_AT)
        found[0, 1] = finish_of(problem, shape)
        return 1
    following, more = forced(problem, state)
    if following >= 0:
        size = add(problem, following, more, found, size)
    if may_drop_king(problem, state):
        after, more, turns = settle(problem, drop_stock(state, 1 << drawn >> 1))
        if after >= 0:
            found[size, 0] = after
            found[size, 1] = 1 + more
            if turns == 0 and problem[DRAWN_PAIR] == 0:
                found[size, 1] |= MUST_TURN
            size += 1
    top = top_card(problem, waste)
    rank = stock_rank(problem, top - 1) if top else 0
    lifted = waste >> top << top
    if top:
        size = use_card(problem, without, chains, state, lifted | 1 << (top - 1), rank, found, size)
    if problem[STOCK_OPEN] and ahead:
        card = ahead & -ahead
        other = stock_rank(problem, lowest(ahead))
        if other != 13:
            size = use_card(problem, without, chains, state, card, other, found, size)
        if rank + other == 13 and top:
            cards = lifted | 1 << (top - 1) | card
            size = add(problem, drop_stock(state, cards), 1 + count(lifted), found, size)
    if state & FRESH:
        below = length(waste & ((1 << drawn >> 1) - 1))
        cards = 1 << drawn >> 1 | 1 << below >> 1
        size = add(problem, drop_stock(state, cards), 1, found, size)
    return size


@bare
def use_card(
    problem: Numbers,
    without: NDArray[np.int16],
    chains: Chains,
    state: int,
    cards: int,
    rank: int,
    found: Found,
    size: int,
) -> int:
    """Add every way to pair a card of waste or stock with the pyramid; return the new number of positions.

    cards: that card, and the kings on top of it, which go before it.
    """
    shape = (state >> SHAPE_AT) & SHAPE
    if reach_of(problem, shape) & places_of(problem, 13 - rank) == 0:
        return size
    index = KNOWN + 16 * shape + 13 - rank
    if chains[index] == 0:
        find_ways(problem, without, chains, shape, 13 - rank)
    first = WAYS + (int(chains[index]) & 0xFFFFF) - 1
    rest = drop_stock(state, cards) & ~(SHAPE << SHAPE_AT)
    lifted = count(cards) - 1
    for at in range(first, first + (int(chains[index]) >> 20)):
        way = int(chains[at])
        size = add(problem, rest | (way & SHAPE) << SHAPE_AT, lifted + (way >> 11), found, size)
    return size


@bare
def add(problem: Numbers, state: int, cost: int, found: Found, size: int) -> int:
    """Settle a position and add it to those found, with the moves to it; return their new number."""
    state, more, _ = settle(problem, state)
    if state < 0:
        return size
    found[size, 0] = state
    found[size, 1] = cost + more
    return size + 1
