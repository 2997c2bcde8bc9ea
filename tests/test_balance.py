"""The verdicts for unlimited passes, in pure Python and as a kernel, against the plain search and public figures."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from pyramide_cli.deals import Deal, deal_many, parse_deal, random_numbers
from pyramide_cli.game import Game
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.solver import balance, verdicts
from tests.positions import built_game, game_of, late_position, random_axes
from tests.reference import Axes

PYRAMIDE = RULES["pyramide"]
KINDS = {
    f"{goal}{' cover_pair' if cover else ''}": RULES["pyramid-solitaire"].replace(goal=goal, cover_pair=cover)
    for goal in ("pyramid", "all")
    for cover in (False, True)
}
APEX_OVER_ITS_PARTNERS = (
    "6D TC 8D AC 7C 3H 8H 2H 8S 2D 4H 7S QC 2S 7D 3D 9H 5H JC JD 7H KH JS TS 6S 9C TD AH KS 6H 9S 8C 3C AS 5S 4C AD "
    "KC 4S QH 4D QS TH JH 6C KD 2C QD 5D 9D 3S 5C"
)


def decks(count: int, seed: int) -> NDArray[np.uint8]:
    """Return random deals, one a row."""
    return deal_many(np.fromiter(islice(random_numbers(seed), count), np.uint64, count))


def deal_of(deck: NDArray[np.uint8]) -> Deal:
    return Deal.from_cards(deck.tolist())


def compare_late(rng: random.Random, count: int, largest: int) -> dict[str, int]:
    """Compare with the plain search on late positions; return how often each case came up."""
    seen = {"winnable": 0, "unwinnable": 0, "refuted": 0, "allowed": 0}
    for _ in range(count):
        axes = random_axes(rng)
        if rng.random() < 0.8:
            axes = axes._replace(passes=None)
        late = late_position(rng, axes, largest)
        whole = late.table.search(late.position, largest)
        assert whole is not None
        game = game_of(late)
        rules, position = game.rules, game.position
        possible = balance.can_be_won(game.deal, rules, position)
        one = verdicts.can_be_won_at(
            np.array(game.deal.cards, np.uint8), np.array([position.pyramid]), np.array([position.stock]), rules
        )
        assert one.tolist() == [possible]
        cleared = balance.most_cleared(game.deal, rules, position)
        if rules.goal == "pyramid":
            assert cleared >= whole.most[0]
        if balance.decides(rules):
            assert possible == (whole.shortest is not None)
            line = balance.winning_line(game.deal, rules, position)
            assert (line is not None) == possible
            if line is not None:
                assert whole.shortest is not None
                assert len(line) >= whole.shortest
                for move in line:
                    game.push(move)
                assert game.outcome == "won"
            if rules.goal == "pyramid":
                assert cleared == whole.most[0]
            seen["winnable" if possible else "unwinnable"] += 1
        else:
            assert possible or whole.shortest is None
            seen["allowed" if possible else "refuted"] += 1
    return seen


def test_late_positions_agree_with_the_plain_search() -> None:
    seen = compare_late(random.Random("balance"), 120, 300)
    assert min(seen.values()) >= 8, seen


@pytest.mark.slow
def test_many_late_positions_agree_with_the_plain_search() -> None:
    seen = compare_late(random.Random("balance, full"), 500, 4000)
    assert min(seen.values()) >= 40, seen


@pytest.mark.parametrize("kind", KINDS)
def test_kernel_and_pure_python_agree(kind: str) -> None:
    rules = KINDS[kind]
    many = decks(3000, 1)
    by_kernel = verdicts.can_be_won_many(many, rules)
    assert 0 < by_kernel.sum() < len(many)
    assert [balance.can_be_won(deal_of(deck), rules) for deck in many] == by_kernel.tolist()
    most = verdicts.most_cleared_many(many[:300], rules)
    assert [balance.most_cleared(deal_of(deck), rules) for deck in many[:300]] == most.tolist()
    if rules.goal == "pyramid":
        assert ((most == 28) == by_kernel[:300]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_kernel_and_pure_python_agree_in_the_middle_of_a_game(kind: str) -> None:
    rules, rng = KINDS[kind], random.Random(kind)
    found = set()
    for deck in decks(60, 2):
        game, line = Game(deal_of(deck), rules), []
        for _ in range(80):
            line.append(game.position)
            moves = game.legal_moves()
            if not moves:
                break
            game.push(rng.choice([move for move in moves if move.is_removal] or moves))
        pyramids = np.array([position.pyramid for position in line], np.int64)
        stocks = np.array([position.stock for position in line], np.int64)
        by_kernel = verdicts.can_be_won_at(deck, pyramids, stocks, rules).tolist()
        assert [balance.can_be_won(game.deal, rules, position) for position in line] == by_kernel
        # A win that is gone does not come back.
        assert by_kernel == sorted(by_kernel, reverse=True)
        found |= set(by_kernel)
    assert found == {True, False}


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        *zip(KINDS.values(), (20_178, 23_914, 1_173, 1_149), strict=True),
        (PYRAMIDE, 19_910),
        (PYRAMIDE.replace(stock_open=True), 16_359),
        (PYRAMIDE.replace(drawn_pair=True, cover_pair=True), 23_586),
        (PYRAMIDE.replace(goal="all"), 1_156),
    ],
    ids=str,
)
def test_winning_lines_win(rules: Rules, moves: int) -> None:
    """With no more moves together than they had."""
    assert balance.decides(rules)
    lengths = []
    for deck in decks(400, 3):
        deal = deal_of(deck)
        line = balance.winning_line(deal, rules)
        assert (line is not None) == balance.can_be_won(deal, rules)
        if line is None:
            continue
        game = Game(deal, rules)
        for move in line:
            assert game.outcome is None
            game.push(move)
        assert game.outcome == "won"
        lengths.append(len(line))
    assert len(lengths) > 10
    assert sum(lengths) <= moves


def test_winning_lines_win_deals_that_were_made_for_it() -> None:
    """Under goal `all` few others can be won, and kings may be left in the stock when all else has gone."""
    rng = random.Random("made")
    for _ in range(60):
        table, _ = built_game(rng, Axes(goal="all"))
        game = Game(Deal.from_cards(" ".join(table.cards)), PYRAMIDE.replace(goal="all"))
        line = balance.winning_line(game.deal, game.rules)
        assert line is not None
        for move in line:
            assert game.outcome is None
            game.push(move)
        assert game.outcome == "won"


def check_rate(rate: float, published: float, count: int) -> None:
    """Allow three standard errors of the published rate."""
    assert abs(rate - published) < 3 * (published * (1 - published) / count) ** 0.5


def test_rate_of_winnable_deals_is_the_published_one() -> None:
    """66,865,010 of 100,000,000 deals (solitairewinrates.com, 2022)."""
    check_rate(verdicts.can_be_won_many(decks(300_000, 4)).mean(), 0.66865010, 300_000)


@pytest.mark.slow
def test_rate_of_winnable_deals_is_the_published_one_in_a_million() -> None:
    check_rate(verdicts.can_be_won_many(decks(1_000_000, 5)).mean(), 0.66865010, 1_000_000)


def test_known_deals() -> None:
    apex = parse_deal(APEX_OVER_ITS_PARTNERS)
    for rules in RULES.values():
        assert not balance.can_be_won(apex, rules)
    in_order = Deal.from_cards(" ".join(rank + suit for suit in "cdhs" for rank in "A23456789TJQK"))
    assert all(balance.can_be_won(in_order, rules) for rules in RULES.values())
    assert balance.most_cleared(Deal.from_code("PY1-N-AAAAAAJ"), PYRAMIDE) == 14


def test_without_cover_pair_an_apex_over_all_its_partners_stays() -> None:
    """Its four partners lie over it, so it could only go with a cover."""
    rng = random.Random("apex")
    won = {True: 0, False: 0}
    for _ in range(200):
        apex = rng.randrange(48)
        partners = [card for card in range(52) if card // 4 == 11 - apex // 4]
        others = rng.sample([card for card in range(52) if card != apex and card not in partners], 47)
        at = {0: apex, **dict(zip([rng.choice((1, 2)), *rng.sample(range(3, 28), 3)], partners, strict=True))}
        deal = Deal.from_cards([at[place] if place in at else others.pop() for place in range(52)])
        for cover in won:
            won[cover] += balance.can_be_won(deal, PYRAMIDE.replace(cover_pair=cover))
    assert won[False] == 0
    assert won[True] > 10


def test_pure_python_needs_no_numpy() -> None:
    """The verdict and a line for unlimited passes, and a quick "unwinnable" under all rules."""
    code = (
        "import sys\n"
        "from pyramide_cli import RULES, Deal, Game, parse_deal, solve\n"
        "from pyramide_cli.solver import is_winnable\n"
        "deal = Deal.from_code('PY1-N-AAAAAAS')\n"
        "assert solve(deal, find='any').verdict == 'winnable' and is_winnable(Game(deal))\n"
        f"hopeless = parse_deal('{APEX_OVER_ITS_PARTNERS}')\n"
        "for rules in RULES.values():\n"
        "    for find in ('any', 'shortest'):\n"
        "        assert solve(hopeless, rules, find=find).verdict == 'unwinnable'\n"
        "    assert is_winnable(Game(hopeless, rules)) is False\n"
        "sys.exit(bool({'numpy', 'numba'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_kernel_gives_the_same_answers_uncompiled() -> None:
    code = (
        "import numpy as np\n"
        "from pyramide_cli.deals import deal_many\n"
        "from pyramide_cli.rules import RULES\n"
        "from pyramide_cli.solver import verdicts\n"
        "decks = deal_many(np.arange(150, dtype=np.uint64))\n"
        "for goal in ('pyramid', 'all'):\n"
        "    for cover in (False, True):\n"
        "        rules = RULES['pyramide'].replace(goal=goal, cover_pair=cover)\n"
        "        print(verdicts.can_be_won_many(decks, rules).tolist())\n"
        "        print(verdicts.most_cleared_many(decks[:3], rules).tolist())\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert "True" in outputs[0]
