"""Playing by typed lines without a terminal: what can be typed, and what is answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyramide_cli.rules import RULES
from tests.calling import Call, Called

CODE = "PY1-N-AAAAAAS"


def entries(called: Called) -> list[str]:
    return [record["move"] for record in called.records if record["type"] == "move"]


def test_words_become_a_log_on_stdout(call: Call) -> None:
    played = call("play", CODE, "--moves", "Kd, 10c 3s, draw; undo")
    assert played.code == 0
    assert entries(played) == ["Kd", "Tc+3s", "draw", "undo"]
    assert [record["type"] for record in played.records] == ["deal", *["move"] * 4]
    assert played.records[0]["code"] == CODE
    assert played.records[0]["player"] == "me"
    [game] = call("replay", text=played.out).records
    assert (game["fault"], game["outcome"], game["score"], game["moves"]) == (None, "open", 30, 3)


@pytest.mark.parametrize("option", [[], ["--moves", "-"]])
def test_stdin_is_read_line_by_line(call: Call, option: list[str]) -> None:
    played = call("play", CODE, *option, text="Kd\n\n10♣\n3♠\r\nd\nquit\nd\n")
    assert played.code == 0
    assert entries(played) == ["Kd", "Tc+3s", "draw"]
    assert played.records[-1] | {"game": "", "t": 0} == {
        "type": "end",
        "v": 1,
        "game": "",
        "outcome": "given-up",
        "score": 30,
        "moves": 3,
        "undos": 0,
        "t": 0,
    }


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("k", ["Kd"]),
        ("K♦", ["Kd"]),
        ("KD", ["Kd"]),
        ("10c 3s", ["Tc+3s"]),
        ("3s,10c", ["3s+Tc"]),
        ("tc+3s", ["Tc+3s"]),
        ("10♣ + 3♠", ["Tc+3s"]),
        ("Tc & 3s", ["Tc+3s"]),
        ("10c\n3s", ["Tc+3s"]),
        ("10 3s", ["Tc+3s"]),
        ("10c 10c 10c 3s", ["Tc+3s"]),
        ("7c\n10c 3s", ["Tc+3s"]),
        ("10c\nKd\n3s", ["Kd", "Tc+3s"]),
        ("D d DRAW Draw", ["draw"] * 4),
        ("d u", ["draw", "undo"]),
        ("k 10c 3s 3h 10s", ["Kd", "Tc+3s", "3h+Ts"]),
    ],
)
def test_ways_to_type(call: Call, typed: str, moves: list[str]) -> None:
    played = call("play", CODE, text=typed)
    assert (played.code, entries(played)) == (0, moves), played.err


@pytest.mark.parametrize(
    ("typed", "moves", "message"),
    [
        ("Jd", [], "<stdin>:1: J♦ is blocked by another card."),
        ("10c 4h", [], "<stdin>:1: word 2, “4h”: The sum must be 13."),
        ("10c\n4h\n", [], "<stdin>:2: The sum must be 13."),
        ("10c+4h", [], "<stdin>:1: The sum must be 13."),
        ("k k", ["Kd"], "<stdin>:1: word 2, “k”: No k is free."),
        ("Kd Kd", ["Kd"], "<stdin>:1: word 2, “Kd”: K♦ has been removed already."),
        ("8h", [], "<stdin>:1: 8♥ is out of reach"),
        ("r", [], "<stdin>:1: You can recycle only when the stock is empty."),
        ("u", [], "<stdin>:1: There is nothing to undo."),
        ("fish", [], "<stdin>:1: “fish” is no card and no command"),
        (
            "d fish",
            [],
            "<stdin>:1: word 2: “fish” is no card and no command; “help” tells what you can type. Nothing on",
        ),
        ("d new 5 d fish d", [], "<stdin>:1: word 5: “fish” is no card"),
        ("7", [], "<stdin>:1: Which one: 7♣, 7♠, 7♦?"),
        ("new fish", [], "<stdin>:1: 'fish' is not a deal code"),
        ("10c 3s 3s\nd", ["Tc+3s", "draw"], "<stdin>:1: word 3, “3s”: 3♠ has been removed already."),
        ("d u u, d;d", ["draw", "undo"], "word 3, “u”: There is nothing to undo. The rest of the line was not played."),
        ("d, 10c + 4h d", ["draw"], "<stdin>:1: word 2, “10c+4h”: The sum must be 13. The rest of the line was not"),
        ("new 5, Kd, d", [], "<stdin>:1: word 3, “Kd”: K♦ is"),
        ("Jd d\nd", ["draw"], "<stdin>:1: word 1, “Jd”: J♦ is blocked by another card. The rest of the line was not"),
        ("a\x1b[31mb", [], "<stdin>:1: “a�[31mb” is no card"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_place(call: Call, typed: str, moves: list[str], message: str) -> None:
    played = call("play", CODE, text=typed)
    assert played.code == 3
    assert entries(played) == moves
    assert message in played.err
    assert played.err.count("<stdin>") == 1


def test_under_strict_a_script_stops_at_the_first_bad_line(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    played = call("play", CODE, "--strict", "--log", log, text="Kd\nd fish\n10c 3s\nquit\n")
    assert played.code == 3
    assert "<stdin>:2: word 2: “fish” is no card" in played.err
    (game,) = call("replay", log).records
    assert (game["outcome"], game["moves"]) == ("open", 1)


def test_a_card_that_does_not_fit_stays_selected(call: Call) -> None:
    played = call("play", CODE, text="4h\n10c\n3s\n")
    assert played.code == 3
    assert entries(played) == ["Tc+3s"]


def test_covered_cards_are_reported_but_not_explained_without_error_help(call: Call) -> None:
    played = call("play", CODE, "--no-error-help", text="Jd\nKd Jd d\n10c+4h\n")
    assert played.code == 3
    assert entries(played) == ["Kd"]
    assert played.err.splitlines() == [
        "<stdin>:1: “Jd” cannot be played.",
        "<stdin>:2: word 2: “Jd” cannot be played. The rest of the line was not played.",
        "<stdin>:3: The sum must be 13.",
    ]


def test_plain_answers_have_no_symbols_and_tell_every_move(call: Call, tmp_path: Path) -> None:
    moves = "hint\nKd; 10c 3s; d d d; best\n7\nJd d\n4h\n3h 10s show"
    drawn = call("play", CODE, "--log", tmp_path / "drawn", "--moves", moves)
    played = call("play", CODE, "--plain", "--log", tmp_path / "plain", "--moves", moves)
    said = played.out.decode() + played.err
    assert set("♣♦♥♠+|[]") & set(drawn.out.decode())
    assert not set("♣♦♥♠+|[]") & set(said)
    assert "\nTip: king of diamonds (a free king goes at once).\n" in said
    assert (
        "\nRemoved king of diamonds.\nRemoved 10 of clubs and 3 of spades.\nDrew 3 cards.\nStock: 20 cards.\n" in said
    )
    assert "\nBest: " in said
    assert "--moves:3: Which one: 7 of clubs, 7 of spades?\n" in said
    assert "--moves:4: word 1, “Jd”: jack of diamonds is blocked by another card. The rest" in said
    assert "\n4 of hearts is selected.\n" in said
    assert "\nRemoved 3 of hearts and 10 of spades.\n" in said


def test_answers_go_to_stderr(call: Call) -> None:
    played = call("play", CODE, text="hint\nhelp\nshow\nlog\nw\nKd\nbest\n")
    assert played.code == 0
    assert entries(played) == ["Kd"]
    assert "Tip: K♦ (a free king goes at once)." in played.err
    assert "q, quit" in played.err
    assert "[7♣] [10♣]" in played.err
    assert "There is no log" in played.err
    assert "Proof: a win is left." in played.err
    assert "The shortest win takes" in played.err


def test_a_game_that_is_left_finished_has_its_end(call: Call) -> None:
    batch = call("play", "PY1-N-AAAAAAA", "--player", "first", "--seed", "1")
    words = "\n".join(entries(batch))
    for ending in ("", "\nquit", "\nnew 5"):
        played = call("play", "PY1-N-AAAAAAA", text=words + ending)
        ends = [record for record in played.records if record["type"] == "end"]
        assert [end["outcome"] for end in ends] == ["won"]
        assert "You have won!" in played.err
        assert "Result: score 280, time 0:0" in played.err


def test_an_undo_after_the_end_goes_on(call: Call) -> None:
    batch = call("play", "PY1-N-AAAAAAA", "--player", "first", "--seed", "1")
    played = call("play", "PY1-N-AAAAAAA", text="\n".join([*entries(batch), "d", "u"]))
    assert played.code == 3
    assert "The game is won; you can only undo" in played.err
    assert played.records[-1]["type"] == "move"
    assert played.records[-1]["score"] < 280


def test_a_comma_after_new_ends_it(call: Call) -> None:
    played = call("play", "1", "18", "--moves", "d, new, kd, 10c 3s; n ;d")
    assert played.code == 0
    assert entries(played) == ["draw", "Kd", "Tc+3s", "draw"]
    deals = [record["code"][-1] for record in played.records if record["type"] == "deal"]
    assert (len(deals), deals[:2]) == (3, ["B", "S"])


def test_new_takes_the_next_deal_or_the_one_that_is_named(call: Call) -> None:
    played = call("play", "1", "2", "--moves", "d new\nd new 5, d")
    deals = [record for record in played.records if record["type"] == "deal"]
    assert [deal["code"][-1] for deal in deals] == ["B", "C", "F"]
    assert len({deal["game"] for deal in deals}) == 3
    games = call("replay", text=played.out).records
    assert [game["outcome"] for game in games] == ["given-up", "given-up", "open"]
    assert all(game["fault"] is None for game in games)


def test_rules_of_the_command_line_come_before_those_of_the_record(call: Call) -> None:
    record = json.dumps({"type": "deal", "v": 1, "code": CODE, "rules": "easy", "cards": None})
    assert call("play", record, "--moves", "d").records[0]["rules"] == "easy"
    assert call("play", record, "--rules", "par", "--moves", "d").records[0]["rules"] == "par"
    axes = call("play", record, "--passes", "7", "--moves", "d").records[0]["rules"]
    assert axes == RULES["easy"].replace(passes=7).axes()


def test_proof_says_at_once_that_no_win_is_left(call: Call) -> None:
    deck = (
        "6D TC 8D AC 7C 3H 8H 2H 8S 2D 4H 7S QC 2S 7D 3D 9H 5H JC JD 7H KH JS TS 6S 9C TD "
        "AH KS 6H 9S 8C 3C AS 5S 4C AD KC 4S QH 4D QS TH JH 6C KD 2C QD 5D 9D 3S 5C"
    )
    played = call("play", deck, "--rules", "pyramid-solitaire", text="d\nd\n")
    assert played.code == 0
    assert played.err.count("No win is left, by proof.") == 1
    assert entries(played) == ["draw", "draw"]
    assert "No win is left" not in call("play", deck, "--rules", "easy", text="d\n").err


def test_a_line_of_a_script_has_a_limit(call: Call) -> None:
    played = call("play", CODE, text="d " * 600_000 + "\nKd\n")
    assert played.code == 3
    assert "<stdin>:1: the line is longer than 1 MiB" in played.err
    assert entries(played) == ["Kd"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--resume"],
        ["--resume", "--log", "x", "18"],
        ["--resume", "--log", "x", "--passes", "2"],
        ["--player", "first", "--moves", "d"],
        ["--player", "nobody"],
        ["-"],
        ["--lang", "de"],
        ["--rules", "chess"],
    ],
)
def test_bad_usage(call: Call, arguments: list[str]) -> None:
    assert call("play", *arguments).code == 2


def test_what_is_about_showing_a_game_is_refused_with_a_player(call: Call) -> None:
    for option in ("--plain", "--no-error-help", "--error-help"):
        done = call("play", "18", "--player", "first", option)
        assert (done.code, done.out) == (2, b"")
        assert f"leave out {'--error-help/--no-error-help' if 'error' in option else option}.\n" in done.err
    assert call("play", "18", "--player", "first", "--color", "never").code == 0


def test_boards_go_to_stdout_beside_a_log_file(call: Call, tmp_path: Path) -> None:
    done = call("play", CODE, "--log", tmp_path / "log", "--moves", "Kd, quit")
    assert (done.code, done.err) == (0, "")
    assert "[7♣]" in done.out.decode()
    assert "Result: score 10" in done.out.decode()


def test_deals_that_are_none(call: Call, tmp_path: Path) -> None:
    assert call("play", "PY1-N-AAAAAA0", "--moves", "d").code == 3
    assert call("play", "no-such-file", "--moves", "d").code == 5
    assert call("play", tmp_path, "--moves", "d").code == 5
    assert call("play", CODE, "--moves", "d", "--log", tmp_path).code == 5
    assert call("play", CODE, "--moves", "d", "--log", tmp_path / "no" / "log").code == 5
    other = tmp_path / "notes.txt"
    other.write_text("milk\nbread")
    assert call("play", CODE, "--moves", "d", "--log", other).code == 3
    assert other.read_text() == "milk\nbread"


WORDS = st.one_of(
    st.sampled_from(["d", "r", "u", "h", "?", "s", "l", "k", "new 5", "10", "7"]),
    st.sampled_from([rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]),
    st.text(max_size=5),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=25))
def test_whatever_is_typed_the_log_verifies(call: Call, lines: list[str]) -> None:
    played = call("play", CODE, text="\n".join(lines).encode("utf-8", "surrogatepass"))
    assert played.code in (0, 3)
    assert "Traceback" not in played.err
    replayed = call("replay", text=played.out)
    assert replayed.code == 0, (lines, replayed.err)
