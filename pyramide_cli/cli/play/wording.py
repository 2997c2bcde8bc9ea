"""How the game at the terminal says things: cards, moves, refusals, outcomes and tips, in the player's language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from pyramide_cli.boards import card_text, card_words, move_phrase, move_text
from pyramide_cli.cards import Card
from pyramide_cli.deals import DealError
from pyramide_cli.game import Over
from pyramide_cli.illegal import IllegalMove
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import language
from pyramide_cli.moves import Move
from pyramide_cli.records import printable

Label = Callable[[Card], str]
MoveLabel = Callable[[Move], str]

Played = Literal["all", "part", "nothing"]
"""How much of a line was gone through: all of it, the part up to a word that cannot be done, or nothing."""

_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something typed that cannot be done.

    reason: why, empty where the player does not want it explained. number: which word of the line it is, of how many.
    word: the word itself, empty where the reason names it.
    """

    reason: str
    number: int
    count: int
    word: str = ""
    played: Played = "all"


def complaint_text(complaint: Complaint) -> str:
    """Return a complaint in one message for who has not typed the line just now: with the word, and what came of it."""
    reason, word = complaint.reason, complaint.word
    if not reason:
        reason, word = _("“{word}” cannot be played.").format(word=word), ""
    if complaint.count == 1:  # the line is the word
        return reason
    if word:
        text = _("word {n}, “{word}”: {reason}").format(n=complaint.number, word=word, reason=reason)
    else:
        text = _("word {n}: {reason}").format(n=complaint.number, reason=reason)
    if complaint.played == "all":
        return text
    rest = {
        "part": _("The rest of the line was not played."),
        "nothing": _("Nothing on the line was played."),
    }[complaint.played]
    return f"{text if text.endswith(('.', '?')) else text + '.'} {rest}"


def labels(*, unicode: bool, plain: bool) -> tuple[Label, MoveLabel]:
    """Return what names a card and a move in the player's language: with suit symbols or letters, or in words."""
    if plain:
        return card_words, move_phrase
    label = partial(card_text, unicode=unicode)
    return label, partial(move_text, label=label)


def refusal(error: IllegalMove, card: Card | None, label: Label) -> str:
    """Say why a move is not legal; `card` is the one that keeps it from being."""
    template = {
        "covered": _("{card} is blocked by another card."),
        "sum": _("The sum must be 13."),
        "gone": _("{card} has been removed already."),
        "out-of-reach": _("{card} is out of reach: only the top of the waste is in play."),
        "own-cover": _("A card and the one that covers it never pair."),
        "drawn-pair": _("A drawn card does not pair with the waste card under it."),
        "empty-stock": _("The stock is empty: there is nothing to draw."),
        "stock-not-empty": _("You can recycle only when the stock is empty."),
        "empty-waste": _("The waste is empty: there is nothing to recycle."),
        "no-pass": _("No pass through the stock is left."),
        "nothing-to-undo": _("There is nothing to undo."),
        "won": _("The game is won; you can only undo or begin a new one."),
    }.get(error.rule)
    if template is None:
        return str(error)
    return template.format(card="" if card is None else label(card))


def no_deal(text: str, error: DealError) -> str:
    """Say that a text names no deal; the exact reason is known in English only."""
    if language() == "en":
        return str(error)
    shown = printable(text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…")
    return _("“{deal}” is no deal: a code, a number or 52 cards is one.").format(deal=shown)


def outcome_text(outcome: Over) -> str:
    """Say how a game that is over came out."""
    return {
        "won": _("You have won!"),
        "lost": _("No more moves: no pass through the stock is left. The game is lost."),
        "stuck": _("No more moves."),
    }[outcome]


def seconds_text(seconds: float) -> str:
    """Return a time as minutes and seconds, with hours where there are any."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
