"""Text broken between words, so that no terminal cuts through one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

_LEAST_WIDTH = 20
_NO_BREAK = "\u00a0"


def fit(line: str, width: int, indent: int = 2) -> str:
    """Break a line where it is wider than `width` columns, and set what follows in by `indent` columns."""
    if len(line) <= width:
        return line
    return textwrap.fill(
        line,
        max(width, _LEAST_WIDTH),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def fit_parts(parts: Iterable[str], width: int, lead: str = "") -> str:
    """Set parts side by side behind `lead`, broken between them, whatever spaces they have in themselves."""
    unbroken = "  ".join(part.replace(" ", _NO_BREAK) for part in parts)
    return fit(lead + unbroken, width).replace(_NO_BREAK, " ")
