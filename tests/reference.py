"""A second engine, slow and obvious, to hold the real one and the solver against.

It was written from the rules alone and shares nothing with the package: cards are texts like `Tc`, a position is
a set and two tuples of them, and the search is a breadth-first walk over all positions, without any pruning.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
VALUE = {card: RANKS.index(card[0]) + 1 for card in DECK}
"""What each card counts, 1 for an ace to 13 for a king."""

Move = tuple[str, ...]
"""`("draw",)`, `("recycle",)`, `("Kd",)` or two cards in alphabetical order, `("3s", "Tc")`."""

DRAW: Move = ("draw",)
RECYCLE: Move = ("recycle",)

ROW_BONUS = {7: 25, 6: 50, 5: 75, 4: 100, 3: 150, 2: 250, 1: 500}
PAR_BONUS = {1: 50, 2: 35, 3: 20}


class Axes(NamedTuple):
    """The axes of the rules that change a position, a legal move or a score; `passes` is None for unlimited."""

    goal: str = "pyramid"
    passes: int | None = None
    deal_waste: bool = False
    stock_open: bool = False
    drawn_pair: bool = False
    cover_pair: bool = False
    scoring: str = "none"


class Position(NamedTuple):
    """Where the cards are: `stock` next card first, `waste` bottom first.

    `fresh` (the waste top was just drawn, onto another waste card) is kept only under `drawn_pair`, `cleared_in`
    (the pass in which the pyramid was cleared, 0 before) only under par scoring, `pass_number` only as far as
    anything depends on it.
    """

    pyramid: frozenset[str]
    stock: tuple[str, ...]
    waste: tuple[str, ...]
    fresh: bool
    pass_number: int
    cleared_in: int


class Whole(NamedTuple):
    """All answers about one position, from a walk over everything that can be reached from it.

    Each pair is (the best value, the fewest further moves to it). `per_depth[d]` counts the positions whose
    shortest way is d moves.
    """

    positions: int
    per_depth: tuple[int, ...]
    shortest: int | None
    most: tuple[int, int]
    score: tuple[int, int] | None
    ranks: dict[str, tuple[int, int]]


class Table:
    """One deal (28 pyramid cards row by row, then 24 stock cards) under one set of rules."""

    def __init__(self, cards: tuple[str, ...], axes: Axes) -> None:
        assert sorted(cards) == sorted(DECK)
        self.cards = cards
        self.axes = axes
        self.rows: dict[int, list[str]] = {}
        rest = list(cards)
        for row in range(1, 8):
            self.rows[row] = [rest.pop(0) for _ in range(row)]
        self.covers: dict[str, set[str]] = {}
        for row in range(1, 8):
            for k in range(row):
                below = self.rows[row + 1][k : k + 2] if row < 7 else []
                self.covers[self.rows[row][k]] = set(below)
        stock, waste = tuple(rest), tuple[str, ...]()
        if axes.deal_waste:
            stock, waste = stock[1:], stock[:1]
        self.start = Position(frozenset(cards[:28]), stock, waste, False, 1, 0)

    def is_free(self, card: str, position: Position) -> bool:
        """Tell whether a card of the pyramid has lost both its covers."""
        return not (self.covers[card] & position.pyramid)

    def is_won(self, position: Position) -> bool:
        """Tell whether the goal is reached."""
        if self.axes.goal == "pyramid":
            return not position.pyramid
        return not position.pyramid and not position.stock and not position.waste

    def may_recycle(self, position: Position) -> bool:
        """Tell whether the limit of passes allows one more."""
        return self.axes.passes is None or position.pass_number < self.axes.passes

    def moves(self, position: Position) -> list[Move]:
        """Return every legal move; none once the game is won."""
        if self.is_won(position):
            return []
        free = [card for card in self.cards[:28] if card in position.pyramid and self.is_free(card, position)]
        single = list(free)
        pairs = [(a, b) for a in free for b in free if a < b]
        tops: list[str] = []
        if position.waste:
            tops.append(position.waste[-1])
        if self.axes.stock_open and position.stock:
            tops.append(position.stock[0])
        single += tops
        pairs += [(a, b) for a in free for b in tops]
        if len(tops) == 2:
            pairs.append((tops[0], tops[1]))
        if self.axes.drawn_pair and position.fresh:
            pairs.append((position.waste[-1], position.waste[-2]))
        if self.axes.cover_pair:
            for card in self.cards[:28]:  # a set of texts has another order in each process
                left = self.covers[card] & position.pyramid
                if card in position.pyramid and len(left) == 1:
                    (cover,) = left
                    if self.is_free(cover, position):
                        pairs.append((card, cover))
        found: list[Move] = [(card,) for card in single if VALUE[card] == 13]
        found += [tuple(sorted(pair)) for pair in pairs if VALUE[pair[0]] + VALUE[pair[1]] == 13]
        assert len(set(found)) == len(found)
        if position.stock:
            found.append(DRAW)
        elif position.waste and self.may_recycle(position):
            found.append(RECYCLE)
        return found

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move."""
        if move == DRAW:
            return position._replace(
                stock=position.stock[1:],
                waste=(*position.waste, position.stock[0]),
                fresh=self.axes.drawn_pair and bool(position.waste),
            )
        if move == RECYCLE:
            number = position.pass_number
            if self.axes.passes is not None:
                number += 1
            elif self.axes.scoring == "par":
                number = min(number + 1, 4)  # from the fourth pass on clearing the pyramid earns nothing
            return position._replace(stock=position.waste, waste=(), fresh=False, pass_number=number)
        top_goes = bool(position.waste) and position.waste[-1] in move
        pyramid = position.pyramid - set(move)
        cleared_in = position.cleared_in
        if self.axes.scoring == "par" and position.pyramid and not pyramid:
            cleared_in = position.pass_number
        return position._replace(
            pyramid=pyramid,
            stock=tuple(card for card in position.stock if card not in move),
            waste=tuple(card for card in position.waste if card not in move),
            fresh=position.fresh and not top_goes,
            cleared_in=cleared_in,
        )

    def outcome(self, position: Position) -> str | None:
        """Return `won`, `lost`, `stuck`, or None while a move is left."""
        if self.is_won(position):
            return "won"
        if self.moves(position):
            return None
        # Without a move the stock is empty, so cards in the waste wait for a recycle that the limit forbids.
        return "lost" if position.waste else "stuck"

    def gone(self, position: Position) -> list[str]:
        """Return the cards that have been removed."""
        left = {*position.pyramid, *position.stock, *position.waste}
        return [card for card in self.cards if card not in left]

    def score(self, position: Position) -> int | None:
        """Return the score of a position; None where nothing is scored."""
        gone = self.gone(position)
        if self.axes.scoring == "pyramide":
            return 10 * (28 - len(position.pyramid))
        if self.axes.scoring == "microsoft":
            kings = sum(VALUE[card] == 13 for card in gone)
            removals = kings + (len(gone) - kings) // 2
            rows = sum(ROW_BONUS[row] for row, cards in self.rows.items() if not position.pyramid & set(cards))
            return 5 * removals + rows
        if self.axes.scoring == "par":
            if position.pyramid:
                return -(52 - len(gone))
            return PAR_BONUS.get(position.cleared_in, 0) - len(position.stock) - len(position.waste)
        return None

    def search(self, start: Position, limit: int = 20_000) -> Whole | None:
        """Walk over all positions that can be reached, nearest first; None when there are more than `limit`."""
        shortest: int | None = None
        most = (-1, 0)
        score: tuple[int, int] | None = None
        ranks = dict.fromkeys(RANKS, (-1, 0))
        seen = {start}
        level = [start]
        per_depth: list[int] = []
        while level:
            depth = len(per_depth)
            per_depth.append(len(level))
            following: list[Position] = []
            for position in level:
                gone = self.gone(position)
                if shortest is None and self.is_won(position):
                    shortest = depth
                count = 28 - len(position.pyramid) if self.axes.goal == "pyramid" else len(gone)
                if count > most[0]:
                    most = (count, depth)
                points = self.score(position)
                if points is not None and (score is None or points > score[0]):
                    score = (points, depth)
                by_rank = Counter(card[0] for card in gone)
                for rank in RANKS:
                    if by_rank[rank] > ranks[rank][0]:
                        ranks[rank] = (by_rank[rank], depth)
                for move in self.moves(position):
                    later = self.after(position, move)
                    if later not in seen:
                        seen.add(later)
                        following.append(later)
                        if len(seen) > limit:
                            return None
            level = following
        return Whole(len(seen), tuple(per_depth), shortest, most, score, ranks)

    def reach(self, start: Position, seen: set[Position], limit: int) -> bool:
        """Add all positions that can be reached to `seen`; stop and return False when there are more than `limit`.

        What is in `seen` already must come with all that can be reached from it.
        """
        waiting = [] if start in seen else [start]
        seen.add(start)
        while waiting and len(seen) <= limit:
            position = waiting.pop()
            for move in self.moves(position):
                later = self.after(position, move)
                if later not in seen:
                    seen.add(later)
                    waiting.append(later)
        return len(seen) <= limit

    def perft(self, position: Position, depth: int) -> int:
        """Count the sequences of exactly `depth` moves."""
        if depth == 0:
            return 1
        return sum(self.perft(self.after(position, move), depth - 1) for move in self.moves(position))
