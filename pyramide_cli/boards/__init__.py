"""A board as text, as sentences, as an SVG picture, and a page that steps through games.

Boards show what a player may see: the stock stays face down, but for its top card where the rules turn it up.
"""

from pyramide_cli.boards.html import PageGame, PageStep, page_game, render_html
from pyramide_cli.boards.svg import render_svg
from pyramide_cli.boards.text import render_text
from pyramide_cli.boards.words import card_words, describe, move_words

__all__ = [
    "PageGame",
    "PageStep",
    "card_words",
    "describe",
    "move_words",
    "page_game",
    "render_html",
    "render_svg",
    "render_text",
]
