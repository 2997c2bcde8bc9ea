"""Analyses of replayed games, as records and as lists of moves that are marked as annotators do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pyramide_cli.cli.exits import Status
from pyramide_cli.cli.outputs import Output
from pyramide_cli.cli.replay.style import Style
from pyramide_cli.game import Game
from pyramide_cli.moves import Move, move_label, move_name
from pyramide_cli.records import VERSION, AnalysisRecord, AnalysisSummary, encode, printable
from pyramide_cli.replay import Checked, Step, Track, Watch

if TYPE_CHECKING:
    from pyramide_cli.analysis import GameAnalysis, MoveAnalysis

Show = Callable[[Checked, "GameAnalysis"], bytes | str]
"""Turns a game and its analysis into what is written."""


class Analyst:
    """Keeps the entries of the games that are being replayed, and analyses a game when it has ended."""

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

    def analyze(self, track: Track) -> GameAnalysis:
        """Analyse a game that has cards, as far as its entries could be made, and forget them."""
        from pyramide_cli.analysis import analyze

        assert track.game is not None
        start = Game(track.game.deal, track.game.rules)
        entries = self._entries.pop(track, ())
        return analyze(start, entries, lengths=self._lengths, max_states=self._max_states)


class Analyses:
    """The moves of each game with what they were worth, and a summary of the game."""

    def __init__(self, target: Output, analyst: Analyst, show: Show) -> None:
        self.watch: Watch | None = analyst.watch
        self._target = target
        self._analyst = analyst
        self._show = show

    def finish(self, checked: Checked) -> None:
        """Analyse a game or a solution and write it; one without cards only gets its record."""
        if checked.track.game is None:
            self._target.write(encode(checked.record))
        else:
            self._target.write(self._show(checked, self._analyst.analyze(checked.track)))
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

    def show(checked: Checked, analysis: GameAnalysis) -> str:
        record, rules = checked.record, checked.track.rules
        lines = [
            printable(f"{checked.track.name}  {record.code or 'a deck'}  {rules}  {record.outcome or ''}").rstrip()
        ]
        lines += [_move_line(move, style) for move in analysis.moves]
        lines += [f"  {sentence}" for sentence in _summary(analysis)]
        if record.fault is not None:
            lines.append(f"  FAULT at {record.fault}")
        return "\n".join(lines) + "\n\n"

    return show


def _move_line(move: MoveAnalysis, style: Style) -> str:
    label = move_label(move.move, unicode=style.unicode)
    return f"{move.n:>5}. {f'{label} {move.mark}':<14} {_remark(move)}".rstrip()


def _remark(move: MoveAnalysis) -> str:
    """Return what there is to say of a move: nothing new once the win is lost."""
    if move.loses:
        left = "" if move.left_before is None else f", which was {move.left_before} moves away"
        return f"gives the win away{left}"
    if move.after == "unwinnable":
        return ""
    if move.after == "undecided":
        return "undecided"
    if move.before == "unwinnable":
        return "the win is back"
    wasted = f", {move.cost} wasted" if move.cost else ""
    return "a win is left" if move.left_after is None else f"{move.left_after} left{wasted}"


def _summary(analysis: GameAnalysis) -> Iterator[str]:
    shortest = "" if analysis.shortest is None else f"; the shortest win takes {analysis.shortest} moves"
    yield f"The deal is {analysis.verdict}{shortest}."
    if analysis.lost_at is not None:
        yield f"Entry {analysis.lost_at} gave the win away."
    if analysis.wasted is not None:
        yield f"Moves wasted: {analysis.wasted}."
    if analysis.efficiency is not None:
        yield f"Efficiency: {analysis.shortest} / {analysis.played} = {analysis.efficiency:.0%}."
    if analysis.won:
        return
    if analysis.clearable is None:
        yield "How many more pyramid cards could be cleared is not known."
    else:
        yield f"Pyramid cards that could still be cleared: {analysis.clearable}."
