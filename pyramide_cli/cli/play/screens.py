"""Where the game is shown and the player is spoken to."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import TextIO

from pyramide_cli.boards import describe, moves_words, render_text, side_by_side
from pyramide_cli.cards import SUIT_SYMBOLS
from pyramide_cli.cli.colors import use_color
from pyramide_cli.cli.columns import fit
from pyramide_cli.cli.exits import Exit, Status, Stop, say
from pyramide_cli.cli.play import wording
from pyramide_cli.game import Game
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import ngettext
from pyramide_cli.moves import Move
from pyramide_cli.session import Session


def conversation(log: str | None) -> TextIO:
    """Return the stream for boards and answers: stdout at a terminal or with a log file, else stderr.

    Without a log file the records go to a stdout that is no terminal, and nothing else may.
    """
    if sys.stdout is not None and (log is not None or sys.stdout.isatty()):
        return sys.stdout
    return sys.stderr or io.StringIO()


def _shows_suits(stream: TextIO) -> bool:
    """Return whether the encoding of a stream has the suits."""
    try:
        SUIT_SYMBOLS.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class Screen:
    """A terminal, at which the board is shown after every change."""

    def __init__(self, stream: TextIO, color: str, *, plain: bool) -> None:
        self._unicode = _shows_suits(stream)
        self.label, self.move_label = wording.labels(unicode=self._unicode, plain=plain)
        self._stream = stream
        self._color = use_color(color, stream.isatty())
        self._plain = plain

    def show(self, session: Session, moves: Sequence[Move], *, asked: bool = False) -> None:
        """Show the board after moves, with an empty line before and after it; sentences are broken as all that is said.

        Sentences tell all of the moves, a drawn board the last.
        """
        show = self.say if self._plain else self._print
        show(f"\n{self.board(session, moves)}\n")

    def say(self, text: str) -> None:
        """Print a text, at a terminal broken between words where that is too narrow."""
        if self._plain:  # a card in words may begin it
            text = text[:1].upper() + text[1:]
        if self._stream.isatty():
            width = shutil.get_terminal_size().columns
            text = "\n".join(fit(line, width, 0) for line in text.split("\n"))
        self._print(text)

    def _print(self, text: str) -> None:
        """Print a text as it is; what the terminal's encoding lacks becomes a question mark."""
        encoding = self._stream.encoding or "ascii"
        self._stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        self._stream.flush()

    def complain(self, complaint: wording.Complaint) -> None:
        """Say why something typed cannot be done, if the player wants it explained; the line is still in sight."""
        if complaint.reason:
            self.say(complaint.reason)

    def board(self, session: Session, moves: Sequence[Move]) -> str:
        """Return the board as text, with the time and the number of actions that can be undone."""
        time = None if session.seconds is None else wording.seconds_text(session.seconds)
        if self._plain:
            return "\n".join(_sentences(session.game, moves, time))
        width = shutil.get_terminal_size().columns
        last_move = moves[-1] if moves else None
        board = render_text(session.game, color=self._color, unicode=self._unicode, width=width, last_move=last_move)
        status = [_("can undo {n}").format(n=session.game.undoable)]
        if time is not None:
            status.insert(0, _("time {time}").format(time=time))
        return "\n".join([board, *side_by_side(status, width)])


def _sentences(game: Game, moves: Sequence[Move], time: str | None) -> Iterator[str]:
    """Yield what there is to see, in sentences: the moves first, because they are what has changed."""
    yield from moves_words(moves)
    yield from describe(game)
    if time is not None:
        yield _("Time: {time}.").format(time=time)
    yield ngettext("{n} action can be undone.", "{n} actions can be undone.", game.undoable).format(n=game.undoable)


class ScriptScreen(Screen):
    """What a script has instead: complaints go to stderr with their place.

    place: where the line that is being obeyed stands.
    """

    def __init__(self, stream: TextIO, color: str, status: Status, *, plain: bool) -> None:
        super().__init__(stream, color, plain=plain)
        self.place = ""
        self._shows_boards = stream is sys.stdout or stream.isatty()
        self._status = status

    def show(self, session: Session, moves: Sequence[Move], *, asked: bool = False) -> None:
        """Show the board on stdout and at a terminal; on stderr it would be in the way unless it was asked for."""
        if asked or self._shows_boards:
            super().show(session, moves)

    def complain(self, complaint: wording.Complaint) -> None:
        """Report what cannot be done with its place on stderr; the run ends with 3. Raises `Stop` under `--strict`."""
        self._status.note(Exit.DATA)
        say(f"{self.place}: {wording.complaint_text(complaint)}")
        if self._status.strict:
            raise Stop(self._status.code)
