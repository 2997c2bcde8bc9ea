"""The engine: a position, the legal moves, push and undo, score, counters and outcome.

The rules are those of the README, section "Rules". The engine knows no screen, no file and no solver: the proof that
`stuck = proof` needs is handed to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from pyramide_cli.cards import KING, SUITS, TARGET_SUM, Card, card_name, rank
from pyramide_cli.deals import STOCK_SIZE, Deal
from pyramide_cli.illegal import (
    CardNotThere,
    CardOutOfReach,
    CoveredCard,
    DrawnWithWaste,
    EmptyStock,
    EmptyWaste,
    GameOver,
    IllegalMove,
    NoPassLeft,
    NothingToUndo,
    OwnCover,
    StockNotEmpty,
    WrongSum,
)
from pyramide_cli.moves import DRAW, RECYCLE, UNDO, Move, king, pair
from pyramide_cli.pyramid import COVER_MASK, COVERED_BY, FULL, PLACES, free_mask, places
from pyramide_cli.rules import DEFAULT_RULES, Rules
from pyramide_cli.scoring import score

STOCK_FULL = (1 << STOCK_SIZE) - 1
_KEPT_AT_LEAST = 100


class Position(NamedTuple):
    """Where all cards are, and what else decides how the game can go on; equal positions have the same future.

    pyramid: the places whose card is still there, as a set (bit p is place p).
    stock: the stock cards, by draw order, that are still in the stock or in the waste, as a set of 24 bits.
    drawn: the index of the next stock card, 24 when the stock is empty. The stock cards below it are the waste, the
    highest of them on top; those from it on are the stock.
    fresh: whether the waste top is just drawn; kept only under `drawn_pair`, else False.
    pass_number: the pass that is under way, from 1.
    cleared_pass: the pass in which the pyramid got clear, 0 before; kept only under scoring `par`, else 0.
    """

    pyramid: int
    stock: int
    drawn: int
    fresh: bool
    pass_number: int
    cleared_pass: int


class _Saved(NamedTuple):
    """What an undo gives back, and the move counter, which only `pop` gives back."""

    pyramid: int
    stock: int
    drawn: int
    fresh: bool
    pass_number: int
    cleared_pass: int
    score: int | None
    removals: int
    draws: int
    recycles: int
    moves: int


Over: TypeAlias = Literal["won", "lost", "stuck"]
"""How a game that is over came out."""

Prover: TypeAlias = "Callable[[Game], bool | None]"
"""Says whether a win is left in a game: True or False by proof, None when it cannot tell."""


class Game:
    """A game of Pyramid: a deal, rules, the position, and the counters.

    deal, rules: what is played.
    score: points under the rules' scoring, None under `none`.
    moves: the move counter; it never goes down.
    undos: how many actions were undone.
    removals, draws, recycles: how many of each lead to this position; undone ones do not count.
    prover: what `hopeless` asks.
    """

    __slots__ = (
        "_cleared_pass",
        "_drawn",
        "_fresh",
        "_history",
        "_pass_number",
        "_place_of",
        "_pyramid",
        "_stock",
        "_undoable",
        "deal",
        "draws",
        "moves",
        "prover",
        "recycles",
        "removals",
        "rules",
        "score",
        "undos",
    )

    def __init__(self, deal: Deal, rules: Rules = DEFAULT_RULES, *, prover: Prover | None = None) -> None:
        self.deal = deal
        self.rules = rules
        self.prover = prover
        place_of = [0] * len(deal.cards)
        for place, card in enumerate(deal.cards):
            place_of[card] = place
        self._place_of = place_of
        self._pyramid = FULL
        self._stock = STOCK_FULL
        self._drawn = 1 if rules.deal_waste else 0
        self._fresh = False
        self._pass_number = 1
        self._cleared_pass = 0
        self.moves = 0
        self.undos = 0
        self.removals = 0
        self.draws = 0
        self.recycles = 0
        limit = rules.undo_limit
        # `pop` needs some history even where the rules allow few undos or none.
        self._history: deque[_Saved] = deque(maxlen=None if limit is None else max(limit, _KEPT_AT_LEAST))
        self._undoable = 0
        self.score = self._points()

    @classmethod
    def from_position(
        cls, deal: Deal, position: Position, rules: Rules = DEFAULT_RULES, *, prover: Prover | None = None
    ) -> Game:
        """Return a game that stands at a position, without the moves that led there: nothing can be undone.

        The counters are zero, but for `removals`, which the cards that are gone decide. The position is trusted.
        """
        game = cls(deal, rules, prover=prover)
        (game._pyramid, game._stock, game._drawn, game._fresh, game._pass_number, game._cleared_pass) = position
        game._drawn = game._next_stock(game._drawn)
        left = game.pyramid_cards + game._stock_cards(game._stock)
        kings_gone = len(SUITS) - sum(card is not None and rank(card) == KING for card in left)
        game.removals = (game.removed + kings_gone) // 2
        game.score = game._points()
        return game

    def copy(self) -> Game:
        """Return an independent game in the same state, with the same undo stack."""
        other = Game.__new__(Game)
        for name in Game.__slots__:
            setattr(other, name, getattr(self, name))
        other._history = self._history.copy()
        return other

    def __repr__(self) -> str:
        return f"<Game {self.deal} {self.rules} after {self.moves} moves>"

    # What can be seen.

    @property
    def position(self) -> Position:
        """The position, as a value that can be kept, compared and hashed."""
        return Position(self._pyramid, self._stock, self._drawn, self._fresh, self._pass_number, self._cleared_pass)

    @property
    def pyramid_cards(self) -> tuple[Card | None, ...]:
        """The card at each of the 28 places, None where it is gone."""
        pyramid = self._pyramid
        return tuple(card if pyramid >> place & 1 else None for place, card in enumerate(self.deal.pyramid))

    @property
    def free_cards(self) -> tuple[Card, ...]:
        """The pyramid cards that are free, by place."""
        cards = self.deal.cards
        return tuple(cards[place] for place in places(free_mask(self._pyramid)))

    @property
    def waste(self) -> tuple[Card, ...]:
        """The waste, bottom card first."""
        return self._stock_cards(self._stock & ((1 << self._drawn) - 1))

    @property
    def stock(self) -> tuple[Card, ...]:
        """The stock, next card first. Players see it face down: only its count, and its top under `stock_open`."""
        return self._stock_cards(self._stock >> self._drawn << self._drawn)

    @property
    def waste_top(self) -> Card | None:
        """The card on top of the waste, None when the waste is empty."""
        index = self._waste_index()
        return None if index < 0 else self.deal.cards[PLACES + index]

    @property
    def stock_top(self) -> Card | None:
        """The next card of the stock, None when the stock is empty."""
        return None if self._drawn == STOCK_SIZE else self.deal.cards[PLACES + self._drawn]

    @property
    def pass_number(self) -> int:
        """The pass that is under way, from 1."""
        return self._pass_number

    @property
    def cleared(self) -> int:
        """How many pyramid cards are gone."""
        return PLACES - self._pyramid.bit_count()

    @property
    def removed(self) -> int:
        """How many of all 52 cards are gone."""
        return PLACES + STOCK_SIZE - self._pyramid.bit_count() - self._stock.bit_count()

    @property
    def undoable(self) -> int:
        """How many actions can be undone now."""
        return self._undoable

    @property
    def outcome(self) -> Over | None:
        """`won`, `lost` or `stuck`, None while the game goes on.

        Without a move left a game is `lost` when cards are left in the waste and only the limit of passes forbids the
        recycle, and `stuck` otherwise.
        """
        if self._is_won():
            return "won"
        if self._drawn < STOCK_SIZE or (self._stock and self._passes_left()) or self._removals():
            return None
        return "lost" if self._stock else "stuck"

    @property
    def is_over(self) -> bool:
        """Whether the game is won or no move is left."""
        return self.outcome is not None

    def hopeless(self) -> bool | None:
        """Return whether no win is left, by the prover's proof; None when there is no prover or it cannot tell."""
        if self._is_won():
            return False
        if self.is_over:
            return True
        winnable = None if self.prover is None else self.prover(self)
        return None if winnable is None else not winnable

    # Moves.

    def legal_moves(self) -> list[Move]:
        """Return the legal moves in a fixed order.

        Kings first (pyramid by place, stock, waste), then pairs (inside the pyramid by place, then with the waste top,
        then with the stock top, then between stock and waste), then draw or recycle.
        """
        if self._is_won():
            return []
        moves = self._removals()
        if self._drawn < STOCK_SIZE:
            moves.append(DRAW)
        elif self._stock and self._passes_left():
            moves.append(RECYCLE)
        return moves

    def is_legal(self, move: Move) -> bool:
        """Return whether a move is legal now."""
        try:
            self.check(move)
        except IllegalMove:
            return False
        return True

    def check(self, move: Move) -> None:
        """Do nothing when the move is legal, else raise the subclass of `IllegalMove` that names the rule."""
        if self._is_won():
            raise GameOver("the game is won; only an undo is left")
        kind = move.kind
        if kind == "pair":
            self._check_pair(*move.cards)
        elif kind == "king":
            card = move.cards[0]
            self._check_in_play(card)
            if rank(card) != KING:
                raise WrongSum(f"the sum must be 13: {card_name(card)} alone is {rank(card)}")
        elif kind == "draw":
            if self._drawn == STOCK_SIZE:
                raise EmptyStock("the stock is empty: there is nothing to draw")
        elif kind == "recycle":
            if self._drawn < STOCK_SIZE:
                raise StockNotEmpty("a recycle needs an empty stock")
            if not self._stock:
                raise EmptyWaste("the waste is empty: there is nothing to recycle")
            if not self._passes_left():
                raise NoPassLeft(f"no pass is left: the rules allow {self.rules.passes}")
        else:
            raise IllegalMove("an undo is not a move: call undo()")

    def push(self, move: Move) -> None:
        """Make a move; raises a subclass of `IllegalMove` and changes nothing when it is not legal."""
        self.check(move)
        self._save()
        self.moves += 1
        cards = move.cards
        if cards:
            self._remove(cards)
        elif move.kind == "draw":
            self.draws += 1
            self._drawn = self._next_stock(self._drawn + 1)
            self._fresh = self.rules.drawn_pair
        else:
            self.recycles += 1
            self._pass_number += 1
            self._drawn = self._next_stock(0)
            self._fresh = False

    def pop(self) -> None:
        """Take back the last push, the move counter too: the exact inverse of `push`.

        Raises `NothingToUndo` when nothing is left of the history, which keeps at least the last 100 moves.
        """
        self.moves = self._restore()

    def undo(self) -> None:
        """Undo the last action as a player does: cards and score come back, the move counter does not.

        Raises `NothingToUndo` when there was no action, or the rules' `undo_limit` is used up.
        """
        if not self._undoable:
            limit = self.rules.undo_limit
            allowed = "" if limit is None else f" (the rules keep the last {limit})"
            raise NothingToUndo(f"there is nothing to undo{allowed}")
        self._restore()
        self.undos += 1
        if self.rules.undo_counts:
            self.moves += 1

    def apply(self, entry: Move) -> None:
        """Make the entry of a log: `UNDO` undoes, every other is pushed."""
        if entry is UNDO or entry.kind == "undo":
            self.undo()
        else:
            self.push(entry)

    # How it works.

    def _save(self) -> None:
        self._history.append(
            _Saved(
                self._pyramid,
                self._stock,
                self._drawn,
                self._fresh,
                self._pass_number,
                self._cleared_pass,
                self.score,
                self.removals,
                self.draws,
                self.recycles,
                self.moves,
            )
        )
        limit = self.rules.undo_limit
        if limit is None or self._undoable < limit:
            self._undoable += 1

    def _restore(self) -> int:
        """Go back to the last saved state, and return the move count that it had."""
        if not self._history:
            raise NothingToUndo("there is nothing to take back")
        (
            self._pyramid,
            self._stock,
            self._drawn,
            self._fresh,
            self._pass_number,
            self._cleared_pass,
            self.score,
            self.removals,
            self.draws,
            self.recycles,
            moves,
        ) = self._history.pop()
        self._undoable = max(0, self._undoable - 1)
        return moves

    def _stock_cards(self, mask: int) -> tuple[Card, ...]:
        cards = self.deal.cards
        return tuple(cards[PLACES + index] for index in places(mask))

    def _waste_index(self) -> int:
        """Return the stock index of the waste top, -1 when the waste is empty."""
        return (self._stock & ((1 << self._drawn) - 1)).bit_length() - 1

    def _next_stock(self, start: int) -> int:
        """Return the index of the first stock card from `start` on that is still there, 24 when there is none."""
        left = self._stock >> start
        return start + (left & -left).bit_length() - 1 if left else STOCK_SIZE

    def _passes_left(self) -> bool:
        passes = self.rules.passes
        return passes is None or self._pass_number < passes

    def _is_won(self) -> bool:
        return not self._pyramid and (self.rules.goal == "pyramid" or not self._stock)

    def _remove(self, cards: tuple[Card, ...]) -> None:
        waste_index = self._waste_index()
        for card in cards:
            place = self._place_of[card]
            if place < PLACES:
                self._pyramid ^= 1 << place
            else:
                index = place - PLACES
                self._stock ^= 1 << index
                if index == waste_index:
                    self._fresh = False
                elif index == self._drawn:
                    self._drawn = self._next_stock(index)
        self.removals += 1
        if not self._pyramid and not self._cleared_pass and self.rules.scoring == "par":
            self._cleared_pass = self._pass_number
        self.score = self._points()

    def _points(self) -> int | None:
        return score(self.rules.scoring, self._pyramid, self._stock, self.removals, self._cleared_pass)

    def _removals(self) -> list[Move]:
        cards = self.deal.cards
        free = [cards[place] for place in places(free_mask(self._pyramid))]
        piles = []
        stock_top = self.stock_top if self.rules.stock_open else None
        waste_top = self.waste_top
        if stock_top is not None:
            piles.append(stock_top)
        if waste_top is not None:
            piles.append(waste_top)
        moves = [king(card) for card in (*free, *piles) if rank(card) == KING]
        for i, card in enumerate(free):
            moves += [pair(card, other) for other in free[i + 1 :] if rank(card) + rank(other) == TARGET_SUM]
            if self.rules.cover_pair:
                moves += [pair(card, other) for other in self._covered_only_by(card)]
        for pile_top in reversed(piles):
            moves += [pair(card, pile_top) for card in free if rank(card) + rank(pile_top) == TARGET_SUM]
        if waste_top is not None:
            if stock_top is not None and rank(waste_top) + rank(stock_top) == TARGET_SUM:
                moves.append(pair(waste_top, stock_top))
            if self._fresh:
                below = self._card_under_waste_top()
                if below is not None and rank(waste_top) + rank(below) == TARGET_SUM:
                    moves.append(pair(waste_top, below))
        return moves

    def _card_under_waste_top(self) -> Card | None:
        index = self._waste_index()
        below = (self._stock & ((1 << index) - 1)).bit_length() - 1 if index > 0 else -1
        return None if below < 0 else self.deal.cards[PLACES + below]

    def _covered_only_by(self, card: Card) -> list[Card]:
        """Return the cards that add up to 13 with a card and are covered by it alone; none unless it is free."""
        cover = self._place_of[card]
        if cover >= PLACES or not self._in_play(card):
            return []
        cards = self.deal.cards
        return [
            cards[place]
            for place in COVERED_BY[cover]
            if self._pyramid >> place & 1
            and self._pyramid & COVER_MASK[place] == 1 << cover
            and rank(cards[place]) + rank(card) == TARGET_SUM
        ]

    def _in_play(self, card: Card) -> bool:
        """Return whether a card is free, the waste top, or the stock top under `stock_open`."""
        place = self._place_of[card]
        if place < PLACES:
            return bool(self._pyramid >> place & 1) and not self._pyramid & COVER_MASK[place]
        index = place - PLACES
        if index == self._drawn:
            return self.rules.stock_open
        return index < self._drawn and index == self._waste_index()

    def _check_in_play(self, card: Card) -> None:
        """Do nothing when a card is in play, else raise what keeps it out."""
        if self._in_play(card):
            return
        place = self._place_of[card]
        name = card_name(card)
        there = self._pyramid >> place if place < PLACES else self._stock >> (place - PLACES)
        if not there & 1:
            raise CardNotThere(f"{name} is not there: it has been removed")
        if place < PLACES:
            raise CoveredCard(f"{name} is blocked by another card")
        if place - PLACES < self._drawn:
            raise CardOutOfReach(f"{name} lies under other cards in the waste")
        raise CardOutOfReach(f"{name} is still in the stock")

    def _check_pair(self, first: Card, second: Card) -> None:
        total = rank(first) + rank(second)
        if not (self._in_play(first) and self._in_play(second)):
            if total == TARGET_SUM and self._is_special_pair(first, second):
                return
            self._check_in_play(first)
            self._check_in_play(second)
        if total != TARGET_SUM:
            raise WrongSum(f"the sum must be 13: {card_name(first)} and {card_name(second)} are {total}")

    def _is_special_pair(self, first: Card, second: Card) -> bool:
        """Return whether two cards, of which only one is in play, pair under `cover_pair` or `drawn_pair`.

        Raises `OwnCover` or `DrawnWithWaste` when they would under other rules.
        """
        names = f"{card_name(first)} and {card_name(second)}"
        if second in self._covered_only_by(first) or first in self._covered_only_by(second):
            if not self.rules.cover_pair:
                raise OwnCover(f"{names} do not pair: one covers the other")
            return True
        if {first, second} == {self.waste_top, self._card_under_waste_top()}:
            if not self.rules.drawn_pair:
                raise DrawnWithWaste(f"{names} do not pair: a drawn card never pairs with the waste")
            if not self._fresh:
                raise DrawnWithWaste(f"{names} do not pair: the waste top is not just drawn any more")
            return True
        return False
