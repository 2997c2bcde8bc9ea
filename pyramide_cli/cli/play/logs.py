"""Where the records of a game go: the file of `--log`, or stdout."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Protocol

from pyramide_cli.cli.exits import say
from pyramide_cli.cli.outputs import open_output
from pyramide_cli.gamelog import GameLog
from pyramide_cli.records import Record, encode, printable


class Write(Protocol):
    """Writes records down, whole and at once."""

    def __call__(self, *records: Record) -> None:
        """Write records, each as one line."""


def open_log(stack: ExitStack, path: str | None) -> Write:
    """Return what writes records to a log file, whose torn end is mended, or to stdout for None."""
    if path is not None:
        log = stack.enter_context(GameLog(path))
        if log.mended is not None:
            say(printable(f"{path}: {log.mended}"))
        return log.write
    output = stack.enter_context(open_output(None))

    def write(*records: Record) -> None:
        output.write(b"".join(map(encode, records)))
        output.flush()

    return write


def drop(*records: Record) -> None:
    """Write records nowhere: a person plays without a log."""
