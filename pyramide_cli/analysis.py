"""What each move of a game was worth: whether a win was left before and after it, and how many moves it wasted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, cast

from pyramide_cli.game import Game, Position
from pyramide_cli.moves import Move, canonical
from pyramide_cli.pyramid import PLACES
from pyramide_cli.records import Verdict
from pyramide_cli.rules import Rules
from pyramide_cli.solver import is_winnable, solve

MAX_STATES = 5_000_000
"""How many positions the solver may store for one position of a game, if nothing else is said."""


class Worth(NamedTuple):
    """A position: whether a win is left, the fewest moves to it, and a line that takes so many.

    left and line are None where there is no win, or where only the verdict was asked for.
    """

    verdict: Verdict
    left: int | None = None
    line: tuple[Move, ...] | None = None


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """What one entry of a game was worth.

    n: the number of the entry. cost: how many moves it wasted, None for an undo and where a length is not known.
    """

    n: int
    move: Move
    before: Verdict
    after: Verdict
    left_before: int | None
    left_after: int | None
    cost: int | None

    @property
    def loses(self) -> bool:
        """Whether the entry gave the win away."""
        return self.before == "winnable" and self.after == "unwinnable"

    @property
    def mark(self) -> str:
        """What annotators write behind the move: `??` lost the win, `?` wasted moves, nothing otherwise."""
        return "??" if self.loses else "?" if self.cost else ""


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """What the entries of a game were worth, and what follows for the game.

    verdict: whether a win was left at the start. shortest: how many moves the shortest one takes from there.
    lost_at: the number of the entry that gave the win away for good, None where a win was left at the end or never.
    wasted: the moves that the entries wasted together, None where no cost is known.
    played: the move counter at the end. won: whether the game was won.
    clearable: how many more pyramid cards could be cleared from the last position, None where that is not known.
    """

    moves: tuple[MoveAnalysis, ...]
    verdict: Verdict
    shortest: int | None
    lost_at: int | None
    wasted: int | None
    played: int
    won: bool
    clearable: int | None

    @property
    def efficiency(self) -> float | None:
        """The moves of the shortest win over those played, None for a game that was not won."""
        return self.shortest / self.played if self.won and self.shortest is not None and self.played else None


def analyze(
    start: Game, entries: Iterable[Move], *, lengths: bool = True, max_states: int = MAX_STATES
) -> GameAnalysis:
    """Analyse the entries, moves and undos, that follow the start of a game, or any other position of it.

    lengths: whether to find the fewest moves left too; without them only the verdicts are known, much quicker.
    max_states: how many positions the solver may store for each position of the game; where that is not enough, the
    verdict is `undecided`. Raises `IllegalMove` when an entry is against the rules.
    """
    game = start.copy()
    judge = _Judge(lengths, max_states)
    first = before = judge.judge(game)
    moves: list[MoveAnalysis] = []
    for n, entry in enumerate(entries, 1):
        game.apply(entry)
        after = judge.judge(game, judge.follow(before, entry, game.rules))
        moves.append(_compare(n, entry, before, after))
        before = after
    costs = [move.cost for move in moves if move.cost is not None]
    return GameAnalysis(
        moves=tuple(moves),
        verdict=first.verdict,
        shortest=first.left,
        lost_at=_lost_at(moves),
        wasted=sum(costs) if costs else None,
        played=game.moves,
        won=game.outcome == "won",
        clearable=_clearable(game, before, max_states),
    )


def _compare(n: int, entry: Move, before: Worth, after: Worth) -> MoveAnalysis:
    cost = None
    if entry.kind != "undo" and before.left is not None and after.left is not None:
        cost = after.left + 1 - before.left
    return MoveAnalysis(n, entry, before.verdict, after.verdict, before.left, after.left, cost)


def _lost_at(moves: list[MoveAnalysis]) -> int | None:
    if not moves or moves[-1].after != "unwinnable":
        return None
    return next((move.n for move in reversed(moves) if move.loses), None)


def _clearable(game: Game, worth: Worth, max_states: int) -> int | None:
    left = PLACES - game.cleared
    if game.is_over or worth.verdict == "winnable":
        return left if worth.verdict == "winnable" else 0
    solution = solve(game, find="most", max_states=max_states)
    if not solution.optimal or solution.cleared is None:
        return None
    return solution.cleared - game.cleared


class _Judge:
    """Finds out what positions are worth, each once."""

    def __init__(self, lengths: bool, max_states: int) -> None:
        self._lengths = lengths
        self._max_states = max_states
        self._known: dict[Position, Worth] = {}

    def follow(self, before: Worth, entry: Move, rules: Rules) -> Worth | None:
        """Return what an entry leads to where that follows from the position before it, None where it does not."""
        if entry.kind == "undo":
            return None
        if before.verdict == "unwinnable":
            return before
        if before.line and before.left is not None and canonical(before.line[0]) == canonical(entry):
            return Worth("winnable", before.left - 1, before.line[1:])
        if not self._lengths and not entry.cards and rules.passes is None:
            # The stock can go round until it lies as before, so no draw and no recycle gives a win away.
            return before
        return None

    def judge(self, game: Game, known: Worth | None = None) -> Worth:
        """Return what a game's position is worth; `known` is the answer where it follows from what came before."""
        position = game.position
        if game.rules.passes is None:
            position = position._replace(pass_number=1)
        worth = self._known.get(position)
        if worth is None:
            worth = self._known[position] = known or self._ask(game)
        return worth

    def _ask(self, game: Game) -> Worth:
        if game.is_over:
            return Worth("winnable", 0 if self._lengths else None, ()) if game.outcome == "won" else Worth("unwinnable")
        if not self._lengths:
            winnable = is_winnable(game, max_states=self._max_states)
            return Worth("undecided" if winnable is None else "winnable" if winnable else "unwinnable")
        solution = solve(game, find="shortest", max_states=self._max_states)
        if solution.verdict == "winnable" and solution.optimal:
            return Worth("winnable", solution.length, solution.line)
        return Worth(cast(Verdict, solution.verdict))
