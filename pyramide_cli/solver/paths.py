"""A line that a search has found: its positions one move apart, its moves, and its points."""

from __future__ import annotations

from itertools import pairwise

from pyramide_cli.deals import Deal
from pyramide_cli.game import Position
from pyramide_cli.moves import DRAW, RECYCLE, Move, king, pair
from pyramide_cli.pyramid import PLACES, places, shapes
from pyramide_cli.rules import Rules
from pyramide_cli.scoring import score
from pyramide_cli.solver.bits import DRAWN, DRAWN_AT, SHAPE, SHAPE_AT, STOCK
from pyramide_cli.solver.layout import LATE_KINGS, STAYS
from pyramide_cli.solver.memory import BEST, Memory, moves_of, parent_of, position_of
from pyramide_cli.solver.problem import Problem
from pyramide_cli.solver.search import spell_out
from pyramide_cli.solver.workplace import workplace


def path_to_best(problem: Problem, memory: Memory) -> list[int]:
    """Return the packed positions from the start to the best record, one move apart."""
    record, records = int(memory.queue[BEST]), []
    while record >= 0:
        records.append(record)
        record = parent_of(memory.records, record)
    records.reverse()
    states = [position_of(memory.records, records[0])]
    for one, other in pairwise(records):
        before, after = position_of(memory.records, one), position_of(memory.records, other)
        moves = moves_of(memory.records, other) - moves_of(memory.records, one)
        if not spell_out(problem.numbers, problem.without, before, after, moves, workplace.line, workplace.lines):
            raise AssertionError("the solver cannot spell out its own line")
        states += [int(state) for state in workplace.line[:moves]]
    if problem.numbers[STAYS]:
        common = problem.common[[state >> SHAPE_AT & SHAPE for state in states]].tolist()
        states = [state & ~(SHAPE << SHAPE_AT) | shape << SHAPE_AT for state, shape in zip(states, common, strict=True)]
    return _remove_kings_early(states) if problem.numbers[LATE_KINGS] else states


def moves_along(deal: Deal, states: list[int]) -> tuple[Move, ...]:
    """Return the moves from each packed position to the next."""
    return tuple(_move(deal, before, after) for before, after in pairwise(states))


def score_at_end(deal: Deal, rules: Rules, position: Position, states: list[int], line: tuple[Move, ...]) -> int | None:
    """Return the points at the end of a line that begins at a position, counted for the whole deal."""
    mask, stock = mask_of_state(states[-1]), states[-1] & STOCK
    left = [deal.cards[place] for place in places(mask | stock << PLACES)]
    kings = sum(card >= 48 for card in left)
    cleared_pass = position.cleared_pass
    if mask == 0 and cleared_pass == 0:
        before_clear = next(at for at, state in enumerate(states) if mask_of_state(state) == 0)
        cleared_pass = position.pass_number + line[:before_clear].count(RECYCLE)
    return score(rules.scoring, mask, stock, 28 - kings - (len(left) - kings) // 2, cleared_pass)


def mask_of_state(state: int) -> int:
    """Return the places of a packed position."""
    return shapes()[state >> SHAPE_AT & SHAPE]


def _move(deal: Deal, before: int, after: int) -> Move:
    gone = (mask_of_state(before) & ~mask_of_state(after)) | (before & ~after & STOCK) << PLACES
    cards = [deal.cards[place] for place in places(gone)]
    if cards:
        return king(cards[0]) if len(cards) == 1 else pair(cards[0], cards[1])
    return DRAW if (before & STOCK) >> (before >> DRAWN_AT & DRAWN) else RECYCLE


def _remove_kings_early(states: list[int]) -> list[int]:
    """Return the states of a line in which no king vanishes from the stock: it goes in the pass before instead.

    There it goes right after its draw, or at once where it lay on top of the waste at the start.
    """
    for at in range(len(states) - 1):
        king = states[at] & ~states[at + 1] & STOCK
        if king and _is_ahead(states[at], king):
            on_top = at
            while _is_ahead(states[on_top], king):
                on_top -= 1
            while on_top and not _is_ahead(states[on_top - 1], king):
                on_top -= 1
            states[on_top + 1 : at + 2] = [state & ~king for state in states[on_top : at + 1]]
    return states


def _is_ahead(state: int, card: int) -> bool:
    """Return whether a card, given as a mask, is still to be drawn."""
    return card >> (state >> DRAWN_AT & DRAWN) != 0
