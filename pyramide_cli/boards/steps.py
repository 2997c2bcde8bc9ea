"""Games as a page shows them: every step with its board, its words, and what an analysis says of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from pyramide_cli.boards.svg import Point, corner_words, touched
from pyramide_cli.boards.words import describe, move_text, move_words
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game, Position
from pyramide_cli.illegal import IllegalMove
from pyramide_cli.messages import gettext as _
from pyramide_cli.moves import Move, move_label
from pyramide_cli.rules import Rules


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
