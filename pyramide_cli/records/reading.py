"""Records out of lines: a streaming reader that reports what is wrong with its place and goes on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import UNSET, UnsetType

from pyramide_cli.errors import PyramideError
from pyramide_cli.records.lines import Problem, read_blocks
from pyramide_cli.records.structs import RECORD_TYPES, VERSION, Record

_decode: Final = msgspec.json.Decoder(Record).decode
_BAD: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)  # the second comes from older msgspec

_LONGEST: Final = 100


class _Head(msgspec.Struct, gc=False):
    """What every record has; a line that fits no record is looked at without unpacking all that it holds."""

    type: Any = UNSET
    v: Any = UNSET


_decode_head: Final = msgspec.json.Decoder(_Head).decode


class Located(msgspec.Struct, gc=False):
    """One line of an input: its record, or what is wrong with it, and where it stands."""

    record: Record | None
    problem: Problem | None
    file: str
    line: int


class RecordError(PyramideError):
    """A line that holds no record; `str` of it says why, on one line."""


def decode(line: bytes) -> Record:
    """Turn one line of JSON into its record. Raises `RecordError`."""
    try:
        return _decode(line)
    except _BAD as error:
        raise RecordError(_explain(line, error)) from None


def read_records(source: str | os.PathLike[str] | BinaryIO, name: str | None = None) -> Iterator[Located]:
    """Read the records of a file (`-` is stdin) or of an open binary stream, in order, in constant memory.

    Every line that is not blank gives one `Located`: with its record, or with its problem. A last line that has
    no newline and breaks off was torn while it was written: its problem is of the kind "torn".
    """
    for item in read_blocks(source, name):
        if isinstance(item, Problem):
            yield Located(None, item, item.file, item.line or 0)
            continue
        file = item.file
        number = item.first
        for line in item.lines:
            try:
                record = _decode(line)
            except _BAD as error:
                if line and not line.isspace():
                    torn = not item.ended and number == item.first + len(item.lines) - 1
                    yield Located(None, _problem(file, number, line, error, torn=torn), file, number)
            else:
                yield Located(record, None, file, number)
            number += 1


def _problem(file: str, number: int, line: bytes, error: Exception, *, torn: bool) -> Problem:
    if torn and _is_cut(line, error):
        return Problem(file, number, "the last line is cut off; what came before it is kept", "torn")
    return Problem(file, number, _explain(line, error))


def _is_cut(line: bytes, error: Exception) -> bool:
    """Whether a line looks like the start of a record whose end was never written (a crash can leave NULs, too)."""
    if isinstance(error, msgspec.ValidationError):
        return False
    return line.lstrip().startswith(b"{") or not line.strip(b"\0")


def _explain(line: bytes, error: Exception) -> str:
    """Say in plain words what is wrong with a line that is no record."""
    if isinstance(error, RecursionError):
        return "the JSON is nested too deep"
    if not isinstance(error, msgspec.ValidationError):
        return _explain_text(line, error)
    if not line.lstrip().startswith(b"{"):
        return "this is JSON but no object; a record is one object a line"
    try:
        head = _decode_head(line)
    except _BAD:  # a number out of all range
        return f"this record does not fit: {_plain(str(error))}"
    kind, version = head.type, head.v
    if isinstance(kind, UnsetType):
        return 'the key "type" is missing'
    if version is not UNSET and (version != VERSION or isinstance(version, bool)):
        return f"record version {_short(version)} is not known; this program reads version {VERSION}"
    if kind not in RECORD_TYPES:
        return f"unknown record type {_short(kind)}; known are {', '.join(RECORD_TYPES)}"
    if version is UNSET:
        return 'the key "v" (the version of the record) is missing'
    return f"this {kind} record does not fit: {_plain(str(error))}"


def _explain_text(line: bytes, error: Exception) -> str:
    if b"\0" in line:
        return f"NUL byte at column {line.index(0) + 1}; a line must be UTF-8 text"
    try:
        line.decode()
    except UnicodeDecodeError as bad:
        return f"not UTF-8: byte 0x{line[bad.start]:02x} at column {bad.start + 1}"
    if not line.lstrip().startswith(b"{"):
        return "no JSON object; a record is one object a line"
    detail = str(error).removeprefix("JSON is malformed: ")
    at = re.search(r"\(byte (\d+)\)$", detail)
    if at:
        detail = f"{detail[: at.start()]}at column {int(at[1]) + 1}"
    elif "truncated" in detail:
        detail = "the object is not closed"
    return f"broken JSON: {detail[0].lower()}{detail[1:]}"


def _plain(message: str) -> str:
    """Put a message of msgspec into the words of the records: key first."""
    missing = re.fullmatch(r"Object missing required field `(.+?)`(.*)", message)
    if missing:
        return f'the key "{missing[1]}" is missing'
    text, _, path = message.rpartition(" - at `$") if " - at `$" in message else (message, "", "")
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    key = path.rstrip("`").lstrip(".")
    text = text.replace("`", "")
    return f'"{key}": {text[0].lower()}{text[1:]}' if key else text


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 40 else f"{text[:37]}…"
