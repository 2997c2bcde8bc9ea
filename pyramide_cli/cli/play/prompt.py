"""The prompt with editing, history and completion; needs prompt_toolkit, which the extra `play` brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.output import create_output


def reader(stream: TextIO, completions: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Return a function that shows a prompt on a terminal and returns the line typed.

    The function raises `KeyboardInterrupt` on Ctrl-C and `EOFError` on Ctrl-D.
    """
    session: PromptSession[str] = PromptSession(
        completer=_Moves(completions), complete_while_typing=False, output=create_output(stdout=stream)
    )
    return session.prompt


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
