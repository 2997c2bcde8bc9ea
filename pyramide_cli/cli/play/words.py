"""The words that a player types: cards and commands, and what they stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec

from pyramide_cli.cards import RANKS, Card, CardError, parse_card
from pyramide_cli.errors import PyramideError
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import plain_card

COMMANDS: dict[str, tuple[str, ...]] = {
    "draw": ("d",),
    "recycle": ("r",),
    "undo": ("u",),
    "hint": ("h",),
    "winnable": ("w", "winnable?"),
    "best": ("b",),
    "show": ("s",),
    "log": ("l",),
    "new": ("n",),
    "help": ("?",),
    "quit": ("q", "exit"),
}
"""The commands, each with its short forms."""

_COMMAND_OF = {form: name for name, forms in COMMANDS.items() for form in (name, *forms)}
_RANK_OF = {letter.lower(): number for number, letter in enumerate(RANKS, 1)} | {"10": 10}
_SPLIT = re.compile(r"[\s,;]+")
_JOIN = re.compile(r"\s*[+&]\s*")


class WordError(PyramideError):
    """A word is neither a card nor a command."""


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that was typed: a command with what follows it, a card, a rank, or two cards joined by a plus.

    Exactly one of `command`, `cards` and `rank` says something.
    """

    text: str
    command: str | None = None
    argument: str | None = None
    cards: tuple[Card, ...] = ()
    rank: int | None = None


def parse_words(line: str) -> list[Word]:
    """Return what a line says, word by word; `WordError` names the first word that says nothing.

    Words are separated by space, commas or semicolons. The rest of the line after `new` is a deal. Upper and lower
    case are alike, and a letter that is a command is never a rank.
    """
    words: list[Word] = []
    texts = [text for text in _SPLIT.split(_JOIN.sub("+", line.strip())) if text]
    for index, text in enumerate(texts):
        word = _parse_word(text)
        if word.command == "new":
            words.append(Word(text, command="new", argument=" ".join(texts[index + 1 :]) or None))
            break
        words.append(word)
    return words


def _parse_word(text: str) -> Word:
    key = text.lower()
    command = _COMMAND_OF.get(key)
    if command is not None:
        return Word(text, command=command)
    rank = _RANK_OF.get(key)
    if rank is not None:
        return Word(text, rank=rank)
    parts = text.split("+")
    try:
        cards = tuple(parse_card(plain_card(part)) for part in parts)
    except CardError:
        cards = ()
    if not 1 <= len(cards) <= 2:
        raise WordError(
            _("“{word}” is no card and no command; “help” tells what you can type").format(word=_shorten(text))
        )
    return Word(text, cards=cards)


def _shorten(text: str, most: int = 20) -> str:
    text = "".join(character if character.isprintable() else "�" for character in text)
    return text if len(text) <= most else text[: most - 1] + "…"


def greeting() -> str:
    """Return what somebody who sits down for the first time has to know; it fits 30 columns."""
    return _("Type ? for help, q to quit.")


def help_text() -> str:
    """Return what can be typed, for people, and what to install to type less."""
    if has_rich_prompt():
        return words_text()
    return words_text() + "\n" + _("Moves can be completed with: pip install 'pyramide-cli[play]'")


def words_text() -> str:
    """Return what can be typed, for people."""
    lines = [
        (_("10c 3s"), _("remove a pair; one card alone is selected")),
        (_("Kd"), _("remove a king; “k” is enough when only one king is free")),
        ("d, draw", _("draw a card")),
        ("r, recycle", _("turn the waste back into the stock")),
        ("u, undo", _("take the last action back")),
        ("h, hint", _("a tip by a rule of thumb")),
        ("w, winnable", _("whether a win is left, by proof")),
        ("b, best", _("the best moves, by proof")),
        ("s, show", _("show the board again")),
        ("l, log", _("where the log is")),
        ("n, new [DEAL]", _("begin a new game")),
        ("q, quit", _("end the game")),
    ]
    width = max(len(words) for words, _text in lines)
    return "\n".join(f"  {words:<{width}}  {text}" for words, text in lines)


def has_rich_prompt() -> bool:
    """Return whether what the extra `play` brings is there."""
    return find_spec("prompt_toolkit") is not None
