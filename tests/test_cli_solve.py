"""`pyramide solve`: what is read, what is written, in which order, and with which exit code."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from pyramide_cli import RULES, Deal, parse_move
from pyramide_cli.deals import code_of
from pyramide_cli.game import Game
from pyramide_cli.records import SolutionRecord, deal_record, decode, encode
from tests.calling import Call, caller
from tests.program import PATIENCE, program, shell, start

call = pytest.fixture(caller)

KEYS = (
    "type v code rules cards find verdict length optimal score cleared removed lower upper line states seconds".split()
)
BRIEF_KEYS = "type v code rules find verdict length".split()
QUICK = ["--rules", "relaxed", "--drawn-pair"]
WON, LOST = "PY1-N-AAAAAAS", "PY1-N-AAAAAAJ"


def test_a_solution_has_all_its_keys(call: Call) -> None:
    won, lost = call("solve", WON, LOST).records
    for record in (won, lost):
        assert list(record) == KEYS
    assert (won["verdict"], won["optimal"], won["length"]) == ("winnable", True, len(won["line"]))
    assert (won["cards"], won["rules"], won["find"]) == (Deal.from_code(WON).text(), "pyramide", "shortest")
    assert won["lower"] == won["upper"] == won["length"]
    assert (won["score"], won["cleared"]) == (280, 28)
    assert (lost["verdict"], lost["optimal"], lost["length"], lost["line"]) == ("unwinnable", True, None, None)


def test_a_line_wins(call: Call) -> None:
    for find in ("any", "shortest"):
        (record,) = call("solve", WON, "--find", find).records
        game = Game(Deal.from_code(WON))
        for move in record["line"]:
            game.push(parse_move(move))
        assert game.outcome == "won"
        assert (game.score, game.removed) == (record["score"], record["removed"])
        assert record["optimal"] is (find == "shortest")


def test_the_published_fact_about_one_code(call: Call) -> None:
    (record,) = call("solve", "--find", "most", LOST).records
    assert (record["cleared"], record["optimal"], record["verdict"]) == (14, True, "unwinnable")


def test_brief_and_no_timing(call: Call) -> None:
    (record,) = call("solve", WON, "--brief").records
    assert list(record) == BRIEF_KEYS
    (full,) = call("solve", WON, "--no-timing").records
    assert list(full) == [key for key in KEYS if key != "seconds"]
    assert {key: full[key] for key in BRIEF_KEYS} == record


@pytest.mark.parametrize("find", ["shortest", "any", "most", "score", "rank=A", "rank=10", "RANK=t"])
def test_every_question(find: str, call: Call) -> None:
    done = call("solve", "3", "--find", find, "--rules", "microsoft", "--passes", "1")
    assert done.code == 0
    (record,) = done.records
    assert record["find"] == find.lower().replace("10", "T").replace("rank=t", "rank=T").replace("rank=a", "rank=A")


def test_a_score_where_there_is_none(call: Call) -> None:
    assert call("solve", "3", "--find", "score", "--rules", "easy").code == 2
    text = encode(deal_record(Deal.from_number(3), RULES["easy"]))
    done = call("solve", "--find", "score", text=text)
    assert (done.code, done.out) == (3, b"")
    assert done.err == "<stdin>:1: the rules easy have no score to find\n"


def test_solutions_come_in_the_order_of_the_deals_with_the_same_bytes_for_any_jobs(call: Call) -> None:
    text = call("deal", "--seed", "3", "--count", "60", "--format", "code").out
    alone, both, many = (
        call("solve", "--no-timing", "--jobs", jobs, *QUICK, text=text).out for jobs in ("1", "2", "7")
    )
    assert alone == both == many
    assert [json.loads(line)["code"] for line in alone.splitlines()] == text.decode().split()


def test_no_line_and_no_hash_seed_changes_the_bytes() -> None:
    runs = {
        program("solve", "1", "2", "--no-timing", *QUICK, env={"PYTHONHASHSEED": seed, "COLUMNS": seed}).stdout
        for seed in ("1", "99")
    }
    assert len(runs) == 1


def test_rules_of_records_change_from_line_to_line(call: Call) -> None:
    names = ["relaxed", "easy", "relaxed", "relaxed"]
    text = b"".join(encode(deal_record(Deal.from_number(n), RULES[name])) for n, name in enumerate(names))
    records = call("solve", text=text).records
    assert [record["rules"] for record in records] == names
    assert [record["code"][-1] for record in records] == list("ABCD")
    again = call("solve", *QUICK, text=text).records
    assert {json.dumps(record["rules"]) for record in again} == {
        json.dumps(RULES["relaxed"].replace(drawn_pair=True).axes())
    }


def test_a_deck_has_the_code_null_and_its_cards(call: Call) -> None:
    cards = Deal.from_code(WON).text()
    (record,) = call("solve", cards, "--find", "any").records
    assert (record["code"], record["cards"]) == (None, cards)


def test_bad_lines_are_reported_and_the_others_solved(call: Call) -> None:
    done = call("solve", "--brief", *QUICK, text="1\nbad\n2\n")
    assert [record["code"][-1] for record in done.records] == ["B", "C"]
    assert done.code == 3
    assert done.err.startswith("<stdin>:2: ")
    done = call("solve", "--brief", "--strict", "--jobs", "1", *QUICK, text="bad\n2\n")
    assert (done.code, done.out) == (3, b"")


def test_a_limit_leaves_a_deal_undecided_with_its_bounds_and_the_batch_goes_on(call: Call) -> None:
    first, second = call("solve", "7", LOST, "--max-states", "10").records
    assert (first["verdict"], first["optimal"], first["length"]) == ("undecided", False, None)
    assert 15 <= first["lower"] <= 47
    assert first["upper"] is None
    assert second["verdict"] in ("unwinnable", "undecided")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([WON, "--find", "any"], 0),
        ([WON, LOST, "--find", "any"], 1),
        ([WON, "7", "--max-states", "1"], 4),
        ([LOST, "7", "--max-states", "1"], 4),
        ([LOST, "PY1", "--find", "any"], 3),
        ([LOST, "no-file", "PY1", "--find", "any"], 5),
    ],
)
def test_exit_codes_answer_where_that_is_asked(arguments: list[str], code: int, call: Call) -> None:
    assert call("solve", *arguments, "--exit-code").code == code
    assert call("solve", *arguments).code == (code if code in (3, 5) else 0)


def test_text_for_people(call: Call) -> None:
    done = call("solve", WON, LOST, "--format", "text")
    text = done.out.decode()
    lines = text.splitlines()
    assert lines[0] == WON
    assert lines[1].startswith("  winnable in ")
    assert ", the fewest; " in lines[1]
    assert "K♦" in lines[2]
    assert any(line.startswith("  unwinnable; ") for line in lines)
    assert max(map(len, lines)) <= 80
    short = call("solve", WON, LOST, "--format", "text", "--brief").out.decode()
    assert short == f"{WON}  {lines[1].split(';')[0].strip()}\n{LOST}  unwinnable\n"
    assert " s\n" not in call("solve", WON, "--format", "text", "--no-timing").out.decode()
    most = call("solve", LOST, "--format", "text", "--find", "most").out.decode()
    assert "unwinnable; at best 14 pyramid cards cleared, in " in most
    open_ = call("solve", "7", "--format", "text", "--max-states", "1").out.decode()
    assert "undecided; it takes " in open_


def test_one_of_a_thing_is_no_plural(call: Call) -> None:
    aces = call("solve", LOST, "--format", "text", "--find", "rank=A").out.decode()
    assert "at best 1 card of rank A removed, in 47 moves; " in aces
    tried = call("deal", "7", "--unwinnable", "--count", "1", "--tries", "1")
    assert tried.err == "pyramide: found 0 of 1 deals in 1 try\n"
    assert "leaves only 1 deal up" in call("deal", "--start", str(2**35 - 1), "--count", "2").err
    assert call("stats", "--survey", "1", "--seed", "1").out.decode().startswith("Survey of 1 random deal\n")


def test_text_for_a_narrow_output_that_has_no_suits() -> None:
    for encoding in ("latin-1", "ascii"):
        done = program("solve", WON, "--find", "any", "--format", "text", env={"PYTHONIOENCODING": encoding})
        assert done.returncode == 0
        assert b"Kd" in done.stdout
        assert b"  draw x7  " in done.stdout
        assert b"?" not in done.stdout


def test_the_quick_road_writes_the_same_bytes_as_a_record_at_a_time(call: Call) -> None:
    text = call("deal", "--seed", "5", "--count", "400", "--format", "code").out
    one_by_one = b"".join(b" " + line + b"\n" for line in text.split())  # spaces keep the codes from the quick road
    for extra in ([], ["--rules", "pyramid-solitaire"], ["--goal", "all"], ["--jobs", "1"]):
        quick = call("solve", "--find", "any", "--brief", *extra, text=text)
        slow = call("solve", "--find", "any", "--brief", *extra, text=one_by_one)
        assert quick.code == slow.code == 0
        assert quick.out == slow.out
        assert quick.out.count(b"\n") == 400


def test_what_was_left_open_is_taken_up_again(call: Call, tmp_path: Path) -> None:
    first = tmp_path / "first"
    arguments = ["--brief", "--rules", "easy"]
    assert call("solve", "1", "2", "3", WON, *arguments, "--max-states", "300", "-o", first).code == 0
    records = [json.loads(line) for line in first.read_text().splitlines()]
    left = [record["code"] for record in records if record["verdict"] == "undecided"]
    assert 0 < len(left) <= 4
    done = call("solve", "--retry-undecided", first, "--brief")
    assert done.code == 0
    assert [record["code"] for record in done.records] == left
    assert {record["verdict"] for record in done.records} <= {"winnable", "unwinnable"}
    assert {record["rules"] for record in done.records} == {"easy"}
    assert call("solve", "--retry-undecided", "-", text=done.out).out == b""


def test_what_is_not_proved_is_open_too(call: Call) -> None:
    def line(**changes: Any) -> bytes:
        base = json.loads(call("solve", LOST, "--find", "most", "--no-timing").out)
        return json.dumps(base | changes).encode() + b"\n"

    for changes, is_open in (
        ({}, False),
        ({"optimal": False}, True),
        ({"verdict": "undecided"}, True),
        ({"optimal": False, "find": "any"}, False),
        ({"optimal": False, "find": "shortest"}, False),
    ):
        done = call("solve", "--retry-undecided", "-", "--brief", "--max-states", "10000000", text=line(**changes))
        assert len(done.records) == is_open, changes


def test_what_cannot_be_taken_up_again(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("7\n")
    done = call("solve", "--retry-undecided", path)
    assert (done.code, done.out) == (3, b"")
    path.write_bytes(encode(deal_record(Deal.from_number(1), RULES["easy"])))
    done = call("solve", "--retry-undecided", path)
    assert (done.code, done.err) == (3, f"{path}:1: this is no solution\n")
    for extra in (["1"], ["--find", "any"], ["--rules", "easy"], ["-o", str(path)]):
        assert call("solve", "--retry-undecided", path, *extra).code == 2
    assert call("solve", "--retry-undecided", tmp_path / "none").code == 5


def test_records_of_the_program_are_read_by_the_program(call: Call) -> None:
    done = call("solve", WON, LOST, "7", "--max-states", "2", "--find", "most")
    for line in done.out.splitlines():
        assert isinstance(decode(line), SolutionRecord)
    again = call("solve", "--brief", "--find", "any", text=done.out)
    assert [record["code"] for record in again.records] == [WON, LOST, "PY1-N-AAAAAAH"]


def test_the_pipeline(tmp_path: Path) -> None:
    pipeline = (
        "pyramide deal --count 30 --seed 1 | pyramide solve --find any | pyramide replay | pyramide stats --format json"
    )
    done = shell(pipeline, tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["total"]["solutions"] == 30


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    done = shell("yes 18 | pyramide solve --find any --brief | head -3 >/dev/null; echo ${PIPESTATUS[1]}", tmp_path)
    assert (done.stdout, done.stderr) == ("141\n", "")


@pytest.mark.parametrize(
    "options", [["--jobs", "1"], ["--jobs", "2"], ["--jobs", "4", "--format", "text"], ["--brief"]]
)
def test_answers_do_not_wait_for_more_input(options: list[str]) -> None:
    with start("solve", "--find", "any", *options) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        watchdog = threading.Timer(PATIENCE, process.kill)
        watchdog.start()
        for number in range(3):
            process.stdin.write(f"{2 * number}\n{2 * number + 1}\n".encode())
            process.stdin.flush()
            for each in (0, 1):
                while not (line := process.stdout.readline()).startswith((b"{", b"PY1")):
                    assert line
                assert code_of(2 * number + each).encode() in line
        process.stdin.close()
        assert process.wait() == 0
        watchdog.cancel()
