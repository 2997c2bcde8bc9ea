"""Identities that must hold in what was read: a claim that breaks one is wrong, whoever made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyramide_cli.cards import KING, rank
from pyramide_cli.deals import Deal
from pyramide_cli.moves import Move
from pyramide_cli.pyramid import PLACES
from pyramide_cli.rules import Rules

DECK = 52
PYRAMIDE_WIN = 280
MICROSOFT_MOST = 1290
LEAST_REMOVALS = 15
"""The apex can only go with a stock card or as a king, so 14 pairs never win; with `cover_pair` 14 can."""

Counted = Mapping[str, int | None]


def broken_game(rules: Rules, outcome: str | None, counts: Counted) -> str | None:
    """Return the first identity that a game's figures break, in words, or null where all hold.

    `counts` holds figures under the names of game records, absent or null where unknown; a missing one breaks nothing.
    """
    get = counts.get
    score, moves, removals = get("score"), get("moves"), get("removals")
    cleared, removed = get("cleared"), get("removed")
    if (
        rules.scoring == "pyramide"
        and rules.goal == "pyramid"
        and outcome == "won"
        and score not in (None, PYRAMIDE_WIN)
    ):
        return f"a win scores {PYRAMIDE_WIN}, not {score}"
    fault = _broken_sums(rules, counts)
    if fault:
        return fault
    if rules.scoring == "none" and score is not None:
        return f"the score is {score}, but these rules keep none"
    if rules.scoring == "pyramide" and score is not None:
        if cleared is not None and score != 10 * cleared:
            return f"the score is {score}, but {cleared} pyramid cards at 10 each are {10 * cleared}"
        if not 0 <= score <= PYRAMIDE_WIN:
            return f"the score is {score}, but it lies between 0 and {PYRAMIDE_WIN}"
    if rules.scoring == "microsoft" and score is not None and not 0 <= score <= MICROSOFT_MOST:
        return f"the score is {score}, but it lies between 0 and {MICROSOFT_MOST}"
    if outcome != "won":
        return None
    if cleared not in (None, PLACES):
        return f"won, but {cleared} of {PLACES} pyramid cards are gone"
    if rules.goal == "all" and removed not in (None, DECK):
        return f"won, but {removed} of {DECK} cards are gone"
    least = LEAST_REMOVALS - rules.cover_pair
    if removals is not None and removals < least:
        return f"won with {removals} removals, but no win takes fewer than {least}"
    if removals is None and moves is not None and moves < least:
        return f"won in {moves} moves, but no win takes fewer than {least}"
    return None


def _broken_sums(rules: Rules, counts: Counted) -> str | None:
    get = counts.get
    removals, cleared, removed = get("removals"), get("cleared"), get("removed")
    if cleared is not None and cleared > PLACES:
        return f"{cleared} cards of {PLACES} cannot be gone"
    if removed is not None and removed > DECK:
        return f"{removed} cards of {DECK} cannot be gone"
    if cleared is not None and removed is not None and cleared > removed:
        return f"{cleared} pyramid cards are gone, but only {removed} cards in all"
    if removals is not None and removed is not None and not removals <= removed <= 2 * removals:
        return f"{removals} removals cannot take {removed} cards"
    standing = (removals, get("draws"), get("recycles"))
    moves, undos = get("moves"), get("undos")
    if moves is None or None in standing:
        return None
    made = sum(value for value in standing if value is not None)
    least = made + (undos or 0) * rules.undo_counts
    if moves < least:
        return f"the moves are {moves}, but {least} were made at least"
    if undos == 0 and moves != made:
        return f"the moves are {moves}, but removals, draws and recycles add up to {made}"
    return None


def broken_solution(rules: Rules, verdict: str, find: str | None, counts: Counted, optimal: bool | None) -> str | None:
    """Return the first identity that a solution's figures break, in words, or null where all hold."""
    get = counts.get
    length, lower, upper = get("length"), get("lower"), get("upper")
    cleared, removed = get("cleared"), get("removed")
    if lower is not None and upper is not None and lower > upper:
        return f"the lower bound {lower} is above the upper bound {upper}"
    if cleared is not None and cleared > PLACES:
        return f"{cleared} cards of {PLACES} cannot be gone"
    if removed is not None and removed > DECK:
        return f"{removed} cards of {DECK} cannot be gone"
    if find == "shortest" and verdict == "winnable" and length is not None:
        if length < LEAST_REMOVALS - rules.cover_pair:
            return f"winnable in {length} moves, but no win takes fewer than {LEAST_REMOVALS - rules.cover_pair}"
        if optimal and lower is not None and lower != length:
            return f"the proved length is {length}, but its lower bound {lower}"
    if verdict == "unwinnable" and rules.goal == "pyramid" and cleared == PLACES:
        return "unwinnable, but the whole pyramid is gone"
    return None


def broken_line(deal: Deal, line: Sequence[Move]) -> str | None:
    """Return whether a line that wins goal `all` breaks the balance of its pairs, in words, or null where it holds.

    (pairs inside the pyramid) - (pairs inside stock and waste) = 4 - (kings dealt in the pyramid): the 28 pyramid cards
    less its kings and the 24 others less theirs are each shared out over pairs inside and pairs across.
    """
    pyramid = set(deal.pyramid)
    inner = outer = 0
    for move in line:
        if move.kind == "pair":
            inside = sum(card in pyramid for card in move.cards)
            inner += inside == 2
            outer += inside == 0
    kings = sum(rank(card) == KING for card in deal.pyramid)
    if inner - outer != 4 - kings:
        return f"{inner} pairs inside the pyramid less {outer} outside are not 4 less {kings} kings"
    return None
