"""Deals by the thousand, as arrays: codes out of text and into text, without an object for each deal.

Text is an array of bytes with one row a deal. All rows have the same length, so whole files are put together and
taken apart in a few array operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pyramide_cli.cards import CARD_NAMES
from pyramide_cli.deals import (
    CODE_ALPHABET,
    CODE_BITS,
    CODE_LENGTH,
    CODE_PREFIX,
    Deal,
    deal_many,
)
from pyramide_cli.records import deal_record, encode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pyramide_cli.rules import Rules

Numbers: TypeAlias = "NDArray[np.uint64]"
Text: TypeAlias = "NDArray[np.uint8]"

_NO_DIGIT = 255
_SHIFTS = np.arange(CODE_BITS - 5, -1, -5, dtype=np.uint64)
_PREFIX = np.frombuffer(CODE_PREFIX.encode(), dtype=np.uint8)
_LETTERS = np.frombuffer(CODE_ALPHABET.encode(), dtype=np.uint8)
_DIGITS = np.full(256, _NO_DIGIT, dtype=np.uint8)
_DIGITS[_LETTERS] = np.arange(len(_LETTERS), dtype=np.uint8)
# Each card with the space behind it.
_CARDS = np.frombuffer("".join(f"{name} " for name in CARD_NAMES).encode(), dtype=np.uint8).reshape(-1, 3)


def chunks(numbers: Iterable[int], size: int) -> Iterator[Numbers]:
    """Cut deal numbers into arrays of at most `size`."""
    iterator = iter(numbers)
    while len(chunk := np.fromiter(islice(iterator, size), dtype=np.uint64)):
        yield chunk


def numbers_of_codes(lines: Sequence[bytes]) -> Numbers | None:
    """Return the deal numbers of lines that are all plain codes in upper case; None if any line is not."""
    text = b"".join(lines)
    if len(text) != CODE_LENGTH * len(lines):
        return None
    rows = np.frombuffer(text, dtype=np.uint8).reshape(-1, CODE_LENGTH)
    digits = _DIGITS[rows[:, len(CODE_PREFIX) :]]
    # A line of another length would shift the rows behind it, so the prefix tells.
    if not (rows[:, : len(CODE_PREFIX)] == _PREFIX).all() or (digits == _NO_DIGIT).any():
        return None
    numbers: Numbers = np.bitwise_or.reduce(digits.astype(np.uint64) << _SHIFTS, axis=1)
    return numbers


def codes(numbers: Numbers) -> Text:
    """Return the codes of deal numbers: an array of shape (n, 13)."""
    rows = np.empty((len(numbers), CODE_LENGTH), dtype=np.uint8)
    rows[:, : len(CODE_PREFIX)] = _PREFIX
    rows[:, len(CODE_PREFIX) :] = _LETTERS[(numbers[:, None] >> _SHIFTS & np.uint64(31)).astype(np.intp)]
    return rows


def cards_text(decks: NDArray[np.uint8]) -> Text:
    """Return the 52 cards of each deck (an array of shape (n, 52)) in record notation: an array of shape (n, 155)."""
    return _CARDS[decks].reshape(len(decks), -1)[:, :-1]


def join(rows: int, *parts: bytes | Text) -> bytes:
    """Return the text of so many rows, each put together of the same bytes and of its row of the arrays."""
    columns = [np.frombuffer(part, dtype=np.uint8)[None, :] if isinstance(part, bytes) else part for part in parts]
    return np.hstack([np.broadcast_to(column, (rows, column.shape[1])) for column in columns]).tobytes()


def code_lines(numbers: Numbers) -> bytes:
    """Return the codes of deal numbers, one a line."""
    return join(len(numbers), codes(numbers), b"\n")


def card_lines(numbers: Numbers) -> bytes:
    """Return the cards of deal numbers in record notation, one deal a line."""
    return join(len(numbers), cards_text(deal_many(numbers)), b"\n")


class DealLines:
    """Writes the records of deals under the same rules: the same bytes as `encode` gives for each."""

    def __init__(self, rules: Rules) -> None:
        sample = Deal.from_number(0)
        line = encode(deal_record(sample, rules))
        # The record of one deal, cut open at its code and its cards, is the frame of all others.
        self._before, rest = line.split(str(sample.code).encode())
        self._between, self._after = rest.split(sample.text().encode())

    def __call__(self, numbers: Numbers) -> bytes:
        """Return the records of deal numbers, one a line."""
        cards = cards_text(deal_many(numbers))
        return join(len(numbers), self._before, codes(numbers), self._between, cards, self._after)
