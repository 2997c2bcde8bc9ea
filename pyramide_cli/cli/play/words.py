"""The words that a player types: cards and commands, and what they stand for."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace

from pyramide_cli.cards import RANKS, Card, CardError, parse_card
from pyramide_cli.cli.play.vocabulary import command_of
from pyramide_cli.deals import is_deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import plain_card

_RANK_OF = {letter.lower(): number for number, letter in enumerate(RANKS, 1)} | {"10": 10}
_WORD = re.compile(r"([^\s,;]+)([\s,;]*)")
_JOIN = re.compile(r"\s*[+&]\s*")


class WordError(PyramideError):
    """A word is neither a card nor a command.

    number: which one of the line it is, from 1; count: how many there are.
    """

    def __init__(self, message: str, number: int, count: int) -> None:
        super().__init__(message)
        self.number = number
        self.count = count


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that was typed: a command with what follows it, a card, a rank, or two cards joined by a plus.

    Exactly one of `command`, `cards` and `rank` says something. `number` is which one of the line it is, from 1; what
    follows `new` is counted too.
    """

    text: str
    command: str | None = None
    argument: str | None = None
    cards: tuple[Card, ...] = ()
    rank: int | None = None
    number: int = 1


def parse_words(line: str) -> list[Word]:
    """Return what a line says, word by word; `WordError` names the first word that says nothing.

    Words are separated by space, commas or semicolons. After `new` comes a code or a number, or the rest of the line is
    a deal; a comma or semicolon right after `new` says that none comes. Upper and lower case are alike, and a letter
    that is a command is never a rank.
    """
    words: list[Word] = []
    texts = deque(_WORD.findall(_JOIN.sub("+", line)))
    count = len(texts)
    while texts:
        number = count - len(texts) + 1
        text, gap = texts.popleft()
        word = _parse_word(text)
        if word is None:
            message = _("“{word}” is no card and no command; “help” tells what you can type")
            raise WordError(message.format(word=shortened(text)), number, count)
        word = replace(word, number=number)
        if word.command == "new" and texts and not gap.strip():
            length = 1 if is_deal(texts[0][0]) else len(texts)
            word = replace(word, argument=" ".join(texts.popleft()[0] for _ in range(length)))
        words.append(word)
    return words


def _parse_word(text: str) -> Word | None:
    """Return what a word says, None where it says nothing."""
    command = command_of(text)
    if command is not None:
        return Word(text, command=command)
    rank = _RANK_OF.get(text.lower())
    if rank is not None:
        return Word(text, rank=rank)
    parts = text.split("+")
    try:
        cards = tuple(parse_card(plain_card(part)) for part in parts)
    except CardError:
        cards = ()
    return Word(text, cards=cards) if 1 <= len(cards) <= 2 else None


def shortened(text: str, most: int = 20) -> str:
    """Return a word as it can be shown: not too long, and without what a terminal would obey."""
    text = "".join(character if character.isprintable() else "�" for character in text)
    return text if len(text) <= most else text[: most - 1] + "…"
