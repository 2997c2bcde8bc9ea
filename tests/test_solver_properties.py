"""What must hold of the solver's answers when it is stopped early: bounds, verdicts, and lines on the way."""

from __future__ import annotations

import random

import pytest

from pyramide_cli.solver import solve
from tests.positions import game_of, late_position, random_axes

STATES = (1, 2, 5, 20, 100)


@pytest.mark.parametrize("seed", range(4))
def test_bounds_of_a_stopped_search_hold_the_truth(seed: int) -> None:
    rng = random.Random(f"bounds {seed}")
    undecided = 0
    for _ in range(25):
        late = late_position(rng, random_axes(rng), 400)
        whole = late.table.search(late.position, 400)
        assert whole is not None
        game = game_of(late)
        truths = {"shortest": whole.shortest, "most": whole.most[0]}
        if whole.score is not None:
            truths["score"] = whole.score[0]
        for find, truth in truths.items():
            for max_states in STATES:
                found = solve(game, find=find, max_states=max_states)
                if found.verdict == "undecided":
                    undecided += 1
                else:
                    assert found.verdict == ("unwinnable" if whole.shortest is None else "winnable")
                if truth is not None:
                    assert found.lower is None or found.lower <= truth, (find, max_states)
                    assert found.upper is None or found.upper >= truth, (find, max_states)
                if found.optimal and truth is not None:
                    assert (found.lower, found.upper) == (truth, truth)
                end = game.copy()
                for move in found.line or ():
                    end.push(move)
                if find == "shortest" and found.line is not None:
                    assert end.outcome == "won"
    assert undecided > 20


@pytest.mark.parametrize("seed", range(4))
def test_no_move_of_a_shortest_win_can_be_left_out(seed: int) -> None:
    rng = random.Random(f"prefix {seed}")
    for _ in range(15):
        late = late_position(rng, random_axes(rng), 400)
        game = game_of(late)
        found = solve(game)
        for done, move in enumerate(found.line or ()):
            whole = late.table.search(late.position, 400)
            assert whole is not None
            assert whole.shortest == (found.length or 0) - done
            game.push(move)
            position = next(
                after
                for option in late.table.moves(late.position)
                if sorted(option) == sorted(str(move).split("+"))
                for after in [late.table.after(late.position, option)]
            )
            late = late._replace(position=position)
