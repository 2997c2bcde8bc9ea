"""What can still be done in one pass: the kernels against plain sets, and against all that really can be done."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from pyramide_cli.deals import Deal
from pyramide_cli.game import Game, Position
from pyramide_cli.pyramid import places, shapes
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.solver import passes
from pyramide_cli.solver.layout import WIN, Numbers
from pyramide_cli.solver.problem import make_problem
from tests.pass_reference import LATE, Pass
from tests.positions import game_of, late_position, random_axes

KINDS = [
    {},
    {"stock_open": True},
    {"drawn_pair": True},
    {"stock_open": True, "drawn_pair": True},
    {"cover_pair": True},
    {"cover_pair": True, "drawn_pair": True},
]
Question = tuple[int, int, int, int, int]


def questions(rng: random.Random, rules: Rules, count: int) -> Iterator[Question]:
    """Yield the pyramid, the part of it that is asked about, the stock, how much is drawn, and the fresh card."""
    for _ in range(count):
        mask = rng.choice(shapes())
        todo = mask if rng.random() < 0.6 else mask & rng.choice(shapes())
        stock = rng.getrandbits(24) | (rng.getrandbits(24) if rng.random() < 0.7 else 0)
        drawn = rng.randrange(25)
        yield mask, todo, stock, drawn, top_of(stock, drawn) if rules.drawn_pair and rng.random() < 0.7 else 0


def top_of(stock: int, drawn: int) -> int:
    """Return the top of the waste as a mask."""
    return 1 << (stock & ((1 << drawn) - 1)).bit_length() >> 1


def to_mask(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def asked(deal: Deal, rules: Rules, question: Question) -> Pass:
    mask, todo, stock, drawn, fresh = question
    top = fresh.bit_length() - 1 if fresh else None
    return Pass(deal, rules, set(places(mask)), set(places(todo)), set(places(stock)), drawn, top)


def cases(rules: Rules, rng: random.Random, *, whole: bool = False) -> Iterator[tuple[Numbers, Question, Pass]]:
    """Yield questions about some deals, or only about whole pyramids: the tables, the masks, the same in plain sets."""
    for number in range(12):
        deal = Deal.from_number(number)
        numbers = make_problem(deal, rules, Game(deal, rules).position, WIN).numbers
        for mask, todo, stock, drawn, fresh in questions(rng, rules, 25):
            question = (mask, mask if whole else todo, stock, drawn, fresh)
            yield numbers, question, asked(deal, rules, question)


def check_stock(room: passes.Room, one: Pass) -> None:
    """Compare the stock cards that can leave, and what must have gone before those of the waste."""
    assert room[passes.USABLE] == to_mask(one.usable)
    if one.fresh is not None:
        assert room[passes.WASTE_BEFORE + one.fresh] == 0
    for at in one.usable - one.ahead:
        assert room[passes.WASTE_BEFORE + at] == to_mask(one.waste_before[at])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: ", ".join(kind) or "plain")
def test_what_stays_and_when_the_others_go(kind: dict[str, bool]) -> None:
    rules = RULES["easy"].replace(**kind)
    rng = random.Random(len(str(kind)))
    room = np.zeros(passes.ROOM, np.int64)
    for numbers, (mask, todo, stock, drawn, fresh), one in cases(rules, rng):
        one.run()
        room[:] = rng.getrandbits(20)  # what an earlier question left there is of no use
        assert passes.staying(numbers, room, mask, todo, stock, drawn, fresh) == to_mask(one.stays)
        for place in places(todo):
            assert room[place] == one.time[place]
            if place not in one.stays:
                assert room[place] < LATE
                assert room[passes.BEFORE + place] == to_mask(one.before[place])
        check_stock(room, one)


@pytest.mark.parametrize("drawn_pair", [False, True])
def test_what_the_waste_alone_tells(drawn_pair: bool) -> None:
    rules = RULES["easy"].replace(stock_open=True, drawn_pair=drawn_pair)
    rng = random.Random(5)
    room = np.zeros(passes.ROOM, np.int64)
    for numbers, (mask, _, stock, drawn, fresh), one in cases(rules, rng, whole=True):
        one.run_open()
        room[:] = rng.getrandbits(20)
        assert passes.staying_open(numbers, room, mask, stock, drawn, fresh) == 0
        assert [room[place] for place in range(28)] == [drawn] * 28
        check_stock(room, one)


@pytest.mark.parametrize("seed", range(3))
def test_no_play_does_what_cannot_be_done(seed: int) -> None:
    rng = random.Random(seed)
    room = np.zeros(passes.ROOM, np.int64)
    removed = 0
    for _ in range(60):
        axes = random_axes(rng)._replace(goal="pyramid", passes=1)
        game = game_of(late_position(rng, axes, 1000))
        position = game.position
        numbers = make_problem(game.deal, game.rules, position, WIN).numbers
        fresh = top_of(position.stock, position.drawn) if position.fresh else 0
        mask = position.pyramid
        todo = rng.choice((mask, mask & rng.choice(shapes())))
        stays = int(passes.staying(numbers, room, mask, todo, position.stock, position.drawn, fresh))
        for before, after in plays(game):
            gone = before.pyramid & ~after.pyramid
            assert gone & stays == 0
            for place in places(gone & todo):
                removed += 1
                assert room[place] <= before.drawn
                # Both cards of a pair go at once.
                assert after.pyramid & int(room[passes.BEFORE + place]) == 0
            if todo == mask:
                assert (before.stock & ~after.stock) & ~int(room[passes.USABLE]) == 0
    assert removed > 1000


def plays(game: Game) -> Iterator[tuple[Position, Position]]:
    """Yield the positions before and after each move that can be made from a position on in this pass."""
    seen: set[Position] = set()
    todo = [game]
    while todo:
        here = todo.pop()
        for move in here.legal_moves():
            there = here.copy()
            there.push(move)
            yield here.position, there.position
            if there.position not in seen:
                seen.add(there.position)
                todo.append(there)
