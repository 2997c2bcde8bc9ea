"""The commands of a game and the words for them, in English and in every other language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from unicodedata import combining, normalize

from pyramide_cli.messages import language

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


def command_of(word: str) -> str | None:
    """Return the command that a word stands for, None where it stands for none; upper and lower case are alike."""
    key = word.lower()
    return _COMMAND_OF.get(key) or _local_forms(language()).get(_bare(key))


def _bare(word: str) -> str:
    """Return a word without the accents of its letters."""
    return "".join(letter for letter in normalize("NFD", word) if not combining(letter))


@cache
def _local_forms(language: str) -> dict[str, str]:
    """Return which command each word of a language stands for, without accents."""
    commands = LOCAL_COMMANDS.get(language, {})
    found = {_bare(form): name for name, forms in commands.items() for form in forms}
    # What asks a question may be typed as one.
    return found | {f"{form}?": name for form, name in found.items() if name == "winnable"}


def command_words() -> Iterator[str]:
    """Yield the words that can be typed for the commands: English, and those of the language in use."""
    yield from COMMANDS
    yield from (forms[0] for forms in LOCAL_COMMANDS.get(language(), {}).values())


def shown(command: str, after: str = "") -> str:
    """Return a command as the help shows it: its letter, its word, and the word of the language in use."""
    local = LOCAL_COMMANDS.get(language(), {}).get(command, ())[:1]
    return ", ".join([COMMANDS[command][0], command, *local]) + after
