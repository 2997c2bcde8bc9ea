"""Records into lines."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from pyramide_cli.records.structs import Record

_encode: Final = msgspec.json.Encoder().encode

# JSON allows these raw. A terminal may obey the controls (C1), and other readers may break the line at some.
_UNSAFE: Final = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def encode(record: Record) -> bytes:
    r"""Give a record as one line of UTF-8 JSON, with its newline, free of characters that a terminal obeys.

    Such characters are written as `\u` escapes, so they come back when the line is read.
    """
    line = _encode(record)
    if not line.isascii() or b"\x7f" in line:
        line = _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", line.decode()).encode()
    return line + b"\n"
