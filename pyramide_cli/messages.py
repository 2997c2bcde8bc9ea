"""What the program says to a player, in the player's language.

The texts are English in the code; gettext catalogs for the other languages ship in `pyramide_cli/locale`. Records,
error messages of the command line and everything that a script reads stay as they are.
"""

from __future__ import annotations

import gettext as _gettext
from collections.abc import Mapping
from pathlib import Path

from pyramide_cli.errors import PyramideError

LANGUAGES: dict[str, str] = {"en": "English", "pl": "polski", "id": "Bahasa Indonesia", "fr": "français"}
"""The languages that there are, by code; the first is the default."""

DOMAIN = "pyramide"
CATALOGS = Path(__file__).with_name("locale")

_FACES: dict[str, dict[str, str]] = {
    "fr": {"J": "V", "Q": "D", "K": "R"},
    "pl": {"J": "W", "Q": "D", "K": "K"},
}

_language = "en"
_translations = _gettext.NullTranslations()


class LanguageError(PyramideError):
    """A language is not one of those that there are."""


def use(language: str) -> None:
    """Say everything in a language from now on, one of `LANGUAGES`; `LanguageError` when it is none of them."""
    global _language, _translations
    if language not in LANGUAGES:
        raise LanguageError(f"no language is called {language!r}; known are {', '.join(LANGUAGES)}")
    _language = language
    _translations = (
        _gettext.NullTranslations()
        if language == "en"
        else _gettext.translation(DOMAIN, CATALOGS, languages=[language])
    )


def language() -> str:
    """Return the code of the language in use."""
    return _language


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that the environment asks for by LC_ALL, LC_MESSAGES or LANG; English when it asks for none.

    The first of the three that is set and not empty decides, as POSIX has it.
    """
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(variable)
        if value:
            code = value.replace("-", "_").partition("_")[0].partition(".")[0].lower()
            return code if code in LANGUAGES else "en"
    return "en"


def gettext(text: str) -> str:
    """Return a text in the language in use."""
    return _translations.gettext(text)


def ngettext(one: str, many: str, number: int) -> str:
    """Return the form of a text that goes with a number, in the language in use."""
    return _translations.ngettext(one, many, number)


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with the English words that go with it: `1 deal`, `2,000 deals`; `many` is `one` and an s.

    It is for what is said in English whatever the language in use is: messages of the command line, and reports.
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def pgettext(context: str, text: str) -> str:
    """Return a text in the language in use, where the context tells two uses of the same English text apart."""
    return _translations.pgettext(context, text)


def local_faces() -> Mapping[str, str]:
    """Return the letters of jack, queen and king that differ from `J`, `Q` and `K` in the language in use."""
    return _FACES.get(_language, {})


def local_card(label: str) -> str:
    """Return a card's label with the letter of its rank as the language in use has it: `K♦` is `R♦` in French."""
    return _FACES.get(_language, {}).get(label[:1], label[:1]) + label[1:]


def plain_card(text: str) -> str:
    """Return a card typed with the letters of the language in use as every reader takes it; undoes `local_card`.

    Only a text of two characters or more (a rank and a suit) is changed, and upper and lower case are alike.
    """
    if len(text) > 1:
        for letter, local in _FACES.get(_language, {}).items():
            if text[0].upper() == local:
                return letter + text[1:]
    return text
