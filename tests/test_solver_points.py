"""The bounds of values: against plain definitions, the truth, and what they were before.

The tests can be run with compilation switched off, too; `tests.mutation` does.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pyramide_cli.cards import KING
from pyramide_cli.deals import Deal
from pyramide_cli.game import STOCK_FULL, Position
from pyramide_cli.pyramid import places, shapes
from pyramide_cli.rules import RULES
from pyramide_cli.solver import bounds, layout, passes, points
from pyramide_cli.solver.bits import SHAPE, SHAPE_AT
from pyramide_cli.solver.layout import CLEARED, MICROSOFT, PAR, RANK, REMOVED, TARGET, WIN
from pyramide_cli.solver.seeking import is_bundled, most_value, moves_left
from tests import bounds_golden, values_golden
from tests.value_questions import Ahead, Asked, ask, late, question_about, question_of, stray
from tests.value_reference import NEVER, Cards, Given, Question

KEPT = json.loads(values_golden.FILE.read_text(encoding="utf-8"))
OBJECTIVES = (WIN, CLEARED, REMOVED, MICROSOFT, PAR, RANK)


def some(rng: random.Random, cards: Cards) -> Cards:
    share = rng.random()
    return frozenset(card for card in cards if rng.random() < share)


KINDS = [{}, {"stock_open": True}, {"drawn_pair": True}, {"stock_open": True, "drawn_pair": True}]
STOCK_CARDS = frozenset(range(28, 52))


def stock_mask(cards: Cards) -> int:
    return sum(1 << card - 28 for card in cards)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: ", ".join(kind) or "plain")
def test_pairs_in_a_stock_that_is_parted(kind: dict[str, bool]) -> None:
    rng = random.Random(len(str(kind)))
    room = np.zeros(points.POINTS_ROOM, np.int64)
    cut_off = answers = 0
    for number in range(6):
        plain, (numbers, *_) = ask(Question(Deal.from_number(number), RULES["easy"].replace(**kind), MICROSOFT))
        kings = frozenset(card for card in range(52) if plain.rank(card) == KING)
        for _ in range(25):
            parting = some(rng, STOCK_CARDS - kings) if rng.random() < 0.8 else frozenset()
            stock = some(rng, STOCK_CARDS - kings - parting) if rng.random() < 0.5 else STOCK_CARDS - kings - parting
            mask = rng.choice(shapes())
            pyramid = frozenset(places(mask)) - kings
            counts = packed(plain, pyramid)
            masks = stock_mask(stock), stock_mask(parting)
            between = points.pairs_between(numbers, *masks)
            assert between == sum(pairs << 4 * (low - 1) for low, pairs in plain.pairs_between(stock, parting).items())
            most = plain.most_pairs(pyramid, stock, parting)
            assert points.most_pairs(numbers, counts, *masks) == most
            room[:] = rng.getrandbits(20)  # what an earlier question left there is of no use
            spare = plain.spare(pyramid, stock)
            assert points.find_spare(numbers, room, counts, masks[0]) == len(spare)
            for at, (cards, more) in enumerate(spare):
                assert room[points.SPARE + 2 * at] == stock_mask(cards)
                assert room[points.SPARE + 2 * at + 1] == more
            for wanted in range(most - 3, most + 2):
                can = plain.can_pair(pyramid, stock, parting, wanted)
                assert points.can_pair(numbers, room, counts, *masks, wanted) == can
                answers += can
                cut_off += most >= wanted and not can
    assert answers > 100
    assert cut_off > 20 or not kind


@pytest.mark.parametrize(("stock", "parting", "wanted", "tries"), [(0xFF3D6F, 0, 5, 100), (0xCFBD1F, 0x100040, 3, 102)])
def test_a_hundred_choices_are_tried(stock: int, parting: int, wanted: int, tries: int) -> None:
    plain, (numbers, *_) = ask(Question(Deal.from_number(623), RULES["easy"].replace(stock_open=True), MICROSOFT))
    apex, cards, parts = frozenset([0]), *(frozenset(28 + at for at in places(mask)) for mask in (stock, parting))
    assert not plain.can_pair(apex, cards, parts, wanted, most_tries=tries)
    assert plain.can_pair(apex, cards, parts, wanted, most_tries=tries - 1)
    can = points.can_pair(numbers, np.zeros(points.POINTS_ROOM, np.int64), packed(plain, apex), stock, parting, wanted)
    assert can == (tries > 100)


def packed(plain: Question, pyramid: Cards) -> int:
    """Return a packed count, as tables.py describes it."""
    counts = Counter(plain.rank(card) for card in pyramid)
    return sum(counts[low] << 4 * (low - 1) | counts[13 - low] << 4 * (low - 1) + 24 for low in range(1, 7))


def given(asked: Asked, room: passes.Room, state: int) -> Given:
    """Ask the kernels of bounds.py; the stock cards that may go in this pass are left in the room."""
    numbers, _, balance, _ = asked.problem
    shape = state >> SHAPE_AT & SHAPE
    have = layout.stock_count(numbers, state & STOCK_FULL)
    return Given(
        int(bounds.moves_to_clear(numbers, balance, room, state, 0)),
        int(bounds.moves_to_remove_all(numbers, balance, state)),
        int(balance[shape, 0]),
        bool(bounds.most_inside(numbers, balance, shape, have) >= 0),
        int(bounds.passes_left(numbers, state)),
    )


def usable(room: passes.Room) -> Cards:
    return frozenset(28 + at for at in places(int(room[passes.USABLE]) & STOCK_FULL))


def fresh_top(asked: Asked, position: Position) -> int | None:
    """Return the waste top where it was just drawn onto a card that it pairs with."""
    waste = [at for at in places(position.stock) if at < position.drawn]
    if not position.fresh or len(waste) < 2:
        return None
    pair = sum(asked.plain.rank(28 + at) for at in waste[-2:]) == KING
    return waste[-1] if pair else None


def targets(rng: random.Random, asked: Asked, position: Position) -> list[int]:
    """Return values from what a position is worth on; those of `microsoft` go in fives."""
    plain = asked.plain
    now = plain.value(position)
    if plain.objective == MICROSOFT:
        rows = plain.row_bonus(plain.stays) - plain.row_bonus(position.pyramid)
        return [now + rows + 5 * rng.randrange(-1, 20) for _ in range(4)]
    if plain.objective == RANK:
        return list(range(5))
    return [now - 1, now, *(now + rng.randrange(1, 30) for _ in range(2)), 52, *rng.sample(range(49, 103), 3)]


@pytest.mark.parametrize("objective", [REMOVED, MICROSOFT, PAR, RANK])
def test_bounds_by_their_definitions(objective: int) -> None:
    rng = random.Random(100 + objective)
    room = np.zeros(points.POINTS_ROOM, np.int64)
    seen: Counter[str] = Counter()
    for _ in range(16):
        asked, positions = question_about(rng, objective)
        numbers, _, balance, _ = asked.problem
        for position in [*rng.sample(positions, min(8, len(positions))), *stray(rng, asked, 8)]:
            state = asked.state(position)
            fresh = fresh_top(asked, position)
            facts = given(asked, room, state)
            ready = usable(room)
            if objective != PAR:
                for wanted in (-1, 0, 1):
                    found = points.moves_to_end(numbers, balance, room, state, wanted)
                    assert found == asked.plain.moves_to_end(position, facts, wanted)
            if objective in (REMOVED, PAR) and not asked.plain.stays:
                most, bonus = asked.plain.most_left(position, facts, fresh)
                assert points.most_left(numbers, balance, room, state) == most
                assert room[points.MOST_BONUS] == bonus
                seen["bonus"] += bonus > 0 or objective != PAR
            over = position.pyramid == asked.plain.stays and not asked.plain.goes_on
            if objective in (REMOVED, MICROSOFT) and facts.possible and not over:
                given(asked, room, state)
                for wanted in rng.sample(range(28), 4):
                    can = asked.plain.can_remove(position, ready if facts.recycles == 0 else None, wanted)
                    assert points.can_remove(numbers, room, state, wanted) == can
            for target in targets(rng, asked, position):
                plain = replace(asked.plain, target=target)
                numbers[TARGET] = target
                room[:] = rng.getrandbits(20)
                if objective in (MICROSOFT, REMOVED):
                    score = plain.moves_to_score(position, facts, ready)
                    assert points.moves_to_score(numbers, balance, room, state) == score
                    seen["no score"] += facts.clear < score == NEVER
                    seen["score"] += facts.clear < score < NEVER
                elif objective == RANK:
                    cards = plain.moves_to_rank(position, facts, ready)
                    assert points.moves_to_rank(numbers, balance, room, state) == cards
                    seen["no cards"] += facts.clear < cards == NEVER
                    seen["cards"] += 0 < cards < NEVER
                if objective in (REMOVED, PAR) and not plain.stays:
                    count = plain.moves_to_count(position, facts, most, bonus)
                    assert points.moves_to_count(numbers, balance, room, state, target) == count
                    seen["count"] += 0 < count < NEVER
    assert all(number > 5 for number in seen.values()), seen


@pytest.mark.parametrize("kept", KEPT, ids=[f"{each['question']}, {each['deal']}, {each['value']}" for each in KEPT])
def test_bounds_are_never_weaker_than_they_were_and_never_beyond_the_truth(kept: dict[str, Any]) -> None:
    games = bounds_golden.positions(kept["deal"], values_golden.rules_of(kept["question"]), kept["line"])
    found = values_golden.find(kept["question"], games, kept["stays"], kept["targets"])
    assert all(most <= before for most, before in zip(found.most, kept["most"], strict=True))
    for target, moves, before in zip(kept["targets"], found.bounds, kept["bounds"], strict=True):
        assert all(bound >= kept_bound for bound, kept_bound in zip(moves, before, strict=True))
        if target == kept["value"]:
            assert all(bound <= left for left, bound in enumerate(reversed(moves)))
            assert all(most >= target for most in found.most)


def hold_against_truth(
    asked: Asked, room: passes.Room, target: int, moves: dict[Position, int], positions: list[Position]
) -> tuple[int, int]:
    """Compare the bounds of the moves to a target; return how many are exact, and how many say that there is no way.

    moves: what it takes from each position from which there is one.
    """
    numbers, _, balance, _ = asked.problem
    exact = nevers = 0
    for position in positions:
        bound = moves_left(numbers, balance, room, asked.state(position), target)
        if position in moves:
            assert bound <= moves[position]
            exact += 0 < bound == moves[position]
        nevers += bound >= NEVER
    return exact, nevers


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_value_comes_sooner_than_its_bound_or_is_larger(objective: int) -> None:
    rng = random.Random(200 + objective)
    room = np.zeros(points.POINTS_ROOM, np.int64)
    nevers = right = 0
    for _ in range(10):
        found = late(rng, objective)
        ahead = Ahead(found)
        asked = question_of(found, objective, rng.randrange(1, 14) if objective == RANK else 0, 0)
        numbers, _, balance, _ = asked.problem
        assert not is_bundled(numbers)
        worth = {position: asked.plain.value(position) for position in ahead.before}
        few = rng.sample(list(worth), min(25, len(worth)))
        limits = {position: most_value(numbers, balance, room, asked.state(position)) for position in few}
        top = max(worth.values())
        for target in {top, top + 1, *rng.sample(list(worth.values()), min(2, len(worth)))}:
            moves = ahead.moves_to({position for position in worth if worth[position] >= target})
            assert all(limits[position] >= target for position in few if position in moves)
            exact, never = hold_against_truth(asked, room, target, moves, few)
            right, nevers = right + exact, nevers + never
    assert right > 10 or objective == WIN
    assert nevers > 10 or objective == MICROSOFT


@pytest.mark.parametrize("objective", [REMOVED, MICROSOFT, RANK])
def test_no_value_comes_sooner_than_its_bound_where_cards_stay(objective: int) -> None:
    rng = random.Random(300 + objective)
    room = np.zeros(points.POINTS_ROOM, np.int64)
    nevers = right = 0
    for _ in range(16):
        # Where the game ends with the pyramid, a search for removed cards leaves some of it.
        found = late(rng, objective)
        everything = Ahead(found)
        left = sorted({position.pyramid for position in everything.before})
        if objective == REMOVED and found.table.axes.goal == "pyramid" and left[0] == 0:
            left = left[1:]
        for stays in {left[0], rng.choice(left)} if left else ():
            ahead = Ahead(found, stays)
            asked = question_of(found, objective, rng.randrange(1, 14) if objective == RANK else 0, stays)
            worth = {position: asked.plain.value(position) for position in ahead.before if position.pyramid == stays}
            few = rng.sample(list(ahead.before), min(25, len(ahead.before)))
            top = max(worth.values())
            more = 5 if objective == MICROSOFT else 1
            for target in {top, top + more, rng.choice(list(worth.values()))} - {0}:
                moves = ahead.moves_to({position for position in worth if worth[position] >= target})
                asked.problem.numbers[TARGET] = target
                exact, never = hold_against_truth(asked, room, target, moves, few)
                right, nevers = right + exact, nevers + never
    assert right > 10
    assert nevers > 10
