"""A board as lines of text, for terminals and logs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from pyramide_cli.boards.words import card_text, move_text
from pyramide_cli.cards import Card, suit
from pyramide_cli.game import Game
from pyramide_cli.messages import gettext as _
from pyramide_cli.moves import Move
from pyramide_cli.pyramid import ROW_OF, free_mask

WASTE_SHOWN: Final = 4
"""How many waste cards a board shows at most: the top and the last ones below it."""

_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")
_GAP: Final = "   "
_RED_SUITS: Final = (1, 2)


class _Grid(NamedTuple):
    """How the pyramid is set: characters a cell, and from one cell to the next (even, so that rows interlock)."""

    cell: int
    pitch: int

    @property
    def width(self) -> int:
        """Return the width of the bottom row."""
        return 6 * self.pitch + self.cell


_WIDE: Final = _Grid(cell=5, pitch=6)
_NARROW: Final = _Grid(cell=4, pitch=4)


def render_text(
    game: Game,
    *,
    color: bool,
    unicode: bool,
    width: int = 80,
    last_move: Move | None = None,
) -> str:
    """Draw the board as lines of text, without a newline at the end.

    Free cards and the cards in play beside the pyramid stand in brackets; with `color` these are green, red suits
    are red and covered cards dim. Only the sixteen basic colours and the terminal's own foreground are used, so it
    reads on dark and on light backgrounds. `unicode=False` writes suits as letters and adds no sign beyond ASCII.
    No line is longer than `width`, from 28 columns on; below 41 columns a ten is one character, T.
    """
    pen = _Pen(color, unicode, narrow=width < _WIDE.width)
    grid = _NARROW if pen.narrow else _WIDE
    rows = _pyramid_rows(game, pen, grid)
    indent = " " * min(4, (width - grid.width) // 2)
    lines = [
        *side_by_side(_header(game, pen), width),
        "",
        *((indent + row).rstrip() for row in rows),
        "",
        *side_by_side(_footer(game, pen, last_move), width),
    ]
    return "\n".join(lines)


class _Pen:
    """Writes cards and words in the chosen alphabet and colours."""

    def __init__(self, color: bool, unicode: bool, *, narrow: bool) -> None:
        self.color = color
        self.unicode = unicode
        self.narrow = narrow

    def paint(self, text: str, *codes: int) -> str:
        """Wrap `text` in the given SGR codes, where colour is on."""
        return f"\x1b[{';'.join(map(str, codes))}m{text}\x1b[0m" if self.color and codes else text

    def label(self, card: Card) -> str:
        """Name a card, in two characters where room is short."""
        label = card_text(card, unicode=self.unicode)
        return label.replace("10", "T") if self.narrow else label

    def free(self, card: Card) -> str:
        """Draw a card that is in play."""
        red = (31,) if suit(card) in _RED_SUITS else ()
        opening, closing = (self.paint(bracket, 32) for bracket in "[]")
        return opening + self.paint(self.label(card), 1, *red) + closing

    def covered(self, card: Card) -> str:
        """Draw a card that can be seen, but not played."""
        label = self.label(card)
        if suit(card) not in _RED_SUITS:
            return self.paint(label, 2)
        # Dim red is hard to read on a dark background, so the suit is red and only the rank dim.
        return self.paint(label[:-1], 2) + self.paint(label[-1], 31)

    @property
    def nothing(self) -> str:
        """Return the sign for a value that is not there."""
        return "–" if self.unicode else "-"


def _pyramid_rows(game: Game, pen: _Pen, grid: _Grid) -> list[str]:
    """Draw the seven rows; a removed card leaves its cell blank."""
    free = free_mask(game.position.pyramid)
    rows = [" " * (grid.pitch // 2 * (7 - row)) for row in range(1, 8)]
    for place, card in enumerate(game.pyramid_cards):
        if card is None:
            drawn = ""
        elif free >> place & 1:
            drawn = pen.free(card)
        else:
            drawn = pen.covered(card) + " "
        # Right-aligned, so that the suits of a column stand below each other.
        cell = " " * (grid.cell - _visible(drawn)) + drawn
        rows[ROW_OF[place] - 1] += cell + " " * (grid.pitch - grid.cell)
    return [row.rstrip() for row in rows]


def _header(game: Game, pen: _Pen) -> list[str]:
    """Return what stands above the pyramid: the deal, the rules, the counters."""
    score = pen.nothing if game.score is None else str(game.score)
    number, passes = game.position.pass_number, game.rules.passes
    parts = [
        game.deal.code or _("deal without a code"),
        game.rules.name or _("own rules"),
        _("score {score}").format(score=score),
        _("moves {n}").format(n=game.moves),
        _("pass {n}").format(n=number) if passes is None else _("pass {n} of {passes}").format(n=number, passes=passes),
    ]
    match game.outcome:
        case "won":
            parts.append(pen.paint(_("won"), 32))
        case "lost":
            parts.append(pen.paint(_("lost"), 31))
        case "stuck":
            parts.append(pen.paint(_("no more moves"), 31))
    return parts


def _footer(game: Game, pen: _Pen, last_move: Move | None) -> list[str]:
    """Return what stands below the pyramid: stock, waste, foundation, and the last move."""
    stock = _("stock {n}").format(n=len(game.stock))
    if game.rules.stock_open and game.stock:
        stock += " " + pen.free(game.stock[0])
    waste = [pen.free(card) if n == 0 else pen.covered(card) for n, card in enumerate(_waste_shown(game))]
    hidden = len(game.waste) - len(waste)
    if hidden:
        waste.append(pen.paint(f"+{hidden}", 2))
    parts = [
        stock,
        _("waste {cards}").format(cards=" ".join(waste) or pen.nothing),
        _("foundation {n}").format(n=game.removed),
    ]
    if last_move is not None:
        parts.append(_("last {move}").format(move=move_text(last_move, pen.label)))
    return parts


def _waste_shown(game: Game) -> Iterable[Card]:
    """Return the waste cards that are drawn, the top first."""
    return game.waste[: -WASTE_SHOWN - 1 : -1]


def side_by_side(parts: Iterable[str], width: int) -> list[str]:
    """Set parts side by side, and on a new line where the width ends."""
    lines: list[str] = []
    for part in parts:
        if lines and _visible(lines[-1]) + len(_GAP) + _visible(part) <= width:
            lines[-1] += _GAP + part
        else:
            lines.append(part)
    return lines


def _visible(text: str) -> int:
    """Count the columns that a text takes, escape sequences left out."""
    return len(_ESCAPE.sub("", text))
