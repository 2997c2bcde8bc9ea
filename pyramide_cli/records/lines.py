"""Lines of text out of files: plain or gzip, in constant memory, with the place of everything that is wrong.

Reading never raises for what a file holds. It yields blocks of lines, and a `Problem` for each fault, and goes on
wherever there is something to go on with.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple, Protocol

LINE_LIMIT: Final = 16 * 1024 * 1024
STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"
_LONGEST: Final = 1_000
_CHUNK: Final = 256 * 1024
_GZIP_MAGIC: Final = b"\x1f\x8b"
_UTF8_BOM: Final = b"\xef\xbb\xbf"
_UTF8_BOM_STARTS: Final = (b"", _UTF8_BOM[:1], _UTF8_BOM[:2])
_UTF16_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")


class Problem(NamedTuple):
    """Something wrong in an input, and where.

    `kind` is "data" for bad content, "torn" for a last line that was cut off, "file" where a file cannot be read.
    `line` counts from 1 and is None where the fault is not in a line.
    """

    file: str
    line: int | None
    message: str
    kind: Literal["data", "torn", "file"] = "data"

    def __str__(self) -> str:
        """Give `file:line: message`, not too long, with nothing in it that a terminal would obey."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        message = self.message if len(self.message) <= _LONGEST else f"{self.message[:_LONGEST]}…"
        return printable(f"{place}: {message}")


class Block(NamedTuple):
    """Some whole lines, without their newlines. `ended` is false where the last one has no newline."""

    file: str
    first: int
    lines: list[bytes]
    ended: bool


class Reader(Protocol):
    """What is read from: a raw file or a buffered one, which hands over what is there without waiting for more."""

    def __call__(self, size: int, /) -> bytes | None:
        """Read at most `size` bytes; empty at the end."""


def printable(text: str) -> str:
    """Escape whatever in a text is not printable: control characters, ANSI sequences, turned text, surrogates."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text
    )


def file_name(path: str | os.PathLike[str]) -> str:
    """Give the name under which messages speak of an input."""
    name = os.fspath(path)
    return STDIN_NAME if name == STDIN else name


def read_blocks(source: str | os.PathLike[str] | BinaryIO, name: str | None = None) -> Iterator[Block | Problem]:
    """Read a file (`-` is stdin) or an open binary stream, as blocks of lines and the problems between them.

    Gzip is known by its first bytes. A byte order mark is skipped; UTF-16 ends the file with a problem. A line of
    more than `LINE_LIMIT` bytes is a problem and is not kept in memory; reading goes on behind it. Empty lines are
    lines, so that the places of the others are right.
    """
    if not isinstance(source, (str, os.PathLike)):
        yield from _blocks(_reader(source), name or getattr(source, "name", None) or "<stream>")
        return
    name = name or file_name(source)
    try:
        if not os.fspath(source):  # which would be the folder that the program runs in
            yield Problem("''", None, "cannot be read: a file has a name", "file")
            return
        if os.fspath(source) == STDIN:
            if sys.stdin is None:
                yield Problem(name, None, "standard input is closed", "file")
                return
            yield from _blocks(_reader(sys.stdin.buffer), name)
        else:
            with Path(source).open("rb", buffering=0) as stream:
                yield from _blocks(stream.read, name, gzip_wanted=os.fspath(source).endswith(".gz"))
    except OSError as error:
        yield Problem(name, None, f"cannot be read: {reason(error)}", "file")
    except ValueError as error:  # a NUL in a path
        yield Problem(name, None, f"cannot be read: {error}", "file")


def open_lines(
    source: str | os.PathLike[str] | BinaryIO, name: str | None = None
) -> Iterator[tuple[int, bytes] | Problem]:
    """Read like `read_blocks`, one numbered line at a time, without CR, leaving out blank lines."""
    for item in read_blocks(source, name):
        if isinstance(item, Problem):
            yield item
            continue
        for number, line in enumerate(item.lines, item.first):
            text = line.strip()
            if text:
                yield number, text


def reason(error: OSError) -> str:
    """Say in a few words why the system refused."""
    return (error.strerror or str(error) or type(error).__name__).lower()


def _reader(stream: BinaryIO) -> Reader:
    reader: Reader = getattr(stream, "read1", stream.read)
    return reader


def _blocks(read: Reader, name: str, *, gzip_wanted: bool = False) -> Iterator[Block | Problem]:
    """Split what `read` gives into blocks of lines."""
    line = 1
    tail: list[bytes] = []  # the pieces of a line whose newline has not come yet
    size = 0
    skipping = False  # inside a line that is too long
    for chunk in _text_chunks(read, gzip_wanted=gzip_wanted):
        if isinstance(chunk, _Fault):
            if size:
                yield Block(name, line, [b"".join(tail)], ended=False)
            yield Problem(name, chunk.line or line, chunk.message, chunk.kind)
            return
        if skipping:
            cut = chunk.find(b"\n")
            if cut < 0:
                continue
            chunk = chunk[cut + 1 :]
            skipping = False
            line += 1
        cut = chunk.rfind(b"\n")
        if cut >= 0:
            tail.append(chunk[:cut])
            lines = b"".join(tail).split(b"\n")
            tail, size = [chunk[cut + 1 :]], len(chunk) - cut - 1
            if len(lines[0]) > LINE_LIMIT:  # no other: a chunk is smaller than the limit
                yield _too_long(name, line)
                del lines[0]
                line += 1
            if lines:
                yield Block(name, line, lines, ended=True)
                line += len(lines)
        else:
            tail.append(chunk)
            size += len(chunk)
        if size > LINE_LIMIT:
            yield _too_long(name, line)
            tail, size, skipping = [], 0, True
    if size:
        yield Block(name, line, [b"".join(tail)], ended=False)


def _too_long(name: str, line: int) -> Problem:
    return Problem(name, line, f"the line is longer than {LINE_LIMIT // 2**20} MiB; it is left out")


class _Fault(NamedTuple):
    """What ends the reading of a file before its end; `line` is None for the line reached."""

    message: str
    kind: Literal["data", "torn", "file"] = "data"
    line: int | None = None


def _text_chunks(read: Reader, *, gzip_wanted: bool) -> Iterator[bytes | _Fault]:
    """Give the bytes of the text, unpacked and without its byte order mark."""
    head = _head(read)
    if isinstance(head, _Fault):
        yield head
        return
    chunks = _raw_chunks(read, head)
    if head.startswith(_GZIP_MAGIC):
        chunks = _gunzip(chunks)
    elif gzip_wanted:
        yield _Fault("is named .gz but is not gzip data; rename it, or pack it with gzip", line=1)
        return
    first = b""
    for chunk in chunks:
        if isinstance(chunk, bytes) and first + chunk in _UTF8_BOM_STARTS:
            first += chunk  # more of a byte order mark may come
            continue
        if isinstance(chunk, bytes):
            fault, chunk = _decode_head(first + chunk)
            if fault:
                yield fault
                return
        elif first:
            yield first
        yield chunk
        break
    else:
        yield first
    yield from chunks


def _decode_head(head: bytes) -> tuple[_Fault | None, bytes]:
    """Take the byte order mark off the start of a text, or say that it is not UTF-8."""
    if head.startswith(_GZIP_MAGIC):
        return _Fault("this is packed twice; unpack it once (gunzip)", line=1), head
    has_nul = b"\0" in head[:2] and bool(head.strip(b"\0"))  # a crash can leave nothing but NULs
    if head.startswith(_UTF16_BOMS) or has_nul:
        return _Fault("this is UTF-16 or no text; turn it into UTF-8 (iconv -f UTF-16 -t UTF-8)", line=1), head
    return None, head.removeprefix(_UTF8_BOM)


def _head(read: Reader) -> bytes | _Fault:
    """Read until the first two bytes are there, or the end."""
    head = b""
    while len(head) < len(_GZIP_MAGIC):
        try:
            chunk = read(_CHUNK)
        except OSError as error:
            return _Fault(f"cannot be read: {reason(error)}", "file")
        if not chunk:
            break
        head += chunk
    return head


def _raw_chunks(read: Reader, head: bytes) -> Iterator[bytes | _Fault]:
    if head:
        yield head
    while True:
        try:
            chunk = read(_CHUNK)
        except OSError as error:
            yield _Fault(f"cannot be read: {reason(error)}", "file")
            return
        if not chunk:
            return
        yield chunk


def _gunzip(chunks: Iterator[bytes | _Fault]) -> Iterator[bytes | _Fault]:
    """Unpack gzip data of any number of members; damaged or cut data ends in a fault, after all that was good."""
    unpacker = zlib.decompressobj(wbits=31)
    fresh = True  # nothing of this member has been read
    done = 0  # packed bytes before this chunk
    for chunk in chunks:
        if isinstance(chunk, _Fault):
            yield chunk
            return
        rest = chunk
        while rest:
            if unpacker.eof:
                rest = rest.lstrip(b"\0")  # members may be padded
                if not rest:
                    break
                unpacker, fresh = zlib.decompressobj(wbits=31), True
            before = unpacker.copy()
            try:
                text = unpacker.decompress(rest, _CHUNK)
            except zlib.error:
                yield from _salvage(before, rest)
                where = done + len(chunk) - len(rest)
                yield _Fault(f"the gzip data is damaged near byte {where:,}; nothing can be read behind it")
                return
            fresh = False
            rest = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
            if text:
                yield text
        done += len(chunk)
    if not unpacker.eof and not fresh:
        # zlib may still hold back text that it has unpacked
        text = unpacker.flush()
        if text:
            yield text
        yield _Fault(f"the gzip data is cut off after byte {done:,}; what came before it is kept", "torn")


def _salvage(unpacker: zlib._Decompress, packed: bytes) -> Iterator[bytes]:
    """Unpack what is good of damaged data, in ever smaller steps up to the byte where it breaks."""
    for step in (1024, 1):
        good = 0
        try:
            for start in range(0, len(packed), step):
                before = unpacker.copy()
                yield unpacker.decompress(packed[start : start + step])
                good = start + step
        except zlib.error:
            packed = packed[good : good + step]
            unpacker = before
