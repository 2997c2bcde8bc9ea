"""Every message in every language, the words of cards, and cards typed in the player's letters."""

from __future__ import annotations

import gettext
import io
import json
import re
from unicodedata import combining, normalize
from xml.etree import ElementTree

import pytest

from pyramide_cli import messages
from pyramide_cli.boards import describe
from pyramide_cli.cards import parse_card
from pyramide_cli.cli.play.guide import words_text
from pyramide_cli.cli.play.screens import Screen
from pyramide_cli.cli.play.vocabulary import COMMANDS, LOCAL_COMMANDS
from pyramide_cli.cli.play.words import WordError, parse_words
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.session import Session
from tests.calling import Call
from tests.catalogs import TRANSLATED, catalog, compiled, read, texts_of_code

FORMS = {"pl": 3, "id": 1, "fr": 2}


@pytest.fixture(autouse=True)
def english_again() -> object:
    yield
    messages.use("en")


def names(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w*)\}", text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_there_and_whole(language: str) -> None:
    entries = [entry for entry in read(language) if entry.text.one]
    assert {entry.text for entry in entries} == texts_of_code()
    assert len(entries) == len({entry.text for entry in entries})
    for text, forms in entries:
        assert len(forms) == (1 if text.many is None else FORMS[language]), text
        for form in forms:
            assert form.strip(), text
            assert names(form) == names(text.one), text


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogs_are_those_of_the_sources(language: str) -> None:
    assert catalog(language, "mo").read_bytes() == compiled(read(language)), "run python -m tests.catalogs"


@pytest.mark.parametrize("language", TRANSLATED)
def test_gettext_reads_the_catalogs(language: str) -> None:
    found = gettext.translation(messages.DOMAIN, messages.CATALOGS, languages=[language])
    for text, forms in read(language):
        if text.one and text.many is None:
            assert found.gettext(text.one) == forms[0]
        elif text.many is not None:
            assert {found.ngettext(text.one, text.many, n) for n in range(130)} == set(forms)


@pytest.mark.parametrize(
    ("language", "first", "king", "forms"),
    [
        ("en", "Row 1: jack of diamonds covered.", "king of hearts", ("1 card", "2 cards", "5 cards")),
        ("fr", "Rangée 1 : valet de carreau (couverte).", "roi de cœur", ("1 carte", "2 cartes", "5 cartes")),
        ("pl", "Rząd 1: walet karo (zakryta).", "król kier", ("1 karta", "2 karty", "5 kart")),
        ("id", "Baris 1: jack wajik (tertutup).", "raja hati", ("1 kartu", "2 kartu", "5 kartu")),
    ],
)
def test_cards_in_words(language: str, first: str, king: str, forms: tuple[str, str, str]) -> None:
    messages.use(language)
    sentences = describe(Game(Deal.from_code("PY1-N-AAAAAAS")))
    assert first in sentences
    assert any(king in sentence for sentence in sentences)
    for number, form in zip((1, 2, 5), forms, strict=True):
        text = messages.ngettext("Stock: {n} card.", "Stock: {n} cards.", number).format(n=number)
        assert form in text


@pytest.mark.parametrize(("language", "letters"), [("en", "JQK"), ("fr", "VDR"), ("pl", "WDK"), ("id", "JQK")])
def test_face_cards_have_the_letters_of_the_language(language: str, letters: str) -> None:
    messages.use(language)
    for rank, letter in zip("JQK", letters, strict=True):
        assert messages.local_card(f"{rank}♦") == f"{letter}♦"
        for typed in (f"{letter}d", f"{letter.lower()}d", f"{letter}♦", f"{rank}d"):
            assert parse_card(messages.plain_card(typed)) == parse_card(f"{rank}d")
    for card in ("10♣", "As", "7h", "Ac", "d", "D", "k"):
        assert messages.local_card(card) == card
        assert messages.plain_card(card) == card


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "pl_PL"}, "pl"),
        ({"LANG": "id", "LC_ALL": ""}, "id"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "C"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "pl-PL@euro"}, "pl"),
        ({"LANG": "\x00"}, "en"),
    ],
)
def test_the_environment_chooses_the_language(environment: dict[str, str], language: str) -> None:
    assert messages.language_of(environment) == language


def test_numbers_and_their_english_words() -> None:
    messages.use("fr")
    assert [messages.counted(n, "deal") for n in (0, 1, 2, 1234, -1)] == [
        "0 deals", "1 deal", "2 deals", "1,234 deals", "-1 deals",
    ]  # fmt: skip
    assert [messages.counted(n, "try", "tries") for n in (1, 2)] == ["1 try", "2 tries"]
    messages.use("en")


def test_unknown_languages_are_refused() -> None:
    with pytest.raises(messages.LanguageError, match="known are en, pl, id, fr"):
        messages.use("de")
    assert messages.language() == "en"


@pytest.mark.parametrize(
    ("language", "king", "blocked"),
    [
        ("fr", "Rd", "V♦ : bloquée par une autre carte."),
        ("pl", "Kd", "W♦: blokuje ją inna karta."),
        ("id", "Kd", "J♦ terhalang oleh kartu lain."),
        ("en", "Kd", "J♦ is blocked by another card."),
    ],
)
def test_play_in_every_language_writes_the_same_records(call: Call, language: str, king: str, blocked: str) -> None:
    played = call("play", "18", "--lang", language, text=f"{king}\n10c 3s\nd\nu\nJd\nhint\nhelp\n")
    assert played.code == 3
    assert [record.get("move") for record in played.records] == [None, "Kd", "Tc+3s", "draw", "undo"]
    assert blocked in played.err
    assert call("replay", text=played.out).code == 0


def test_the_language_of_the_environment_is_spoken(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    log = call("play", "18", "--plain", text="show\n")
    assert "Talon : 23 cartes." in log.err
    for arguments in (("deal", "18"), ("replay", "--at", "0")):
        assert "Talon : 23 cartes." in call(*arguments, "--format", "describe", text=log.out).out.decode()
        english = call(*arguments, "--format", "describe", "--lang", "en", text=log.out)
        assert "Stock: 23 cards." in english.out.decode()


@pytest.mark.parametrize(
    ("language", "texts", "label", "king"),
    [
        ("en", ("Pyramid solitaire, deal PY1-N-AAAAAAS, rules pyramide", "Stock: 23 cards."), "stock 23", "K"),
        ("pl", ("Pasjans Piramida, rozdanie PY1-N-AAAAAAS", "Talia: 23 karty."), "talia 23", "K"),
        ("id", ("Soliter Piramida, pembagian PY1-N-AAAAAAS", "Tumpukan: 23 kartu."), "tumpukan 23", "K"),
        ("fr", ("Solitaire Pyramide, donne PY1-N-AAAAAAS", "Talon : 23 cartes."), "talon 23", "R"),
    ],
)
def test_pictures_and_pages_speak_too(call: Call, language: str, texts: tuple[str, str], label: str, king: str) -> None:
    picture = call("deal", "18", "--format", "svg", "--lang", language).out.decode()
    root = ElementTree.fromstring(picture)
    labels = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert all(text in picture for text in texts)
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == language
    assert label in labels
    assert labels.count(king) == 4
    log = call("play", "18", "--moves", "Kd, d").out
    page = call("replay", "--format", "html", "--lang", language, text=log).out.decode()
    assert f'<html lang="{language}">' in page
    assert f"<title>{texts[0].partition(',')[0]}</title>" in page
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert [step.get("move") for step in data["games"][0]["steps"]] == [
        None,
        f"{king}♦",
        messages_in(language, "draw"),
    ]
    assert texts[1] in data["sentences"]


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_what_stands_beside_the_pyramid_in_pictures_is_short_enough(language: str) -> None:
    """As many characters of a wide font as there is room for beside the second row."""
    room = {"own rules": 20, "no code": 16, "no more moves": 13, "won": 13, "lost": 13, "last": 7, "foundation": 10}
    for text, most in room.items():
        assert len(messages_in(language, text)) <= most, text
    assert len(messages_in(language, "pass {n} of {passes}").format(n=2, passes=3)) <= 16
    assert len(messages_in(language, "score {score}").format(score=1290)) <= 14


def messages_in(language: str, text: str) -> str:
    messages.use(language)
    try:
        return messages.gettext(text)
    finally:
        messages.use("en")


@pytest.mark.parametrize(
    ("language", "usage", "what", "rules"),
    [
        ("en", "Usage: ", "Play a deal: at the terminal", "Rules:"),
        ("pl", "Użycie: ", "Rozgrywa rozdanie: na terminalu", "Zasady:"),
        ("id", "Penggunaan: ", "Memainkan satu pembagian: di terminal", "Aturan:"),
        ("fr", "Utilisation : ", "Joue une donne : au terminal", "Règles:"),
    ],
)
def test_the_help_of_play_speaks(
    call: Call, monkeypatch: pytest.MonkeyPatch, language: str, usage: str, what: str, rules: str
) -> None:
    before, after = (
        call("play", *arguments).out.decode()
        for arguments in (["--help", "--lang", language], ["--lang", language, "-h"])
    )
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")
    assert before == after == call("play", "-h").out.decode()
    assert before.startswith(f"{usage}pyramide play [OPTIONS] [DEAL]...\n\n  {what}")
    assert f"\n{rules}\n" in before
    assert "\n    pyramide play PY1-N-AAAAAAS --log games.jsonl\n" in before
    english = call("play", "-h", "--lang", "en").out.decode()
    assert set(re.findall(r"^  (--\S+)", before, re.MULTILINE)) == set(re.findall(r"^  (--\S+)", english, re.MULTILINE))
    # Nothing is left in English but what is typed: every sentence of the help is a text of the catalogs.
    if language != "en":
        assert not {"the", "whether", "with", "which"} & set(re.findall(r"\w+", before.lower()))


@pytest.mark.parametrize("language", TRANSLATED)
def test_commands_have_words_of_the_language(language: str) -> None:
    """Each is understood with accents and without, beside the English ones, and none is a card or another command."""
    assert set(LOCAL_COMMANDS[language]) == set(COMMANDS)
    seen: dict[str, str] = {}
    for name, forms in LOCAL_COMMANDS[language].items():
        for form in forms:
            bare = "".join(letter for letter in normalize("NFD", form) if not combining(letter))
            messages.use("en")
            with pytest.raises(WordError):
                parse_words(form)
            messages.use(language)
            for typed in (form, form.upper(), bare, normalize("NFD", form), name, COMMANDS[name][0]):
                [word] = parse_words(typed)
                assert word.command == name
            assert seen.setdefault(bare, name) == name
        assert forms[0] in words_text()


def test_a_game_is_played_in_the_words_of_the_language(call: Call) -> None:
    played = call("play", "18", "--lang", "fr", "--moves", "Rd, pioche\nANNULE; meilleur; conseil\nquitte")
    assert played.code == 0
    assert [record.get("move") for record in played.records] == [None, "Kd", "draw", "undo", None]
    assert "Le meilleur : " in played.err
    refused = call("play", "18", "--lang", "fr", "--moves", "nouvelle PY1-N-AAAAA0S")
    assert "--moves:1: « PY1-N-AAAAA0S » n’est pas une donne" in refused.err
    assert "Conseil : " in played.err
    assert call("play", "18", "--lang", "en", "--moves", "pioche").code == 3
    assert "Preuve : " in call("play", "18", "--lang", "fr", "--moves", "gagnable?").err


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
@pytest.mark.parametrize("width", [80, 60, 40])
def test_the_help_fits_the_screen(language: str, width: int) -> None:
    messages.use(language)
    assert max(map(len, words_text(width).splitlines())) <= width


def test_a_queen_is_no_draw(call: Call) -> None:
    """A letter that is a command stays one in every language, where no suit is beside it."""
    played = call("play", "18", "--lang", "fr", text="d\nr\nD\n")
    assert [record.get("move") for record in played.records] == [None, "draw", "draw"]


@pytest.mark.parametrize("width", [40, 80])
def test_sentences_at_a_terminal_are_broken_between_words(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", str(width))
    messages.use("pl")
    session = Session(Game(Deal.from_number(0)), "g", lambda record: None)
    terminal = Terminal()
    Screen(terminal, "never", plain=True).show(session, [])
    sentences = describe(session.game)
    messages.use("en")
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    expected = " ".join(sentences).encode("ascii", "replace").decode()  # a stream of text has no encoding
    assert expected in " ".join(lines)
