"""Whether a game can be won where every stock card can be reached: a question about the pyramid alone.

With unlimited passes, and pairs with the waste top only, each stock card can be the waste top at any time. So a pyramid
card can go with a stock card of the partner rank whenever it is free, as long as there are enough of these. What
decides is which pairs are made inside the pyramid: of the ranks r and 13 - r, with a and b cards in the pyramid and a
partner for s of the a cards in the stock, at least a - s pairs have to be. In a fresh deal that is a + b - 4.

Take such pairs, one from place p and q, and the rest alone. Each card has to go after those that lie over it, and the
two cards of a pair go together. A game exists exactly if this order has no circle. So the search is for pairs, enough
of each rank and without a circle together; the pyramid's 1,430 shapes are not needed. With `cover_pair` a pair may
also be a card and its cover: then the order between these two is waived, and everything else stands.

More pairs inside than needed never help: their cards could as well go alone. Neither do pairs between stock and waste
(`stock_open`, `drawn_pair`): they only use up partners. Under the goal `all`, where all stock cards must go as well,
and only with pyramid cards if they cannot pair with each other, exactly a - s pairs have to be inside, not less.

Under other rules the same question is a bound: what fails here fails there. Pure Python, for a quick start; verdicts.py
has the same search as a kernel. It is far quicker than a sweep over the shapes with sets of counts (a
hundredth of the time), because few pairs are needed (five or so) and most deals take the first ones that fit.
"""

from __future__ import annotations

from typing import NamedTuple

from pyramide_cli.cards import KING, TARGET_SUM, rank
from pyramide_cli.deals import Deal
from pyramide_cli.game import STOCK_FULL, Position
from pyramide_cli.moves import DRAW, RECYCLE, Move, king, pair
from pyramide_cli.pyramid import COVER_MASK, COVERS, FULL, PLACES, free_mask, places, shapes
from pyramide_cli.rules import Rules

Pair = tuple[int, int]


def _all_over() -> tuple[int, ...]:
    over = [0] * PLACES
    for place in reversed(range(PLACES)):
        for cover in COVERS[place]:
            over[place] |= over[cover] | 1 << cover
    return tuple(over)


OVER = _all_over()
"""All places that lie over each place, however many rows down, as a set."""


class _Group(NamedTuple):
    """The pairs of one rank and its partner: `need` of them have to be made inside, between these places."""

    firsts: list[int]
    seconds: list[int]
    need: int


def decides(rules: Rules) -> bool:
    """Return whether `can_be_won` is exact under these rules; else only its "no" is a proof."""
    return rules.passes is None and (rules.goal == "pyramid" or not (rules.stock_open or rules.drawn_pair))


def can_be_won(deal: Deal, rules: Rules, position: Position | None = None) -> bool:
    """Return whether a deal, or a position of it, can be won if every stock card can always be reached.

    False is a proof under all rules, True only where `decides(rules)`.
    """
    return inside_pairs(deal, rules, position) is not None


def inside_pairs(deal: Deal, rules: Rules, position: Position | None = None) -> list[Pair] | None:
    """Return pairs of places to make inside the pyramid, so that all else can go alone; None where there are none."""
    pyramid, stock = (FULL, STOCK_FULL) if position is None else (position.pyramid, position.stock)
    exact = rules.goal == "all" and not (rules.stock_open or rules.drawn_pair)
    return _find_pairs(_by_rank(deal, pyramid), _count_stock(deal, stock), pyramid, exact, rules.cover_pair)


def most_cleared(deal: Deal, rules: Rules, position: Position | None = None) -> int:
    """Return how many pyramid cards can be gone at most if every stock card can always be reached.

    Exact where the goal is `pyramid` and `decides(rules)`, else an upper bound. Counts the whole deal, with the cards
    that are gone at the position.
    """
    pyramid, stock = (FULL, STOCK_FULL) if position is None else (position.pyramid, position.stock)
    in_stock = _count_stock(deal, stock)
    for rest in sorted(shapes(), key=int.bit_count):
        if rest & ~pyramid:
            continue
        gone = pyramid & ~rest
        if _find_pairs(_by_rank(deal, gone), in_stock, gone, False, rules.cover_pair) is not None:
            return PLACES - rest.bit_count()
    raise AssertionError("removing nothing is always possible")


def winning_line(deal: Deal, rules: Rules, position: Position | None = None) -> tuple[Move, ...] | None:
    """Return moves that win, or None where there is no win; for rules that `decides` allows.

    Everything that can go without a draw goes at once, then the waste top goes with the card that the most others wait
    for. Each trip through the stock removes something, so few are needed; the line is not the shortest.
    """
    if position is None:
        position = Position(FULL, STOCK_FULL, int(rules.deal_waste), False, 1, 0)
    pairs = inside_pairs(deal, rules, position)
    return None if pairs is None else tuple(_Line(deal, rules, position, pairs).play())


def _by_rank(deal: Deal, pyramid: int) -> list[list[int]]:
    """Return the places of the cards of each rank."""
    by_rank: list[list[int]] = [[] for _ in range(KING + 1)]
    for place in places(pyramid):
        by_rank[rank(deal.cards[place])].append(place)
    return by_rank


def _count_stock(deal: Deal, stock: int) -> list[int]:
    """Return how many stock cards of each rank are left."""
    counts = [0] * (KING + 1)
    for at in places(stock):
        counts[rank(deal.cards[PLACES + at])] += 1
    return counts


def _find_pairs(
    by_rank: list[list[int]], in_stock: list[int], pyramid: int, exact: bool, cover_pair: bool
) -> list[Pair] | None:
    groups: list[tuple[int, _Group]] = []
    for low in range(1, TARGET_SUM // 2 + 1):
        firsts, seconds = sorted((by_rank[low], by_rank[TARGET_SUM - low]), key=len)
        need = max(len(by_rank[low]) - in_stock[TARGET_SUM - low], len(by_rank[TARGET_SUM - low]) - in_stock[low])
        if exact and need < 0:
            return None  # stock cards without a partner
        if need > 0:
            choices = sum(
                cover_pair or not (OVER[first] >> second & 1 or OVER[second] >> first & 1)
                for first in firsts
                for second in seconds
            )
            if choices < need or len(firsts) < need:
                return None
            groups.append((choices, _Group(firsts, seconds, need)))
    # The rank with the fewest choices first: what cannot be done is found out soon.
    order = [group for _, group in sorted(groups, key=lambda item: item[0])]
    if not order:
        return []
    before = [over & pyramid for over in OVER]
    return _choose(order, 0, order[0].need, 0, 0, before, cover_pair)


def _choose(
    groups: list[_Group], at: int, missing: int, start: int, used: int, before: list[int], cover_pair: bool
) -> list[Pair] | None:
    """Choose the missing pairs of a group, from its first card number `start` on, and those of the groups after it.

    used: the places that are in a pair. before: for each place, those that have to go earlier, given the pairs so far.
    """
    if not missing:
        at += 1
        if at == len(groups):
            return []
        missing, start = groups[at].need, 0
    firsts, seconds, _ = groups[at]
    for number in range(start, len(firsts) - missing + 1):
        first = firsts[number]
        for second in seconds:
            if used >> second & 1:
                continue
            joined = _join(before, first, second, cover_pair)
            if joined is None:
                continue
            rest = _choose(groups, at, missing - 1, number + 1, used | 1 << second, joined, cover_pair)
            if rest is not None:
                return [(first, second), *rest]
    return None


def _join(before: list[int], first: int, second: int, cover_pair: bool) -> list[int] | None:
    """Return what has to go before each card once two cards go together; None where that makes a circle."""
    both = 1 << first | 1 << second
    earlier = (before[first] | before[second]) & ~both
    if (before[first] | before[second]) & both:
        if not cover_pair:
            return None
        # One waits for the other. That is no circle if it does so only as its cover, not by a card between them.
        if any(before[place] & both for place in places(earlier)):
            return None
    joined = [mask | earlier | both if mask & both else mask for mask in before]
    joined[first] = joined[second] = earlier
    return joined


class _Line:
    """A game that wins with given pairs inside the pyramid; see `winning_line`."""

    def __init__(self, deal: Deal, rules: Rules, position: Position, pairs: list[Pair]) -> None:
        self.cards = deal.cards
        self.rules = rules
        self.pyramid = position.pyramid
        self.stock = list(places(position.stock >> position.drawn << position.drawn))
        self.waste = list(places(position.stock & ((1 << position.drawn) - 1)))
        self.partner = dict(pairs) | {second: first for first, second in pairs}
        self.moves: list[Move] = []

    def play(self) -> list[Move]:
        while self.pyramid or (self.rules.goal == "all" and (self.stock or self.waste)):
            if self._remove_inside() or self._remove_top(self.waste, -1):
                continue
            if self.rules.stock_open and self._remove_top(self.stock, 0):
                continue
            if self.stock:
                self.waste.append(self.stock.pop(0))
                self.moves.append(DRAW)
            else:
                self.stock, self.waste = self.waste, []
                self.moves.append(RECYCLE)
        return self.moves

    def _remove_inside(self) -> bool:
        """Remove a free king or a pair inside the pyramid, if there is one that may go."""
        free = list(places(free_mask(self.pyramid)))
        for number, place in enumerate(free):
            card = self.cards[place]
            if rank(card) == KING:
                self._remove(king(card), 1 << place)
                return True
            partner = self.partner.get(place)
            if partner is not None:
                # Either both are free or, under `cover_pair`, this one is all that still covers the other.
                if partner in free or COVER_MASK[partner] & self.pyramid == 1 << place:
                    self._remove(pair(card, self.cards[partner]), 1 << place | 1 << partner)
                    return True
            elif self.rules.goal == "pyramid":
                for other in free[number + 1 :]:
                    if other not in self.partner and rank(card) + rank(self.cards[other]) == TARGET_SUM:
                        self._remove(pair(card, self.cards[other]), 1 << place | 1 << other)
                        return True
        return False

    def _remove_top(self, pile: list[int], top: int) -> bool:
        """Remove the top card of waste or stock with the free card that the most others wait for, if there is one."""
        if not pile:
            return False
        card = self.cards[PLACES + pile[top]]
        if rank(card) == KING and self.rules.goal == "all":
            self._remove(king(card), 0)
            del pile[top]
            return True
        fitting = [
            place
            for place in places(free_mask(self.pyramid))
            if place not in self.partner and rank(card) + rank(self.cards[place]) == TARGET_SUM
        ]
        if not fitting:
            return False
        best = max(fitting, key=lambda place: sum(OVER[under] >> place & 1 for under in places(self.pyramid)))
        self._remove(pair(card, self.cards[best]), 1 << best)
        del pile[top]
        return True

    def _remove(self, move: Move, gone: int) -> None:
        self.moves.append(move)
        self.pyramid &= ~gone
