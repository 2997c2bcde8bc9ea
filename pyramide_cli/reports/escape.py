"""Text from logs, made harmless for the place it is written to."""

from __future__ import annotations

import html
import re

UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb]")
"""Control characters of C0 and C1, line separators, direction marks, zero-width characters and lone surrogates."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARKDOWN = re.compile(r"([\\`*_\[\]|~$])")


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def plain(text: str) -> str:
    """Return the text with every character that could move a cursor or hide something written as an escape."""
    return UNSAFE.sub(_visible, text)


def json_safe(text: str) -> str:
    """Return finished JSON with the unsafe characters inside its strings as JSON escapes: the same value, harmless."""
    return UNSAFE.sub(lambda m: m.group() if m.group() == "\n" else f"\\u{ord(m.group()):04x}", text)


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
