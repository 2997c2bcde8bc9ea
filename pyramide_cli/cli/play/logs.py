"""Where the records of a game go: the file of `--log`, or stdout."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from pyramide_cli.cli.exits import say
from pyramide_cli.cli.outputs import open_output, write_failure
from pyramide_cli.gamelog import GameLog
from pyramide_cli.records import Record, encode, printable


class Write(Protocol):
    """Writes records down, whole and at once."""

    def __call__(self, *records: Record) -> None:
        """Write records, each as one line."""


def open_log(stack: ExitStack, path: str | None) -> Write:
    """Return what writes records to a log file, whose torn end is mended, or to stdout for None.

    Raises `FileFailure` where the file cannot be written, now or later.
    """
    if path is not None:
        with _failing(path):
            log = stack.enter_context(GameLog(path))
        if log.mended is not None:
            say(printable(f"{path}: {log.mended}"))

        def append(*records: Record) -> None:
            with _failing(path):
                log.write(*records)

        return append
    output = stack.enter_context(open_output(None))

    def write(*records: Record) -> None:
        output.write(b"".join(map(encode, records)))
        output.flush()

    return write


@contextmanager
def _failing(path: str) -> Iterator[None]:
    """Say of a log what is said of every output; a pipe whose reader went away stays what it is."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise write_failure(error.filename or path, error) from None


def drop(*records: Record) -> None:
    """Write records nowhere: a person plays without a log."""
