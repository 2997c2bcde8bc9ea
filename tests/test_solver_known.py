"""The solver against lengths, verdicts and decks that others have published."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.moves import DRAW
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.solver import FindError, Solution, is_winnable, rate_moves, solve

DATA = Path(__file__).parent / "data"
OPEN = Rules().replace(stock_open=True)

IN_ORDER = " ".join(rank + suit for suit in "cdhs" for rank in "A23456789TJQK")
APEX_LOCKED = (
    "6D TC 8D AC 7C 3H 8H 2H 8S 2D 4H 7S QC 2S 7D 3D 9H 5H JC JD 7H KH JS TS 6S 9C "
    "TD AH KS 6H 9S 8C 3C AS 5S 4C AD KC 4S QH 4D QS TH JH 6C KD 2C QD 5D 9D 3S 5C"
)
NEEDS_TWO = (
    "8D 9C 8S 9S TS 2H 5H QD 4D 3C 6S 9H TD 3H QC JC KH 7H 2C QH 4H 9D KS JD AD 8H "
    "QS 2S AH 6D 5C KC TC 7D 4S 7S KD AS 5S 6H JS TH 8C 7C 5D JH 6C AC 3S 4C 2D 3D"
)
NEEDS_THREE = (
    "5H 9S 6C 4C 6S 5C 8H QH 7C 9C 6D QD KD 3D 7H AH JH JS KC 2S 7S 6H 4S AC AS 9H "
    "JC 2H 7D TC 3H KS 8S 4D 2D 8D AD TS QS 8C 3S QC 9D 4H 3C 5S 5D TD KH TH JD 2C"
)


def replayed(solution: Solution) -> Game:
    """Return the game after a solution's line, every move of which must be legal."""
    game = Game(solution.deal, solution.rules)
    for move in solution.line or ():
        game.push(move)
    assert (game.score, game.cleared, game.removed) == (solution.score, solution.cleared, solution.removed)
    return game


def test_all_500_published_lengths_agree() -> None:
    decks = (DATA / "random-500.txt").read_text().splitlines()
    lengths = [int(line) for line in (DATA / "random-500-shortest.txt").read_text().split()]
    for deck, length in zip(decks, lengths, strict=True):
        solution = solve(Deal.from_cards(deck), RULES["microsoft"])
        assert solution.optimal
        assert (solution.length or 0) == length
        assert solution.verdict == ("winnable" if length else "unwinnable")
        if length:
            assert replayed(solution).outcome == "won"


@pytest.mark.parametrize(
    ("deck", "goal", "passes", "winnable"),
    [
        *((IN_ORDER, goal, passes, True) for goal in ("pyramid", "all") for passes in (1, 3)),
        *((APEX_LOCKED, goal, passes, False) for goal in ("pyramid", "all") for passes in (1, 3, None)),
        *((NEEDS_TWO, "pyramid", passes, winnable) for passes, winnable in ((1, False), (2, True), (3, True))),
        *((NEEDS_THREE, "pyramid", passes, winnable) for passes, winnable in ((1, False), (2, False), (3, True))),
        (NEEDS_THREE, "all", 3, False),
    ],
)
def test_the_published_verdicts_agree(deck: str, goal: str, passes: int | None, winnable: bool) -> None:
    for find in ("any", "shortest"):
        solution = solve(Deal.from_cards(deck), OPEN.replace(goal=goal, passes=passes), find=find)
        assert solution.verdict == ("winnable" if winnable else "unwinnable")
        assert (solution.line is not None) == winnable
        if winnable:
            assert replayed(solution).outcome == "won"


@pytest.mark.parametrize(
    ("deck", "goal", "length"),
    [
        (IN_ORDER, "pyramid", 27),
        (IN_ORDER, "all", 28),
        (NEEDS_TWO, "pyramid", 36),
        (NEEDS_TWO, "all", 42),
        (NEEDS_THREE, "pyramid", 49),
    ],
)
def test_the_published_lengths_in_three_passes_agree(deck: str, goal: str, length: int) -> None:
    solution = solve(Deal.from_cards(deck), OPEN.replace(goal=goal, passes=3))
    assert (solution.length, solution.lower, solution.upper, solution.optimal) == (length, length, length, True)


def test_a_search_that_stops_says_so() -> None:
    solution = solve(Deal.from_cards(NEEDS_THREE), OPEN.replace(passes=3), max_states=10)
    assert (solution.verdict, solution.length, solution.optimal) == ("undecided", None, False)
    assert solution.lower is not None
    assert solution.lower <= 49
    assert solution.upper is None


def test_a_game_is_solved_from_where_it_is() -> None:
    game = Game(Deal.from_cards(NEEDS_THREE), OPEN.replace(passes=3))
    whole = solve(game)
    assert whole.line is not None
    for move in whole.line[:20]:
        game.push(move)
    assert solve(game).length == 29
    ratings = {move: (verdict, left) for move, verdict, left in rate_moves(game)}
    assert ratings[whole.line[20]] == ("winnable", 28)
    assert min(left for _, left in ratings.values() if left is not None) == 28


def test_a_won_game_needs_no_move_and_a_lost_one_has_none() -> None:
    won = Game(Deal.from_cards(IN_ORDER), OPEN.replace(passes=3))
    for move in solve(won).line or ():
        won.push(move)
    assert solve(won).length == 0
    lost = Game(Deal.from_cards(NEEDS_TWO), OPEN.replace(passes=1))
    for _ in range(24):
        lost.push(DRAW)
    assert is_winnable(lost) is False


def test_questions_that_do_not_exist_are_refused() -> None:
    deal = Deal.from_cards(IN_ORDER)
    for find in ("best", "rank=", "rank=1", "rank=AA"):
        with pytest.raises(FindError):
            solve(deal, find=find)
    with pytest.raises(FindError, match="no score"):
        solve(deal, RULES["relaxed"], find="score")


def test_what_cannot_be_asked_is_refused() -> None:
    deal = Deal.from_number(7)
    with pytest.raises(FindError, match="max_states is 1 or more, not 0"):
        solve(deal, max_states=0)
    with pytest.raises(FindError, match="brings its own rules"):
        solve(Game(deal, RULES["relaxed"]), RULES["easy"])
    assert solve(Game(deal, RULES["relaxed"]), RULES["relaxed"]) is not None
    with pytest.raises(TypeError, match="not str"):
        solve("PY1-N-AAAAAAH")  # type: ignore[arg-type]


def test_the_kernels_say_the_same_uncompiled() -> None:
    code = (
        "from pyramide_cli import Deal, RULES, solve\n"
        f"solution = solve(Deal.from_cards({IN_ORDER!r}), RULES['relaxed'])\n"
        "print(solution.length, solution.states)\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for flag in ("0", "1")
    }
    assert len(answers) == 1
