"""Logs read with a progress bar: in megabytes of what there is to read where that is known, else in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from pyramide_cli.cli.progress import Progress

if TYPE_CHECKING:
    from pyramide_cli.records import Located

_MEGABYTE = 1_000_000
_LINES = 10_000


class _Watched:
    """A file that tells the bar how much of it has been read."""

    def __init__(self, stream: BinaryIO, bar: Progress) -> None:
        self._stream = stream
        self._bar = bar
        self._untold = 0

    def read(self, size: int) -> bytes:
        """Read like the file itself."""
        chunk = self._stream.read(size)
        self._untold += len(chunk)
        steps, self._untold = divmod(self._untold, _MEGABYTE)
        if steps:
            self._bar.advance(steps)
        return chunk


class LogProgress:
    """Reads logs under one bar; a context manager. Without a bar the logs are read as they are."""

    def __init__(self, paths: Sequence[str], *, show: bool | None) -> None:
        self._sizes = [_size(path) for path in paths]
        known = [size for size in self._sizes if size is not None]
        self._in_bytes = len(known) == len(self._sizes)
        if self._in_bytes:
            self._bar = Progress("stats", max(1, sum(known) // _MEGABYTE), unit="MB of log", show=show)
        else:
            self._bar = Progress("stats", unit="line", show=show)

    def __enter__(self) -> LogProgress:
        self._bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(None, None, None)

    def read(self, paths: Iterable[str]) -> Iterator[Located]:
        """Yield the records of the logs, and what is wrong with their lines."""
        from pyramide_cli.records import read_records

        for path in paths:
            if not self._bar.shown:
                yield from read_records(path)
            elif self._in_bytes:
                yield from self._read_bytes(path)
            else:
                for done, item in enumerate(read_records(path), 1):
                    yield item
                    if done % _LINES == 0:
                        self._bar.advance(_LINES)

    def _read_bytes(self, path: str) -> Iterator[Located]:
        from pyramide_cli.records import read_records

        try:
            stream = Path(path).open("rb", buffering=0)  # noqa: SIM115 - closed below
        except OSError:
            yield from read_records(path)  # which says what is wrong with it
            return
        with stream:
            yield from read_records(cast(BinaryIO, _Watched(stream, self._bar)), path)


def _size(path: str) -> int | None:
    """Return the bytes of a plain file, None for everything else: stdin, a FIFO, packed data."""
    file = Path(path)
    try:
        return file.stat().st_size if file.is_file() and file.suffix != ".gz" else None
    except (OSError, ValueError):
        return None
