"""The solver against the plain search of `reference.py`, on late positions that it can search whole."""

from __future__ import annotations

import random

import pytest

from pyramide_cli.game import Game
from pyramide_cli.solver import Solution, rate_moves, solve
from tests.positions import SCORINGS, SINGLE_AXES, Late, game_of, late_position, move_of, random_axes
from tests.reference import RANKS, Axes, Whole

COMBINATIONS = ["random combinations", *SINGLE_AXES]


def replayed(game: Game, solution: Solution) -> Game:
    """Return the game after the solution's line, every move of which must be legal."""
    assert solution.line is not None
    end = game.copy()
    for move in solution.line:
        end.push(move)
    assert solution.length == len(solution.line)
    assert (solution.score, solution.cleared, solution.removed) == (end.score, end.cleared, end.removed)
    return end


def check_proved(game: Game, find: str, answer: tuple[int, int], won: bool) -> Game:
    """Ask for the largest value; return the game at the end of the line, which must have the fewest moves."""
    solution = solve(game, find=find)
    assert solution.verdict == ("winnable" if won else "unwinnable")
    assert solution.optimal
    end = replayed(game, solution)
    assert solution.length == answer[1]
    assert (solution.lower, solution.upper) == (answer[0], answer[0])
    return end


def compare(late: Late, whole: Whole, rng: random.Random) -> None:
    """Ask every question about one position."""
    game = game_of(late)
    before = game.position
    won = whole.shortest is not None
    verdict = "winnable" if won else "unwinnable"

    anything = solve(game, find="any")
    assert (anything.verdict, anything.optimal) == (verdict, False)
    assert (anything.line is not None) == won
    if won:
        assert replayed(game, anything).outcome == "won"

    shortest = solve(game, find="shortest")
    assert (shortest.verdict, shortest.length, shortest.optimal) == (verdict, whole.shortest, True)
    if won:
        assert replayed(game, shortest).outcome == "won"
        assert (shortest.lower, shortest.upper) == (whole.shortest, whole.shortest)

    end = check_proved(game, "most", whole.most, won)
    assert (end.cleared if game.rules.goal == "pyramid" else end.removed) == whole.most[0]

    if whole.score is not None:
        assert check_proved(game, "score", whole.score, won).score == whole.score[0]

    for rank in rng.sample(RANKS, 2):
        end = check_proved(game, f"rank={rank}", whole.ranks[rank], won)
        left = [card for card in (*end.pyramid_cards, *end.stock, *end.waste) if card is not None]
        assert 4 - sum(card // 4 == RANKS.index(rank) for card in left) == whole.ranks[rank][0]
    assert game.position == before


def axes_for(name: str, rng: random.Random) -> Axes:
    """Return the axes that a test name stands for, under a random scoring."""
    if name in SINGLE_AXES:
        return SINGLE_AXES[name]._replace(scoring=rng.choice(SCORINGS))
    return random_axes(rng)


def compare_many(name: str, count: int, largest: int, rng: random.Random) -> int:
    """Compare so many positions with up to `largest` positions ahead; return how many of them can be won."""
    winnable = 0
    for _ in range(count):
        limit = round(100 * (largest / 100) ** rng.random())
        late = late_position(rng, axes_for(name, rng), limit)
        whole = late.table.search(late.position, limit)
        assert whole is not None
        compare(late, whole, rng)
        winnable += whole.shortest is not None
    return winnable


@pytest.mark.parametrize("name", COMBINATIONS)
def test_a_sample_of_late_positions_agrees(name: str) -> None:
    winnable = compare_many(name, 30, 1_500, random.Random(f"sample {name}"))
    assert 3 <= winnable <= 27


@pytest.mark.slow
@pytest.mark.parametrize("name", COMBINATIONS)
def test_300_late_positions_agree(name: str) -> None:
    winnable = compare_many(name, 300, 20_000, random.Random(f"full {name}"))
    assert 30 <= winnable <= 290


@pytest.mark.parametrize("seed", range(4))
def test_every_move_is_rated_right(seed: int) -> None:
    rng = random.Random(f"rate {seed}")
    for _ in range(4):
        late = late_position(rng, random_axes(rng), 200)
        expected = {}
        for move in late.table.moves(late.position):
            whole = late.table.search(late.table.after(late.position, move))
            assert whole is not None
            expected[move] = ("unwinnable" if whole.shortest is None else "winnable", whole.shortest)
        ratings = rate_moves(game_of(late))
        assert {move_of(move): (verdict, left) for move, verdict, left in ratings} == expected
