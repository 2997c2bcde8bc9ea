"""The prompt with editing, history and completion; needs prompt_toolkit, which the extra `play` brings."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import create_output

from pyramide_cli.cli.exits import Terminated, ending_signals


def reader(stream: TextIO, completions: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Return a function that shows a prompt on a terminal and returns the line typed.

    The function raises `KeyboardInterrupt` on Ctrl-C, `EOFError` on Ctrl-D, and `Terminated` on SIGTERM and SIGHUP.
    """
    session: PromptSession[str] = PromptSession(
        completer=_Moves(completions),
        complete_while_typing=False,
        key_bindings=_no_mouse(),
        output=create_output(stdout=stream),
    )

    def read(message: str) -> str:
        # One that is ignored (nohup) stays so.
        handlers = {number: signal.getsignal(number) for number in ending_signals()}
        handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
        try:
            return session.prompt(message, pre_run=lambda: _listen(session.app, handlers))
        finally:
            for number, handler in handlers.items():  # the loop has left the system's own behind
                signal.signal(number, handler)

    return read


def _listen(app: Application[str], numbers: Iterable[signal.Signals]) -> None:
    """Let signals end the prompt from its event loop: raised amid the toolkit's work they would look like its fault."""

    def end(number: signal.Signals) -> None:
        with suppress(Exception):  # it is ending already
            app.exit(exception=Terminated(number))

    for number in numbers:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # not on this system, or not in this thread
            asyncio.get_running_loop().add_signal_handler(number, end, number)


def _no_mouse() -> KeyBindings:
    """Return bindings that pass over what looks like a mouse.

    The mouse is not used, but the codes of colours in a text that is pasted look like half a message of it, and the
    toolkit's own binding fails on them.
    """
    bindings = KeyBindings()

    @bindings.add(Keys.Vt100MouseEvent)
    def _(event: KeyPressEvent) -> None:
        return None

    return bindings


class _Moves(Completer):
    """Completes the word before the cursor to the cards and commands that can be typed."""

    def __init__(self, completions: Callable[[], Iterable[str]]) -> None:
        self._completions = completions

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what the word can become."""
        word = document.get_word_before_cursor(WORD=True)
        for text in self._completions():
            if text.lower().startswith(word.lower()):
                yield Completion(text, start_position=-len(word))
