"""What moves were worth, held against the plain search move by move."""

from __future__ import annotations

import json
import random

import pytest

from pyramide_cli.analysis import GameAnalysis, analyze
from pyramide_cli.cli.replay.wording import summary
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.moves import UNDO, Move, parse_move
from pyramide_cli.players import play_out
from pyramide_cli.records import MoveRecord, encode
from pyramide_cli.rules import RULES
from tests.calling import Call
from tests.positions import game_of, late_position, random_axes, text_of
from tests.reference import Whole


def entries_of(number: int, player: str = "greedy", rules: str = "pyramide") -> list[Move]:
    records = play_out(Deal.from_number(number), RULES[rules], player, seed=1)
    return [parse_move(record.move) for record in records if isinstance(record, MoveRecord)]


@pytest.mark.parametrize("seed", range(25))
def test_analysis_agrees_with_an_independent_search_move_by_move(seed: int) -> None:
    rng = random.Random(seed)
    late = late_position(rng, random_axes(rng), limit=1_500)
    table = late.table
    path = [late.position]
    entries: list[Move] = []
    while (moves := table.moves(path[-1])) and len(path) < 12:
        if len(path) > 1 and rng.random() < 0.2:
            path.append(path[-2])
            entries.append(UNDO)
            break
        move = rng.choice(moves)
        path.append(table.after(path[-1], move))
        entries.append(parse_move(text_of(move)))
    wholes = [table.search(position) for position in path]
    assert all(isinstance(whole, Whole) for whole in wholes)
    left = [whole.shortest for whole in wholes if whole is not None]
    for lengths in (True, False):
        analysis = analyze(game_of(late), entries, lengths=lengths)
        assert len(analysis.moves) == len(entries)
        for n, rated in enumerate(analysis.moves, 1):
            before, after = left[n - 1], left[n]
            assert (rated.n, rated.move) == (n, entries[n - 1])
            assert rated.before == ("unwinnable" if before is None else "winnable")
            assert rated.after == ("unwinnable" if after is None else "winnable")
            assert (rated.left_before, rated.left_after) == ((before, after) if lengths else (None, None))
            if lengths and before is not None and after is not None and rated.move != UNDO:
                assert rated.cost == after + 1 - before
                assert rated.cost >= 0
            else:
                assert rated.cost is None
        assert analysis.shortest == (left[0] if lengths else None)
        whole = wholes[-1]
        assert whole is not None
        if table.axes.goal == "pyramid":
            gone = 28 - len(path[-1].pyramid)
            assert analysis.clearable == whole.most[0] - gone


def analysis_of(number: int, *more: Move) -> GameAnalysis:
    return analyze(Game(Deal.from_number(number)), [*entries_of(number), *more])


def test_the_move_that_lost_the_win_is_named() -> None:
    analysis = analysis_of(2)
    assert (analysis.verdict, analysis.shortest, analysis.lost_at, analysis.won) == ("winnable", 46, 24, False)
    assert [move.mark for move in analysis.moves if move.mark] == ["?", "??"]
    assert analysis.moves[23].loses
    assert analysis.efficiency is None
    assert analysis.wasted == 1


@pytest.mark.parametrize(
    ("shortest", "played", "percent"), [(60, 60, "100.00 %"), (200, 201, "99.50 %"), (99_999, 100_000, "99.99 %")]
)
def test_an_efficiency_is_never_rounded_up_to_all(shortest: int, played: int, percent: str) -> None:
    analysis = GameAnalysis((), "winnable", shortest, None, 0, played, won=True, clearable=None)
    assert f"Efficiency: {shortest} / {played} = {percent}." in summary(analysis)


def test_a_won_game_has_an_efficiency() -> None:
    analysis = analysis_of(0)
    assert analysis.won
    assert analysis.lost_at is None
    assert (analysis.shortest, analysis.played, analysis.wasted) == (60, 62, 2)
    assert analysis.efficiency == pytest.approx(60 / 62)


def test_a_loss_that_was_undone_is_no_loss() -> None:
    entries = entries_of(2)[:24]
    analysis = analyze(Game(Deal.from_number(2)), [*entries, UNDO])
    assert analysis.moves[23].loses
    assert analysis.lost_at is None
    assert (analysis.moves[24].before, analysis.moves[24].after) == ("unwinnable", "winnable")
    assert analysis.moves[24].cost is None


def test_where_the_solver_may_store_too_little_nothing_is_claimed() -> None:
    analysis = analyze(Game(Deal.from_number(2), RULES["classic"]), entries_of(2, "first", "classic")[:3], max_states=1)
    assert {move.after for move in analysis.moves} <= {"undecided", "unwinnable"}


# The command.


def log_of(number: int) -> bytes:
    return b"".join(encode(record) for record in play_out(Deal.from_number(number), player="greedy", seed=1))


def test_a_record_for_each_move_and_a_summary(call: Call) -> None:
    done = call("replay", "--analyze", text=log_of(2))
    assert done.code == 0
    *moves, game = done.records
    assert {record["type"] for record in moves} == {"analysis"}
    assert [record["n"] for record in moves] == list(range(1, len(moves) + 1))
    assert moves[23] | {"game": ""} == {
        "type": "analysis",
        "v": 1,
        "game": "",
        "n": 24,
        "move": moves[23]["move"],
        "before": "winnable",
        "after": "unwinnable",
        "left_before": 24,
        "left_after": None,
        "cost": None,
    }
    assert game["type"] == "game"
    assert game["analysis"] == {
        "verdict": "winnable",
        "shortest": 46,
        "lost_at": 24,
        "wasted": 1,
        "efficiency": None,
        "clearable": 0,
    }
    assert json.loads(call("stats", "--format", "json", text=done.out).out)["total"]["games"] == 1


def test_the_list_is_marked_as_annotators_do(call: Call) -> None:
    text = call("replay", "--analyze", "--format", "text", text=log_of(2)).out.decode()
    assert "    8. K♥ ?           39 left, 1 wasted\n" in text
    assert "   24. 8♥ + 5♥ ??     gives the win away, which was 24 moves away\n" in text
    won = call("replay", "--analyze", "--format", "text", text=log_of(0)).out.decode()
    assert "\n   62. J♦ + 2♥        won\n" in won
    assert "The deal is winnable; the shortest win takes 46 moves.\n  Entry 24 gave the win away.\n" in text
    assert "  Efficiency: 60 / 62 = 96.77 %.\n" in won
    quick = call("replay", "--analyze", "--no-lengths", "--format", "text", text=log_of(2)).out.decode()
    assert "   24. 8♥ + 5♥ ??     gives the win away\n" in quick
    assert "wasted" not in quick


def test_sentences_say_what_the_marks_mean(call: Call) -> None:
    text = call("replay", "--analyze", "--plain", "--format", "text", text=log_of(2)).out.decode().replace("\n  ", " ")
    assert "\nMove 7, draw: the win is 39 moves away.\n" in text
    assert "\nMove 8, king of hearts: it wasted 1 move; the win is 39 moves away.\n" in text
    assert (
        "\nMove 24, 8 of hearts and 5 of hearts: a mistake, it gave away a win that was 24 moves away.\nMove 25, "
    ) in text
    assert "  " not in text
    assert "?" not in text
    french = call("replay", "--analyze", "--plain", "--lang", "fr", "--format", "text", text=log_of(2)).out.decode()
    assert "\nCoup 8, roi de cœur : 1 coup perdu ; la victoire est à 39 coups.\n" in french
    quick = call("replay", "--analyze", "--no-lengths", "--plain", "--format", "text", text=log_of(2)).out.decode()
    assert "Move 8, king of hearts: a win is left.\n" in quick
    assert "Move 24, 8 of hearts and 5 of hearts: a mistake, it gave the win away.\n" in quick


@pytest.mark.parametrize("arguments", [["--format", "jsonl"], ["--format", "text"], ["--format", "html"]])
def test_games_analysed_side_by_side_keep_their_order(call: Call, arguments: list[str]) -> None:
    spoiled = log_of(3).replace(b'"n":5,', b'"n":6,', 1)
    text = b"".join([log_of(2), spoiled, b"nonsense\n", log_of(5), log_of(0)[:-400], call("solve", "7").out])
    one, many = (call("replay", "--analyze", "--jobs", jobs, *arguments, text=text) for jobs in ("1", "5"))
    assert one.code == many.code == 3
    assert many.out == one.out
    assert many.err == one.err
    assert "<stdin>:" in one.err


def test_a_page_takes_the_analysis_in(call: Call) -> None:
    page = call("replay", "--analyze", "--format", "html", text=log_of(2)).out.decode()
    assert '"movesLeft":39' in page
    assert '"note":"??"' in page


def test_solutions_can_be_analysed(call: Call) -> None:
    solved = call("solve", "2")
    *moves, game = call("replay", "--analyze", text=solved.out).records
    assert {record["cost"] for record in moves} == {0}
    assert game["analysis"]["efficiency"] == 1


def test_a_game_without_cards_gets_its_record_all_the_same(call: Call) -> None:
    done = call("replay", "--analyze", text=log_of(2).replace(b'"cards":"', b'"cards":"x '))
    assert done.code == 3
    assert [record["type"] for record in done.records] == ["game"]


@pytest.mark.parametrize("arguments", [["--at", "1"], ["--step"]])
def test_bad_usage(call: Call, arguments: list[str]) -> None:
    assert call("replay", "--analyze", *arguments, text=log_of(2)).code == 2
