"""Values and their bounds a second time: solver/values.py and solver/points.py in plain sets and loops.

Written from the docstrings of those modules, and slow. A card is a number: 0 to 27 the places of the pyramid, 28 to 51
the stock in the order in which it is drawn. Cards that stay (problem.py) are in the pyramid of a position, as in the
game. What a bound takes from other modules comes from their kernels, which have tests of their own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from pyramide_cli.cards import KING, card_name, rank
from pyramide_cli.deals import Deal
from pyramide_cli.game import Position
from pyramide_cli.pyramid import places
from pyramide_cli.rules import Rules
from pyramide_cli.solver.layout import CLEARED, MICROSOFT, PAR, RANK, REMOVED, WIN
from tests import reference
from tests.pass_reference import Pass
from tests.reference import PAR_BONUS, ROW_BONUS, Axes, Table

CLASSES = range(1, 7)
"""Ranks that go together, by the lower one."""
TRIES = 100
"""So many choices of what stays are tried before a `can_pair` says yes."""
NEVER = 4000

Cards = frozenset[int]


class Given(NamedTuple):
    """What the kernels of bounds.py say of a position.

    clear, all_gone: the fewest moves until the pyramid is clear, or all cards are gone; NEVER for no way.
    inside: the most pairs inside the pyramid while it is cleared, with the whole stock at hand, and then `possible`
    tells whether the ranks allow to clear it at all. recycles: how many are left.
    """

    clear: int
    all_gone: int
    inside: int
    possible: bool
    recycles: int


@cache
def most_class_pairs(mine: int, yours: int, my_stock: int, your_stock: int, together: int, clear: bool) -> int:
    """Return the most pairs of two ranks that go together, by going through all ways to pair them; -1 for no way.

    mine, yours: their cards in the pyramid, all of which have to go if `clear`; together: the most pairs that need no
    card of the pyramid.
    """
    most = -1
    for inside, first, second in itertools.product(range(5), repeat=3):
        # first: pairs of mine with the stock; second: of yours.
        if inside + first > mine or inside + second > yours or first > your_stock or second > my_stock:
            continue
        if clear and (inside + first < mine or inside + second < yours):
            continue
        rest = min(my_stock - second, your_stock - first, together)
        most = max(most, inside + first + second + rest)
    return most


def fewest_removals(cards: int, kings: Iterable[int]) -> Iterator[int]:
    """Yield the removals that take so many cards, or one more, for each number of kings among them."""
    for number in kings:
        yield number + (cards - number + 1) // 2


@dataclass(frozen=True)
class Question:
    """What is asked about a deal; first_pass: the pass at the start."""

    deal: Deal
    rules: Rules
    objective: int
    asked: int = 0
    stays: int = 0
    target: int = 0
    first_pass: int = 1

    @property
    def goes_on(self) -> bool:
        """Whether play goes on when the pyramid is clear."""
        return self.objective != WIN if self.stays else self.rules.goal == "all"

    @property
    def stock_pairs(self) -> bool:
        return self.rules.stock_open or self.rules.drawn_pair

    def rank(self, card: int) -> int:
        return rank(self.deal.cards[card])

    def ranks(self, cards: Iterable[int], number: int) -> int:
        """Return how many of some cards have a rank."""
        return sum(self.rank(card) == number for card in cards)

    def pyramid(self, here: Position) -> Cards:
        """Return the pyramid cards that have to go."""
        return frozenset(places(here.pyramid & ~self.stays))

    def stock(self, here: Position) -> Cards:
        return frozenset(28 + at for at in places(here.stock))

    # What a position is worth.

    def score(self, here: Position, scoring: str) -> int:
        """Return the score by the second engine."""
        table = Table(tuple(map(card_name, self.deal.cards)), Axes(scoring=scoring))
        stock = [table.cards[28 + at] for at in places(here.stock) if at >= here.drawn]
        waste = [table.cards[28 + at] for at in places(here.stock) if at < here.drawn]
        pyramid = frozenset(table.cards[place] for place in places(here.pyramid))
        points = table.score(
            reference.Position(pyramid, tuple(stock), tuple(waste), False, here.pass_number, here.cleared_pass)
        )
        assert points is not None
        return points

    def is_won(self, here: Position) -> bool:
        return here.pyramid == self.stays and not (self.goes_on and here.stock)

    def value(self, here: Position) -> int:
        left = [*places(here.pyramid), *self.stock(here)]
        if self.objective == WIN:
            return int(self.is_won(here))
        if self.objective == CLEARED:
            return self.score(here, "pyramide") // 10
        if self.objective == REMOVED:
            return 52 - len(left)
        if self.objective == RANK:
            return 4 - self.ranks(left, self.asked)
        if self.objective == PAR:
            return 52 + self.score(here, "par")
        return self.score(here, "microsoft")

    def removals(self, here: Position) -> int:
        """Return how many removals lead to a position: 5 points each, beside those for the rows."""
        return (self.score(here, "microsoft") - self.row_bonus(here.pyramid)) // 5

    @staticmethod
    def row_bonus(pyramid: int) -> int:
        """Return the points for the rows of which nothing is left."""
        there = set(places(pyramid))
        return sum(
            ROW_BONUS[row] for row in ROW_BONUS if not there & set(range(row * (row - 1) // 2, row * (row + 1) // 2))
        )

    def most(self, here: Position) -> int:
        """Return what a position would come to be worth at most, were all cards to go in this pass."""
        if self.objective == MICROSOFT:
            cards = len(self.pyramid(here)) + len(self.stock(here))
            rows = self.row_bonus(0) - self.row_bonus(here.pyramid)
            return self.value(here) + rows + 5 * (cards // 2 + 4)
        if self.objective == PAR:
            cleared = here.cleared_pass if here.pyramid == 0 else here.pass_number
            return 52 + PAR_BONUS.get(cleared, 0)
        return {WIN: 1, CLEARED: 28, REMOVED: 52, RANK: 4}[self.objective]

    # What can still be removed.

    def pairs_between(self, stock: Cards, parting: Cards) -> dict[int, int]:
        """Return for each class the most pairs of stock cards between which none of some cards lies."""
        if not self.stock_pairs:
            return dict.fromkeys(CLASSES, 0)
        sides = [
            [card for card in stock if sum(other < card for other in parting) == number]
            for number in range(len(parting) + 1)
        ]
        return {low: sum(min(self.ranks(side, low), self.ranks(side, 13 - low)) for side in sides) for low in CLASSES}

    def most_pairs(self, pyramid: Cards, stock: Cards, parting: Cards, *, clear: bool = True) -> int:
        """Return the most pairs, or -1, when some pyramid cards and some of the stock may go (or must, if `clear`)."""
        together = self.pairs_between(stock, parting)
        pairs = [
            most_class_pairs(
                self.ranks(pyramid, low),
                self.ranks(pyramid, 13 - low),
                self.ranks(stock, low),
                self.ranks(stock, 13 - low),
                together[low],
                clear,
            )
            for low in CLASSES
        ]
        return -1 if -1 in pairs else sum(pairs)

    def spare(self, pyramid: Cards, stock: Cards) -> list[tuple[Cards, int]]:
        """Return the stock cards of each rank that has more cards than its partners, and how many more."""
        found = []
        for low in CLASSES:
            more = self.ranks(pyramid | stock, low) - self.ranks(pyramid | stock, 13 - low)
            if more:
                number = low if more > 0 else 13 - low
                found.append((frozenset(card for card in stock if self.rank(card) == number), abs(more)))
        return found

    def can_pair(self, pyramid: Cards, stock: Cards, parting: Cards, wanted: int, most_tries: int = TRIES) -> bool:
        """Return whether so many pairs can go, for some choice of what stays of each rank."""
        tries = 0

        def choose(spare: list[tuple[Cards, int]], staying: Cards) -> bool:
            nonlocal tries
            if not spare:
                return True
            # Those that are drawn last are tried first: it matters only for the number of tries.
            for chosen in itertools.combinations(sorted(spare[0][0], reverse=True), spare[0][1]):
                tries += 1
                if tries > most_tries:
                    return True
                kept = staying | set(chosen)
                if self.most_pairs(pyramid, stock - kept, parting | kept) >= wanted and choose(spare[1:], kept):
                    return True
            return False

        if self.most_pairs(pyramid, stock, parting) < wanted:
            return False
        return not self.stock_pairs or choose(self.spare(pyramid, stock), frozenset())

    def in_this_pass(self, here: Position, fresh: int | None) -> Pass:
        """Return what pass_reference.py says of this pass; fresh: the waste top, if it may pair with the card below."""
        mask = set(places(here.pyramid & ~self.stays))
        stock = set(places(here.stock))
        drawn = 1 + max((at for at in stock if at < here.drawn), default=-1)
        found = Pass(self.deal, self.rules, mask, mask, stock, drawn, fresh)
        found.run()
        return found

    def dead(self, here: Position, usable: Cards | None) -> Cards:
        """Return the stock cards that stay for good, but for kings; usable: those that may go in a last pass."""
        stock = self.stock(here)
        partners = self.pyramid(here) | (stock if self.stock_pairs else frozenset())
        alone = {card for card in stock if not self.ranks(partners, 13 - self.rank(card))}
        late = frozenset() if usable is None else stock - usable
        return frozenset(card for card in alone | late if self.rank(card) != KING)

    def can_remove(self, here: Position, usable: Cards | None, wanted: int) -> bool:
        """Return whether so many removals may still be possible while the pyramid is cleared."""
        pyramid, stock, dead = self.pyramid(here), self.stock(here), self.dead(here, usable)
        kings = {card for card in pyramid | stock if self.rank(card) == KING}
        wanted -= len(kings)
        pyramid, stock = pyramid - kings, stock - kings - dead
        if self.goes_on or self.rules.cover_pair or 0 not in pyramid:
            return self.can_pair(pyramid, stock, dead, wanted)
        lasts = [card for card in stock if self.rank(card) + self.rank(0) == KING]
        return any(self.can_pair(pyramid - {0}, stock - {last}, dead | {last}, wanted - 1) for last in lasts)

    # The bounds themselves.

    def moves_to_end(self, here: Position, given: Given, wanted: int) -> int:
        if here.pyramid == self.stays and not self.goes_on:
            return NEVER if wanted > 0 else 0
        return given.clear

    def moves_to_score(self, here: Position, given: Given, usable: Cards) -> int:
        pyramid, stock = self.pyramid(here), self.stock(here)
        if self.objective == MICROSOFT:
            points = self.row_bonus(self.stays) + 5 * self.removals(here)
            wanted = least = (self.target - points) // 5
        else:
            cards = self.target - self.value(here)
            must, may = self.ranks(pyramid, KING), self.ranks(stock, KING)
            least = must + (cards - must + 1) // 2
            wanted = must + may + (cards - must - may + 1) // 2
        clear = self.moves_to_end(here, given, wanted)
        if clear >= NEVER or wanted <= 0:
            return clear
        if not self.can_remove(here, usable if given.recycles == 0 else None, wanted):
            return NEVER
        return max(clear, least)

    def moves_to_rank(self, here: Position, given: Given, usable: Cards) -> int:
        pyramid, stock = self.pyramid(here), self.stock(here)
        cards = {card for card in stock if self.rank(card) == self.asked}
        # The pyramid's cards of the rank go in any case; so many of the stock must go beside them.
        gone = 4 - len(cards) - self.ranks(places(self.stays), self.asked)
        wanted = self.target - gone
        clear = self.moves_to_end(here, given, wanted)
        if clear >= NEVER or wanted <= 0:
            return clear
        if given.recycles == 0 and len(cards & usable) < wanted:
            return NEVER
        removals = len(pyramid) - given.inside
        if self.asked == KING:
            return max(clear, removals + wanted)
        in_stock = self.ranks(stock, KING - self.asked)
        in_pyramid = self.ranks(pyramid, KING - self.asked)
        most = max(
            in_pyramid - inside + (in_stock if self.stock_pairs else 0)
            for inside in range(5)
            if self.ranks(pyramid, self.asked) - inside <= in_stock
        )
        return max(clear, removals) if most >= wanted else NEVER

    def most_left(self, here: Position, given: Given, fresh: int | None) -> tuple[int, int]:
        """Return the most that can still be had (for REMOVED or PAR, without cards that stay), and its bonus."""
        pyramid, stock = self.pyramid(here), self.stock(here)
        last = given.recycles == 0
        this = self.in_this_pass(here, fresh)
        bonus = 0
        if self.objective == PAR:
            if not pyramid:
                bonus = PAR_BONUS.get(here.cleared_pass, 0)
            elif given.possible and not (last and this.stays):
                bonus = PAR_BONUS.get(here.pass_number + bool(this.stays), 0)
        going = pyramid - this.stays if last else pyramid
        kings = self.ranks(going, KING) + self.ranks(stock, KING)
        dead = self.dead(here, frozenset(28 + at for at in this.usable) if last else None)
        if last:
            kings -= sum(self.rank(card) == KING and card - 28 not in this.usable for card in stock)
        pairs = self.most_pairs(frozenset(going), stock - dead, dead, clear=False)
        return 52 - len(pyramid) - len(stock) + kings + 2 * pairs + bonus, bonus

    def moves_to_count(self, here: Position, given: Given, most: int, bonus: int) -> int:
        """most, bonus: what `most_left` returns."""
        if most < self.target:
            return NEVER
        pyramid, stock = self.pyramid(here), self.stock(here)
        wanted = self.target - bonus - (52 - len(pyramid) - len(stock))
        moves = 0
        if wanted > 0:
            moves = (wanted + 1) // 2
            at_hand = len(pyramid) + sum(card - 28 < here.drawn for card in stock)
            if not self.rules.stock_open and wanted > at_hand:
                moves += wanted - at_hand
        if self.target - bonus == 52:
            moves = max(moves, given.all_gone)
        if pyramid and self.target > 52:
            moves = max(moves, given.clear)
        return moves
