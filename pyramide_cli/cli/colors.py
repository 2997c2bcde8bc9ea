"""Whether a stream shows colour, and suits."""

from __future__ import annotations

import os
import sys
from typing import IO, Literal, TypeAlias

ColorChoice: TypeAlias = Literal["auto", "always", "never"]


def use_color(choice: ColorChoice, stream: IO[str] | None = None) -> bool:
    """Say whether to write colour to a stream (stdout by default).

    `--color always|never` counts most; then NO_COLOR (no-color.org), then FORCE_COLOR, each if not empty; else colour
    is for terminals that are not dumb.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream = sys.stdout if stream is None else stream
    return os.environ.get("TERM") != "dumb" and stream is not None and stream.isatty()


def shows_suits(stream: IO[str] | None = None) -> bool:
    """Say whether a stream (stdout by default) can encode the suits; where not, letters stand for them."""
    stream = sys.stdout if stream is None else stream
    try:
        "♣♦♥♠".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
