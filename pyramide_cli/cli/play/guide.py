"""What a player is told about what can be typed."""

from __future__ import annotations

from importlib.util import find_spec
from shutil import get_terminal_size
from textwrap import wrap

from pyramide_cli.cli.play.vocabulary import shown
from pyramide_cli.messages import gettext as _

_LEAST_WIDTH = 24


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
        (shown("draw"), _("draw a card")),
        (shown("recycle"), _("turn the waste back into the stock")),
        (shown("undo"), _("take the last action back")),
        (shown("hint"), _("a tip by a rule of thumb")),
        (shown("winnable"), _("whether a win is left, by proof")),
        (shown("best"), _("the best moves, by proof")),
        (shown("show"), _("show the board again")),
        (shown("log"), _("where the log is")),
        (shown("new", " [DEAL]"), _("begin a new game")),
        (shown("help"), _("say what can be typed")),
        (shown("quit"), _("end the game")),
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
