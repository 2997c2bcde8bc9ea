"""A deal, deal codes, the shuffle, and reading decks.

A deal is the order of all 52 cards: 28 pyramid cards row by row from the top, left to right, then 24 stock cards in
the order in which they are drawn. A deal code is `PY1-N-` and seven base-32 characters (35 bits).
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyramide_cli.cards import CARD_NAMES, DECK_SIZE, Card, CardError, card_name, parse_card
from pyramide_cli.errors import PyramideError
from pyramide_cli.pyramid import PLACES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CODE_PREFIX = "PY1-N-"
CODE_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
CODE_DIGITS = 7
CODE_LENGTH = len(CODE_PREFIX) + CODE_DIGITS
CODE_BITS = 35
DEAL_COUNT = 1 << CODE_BITS
"""How many deal codes there are: 34,359,738,368."""

STOCK_SIZE = DECK_SIZE - PLACES

_SLIPS = {"0": "O", "1": "I", "8": "B"}
_DIGIT_OF = {letter: value for value, letter in enumerate(CODE_ALPHABET)}

_MASK64 = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
# "PYRAMIDE" in ASCII, plus the smallest number that makes exactly 14 the most pyramid cards that can be removed from
# PY1-N-AAAAAAJ, as is publicly known of that code.
_SALT = 0x505952414D494445 + 33

# What is publicly known of one deal: its pyramid and the first card on the waste.
_KNOWN_NUMBER = 18
_KNOWN_CARDS = tuple(
    parse_card(word)
    for word in (
        "Jd  6c 7h  As 4d Qs  5h 3d 6h 8s  Kh Kc Ad Ks 9c  Qc 2c 8d Td Ts Js  7c Tc 3h 4h 3s Kd 7s  7d"
    ).split()
)
_SEPARATORS = re.compile(r"[\s,;/|]+")
_WORD = re.compile(r"[^\s,;/|\[\]]+")
_MOST_NAMED = 10


class DealError(PyramideError):
    """A text is not a deal."""


class CodeError(DealError):
    """A text is not a deal code, or a number is not one of a deal."""


class DeckError(DealError):
    """A list of cards is not a whole deck."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The order of all 52 cards, and the deal's code where it has one.

    `cards` has the 28 pyramid cards and then the 24 stock cards. The constructor trusts its arguments: use `from_cards`
    where they come from outside.
    """

    cards: tuple[Card, ...]
    code: str | None = None

    @classmethod
    def from_code(cls, code: str) -> Deal:
        """Return the deal of a code, upper or lower case, with space around it ignored; `CodeError` if it is none."""
        return cls.from_number(number_of(code))

    @classmethod
    def from_number(cls, number: int) -> Deal:
        """Return the deal of a number from 0 to 2^35 - 1; `CodeError` if it is outside."""
        code = code_of(number)
        return cls(shuffled(number), code)

    @classmethod
    def from_cards(cls, cards: str | Iterable[Card], code: str | None = None) -> Deal:
        """Return the deal with these 52 cards, given as text in any spelling or as card numbers.

        Raises `DeckError` with what is missing, what is double and what is malformed.
        """
        if isinstance(cards, str):
            return cls(parse_deck(cards), code)
        deck = tuple(cards)
        if sorted(deck) != list(range(DECK_SIZE)):
            good = [card for card in deck if 0 <= card < DECK_SIZE]
            raise DeckError(_deck_message(good, [str(card) for card in deck if not 0 <= card < DECK_SIZE]))
        return cls(deck, code)

    @property
    def pyramid(self) -> tuple[Card, ...]:
        """The 28 pyramid cards, row by row from the top."""
        return self.cards[:PLACES]

    @property
    def stock(self) -> tuple[Card, ...]:
        """The 24 stock cards, first drawn first."""
        return self.cards[PLACES:]

    @property
    def number(self) -> int | None:
        """The number of the deal's code, None where there is no code."""
        return None if self.code is None else number_of(self.code)

    def text(self) -> str:
        """Return the 52 cards in record notation on one line; `from_cards` is the inverse."""
        return " ".join([CARD_NAMES[card] for card in self.cards])

    def __str__(self) -> str:
        return self.code or self.text()


def code_of(number: int) -> str:
    """Return the code of a deal number from 0 to 2^35 - 1; `CodeError` if it is outside. Inverse of `number_of`."""
    if not 0 <= number < DEAL_COUNT:
        raise CodeError(f"deal numbers run from 0 to {DEAL_COUNT - 1}, not {_shorten(str(number))}")
    digits = (CODE_ALPHABET[number >> shift & 31] for shift in range(CODE_BITS - 5, -1, -5))
    return CODE_PREFIX + "".join(digits)


def number_of(code: str) -> int:
    """Return the number of a deal code, upper or lower case, with space around it ignored.

    Raises `CodeError` that names the first wrong character and its position, counted from 1.
    """
    text = code.strip()
    upper = text.upper() if text.isascii() else text
    number = 0
    for position, character in enumerate(upper[:CODE_LENGTH]):
        if position < len(CODE_PREFIX):
            if character != CODE_PREFIX[position]:
                raise CodeError(
                    f"{_shorten(text)!r} is not a deal code: character {position + 1} is {text[position]!r}, "
                    f"but a code begins with {CODE_PREFIX}"
                )
        elif character in _DIGIT_OF:
            number = number << 5 | _DIGIT_OF[character]
        else:
            slip = f" (did you mean {_SLIPS[character]}?)" if character in _SLIPS else ""
            raise CodeError(
                f"{_shorten(text)!r} is not a deal code: character {position + 1} is {text[position]!r}{slip}; "
                "a code has A to Z and 2 to 7 there"
            )
    if len(text) != CODE_LENGTH:
        problem = (
            f"it ends after character {len(text)}"
            if len(text) < CODE_LENGTH
            else (f"character {CODE_LENGTH + 1} is {text[CODE_LENGTH]!r}, but nothing may follow")
        )
        raise CodeError(
            f"{_shorten(text)!r} is not a deal code: {problem}; a code is {CODE_PREFIX} and {CODE_DIGITS} characters"
        )
    return number


def parse_deal(text: str) -> Deal:
    """Return the deal that a text names: a code, a number from 0 to 2^35 - 1, or 52 cards.

    Raises `CodeError` or `DeckError` with what is wrong and where.
    """
    words = text.split(maxsplit=1)
    if not words:
        raise DealError("there is no deal: write a code, a number or 52 cards")
    if len(words) == 1 and len(_SEPARATORS.split(words[0])) == 1:
        word = words[0]
        digits = word.removeprefix("-").removeprefix("+")
        if digits.isascii() and digits.isdigit():
            digits = digits.lstrip("0") or "0"  # Python reads a few thousand digits at most
            if word.startswith("-") or len(digits) > len(str(DEAL_COUNT)):
                raise CodeError(f"deal numbers run from 0 to {DEAL_COUNT - 1}, not {_shorten(word)}")
            return Deal.from_number(int(digits))
        return Deal.from_code(word)
    return Deal.from_cards(text)


def is_deal(text: str) -> bool:
    """Return whether `parse_deal` takes a text."""
    try:
        parse_deal(text)
    except DealError:
        return False
    return True


def parse_deck(text: str) -> tuple[Card, ...]:
    """Return the 52 cards of a text in any spelling, on one line or many, such as a drawn pyramid and its stock.

    Cards are separated by space, line breaks, commas, semicolons, slashes or bars, or by the brackets that a drawn
    board has around its free cards. Raises `DeckError` with what is missing, what is double and what is malformed.
    """
    cards: list[Card] = []
    malformed: list[str] = []
    # One word at a time, and few of the bad ones whole: a text may be long that is no deck.
    for word in deck_words(text):
        try:
            cards.append(parse_card(word))
        except CardError:
            malformed.append(word if len(malformed) < _MOST_NAMED else "")
    if malformed or len(cards) != DECK_SIZE or len(set(cards)) != DECK_SIZE:
        raise DeckError(_deck_message(cards, malformed))
    return tuple(cards)


def deck_words(text: str) -> Iterator[str]:
    """Yield the words of a text between the separators of a deck: cards, if it is one or part of one."""
    return (match[0] for match in _WORD.finditer(text))


def _deck_message(cards: Sequence[Card], malformed: Sequence[str]) -> str:
    counts = Counter(cards)
    missing = [card_name(card) for card in range(DECK_SIZE) if card not in counts]
    double = [card_name(card) for card in sorted(counts) if counts[card] > 1]
    parts = [f"not a deck of 52 cards ({len(cards)} read)"]
    if missing:
        parts.append(f"missing: {' '.join(missing)}")
    if double:
        parts.append(f"double: {' '.join(double)}")
    if malformed:
        named = " ".join(repr(_shorten(word)) for word in malformed[:_MOST_NAMED])
        more = len(malformed) - _MOST_NAMED
        parts.append(f"malformed: {named}" + (f" and {more} more" if more > 0 else ""))
    return "; ".join(parts)


def _shorten(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _split_mix(state: int) -> int:
    """Return the output of SplitMix64 for a state (Steele, Lea and Flood 2014)."""
    state = (state ^ state >> 30) * _MIX_1 & _MASK64
    state = (state ^ state >> 27) * _MIX_2 & _MASK64
    return state ^ state >> 31


def shuffled(number: int) -> tuple[Card, ...]:
    """Return the 52 cards of a deal number: the same on every machine, for ever.

    The generator is SplitMix64, its state starting at the number XOR a fixed salt; each step adds the golden gamma and
    mixes. The shuffle is Fisher and Yates' from the end: the cards start in the order of their numbers (Ac, Ad, …, Ks),
    and for i = 51 down to 1 card i is swapped with card j = ((top 32 bits of the next output) * (i + 1)) >> 32. The
    deal of `PY1-N-AAAAAAS` starts with its 29 published cards, and the 23 others follow in the order of this shuffle.
    """
    cards = list(range(DECK_SIZE))
    state = number ^ _SALT
    for i in range(DECK_SIZE - 1, 0, -1):
        state = state + _GOLDEN & _MASK64
        mixed = (state ^ state >> 30) * _MIX_1 & _MASK64
        mixed = (mixed ^ mixed >> 27) * _MIX_2 & _MASK64
        j = (mixed ^ mixed >> 31) >> 32
        j = j * (i + 1) >> 32
        cards[i], cards[j] = cards[j], cards[i]
    return _as_published(cards) if number == _KNOWN_NUMBER else tuple(cards)


def _as_published(cards: Sequence[Card]) -> tuple[Card, ...]:
    return _KNOWN_CARDS + tuple(card for card in cards if card not in _KNOWN_CARDS)


def deal_many(numbers: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Deal many numbers at once: returns an array of shape (n, 52) with the cards of each, as `shuffled` gives them.

    Raises `CodeError` when a number is not from 0 to 2^35 - 1.
    """
    import numpy as np

    numbers = np.asarray(numbers, dtype=np.uint64)
    if numbers.size and int(numbers.max()) >= DEAL_COUNT:
        raise CodeError(f"deal numbers run from 0 to {DEAL_COUNT - 1}, not {int(numbers.max())}")
    # One row a card and one column a deal, so that each step of the shuffle works on whole rows.
    cards = np.repeat(np.arange(DECK_SIZE, dtype=np.uint8)[:, None], len(numbers), axis=1)
    flat = cards.reshape(-1)
    columns = np.arange(len(numbers), dtype=np.int64)
    state = numbers ^ np.uint64(_SALT)
    for i in range(DECK_SIZE - 1, 0, -1):
        state += np.uint64(_GOLDEN)
        mixed = (state ^ state >> np.uint64(30)) * np.uint64(_MIX_1)
        mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(_MIX_2)
        mixed = (mixed ^ mixed >> np.uint64(31)) >> np.uint64(32)
        chosen = (mixed * np.uint64(i + 1) >> np.uint64(32)).astype(np.int64) * len(numbers) + columns
        row = cards[i].copy()
        cards[i] = flat[chosen]
        flat[chosen] = row
    decks = np.ascontiguousarray(cards.T)
    for index in np.flatnonzero(numbers == _KNOWN_NUMBER):
        decks[index] = _as_published(decks[index].tolist())
    return decks


def random_numbers(seed: int | None = None) -> Iterator[int]:
    """Yield deal numbers at random without end, each equally likely each time; the same ones for the same seed.

    The numbers are the top 35 bits of SplitMix64's outputs, its state starting at the seed. None asks the
    system for a seed.
    """
    state = _split_mix((secrets.randbits(64) if seed is None else seed) & _MASK64)
    while True:
        state = state + _GOLDEN & _MASK64
        yield _split_mix(state) >> (64 - CODE_BITS)
