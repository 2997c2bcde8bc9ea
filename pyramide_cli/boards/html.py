"""A self-contained page that steps through games: board, moves, slider, keys, and the curve of an analysis.

The board of the page is the picture of `svg.py`; the script only moves its cards about and changes their classes,
so that no rule of the game and no drawing is written twice. Text from logs enters as JSON and through
`textContent` alone, and a content security policy forbids the network and every script but the page's own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from string import Template
from typing import Any, Final, Protocol

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
    corner_words,
    definitions,
    mark,
    panel,
    pile_labels,
    pile_slots,
    touched,
    xml_text,
)
from pyramide_cli.boards.words import deal_verdict, describe, move_text, move_words, outcome_word
from pyramide_cli.cards import CARD_NAMES
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game, Position
from pyramide_cli.illegal import IllegalMove
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import language, ngettext
from pyramide_cli.moves import Move, move_label
from pyramide_cli.pyramid import free_mask
from pyramide_cli.rules import Rules

MARKS_AT_ONCE: Final = 3
"""How many frames one move needs at most: two places and the foundation."""


class MoveVerdict(Protocol):
    """What an analysis says of one entry of a log; analysis records are of this kind.

    n: the entry, from 1. before, after: the verdicts `winnable`, `unwinnable` or `undecided`. left_before,
    left_after: the fewest moves left to a win, cost: the moves lost against the best move; None where unknown.
    """

    @property
    def n(self) -> int: ...  # noqa: D102
    @property
    def before(self) -> str: ...  # noqa: D102
    @property
    def after(self) -> str: ...  # noqa: D102
    @property
    def left_before(self) -> int | None: ...  # noqa: D102
    @property
    def left_after(self) -> int | None: ...  # noqa: D102
    @property
    def cost(self) -> int | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class PageStep:
    """A position of a game and the entry that led to it; the first step of a game has none.

    move: the entry for the list of moves (`10♣ + 3♠`). words: the same as a sentence. marks: the corners of what it
    touched. position, removed: the board after it, and how many cards are gone. labels: the texts of the picture.
    description: the board in words. note: what annotators write behind the entry, `??` where it lost the win, `?`
    where it cost moves, else empty. verdict, left, cost: from an analysis, else None.
    """

    move: str
    words: str
    marks: tuple[Point, ...]
    position: Position
    removed: int
    labels: dict[str, str]
    description: tuple[str, ...]
    note: str = ""
    verdict: str | None = None
    left: int | None = None
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class PageGame:
    """A replayed game as a page shows it, its steps beginning with the deal.

    title: what the chooser calls it. outcome: how it ended, None where nobody says. fault: what is wrong with its
    log, None when nothing is.
    """

    title: str
    deal: Deal
    rules: Rules
    steps: tuple[PageStep, ...]
    player: str | None = None
    outcome: str | None = None
    fault: str | None = None


def page_step(game: Game, entry: Move | None = None) -> PageStep:
    """Return the step for the present state of a game, which `entry` led to."""
    return PageStep(
        move=move_text(entry) if entry else "",
        words=move_words(entry) if entry else "",
        marks=tuple(touched(game.deal, entry)) if entry else (),
        position=game.position,
        removed=game.removed,
        labels=corner_words(game),
        # Most sentences are those of the step before: interned, each is kept once.
        description=tuple(map(sys.intern, describe(game))),
    )


def page_game(
    deal: Deal,
    rules: Rules,
    entries: Iterable[Move],
    *,
    title: str | None = None,
    player: str | None = None,
    analysis: Iterable[MoveVerdict] = (),
) -> PageGame:
    """Replay the entries of a log (moves and undos) and return the game for a page.

    An entry that the rules forbid ends the game there, and the page says so. `title` is the deal's code where
    nothing is said.
    """
    game = Game(deal, rules)
    steps = [page_step(game)]
    fault = None
    for n, entry in enumerate(entries, 1):
        try:
            game.apply(entry)
        except IllegalMove as error:
            fault = f"entry {n}, {move_label(entry)}: {error}"
            break
        steps.append(page_step(game, entry))
    page = PageGame(
        title=title or deal.code or _("deal without a code"),
        deal=deal,
        rules=rules,
        steps=tuple(steps),
        player=player,
        outcome=game.outcome,
        fault=fault,
    )
    return annotated(page, analysis)


def annotated(page: PageGame, analysis: Iterable[MoveVerdict]) -> PageGame:
    """Return the game with what an analysis says of its entries; entries that it leaves out keep what they have."""
    steps = list(page.steps)
    for verdict in sorted(analysis, key=lambda verdict: verdict.n, reverse=True):
        # From the last entry back, so that what is said after an entry wins over what is said before the next.
        if not 1 <= verdict.n < len(steps):
            continue
        lost = verdict.before == "winnable" and verdict.after == "unwinnable"
        note = "??" if lost else "?" if verdict.cost else ""
        n = verdict.n
        steps[n] = replace(steps[n], note=note, verdict=verdict.after, left=verdict.left_after, cost=verdict.cost)
        steps[n - 1] = replace(steps[n - 1], verdict=verdict.before, left=verdict.left_before)
    return replace(page, steps=tuple(steps))


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
            {name: xml_text(text) for name, text in _page_texts().items()},
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


def _page_texts() -> dict[str, str]:
    """Return the texts that stand on the page whatever it shows, by their names in the template."""
    return {
        "t_game": _("Game"),
        "t_noscript": _("This page needs JavaScript to step through the games."),
        "t_board": _("Board"),
        "t_steps": _("Steps"),
        "t_step": _("Step"),
        "t_start": _("Start"),
        "t_start_key": _("Start (Home)"),
        "t_back": _("Back"),
        "t_back_key": _("Back (left arrow)"),
        "t_forward": _("Forward"),
        "t_forward_key": _("Forward (right arrow)"),
        "t_end": _("End"),
        "t_end_key": _("End (End)"),
        "t_left": _("Moves left"),
        "t_moves": _("Moves"),
        "t_words": _("The board in words"),
        "t_keys": _(
            "Arrow keys step, Home and End go to the start and the end. The address of the page keeps the place."
        ),
    }


def _script_texts() -> dict[str, str]:
    """Return the texts that the script puts together, with gaps in braces, by their names in it."""
    return {
        "none": _("There are no games."),
        "stock": _("stock {n}"),
        "waste": _("waste {n}"),
        "last": _("last"),
        "start": _("start"),
        "winLost": _("win lost"),
        "winLostAt": _("win lost at {n}"),
        "place": _("Move {n} of {last}"),
        "placeMove": _("Move {n} of {last}: {move}."),
    }


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
        "texts": _script_texts(),
        "layout": {"pyramid": PYRAMID, "stock": STOCK, "waste": WASTE, "foundation": FOUNDATION},
        "games": [_game_data(game, sentences, several=several) for game in games],
        "sentences": list(sentences),
    }


def _game_data(game: PageGame, sentences: dict[str, int], *, several: bool) -> dict[str, Any]:
    """Return one game as plain data, and add its sentences to the table."""
    labels, last = game.steps[0].labels, len(game.steps) - 1
    return {
        "name": ", ".join(filter(None, [game.title, outcome_word(game.outcome or "")])),
        "about": " · ".join(_about(game, several=several)),
        "fault": None if game.fault is None else _("This log is not right: {fault}").format(fault=game.fault),
        "opening": ngettext("Start, {n} move follows", "Start, {n} moves follow", last).format(n=last),
        "summary": _summary(game),
        "deal": labels["deal"],
        "rules": labels["rules"],
        "stockOpen": game.rules.stock_open,
        "cards": [CARD_NAMES[card] for card in game.deal.cards],
        "steps": [_step_data(step, sentences) for step in game.steps],
    }


def _about(game: PageGame, *, several: bool) -> Iterator[str]:
    """Yield what stands below the heading: what the chooser does not say already."""
    deal = game.steps[0].labels["deal"]
    if not several:
        yield game.title
    if game.title != deal or several:
        yield deal
    yield _("rules {rules}").format(rules=game.rules.name) if game.rules.name else _("own rules")
    if game.player:
        yield _("player {player}").format(player=game.player)
    if game.outcome:
        yield outcome_word(game.outcome)


def _summary(game: PageGame) -> str:
    """Return what the analysis says of the whole game, empty without one."""
    start = game.steps[0]
    if start.verdict == "winnable" and start.left is not None:
        known = ngettext(
            "The deal is winnable; the shortest win takes {n} move.",
            "The deal is winnable; the shortest win takes {n} moves.",
            start.left,
        )
        sentences = [known.format(n=start.left)]
    elif start.verdict is None:
        sentences = []
    else:
        sentences = [deal_verdict(start.verdict)]
    lost = ", ".join(f"{n} ({step.move})" for n, step in enumerate(game.steps) if step.note == "??")
    if lost:
        sentences.append(_("The win was lost at move {moves}.").format(moves=lost))
    return " ".join(sentences)


def _verdict_words(step: PageStep) -> str:
    """Return what an analysis says of a step, empty without one."""
    if step.note == "??":
        return _("This move lost the win.")
    if step.left == 0:
        return _("The game is won.")
    if step.verdict == "winnable" and step.left is not None:
        return ngettext("Winnable, {n} move left at best.", "Winnable, {n} moves left at best.", step.left).format(
            n=step.left
        )
    return {
        "winnable": _("Winnable."),
        "unwinnable": _("No win is left."),
        "undecided": _("Undecided."),
    }.get(step.verdict or "", "")


def _step_data(step: PageStep, sentences: dict[str, int]) -> dict[str, Any]:
    """Return one step as plain data; what is None or empty is left out."""
    position = step.position
    says = _verdict_words(step)
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
