"""The words that a player types: cards and commands, and what they stand for."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from shutil import get_terminal_size
from textwrap import wrap
from unicodedata import combining, normalize

from pyramide_cli.cards import RANKS, Card, CardError, parse_card
from pyramide_cli.deals import DealError, parse_deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import language, plain_card

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
"""The commands, each with its short forms; English, and understood whatever language is spoken."""

LOCAL_COMMANDS: dict[str, dict[str, tuple[str, ...]]] = {
    "fr": {
        "draw": ("pioche", "piocher"),
        "recycle": ("retourne", "retourner"),
        "undo": ("annule", "annuler"),
        "hint": ("conseil",),
        "winnable": ("gagnable",),
        "best": ("meilleur", "meilleurs"),
        "show": ("montre", "montrer"),
        "log": ("journal",),
        "new": ("nouvelle", "nouveau"),
        "help": ("aide",),
        "quit": ("quitte", "quitter"),
    },
    "pl": {
        "draw": ("dobierz",),
        "recycle": ("odwróć",),
        "undo": ("cofnij",),
        "hint": ("rada", "podpowiedź"),
        "winnable": ("wygrana",),
        "best": ("najlepszy", "najlepsze"),
        "show": ("pokaż",),
        "log": ("dziennik",),
        "new": ("nowa", "nowe"),
        "help": ("pomoc",),
        "quit": ("koniec", "zakończ"),
    },
    "id": {
        "draw": ("ambil",),
        "recycle": ("balik",),
        "undo": ("batal", "batalkan"),
        "hint": ("saran",),
        "winnable": ("menang",),
        "best": ("terbaik",),
        "show": ("tampilkan",),
        "log": ("catatan",),
        "new": ("baru",),
        "help": ("bantuan",),
        "quit": ("keluar",),
    },
}
"""The words for the commands in each language, the one that its help shows first; without accents they do too."""

_COMMAND_OF = {form: name for name, forms in COMMANDS.items() for form in (name, *forms)}
_RANK_OF = {letter.lower(): number for number, letter in enumerate(RANKS, 1)} | {"10": 10}
_SPLIT = re.compile(r"[\s,;]+")
_JOIN = re.compile(r"\s*[+&]\s*")
_LEAST_WIDTH = 24


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

    Words are separated by space, commas or semicolons. After `new` comes a code or a number, or the rest of the line is
    a deal. Upper and lower case are alike, and a letter that is a command is never a rank.
    """
    words: list[Word] = []
    texts = deque(text for text in _SPLIT.split(_JOIN.sub("+", line.strip())) if text)
    while texts:
        word = _parse_word(texts.popleft())
        if word.command == "new" and texts:
            deal = [texts.popleft()] if _is_deal(texts[0]) else [texts.popleft() for _ in range(len(texts))]
            word = replace(word, argument=" ".join(deal))
        words.append(word)
    return words


def _is_deal(text: str) -> bool:
    try:
        parse_deal(text)
    except DealError:
        return False
    return True


def _parse_word(text: str) -> Word:
    key = text.lower()
    command = _COMMAND_OF.get(key) or _local_forms(language()).get(_bare(key))
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


def _bare(word: str) -> str:
    """Return a word without the accents of its letters."""
    return "".join(letter for letter in normalize("NFD", word) if not combining(letter))


@cache
def _local_forms(language: str) -> dict[str, str]:
    """Return which command each word of a language stands for, without accents."""
    commands = LOCAL_COMMANDS.get(language, {})
    return {_bare(form): name for name, forms in commands.items() for form in forms}


def command_words() -> Iterator[str]:
    """Yield the words that can be typed for the commands: English, and those of the language in use."""
    yield from COMMANDS
    yield from (forms[0] for forms in LOCAL_COMMANDS.get(language(), {}).values())


def _shown(command: str, after: str = "") -> str:
    """Return how the help shows a command: its letter, its word, and the word of the language in use."""
    local = LOCAL_COMMANDS.get(language(), {}).get(command, ())[:1]
    return ", ".join([COMMANDS[command][0], command, *local]) + after


def _shorten(text: str, most: int = 20) -> str:
    text = "".join(character if character.isprintable() else "�" for character in text)
    return text if len(text) <= most else text[: most - 1] + "…"


def greeting() -> str:
    """Return what somebody who sits down for the first time has to know; it fits 30 columns."""
    return _("Type ? for help, q to quit.")


def help_text() -> str:
    """Return what can be typed, for people, and what to install to type less."""
    width = get_terminal_size().columns
    if has_rich_prompt():
        return words_text(width)
    install = _("Moves can be completed with: pip install 'pyramide-cli[play]'")
    return "\n".join([words_text(width), *wrap(install, max(width, _LEAST_WIDTH), break_on_hyphens=False)])


def words_text(width: int = 80) -> str:
    """Return what can be typed, for people: side by side with what it does, or above that where there is no room."""
    lines = [
        (_("10c 3s"), _("remove a pair; one card alone is selected")),
        (_("Kd"), _("remove a king; “k” is enough when only one king is free")),
        (_shown("draw"), _("draw a card")),
        (_shown("recycle"), _("turn the waste back into the stock")),
        (_shown("undo"), _("take the last action back")),
        (_shown("hint"), _("a tip by a rule of thumb")),
        (_shown("winnable"), _("whether a win is left, by proof")),
        (_shown("best"), _("the best moves, by proof")),
        (_shown("show"), _("show the board again")),
        (_shown("log"), _("where the log is")),
        (_shown("new", " [DEAL]"), _("begin a new game")),
        (_shown("help"), _("say what can be typed")),
        (_shown("quit"), _("end the game")),
    ]
    column = max(len(words) for words, _text in lines) + 4
    if width - column < _LEAST_WIDTH:
        column = 4
    return "\n".join(line for words, text in lines for line in _explained(words, text, column, width))


def _explained(words: str, text: str, column: int, width: int) -> list[str]:
    """Return words and what they do, which begins in the given column, on as many lines as it needs."""
    lead = f"  {words}"
    explanation = wrap(text, max(width, _LEAST_WIDTH), initial_indent=" " * column, subsequent_indent=" " * column)
    if len(lead) + 2 > column:
        return [lead, *explanation]
    return [lead.ljust(column) + explanation[0][column:], *explanation[1:]]


def has_rich_prompt() -> bool:
    """Return whether what the extra `play` brings is there."""
    return find_spec("prompt_toolkit") is not None
