"""A log file that grows line by line while games are played, and what stands in one already."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypeAlias

from pyramide_cli.errors import PyramideError
from pyramide_cli.records import DealRecord, Record, RecordError, decode, encode, read_records
from pyramide_cli.replay import Replayer, Track
from pyramide_cli.rules import Rules
from pyramide_cli.scoring import ranking_key

_CHUNK = 1 << 16


class GameLogError(PyramideError):
    """A file is not a log that can be gone on with."""


class GameLog:
    """A log file to whose end records are written, each line at once, so that a crash loses nothing.

    mended: what was done to the end of a file whose last line was not whole, None where nothing had to be done.
    """

    def __init__(self, path: str) -> None:
        """Open a file for appending, made where there is none; a last line that was torn off is cut away.

        Raises `GameLogError` where the file is no log, and `OSError` where it cannot be read or written.
        """
        self.path = path
        self.mended: str | None = None
        if not path:
            raise FileNotFoundError(errno.ENOENT, "a file has a name", "''")
        if path.endswith(".gz"):
            raise GameLogError(f"{path}: a log is written line by line and cannot be compressed; pack it afterwards")
        if is_regular(path):
            self.mended = _mend(path)
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)

    def write(self, *records: Record) -> None:
        """Write records, each as one line; `OSError` names the file when they cannot be written."""
        lines = memoryview(b"".join(map(encode, records)))
        try:
            while lines:
                lines = lines[os.write(self._descriptor, lines) :]
        except OSError as error:
            error.filename = self.path
            raise

    def __enter__(self) -> GameLog:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def is_regular(path: str) -> bool:
    """Return whether a path is a regular file, or a link to one, that is there."""
    return Path(path).is_file()


def _mend(path: str) -> str | None:
    """Make the last line of a log whole, and say how; None where it was."""
    with Path(path).open("r+b") as file:
        _refuse_other_files(path, file)
        tail = _tail(file)
        if not tail:
            return None
        try:
            decode(tail)
        except RecordError:
            if not tail.startswith(b"{") and tail.strip(b"\0"):
                raise GameLogError(f"{path}: the last line is no record; this is no log") from None
            file.truncate(file.seek(0, os.SEEK_END) - len(tail))
            return f"the last line was torn off; its {len(tail)} bytes are cut away"
        file.seek(0, os.SEEK_END)
        file.write(b"\n")
        return "the last line had no newline; it has one now"


def _refuse_other_files(path: str, file: BinaryIO) -> None:
    head = file.readline(_CHUNK)
    if not head.endswith(b"\n"):
        return
    try:
        decode(head.removeprefix(b"\xef\xbb\xbf"))
    except RecordError as error:
        raise GameLogError(f"{path}:1: {error}; this is no log") from None


def _tail(file: BinaryIO) -> bytes:
    """Return what stands after the last newline of a file."""
    place = file.seek(0, os.SEEK_END)
    tail = b""
    while place:
        size = min(_CHUNK, place)
        place = file.seek(place - size)
        chunk = file.read(size)
        cut = chunk.rfind(b"\n")
        if cut >= 0:
            return chunk[cut + 1 :] + tail
        tail = chunk + tail
    return tail


RankingKey: TypeAlias = tuple[float, float, int]
"""What `ranking_key` returns."""


@dataclass(slots=True)
class History:
    """What a log holds: the ids of its games, the ranking keys of those that ended, and the last one that is open."""

    ids: set[str] = field(default_factory=set)
    results: dict[Rules, list[RankingKey]] = field(default_factory=dict)
    unfinished: Track | None = None


def read_history(path: str) -> History:
    """Read what a log holds; lines that are wrong are passed over. A file that is not there holds nothing."""
    history = History()
    if not is_regular(path):
        return history
    replayer = Replayer()
    for track in replayer.follow(located for located in read_records(path) if located.problem is None):
        if isinstance(track, Track) and isinstance(track.source, DealRecord) and track.game is not None:
            game = track.game
            if ranks(game.score, game.outcome):
                key = ranking_key(game.score, track.t, game.moves)
                history.results.setdefault(game.rules, []).append(key)
    history.ids = set(replayer.begun)
    history.unfinished = max(replayer.open.values(), key=lambda track: track.last_line, default=None)
    return history


def ranks(score: int | None, outcome: str | None) -> bool:
    """Return whether an ended game ranks among others: without a score only a won one does."""
    return score is not None or outcome == "won"
