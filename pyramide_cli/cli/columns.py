"""Text broken between words, so that no terminal cuts through one."""

from __future__ import annotations

import textwrap

_LEAST_WIDTH = 20


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
