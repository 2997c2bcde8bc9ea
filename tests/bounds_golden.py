"""The kept bounds of the solver: `python -m tests.bounds_golden` writes them again.

For each ruleset below, a deal, a line of play with the rest of the shortest win behind each of its positions (null for
none, or none that is known), and the bounds of the moves left. There are four kinds of lines: the shortest win of a
deal, a random game, a win of a deal that was made for it, and a random game that leaves that win; of the last two the
plain search knows what is left. Look at what `git diff` shows before you keep it: a bound that gets smaller is a loss,
and one that is larger than what is left is wrong.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.moves import parse_move
from pyramide_cli.rules import RULES, Rules
from tests.positions import built_game, text_of
from tests.reference import Axes, Position, Table

FILE = Path(__file__).parent / "data" / "bounds.json"
DEALS = 4
STRAYS = 40

RULESETS: dict[str, dict[str, Any]] = {
    "plain": {},
    "all": {"goal": "all"},
    "one pass": {"passes": 1},
    "two passes": {"passes": 2},
    "three passes": {"passes": 3},
    "open, two passes": {"stock_open": True, "passes": 2},
    "open, all": {"stock_open": True, "goal": "all", "passes": 2},
    "drawn, two passes": {"drawn_pair": True, "passes": 2},
    "drawn, all": {"drawn_pair": True, "goal": "all", "passes": 3},
    "cover, one pass": {"cover_pair": True, "passes": 1},
    "all axes": {"stock_open": True, "drawn_pair": True, "cover_pair": True, "passes": 2},
}
MORE_STRAYS = {"two passes": (327, 377), "three passes": (280, 379), "drawn, two passes": (123,)}
"""Deals whose random games ask whether another pass is enough, when the first stock card has gone, or need a third."""
MADE = {"three passes": (0,), "open, two passes": (0, 1), "open, all": (0, 1, 2), "drawn, all": (0,), "all axes": (4,)}
"""Seeds of deals that are made for a win."""
WALK = 400_000
"""So many positions are looked at for what is left."""


def rules_of(name: str) -> Rules:
    """Return the rules of a name above."""
    return RULES["easy"].replace(**({"passes": None} | RULESETS[name]))


def bounds(games: Iterator[Game]) -> list[int]:
    """Return the bound of the moves left in each position of one deal and ruleset."""
    import numpy as np

    from pyramide_cli.solver.bits import TURNED_AT
    from pyramide_cli.solver.layout import WIN
    from pyramide_cli.solver.passes import ROOM
    from pyramide_cli.solver.problem import make_problem, start_state
    from pyramide_cli.solver.search import moves_to_win

    found = []
    room = np.zeros(ROOM, np.int64)
    problem = None
    for game in games:
        if problem is None:
            problem = make_problem(game.deal, game.rules, game.position._replace(pass_number=1), WIN)
        turned = 0 if game.rules.passes is None else (game.position.pass_number - 1) << TURNED_AT
        state = start_state(problem, game.position) | turned
        found.append(int(moves_to_win(problem.numbers, problem.balance, room, state, 0)))
    return found


def positions(deal: int | str, rules: Rules, line: list[str]) -> Iterator[Game]:
    """Yield the game at the start and after each move of a line; a deal is its number or its cards."""
    game = Game(Deal.from_number(deal) if isinstance(deal, int) else Deal.from_cards(deal), rules)
    yield game
    for text in line:
        game.push(parse_move(text))
        yield game


def stray(deal: int, rules: Rules) -> list[str]:
    """Return the moves of a random game, whose positions have mostly no win left."""
    rng = random.Random(deal)
    eager = 0.1 if rules.drawn_pair else 0.6  # with more draws more cards that were just drawn have a partner below
    game = Game(Deal.from_number(deal), rules)
    line: list[str] = []
    while len(line) < STRAYS and (moves := game.legal_moves()):
        removals = [move for move in moves if move.cards]
        line.append(str(rng.choice(removals if removals and rng.random() < eager else moves)))
        game.push(parse_move(line[-1]))
    return line


def strayed(name: str, deal: int) -> dict[str, Any]:
    """Return a random game, and what is left."""
    from pyramide_cli.solver import solve

    line = stray(deal, rules_of(name))
    left = [solve(game).length for game in positions(deal, rules_of(name), line)]
    return {"rules": name, "deal": deal, "line": line, "left": left}


def made(name: str, seed: int) -> Iterator[dict[str, Any]]:
    """Yield a line that wins a deal made for that, and a random game that leaves it before it ends.

    What is left is known where the plain search sees everything, and there the random game begins.
    """
    rng = random.Random(f"{name} {seed}")
    table, moves = built_game(rng, Axes(**RULESETS[name]))
    line = [table.start]
    for move in moves:
        line.append(table.after(line[-1], move))
    left: list[int | None] = []
    while len(left) < len(line) and (known := _left(table, line[-1 - len(left)])) is not None:
        left.append(known)
    begun = len(line) - len(left)
    unknown: list[int | None] = [None] * begun
    kept = {"rules": name, "deal": " ".join(table.cards)}
    yield kept | {"line": list(map(text_of, moves)), "left": unknown + left[::-1]}
    here = line[begun]
    moves, left = moves[:begun], [*unknown, _left(table, here)]
    while choice := table.moves(here):
        moves.append(rng.choice(choice))
        here = table.after(here, moves[-1])
        left.append(_left(table, here))
        if left[-1] is None:
            break
    yield kept | {"line": list(map(text_of, moves)), "left": left}


def _left(table: Table, position: Position) -> int | None:
    """Return how many moves are left to a win, None for no win, or too many positions to look at."""
    from tests.plain_search import walk

    plain = walk(table, WALK, position=position)
    return plain.shortest if plain.whole else None


def main() -> None:
    """Write the file."""
    from pyramide_cli.solver import solve

    kept: list[dict[str, Any]] = []
    for name in RULESETS:
        rules = rules_of(name)
        solutions = (solve(Deal.from_number(number), rules, find="any") for number in itertools.count())
        winnable = (solution.deal for solution in solutions if solution.verdict == "winnable")
        for deal in itertools.islice(winnable, 2 * DEALS if rules.drawn_pair else DEALS):
            number = deal.number
            assert number is not None
            line = [str(move) for move in solve(deal, rules).line or ()]
            left: list[int | None] = list(range(len(line), -1, -1))
            kept.append({"rules": name, "deal": number, "line": line, "left": left})
            kept.append(strayed(name, number))
        kept += [strayed(name, number) for number in MORE_STRAYS.get(name, ())]
        kept += [each for seed in MADE.get(name, ()) for each in made(name, seed)]
    for each in kept:
        each["bounds"] = bounds(positions(each["deal"], rules_of(each["rules"]), each["line"]))
    FILE.write_text("[\n" + ",\n".join(json.dumps(each) for each in kept) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
