"""A move and its notation.

A move is a removal (a pair that adds up to 13, or a king alone), a draw or a recycle. `UNDO` is not a move but an
entry of a log, written in the same notation: `Kd`, `Tc+3s`, `draw`, `recycle`, `undo`.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from pyramide_cli.cards import (
    CARD_NAMES,
    DECK_SIZE,
    KING,
    TARGET_SUM,
    Card,
    CardError,
    card_label,
    card_name,
    parse_card,
    rank,
)
from pyramide_cli.errors import PyramideError

MoveKind = Literal["king", "pair", "draw", "recycle", "undo"]


class MoveError(PyramideError):
    """A text is not a move."""


class Move(NamedTuple):
    """A move: its kind, and the cards that it names (one for a king, two for a pair, none otherwise).

    A pair compares equal only to the pair with its cards in the same order; `canonical` orders them.
    """

    kind: MoveKind
    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return move_name(self)

    @property
    def is_removal(self) -> bool:
        """Whether the move takes cards away."""
        return bool(self.cards)


DRAW = Move("draw")
RECYCLE = Move("recycle")
UNDO = Move("undo")

_KINGS: dict[Card, Move] = {card: Move("king", (card,)) for card in range(DECK_SIZE)}
_PAIRS: dict[tuple[Card, Card], Move] = {
    (first, second): Move("pair", (first, second))
    for first in range(DECK_SIZE)
    for second in range(DECK_SIZE)
    if rank(first) + rank(second) == TARGET_SUM
}
_NAMES: dict[Move, str] = {DRAW: "draw", RECYCLE: "recycle", UNDO: "undo"}
_NAMES |= {move: CARD_NAMES[card] for card, move in _KINGS.items() if rank(card) == KING}
_NAMES |= {move: "+".join(map(card_name, move.cards)) for move in _PAIRS.values()}
_MOVES: dict[str, Move] = {name: move for move, name in _NAMES.items()}

_SEPARATOR = re.compile(r"[\s+&,]+")


def king(card: Card) -> Move:
    """Return the move that removes a card alone; the engine refuses it unless the card is a king."""
    return _KINGS[card]


def pair(first: Card, second: Card) -> Move:
    """Return the move that removes two cards; the engine refuses it unless they add up to 13."""
    return _PAIRS.get((first, second)) or Move("pair", (first, second))


def canonical(move: Move) -> Move:
    """Return the move with the cards of a pair in ascending order, so that equal moves compare equal."""
    if len(move.cards) == 2 and move.cards[0] > move.cards[1]:
        return pair(move.cards[1], move.cards[0])
    return move


def move_name(move: Move) -> str:
    """Return a move in record notation, such as `Tc+3s`; `parse_move` is the inverse."""
    name = _NAMES.get(move)
    return name if name is not None else "+".join(map(card_name, move.cards))


def move_label(move: Move, *, unicode: bool = True) -> str:
    """Return a move for people, such as `10♣ + 3♠`."""
    if not move.cards:
        return move.kind
    return " + ".join(card_label(card, unicode=unicode) for card in move.cards)


def parse_move(text: str) -> Move:
    """Return the move or undo that a text names: `draw`, `recycle`, `undo`, one card, or two.

    Cards may have any spelling, and `+`, `&`, a comma or space between them. Raises `MoveError` for bad syntax; whether
    the move is legal is for the engine to say.
    """
    move = _MOVES.get(text)
    return move if move is not None else _parse_loosely(text)


def _parse_loosely(text: str) -> Move:
    move = _MOVES.get(text.strip().lower())
    if move is not None:
        return move
    words = [word for word in _SEPARATOR.split(text) if word]
    if not 1 <= len(words) <= 2:
        raise MoveError(f"{text!r} is not a move: write draw, recycle, undo, a king (Kd) or a pair (Tc+3s)")
    try:
        cards = [parse_card(word) for word in words]
    except CardError as error:
        raise MoveError(f"{text!r} is not a move: {error}") from None
    if len(cards) == 1:
        return king(cards[0])
    if cards[0] == cards[1]:
        raise MoveError(f"{text!r} is not a move: it names the same card twice")
    return pair(cards[0], cards[1])
