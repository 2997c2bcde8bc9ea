"""Playing by typed lines without a terminal, and automatic players as a command."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyramide_cli.deals import Deal, parse_deal
from pyramide_cli.game import Game
from pyramide_cli.moves import parse_move
from pyramide_cli.players import PLAYERS
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.session import Clock, Session
from pyramide_cli.solver import solve
from tests.calling import Call, Called, caller

CODE = "PY1-N-AAAAAAS"


@pytest.fixture
def call(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Call:
    return caller(capfdbinary, monkeypatch)


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
        ("10c 4h", [], "<stdin>:1: The sum must be 13."),
        ("10c\n4h\n", [], "<stdin>:2: The sum must be 13."),
        ("10c+4h", [], "<stdin>:1: The sum must be 13."),
        ("k k", ["Kd"], "<stdin>:1: No k is free."),
        ("Kd Kd", ["Kd"], "<stdin>:1: K♦ has been removed already."),
        ("8h", [], "<stdin>:1: 8♥ is out of reach"),
        ("r", [], "<stdin>:1: You can recycle only when the stock is empty."),
        ("u", [], "<stdin>:1: There is nothing to undo."),
        ("fish", [], "<stdin>:1: “fish” is no card and no command"),
        ("d fish", [], "<stdin>:1: “fish” is no card and no command"),
        ("7", [], "<stdin>:1: Which one: 7♣, 7♠, 7♦?"),
        ("new fish", [], "<stdin>:1: 'fish' is not a deal code"),
        ("10c 3s 3s\nd", ["Tc+3s", "draw"], "<stdin>:1: 3♠ has been removed already."),
        ("Jd d\nd", ["draw"], "<stdin>:1: J♦ is blocked by another card."),
        ("a\x1b[31mb", [], "<stdin>:1: “a�[31mb” is no card"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_place(call: Call, typed: str, moves: list[str], message: str) -> None:
    played = call("play", CODE, text=typed)
    assert played.code == 3
    assert entries(played) == moves
    assert message in played.err


def test_a_card_that_does_not_fit_stays_selected(call: Call) -> None:
    played = call("play", CODE, text="4h\n10c\n3s\n")
    assert played.code == 3
    assert entries(played) == ["Tc+3s"]


def test_covered_cards_do_nothing_without_error_help(call: Call) -> None:
    played = call("play", CODE, "--no-error-help", text="Jd\nKd\n10c+4h\n")
    assert entries(played) == ["Kd"]
    assert "blocked" not in played.err
    assert "The sum must be 13." in played.err


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


def test_the_log_is_appended_to_and_gone_on_with(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    first = call("play", CODE, "--log", log, "--moves", "Kd 10c 3s d u")
    assert first.code == 0
    assert first.out.decode().count("PY1-N-AAAAAAS   pyramide") == 2  # at the start and after the line
    assert "The game stays open" in first.err
    second = call("play", "7", "--log", log, "--moves", "d q")
    assert second.code == 0
    with log.open("ab") as file:
        file.write(b'{"type":"mo')
    third = call("play", "--log", log, "--resume", "--moves", "u d\nu u\nu\nq")
    assert third.code == 3  # one undo more than there is to undo
    assert "torn off" in third.err
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [record.get("move", record["type"]) for record in records] == [
        *("deal", "Kd", "Tc+3s", "draw", "undo"),
        *("deal", "draw", "end"),
        *("undo", "draw", "undo", "undo", "end"),
    ]
    games = call("replay", log).records
    assert {game["fault"] for game in games} == {None}
    assert [(game["outcome"], game["score"], game["moves"], game["undos"]) for game in games] == [
        ("given-up", 0, 1, 0),
        ("given-up", 0, 4, 4),
    ]
    nothing = call("play", "--log", log, "--resume", "--moves", "d")
    assert nothing.code == 3
    assert "no open game to go on with" in nothing.err


def test_a_log_that_is_not_there_is_not_made_to_go_on_with(call: Call, tmp_path: Path) -> None:
    missing = call("play", "--log", tmp_path / "none.jsonl", "--resume", "--moves", "d")
    assert missing.code == 5
    assert "there is no such file" in missing.err
    assert not list(tmp_path.iterdir())


def test_a_line_of_a_script_has_a_limit(call: Call) -> None:
    played = call("play", CODE, text="d " * 600_000 + "\nKd\n")
    assert played.code == 3
    assert "<stdin>:1: the line is longer than 1 MiB" in played.err
    assert entries(played) == ["Kd"]


def test_the_clock_goes_on(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    call("play", CODE, "--log", log, "--moves", "Kd")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    lines[1]["t"] = 1000.5
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    call("play", "--log", log, "--resume", "--moves", "d")
    last = json.loads(log.read_text().splitlines()[-1])
    assert 1000.5 <= last["t"] < 1010


def test_a_time_of_day_that_jumps_back_changes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []
    session = Session.begin(Deal.from_code(CODE), RULES["pyramide"], written.append, clock=Clock(3.0))
    for seconds in (2e9, 1.0, 0.0):
        monkeypatch.setattr("time.time", lambda now=seconds: now)
        session.play(parse_move("draw"))
    session.finish()
    times = [record.t for record in written[1:]]
    assert times == sorted(times)
    assert 3.0 <= times[0] <= times[-1] < 60.0


def test_a_log_with_a_fault_is_not_gone_on_with(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    call("play", CODE, "--log", log, "--moves", "Kd")
    log.write_text(log.read_text().replace('"score":10', '"score":11'))
    refused = call("play", "--log", log, "--resume", "--moves", "d")
    assert refused.code == 3
    assert f"{log}:2: " in refused.err


def test_games_of_a_log_are_ranked(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    assert "Rank" not in call("play", CODE, "--log", log, "--moves", "Kd q").out.decode()
    worse = call("play", CODE, "--log", log, "--moves", "d q").out.decode()
    assert "Rank 2 of 2 games under these rules" in worse
    assert "The best so far: score 10, time 0:0" in worse
    best = call("play", CODE, "--log", log, "--moves", "Kd 10c 3s q").out.decode()
    assert "Rank 1 of 3 games" in best
    assert "This is the best so far!" in best
    assert "Rank" not in call("play", CODE, "--log", log, "--rules", "microsoft", "--moves", "d q").out.decode()


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


def test_a_full_disk_ends_the_game(call: Call) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    played = call("play", CODE, "--moves", "d", "--log", "/dev/full")
    assert played.code == 5
    assert "/dev/full" in played.err
    assert Path("/dev/full").is_char_device()


WORDS = st.one_of(
    st.sampled_from(["d", "r", "u", "h", "?", "s", "l", "k", "new 5", "10", "7"]),
    st.sampled_from([rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]),
    st.text(max_size=5),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=25))
def test_whatever_is_typed_the_log_verifies(call: Call, lines: list[str]) -> None:
    played = call("play", CODE, text="\n".join(lines).encode("utf-8", "surrogatepass"))
    assert played.code in (0, 3)
    assert "Traceback" not in played.err
    replayed = call("replay", text=played.out)
    assert replayed.code == 0, (lines, replayed.err)


def test_no_end_is_written_behind_a_move_that_was_not() -> None:
    written: list[object] = []

    def write(record: object) -> None:
        if len(written) == 2:
            raise OSError("the disk is full")
        written.append(record)

    session = Session.begin(Deal.from_code(CODE), RULES["pyramide"], write)
    session.play(parse_move("Kd"))
    with pytest.raises(OSError, match="full"):
        session.play(parse_move("draw"))
    session.finish()
    assert len(written) == 2


# Automatic players.


def test_a_batch_reads_deals_from_everywhere(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"{CODE}\n7\n")
    deals = call("deal", "--start", "PY1-N-AAAAAAA", "--count", "3")
    played = call("play", "--player", "greedy", "--seed", "1", "5", file, "-", text=deals.out)
    assert played.code == 0
    games = call("replay", text=played.out).records
    assert [game["code"][-1] for game in games] == ["F", "S", "H", "A", "B", "C"]
    assert all(game["fault"] is None and game["outcome"] in ("won", "given-up") for game in games)
    assert {game["player"] for game in games} == {"greedy"}


def test_a_seeded_batch_has_the_same_bytes_each_time(call: Call) -> None:
    deals = "1\n2\n1\n1\n"
    one = call("play", "--player", "random", "--seed", "9", text=deals)
    two = call("play", "--player", "random", "--seed", "9", text=deals)
    assert one.out == two.out
    ids = [record["game"] for record in one.records if record["type"] == "deal"]
    assert len(set(ids)) == 4
    assert all(game["fault"] is None for game in call("replay", text=one.out).records)


def test_a_seeded_batch_appended_twice_keeps_ids_unique(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    for _ in range(3):
        assert call("play", "--player", "first", "--seed", "1", "4", "4", "--log", log).code == 0
    games = call("replay", log).records
    assert len({game["game"] for game in games}) == 6
    assert all(game["fault"] is None for game in games)


def test_bad_deals_do_not_stop_a_batch(call: Call) -> None:
    played = call("play", "--player", "first", "--seed", "1", text="1\nfish\n2\n")
    assert played.code == 3
    assert "<stdin>:2: " in played.err
    assert len(call("replay", text=played.out).records) == 2


def test_rules_of_records_hold_in_a_batch(call: Call) -> None:
    deals = call("deal", "1", "--rules", "easy")
    assert call("play", "--player", "first", text=deals.out).records[0]["rules"] == "easy"
    assert call("play", "--player", "first", "--rules", "par", text=deals.out).records[0]["rules"] == "par"


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
