"""Every preset played by typed lines to its win, its loss and its undo."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pyramide_cli.deals import Deal, parse_deal
from pyramide_cli.game import Game
from pyramide_cli.moves import parse_move
from pyramide_cli.players import PLAYERS
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.solver import solve
from tests.calling import Call

WINNABLE = {"classic": "64", "par": "0"}
"""Deals that the solver wins under rules that no player wins under."""


def whole_game(rules: str, wanted: str) -> tuple[str, list[str]]:
    """Return a deal and moves that end a game under rules in the wanted way."""

    for number in range(300):
        for player in ("first", "greedy", "tips", "random"):
            game = Game(Deal.from_number(number), RULES[rules])
            moves: list[str] = []
            choose = PLAYERS[player](Random(number))
            while not game.is_over and len(moves) < 150:
                move = choose(game)
                assert move is not None
                game.push(move)
                moves.append(str(move))
            if game.outcome == wanted:
                return str(number), moves
    raise AssertionError(f"no game of the first 300 deals is {wanted} under {rules}")


def stuck_game(rules: Rules) -> tuple[str, list[str]]:
    """Return a deal, and moves that use up all but the apex and the one partner of it, which covers it."""
    pairs = [(low + suit, high + suit) for low, high in zip("23456", "JT987", strict=True) for suit in "cdhs"]
    pairs += [("A" + suit, "Q" + suit) for suit in "dhs"]
    inside = [low for low, _high in pairs] + ["Kd", "Kh", "Ks"]
    stock = [high for _low, high in reversed(pairs)] + ["Kc"]
    moves = ["Kd", "Kh", "Ks"]
    for number, card in enumerate(stock):
        moves += ["draw"] if number or not rules.deal_waste else []
        moves += [card if card == "Kc" else f"{card}+{inside[len(pairs) - 1 - number]}"]
    return " ".join(["Ac", "Qc", *inside, *stock]), moves


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("wanted", ["won", "over"])
def test_each_preset_is_played_to_its_win_its_loss_and_its_undo(call: Call, rules: str, wanted: str) -> None:
    outcome = wanted if wanted == "won" else "stuck" if RULES[rules].passes is None else "lost"
    if wanted == "won" and rules in WINNABLE:
        deal = WINNABLE[rules]
        line = solve(Deal.from_number(int(deal)), RULES[rules], find="any").line
        assert line is not None
        moves = [str(move) for move in line]
    elif outcome == "stuck":
        deal, moves = stuck_game(RULES[rules])
    else:
        deal, moves = whole_game(rules, outcome)
    played = call("play", deal, "--rules", rules, text="\n".join(moves))
    assert played.records[-1]["outcome"] == outcome
    assert call("replay", text=played.out).records[0]["fault"] is None
    undone = call("play", deal, "--rules", rules, text="\n".join([*moves, "u"]))
    before = Game(parse_deal(deal), RULES[rules])
    for move in moves[:-1]:
        before.push(parse_move(move))
    last: dict[str, Any] = undone.records[-1]
    assert (last["move"], last["score"]) == ("undo", before.score)
    assert last["moves"] == len(moves) + RULES[rules].undo_counts
