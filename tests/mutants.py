"""Mutants that change nothing that a test could notice, and why: for `tests.mutation`, which does not run them.

A mutant is named by its module, the line that it changes, and the change.
"""

from __future__ import annotations

_FASTER = "only how much work is done changes"

EXPLAINED: dict[str, dict[tuple[str, str], str]] = {
    "deals": {
        ("if len(text) < CODE_LENGTH", "Lt -> LtE"): "the two lengths differ here already",
        ("words = text.split(maxsplit=1)", "1 -> 2"): _FASTER,
        ('malformed.append(word if len(malformed) < _MOST_NAMED else "")', "Lt -> LtE"): "ten words are shown at most",
        ("flat = cards.reshape(-1)", "1 -> 2"): "numpy takes any negative number here",
        (
            "state = _split_mix((secrets.randbits(64) if seed is None else seed) & _MASK64)",
            "64 -> 65",
        ): "one more bit than the mask leaves",
    },
    "moves": {
        (
            "_NAMES |= {move: CARD_NAMES[card] for card, move in _KINGS.items() if rank(card) == KING}",
            "Eq -> NotEq",
        ): _FASTER,
        ("if len(move.cards) == 2 and move.cards[0] > move.cards[1]:", "Gt -> GtE"): "a card twice stays the same",
    },
    "scoring": {
        ("MICROSOFT_ROW_BONUS: tuple[int, ...] = (0, 500, 250, 150, 100, 75, 50, 25)", "0 -> 1"): "no row is row 0",
    },
}
