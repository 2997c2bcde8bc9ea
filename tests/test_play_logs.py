"""Playing into a log: how it grows, how a game is gone on with, and how games are ranked."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from pyramide_cli.deals import Deal
from pyramide_cli.moves import parse_move
from pyramide_cli.rules import RULES
from pyramide_cli.session import Clock, Session
from tests.calling import Call

CODE = "PY1-N-AAAAAAS"


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


def test_the_command_that_goes_on_can_be_copied(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "my games; $HOME.jsonl"
    played = call("play", CODE, "--log", log, "--moves", "Kd")
    command = played.err.partition("go on with it by: ")[2].partition("\n")[0]
    assert shlex.split(command) == ["pyramide", "play", "--log", str(log), "--resume"]


def test_a_log_that_is_not_there_is_not_made_to_go_on_with(call: Call, tmp_path: Path) -> None:
    missing = call("play", "--log", tmp_path / "none.jsonl", "--resume", "--moves", "d")
    assert missing.code == 5
    assert "there is no such file" in missing.err
    assert not list(tmp_path.iterdir())


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


def test_a_full_disk_ends_the_game(call: Call) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    played = call("play", CODE, "--moves", "d", "--log", "/dev/full")
    assert played.code == 5
    assert "pyramide: /dev/full: cannot be written: no space left on device\n" in played.err
    assert Path("/dev/full").is_char_device()


def test_a_folder_is_no_log(call: Call, tmp_path: Path) -> None:
    played = call("play", CODE, "--moves", "d", "--log", tmp_path)
    assert (played.code, played.err) == (5, f"pyramide: {tmp_path}: cannot be written: is a directory\n")


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


def test_a_clock_that_is_set_back_changes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    day = iter([1_800_000_000.0, 5.0, 4.0, 3.0])
    monkeypatch.setattr("time.time", lambda: next(day, 2.0))
    clock = Clock(12.5)
    times = [clock.seconds() for _ in range(50)]
    assert times == sorted(times)
    assert 12.5 <= times[0] <= times[-1] < 20
