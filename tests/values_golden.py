"""The kept bounds of values: `python -m tests.values_golden` writes them again.

For each question below, a deal and a line of play: the solver's answer, or random moves. The pyramid cards that are
left behind the line stay (problem.py), and for each target value and each position there is the bound of the moves to
it, and for the questions that are looked through move by move the most that can be had (else none). `value` is what the
line gives, null for random moves. Look at what `git diff` shows before you keep it: fewer moves or a larger value are a
loss; more moves than are left of the line to its value, or less value, are wrong.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.rules import RULES, Rules
from tests.bounds_golden import positions, stray

FILE = Path(__file__).parent / "data" / "values.json"
DEALS = 2
STATES = 1_000_000

QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "points in one pass": ("score", {"passes": 1}),
    "points, open": ("score", {"passes": 3, "stock_open": True}),
    "points, open, drawn": ("score", {"passes": 2, "stock_open": True, "drawn_pair": True}),
    "points, drawn": ("score", {"passes": 1, "drawn_pair": True}),
    "points, drawn, all": ("score", {"passes": 2, "drawn_pair": True, "goal": "all"}),
    "points, cover, open": ("score", {"passes": 1, "cover_pair": True, "stock_open": True}),
    "points without limit": ("score", {"passes": None}),
    "par": ("score", {"passes": 3, "drawn_pair": True, "goal": "all", "scoring": "par"}),
    "par in one pass": ("score", {"passes": 1, "goal": "all", "scoring": "par"}),
    "par, open, pyramid": ("score", {"passes": 2, "stock_open": True, "scoring": "par"}),
    "cards in one pass": ("most", {"passes": 1, "drawn_pair": True, "goal": "all"}),
    "cards in two passes": ("most", {"passes": 2, "goal": "all"}),
    "cards, open": ("most", {"passes": 1, "stock_open": True, "goal": "all"}),
    "cards without limit": ("most", {"passes": None, "drawn_pair": True, "goal": "all"}),
    "aces in one pass": ("rank=A", {"passes": 1}),
    "sevens, open": ("rank=7", {"passes": 2, "stock_open": True}),
    "kings in one pass": ("rank=K", {"passes": 1}),
    "fives, drawn": ("rank=5", {"passes": 2, "drawn_pair": True, "goal": "all"}),
}


def rules_of(name: str) -> Rules:
    """Return the rules of a question above."""
    return RULES["easy"].replace(**({"scoring": "microsoft"} | QUESTIONS[name][1]))


class Found(NamedTuple):
    """What the kernels say: for each target the bounds of the positions in turn, and the most of each."""

    bounds: list[list[int]]
    most: list[int]


def find(name: str, games: Iterator[Game], stays: int, targets: list[int]) -> Found:
    """Return the bounds of the positions of one deal under the rules of a question."""
    import numpy as np

    from pyramide_cli.solver.api import objective_of
    from pyramide_cli.solver.bits import TURNED_AT
    from pyramide_cli.solver.layout import PAR, REMOVED, TARGET
    from pyramide_cli.solver.points import POINTS_ROOM
    from pyramide_cli.solver.problem import Problem, make_problem, start_state
    from pyramide_cli.solver.seeking import most_value, moves_left

    rules = rules_of(name)
    objective, rank = objective_of(QUESTIONS[name][0], rules)
    room = np.zeros(POINTS_ROOM, np.int64)
    found = Found([[] for _ in targets], [])
    whole: Problem | None = None
    for game in games:
        if whole is None:
            start = game.position
            whole = make_problem(game.deal, rules, start, objective, rank)
            without = make_problem(game.deal, rules, start, objective, rank, stays=stays)
        turned = 0 if rules.passes is None else (game.position.pass_number - 1) << TURNED_AT
        state = start_state(whole, game.position) | turned
        one_by_one = objective == PAR or (objective == REMOVED and rules.passes is not None)
        if one_by_one:
            found.most.append(int(most_value(whole.numbers, whole.balance, room, state)))
        problem = whole if one_by_one else without
        state = start_state(problem, game.position) | turned
        for target, bounds in zip(targets, found.bounds, strict=True):
            problem.numbers[TARGET] = 0 if one_by_one else target
            bounds.append(int(moves_left(problem.numbers, problem.balance, room, state, target)))
    return found


def most_of(name: str, game: Game) -> int:
    """Return the most that the ranks alone allow where just the cards of a game's pyramid are left."""
    import numpy as np

    from pyramide_cli.solver import rests
    from pyramide_cli.solver.api import objective_of
    from pyramide_cli.solver.layout import MICROSOFT, PAR, RANK

    objective, rank = objective_of(QUESTIONS[name][0], game.rules)
    rest = np.array([game.position.pyramid])
    if objective == MICROSOFT:
        return int(rests.most_points(game.deal, rest)[0])
    if objective == RANK:
        return int(rests.most_of_rank(game.deal, rest, rank)[0])
    return int(rests.most_removed(game.deal, rest)[0]) + (20 if objective == PAR else 0)


def main() -> None:
    """Write the file."""
    from pyramide_cli.solver import solve

    kept: list[dict[str, Any]] = []
    for name, (question, _) in QUESTIONS.items():
        rules = rules_of(name)
        step = 5 if rules.scoring == "microsoft" and question == "score" else 1
        solutions = (solve(Deal.from_number(n), rules, find=question, max_states=STATES) for n in itertools.count())
        for solution in itertools.islice((each for each in solutions if each.optimal and each.length), DEALS):
            number, value = solution.deal.number, solution.lower
            assert number is not None
            assert value is not None
            if rules.scoring == "par":
                value += 52
            line = [str(move) for move in solution.line or ()]
            end = list(positions(number, rules, line))[-1]
            targets = [value, value + step, value + 2 * step]
            kept.append({"question": name, "deal": number, "line": line, "value": value, "targets": targets})
            kept[-1]["stays"] = end.position.pyramid
            line = stray(number, rules)
            end = list(positions(number, rules, line))[-1]
            most = most_of(name, end)
            targets = [most, most - step, most - 4 * step] if step > 1 or question != "score" else [most, most - 8]
            targets = [target for target in targets if target > 0]
            kept.append({"question": name, "deal": number, "line": line, "value": None, "targets": targets})
            kept[-1]["stays"] = end.position.pyramid
    for each in kept:
        games = positions(each["deal"], rules_of(each["question"]), each["line"])
        found = find(each["question"], games, each["stays"], each["targets"])
        each |= {"bounds": found.bounds, "most": found.most}
    FILE.write_text("[\n" + ",\n".join(json.dumps(each) for each in kept) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
