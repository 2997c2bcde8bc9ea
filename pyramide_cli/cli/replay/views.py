"""What `replay` writes: records, lines for people, boards, or a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from pyramide_cli.boards import describe, render_svg, render_text
from pyramide_cli.cli.exits import Exit, Failure, Status
from pyramide_cli.cli.outputs import Output
from pyramide_cli.cli.replay.analyses import Analyses, Analyst, analysis_records, analysis_text
from pyramide_cli.cli.replay.style import Style
from pyramide_cli.cli.replay.wording import heading, result_line, track_name
from pyramide_cli.records import GameRecord, Problem, encode
from pyramide_cli.replay import Checked, Step, Track, Watch, game_record

if TYPE_CHECKING:
    from pyramide_cli.analysis import GameAnalysis
    from pyramide_cli.boards import PageGame, PageStep


class View(Protocol):
    """Writes games while they are replayed.

    watch: what the replay shall tell of every step, None where only results count.
    """

    watch: Watch | None

    def finish(self, checked: Checked, analysis: GameAnalysis | None) -> None:
        """Take a game or solution that has been replayed, and what its moves were worth where that was asked for."""

    def close(self, status: Status) -> None:
        """Take notice that there are no more."""


def make_view(
    output_format: str, target: Output, style: Style, *, at: int | None, step: bool, analyst: Analyst | None = None
) -> View:
    """Return the view for a format.

    With `at` or `step` it shows games on the way, with an analyst what their moves were worth, else what came of them.
    """
    if output_format == "html":
        return Page(target, analyst)
    if analyst is not None:
        return Analyses(target, analyst.watch, analysis_text(style) if output_format == "text" else analysis_records)
    if at is None and not step:
        return Results(
            target, (lambda record: result_line(record, style) + "\n") if output_format == "text" else encode
        )
    if output_format == "describe" or (output_format == "text" and style.plain):
        output_format, style = "describe", replace(style, plain=True)
    show: dict[str, Callable[[Step], bytes | str]] = {
        "jsonl": lambda step: encode(game_record(step.track)),
        "text": lambda step: f"{heading(step, style)}\n{_drawn(step, style)}\n\n",
        "describe": lambda step: "\n".join([heading(step, style), *map(target.fit, describe(step.game))]) + "\n\n",
        "svg": lambda step: render_svg(step.game, last_move=step.move),
    }
    if output_format == "svg":
        return Picture(target, show["svg"], at or 0)
    return Steps(target, show[output_format], at)


class Results:
    """One line for each game or solution: its record, or the same for people."""

    def __init__(self, target: Output, line: Callable[[GameRecord], bytes | str]) -> None:
        self.watch: Watch | None = None
        self._target = target
        self._line = line

    def finish(self, checked: Checked, analysis: GameAnalysis | None) -> None:
        """Write the line."""
        self._target.write(self._line(checked.record))

    def close(self, status: Status) -> None:
        """Do nothing more."""


class Steps:
    """Games after one number of entries, or after each."""

    def __init__(self, target: Output, show: Callable[[Step], bytes | str], at: int | None) -> None:
        self.watch: Watch | None = self._show
        self._target = target
        self._write = show
        self._at = at
        self._short: list[Problem] = []

    def _show(self, step: Step) -> None:
        if self._at is None or step.n == self._at:
            self._target.write(self._write(step))

    def finish(self, checked: Checked, analysis: GameAnalysis | None) -> None:
        """Note a game that is too short to be shown."""
        track = checked.track
        if self._at is not None and track.game is not None and track.entries < self._at:
            text = f"{track.name}: there is no entry {self._at}; the last one is {track.entries}"
            self._short.append(Problem(track.file, track.line, text))

    def close(self, status: Status) -> None:
        """Report the games that were too short."""
        for problem in self._short:
            status.report(problem)


class Picture(Steps):
    """The board of one game; a second one is refused, because a picture file holds one."""

    def __init__(self, target: Output, show: Callable[[Step], bytes | str], at: int) -> None:
        super().__init__(target, show, at)
        self._shown: Track | None = None

    def _show(self, step: Step) -> None:
        if self._shown is not None and self._shown is not step.track:
            raise SecondPicture(f"svg shows one board, but there is a second one: {step.track.name}")
        self._shown = step.track
        super()._show(step)


class Page:
    """All games on one page that steps through them, written when there are no more."""

    def __init__(self, target: Output, analyst: Analyst | None) -> None:
        self.watch: Watch | None = self._keep
        self._target = target
        self._analyst = analyst
        self._steps: dict[Track, list[PageStep]] = {}
        self._games: list[PageGame] = []

    def _keep(self, step: Step) -> None:
        from pyramide_cli.boards import page_step

        if self._analyst is not None:
            self._analyst.watch(step)
        self._steps.setdefault(step.track, []).append(page_step(step.game, step.move))

    def finish(self, checked: Checked, analysis: GameAnalysis | None) -> None:
        """Take the steps of a game; one without cards has none and is not shown."""
        from pyramide_cli.boards import PageGame, annotated

        track = checked.track
        steps = tuple(self._steps.pop(track, ()))
        if track.game is not None and steps:
            record = checked.record
            game = PageGame(
                title=track_name(track),
                deal=track.game.deal,
                rules=track.game.rules,
                steps=steps,
                player=record.player,
                outcome=record.outcome,
                fault=record.fault,
            )
            self._games.append(game if analysis is None else annotated(game, analysis.moves))

    def close(self, status: Status) -> None:
        """Write the page."""
        from pyramide_cli.boards import render_html

        self._target.write(render_html(self._games))


class SecondPicture(Failure):
    """More games than one picture can show."""

    exit_code = Exit.USAGE


def _drawn(step: Step, style: Style) -> str:
    return render_text(step.game, color=style.color, unicode=style.unicode, width=style.width, last_move=step.move)
