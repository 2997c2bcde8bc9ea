"""A file that a batch writes: it grows as `FILE.partial`, outlives whatever stops the run, and can be gone on with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pyramide_cli.cli.exits import FileFailure, complain
from pyramide_cli.cli.outputs import (
    PARTIAL,
    Output,
    close,
    gzip_stream,
    is_stdout,
    is_written_through,
    open_output,
    open_partial,
    sync,
    take_name,
    write_failure,
)

PACKED = ".packed"


class ResumableOutput(Output):
    """Writes behind what is there. Each `write` reaches the file, so that a kill loses nothing that was finished.

    left: the file that an earlier run has left and that has to be checked, None where there is nothing.
    is_finished: whether that is the finished file, so that nothing may be left to do.
    has_written: whether anything was added.
    """

    def __init__(self, stream: BinaryIO, name: str, *, left: str | None = None, is_finished: bool = False) -> None:
        super().__init__(stream, name)
        self.left = left
        self.is_finished = is_finished
        self.has_written = False

    def keep(self, size: int) -> None:
        """Cut off what stands behind `size` bytes, such as a torn last line, and write on from there."""
        try:
            self._stream.truncate(size)
            self._stream.seek(size)
        except OSError as error:
            raise write_failure(self.name, error) from None

    def write(self, data: bytes | str) -> None:
        """Write and flush."""
        self.has_written = True
        super().write(data)
        self.flush()


_FOREIGN = {b"\x1f\x8b": "is packed", b"\xef\xbb\xbf": "begins with a byte order mark"}
"""What no run has left, though its records can be read: they do not end where the bytes of the file do."""


@contextmanager
def open_batch_output(path: str | None, *, resume: bool) -> Iterator[Output]:
    """Open the output of a batch; a regular file is a `ResumableOutput`, anything else is as with `open_output`.

    `FILE.partial` is kept when the block ends badly, unless it is empty. Without `resume` one that is left from an
    earlier run is refused; with it the block has to check it (`left`), and to call `keep`. The partial file is plain
    text also where the name ends with .gz: it is packed when it is whole.
    """
    if path is None or is_stdout(path) or is_written_through(path):
        with open_output(path) as output:
            yield output
    elif resume and Path(path).exists() and not Path(path + PARTIAL).exists():
        with Path(os.devnull).open("wb") as nothing:
            yield ResumableOutput(nothing, path, left=path, is_finished=True)
    else:
        yield from _growing(path, resume=resume)


def _growing(path: str, *, resume: bool) -> Iterator[Output]:
    partial = path + PARTIAL
    is_left = resume and Path(partial).exists()
    stream = _reopen(path) if is_left else _open_new(path)
    output = ResumableOutput(stream, path, left=partial if is_left else None)
    try:
        yield output
        sync(stream, path)
        if path.endswith(".gz"):
            _pack(path)
        else:
            take_name(path)
        close(stream, path)
    except BaseException as error:
        with suppress(OSError):
            stream.close()
        with suppress(OSError):
            if Path(partial).stat().st_size == 0:
                Path(partial).unlink()
        if Path(partial).exists() and (output.has_written or isinstance(error, KeyboardInterrupt)):
            complain(f"{partial} keeps what is finished; the same command with --resume goes on from there")
        raise


def _open_new(path: str) -> BinaryIO:
    """Create the partial file."""
    if Path(path + PARTIAL).exists():
        raise FileFailure(
            f"{path}{PARTIAL} is left from a run that was stopped: go on with --resume, or remove it to start again"
        )
    stream = open_partial(path)
    _lock(stream, path)
    return stream


def _reopen(path: str) -> BinaryIO:
    """Open the partial file of an earlier run."""
    partial = path + PARTIAL
    try:
        stream = Path(partial).open("r+b")  # noqa: SIM115 - closed by the caller
    except OSError as error:
        raise write_failure(partial, error) from None
    _lock(stream, path)
    try:
        start = stream.read(max(map(len, _FOREIGN)))
        stream.seek(0)
    except OSError as error:
        raise write_failure(partial, error) from None
    for mark, what in _FOREIGN.items():
        if start.startswith(mark):
            stream.close()
            raise FileFailure(f"{partial} {what}: it cannot be gone on with, for what is written is plain text")
    return stream


def _lock(stream: BinaryIO, path: str) -> None:
    """Keep other runs away from the partial file. The lock goes with the process, however that ends."""
    try:
        import fcntl
    except ImportError:  # not on this system
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise FileFailure(f"{path}{PARTIAL}: another run is writing it") from None
    except OSError:  # a file system without locks
        return


def _pack(path: str) -> None:
    """Compress the whole partial file under the name of the file."""
    partial, packed = path + PARTIAL, path + PACKED
    try:
        with Path(partial).open("rb") as text, Path(packed).open("wb") as stream:
            with gzip_stream(stream) as output:
                shutil.copyfileobj(text, output, 1 << 20)
            sync(stream, path)
        Path(packed).replace(path)
        Path(partial).unlink()
    except OSError as error:
        with suppress(OSError):
            Path(packed).unlink()
        raise write_failure(path, error) from None
