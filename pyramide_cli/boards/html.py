"""A self-contained page that steps through games: board, moves, slider, keys, and the curve of an analysis.

The board of the page is the picture of `svg.py`; the script only moves its cards about and changes their classes,
so that no rule of the game and no drawing is written twice. Text from logs enters as JSON and through
`textContent` alone, and a content security policy forbids the network and every script but the page's own.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from string import Template
from typing import Any, Final

from pyramide_cli.boards.page_words import about, page_texts, script_texts, summary, verdict_words
from pyramide_cli.boards.steps import PageGame, PageStep
from pyramide_cli.boards.svg import (
    FOUNDATION,
    HEIGHT,
    PYRAMID,
    STOCK,
    WASTE,
    WIDTH,
    Point,
    asset,
    card_group,
    corner_texts,
    definitions,
    mark,
    panel,
    pile_labels,
    pile_slots,
    xml_text,
)
from pyramide_cli.boards.words import outcome_word
from pyramide_cli.cards import CARD_NAMES
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import language, ngettext
from pyramide_cli.pyramid import free_mask

MARKS_AT_ONCE: Final = 3
"""How many frames one move needs at most: two places and the foundation."""


def render_html(games: Sequence[PageGame], *, title: str | None = None) -> str:
    """Return one HTML page, complete in itself, that steps through the games, in the language in use.

    Arrow keys, Home and End step through a game; `#game=2&step=17` at the end of the page's address opens the second
    game at its 17th move. The page holds every position of every game: some 400 bytes a move.
    """
    style = f"{asset('board.css')}\n{asset('page.css')}\n"
    script = f"{asset('page.js')}\n"
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}';"
        " base-uri 'none'; form-action 'none'"
    )
    return (
        Template(asset("page.html")).substitute(
            {name: xml_text(text) for name, text in page_texts().items()},
            language=language(),
            policy=policy,
            title=xml_text(title or _("Pyramid solitaire")),
            style=style,
            board=_board(),
            data=_script_json(_page_data(games)),
            script=script,
        )
        + "\n"
    )


def _board() -> str:
    """Return the board that the script fills: all 52 cards, the piles, the texts and the frames of a move."""
    return "\n".join(
        [
            f'<svg id="board" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{xml_text(_("Board"))}"'
            ' aria-describedby="words">',
            definitions(),
            panel(),
            *corner_texts(),
            *pile_slots(""),
            f'<use id="board-back" href="#card-back" x="{STOCK.x}" y="{STOCK.y}"/>',
            *pile_labels("", ""),
            '<g id="board-cards">',
            *(card_group(card, f'id="card-{name}" class="card"') for card, name in enumerate(CARD_NAMES)),
            "</g>",
            '<g id="board-marks">',
            *(mark(Point(0, 0)) for _ in range(MARKS_AT_ONCE)),
            "</g>",
            "</svg>",
        ]
    )


def _page_data(games: Sequence[PageGame]) -> dict[str, Any]:
    """Return what the script needs, as plain data; each sentence stands once and is referred to by its number."""
    sentences: dict[str, int] = {}
    several = len(games) > 1
    return {
        "texts": script_texts(),
        "layout": {"pyramid": PYRAMID, "stock": STOCK, "waste": WASTE, "foundation": FOUNDATION},
        "games": [_game_data(game, sentences, several=several) for game in games],
        "sentences": list(sentences),
    }


def _game_data(game: PageGame, sentences: dict[str, int], *, several: bool) -> dict[str, Any]:
    """Return one game as plain data, and add its sentences to the table."""
    labels, last = game.steps[0].labels, len(game.steps) - 1
    return {
        "name": ", ".join(filter(None, [game.title, outcome_word(game.outcome or "")])),
        "about": " · ".join(about(game, several=several)),
        "fault": None if game.fault is None else _("This log is not right: {fault}").format(fault=game.fault),
        "opening": ngettext("Start, {n} move follows", "Start, {n} moves follow", last).format(n=last),
        "summary": summary(game),
        "deal": labels["deal"],
        "rules": labels["rules"],
        "stockOpen": game.rules.stock_open,
        "cards": [CARD_NAMES[card] for card in game.deal.cards],
        "steps": [_step_data(step, sentences) for step in game.steps],
    }


def _step_data(step: PageStep, sentences: dict[str, int]) -> dict[str, Any]:
    """Return one step as plain data; what is None or empty is left out."""
    position = step.position
    says = verdict_words(step)
    data = {
        "move": step.move,
        "words": step.words,
        "marks": [(point.x, point.y) for point in step.marks],
        "pyramid": position.pyramid,
        "free": free_mask(position.pyramid),
        "left": position.stock,
        "drawn": position.drawn,
        "removed": step.removed,
        "score": step.labels["score"],
        "moves": step.labels["moves"],
        "pass": step.labels["pass_"],
        "outcome": step.labels["outcome"],
        "text": [sentences.setdefault(sentence, len(sentences)) for sentence in step.description],
        "says": sentences.setdefault(says, len(sentences)) if says else None,
        "note": step.note,
        "verdict": step.verdict,
        "movesLeft": step.left,
        "cost": step.cost,
    }
    return {key: value for key, value in data.items() if value not in (None, "", [])}


def _script_json(data: object) -> str:
    """Return JSON that can stand inside a script element: no character in it ends one, or starts a comment."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _digest(text: str) -> str:
    """Return the hash by which a content security policy knows an inline style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
