"""What can be left of the pyramid in the end: the shapes that a game without a win may come to.

A question about points or cards is a question about the shapes that are left. The cards of such a shape take part in
nothing, and lie over none that goes; so to end with just them is a win of a game without them (problem.py), and every
bound of a win holds for it. Here the shapes are sorted out for which that could be, were the whole stock always at
hand (balance.py): mostly some hundreds of the 1,430, but one or two of them with the fewest cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.cards import KING
from pyramide_cli.deals import Deal
from pyramide_cli.game import Position
from pyramide_cli.pyramid import PLACES, ROW_MASKS, free_mask, places
from pyramide_cli.rules import Rules
from pyramide_cli.scoring import MICROSOFT_REMOVAL, MICROSOFT_ROW_BONUS
from pyramide_cli.solver._jit import kernel
from pyramide_cli.solver.shapes import shape_tables
from pyramide_cli.solver.verdicts import Room, _count_cards, is_possible, new_room


@kernel
def _sort_out(
    room: Room,
    deck: NDArray[np.uint8],
    pyramid: int,
    stock: int,
    cover_pair: int,
    rests: NDArray[np.int64],
    possible: NDArray[np.bool_],
) -> None:
    """Write for each of the shapes `rests` whether everything but it can go; pyramid, stock: the cards left now."""
    _count_cards(room, deck, stock)
    for at in range(rests.shape[0]):
        rest = rests[at]
        possible[at] = rest & ~pyramid == 0 and is_possible(room, pyramid & ~rest, 0, cover_pair)


def possible_rests(deal: Deal, rules: Rules, position: Position) -> NDArray[np.int64]:
    """Return the shapes that may be left in the end, as masks, the empty one first; the others cannot, by proof.

    Exact where `balance.decides(rules)` and the goal is `pyramid`.
    """
    rests = shape_tables().masks
    possible = np.empty(len(rests), np.bool_)
    deck = np.array(deal.cards, np.uint8)
    _sort_out(new_room(), deck, position.pyramid, position.stock, int(rules.cover_pair), rests, possible)
    found: NDArray[np.int64] = rests[possible]
    return found


def finished(deal: Deal, rests: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return those of some shapes in which no king is free and no two free cards pair.

    The others are not left where no more can be removed than there was.
    """
    ranks = [card // 4 + 1 for card in deal.cards[:PLACES]]
    kept = []
    for rest in rests.tolist():
        free = [ranks[place] for place in places(free_mask(rest))]
        if KING not in free and all(KING - rank not in free for rank in free):
            kept.append(rest)
    return np.array(kept, np.int64)


def sizes(rests: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many cards each shape has."""
    count: NDArray[np.int64] = (rests[:, np.newaxis] >> np.arange(28) & 1).sum(axis=1)
    return count


def most_points(deal: Deal, rests: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each shape the most points under scoring `microsoft` with just its cards left in the pyramid."""
    pairs, kings = _most_removed(deal, rests)
    points = MICROSOFT_REMOVAL * (pairs + kings)
    for mask, bonus in zip(ROW_MASKS, MICROSOFT_ROW_BONUS, strict=True):
        points += np.where(rests & mask, 0, bonus)
    return points


def most_removed(deal: Deal, rests: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each shape how many of the 52 cards can be gone at most with just its cards left in the pyramid."""
    pairs, kings = _most_removed(deal, rests)
    return 2 * pairs + kings


def _most_removed(deal: Deal, rests: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the most pairs and kings; of two ranks that go together the one with fewer cards counts."""
    left = np.full((13, len(rests)), 4, np.int64)
    for place in range(PLACES):
        left[deal.cards[place] // 4] -= rests >> place & 1
    return np.minimum(left[:6], left[11:5:-1]).sum(axis=0), left[12]


def most_of_rank(deal: Deal, rests: NDArray[np.int64], rank: int) -> NDArray[np.int64]:
    """Return for each shape how many cards of a rank can be gone at most with just its cards left in the pyramid."""
    left = np.full((14, len(rests)), 4, np.int64)
    for place in range(PLACES):
        left[deal.cards[place] // 4 + 1] -= rests >> place & 1
    most: NDArray[np.int64] = left[rank] if rank == KING else np.minimum(left[rank], left[KING - rank])
    return most
