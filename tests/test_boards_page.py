"""The page that steps through games: what is in the file, and how it behaves in a real browser."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pyramide_cli import messages
from pyramide_cli.boards import PageGame, describe, move_words, page_game, render_html
from pyramide_cli.boards.svg import PYRAMID, WASTE
from pyramide_cli.cards import CARD_NAMES, card_name
from pyramide_cli.deals import parse_deal
from pyramide_cli.game import Game
from pyramide_cli.moves import Move, move_label, parse_move
from pyramide_cli.pyramid import places
from tests.board_cases import CASES
from tests.chromium import Browser, find_chromium

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=alert(1)> $data ${style} & \"'\u2028 \x1b[31m"
)


@dataclass(frozen=True)
class Verdict:
    """What an analysis says of an entry."""

    n: int
    before: str
    after: str
    left_before: int | None = None
    left_after: int | None = None
    cost: int | None = None


def entries(name: str) -> list[Move]:
    return [parse_move(move) for move in CASES[name].moves.split()]


def page_of(name: str, **more: Any) -> PageGame:
    case = CASES[name]
    return page_game(parse_deal(case.deal), case.rules, entries(name), **more)


ANALYSIS = [
    Verdict(1, "winnable", "winnable", 57, 56, 0),
    Verdict(2, "winnable", "winnable", 56, 58, 3),
    Verdict(3, "winnable", "unwinnable", 58, None, None),
    Verdict(4, "unwinnable", "unwinnable"),
    Verdict(5, "unwinnable", "unwinnable"),
]


def games() -> list[PageGame]:
    return [
        page_of("middle", analysis=ANALYSIS),
        page_of("won", title=HOSTILE, player=HOSTILE),
        page_of("stock-open"),
    ]


class Elements(HTMLParser):
    """The elements of a page, with the text that stands directly in each."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attributes, text = self.found[-1]
            self.found[-1] = (tag, attributes, text + data)


# The helper that replays.


def test_steps_hold_the_positions_of_the_game() -> None:
    case = CASES["undone"]
    game = Game(parse_deal(case.deal), case.rules)
    page = page_of("undone")
    assert page.steps[0].position == game.position
    for entry, step in zip(entries("undone"), page.steps[1:], strict=True):
        game.apply(entry)
        assert step.position == game.position
        assert step.move == move_label(entry)
        assert step.words == move_words(entry)
        assert step.description == tuple(describe(game))


def test_a_step_has_the_verdict_after_its_entry() -> None:
    steps = page_of("middle", analysis=ANALYSIS).steps
    assert [step.left for step in steps] == [57, 56, 58, None, None, None]
    assert [step.verdict for step in steps] == ["winnable"] * 3 + ["unwinnable"] * 3
    assert [step.note for step in steps] == ["", "", "?", "??", "", ""]


def test_an_analysis_without_some_entries_still_tells_what_it_knows() -> None:
    steps = page_of("middle", analysis=ANALYSIS[1:2]).steps
    assert [step.left for step in steps] == [None, 56, 58, None, None, None]


def test_a_page_stops_at_an_entry_that_the_rules_forbid() -> None:
    case = CASES["start"]
    page = page_game(parse_deal(case.deal), case.rules, [parse_move("Kd"), parse_move("Js+2d"), parse_move("draw")])
    assert len(page.steps) == 2
    assert page.fault is not None
    assert page.fault.startswith("entry 2, J♠ + 2♦: ")


# The file.


def test_the_page_is_one_file_that_refers_to_nothing() -> None:
    page = render_html(games())
    for tag, attributes, _ in Elements(page).found:
        assert tag not in {"img", "link", "iframe", "object", "embed"}
        assert not attributes.keys() & {"src", "onload", "onerror", "onclick", "style"}
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"@import|url\(|https?://(?!www\.w3\.org/2000/svg)", page)


def test_text_of_logs_stays_text() -> None:
    page = render_html([page_of("won", title=HOSTILE, player=HOSTILE)], title=HOSTILE)
    scripts = [(attributes, text) for tag, attributes, text in Elements(page).found if tag == "script"]
    assert [attributes.get("type") for attributes, _ in scripts] == ["application/json", None]
    data = json.loads(scripts[0][1])
    assert data["games"][0]["name"] == f"{HOSTILE}, won"
    assert f"player {HOSTILE}" in data["games"][0]["about"]
    assert "<img" not in page
    assert "\x1b" not in page


def test_no_card_of_a_step_is_lost_in_the_data() -> None:
    page = Elements(render_html(games()))
    data = json.loads(next(text for tag, attributes, text in page.found if attributes.get("id") == "data"))
    for game in data["games"]:
        assert sorted(game["cards"]) == sorted(CARD_NAMES)
        for step in game["steps"]:
            assert step["pyramid"].bit_count() + step["left"].bit_count() + step["removed"] == 52


def test_a_page_without_games_is_still_a_page() -> None:
    assert "</html>" in render_html([])


# The browser.

needs_browser = pytest.mark.skipif(
    find_chromium() is None, reason="no Chromium here, so the page is not tried in a browser (apt-get install chromium)"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("page") / "games.html"
    file.write_text(render_html(games()), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_chromium()
    assert program is not None
    browser = Browser(program, Path(tmp_path_factory.mktemp("profile")))
    yield browser
    browser.close()


@pytest.fixture
def browser(chromium: Browser) -> Browser:
    chromium.prefer(color_scheme="light", reduced_motion="reduce")
    chromium.resize(1200, 900)
    return chromium


def where(browser: Browser) -> str:
    return str(browser.run("document.getElementById('where').textContent"))


@needs_browser
def test_the_page_opens_without_a_fault_and_without_the_network(browser: Browser, address: str) -> None:
    for game in (1, 2, 3):
        browser.open(f"{address}#game={game}&step=3")
        browser.press("End", "Home")
        troubles = [
            event
            for event in browser.events
            if event["method"] in {"Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening"}
        ]
        assert not troubles
        requests = [event for event in browser.events if event["method"] == "Network.requestWillBeSent"]
        assert {event["params"]["request"]["url"] for event in requests} <= {address, "about:blank"}
        assert browser.run("document.title") == "Pyramid solitaire"


WORDS = """(() => {
  const said = [document.body.innerText, document.getElementById('live').textContent];
  for (const each of document.querySelectorAll('text')) said.push(each.textContent);
  for (const each of document.querySelectorAll('*'))
    for (const name of ['title', 'aria-label', 'aria-valuetext']) said.push(each.getAttribute(name) ?? '');
  return said.join(' ');
})()"""
LABEL_ENDS = """(() => {
  const box = document.querySelector('#curve .lost-text').getBBox();
  return box.x < 0 ? Infinity : box.x + box.width;
})()"""
ENGLISH = set("move moves draw stock waste rules player game board won pass left start back forward step win".split())


@needs_browser
@pytest.mark.parametrize("language", [language for language in messages.LANGUAGES if language != "en"])
def test_nothing_on_the_page_of_another_language_is_english(browser: Browser, tmp_path: Path, language: str) -> None:
    messages.use(language)
    try:
        several = [page_of("middle", title="x", analysis=ANALYSIS), page_of("won", title="x", player="x")]
        text = render_html(several)
    finally:
        messages.use("en")
    page = tmp_path / "page.html"
    page.write_text(text, encoding="utf-8")
    for place in ("game=1&step=0", "game=1&step=3", "game=2&step=37"):
        browser.open(f"{page.as_uri()}#{place}")
        browser.run("document.querySelector('details').open = true")
        browser.wait("document.getElementById('live').textContent !== ''")
        assert set(re.findall(r"[a-z]+", browser.run(WORDS).lower())) & ENGLISH == set()
        assert browser.run("document.documentElement.lang") == language
    browser.open(f"{page.as_uri()}#game=1")
    assert browser.run(LABEL_ENDS) <= 600
    assert browser.run("document.getAnimations().length") == 0


BOARD = """(() => {
  const cards = {};
  for (const card of document.querySelectorAll('.card')) cards[card.id.slice(5)] = card.getAttribute('class').slice(5);
  const places = {};
  for (const card of document.querySelectorAll('.card')) places[card.id.slice(5)] = card.style.transform;
  const painted = [...document.querySelectorAll('.card')].map((card) => card.id.slice(5));
  const text = (name) => document.getElementById('board-' + name).textContent;
  return { cards, places, painted, score: text('score'), moves: text('moves'), stock: text('stock'),
    waste: text('waste'), removed: text('foundation'),
    back: document.getElementById('board-back').style.display !== 'none' };
})()"""


@needs_browser
@pytest.mark.parametrize(("number", "name"), [(1, "middle"), (2, "won"), (3, "stock-open")])
def test_every_step_shows_the_board_of_the_engine(browser: Browser, address: str, number: int, name: str) -> None:
    case = CASES[name]
    game = Game(parse_deal(case.deal), case.rules)
    browser.open(f"{address}#game={number}")
    for entry in [None, *entries(name)]:
        if entry is not None:
            game.apply(entry)
            browser.press("ArrowRight")
        shown = browser.run(BOARD)
        expected = dict.fromkeys(CARD_NAMES, "gone")
        expected |= {card_name(card): "covered" for card in game.pyramid_cards if card is not None}
        expected |= {card_name(card): "below" for card in game.waste[-4:-1]}
        in_play = [game.deal.pyramid[place] for place in places(game.position.pyramid)]
        in_play = [card for card in in_play if card in game.free_cards]
        if game.waste_top is not None:
            in_play.append(game.waste_top)
        if game.rules.stock_open and game.stock_top is not None:
            in_play.append(game.stock_top)
        expected |= {card_name(card): "free" for card in in_play}
        assert shown["cards"] == expected
        lying = {card: PYRAMID[place] for place, card in enumerate(game.pyramid_cards) if card is not None}
        lying |= dict(zip(reversed(game.waste[-4:]), WASTE, strict=False))
        for card, point in lying.items():
            assert shown["places"][card_name(card)] == f"translate({point.x}px, {point.y}px)"
        assert shown["painted"] == [card_name(card) for card in game.deal.cards]
        assert shown["score"] == f"score {game.score}"
        assert shown["moves"] == f"moves {game.moves}"
        assert shown["stock"] == f"stock {len(game.stock)}"
        assert shown["waste"] == f"waste {len(game.waste)}"
        assert shown["removed"] == str(game.removed)
        assert shown["back"] == bool(game.stock)


@needs_browser
def test_keys_step_through_a_game(browser: Browser, address: str) -> None:
    browser.open(f"{address}#game=1&step=2")
    assert where(browser).startswith("Move 2 of 5: 10♣ + 3♠.")
    browser.press("ArrowRight")
    assert where(browser).startswith("Move 3 of 5: draw.")
    browser.press("ArrowLeft", "ArrowLeft")
    assert where(browser).startswith("Move 1 of 5: K♦.")
    browser.press("End")
    assert where(browser).startswith("Move 5 of 5")
    browser.press("ArrowRight", "Home")
    assert where(browser).startswith("Start, 5 moves follow.")
    assert browser.run("document.querySelector('#moves [aria-current]').textContent") == "start"
    assert browser.run("document.getElementById('slider').value") == "0"


@needs_browser
def test_everything_is_reached_by_keyboard_alone(browser: Browser, address: str) -> None:
    browser.open(address)
    name = "((one) => one.closest('#moves') ? 'moves' : one.id || one.tagName)(document.activeElement)"
    reached = []
    for _ in range(8):
        browser.press("Tab")
        reached.append(browser.run(name))
    assert reached == ["chooser", "first", "back", "forward", "last", "slider", "moves", "SUMMARY"]
    browser.run("document.getElementById('forward').focus()")
    browser.press("Enter", "Enter", "Enter", "Enter", "Enter", "Enter")
    assert where(browser).startswith("Move 5 of 5")
    assert browser.run("document.activeElement.id") == "forward"
    browser.run("document.getElementById('slider').focus()")
    browser.press("ArrowLeft")
    assert where(browser).startswith("Move 4 of 5")
    browser.run("document.querySelector('#moves [aria-current]').focus()")
    browser.press("ArrowUp", "ArrowUp")
    assert where(browser).startswith("Move 2 of 5")
    assert browser.run("document.activeElement.getAttribute('aria-current')") == "step"
    browser.run("document.getElementById('chooser').focus()")
    browser.press("ArrowDown")
    assert where(browser).startswith("Start, 37 moves follow.")


@needs_browser
def test_a_screen_reader_hears_the_move_and_the_board(browser: Browser, address: str) -> None:
    browser.open(f"{address}#game=1")
    browser.press("ArrowRight")
    browser.wait("document.getElementById('live').textContent.startsWith('Move 1')")
    game = Game(parse_deal(CASES["middle"].deal), CASES["middle"].rules)
    game.push(parse_move("Kd"))
    said = browser.run("document.getElementById('live').textContent")
    assert said == " ".join(
        ["Move 1 of 5.", "Removed king of diamonds.", "Winnable, 56 moves left at best.", *describe(game)]
    )
    assert browser.run("location.hash") == "#game=1&step=1"
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    named = {"button", "slider", "combobox", "image", "list", "heading"}
    for node in nodes:
        if not node["ignored"] and node["role"]["value"] in named:
            assert node["role"]["value"] == "list" or node["name"]["value"], node


@needs_browser
@pytest.mark.parametrize(
    ("hash_", "expected"),
    [
        ("#game=2&step=1", "Move 1 of 37: 10♥ + 3♣."),
        ("#step=99999999", "Move 5 of 5"),
        ("#game=9&step=0", "Start, 6 moves follow."),
        ("#game=0&step=-3", "Start, 5 moves follow."),
        ("#game=x&step=<script>", "Start, 5 moves follow."),
    ],
)
def test_an_address_opens_a_step(browser: Browser, address: str, hash_: str, expected: str) -> None:
    browser.open(address + hash_)
    assert where(browser).startswith(expected)


@needs_browser
def test_an_analysis_is_drawn_and_its_lost_win_marked(browser: Browser, address: str) -> None:
    browser.open(f"{address}#game=1&step=3")
    assert where(browser) == "Move 3 of 5: draw. This move lost the win."
    assert browser.run("document.getElementById('summary').textContent") == (
        "The deal is winnable; the shortest win takes 57 moves. The win was lost at move 3 (draw)."
    )
    assert browser.run("document.querySelector('#curve .lost-text').textContent") == "win lost at 3"
    assert browser.run("[...document.querySelectorAll('#moves .note')].map((note) => note.textContent)") == [
        *("", "", "? +3", "?? win lost", "", "")
    ]
    browser.open(f"{address}#game=2")
    assert browser.run("document.getElementById('analysis').hidden")


@needs_browser
def test_hostile_text_is_shown_as_it_is(browser: Browser, address: str) -> None:
    browser.open(f"{address}#game=2")
    assert HOSTILE in browser.run("document.querySelector('#chooser option:checked').textContent.trim()")
    assert HOSTILE in browser.run("document.getElementById('about').textContent")
    assert browser.run("document.scripts.length") == 2
    assert browser.run("document.images.length") == 0
    assert browser.run("document.title") == "Pyramid solitaire"


@needs_browser
@pytest.mark.parametrize("width", [320, 360, 768, 1200])
def test_nothing_is_wider_than_the_screen(browser: Browser, address: str, width: int) -> None:
    browser.resize(width, 740)
    for game in (1, 2):
        browser.open(f"{address}#game={game}&step=5")
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert browser.run("document.getElementById('board').getBoundingClientRect().right") <= width


CONTRAST = """(() => {
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, two) => {
    const [dark, bright] = [light(one), light(two)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const page = style('body').backgroundColor;
  const panel = style('.panel').fill;
  return {
    page,
    text: ratio(page, style('body').color),
    quiet: ratio(page, style('#about').color),
    note: ratio(page, style('#moves .lost .note').color),
    current: ratio(style('#moves [aria-current]').backgroundColor, style('#moves [aria-current]').color),
    label: ratio(panel, style('#board .label').fill),
    frame: ratio(panel, style('#board .free .face').stroke) + 1.5,
    mark: ratio(panel, style('#board .mark').stroke) + 1.5,
  };
})()"""


@needs_browser
@pytest.mark.parametrize(("scheme", "page"), [("light", "rgb(253, 252, 249)"), ("dark", "rgb(21, 23, 27)")])
def test_text_stands_out_in_light_and_dark(browser: Browser, address: str, scheme: str, page: str) -> None:
    browser.prefer(color_scheme=scheme, reduced_motion="reduce")
    browser.open(f"{address}#game=1&step=1")
    ratios = browser.run(CONTRAST)
    assert ratios.pop("page") == page
    # WCAG 2 wants 4.5 for text and 3 for frames.
    assert min(ratios.values()) >= 4.5, ratios


@needs_browser
def test_cards_move_only_for_those_who_want_motion(browser: Browser, address: str) -> None:
    duration = "getComputedStyle(document.querySelector('.card')).transitionDuration"
    browser.open(address)
    assert browser.run(duration) == "0s"
    browser.prefer(reduced_motion="no-preference")
    assert browser.run(duration) != "0s"
