"""The solver as the rest of the program sees it: questions about deals and games, and their answers."""

from __future__ import annotations

import time

from pyramide_cli.cards import RANKS
from pyramide_cli.deals import STOCK_SIZE, Deal
from pyramide_cli.game import STOCK_FULL, Game, Position
from pyramide_cli.moves import Move
from pyramide_cli.pyramid import FULL, PLACES
from pyramide_cli.rules import DEFAULT_RULES, Rules
from pyramide_cli.scoring import PYRAMIDE_CARD
from pyramide_cli.solver._jit import seconds_compiling
from pyramide_cli.solver.bits import STOCK
from pyramide_cli.solver.layout import CLEARED, MICROSOFT, PAR, RANK, REMOVED, WIN
from pyramide_cli.solver.memory import EXHAUSTED, FOUND, LIMIT
from pyramide_cli.solver.notice import announce
from pyramide_cli.solver.paths import mask_of_state, moves_along, score_at_end
from pyramide_cli.solver.question import MAX_STATES, FindError
from pyramide_cli.solver.search import search
from pyramide_cli.solver.searcher import Searcher
from pyramide_cli.solver.seeking import seek
from pyramide_cli.solver.solution import UNDECIDED, UNWINNABLE, WINNABLE, Solution
from pyramide_cli.solver.workplace import workplace


def solve(
    target: Deal | Game, rules: Rules | None = None, *, find: str = "shortest", max_states: int = MAX_STATES
) -> Solution:
    """Answer a question as `front.solve` does, always with the compiled search."""
    if isinstance(target, Game):
        deal, rules, position = target.deal, target.rules, target.position
    else:
        deal, rules = target, rules or DEFAULT_RULES
        position = Position(FULL, STOCK_FULL, int(rules.deal_waste), False, 1, 0)
    started = time.perf_counter() - seconds_compiling()
    objective, rank = objective_of(find, rules)
    announce(search if objective in (WIN, CLEARED) else seek)
    searcher = Searcher(deal, rules, position, max_states)
    bounds: tuple[int | None, int | None] = (None, None)
    if objective == WIN:
        found = searcher.reach(WIN, 0, 1, shortest=find == "shortest")
        verdict = {FOUND: WINNABLE, EXHAUSTED: UNWINNABLE, LIMIT: UNDECIDED}[found.status]
        optimal = find == "shortest" and found.status != LIMIT
        if find == "shortest" and verdict == WINNABLE:
            bounds = (len(found.states) - 1, len(found.states) - 1)
        elif find == "shortest" and verdict == UNDECIDED:
            bounds = (found.lower, None)
    else:
        found = searcher.best(objective, rank)
        optimal = found.shortest
        verdict = searcher.verdict(objective, found)
        shift = 52 if objective == PAR else 0
        scale = PYRAMIDE_CARD if find == "score" and objective == CLEARED else 1
        bounds = ((found.lower - shift) * scale, (found.upper - shift) * scale)
    states = found.states
    workplace.trim()
    line = moves_along(deal, states) if states else None
    end = states[-1] if states else None
    return Solution(
        deal,
        rules,
        find,
        verdict,
        None if line is None else len(line),
        optimal,
        None if line is None else score_at_end(deal, rules, position, states, line),
        None if end is None else PLACES - mask_of_state(end).bit_count(),
        None if end is None else PLACES + STOCK_SIZE - mask_of_state(end).bit_count() - (end & STOCK).bit_count(),
        bounds[0],
        bounds[1],
        line,
        searcher.stored,
        # The first question of a process waits for machine code, which is no time of the search.
        time.perf_counter() - seconds_compiling() - started,
    )


def is_winnable(game: Game, *, max_states: int = MAX_STATES) -> bool | None:
    """Return whether a win is left in a game, by proof; None when the search gave up."""
    verdict = solve(game, find="any", max_states=max_states).verdict
    return None if verdict == UNDECIDED else verdict == WINNABLE


def rate_moves(game: Game, *, max_states: int = MAX_STATES) -> list[tuple[Move, str, int | None]]:
    """Return every legal move with the verdict after it and the fewest moves left then, None where there is no win."""
    ratings = []
    for move in game.legal_moves():
        after = game.copy()
        after.push(move)
        answer = solve(after, find="shortest", max_states=max_states)
        ratings.append((move, answer.verdict, answer.length))
    return ratings


def objective_of(find: str, rules: Rules) -> tuple[int, int]:
    """Return what a search has to make large for a question, and the rank that it is about (else 0)."""
    if find in ("any", "shortest"):
        return WIN, 0
    if find == "most":
        return REMOVED if rules.goal == "all" else CLEARED, 0
    if find == "score":
        if rules.scoring == "none":
            raise FindError("these rules have no score: choose --scoring, or another --find")
        return {"pyramide": CLEARED, "microsoft": MICROSOFT, "par": PAR}[rules.scoring], 0
    name, _, letter = find.partition("=")
    letter = "T" if letter == "10" else letter.upper()
    if name == "rank" and len(letter) == 1 and letter in RANKS:
        return RANK, RANKS.index(letter) + 1
    raise FindError(f"find is any, shortest, most, score or rank=R with a rank of {RANKS}, not {find!r}")
