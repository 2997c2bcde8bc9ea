"""Where a command writes: stdout, a file that is whole or not there, or a device that is written through."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from pyramide_cli.cli.columns import fit
from pyramide_cli.cli.exits import FileFailure
from pyramide_cli.cli.progress import paused
from pyramide_cli.records.lines import STDIN, reason

PARTIAL: Final = ".partial"
STDOUT_NAME: Final = "<stdout>"
_LINE_WIDTH: Final = 80


class Sink(Protocol):
    """What takes the data of a command."""

    def write(self, data: bytes | str) -> None:
        """Take bytes, or text."""

    def flush(self) -> None:
        """Hand over what is held back."""


class Output:
    """An open output: bytes as they are, text in its encoding. Errors other than a broken pipe raise `FileFailure`."""

    def __init__(self, stream: BinaryIO, name: str, *, encoding: str = "utf-8", is_terminal: bool = False) -> None:
        self.name = name
        self.encoding = encoding
        self.is_terminal = is_terminal
        self._stream = stream
        self._midline = False

    def write(self, data: bytes | str) -> None:
        """Write bytes, or text; what the encoding of a terminal lacks becomes a question mark."""
        text = data.encode(self.encoding, "replace") if isinstance(data, str) else data
        try:
            if not self.is_terminal:
                self._stream.write(text)
                return
            with paused(midline=self._midline):  # a progress bar would stand in the middle of the text
                self._stream.write(text)
                self._stream.flush()
            self._midline = not text.endswith(b"\n") if text else self._midline
        except BrokenPipeError:
            raise
        except OSError as error:
            raise write_failure(self.name, error) from None

    def flush(self) -> None:
        """Hand over what is held back."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise write_failure(self.name, error) from None

    @property
    def width(self) -> int:
        """The columns to fill with text: those of the terminal, 80 elsewhere."""
        return shutil.get_terminal_size((_LINE_WIDTH, 24)).columns if self.is_terminal else _LINE_WIDTH

    def fit(self, sentence: str) -> str:
        """Break a sentence between words where a terminal would cut it; elsewhere it stays one line."""
        return fit(sentence, self.width) if self.is_terminal else sentence

    @property
    def shows_suits(self) -> bool:
        """Whether the encoding has the suits."""
        try:
            "♣♦♥♠".encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


def write_failure(name: str, error: OSError) -> FileFailure:
    """Say that something cannot be written, and why."""
    return FileFailure(f"{name}: cannot be written: {reason(error)}")


def is_stdout(path: str | None) -> bool:
    """Whether `-o` asks for stdout: it was not given, or is `-`."""
    return path is None or path == STDIN


def at_terminal(path: str | None) -> bool:
    """Whether what is written goes to a person: stdout, and that is a terminal."""
    return is_stdout(path) and sys.stdout is not None and sys.stdout.isatty()


@contextmanager
def open_output(path: str | None) -> Iterator[Output]:
    """Open what `-o` names; None or `-` is stdout.

    A regular file grows as `FILE.partial` and gets its name when the block ends well; otherwise the partial file is
    removed and what had the name stays. A name that ends with .gz is compressed. A device, FIFO or link is written
    through, never replaced. Raises `FileFailure`, also for a partial file that another run left or is writing.
    """
    if path is None or path == STDIN:
        with _stdout() as output:
            yield output
    elif is_written_through(path):
        with _through(path) as output:
            yield output
    else:
        with _file(path) as output:
            yield output


def is_written_through(path: str) -> bool:
    """Whether a path is there and is no regular file: a device, a FIFO, a link. Raises `FileFailure` for a folder."""
    if not path:
        raise FileFailure("the name of the output file is empty")
    try:
        mode = os.lstat(path).st_mode
        is_folder = Path(path).is_dir()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise write_failure(path, error) from None
    except ValueError as error:  # a NUL in a path
        raise FileFailure(f"{path}: cannot be written: {error}") from None
    if is_folder:
        raise FileFailure(f"{path}: cannot be written: it is a folder")
    return not stat.S_ISREG(mode)


@contextmanager
def _stdout() -> Iterator[Output]:
    if sys.stdout is None:
        raise FileFailure(f"{STDOUT_NAME}: cannot be written: it is closed")
    sys.stdout.flush()  # what was printed before comes first
    output = Output(sys.stdout.buffer, STDOUT_NAME, encoding=sys.stdout.encoding, is_terminal=sys.stdout.isatty())
    yield output
    output.flush()


@contextmanager
def _through(path: str) -> Iterator[Output]:
    try:
        stream = Path(path).open("wb")  # noqa: SIM115 - closed below, where a late error is caught
    except OSError as error:
        raise write_failure(path, error) from None
    try:
        with _packed(stream, path) as output:
            yield output
    except BaseException:
        with suppress(OSError):
            stream.close()
        raise
    close(stream, path)


@contextmanager
def _file(path: str) -> Iterator[Output]:
    stream = open_partial(path)
    try:
        with _packed(stream, path) as output:
            yield output
        sync(stream, path)
        close(stream, path)
        take_name(path)
    except BaseException:
        with suppress(OSError):
            stream.close()
        with suppress(OSError):
            Path(path + PARTIAL).unlink()
        raise


@contextmanager
def _packed(stream: BinaryIO, path: str) -> Iterator[Output]:
    """Give the output that writes to a stream, compressed where the path says so."""
    if not path.endswith(".gz"):
        yield Output(stream, path)
        return
    packed = gzip_stream(stream)
    try:
        yield Output(packed, path)
    except BaseException:
        with suppress(OSError):
            packed.close()
        raise
    close(packed, path)


def gzip_stream(stream: BinaryIO) -> BinaryIO:
    """Return a stream that compresses into another, without name and time: the same text gives the same bytes."""
    import gzip

    return gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0, compresslevel=6)  # type: ignore[return-value]


def open_partial(path: str) -> BinaryIO:
    """Create `FILE.partial`. Raises `FileFailure` where one is left, or where the file may not be replaced."""
    if Path(path).exists() and not os.access(path, os.W_OK):
        raise FileFailure(f"{path}: cannot be written: it is read-only")
    partial = path + PARTIAL
    try:
        return Path(partial).open("xb")
    except FileExistsError:
        raise FileFailure(
            f"{partial} is left from a run that was stopped, or another run is writing it; "
            "remove it, or write to another file"
        ) from None
    except OSError as error:
        raise write_failure(path, error) from None


def sync(stream: BinaryIO, path: str) -> None:
    """Bring a file to the disk, so that a power cut cannot leave its name on an empty one."""
    try:
        stream.flush()
        os.fsync(stream.fileno())
    except OSError as error:
        raise write_failure(path, error) from None


def close(stream: BinaryIO, path: str) -> None:
    """Close a file; a full disk may show only here."""
    try:
        stream.close()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise write_failure(path, error) from None


def take_name(path: str) -> None:
    """Give `FILE.partial` its name, with the permissions of the file that it replaces."""
    partial = path + PARTIAL
    try:
        with suppress(FileNotFoundError):
            shutil.copymode(path, partial)
        Path(partial).replace(path)
    except OSError as error:
        raise write_failure(path, error) from None
