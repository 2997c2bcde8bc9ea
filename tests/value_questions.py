"""Questions about values with positions to ask them of, and all that can come after late positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from pyramide_cli.cards import KING
from pyramide_cli.game import STOCK_FULL, Position
from pyramide_cli.pyramid import FULL, places, shapes
from pyramide_cli.solver.bits import TURNED_AT
from pyramide_cli.solver.layout import MICROSOFT, PAR, RANK, TARGET
from pyramide_cli.solver.problem import Problem, make_problem, start_state
from tests import reference
from tests.positions import Late, built_game, deal_of, late_position, random_axes, random_cards, random_game, rules_of
from tests.reference import Table
from tests.value_reference import Question

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
        mask = rng.choice((0, *rng.sample(shapes(), 9))) | plain.stays
        cleared = rng.randrange(4) if mask == 0 and plain.objective == PAR else 0
        position = even(rng, plain, Position(mask, stock, drawn, True, plain.first_pass + turned, cleared))
        if position is not None:
            yield drawn_onto_partner(rng, plain, position)


def drawn_onto_partner(rng: random.Random, plain: Question, position: Position) -> Position:
    """Return a position with its fresh mark where the rules have one; then mostly for a pair, where there is any."""
    if not plain.rules.drawn_pair:
        return position._replace(fresh=False)
    stock = [*places(position.stock), 24]
    pairs = [
        after
        for below, top, after in zip(stock, stock[1:], stock[2:], strict=False)
        if plain.rank(28 + below) + plain.rank(28 + top) == KING
    ]
    drawn = rng.choice(pairs) if pairs and rng.random() < 0.7 else position.drawn
    return position._replace(drawn=drawn, fresh=bool(position.stock & ((1 << drawn) - 1)))


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
        moves, level, number = dict.fromkeys(ends, 0), list(ends), 0
        while level:
            number += 1
            level = [before for position in level for before in self.before[position]]
            level = [position for position in set(level) if position not in moves]
            moves |= dict.fromkeys(level, number)
        return moves


def late(rng: random.Random, objective: int, **axes: Any) -> Late:
    return late_position(rng, random_axes(rng)._replace(scoring=SCORING.get(objective, "none"), **axes), 300)


def question_of(found: Late, objective: int, asked: int, stays: int) -> Asked:
    start = here(found.table, found.position)
    plain = Question(
        deal_of(found.table), rules_of(found.table.axes), objective, asked, stays, 0, min(4, start.pass_number)
    )
    return ask(plain, start)
