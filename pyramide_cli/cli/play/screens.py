"""Where the game is shown and the player is spoken to: a terminal, or stderr under a script."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

from pyramide_cli.boards import describe, render_text
from pyramide_cli.cards import SUIT_SYMBOLS
from pyramide_cli.cli.colors import use_color
from pyramide_cli.cli.exits import Exit, Status, say
from pyramide_cli.cli.play import wording
from pyramide_cli.messages import gettext as _
from pyramide_cli.moves import Move
from pyramide_cli.session import Session


def terminal() -> TextIO | None:
    """Return the stream by which a person is reached: stdout, else stderr, where either is a terminal."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and stream.isatty():
            return stream
    return None


def _shows_suits(stream: TextIO) -> bool:
    """Return whether the encoding of a stream has the suits."""
    try:
        SUIT_SYMBOLS.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class TerminalScreen:
    """A terminal, at which the board is shown after every change."""

    def __init__(self, stream: TextIO, color: str, *, plain: bool) -> None:
        self._unicode = _shows_suits(stream)
        self.label = wording.labels(unicode=self._unicode)
        self._stream = stream
        self._color = use_color(color, stream.isatty())
        self._plain = plain

    def show(self, session: Session, last_move: Move | None, *, asked: bool = False) -> None:
        """Show the board, with an empty line before and after it."""
        self.say(f"\n{self.board(session, last_move)}\n")

    def say(self, text: str) -> None:
        """Print a text; what the terminal's encoding lacks becomes a question mark."""
        encoding = self._stream.encoding or "ascii"
        self._stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        self._stream.flush()

    def complain(self, text: str) -> None:
        """Print a text."""
        self.say(text)

    def board(self, session: Session, last_move: Move | None) -> str:
        """Return the board as text, with the time and the number of actions that can be undone."""
        status = [_("undo {n}").format(n=session.game.undoable)]
        if session.seconds is not None:
            status.insert(0, _("time {time}").format(time=wording.seconds_text(session.seconds)))
        return f"{self._game(session, last_move)}\n{'   '.join(status)}"

    def _game(self, session: Session, last_move: Move | None) -> str:
        if self._plain:
            return "\n".join(describe(session.game))
        return render_text(
            session.game,
            color=self._color,
            unicode=self._unicode,
            width=shutil.get_terminal_size().columns,
            last_move=last_move,
        )


class ScriptScreen(TerminalScreen):
    """What a script has instead: boards are shown at a terminal only or when asked for, complaints have a place.

    place: where the line that is being obeyed stands.
    """

    def __init__(self, stream: TextIO, color: str, status: Status, *, plain: bool) -> None:
        super().__init__(stream, color, plain=plain)
        self.place = ""
        self._shows_boards = stream.isatty()
        self._status = status

    def show(self, session: Session, last_move: Move | None, *, asked: bool = False) -> None:
        """Show the board at a terminal, or when it was asked for."""
        if asked or self._shows_boards:
            super().show(session, last_move)

    def complain(self, text: str) -> None:
        """Report a text with its place on stderr; the run ends with 3."""
        self._status.note(Exit.DATA)
        say(f"{self.place}: {text}")
