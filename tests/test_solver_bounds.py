"""The solver's tables and bounds by themselves: against plain definitions, the truth, and what they were before.

They can be run with compilation switched off, too; `tests.mutation` does.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from pyramide_cli.cards import rank
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.moves import DRAW
from pyramide_cli.pyramid import COVERS, free_mask, places, shapes
from pyramide_cli.rules import RULES
from pyramide_cli.solver import bounds, layout, tables
from pyramide_cli.solver.bits import TURNED_AT
from pyramide_cli.solver.layout import WIN
from pyramide_cli.solver.problem import Problem, make_problem
from tests import bounds_golden

KEPT = json.loads(bounds_golden.FILE.read_text(encoding="utf-8"))
RANKS = range(1, 13)
Counts = dict[int, int]


def packed(counts: Counts) -> int:
    """Return a packed count, as tables.py describes it: rank r to 6 at nibble r - 1, its partner 24 bits higher."""
    return sum(number << (4 * (rank - 1) if rank <= 6 else 4 * (13 - rank - 1) + 24) for rank, number in counts.items())


def counted(ranks: Iterator[int] | list[int]) -> Counts:
    numbers = list(ranks)
    return {rank: numbers.count(rank) for rank in RANKS}


def some_counts(count: int, most: int = 7) -> Iterator[Counts]:
    rng = random.Random(count)
    yield dict.fromkeys(RANKS, 0)
    yield dict.fromkeys(RANKS, most)
    for each in RANKS:
        yield dict.fromkeys(RANKS, 0) | {each: 1}
    for _ in range(count):
        yield {rank: rng.randrange(most + 1) for rank in RANKS}


def test_packed_counts() -> None:
    few = list(some_counts(25))
    for each in RANKS:
        assert 1 << tables.nibble(each) == packed({each: 1})
    for one in few:
        assert tables.total(packed(one)) == sum(one.values())
        assert tables.partners(packed(one)) == packed({13 - rank: number for rank, number in one.items()})
    for one, other in itertools.product(few, repeat=2):
        pairs = [(rank, one[rank], other[rank]) for rank in RANKS]
        assert bool(tables.at_least(packed(one), packed(other))) is all(mine >= yours for _, mine, yours in pairs)
        assert tables.excess(packed(one), packed(other)) == packed({r: max(0, a - b) for r, a, b in pairs})
        assert tables.larger_each(packed(one), packed(other)) == packed({r: max(a, b) for r, a, b in pairs})


@cache
def problem(deal: int = 3, *, cover_pair: bool = False, stock_open: bool = False) -> tuple[Deal, Problem]:
    rules = RULES["easy"].replace(cover_pair=cover_pair, stock_open=stock_open)
    game = Game(Deal.from_number(deal), rules)
    return game.deal, make_problem(game.deal, rules, game.position, WIN)


def masks(bits: int, count: int) -> list[int]:
    rng = random.Random(bits)
    return [0, (1 << bits) - 1, *(1 << bit for bit in range(bits)), *(rng.getrandbits(bits) for _ in range(count))]


def test_what_depends_on_single_cards() -> None:
    deal, (numbers, *_) = problem()
    pyramid, stock = [rank(card) for card in deal.pyramid], [rank(card) for card in deal.stock]
    above = [sum(1 << bit for bit in range(28) if is_over(bit, place)) for place in range(28)]
    for place in range(28):
        assert layout.rank_at(numbers, place) == pyramid[place]
        assert layout.over_of(numbers, place) == above[place]
        assert layout.covers_of(numbers, place) == sum(1 << cover for cover in COVERS[place])
        # The place itself is among those that stay as long as its card does.
        assert numbers[layout.UNDER + place] == 1 << place | sum(
            1 << under for under in range(28) if is_over(place, under)
        )
        assert layout.others_of(numbers, place) == sum(
            1 << other
            for other in range(28)
            if pyramid[other] + pyramid[place] == 13 and not above[place] >> other & 1 and not above[other] >> place & 1
        )
    for at in range(24):
        assert layout.stock_rank(numbers, at) == stock[at]
    for each in range(15):
        assert layout.places_of(numbers, each) == sum(1 << place for place in range(28) if pyramid[place] == each)
        assert layout.stock_of(numbers, each) == sum(1 << at for at in range(24) if stock[at] == each)
    for each in RANKS:
        assert layout.stock_of_nibble(numbers, packed({each: 1}).bit_length() - 1 >> 2) == layout.stock_of(
            numbers, each
        )
    for mask in masks(24, 100):
        assert layout.stock_count(numbers, mask) == packed(counted([stock[at] for at in places(mask)]))
    for mask in masks(28, 100):
        assert layout.place_count(numbers, mask) == packed(counted([pyramid[place] for place in places(mask)]))


def is_over(place: int, other: int) -> bool:
    return any(place == cover or is_over(place, cover) for cover in COVERS[other])


class Inside:
    """What can be done inside the pyramid, by going through all ways to take it apart."""

    def __init__(self, deal: Deal, *, cover_pair: bool, stays: int = 0) -> None:
        self.stays = stays
        self.ranks = [rank(card) for card in deal.pyramid]
        self.cover_pair = cover_pair
        self.vectors = cache(self._vectors)
        self.reach = cache(self._reach)
        self.finish = cache(self._finish)

    def pairs(self, shape: int) -> Iterator[tuple[int, int]]:
        """Yield the class and what is left for each pair inside that can go."""
        for place, single in self.singles(shape):
            options = free_mask(single) if self.cover_pair else free_mask(shape) & ~(1 << place)
            for other in places(options & ~self.stays):
                if self.ranks[place] + self.ranks[other] == 13:
                    yield min(self.ranks[place], self.ranks[other]) - 1, single & ~(1 << other)

    def singles(self, shape: int) -> Iterator[tuple[int, int]]:
        for place in places(free_mask(shape) & ~self.stays):
            yield place, shape & ~(1 << place)

    def _vectors(self, shape: int) -> frozenset[tuple[int, ...]]:
        """Return how many pairs of each class can be made while the shape is cleared."""
        if shape == self.stays:
            return frozenset([(0,) * 6])
        found = {vector for _, after in self.singles(shape) for vector in self.vectors(after)}
        for k, after in self.pairs(shape):
            found |= {(*vector[:k], vector[k] + 1, *vector[k + 1 :]) for vector in self.vectors(after)}
        return frozenset(found)

    def _inside_alone(self, shape: int) -> Iterator[int]:
        for place, after in self.singles(shape):
            if self.ranks[place] == 13:
                yield after
        yield from (after for _, after in self.pairs(shape))

    def _reach(self, shape: int) -> int:
        reach = free_mask(shape) & ~self.stays
        for after in self._inside_alone(shape):
            reach |= self.reach(after)
        return reach

    def _finish(self, shape: int) -> int:
        if shape == self.stays:
            return 0
        return max((1 + left for after in self._inside_alone(shape) if (left := self.finish(after)) >= 0), default=-1)


def some_stays() -> list[int]:
    kings = sum(1 << place for place, card in enumerate(Deal.from_number(3).pyramid) if rank(card) == 13)
    few = [mask for mask in shapes() if 1 <= mask.bit_count() <= 12]
    rng = random.Random(2)
    return [
        0,
        *rng.sample([mask for mask in few if mask & kings], 3),
        *rng.sample([mask for mask in few if not mask & kings], 3),
    ]


def caps_of(deal: Deal, stays: int) -> list[int]:
    """Return the most pairs of each class that can be needed: a card has four partners, but for those that stay."""
    ranks = [rank(card) for card in deal.pyramid]
    staying = counted([ranks[place] for place in places(stays)])
    going = counted([each for place, each in enumerate(ranks) if not stays >> place & 1])
    return [max(0, going[k + 1] + going[12 - k] - 4 + max(staying[k + 1], staying[12 - k])) for k in range(6)]


@pytest.mark.parametrize("number", [3, 4, 5])
def test_how_many_pairs_of_a_class_can_be_needed(number: int) -> None:
    deal, rules = Deal.from_number(number), RULES["easy"]
    for stays in random.Random(number).sample(shapes(), 25):
        numbers = make_problem(deal, rules, Game(deal, rules).position, WIN, stays=stays).numbers
        assert [int(numbers[layout.CAPS + k]) for k in range(6)] == caps_of(deal, stays)
        assert numbers[layout.KINGS_STAY] == sum(rank(deal.pyramid[place]) == 13 for place in places(stays))
        asked = 1 + stays % 13
        numbers = make_problem(deal, rules, Game(deal, rules).position, layout.RANK, asked, stays=stays).numbers
        assert numbers[layout.RANK_STAYS] == sum(rank(deal.pyramid[place]) == asked for place in places(stays))


def apex_pairs(number: int) -> bool:
    """Return whether the apex pairs with both its covers."""
    ranks = [rank(card) for card in Deal.from_number(number).pyramid]
    return ranks[0] + ranks[1] == ranks[0] + ranks[2] == 13


@pytest.mark.parametrize("cover_pair", [False, True])
@pytest.mark.parametrize(
    ("deal_number", "stays"),
    [*((3, stays) for stays in some_stays()), (next(filter(apex_pairs, itertools.count())), 0)],
)
def test_what_depends_on_shapes(deal_number: int, stays: int, cover_pair: bool) -> None:
    deal = Deal.from_number(deal_number)
    rules = RULES["easy"].replace(cover_pair=cover_pair)
    problem = make_problem(deal, rules, Game(deal, rules).position, WIN, stays=stays)
    numbers, without, balance, common = problem
    inside = Inside(deal, cover_pair=cover_pair, stays=stays)
    beside = [mask for mask in shapes() if mask & stays == stays]
    assert [shapes()[number] for number in common.tolist()] == beside
    caps = caps_of(deal, stays)
    steps = [int(numbers[layout.STEPS + k]) for k in range(6)]
    assert balance.shape == (len(beside), int(np.prod([cap + 1 for cap in caps])))
    needs = list(itertools.product(*(range(cap + 1) for cap in caps)))
    kings = sum(1 << place for place in range(28) if inside.ranks[place] == 13)
    small = [(number, mask) for number, mask in enumerate(beside) if (mask & ~stays).bit_count() <= 14]
    few = sorted(small, key=lambda each: each[1].bit_count())[:20]
    for number, mask in [*few, *random.Random(1).sample(small, min(20, len(small)))]:
        if mask == stays:
            continue
        assert layout.mask_of(numbers, number) == mask & ~stays
        free = free_mask(mask) & ~stays
        assert layout.free_of(numbers, number) == free
        for place in places(free):
            assert beside[without[number, place]] == mask & ~(1 << place)
        ranks = [inside.ranks[place] for place in places(mask & ~stays)]
        assert layout.counts_of(numbers, number) == packed(counted(ranks))
        vectors = inside.vectors(mask)
        assert layout.inner_of(numbers, number) == sum(max(v[k] for v in vectors) << 4 * k for k in range(6))
        # A free king is gone before anything is asked, so it is no matter whether it counts as free.
        assert layout.reach_of(numbers, number) & ~kings == inside.reach(mask) & ~kings
        kingless = mask
        while free_mask(kingless) & kings & ~stays:
            kingless &= ~(free_mask(kingless) & kings & ~stays)
        assert beside[layout.kingless_of(numbers, number)] == kingless
        assert layout.finish_of(numbers, number) == inside.finish(mask)
        for need in needs:
            most = max((sum(v) for v in vectors if all(a >= b for a, b in zip(v, need, strict=True))), default=-1)
            assert balance[number, sum(a * b for a, b in zip(need, steps, strict=True))] == most


@pytest.mark.parametrize("goal", ["pyramid", "all"])
@pytest.mark.parametrize("objective", [WIN, layout.MICROSOFT, layout.CLEARED])
def test_the_last_king_waits_for_points_elsewhere(goal: str, objective: int) -> None:
    deal = next(deal for deal in map(Deal.from_number, itertools.count()) if rank(deal.pyramid[0]) == 13)
    rules = RULES["easy"].replace(goal=goal)
    numbers, _, _, common = make_problem(deal, rules, Game(deal, rules).position, objective)
    assert [shapes()[number] for number in common[:2].tolist()] == [0, 1]
    waits = goal == "pyramid" and objective != WIN
    assert layout.kingless_of(numbers, 1) == (1 if waits else 0)


def test_prefixes_of_the_stock_by_looking_at_each() -> None:
    _, (numbers, *_) = problem()
    rng = random.Random(4)
    for cards in masks(24, 60):
        counts = layout.stock_count(numbers, cards)
        for needs in (0, counts, 0x555555555555, *(counts & rng.getrandbits(48) for _ in range(6))):
            lengths = [
                n for n in range(25) if tables.at_least(layout.stock_count(numbers, cards & ((1 << n) - 1)), needs)
            ]
            # What all the cards together do not have is asked for, too: then there is no such prefix.
            assert bounds.draws_until(numbers, cards, needs) == min(lengths, default=24)
        for uses in (0, counts, *(rng.getrandbits(48) & 0x333333333333 for _ in range(6))):
            top = next(n for n in range(25) if tables.at_least(uses, layout.stock_count(numbers, cards >> n << n)))
            assert bounds.blocked_waste(numbers, cards, uses) == cards & ((1 << top) - 1)


@pytest.mark.parametrize("kept", KEPT, ids=[f"{each['rules']}, {each['deal']}, {len(each['line'])}" for each in KEPT])
def test_bounds_are_never_above_the_truth_and_never_below_what_they_were(kept: dict[str, Any]) -> None:
    rules = bounds_golden.rules_of(kept["rules"])
    found = bounds_golden.bounds(bounds_golden.positions(kept["deal"], rules, kept["line"]))
    for bound, before, left in zip(found, kept["bounds"], kept["left"], strict=True):
        assert bound >= before
        assert left is None or bound <= left


@cache
def made(*, stock_open: bool = False, drawn_pair: bool = False) -> Problem:
    deal = Deal.from_number(5)
    rules = RULES["easy"].replace(stock_open=stock_open, drawn_pair=drawn_pair)
    return make_problem(deal, rules, Game(deal, rules).position, WIN)


def stock_ranks(mask: int) -> Counts:
    return counted([rank(Deal.from_number(5).stock[at]) for at in places(mask)])


def shape_ranks(number: int) -> Counts:
    return counted([rank(Deal.from_number(5).pyramid[place]) for place in places(shapes()[number])])


def over_partners(counts: Counts, others: Counts) -> int:
    """Return how many cards there are more than cards of their partner ranks."""
    return sum(max(0, counts[each] - others[13 - each]) for each in RANKS)


KINDS = [{}, {"stock_open": True}, {"drawn_pair": True}, {"stock_open": True, "drawn_pair": True}]
SOME = random.Random(6).sample(range(1430), 20)


@pytest.mark.parametrize("kind", KINDS)
def test_parts_of_the_bounds_by_their_definitions(kind: dict[str, bool]) -> None:
    numbers = made(**kind).numbers
    is_open = kind.get("stock_open", False)
    rng = random.Random(8)
    for shape in SOME:
        ranks, inner = shape_ranks(shape), layout.inner_of(numbers, shape)
        most = {each: inner >> 4 * (min(each, 13 - each) - 1) & 7 for each in RANKS}
        for _ in range(6):
            cards, before, blocked = (rng.getrandbits(24) & rng.getrandbits(24) for _ in range(3))
            there = stock_ranks(cards)
            kings = cards.bit_count() - sum(there.values())
            # Past each card it takes a draw, or under an open stock the removal of what has no partner.
            expected = kings + over_partners(there, ranks) if is_open else cards.bit_count()
            assert bounds.passing(numbers, cards, shape) == expected
            for inside in range(3):
                leaving = sum(min(there[each], ranks[13 - each]) for each in RANKS)
                expected = max(0, -(-(leaving - (sum(ranks.values()) - 2 * inside)) // 2)) if is_open else 0
                assert bounds.too_many(numbers, cards, packed(ranks), inside) == expected
            spare = dict.fromkeys(RANKS, 0)
            if kind:
                room = {
                    each: most[each] + there[13 - min(each, 13 - each)] - ranks[min(each, 13 - each)] for each in RANKS
                }
                spare = {each: min(room[each], there[each], there[13 - each]) for each in RANKS}
                if min(room.values()) < 0:
                    continue  # the pyramid cannot be cleared with these
            assert bounds.spare_pairs(numbers, shape, cards) == packed(spare)
            again = stock_ranks(cards & before)
            stuck = dict.fromkeys(RANKS, 0) if is_open else stock_ranks(cards & before & blocked)
            left = sum(max(0, again[each] - stuck[each] - ranks[13 - each] - spare[each]) for each in RANKS)
            kings = 0 if is_open else (cards & before).bit_count() - sum(again.values())
            assert (
                bounds.passing_again(numbers, cards, before, blocked, packed(ranks), packed(spare))
                == kings + sum(stuck.values()) + left
            )
            for together in (0, 2, 20):
                fits = [
                    n
                    for n in range(24)
                    if (alone := {k: classes_over(ranks, stock_ranks(cards & ((1 << n) - 1)), k) for k in range(1, 7)})
                    and all(alone[k] <= most[k] for k in alone)
                    and sum(alone.values()) <= together
                ]
                assert bounds.draws_to_clear(numbers, shape, cards, together) == min(fits, default=24)


def classes_over(ranks: Counts, stock: Counts, low: int) -> int:
    """Return how many cards of a class at least have no stock card as a partner, on the side that has more of them."""
    return max(max(0, ranks[each] - stock[13 - each]) for each in (low, 13 - low))


def test_kings_that_cost_a_move_in_the_next_pass() -> None:
    rules = RULES["easy"].replace(passes=3)
    for number in range(20):
        game = Game(Deal.from_number(number), rules)
        for _ in range(1 + number):
            game.push(DRAW)
        numbers = make_problem(game.deal, rules, game.position, WIN).numbers
        kings = {at for at, card in enumerate(game.deal.stock) if rank(card) == 13}
        # A king vanishes in the pass before the one that would draw it, but not if it lay under a card in the waste
        # when that began; in the pass that has begun already nothing has vanished.
        lying = {at for at in kings if at < number}
        for turned, costs in enumerate((kings, lying, set(), set())):
            state = turned << TURNED_AT | (1 << 24) - 1
            assert bounds.kings_again(numbers, state) == sum(1 << at for at in costs)
            state = turned << TURNED_AT
            assert bounds.kings_again(numbers, state) == 0
        numbers = make_problem(game.deal, rules.replace(goal="all"), game.position, WIN).numbers
        for turned in range(3):
            assert bounds.kings_again(numbers, turned << TURNED_AT | (1 << 24) - 1) == sum(1 << at for at in kings)


def test_the_last_time_and_the_passes_left() -> None:
    rng = random.Random(9)
    room = np.zeros(96, np.int64)
    for mask in shapes()[1::37]:
        for place in reversed(range(28)):  # a card goes no sooner than those over it
            room[place] = max([rng.randrange(24), *(room[cover] for cover in COVERS[place])])
        room[0] += rng.randrange(3)
        assert bounds.last_time(room, mask) == max(room[place] for place in places(mask))
        top = mask & ~1
        assert bounds.last_time(room, top) == max((room[place] for place in places(top)), default=0)
    deal = Deal.from_number(5)
    for passes in (None, 1, 2, 3):
        rules = RULES["easy"].replace(passes=passes)
        numbers = make_problem(deal, rules, Game(deal, rules).position, WIN).numbers
        for turned in range(passes or 3):
            state = turned << 40 | rng.getrandbits(40)
            assert bounds.passes_left(numbers, state) == (bounds.NEVER if passes is None else passes - 1 - turned)
