"""Tips: rules of thumb for the next move, each with its name.

A tip knows only what a person knows: the face-up cards, and of the face-down ones which they are but not their order.
What is true of a position is for the solver to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from pyramide_cli.cards import TARGET_SUM, Card, rank
from pyramide_cli.game import Game
from pyramide_cli.moves import Move
from pyramide_cli.pyramid import COVERS, FULL, PLACES, ROW_OF, ROW_STARTS, places

Reason: TypeAlias = Literal["king", "mutual", "frees", "inside", "even", "only", "draw", "recycle"]
"""The rule of thumb behind a tip:

king: a free king goes at once. mutual: two pyramid cards have only each other left, and this uncovers them.
frees: it frees a card that can be used next. inside: a pair inside the pyramid before one with the waste.
even: it keeps the pyramid even. only: it is the only removal. draw, recycle: there is nothing to remove.
"""


class Tip(NamedTuple):
    """A move, and the rule of thumb that speaks for it."""

    move: Move
    reason: Reason


# How far each place is to the left (negative) or right (positive) of the middle, in half cards.
_OFFSETS = tuple(2 * (place - ROW_STARTS[ROW_OF[place] - 1]) - ROW_OF[place] + 1 for place in range(PLACES))


class Merits(NamedTuple):
    """What speaks for a removal, the most important first; the smallest value is the best.

    not_king: whether it is no king.
    aside: whether it takes nothing that lies over two cards that have only each other left.
    useless: minus the number of cards that it frees and that can be used next.
    outside: how many of its cards are not in the pyramid.
    uneven: what `unevenness` says of the pyramid after it.
    height: minus the rows of the places that it empties, so that low rows go first.
    """

    not_king: bool
    aside: bool
    useless: int
    outside: int
    uneven: int
    height: int


def tip(game: Game) -> Tip | None:
    """Return the move that the rules of thumb name, and the first rule that sets it apart; None without a move."""
    moves = game.legal_moves()
    removals = [move for move in moves if move.cards]
    if not removals:
        return Tip(moves[0], "recycle" if moves[0].kind == "recycle" else "draw") if moves else None
    if len(removals) == 1 and removals[0].kind != "king":
        return Tip(removals[0], "only")
    over_mutual = _over_mutual_pairs(game)
    merits = {move: _merits(game, move, over_mutual) for move in removals}
    best = min(removals, key=lambda move: merits[move])
    return Tip(best, _reason(merits[best], [merits[move] for move in removals if move is not best]))


def _reason(best: Merits, others: list[Merits]) -> Reason:
    """Return the first rule by which the best removal is better than some other."""
    if not best.not_king:
        return "king"
    reasons: tuple[Reason, ...] = ("king", "mutual", "frees", "inside", "even", "even")
    for value, reason, column in zip(best, reasons, zip(*others, strict=True), strict=True):
        if any(value < other for other in column):
            return reason
    return "even"


def _merits(game: Game, move: Move, over_mutual: int) -> Merits:
    before = game.position.pyramid
    seen = _seen(game)
    free = set(game.free_cards)
    game.push(move)
    after = game.position.pyramid
    freed = set(game.free_cards) - free
    useful = {card for other in game.legal_moves() if seen.issuperset(other.cards) for card in other.cards}
    game.pop()
    taken = before & ~after
    return Merits(
        not_king=move.kind != "king",
        aside=not taken & over_mutual,
        useless=-len(useful & freed),
        outside=len(move.cards) - taken.bit_count(),
        uneven=unevenness(after),
        height=-sum(ROW_OF[place] for place in places(taken)),
    )


def unevenness(pyramid: int) -> int:
    """Return by how many half cards, in all, the places taken lie more on one side of the middle than on the other."""
    return abs(sum(_OFFSETS[place] for place in places(FULL & ~pyramid)))


def _seen(game: Game) -> set[Card]:
    """Return the cards that lie face up: the pyramid, the waste, and the stock's top under `stock_open`."""
    seen = {card for card in game.pyramid_cards if card is not None} | set(game.waste)
    if game.rules.stock_open and game.stock_top is not None:
        seen.add(game.stock_top)
    return seen


def mutual_pairs(game: Game) -> Iterator[tuple[int, int]]:
    """Yield the places of two pyramid cards that have only each other left to pair with.

    Which cards are still in the game is known to a player who counts, though not the order of those in the stock.
    """
    left = {card for card in game.pyramid_cards if card is not None} | set(game.waste) | set(game.stock)
    place_of = {card: place for place, card in enumerate(game.pyramid_cards) if card is not None}
    partners = {card: [other for other in left if rank(other) + rank(card) == TARGET_SUM] for card in place_of}
    for card, place in place_of.items():
        if len(partners[card]) != 1:
            continue
        [other] = partners[card]
        if place < place_of.get(other, -1) and len(partners[other]) == 1:
            yield place, place_of[other]


def _over_mutual_pairs(game: Game) -> int:
    """Return the places that lie over cards that have only each other left, as a set."""
    over = 0
    for pair in mutual_pairs(game):
        for place in pair:
            over |= _over(place)
    return over & game.position.pyramid


@cache
def _over(place: int) -> int:
    """Return the places that must be empty before a place is free, as a set."""
    over = 0
    for cover in COVERS[place]:
        over |= 1 << cover | _over(cover)
    return over
