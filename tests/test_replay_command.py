"""The command `replay`: its outputs, its summary and its exit codes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from pyramide_cli.deals import Deal
from pyramide_cli.players import play_out
from pyramide_cli.records import encode
from pyramide_cli.solver import solve
from tests.calling import Call

GAME = b"".join(encode(record) for record in play_out(Deal.from_number(0), player="first", seed=1))
OTHER = b"".join(encode(record) for record in play_out(Deal.from_number(1), player="first", seed=1))
SPOILED = OTHER.replace(b'"moves":2}', b'"moves":7}', 1)
NAME = json.loads(GAME.splitlines()[0])["game"]


def test_one_record_for_each_game_and_a_summary(call: Call) -> None:
    done = call("replay", text=GAME + OTHER)
    assert done.code == 0
    assert [record["type"] for record in done.records] == ["game", "game"]
    assert done.err == "replayed 2 games: 2 agreed, 0 with a fault\n"


def test_a_fault_is_reported_and_the_others_go_on(call: Call) -> None:
    done = call("replay", text=SPOILED + GAME)
    assert done.code == 3
    first, second = done.records
    assert second["fault"] is None
    assert first["fault"].startswith("<stdin>:")
    assert first["fault"] in done.err
    assert "replayed 2 games: 1 agreed, 1 with a fault" in done.err


def test_strict_stops_at_the_first_bad_line(call: Call, tmp_path: Path) -> None:
    done = call("replay", "--strict", text=SPOILED + GAME)
    assert done.code == 3
    assert len(done.records) == 1
    file = tmp_path / "games.jsonl"
    assert call("replay", "--strict", "-o", file, text=SPOILED + GAME).code == 3
    assert list(tmp_path.iterdir()) == []


def test_files_packed_or_not_are_read_as_one_stream(call: Call, tmp_path: Path) -> None:
    lines = GAME.splitlines(keepends=True)
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl.gz"
    one.write_bytes(b"".join(lines[:10]))
    two.write_bytes(gzip.compress(b"".join(lines[10:])))
    [game] = call("replay", one, two).records
    assert (game["fault"], game["outcome"]) == (None, "won")
    done = call("replay", one, one)
    assert done.code == 3
    assert done.records[1]["fault"] == f"{one}:1: game {NAME}: its id is that of the game that began at {one}:1"


def test_missing_files_and_folders(call: Call, tmp_path: Path) -> None:
    done = call("replay", tmp_path / "no")
    assert done.code == 5
    assert done.err.endswith("replayed nothing: 0 agreed, 0 with a fault; 1 file could not be read\n")
    assert call("replay", tmp_path).code == 5
    log = tmp_path / "log"
    log.write_bytes(SPOILED)
    done = call("replay", tmp_path / "no", log)
    assert done.code == 5
    assert len(done.records) == 1


def test_a_torn_last_line(call: Call) -> None:
    done = call("replay", text=GAME[:-30])
    assert done.code == 3
    assert done.records[0]["outcome"] == "open"
    assert "cut off" in done.err
    assert "1 line reported" in done.err


def test_what_has_no_moves_is_passed_over(call: Call) -> None:
    games = call("replay", text=GAME)
    again = call("replay", text=games.out)
    assert (again.code, again.out) == (0, b"")
    assert again.err == "replayed nothing: 0 agreed, 0 with a fault; 1 record without moves passed over\n"


def test_solutions_pass(call: Call) -> None:
    deals = call("deal", "--start", "PY1-N-AAAAAAA", "--count", "5")
    done = call("replay", text=call("solve", "--find", "any", text=deals.out).out)
    assert done.code == 0
    assert len(done.records) == 5
    assert {record["fault"] for record in done.records} == {None}
    verdicts = [solve(Deal.from_number(number), find="any").verdict for number in range(5)]
    assert [record["verdict"] for record in done.records] == verdicts
    brief = call("replay", text=call("solve", "--find", "any", "--brief", text=deals.out).out)
    assert [record["verdict"] for record in brief.records] == verdicts
    assert {record["outcome"] for record in brief.records} == {None}


def test_rules_of_the_command_line_come_first(call: Call) -> None:
    done = call("replay", "--rules", "microsoft", text=GAME)
    assert done.code == 3
    assert done.records[0]["rules"] == "microsoft"
    bad = GAME.replace(b'"rules":"pyramide"', b'"rules":"chess"')
    assert call("replay", text=bad).code == 3
    assert call("replay", "--rules", "pyramide", text=bad).code == 0


def test_text_is_a_line_for_each_game_or_more_where_it_is_long(call: Call) -> None:
    done = call("replay", "--format", "text", text=GAME + SPOILED)
    first, second, *bad = done.out.decode().splitlines()
    assert first == f"{NAME}  PY1-N-AAAAAAA  pyramide  won  score 280  62 moves"
    assert second == "  28 cleared  agrees"
    assert bad[2].startswith("  FAULT at <stdin>:")


@pytest.mark.parametrize("language", ["en", "pl", "id", "fr"])
@pytest.mark.parametrize("arguments", [[], ["--analyze"], ["--step"], ["--plain"], ["--plain", "--analyze"]])
def test_no_line_of_text_is_wider_than_80_columns(call: Call, language: str, arguments: list[str]) -> None:
    """But for the sentences of a board, which a screen reader breaks itself."""
    done = call("replay", "--format", "text", "--lang", language, *arguments, text=GAME + SPOILED)
    lines = done.out.decode().splitlines()
    assert len(lines) > 4
    assert max(map(len, lines)) <= 80


def test_sentences_need_no_columns_and_no_marks(call: Call) -> None:
    [line] = call("replay", "--plain", "--format", "text", text=GAME).out.decode().replace("\n  ", " ").splitlines()
    assert line == f"{NAME}, PY1-N-AAAAAAA, pyramide, won, score 280, 62 moves, 28 cleared, agrees."
    text = call("replay", "--plain", "--at", "2", "--format", "text", text=GAME).out.decode()
    assert text.startswith(f"game {NAME}, entry 2: Removed 4 of diamonds and 9 of spades.\n")


def test_at_shows_the_game_after_n_entries(call: Call) -> None:
    text = call("replay", "--at", "2", "--format", "text", text=GAME).out.decode()
    assert text.startswith(f"game {NAME}, entry 2: 4♦ + 9♠\n")
    assert "last 4♦ + 9♠" in text
    deal = call("replay", "--at", "0", "--format", "text", text=GAME).out.decode()
    assert deal.startswith(f"game {NAME}, the deal\n")
    [record] = call("replay", "--at", "2", text=GAME).records
    assert (record["moves"], record["checked"], record["outcome"]) == (2, 2, "open")
    svg = call("replay", "--at", "2", "--format", "svg", text=GAME).out
    assert svg.startswith(b"<svg")
    for arguments in (("--format", "describe"), ("--format", "text", "--plain")):
        said = call("replay", "--at", "2", *arguments, text=GAME).out.decode()
        assert "Row 7: 2 of clubs free, empty" in said


def test_at_counts_undos_as_entries(call: Call) -> None:
    log = call("play", "18", "--moves", "Kd u d").out
    moves = [call("replay", "--at", str(n), text=log).records[0]["moves"] for n in range(4)]
    assert moves == [0, 1, 1, 2]


def test_at_beyond_the_end_is_reported(call: Call) -> None:
    done = call("replay", "--at", "1000", text=GAME)
    assert (done.code, done.out) == (3, b"")
    assert f"<stdin>:1: game {NAME}: there is no entry 1000; the last one is 62" in done.err


def test_step_shows_every_entry(call: Call) -> None:
    records = call("replay", "--step", text=GAME).records
    assert [record["moves"] for record in records] == list(range(63))
    text = call("replay", "--step", "--format", "text", text=GAME).out.decode()
    assert text.count(f"game {NAME}, ") == 63
    assert text.count("stock ") == 63


@pytest.mark.parametrize(
    "arguments",
    [
        ["--at", "1", "--step"],
        ["--at", "-1"],
        ["--format", "svg"],
        ["--format", "describe"],
        ["--format", "svg", "--step"],
        ["--format", "cards"],
    ],
)
def test_bad_usage(call: Call, arguments: list[str]) -> None:
    assert call("replay", *arguments, text=GAME).code == 2


@pytest.mark.parametrize("option", ["--lengths", "--no-lengths", "--max-states 9", "--jobs 2"])
def test_what_goes_with_an_analysis_is_refused_without_one(call: Call, option: str) -> None:
    done = call("replay", *option.split(), text=GAME)
    assert (done.code, done.out) == (2, b"")
    assert " goes with --analyze.\n" in done.err
    assert call("replay", "--analyze", *option.split(), text=GAME).code == 0


def test_an_analysis_names_the_deal_of_a_solution_once(call: Call) -> None:
    solved = call("solve", "0", "--find", "any").out
    for options, name in (([], "solution of {}  pyramide  won"), (["--plain"], "solution of {}, rules pyramide, won.")):
        done = call("replay", "--analyze", "--no-lengths", "--format", "text", *options, text=solved)
        assert done.out.decode().splitlines()[0] == name.format("PY1-N-AAAAAAA")


def test_a_picture_shows_one_game(call: Call) -> None:
    done = call("replay", "--at", "1", "--format", "svg", text=GAME + OTHER)
    assert done.code == 2
    assert "svg shows one board" in done.err


def test_output_is_whole_or_not_there(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl.gz"
    assert call("replay", "-o", file, text=GAME).code == 0
    assert json.loads(gzip.decompress(file.read_bytes()))["outcome"] == "won"
    assert call("replay", "-o", tmp_path / "no" / "file", text=GAME).code == 5


def test_text_from_a_log_cannot_drive_the_terminal(call: Call) -> None:
    evil = GAME.replace(NAME.encode(), b"\\u001b]0;evil\\u0007\\u001b[2J")
    for arguments in (["--format", "text"], ["--at", "1", "--format", "text"], []):
        done = call("replay", *arguments, text=evil[:-30])
        assert b"\x1b" not in done.out
        assert "\x1b" not in done.err


def test_a_time_that_goes_back_is_warned_of_once_and_no_fault(call: Call) -> None:
    lines = [json.loads(line) for line in GAME.splitlines()]
    for number, line in enumerate(lines[1:], 1):
        line["t"] = {5: 20.5, 6: 3.0, 9: 2.0}.get(number, float(10 * number))
    log = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    done = call("replay", "--strict", text=log)
    assert done.code == 0
    (record,) = done.records
    assert (record["fault"], record["outcome"], record["t"]) == (None, "won", 10 * (len(lines) - 1))
    warning, summary = done.err.splitlines()
    assert warning == f"<stdin>:6: game {NAME}: warning: the time goes back from 40.0 to 20.5"
    assert summary == "replayed 1 game: 1 agreed, 0 with a fault"
    # Only the entries have a time that has to grow: equal ones, or none, are fine.
    for line in lines[1:]:
        line["t"] = 7.5
    del lines[4]["t"]
    log = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    assert call("replay", text=log).err == "replayed 1 game: 1 agreed, 0 with a fault\n"
