"""Ranks, suits and the 52 cards: their numbers and their text.

A card is a small integer, `4 * (rank - 1) + suit`, with rank 1 (ace) to 13 (king) and suit 0 to 3
(clubs, diamonds, hearts, spades).
"""

from __future__ import annotations

from typing import TypeAlias

from pyramide_cli.errors import PyramideError

Card: TypeAlias = int

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"
DECK_SIZE = 52
TARGET_SUM = 13
KING = 13

CARD_NAMES: tuple[str, ...] = tuple(r + s for r in RANKS for s in SUITS)
"""The record notation of every card, by number: `Ac`, `Ad`, … `Ks`."""

_SUIT_OF_LETTER = {letter: i for i, letter in enumerate(SUITS)}
_SUIT_OF_LETTER |= {letter.upper(): i for i, letter in enumerate(SUITS)}
_SUIT_OF_LETTER |= {symbol: i for i, symbol in enumerate(SUIT_SYMBOLS)}
_SUIT_OF_LETTER |= {symbol: i for i, symbol in enumerate("♧♢♡♤")}
_RANK_OF_TEXT = {letter: i for i, letter in enumerate(RANKS, 1)}
_RANK_OF_TEXT |= {letter.lower(): i for i, letter in enumerate(RANKS, 1)}
_RANK_OF_TEXT["10"] = 10

_CARD_OF_TEXT: dict[str, Card] = {
    rank_text + suit_text: 4 * (rank - 1) + suit
    for rank_text, rank in _RANK_OF_TEXT.items()
    for suit_text, suit in _SUIT_OF_LETTER.items()
}
# Some fonts and keyboards send a suit symbol with a selector that asks for its emoji or its text form.
_VARIATION_SELECTORS = "\ufe0e\ufe0f"


class CardError(PyramideError):
    """A text is not a card."""


def rank(card: Card) -> int:
    """Return the rank of a card, 1 (ace) to 13 (king)."""
    return (card >> 2) + 1


def suit(card: Card) -> int:
    """Return the suit of a card: clubs 0, diamonds 1, hearts 2, spades 3."""
    return card & 3


def make_card(rank: int, suit: int) -> Card:
    """Return the card of a rank (1 to 13) and a suit (0 to 3); `CardError` when there is none."""
    if not (1 <= rank <= KING and 0 <= suit < len(SUITS)):
        raise CardError(f"no card has rank {rank} and suit {suit}")
    return 4 * (rank - 1) + suit


def card_name(card: Card) -> str:
    """Return a card in record notation, such as `Tc`; `parse_card` is the inverse."""
    return CARD_NAMES[card]


def card_label(card: Card, *, unicode: bool = True) -> str:
    """Return a card for people, such as `10♣`, or `10c` without unicode."""
    letter = RANKS[card >> 2]
    symbols = SUIT_SYMBOLS if unicode else SUITS
    return ("10" if letter == "T" else letter) + symbols[card & 3]


def parse_card(text: str) -> Card:
    """Return the card that a text names in any spelling: `10c`, `10♣`, `TC`, `tc` or `Tc`.

    Raises `CardError` when the text is not a card.
    """
    card = _CARD_OF_TEXT.get(text)
    if card is None:
        card = _CARD_OF_TEXT.get(text.strip().rstrip(_VARIATION_SELECTORS))
    if card is None:
        raise CardError(
            f"{text!r} is not a card: write a rank ({' '.join(RANKS)}, or 10) and a suit (c d h s), such as Tc"
        )
    return card
