"""Where the lines that a player types come from: a prompt, a text, or a stream."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TextIO

from pyramide_cli.records import STDIN, Problem, file_name, open_lines

# Half a million draws. More on one line would take much memory before the first is made.
_LONGEST = 1 << 20

Completions = Callable[[], Iterable[str]]
"""What can be typed now."""


def script_lines(moves: str | None) -> Iterator[tuple[str, str] | Problem]:
    """Yield the lines of a script, each with its place: those of a text, or of stdin for None and `-`."""
    if moves is not None and moves != STDIN:
        for number, line in enumerate(moves.splitlines(), 1):
            yield f"--moves:{number}", line
        return
    name = file_name(STDIN)
    for item in open_lines(STDIN):
        if isinstance(item, Problem):
            yield item
        else:
            number, data = item
            if len(data) > _LONGEST:
                yield Problem(name, number, f"the line is longer than {_LONGEST // 2**20} MiB; it is left out")
                continue
            yield f"{name}:{number}", data.decode(errors="replace")


def prompt_lines(stream: TextIO, prompt: Callable[[], str], completions: Completions) -> Iterator[str]:
    """Yield what a person types at a terminal, until the input is closed.

    With prompt_toolkit the line can be edited, earlier lines come back, and Tab completes; without it, or at a dumb
    terminal, Python's own `input` reads. Ctrl-C raises `KeyboardInterrupt`.
    """
    read = _rich_reader(stream, completions) or _plain_reader(stream)
    while True:
        try:
            yield read(prompt())
        except EOFError:
            return
        except UnicodeDecodeError:
            yield "\ufffd"


def _rich_reader(stream: TextIO, completions: Completions) -> Callable[[str], str] | None:
    if os.environ.get("TERM") in (None, "", "dumb"):
        return None
    try:
        from pyramide_cli.cli.play.prompt import reader
    except ImportError:
        return None
    return reader(stream, completions)


def _plain_reader(stream: TextIO) -> Callable[[str], str]:
    if stream is sys.stdout:
        with suppress(ImportError):
            import readline  # noqa: F401 - being there is enough: `input` edits and remembers lines with it
        ask: Callable[[str], str] = input
    else:
        ask = _asker(stream)

    def read(prompt: str) -> str:
        try:
            return ask(prompt)
        except (EOFError, KeyboardInterrupt):
            # What is said next, here or by the shell, must not stand behind the prompt.
            with suppress(OSError):
                stream.write("\n")
                stream.flush()
            raise

    return read


def _asker(stream: TextIO) -> Callable[[str], str]:
    def ask(prompt: str) -> str:
        stream.write(prompt)
        stream.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    return ask
