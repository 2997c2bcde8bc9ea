"""Analyses of replayed games, as records and as lists of moves that are marked as annotators do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pyramide_cli.cli.exits import Status
from pyramide_cli.cli.outputs import Output
from pyramide_cli.cli.replay.style import Style
from pyramide_cli.cli.replay.wording import analysis_lines
from pyramide_cli.game import Game
from pyramide_cli.moves import Move, move_name
from pyramide_cli.pools import Pool
from pyramide_cli.records import VERSION, AnalysisRecord, AnalysisSummary, Problem, encode
from pyramide_cli.replay import Checked, Step, Track, Watch

if TYPE_CHECKING:
    from pyramide_cli.analysis import GameAnalysis

Show = Callable[[Checked, "GameAnalysis"], bytes | str]
"""Turns a game and its analysis into what is written."""

Analysed: TypeAlias = "tuple[Checked | Problem, GameAnalysis | None]"
"""What a replay yields, and the analysis where there is one."""


class Analyst:
    """Keeps the entries of the games that are being replayed, and analyses the games when they have ended."""

    def __init__(self, *, lengths: bool, max_states: int) -> None:
        """Get ready; `lengths` and `max_states` are as in `analyze`."""
        self._lengths = lengths
        self._max_states = max_states
        self._entries: dict[Track, list[Move]] = {}

    def watch(self, step: Step) -> None:
        """Keep the entry of a step."""
        entries = self._entries.setdefault(step.track, [])
        if step.move is not None:
            entries.append(step.move)

    def analyze_all(self, results: Iterable[Checked | Problem], pool: Pool) -> Iterator[Analysed]:
        """Yield what a replay yields, in its order, each game and solution that has cards with its analysis.

        The games are analysed side by side, as far as their entries could be made.
        """
        return pool.map(self._analyse, ((result, self._task(result)) for result in results))

    def _task(self, result: Checked | Problem) -> tuple[Game, Sequence[Move]] | None:
        """Return the start of a game and its entries, which are forgotten here."""
        if isinstance(result, Problem) or result.track.game is None:
            return None
        track = result.track
        assert track.game is not None
        return Game(track.game.deal, track.game.rules), self._entries.pop(track, ())

    def _analyse(self, item: tuple[Checked | Problem, tuple[Game, Sequence[Move]] | None]) -> Analysed:
        from pyramide_cli.analysis import analyze

        result, task = item
        return result, None if task is None else analyze(*task, lengths=self._lengths, max_states=self._max_states)


class Analyses:
    """The moves of each game with what they were worth, and a summary of the game."""

    def __init__(self, target: Output, watch: Watch, show: Show) -> None:
        self.watch: Watch | None = watch
        self._target = target
        self._show = show

    def finish(self, checked: Checked, analysis: GameAnalysis | None) -> None:
        """Write a game or a solution; one without cards only gets its record."""
        self._target.write(encode(checked.record) if analysis is None else self._show(checked, analysis))
        self._target.flush()

    def close(self, status: Status) -> None:
        """Do nothing more."""


def analysis_records(checked: Checked, analysis: GameAnalysis) -> bytes:
    """Return a record for each move, and that of the game with the summary."""
    record = checked.record
    record.analysis = AnalysisSummary(
        verdict=analysis.verdict,
        shortest=analysis.shortest,
        lost_at=analysis.lost_at,
        wasted=analysis.wasted,
        efficiency=None if analysis.efficiency is None else round(analysis.efficiency, 4),
        clearable=analysis.clearable,
    )
    moves = (
        AnalysisRecord(
            v=VERSION,
            game=record.game,
            n=move.n,
            move=move_name(move.move),
            before=move.before,
            after=move.after,
            left_before=move.left_before,
            left_after=move.left_after,
            cost=move.cost,
        )
        for move in analysis.moves
    )
    return b"".join([*map(encode, moves), encode(record)])


def analysis_text(style: Style) -> Show:
    """Return what lists the moves of a game for people."""
    return lambda checked, analysis: "\n".join(analysis_lines(checked, analysis, style)) + "\n\n"
