"""A board as an SVG picture.

The picture is one panel of 600 × 620 units. Suits are paths, so only the ranks and labels need a font. It brings
its own background, so that it reads on any page, and turns dark with the reader's `prefers-color-scheme`.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import Final, NamedTuple

from pyramide_cli.boards.words import card_text, describe, move_text, move_words
from pyramide_cli.cards import SUITS, Card, suit
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import language
from pyramide_cli.moves import Move
from pyramide_cli.pyramid import free_mask

WIDTH: Final = 600
HEIGHT: Final = 620
CARD_WIDTH: Final = 70
CARD_HEIGHT: Final = 98
WASTE_SHOWN: Final = 4
"""How many waste cards lie side by side at most: the top at the right, the last ones below it at its left."""

_PITCH_X: Final = 80
_PITCH_Y: Final = 56
_TOP: Final = 22
_RED_SUITS: Final = (1, 2)
_WIDE_RANKS: Final = ("10", "W")
_SIDE: Final = 25
_BASES: Final = (42, 70, 98, 126)
"""The base lines of the texts beside the top of the pyramid."""


class Point(NamedTuple):
    """The upper left corner of a card, in the units of the picture."""

    x: int
    y: int


def _pyramid_points() -> tuple[Point, ...]:
    """Place the 28 cards, row by row from the top."""
    points = []
    for row in range(1, 8):
        left = (WIDTH - (row - 1) * _PITCH_X - CARD_WIDTH) // 2
        points += [Point(left + k * _PITCH_X, _TOP + (row - 1) * _PITCH_Y) for k in range(row)]
    return tuple(points)


PYRAMID: Final = _pyramid_points()
STOCK: Final = Point(25, 484)
FOUNDATION: Final = Point(505, 484)
WASTE: Final = tuple(Point(345 - k * (CARD_WIDTH + 5), 484) for k in range(WASTE_SHOWN))
"""Where the waste cards lie, the top first."""

# Each suit is drawn in a square of 32 units.
_SUIT_PATHS: Final = (
    "M16 1a7 7 0 0 1 5.4 11.5a7 7 0 1 1-3.9 10.6c.3 3.3 1.6 5.9 3.5 7.9H11c1.9-2 3.2-4.6 3.5-7.9"
    "a7 7 0 1 1-3.9-10.6A7 7 0 0 1 16 1z",
    "M16 1c3 6 7 11 11.5 15c-4.5 4-8.5 9-11.5 15c-3-6-7-11-11.5-15c4.5-4 8.5-9 11.5-15z",
    "M16 30C7 22.5 1 16.5 1 10C1 5.5 4.4 2.5 8.3 2.5C11.6 2.5 14.5 4.3 16 7.6"
    "C17.5 4.3 20.4 2.5 23.7 2.5C27.6 2.5 31 5.5 31 10C31 16.5 25 22.5 16 30z",
    "M16 1C18 7.5 31 13 31 20.3C31 24.4 28 27 24.6 27C21.6 27 19 25.6 17.5 23.1"
    "C17.8 26.4 19.1 29 21 31H11C12.9 29 14.2 26.4 14.5 23.1C13 25.6 10.4 27 7.4 27"
    "C4 27 1 24.4 1 20.3C1 13 14 7.5 16 1z",
)
# What XML 1.0 cannot hold, however it is escaped.
_NO_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_svg(game: Game, *, last_move: Move | None = None, title: str | None = None) -> str:
    """Draw the board as one SVG document, with a newline at the end.

    Cards in play are framed green, covered cards are quieter, and what `last_move` touched is marked: the places
    that it emptied, the card that it drew, the stock that it turned. `title` names the picture for screen readers
    and tooltips (the deal and its rules, where nothing is said); the description says what `last_move` did, and then
    what `describe` does.
    """
    if title is None:
        deal = _("deal {code}").format(code=game.deal.code) if game.deal.code else _("deal without a code")
        rules = _("rules {rules}").format(rules=game.rules.name) if game.rules.name else _("own rules")
        title = ", ".join([_("Pyramid solitaire"), deal, rules])
    cards = last_move.cards if last_move else ()
    last = _last_words(last_move)
    words = [*([move_words(last_move)] if last_move else []), *describe(game)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" xml:lang="{language()}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        ' aria-labelledby="board-title board-text">',
        f'<title id="board-title">{xml_text(title)}</title>',
        f'<desc id="board-text">{xml_text(" ".join(words))}</desc>',
        f"<style>{asset('board.css')}</style>",
        definitions(),
        panel(),
        *corner_texts(**corner_words(game), last=last),
        *(_small_card(card, _SIDE + _label_width(last) + n * 58, _BASES[2]) for n, card in enumerate(cards)),
        *_pyramid(game),
        *_piles(game),
        *(mark(point) for point in (touched(game.deal, last_move) if last_move else ())),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def xml_text(text: str) -> str:
    """Escape text for XML and HTML, in content and in quoted attributes; what XML cannot hold becomes �."""
    return escape(_NO_XML.sub("\ufffd", text))


@cache
def asset(name: str) -> str:
    """Read one of the package's style, script or template files."""
    from importlib import resources

    return resources.files("pyramide_cli.boards").joinpath("page", name).read_text(encoding="utf-8").strip()


def definitions() -> str:
    """Return the shapes that every picture refers to: the four suits and the back of a card."""
    suits = "\n".join(f'<path id="suit-{name}" d="{path}"/>' for name, path in zip(SUITS, _SUIT_PATHS, strict=True))
    weave = "".join(f"M{x} 14L{x + 14} 31L{x} 49L{x + 14} 67L{x} 84" for x in (13, 28, 43))
    return (
        f"<defs>\n{suits}\n"
        f'<g id="card-back"><rect class="back" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="7"/>'
        f'<rect class="weave" x="6" y="6" width="{CARD_WIDTH - 12}" height="{CARD_HEIGHT - 12}" rx="4"/>'
        f'<path class="weave" d="{weave}"/></g>\n</defs>'
    )


def panel() -> str:
    """Draw the background."""
    return f'<rect class="panel" x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="14"/>'


def card_group(card: Card, attributes: str) -> str:
    """Draw a card face up, as a group with the given attributes, its corner at 0, 0."""
    name = card_text(card)[:-1]
    rank_class = "rank wide" if name in _WIDE_RANKS else "rank"
    pip = f'href="#suit-{SUITS[suit(card)]}"'
    return (
        f"<g {attributes}>"
        f'<rect class="face" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="7"/>'
        f'<g class="ink {"red" if suit(card) in _RED_SUITS else "black"}">'
        f'<text class="{rank_class}" x="6" y="36">{name}</text>'
        f'<use {pip} transform="translate(43 12) scale(.66)"/>'
        f'<use class="pip" {pip} transform="translate(19 55)"/>'
        "</g></g>"
    )


def _slot(point: Point) -> str:
    """Return the outline of a pile."""
    return f'<rect class="slot" x="{point.x}" y="{point.y}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="7"/>'


def label(text: str, x: int, y: int, classes: str = "", attributes: str = "") -> str:
    """Write a line of text."""
    return f'<text class="{f"label {classes}".strip()}" x="{x}" y="{y}"{attributes}>{xml_text(text)}</text>'


def corner_texts(
    *,
    deal: str = "",
    rules: str = "",
    last: str = "",
    score: str = "",
    moves: str = "",
    pass_: str = "",
    outcome: str = "",
) -> list[str]:
    """Return what stands beside the top of the pyramid: deal, rules and last move left, the counters right."""
    return [
        label(text, WIDTH - _SIDE if "end" in classes else _SIDE, _BASES[line], classes, f' id="board-{name}"')
        for name, text, line, classes in (
            ("deal", deal, 0, "strong"),
            ("rules", rules, 1, ""),
            ("last", last, 2, ""),
            ("score", score, 0, "strong end"),
            ("moves", moves, 1, "end"),
            ("pass", pass_, 2, "end"),
            ("outcome", outcome, 3, "strong end"),
        )
    ]


def corner_words(game: Game) -> dict[str, str]:
    """Return the arguments of `corner_texts` for a game."""
    number, passes = game.position.pass_number, game.rules.passes
    return {
        "deal": game.deal.code or _("no code"),
        "rules": game.rules.name or _("own rules"),
        "score": _("score {score}").format(score="–" if game.score is None else game.score),
        "moves": _("moves {n}").format(n=game.moves),
        "pass_": _("pass {n}").format(n=number)
        if passes is None
        else _("pass {n} of {passes}").format(n=number, passes=passes),
        "outcome": {"won": _("won"), "lost": _("lost"), "stuck": _("no more moves")}.get(game.outcome or "", ""),
    }


def _last_words(move: Move | None) -> str:
    """Return the words for the last move; the cards of a removal are drawn behind them."""
    if move is None:
        return ""
    return _("last") if move.cards else f"{_('last')} {move_text(move)}"


def _label_width(text: str) -> int:
    """Return about how wide a label is with the gap behind it: nobody knows the reader's font."""
    return 12 * len(text) + 6


def _small_card(card: Card, x: int, y: int) -> str:
    """Write a card in a line of text: its rank, then its suit as a path."""
    name = card_text(card)[:-1]
    color = "strong-red" if suit(card) in _RED_SUITS else "strong"
    return (
        f'<text class="label end" x="{x + 25}" y="{y}">{name}</text>'
        f'<use class="{color}" href="#suit-{SUITS[suit(card)]}" transform="translate({x + 28} {y - 17}) scale(.58)"/>'
    )


def _pyramid(game: Game) -> list[str]:
    """Draw the cards that are left, row by row, so that each lies on those that it covers."""
    free = free_mask(game.position.pyramid)
    return [
        card_group(card, _at(PYRAMID[place], "free" if free >> place & 1 else "covered"))
        for place, card in enumerate(game.pyramid_cards)
        if card is not None
    ]


def _piles(game: Game) -> list[str]:
    """Draw stock, waste and foundation, with their counts below."""
    parts = [*pile_slots(str(game.removed))]
    if game.stock:
        parts.append(f'<use href="#card-back" x="{STOCK.x}" y="{STOCK.y}"/>')
        if game.rules.stock_open:
            parts.append(card_group(game.stock[0], _at(STOCK, "free")))
    for n, card in enumerate(game.waste[: -WASTE_SHOWN - 1 : -1]):
        parts.append(card_group(card, _at(WASTE[n], "below" if n else "free")))
    return parts + pile_labels(_("stock {n}").format(n=len(game.stock)), _("waste {n}").format(n=len(game.waste)))


def pile_slots(removed: str) -> list[str]:
    """Return the outlines of the three piles, the number of removed cards in that of the foundation."""
    middle = FOUNDATION.x + CARD_WIDTH // 2
    return [
        *(_slot(point) for point in (STOCK, WASTE[0], FOUNDATION)),
        label(removed, middle, FOUNDATION.y + 57, "strong middle", ' id="board-foundation"'),
    ]


def pile_labels(stock: str, waste: str) -> list[str]:
    """Return what stands below the three piles."""
    base = 606
    return [
        label(stock, STOCK.x, base, attributes=' id="board-stock"'),
        label(waste, WASTE[0].x + CARD_WIDTH // 2, base, "middle", ' id="board-waste"'),
        label(_("foundation"), FOUNDATION.x + CARD_WIDTH, base, "end"),
    ]


def touched(deal: Deal, move: Move) -> list[Point]:
    """Return the corners of what a move touched: places that it emptied, the card drawn, the stock turned."""
    if move.cards:
        pyramid = [PYRAMID[deal.pyramid.index(card)] for card in move.cards if card in deal.pyramid]
        return [*pyramid, FOUNDATION]
    return {"draw": [WASTE[0]], "recycle": [STOCK]}.get(move.kind, [])


def mark(point: Point) -> str:
    """Draw the dashed frame around a card or the place of one."""
    return (
        f'<rect class="mark" x="{point.x + 4}" y="{point.y + 4}" width="{CARD_WIDTH - 8}"'
        f' height="{CARD_HEIGHT - 8}" rx="5"/>'
    )


def _at(point: Point, state: str) -> str:
    """Return the attributes of a card's group."""
    return f'class="{state}" transform="translate({point.x} {point.y})"'
