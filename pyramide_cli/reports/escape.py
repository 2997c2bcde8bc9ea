"""Text from logs, made harmless for the place it is written to."""

from __future__ import annotations

import html
import re

from pyramide_cli.records import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARKDOWN = re.compile(r"([\\`*_\[\]|~$])")


def plain(text: str) -> str:
    """Return the text with everything that could move a cursor, turn text or hide something written as an escape."""
    return printable(text)


def json_safe(text: str) -> str:
    """Return finished JSON with the unsafe characters inside its strings as JSON escapes: the same value, harmless."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _json_escape(char) for char in text)


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def csv_cell(text: str) -> str:
    """Return the text for a csv cell: no control characters, and nothing that a spreadsheet takes for a formula."""
    safe = plain(text)
    return f"'{safe}" if text.startswith(_FORMULA) or safe.startswith(_FORMULA) else safe


def markdown_cell(text: str) -> str:
    """Return the text for a markdown table: no pipe, no mark-up, no html takes effect."""
    return html.escape(_MARKDOWN.sub(r"\\\1", plain(text)), quote=False)


def html_text(text: str) -> str:
    """Return the text for html, in an element or an attribute."""
    return html.escape(plain(text), quote=True)
