"""The moves of one log, counted while they pass: one byte for each that may still be undone, and no more."""

from __future__ import annotations

from dataclasses import dataclass

from pyramide_cli.moves import DRAW, RECYCLE, UNDO, Move, MoveError, canonical, king, move_name, pair, parse_move

_ENTRIES = [DRAW, RECYCLE, UNDO]
_ENTRIES += [king(card) for card in range(48, 52)]
_ENTRIES += [pair(a, b) for a in range(52) for b in range(a + 1, 52) if a // 4 + b // 4 == 11]
_DRAW, _RECYCLE, _UNDO, _FIRST_REMOVAL = 0, 1, 2, 3
_CODE_OF: dict[Move, int] = {move: code for code, move in enumerate(_ENTRIES)}
_CODE_OF_NAME: dict[str, int] = {
    move_name(spelled): code for move, code in _CODE_OF.items() for spelled in (move, Move(move.kind, move.cards[::-1]))
}
_CARDS: tuple[int, ...] = tuple(sum(1 << card for card in move.cards) for move in _ENTRIES)
"""The cards that each entry removes, as a set: bit c is card c."""

_KEPT = 4096
"""How many entries a game keeps for undos to come, at least; older ones are only counted."""


def entry_code(text: str) -> int:
    """Return the small number of a log's entry in any spelling; `MoveError` where it is no move of the game."""
    code = _CODE_OF_NAME.get(text)
    if code is not None:
        return code
    code = _CODE_OF.get(canonical(parse_move(text)))
    if code is None:
        raise MoveError(f"{text!r} is no move: the sum must be 13")
    return code


def entry_kind(code: int) -> str:
    """Return the kind of an entry: king, pair, draw, recycle or undo."""
    return _ENTRIES[code].kind


@dataclass(slots=True)
class Counts:
    """How many moves of each kind stand at the end of a game; undone ones do not count.

    kings: removed alone. inner, mixed, outer: pairs of two pyramid cards, of one with a card of stock or waste, and of
    none. cleared: pyramid cards gone.
    """

    kings: int = 0
    inner: int = 0
    mixed: int = 0
    outer: int = 0
    draws: int = 0
    recycles: int = 0
    cleared: int = 0

    @property
    def removals(self) -> int:
        """Kings and pairs."""
        return self.kings + self.inner + self.mixed + self.outer

    @property
    def removed(self) -> int:
        """Cards gone."""
        return self.kings + 2 * (self.removals - self.kings)

    def add(self, entries: bytes | bytearray, pyramid: int) -> None:
        """Count entries; `pyramid` is the set of the cards dealt to the pyramid."""
        self.draws += entries.count(_DRAW)
        self.recycles += entries.count(_RECYCLE)
        for code in entries:
            if code < _FIRST_REMOVAL:
                continue
            cards = _CARDS[code]
            inside = (cards & pyramid).bit_count()
            self.cleared += inside
            if cards & (cards - 1) == 0:
                self.kings += 1
            elif inside == 2:
                self.inner += 1
            elif inside == 1:
                self.mixed += 1
            else:
                self.outer += 1


class Tally:
    """The entries of one game so far, in memory that does not grow with their number.

    `whole` is false once an undo reached further back than what was kept: then nobody knows the counts.
    """

    __slots__ = ("_old", "_pyramid", "_recent", "undos", "whole")

    def __init__(self, pyramid: int, *, whole: bool = True) -> None:
        self._pyramid = pyramid
        self._recent = bytearray()
        self._old = Counts()
        self.undos = 0
        self.whole = whole

    def add(self, code: int) -> None:
        """Take the next entry of the log."""
        if code == _UNDO:
            self.undos += 1
            if self._recent:
                self._recent.pop()
            else:
                self.whole = False
        else:
            self._recent.append(code)
            if len(self._recent) > 2 * _KEPT:
                self._old.add(self._recent[:-_KEPT], self._pyramid)
                del self._recent[:-_KEPT]

    def counts(self) -> Counts | None:
        """Return what stands now, null where it is not known."""
        if not self.whole:
            return None
        old = self._old
        counts = Counts(old.kings, old.inner, old.mixed, old.outer, old.draws, old.recycles, old.cleared)
        counts.add(self._recent, self._pyramid)
        return counts


def card_set(cards: tuple[int, ...]) -> int:
    """Return cards as a set: bit c is card c."""
    return sum(1 << card for card in cards)
