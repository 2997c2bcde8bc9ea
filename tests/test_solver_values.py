"""What positions are worth, and the bounds of that: against plain definitions, the truth, and what they were before.

They can be run with compilation switched off, too; `tests.mutation` does.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from pyramide_cli.cards import KING, rank
from pyramide_cli.deals import Deal
from pyramide_cli.game import STOCK_FULL, Position
from pyramide_cli.pyramid import FULL, free_mask, places, shapes
from pyramide_cli.rules import RULES
from pyramide_cli.solver import bounds, layout, passes, points, rests, values
from pyramide_cli.solver.balance import decides
from pyramide_cli.solver.bits import SHAPE, SHAPE_AT, TURNED_AT
from pyramide_cli.solver.layout import CLEARED, MICROSOFT, PAR, RANK, REMOVED, TARGET, WIN
from pyramide_cli.solver.problem import Problem, make_problem, start_state
from pyramide_cli.solver.seeking import is_bundled, most_value, moves_left
from tests import bounds_golden, reference, values_golden
from tests.positions import Late, built_game, deal_of, late_position, random_axes, random_cards, random_game, rules_of
from tests.reference import Table
from tests.value_reference import NEVER, Cards, Given, Question

KEPT = json.loads(values_golden.FILE.read_text(encoding="utf-8"))
OBJECTIVES = (WIN, CLEARED, REMOVED, MICROSOFT, PAR, RANK)
SCORING = {PAR: "par", MICROSOFT: "microsoft"}
START = Position(FULL, STOCK_FULL, 0, False, 1, 0)


def here(table: Table, position: reference.Position) -> Position:
    """Return the package's form of a position of the second engine."""
    place_of = {card: place for place, card in enumerate(table.cards)}
    return Position(
        sum(1 << place_of[card] for card in position.pyramid),
        sum(1 << place_of[card] - 28 for card in (*position.stock, *position.waste)),
        place_of[position.stock[0]] - 28 if position.stock else 24,
        position.fresh,
        position.pass_number,
        position.cleared_in,
    )


class Asked(NamedTuple):
    """A question in plain sets, and as the kernels get it."""

    plain: Question
    problem: Problem

    def state(self, position: Position) -> int:
        """Return the packed form of a position, whose passes count where bits.py says that they do."""
        state = start_state(self.problem, position)
        turned = position.pass_number - self.plain.first_pass
        if self.plain.rules.passes is None:
            turned = min(turned, 3) if self.plain.objective == PAR else 0
        return state | turned << TURNED_AT


def ask(plain: Question, start: Position = START) -> Asked:
    position = start._replace(pass_number=plain.first_pass)
    problem = make_problem(plain.deal, plain.rules, position, plain.objective, plain.asked, stays=plain.stays)
    problem.numbers[TARGET] = plain.target
    return Asked(plain, problem)


def played(rng: random.Random, objective: int) -> tuple[Table, list[reference.Position]]:
    """Return the positions of a random game; one in four is won."""
    axes = random_axes(rng)._replace(scoring=SCORING.get(objective, "none"))
    if rng.random() < 0.25:
        table, moves = built_game(rng, axes)
    else:
        table = Table(random_cards(rng), axes)
        moves = random_game(rng, table, patience=rng.random())
    line = [table.start]
    for move in moves:
        line.append(table.after(line[-1], move))
    return table, line


def question_about(rng: random.Random, objective: int) -> tuple[Asked, list[Position]]:
    """Return a question about a random game and its positions; mostly what is left in the end stays."""
    table, line = played(rng, objective)
    positions = [here(table, position) for position in line]
    stays = positions[-1].pyramid if objective != PAR and rng.random() < 0.7 else 0
    first = rng.choice((1, 1, 2)) if table.axes.passes is None else 1
    positions = [position._replace(pass_number=position.pass_number + first - 1) for position in positions]
    asked = rng.randrange(1, 14) if objective == RANK else 0
    return ask(Question(deal_of(table), rules_of(table.axes), objective, asked, stays, 0, first)), positions


def stray(rng: random.Random, asked: Asked, count: int) -> Iterator[Position]:
    """Yield positions that need not be found in any game."""
    plain = asked.plain
    for _ in range(count):
        stock, drawn = rng.getrandbits(24) | rng.choice((0, rng.getrandbits(24), STOCK_FULL)), rng.randrange(25)
        turned = rng.randrange(3 if plain.rules.passes is None else plain.rules.passes - plain.first_pass + 1)
        mask = rng.choice(shapes()) | plain.stays
        cleared = rng.randrange(4) if mask == 0 and plain.objective == PAR else 0
        position = even(rng, plain, Position(mask, stock, drawn, True, plain.first_pass + turned, cleared))
        if position is not None:
            fresh = plain.rules.drawn_pair and bool(position.stock & ((1 << position.drawn) - 1))
            yield position._replace(fresh=fresh)


def even(rng: random.Random, plain: Question, position: Position) -> Position | None:
    """Return a position with a stock card less where that is needed: cards that are no kings go in twos."""
    stock = position.stock
    others = [at for at in places(stock) if plain.rank(28 + at) != KING]
    if (len(others) + sum(plain.rank(place) != KING for place in places(position.pyramid))) % 2:
        if not others:
            return None
        stock ^= 1 << rng.choice(others)
    drawn = next((at for at in places(stock) if at >= position.drawn), 24)
    return position._replace(stock=stock, drawn=drawn)


def test_what_rows_and_passes_give() -> None:
    for mask in shapes():
        assert values.row_bonus(mask) == Question.row_bonus(mask)
    assert [values.pass_bonus(number) for number in range(6)] == [0, 50, 35, 20, 0, 0]
    assert values.WIN_SCORE == 5 * 14 + 1150


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_what_a_position_is_worth(objective: int) -> None:
    rng = random.Random(objective)
    for _ in range(12):
        asked, positions = question_about(rng, objective)
        plain, numbers = asked.plain, asked.problem.numbers
        for position in rng.sample(positions, min(25, len(positions))) + positions[-8:]:
            state = asked.state(position)
            assert values.value(numbers, state) == plain.value(position)
            assert bool(values.is_won(numbers, state)) is plain.is_won(position)
            assert values.removals(numbers, position.pyramid, position.stock) == plain.removals(position)
            if not plain.stays:
                assert values.most(numbers, state) == plain.most(position)


def rich_deal(rng: random.Random) -> Deal:
    """Return a deal with many pairs inside the pyramid."""
    cards = [card for card in range(52) if card // 4 + 1 in (1, 12, 5, 8, 6, 7, KING)]
    others = [card for card in range(52) if card not in cards]
    return Deal.from_cards([*rng.sample(cards, 28), *rng.sample(others, 24)])


@pytest.mark.parametrize("objective", [REMOVED, MICROSOFT, RANK])
@pytest.mark.parametrize("cover_pair", [False, True])
def test_what_a_position_comes_to_be_worth_by_itself(objective: int, cover_pair: bool) -> None:
    rng = random.Random(objective)
    finished = 0
    for number in range(30):
        rules = RULES["easy"].replace(cover_pair=cover_pair, goal=rng.choice(("pyramid", "all")))
        stays = rng.choice(shapes()) if number % 2 else 0
        asked = ask(Question(rich_deal(rng), rules, objective, rng.randrange(1, 14), stays))
        few = [mask for mask in shapes() if mask & stays == stays and (mask & ~stays).bit_count() <= 6]
        ends = {mask: inside_alone(asked.plain, START._replace(pyramid=mask)) for mask in few}
        for mask in [mask for mask in few if ends[mask]] + rng.sample(few, min(10, len(few))):
            position = even(rng, asked.plain, START._replace(pyramid=mask))
            assert position is not None
            end = inside_alone(asked.plain, position)
            worth = -1 if end is None else asked.plain.value(end)
            assert values.ends_with(asked.problem.numbers, asked.state(position)) == worth
            finished += worth >= 0 and mask != stays
    assert finished > 20


def inside_alone(plain: Question, start: Position) -> Position | None:
    """Return the position when kings and pairs inside have cleared the pyramid, by trying all; None for no way."""
    seen, todo = {start.pyramid}, [start.pyramid]
    while todo:
        mask = todo.pop()
        if mask == plain.stays:
            return start._replace(pyramid=mask)
        free = list(places(free_mask(mask) & ~plain.stays))
        for first in free:
            single = mask & ~(1 << first)
            after = [single] if plain.rank(first) == KING else []
            others = places(free_mask(single) & ~plain.stays) if plain.rules.cover_pair else free
            after += [single & ~(1 << other) for other in others if plain.rank(first) + plain.rank(other) == KING]
            todo += set(after) - seen
            seen.update(after)
    return None


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
            if objective in (REMOVED, MICROSOFT) and facts.possible:
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


class Ahead:
    """All that can come after a late position without cards that stay; the positions in the package's form."""

    def __init__(self, late: Late, stays: int = 0) -> None:
        table = late.table
        self.before: dict[Position, list[Position]] = {here(table, late.position): []}
        todo, seen = [late.position], {late.position}
        while todo:
            position = todo.pop()
            for move in table.moves(position):
                after = table.after(position, move)
                if here(table, after).pyramid & stays != stays:
                    continue
                self.before.setdefault(here(table, after), []).append(here(table, position))
                if after not in seen:
                    seen.add(after)
                    todo.append(after)

    def moves_to(self, ends: set[Position]) -> dict[Position, int]:
        """Return how many moves it takes at least to come to one of some positions; others have no entry."""
        moves, level = dict.fromkeys(ends, 0), list(ends)
        for number in itertools.count(1):
            level = [before for position in level for before in self.before[position]]
            level = [position for position in set(level) if position not in moves]
            moves |= dict.fromkeys(level, number)
            if not level:
                return moves
        raise AssertionError("unreachable")


def late(rng: random.Random, objective: int, **axes: Any) -> Late:
    return late_position(rng, random_axes(rng)._replace(scoring=SCORING.get(objective, "none"), **axes), 300)


def question_of(found: Late, objective: int, asked: int, stays: int) -> Asked:
    start = here(found.table, found.position)
    plain = Question(
        deal_of(found.table), rules_of(found.table.axes), objective, asked, stays, 0, min(4, start.pass_number)
    )
    return ask(plain, start)


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
        some = rng.sample(list(worth), min(25, len(worth)))
        limits = {position: most_value(numbers, balance, room, asked.state(position)) for position in some}
        top = max(worth.values())
        for target in {top, top + 1, *rng.sample(list(worth.values()), min(2, len(worth)))}:
            moves = ahead.moves_to({position for position in worth if worth[position] >= target})
            for position in some:
                bound = moves_left(numbers, balance, room, asked.state(position), target)
                if position in moves:
                    assert limits[position] >= target
                    assert bound <= moves[position]
                    right += 0 < bound == moves[position]
                nevers += bound >= NEVER
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
            numbers, _, balance, _ = asked.problem
            worth = {position: asked.plain.value(position) for position in ahead.before if position.pyramid == stays}
            some = rng.sample(list(ahead.before), min(25, len(ahead.before)))
            top = max(worth.values())
            more = 5 if objective == MICROSOFT else 1
            for target in {top, top + more, rng.choice(list(worth.values()))} - {0}:
                moves = ahead.moves_to({position for position in worth if worth[position] >= target})
                numbers[TARGET] = target
                for position in some:
                    bound = moves_left(numbers, balance, room, asked.state(position), target)
                    if position in moves:
                        assert bound <= moves[position]
                        right += 0 < bound == moves[position]
                    nevers += bound >= NEVER
    assert right > 10
    assert nevers > 10


def test_what_can_be_left_and_what_that_allows() -> None:
    rng = random.Random(400)
    exact = 0
    for number in range(25):
        found = late(rng, PAR, passes=None) if number % 2 else late(rng, PAR)
        deal, rules, start = deal_of(found.table), rules_of(found.table.axes), here(found.table, found.position)
        ahead = Ahead(found)
        left = {position.pyramid for position in ahead.before}
        possible = rests.possible_rests(deal, rules, start)
        assert left <= set(possible.tolist())
        assert possible.tolist() == [mask for mask in shapes() if mask in set(possible.tolist())]
        if decides(rules) and rules.goal == "pyramid":
            exact += 1
            assert set(possible.tolist()) == left
        plain = Question(deal, rules, MICROSOFT)
        limits = rests.most_points(deal, possible), rests.most_removed(deal, possible)
        asked = rng.randrange(1, 14)
        of_rank = rests.most_of_rank(deal, possible, asked)
        at = {mask: number for number, mask in enumerate(possible.tolist())}
        for position in ahead.before:
            number = at[position.pyramid]
            assert limits[0][number] >= plain.value(position)
            assert limits[1][number] >= replace(plain, objective=REMOVED).value(position)
            assert of_rank[number] >= replace(plain, objective=RANK, asked=asked).value(position)
    assert exact > 3


def test_what_a_rest_allows_by_counting() -> None:
    rng = random.Random(401)
    for number in range(4):
        deal = Deal.from_number(number)
        some = np.array([0, FULL, *rng.sample(shapes(), 60)])
        ranks = [rank(card) for card in deal.cards]
        pairs, finished = [], []
        for mask in some.tolist():
            going = Counter(ranks[card] for card in range(52) if not mask >> card & 1)
            pairs.append([min(going[each], going[13 - each]) if each < 13 else going[13] for each in range(14)])
            free = [ranks[place] for place in places(free_mask(mask))]
            if not any(one + other == 13 for one, other in itertools.product(free, [0, *free])):
                finished.append(mask)
        removals = [sum(each[1:7]) + each[13] for each in pairs]
        bonus = [Question.row_bonus(mask) for mask in some.tolist()]
        assert rests.most_points(deal, some).tolist() == [5 * n + more for n, more in zip(removals, bonus, strict=True)]
        assert rests.most_removed(deal, some).tolist() == [sum(each[1:]) for each in pairs]
        for asked in range(1, 14):
            assert rests.most_of_rank(deal, some, asked).tolist() == [each[asked] for each in pairs]
        assert rests.finished(deal, some).tolist() == finished
        assert rests.sizes(some).tolist() == [mask.bit_count() for mask in some.tolist()]
