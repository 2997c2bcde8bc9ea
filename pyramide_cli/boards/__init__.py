"""A board as text, as sentences, as an SVG picture, and a page that steps through games.

Boards show what a player may see: the stock stays face down, but for its top card where the rules turn it up.
Pictures and pages are loaded when they are first used, so that a game at the terminal starts quickly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramide_cli.boards.text import render_text, side_by_side
from pyramide_cli.boards.words import (
    card_text,
    card_words,
    deal_verdict,
    describe,
    move_phrase,
    move_text,
    move_words,
    moves_words,
    outcome_word,
)
from pyramide_cli.lazy import lazy

if TYPE_CHECKING:
    from pyramide_cli.boards.html import render_html
    from pyramide_cli.boards.steps import MoveVerdict, PageGame, PageStep, annotated, page_game, page_step
    from pyramide_cli.boards.svg import render_svg

_HOME = {
    "MoveVerdict": "steps",
    "PageGame": "steps",
    "PageStep": "steps",
    "annotated": "steps",
    "page_game": "steps",
    "page_step": "steps",
    "render_html": "html",
    "render_svg": "svg",
}

__all__ = [
    "MoveVerdict",
    "PageGame",
    "PageStep",
    "annotated",
    "card_text",
    "card_words",
    "deal_verdict",
    "describe",
    "move_phrase",
    "move_text",
    "move_words",
    "moves_words",
    "outcome_word",
    "page_game",
    "page_step",
    "render_html",
    "render_svg",
    "render_text",
    "side_by_side",
]


__getattr__ = lazy(__name__, _HOME)
