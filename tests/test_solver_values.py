"""What positions are worth, against plain definitions.

The tests can be run with compilation switched off, too; `tests.mutation` does.
"""

from __future__ import annotations

import random

import pytest

from pyramide_cli.cards import KING
from pyramide_cli.deals import Deal
from pyramide_cli.game import Position
from pyramide_cli.pyramid import free_mask, places, shapes
from pyramide_cli.rules import RULES
from pyramide_cli.solver import values
from pyramide_cli.solver.layout import CLEARED, MICROSOFT, PAR, RANK, REMOVED, WIN
from tests.value_questions import START, ask, even, question_about
from tests.value_reference import Question

OBJECTIVES = (WIN, CLEARED, REMOVED, MICROSOFT, PAR, RANK)


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


@pytest.mark.parametrize("cover_pair", [False, True])
def test_what_a_position_comes_to_be_worth_by_itself(cover_pair: bool) -> None:
    rng = random.Random(7)
    finished = 0
    for number in range(30):
        rules = RULES["easy"].replace(cover_pair=cover_pair, goal=rng.choice(("pyramid", "all")))
        stays = rng.choice(shapes()) if number % 2 else 0
        objective = (REMOVED, MICROSOFT, RANK)[number % 3]
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
