"""How automatic players play."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.hints import mutual_pairs, tip, unevenness
from pyramide_cli.moves import DRAW, Move, move_name, parse_move
from pyramide_cli.players import PLAYERS, Patience, PlayerError, find_player, greedy, play_out, seeded_id
from pyramide_cli.pyramid import FULL
from pyramide_cli.records import EndRecord, MoveRecord, encode
from pyramide_cli.rules import RULES
from pyramide_cli.solver import solve

QUICK = ["first", "random", "greedy", "tips"]
"""The players that need no solver."""


def lines(number: int, player: str, rules: str = "pyramide", seed: int | None = 1) -> list[bytes]:
    return [encode(record) for record in play_out(Deal.from_number(number), RULES[rules], player, seed=seed)]


@pytest.mark.parametrize("player", QUICK)
def test_a_seed_gives_the_same_bytes(player: str) -> None:
    assert lines(5, player) == lines(5, player)
    assert lines(5, player)[0] != lines(5, player, seed=2)[0]
    assert not any(key in line for line in lines(5, player) for key in (b'"at"', b'"t"'))


def test_without_a_seed_games_have_times_and_ids_of_their_own() -> None:
    one, two = lines(5, "greedy", seed=None), lines(5, "greedy", seed=None)
    assert one[0] != two[0]
    assert b'"at":"' in one[0]
    assert b'"t":' in one[1]


def test_seeded_ids_depend_on_all_that_tells_games_apart() -> None:
    deal, rules = Deal.from_number(1), RULES["easy"]
    ids = {
        seeded_id("first", 1, deal, rules),
        seeded_id("greedy", 1, deal, rules),
        seeded_id("first", 2, deal, rules),
        seeded_id("first", 1, Deal.from_number(2), rules),
        seeded_id("first", 1, deal, RULES["par"]),
        seeded_id("first", 1, deal, rules, 1),
    }
    assert len(ids) == 6
    # Logs that were written once keep their ids for ever.
    assert seeded_id("first", 1, deal, rules) == "first-7553b5c1c86af5d6"


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("player", QUICK)
def test_games_end(player: str, rules: str) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(20):
        *_moves, end = play_out(Deal.from_number(number), RULES[rules], player, seed=number)
        assert isinstance(end, EndRecord)
        outcomes[end.outcome] += 1
    assert not outcomes["open"]
    if RULES[rules].passes == 1:
        assert not outcomes["given-up"]


@pytest.mark.parametrize("player", ["first", "greedy", "tips"])
def test_a_player_gives_up_after_one_pass_without_a_removal(player: str) -> None:
    for number in range(40):
        records = list(play_out(Deal.from_number(number), player=player, seed=1))
        end = records[-1]
        if not isinstance(end, EndRecord) or end.outcome != "given-up":
            continue
        moves = [record.move for record in records if isinstance(record, MoveRecord)]
        last = max(index for index, move in enumerate(moves) if move not in ("draw", "recycle"))
        game = Game(Deal.from_number(number))
        for move in moves[: last + 1]:
            game.push(parse_move(move))
        left = game.position.stock.bit_count()
        assert moves[last + 1 :].count("draw") == left
        assert moves[last + 1 :].count("recycle") <= 1


def test_patience_lets_the_last_card_be_used() -> None:
    game = Game(Deal.from_number(18), RULES["relaxed"])
    patience = Patience(game)
    while game.stock:
        assert not patience.is_exhausted
        game.push(DRAW)
        patience.note(DRAW)
    removals = [move for move in game.legal_moves() if move.cards]
    assert patience.is_exhausted == (not removals)


def test_greedy_takes_kings_first_then_pairs_inside() -> None:
    game = Game(Deal.from_code("PY1-N-AAAAAAS"))
    move = greedy(game)
    assert move is not None
    assert move_name(move) == "Kd"
    game.push(move)
    inside = greedy(game)
    assert inside is not None
    assert set(inside.cards) <= set(game.deal.pyramid)


def test_random_plays_every_legal_move_sometimes() -> None:
    game = Game(Deal.from_number(0))
    choose = PLAYERS["random"](Random(1))
    seen = {choose(game) for _ in range(300)}
    assert seen == set(game.legal_moves())


def test_unknown_players_are_refused_with_the_names() -> None:
    with pytest.raises(PlayerError, match=r"no player is called 'nobody'; known are first, random, greedy"):
        find_player("nobody")


def test_a_win_rate_that_others_can_compare() -> None:
    wins: Counter[str] = Counter()
    for player in ("first", "greedy", "tips"):
        for number in range(300):
            *_moves, end = play_out(Deal.from_number(number), player=player, seed=1)
            wins[player] += isinstance(end, EndRecord) and end.outcome == "won"
    assert wins["first"] < wins["greedy"]
    assert wins["first"] < wins["tips"]


def test_the_solver_wins_what_can_be_won_in_the_fewest_moves() -> None:
    rules = RULES["relaxed"].replace(scoring="pyramide")
    wins = 0
    for number in (1, 2, 6, 9, 18, 29):
        *_moves, end = play_out(Deal.from_number(number), rules, "solver", seed=1)
        solution = solve(Deal.from_number(number), rules)
        assert isinstance(end, EndRecord)
        if solution.verdict == "winnable":
            wins += 1
            assert (end.outcome, end.moves) == ("won", solution.length)
        else:
            most = solve(Deal.from_number(number), rules, find="most")
            assert (end.outcome in ("given-up", "lost"), end.score) == (True, most.score)
    assert wins


def test_unevenness_counts_half_cards_from_the_middle() -> None:
    assert unevenness(FULL) == 0
    assert unevenness(FULL & ~(1 << 21)) == 6
    assert unevenness(FULL & ~(1 << 21 | 1 << 27)) == 0
    assert unevenness(FULL & ~(1 << 22 | 1 << 24)) == 4


def test_tips_name_their_rule() -> None:
    game = Game(Deal.from_code("PY1-N-AAAAAAS"))
    found = tip(game)
    assert found is not None
    assert (move_name(found.move), found.reason) == ("Kd", "king")
    reasons: Counter[str] = Counter()
    for number in range(60):
        game = Game(Deal.from_number(number))
        for _ in range(60):
            found = tip(game)
            if found is None:
                break
            reasons[found.reason] += 1
            if found.reason in ("draw", "recycle"):
                assert not any(move.cards for move in game.legal_moves())
            game.push(found.move)
    assert set(reasons) >= {"king", "frees", "inside", "even", "only", "draw", "recycle"}


def test_cards_that_have_only_each_other_left() -> None:
    game = Game(Deal.from_number(3))
    assert list(mutual_pairs(game)) == []
    found = 0
    for number in range(80):
        game = Game(Deal.from_number(number))
        while (move := greedy(game)) is not None and not game.is_over and game.moves < 80:
            game.push(move)
            for first, second in mutual_pairs(game):
                found += 1
                cards = game.deal.pyramid[first], game.deal.pyramid[second]
                left = [card for card in game.pyramid_cards if card is not None] + [*game.waste, *game.stock]
                for card, other in (cards, cards[::-1]):
                    assert [mate for mate in left if (mate >> 2) + (card >> 2) == 11] == [other]
    assert found


def test_a_tip_knows_no_face_down_card() -> None:
    """The same tip comes whatever the order of the cards that nobody has seen."""
    rng = Random(7)
    for number in range(30):
        deal = Deal.from_number(number)
        game = Game(deal, RULES["microsoft"])
        history: list[Move] = []
        for _ in range(25):
            found = tip(game)
            if found is None:
                break
            unseen = list(deal.cards[28 + game.position.drawn + 1 :])
            if game.position.pass_number == 1:
                rng.shuffle(unseen)
                other_deal = Deal((*deal.cards[: 28 + game.position.drawn + 1], *unseen))
                other = Game(other_deal, RULES["microsoft"])
                for move in history:
                    other.push(move)
                assert tip(other) == found
            history.append(found.move)
            game.push(found.move)
