"""What can still be done in one pass, a second time: the relaxation of solver/passes.py in plain sets.

Written from that module's description, and slow. It goes through the cards in the same order, because what a round
finds out is used in the same round, and a round more or less would give other times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from pyramide_cli.cards import KING, rank
from pyramide_cli.deals import Deal
from pyramide_cli.pyramid import COVERS
from pyramide_cli.rules import Rules

LATE = 99
PLACES = range(27, -1, -1)


@dataclass
class Pass:
    """One question about one pass, and what is known so far.

    mask, todo, stock, drawn, fresh: as `passes.staying` gets them, with sets for masks; ahead: the stock cards still to
    be drawn; stays: the places that cannot go; dead: the stock cards that stay; time, before: of the pyramid cards;
    waste_before: of the waste; used: the stock cards that some partner finds at hand.
    """

    deal: Deal
    rules: Rules
    mask: set[int]
    todo: set[int]
    stock: set[int]
    drawn: int
    fresh: int | None = None
    stays: set[int] = field(default_factory=set)
    dead: set[int] = field(default_factory=set)
    usable: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    time: dict[int, int] = field(default_factory=dict)
    before: dict[int, set[int]] = field(default_factory=dict)
    waste_before: dict[int, set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ranks = [rank(card) for card in self.deal.pyramid]
        self.stock_ranks = [rank(card) for card in self.deal.stock]
        self.ahead = {at for at in self.stock if at >= self.drawn or at == self.fresh}
        self.stock_pairs = self.rules.stock_open or self.rules.drawn_pair
        for place in PLACES:
            self.time[place] = self.drawn
            self.before[place] = set() if self.rules.cover_pair else self.over(place) & self.todo
        if self.fresh is not None:
            self.waste_before[self.fresh] = set()

    def over(self, place: int) -> set[int]:
        return set(COVERS[place]).union(*map(self.over, COVERS[place]))

    def under(self, place: int) -> set[int]:
        return {other for other in PLACES if place in self.over(other)}

    def partners_in_pyramid(self, number: int, alive: set[int]) -> set[int]:
        return {place for place in alive if self.ranks[place] + number == KING}

    def partners_in_stock(self, number: int, cards: set[int]) -> set[int]:
        return {at for at in cards if self.stock_ranks[at] + number == KING}

    def have_enough(self, alive: set[int], cards: Iterable[int]) -> bool:
        """Return whether there are as many partners in the pyramid as stock cards, for each of their ranks."""
        needed = Counter(self.stock_ranks[at] for at in cards if self.stock_ranks[at] != KING)
        return all(len(self.partners_in_pyramid(each, alive)) >= number for each, number in needed.items())

    def without_partner(self, alive: set[int]) -> set[int]:
        return {
            at
            for at in self.stock
            if (number := self.stock_ranks[at]) != KING
            and not self.partners_in_pyramid(number, alive)
            and not (self.stock_pairs and self.partners_in_stock(number, self.stock))
        }

    def leave_waste(self, alive: set[int]) -> set[int]:
        leaving: set[int] = set()
        before: set[int] = set()
        paired: list[int] = []
        for at in sorted(self.stock - self.ahead, reverse=True):
            self.waste_before[at] = set(before)
            number = self.stock_ranks[at]
            if at in self.dead:
                break
            if number != KING and not (self.stock_pairs and self.partners_in_stock(number, self.ahead)):
                paired.append(at)
                others = self.partners_in_pyramid(number, alive - before)
                if not others or not self.have_enough(alive, paired):
                    break
                before |= set.intersection(*(self.before[other] | {other} for other in others))
            leaving.add(at)
        return leaving

    def find_usable(self, alive: set[int]) -> None:
        self.usable = (self.leave_waste(alive) | self.ahead) - self.dead

    def reachable(self, place: int, alive: set[int], cards: set[int], passed: set[int]) -> set[int]:
        """Return those cards that come to the top of the waste while the card of a place is still there."""
        others = alive - self.under(place) - {place}
        return {at for at in cards if self.have_enough(others, [above for above in passed if above > at])}

    def find_time(self, place: int, alive: set[int]) -> None:
        number = self.ranks[place]
        covers = set(COVERS[place]) & self.todo
        early = max([self.drawn, *(self.time[cover] for cover in covers)])
        before = set().union(*(self.before[cover] for cover in covers))
        before |= {cover for cover in covers if not (self.rules.cover_pair and self.ranks[cover] + number == KING)}
        self.time[place], self.before[place] = early, before
        if early >= LATE or number == KING or self.rules.cover_pair:
            return
        cards = self.partners_in_stock(number, self.usable)
        near = {at for at in cards if at < early and not any(at < onto < early for onto in self.dead)}
        if not self.stock_pairs:
            near = self.reachable(place, alive, near, {at for at in self.stock if at < early})
        far = {at for at in cards if at >= early}
        self.used |= near | far
        # All ways to pair the card: when each can be at the earliest, and what must have gone before it.
        ways: list[tuple[int, set[int]]] = []
        if any(at >= self.drawn for at in near):
            ways.append((early, set()))
        else:
            ways += [(early, self.waste_before[at]) for at in near if place not in self.waste_before[at]]
        if far:
            ways.append((min(far) + (0 if self.rules.stock_open else 1), set()))
        related = self.over(place) | self.under(place)
        others = self.partners_in_pyramid(number, alive - before - related)
        ways += [
            (max(early, self.time[other]), self.before[other]) for other in others if place not in self.before[other]
        ]
        self.time[place] = min((when for when, _ in ways), default=LATE)
        self.before[place] = before | set.intersection(*(what for _, what in ways)) if ways else set(PLACES)

    def run(self) -> None:
        """Find out which cards stay."""
        kings = {at for at in self.stock if self.stock_ranks[at] == KING}
        spared = kings | (self.stock - self.without_partner(self.mask - self.todo))
        if self.rules.cover_pair:
            spared = self.stock
        while True:
            self.dead |= self.without_partner(self.mask - self.stays)
            self.find_usable(self.mask - self.stays)
            self.used = set(spared)
            more = set(self.stays)
            for place in PLACES:
                if place in self.stays:
                    self.time[place] = LATE
                elif place in self.todo:
                    self.find_time(place, self.mask - more)
                    if self.time[place] >= LATE:
                        more.add(place)
            unused = self.usable - self.used
            if more == self.stays and not unused:
                return
            self.stays = more
            self.dead |= unused

    def run_open(self) -> None:
        """Find out what the waste alone tells."""
        self.dead = self.without_partner(self.mask)
        self.find_usable(self.mask)
