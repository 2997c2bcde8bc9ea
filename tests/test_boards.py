"""Boards: what holds for every board, whatever it looks like."""

import random
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from pyramide_cli import messages
from pyramide_cli.boards import card_words, describe, move_words, render_svg, render_text
from pyramide_cli.boards.svg import xml_text
from pyramide_cli.cards import card_label, card_name, parse_card
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.moves import parse_move
from pyramide_cli.rules import RULES
from tests.board_cases import CASES, PUBLISHED

SVG = "{http://www.w3.org/2000/svg}"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def boards() -> Iterator[Game]:
    """Play some games at random, under every preset, and yield each board on the way."""
    chance = random.Random(13)
    for number, rules in enumerate(RULES.values()):
        game = Game(Deal.from_number(number), rules)
        for _ in range(120):
            yield game
            moves = game.legal_moves()
            if not moves:
                break
            game.push(moves[0] if chance.random() < 0.7 else chance.choice(moves))


def start(rules: str = "pyramide") -> Game:
    return Game(Deal.from_code(PUBLISHED), RULES[rules])


# Text.


def test_text_marks_exactly_the_cards_in_play() -> None:
    for game in boards():
        marked = re.findall(r"\[(\w+)\]", render_text(game, color=False, unicode=False))
        expected = [*game.free_cards]
        if game.rules.stock_open and game.stock_top is not None:
            expected.append(game.stock_top)
        if game.waste_top is not None:
            expected.append(game.waste_top)
        assert marked == [card_label(card, unicode=False) for card in expected]


def test_text_shows_no_card_of_the_stock_that_lies_face_down() -> None:
    for game in boards():
        text = render_text(game, color=False, unicode=False)
        hidden = game.stock[1:] if game.rules.stock_open else game.stock
        shown = set(re.findall(r"\w+", text))
        assert shown.isdisjoint(card_label(card, unicode=False) for card in hidden)


@pytest.mark.parametrize("width", [28, 34, 40, 41, 60, 80, 200])
@pytest.mark.parametrize("unicode", [True, False])
def test_no_line_is_wider_than_asked(width: int, unicode: bool) -> None:
    for game in boards():
        for color in (True, False):
            text = render_text(game, color=color, unicode=unicode, width=width, last_move=parse_move("Tc+3s"))
            assert max(len(ESCAPE.sub("", line)) for line in text.split("\n")) <= width


def test_a_width_that_is_too_small_cuts_nothing_off() -> None:
    text = render_text(start(), color=False, unicode=True, width=1)
    assert all(card_label(card).replace("10", "T") in text for card in start().deal.pyramid)


def test_colour_changes_no_character() -> None:
    for game in boards():
        colored = render_text(game, color=True, unicode=True)
        assert ESCAPE.sub("", colored) == render_text(game, color=False, unicode=True)


def test_letters_are_ascii() -> None:
    for game in boards():
        assert render_text(game, color=True, unicode=False, width=40).isascii()


def test_free_cards_are_framed_green_and_red_suits_red() -> None:
    text = render_text(start(), color=True, unicode=True)
    assert "\x1b[32m[\x1b[0m\x1b[1;31mK♦\x1b[0m\x1b[32m]\x1b[0m" in text
    assert "\x1b[32m[\x1b[0m\x1b[1m7♣\x1b[0m\x1b[32m]\x1b[0m" in text
    # Covered cards are dim, but the suit that says red stays bright enough for a dark background.
    assert "\x1b[2mJ\x1b[0m\x1b[31m♦\x1b[0m" in text


def test_no_line_ends_in_a_space() -> None:
    for game in boards():
        assert not re.search(r" $", render_text(game, color=False, unicode=True), re.MULTILINE)


def test_cards_are_shown_with_the_letters_of_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_language", "fr")
    assert "R♦" in render_text(start(), color=False, unicode=True)


# Words.


def test_every_place_of_a_row_is_named() -> None:
    for game in boards():
        rows = [line for line in describe(game) if line.startswith("Row")]
        assert len(rows) == 7
        for number, row in enumerate(rows, 1):
            assert row == f"Row {number}: empty." or len(row.split(", ")) == number


def test_each_item_is_one_sentence_on_one_line() -> None:
    for game in boards():
        for sentence in describe(game):
            assert sentence.endswith(".")
            assert sentence.count(".") == 1
            assert "\n" not in sentence


def test_words_for_one_card_are_singular() -> None:
    assert "Waste: 1 card, 7 of diamonds on top." in describe(start())


@pytest.mark.parametrize(
    ("name", "words"),
    [("Ac", "ace of clubs"), ("Td", "10 of diamonds"), ("Jh", "jack of hearts"), ("Qs", "queen of spades")],
)
def test_a_card_in_words(name: str, words: str) -> None:
    assert card_words(parse_card(name)) == words


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("Kd", "Removed king of diamonds."),
        ("Tc+3s", "Removed 10 of clubs and 3 of spades."),
        ("draw", "Drew a card."),
        ("recycle", "Turned the waste back into the stock."),
        ("undo", "Took back the last move."),
    ],
)
def test_a_move_in_words(move: str, words: str) -> None:
    assert move_words(parse_move(move)) == words


# Pictures.


def test_a_picture_is_valid_and_says_what_it_shows() -> None:
    for game in boards():
        root = ElementTree.fromstring(render_svg(game))
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox")
        assert root.findtext(f"{SVG}desc") == " ".join(describe(game))
        assert str(game.deal.code) in (root.findtext(f"{SVG}title") or "")


def test_a_picture_frames_exactly_the_cards_in_play() -> None:
    for game in boards():
        root = ElementTree.fromstring(render_svg(game))
        free = [group for group in root.iter(f"{SVG}g") if group.get("class") == "free"]
        piles = [game.stock_top] if game.rules.stock_open else []
        piles.append(game.waste_top)
        assert len(free) == len(game.free_cards) + sum(card is not None for card in piles)


def test_a_picture_refers_only_to_itself() -> None:
    for case in CASES.values():
        game, last = case.play()
        root = ElementTree.fromstring(render_svg(game, last_move=last))
        names = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(names) == len(set(names))
        for element in root.iter():
            target = element.get("href")
            assert target is None or target.removeprefix("#") in names


def test_the_last_move_is_marked_at_the_places_that_it_emptied() -> None:
    game = start()
    for name, frames in (("Kd", 2), ("Tc+3s", 3), ("draw", 1), ("undo", 0)):
        move = parse_move(name)
        game.apply(move)
        root = ElementTree.fromstring(render_svg(game, last_move=move))
        assert len(root.findall(f"{SVG}rect[@class='mark']")) == frames, name
    assert not ElementTree.fromstring(render_svg(game)).findall(f"{SVG}rect[@class='mark']")


def test_a_title_is_escaped() -> None:
    title = "</title><script>alert('1')</script> & \"\x1b\x00\ud800\ufffe 😀"
    root = ElementTree.fromstring(render_svg(start(), title=title).encode("utf-8"))
    assert root.findtext(f"{SVG}title") == "</title><script>alert('1')</script> & \"���� 😀"
    assert root.find(f".//{SVG}script") is None


def test_text_for_xml_keeps_what_xml_can_hold() -> None:
    assert xml_text("a\tb\n<é♣>") == "a\tb\n&lt;é♣&gt;"


def test_a_picture_draws_every_card_that_can_be_seen_once() -> None:
    game, _ = CASES["stock-open"].play()
    root = ElementTree.fromstring(render_svg(game))
    ranks = [element.text for element in root.iter(f"{SVG}text") if (element.get("class") or "").startswith("rank")]
    seen = [card for card in game.pyramid_cards if card is not None] + [*game.waste[-4:], game.stock[0]]
    assert sorted(ranks, key=str) == sorted(card_name(card)[0].replace("T", "10") for card in seen)
