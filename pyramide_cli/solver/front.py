"""The solver's front door: what the pyramid alone decides is answered here, at once and without a kernel.

That is `any` under unlimited passes, and every deal that cannot be won even if the whole stock were always at hand
(balance.py). Where a win is also the most of what is asked for, its shortest line is the answer. Everything else goes
on to api.py, which brings numpy, numba and the compiled search.
"""

from __future__ import annotations

import dataclasses
import time

from pyramide_cli.cards import KING, rank
from pyramide_cli.deals import STOCK_SIZE, Deal
from pyramide_cli.game import STOCK_FULL, Game, Position
from pyramide_cli.moves import RECYCLE, Move
from pyramide_cli.pyramid import FULL, PLACES, places
from pyramide_cli.rules import DEFAULT_RULES, Rules
from pyramide_cli.scoring import score
from pyramide_cli.solver.balance import can_be_won, decides, winning_line
from pyramide_cli.solver.question import MAX_STATES, FindError
from pyramide_cli.solver.solution import UNWINNABLE, WINNABLE, Solution


def solve(
    target: Deal | Game, rules: Rules | None = None, *, find: str = "shortest", max_states: int = MAX_STATES
) -> Solution:
    """Answer a question about a deal, or about a game from its present position on.

    find: `any` (is there a win, and one line), `shortest` (fewest moves), `most` (most pyramid cards cleared, or most
    cards removed under the goal `all`, then fewest moves), `score` (highest score, then fewest moves), or `rank=R`
    (as many cards of that rank removed as can be, then fewest moves).
    max_states: how many positions may be stored before the search gives up as undecided.
    A game brings its own rules. Raises `FindError` for a question that does not exist, for `score` under rules
    without a scoring, for other rules beside a game, and for `max_states` below 1.
    """
    deal, its_rules, position = _unpack(target, rules)
    if max_states < 1:
        raise FindError(f"max_states is 1 or more, not {max_states}")
    if find in ("any", "shortest"):
        started = time.perf_counter()
        if find == "any" and decides(its_rules):
            line = winning_line(deal, its_rules, position)
            return _solution(deal, its_rules, find, position, line, started)
        if not can_be_won(deal, its_rules, position):
            return _solution(deal, its_rules, find, position, None, started)
    from pyramide_cli.solver import api

    value = _value_of_a_win(its_rules, find)
    if value is not None and can_be_won(deal, its_rules, position):
        shortest = api.solve(target, rules, find="shortest", max_states=max_states)
        if shortest.verdict == WINNABLE:
            return dataclasses.replace(shortest, find=find, lower=value, upper=value)
    return api.solve(target, rules, find=find, max_states=max_states)


def is_winnable(game: Game, *, max_states: int = MAX_STATES) -> bool | None:
    """Return whether a win is left in a game, by proof; None when the search gave up."""
    possible = can_be_won(game.deal, game.rules, game.position)
    if not possible or decides(game.rules):
        return possible
    from pyramide_cli.solver import api

    return api.is_winnable(game, max_states=max_states)


def _value_of_a_win(rules: Rules, find: str) -> int | None:
    """Return what is asked for at a win, where wins have the most of it and nothing else has as much; else None."""
    return PLACES + STOCK_SIZE if find == "most" and rules.goal == "all" else None


def _unpack(target: Deal | Game, rules: Rules | None) -> tuple[Deal, Rules, Position]:
    if isinstance(target, Game):
        if rules not in (None, target.rules):
            raise FindError("a game brings its own rules; others go with a deal")
        return target.deal, target.rules, target.position
    if not isinstance(target, Deal):
        raise TypeError(f"a Deal or a Game can be solved, not {type(target).__name__}")
    rules = rules or DEFAULT_RULES
    return target, rules, Position(FULL, STOCK_FULL, int(rules.deal_waste), False, 1, 0)


def _solution(
    deal: Deal, rules: Rules, find: str, position: Position, line: tuple[Move, ...] | None, started: float
) -> Solution:
    """Return the answer that a line wins, or that nothing does (None)."""
    points = removed = None
    if line is not None:
        gone = {card for move in line for card in move.cards}
        stock = sum(1 << at for at in places(position.stock) if deal.cards[PLACES + at] not in gone)
        left = [deal.cards[PLACES + at] for at in places(stock)]
        kings = sum(rank(card) == KING for card in left)
        removals = PLACES - kings - (len(left) - kings) // 2
        points = score(rules.scoring, 0, stock, removals, position.cleared_pass or _clearing_pass(deal, position, line))
        removed = len(deal.cards) - len(left)
    return Solution(
        deal=deal,
        rules=rules,
        find=find,
        verdict=UNWINNABLE if line is None else WINNABLE,
        length=None if line is None else len(line),
        optimal=line is None and find == "shortest",
        score=points,
        cleared=None if line is None else PLACES,
        removed=removed,
        lower=None,
        upper=None,
        line=line,
        states=0,
        seconds=time.perf_counter() - started,
    )


def _clearing_pass(deal: Deal, position: Position, line: tuple[Move, ...]) -> int:
    """Return the pass in which a line that wins clears the pyramid."""
    left = {deal.cards[place] for place in places(position.pyramid)}
    number = position.pass_number
    for move in line:
        number += move is RECYCLE
        left.difference_update(move.cards)
        if not left:
            break
    return number
