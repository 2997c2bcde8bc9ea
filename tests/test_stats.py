"""`pyramide stats` as a command: what it reads, counts, prints and answers with."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyramide_cli import Deal
from pyramide_cli.players import play_out
from pyramide_cli.records import EndRecord, encode, read_records
from pyramide_cli.replay import Checked, replay
from pyramide_cli.rules import RULES
from tests.calling import Call, Called, caller

DEAL = '{"type":"deal","v":1,"game":"%s","code":"PY1-N-AAAAAAS","rules":"pyramide","cards":null,"player":"me"}\n'
MOVE = '{"type":"move","v":1,"game":"%s","n":%d,"move":"%s","score":%d,"moves":%d}\n'
END = '{"type":"end","v":1,"game":"%s","outcome":"%s","score":%d,"moves":%d,"undos":0}\n'
BRIEF = (
    '{"type":"solution","v":1,"code":"PY1-N-AAAAAA%s","rules":"pyramide","find":"any","verdict":"%s","length":null}\n'
)


Stats = Callable[..., Called]
Answer = Callable[..., Any]


@pytest.fixture
def stats(call: Call) -> Stats:
    return lambda *arguments, text=b"": call("stats", *arguments, text=text)


@pytest.fixture
def answer(stats: Stats) -> Answer:
    def ask(*arguments: str | Path, text: str | bytes = b"", code: int = 0) -> Any:
        done = stats(*arguments, "--format", "json", text=text)
        assert done.code == code, done.err
        return json.loads(done.out)

    return ask


def log(player: str, count: int, rules: str = "pyramide", seed: int = 1) -> bytes:
    return b"".join(
        encode(record)
        for number in range(count)
        for record in play_out(Deal.from_number(number), RULES[rules], player, seed=seed)
    )


def test_counts_games_by_rules_and_player(answer: Answer) -> None:
    logs = log("greedy", 12) + log("random", 5) + log("greedy", 3, "microsoft")
    expected: dict[tuple[str, str], list[int]] = {}
    player: dict[str, tuple[str, str]] = {}
    for line in logs.splitlines():
        record = json.loads(line)
        if record["type"] == "deal":
            player[record["game"]] = (record["rules"], record["player"])
        if record["type"] == "end":
            games, wins = expected.setdefault(player[record["game"]], [0, 0])
            expected[player[record["game"]]] = [games + 1, wins + (record["outcome"] == "won")]
    found = answer(text=logs)
    assert {(row["rules"], row["player"]): [row["games"], row["wins"]] for row in found["rows"]} == expected
    assert found["total"]["games"] == 20
    assert found["total"]["wins"] == sum(wins for _, wins in expected.values())
    assert found["total"]["rate"] is None, "no rate across different rules"


def test_result_records_of_a_replay_count_like_the_log(answer: Answer) -> None:
    logs = log("greedy", 8)
    checked = [each for each in replay(read_records(io.BytesIO(logs), "log")) if isinstance(each, Checked)]
    records = b"".join(encode(each.record) for each in checked)
    from_log, from_records = answer(text=logs), answer(text=records)
    assert from_log["rows"] == from_records["rows"]
    assert answer(text=logs + records)["rows"] == from_records["rows"], "the same game counts once"
    assert answer(text=logs + logs)["rows"] == from_log["rows"]


def test_an_open_game_is_no_loss(answer: Answer) -> None:
    found = answer(text=DEAL % "g" + MOVE % ("g", 1, "Kd", 10, 1))["total"]
    assert (found["games"], found["open"], found["wins"], found["rate"]) == (1, 1, 0, None)


def test_a_game_won_and_undone_and_won_again_counts_once(answer: Answer) -> None:
    records = list(play_out(winning_deal(), RULES["pyramide"], "greedy", seed=1))
    end = records.pop()
    assert isinstance(end, EndRecord)
    assert end.outcome == "won"
    last = records[-1]
    lines = [json.loads(encode(record)) for record in records]
    undo = json.loads(encode(last)) | {"n": lines[-1]["n"] + 1, "move": "undo", "score": lines[-2]["score"]}
    again = lines[-1] | {"n": lines[-1]["n"] + 2, "moves": lines[-1]["moves"] + 1}
    ending = json.loads(encode(end)) | {"moves": again["moves"], "undos": 1}
    text = "".join(json.dumps(line) + "\n" for line in [*lines, undo, again, ending])
    found = answer("--verify", text=text)["total"]
    assert (found["games"], found["wins"], found["faulty"]) == (1, 1, 0)


def winning_deal() -> Deal:
    for number in range(1000):
        deal = Deal.from_number(number)
        *_, end = play_out(deal, RULES["pyramide"], "greedy", seed=1)
        if isinstance(end, EndRecord) and end.outcome == "won":
            return deal
    raise AssertionError("greedy wins none of a thousand")


def test_solutions_all_count(answer: Answer) -> None:
    text = (
        BRIEF % ("S", "winnable") + BRIEF % ("S", "winnable") + BRIEF % ("T", "unwinnable") + BRIEF % ("U", "undecided")
    )
    total = answer(text=text)["total"]
    assert [total[key] for key in ("games", "solutions", "winnable", "unwinnable", "undecided")] == [0, 4, 2, 1, 1]


def test_checked_solutions_say_what_was_asked(call: Call) -> None:
    """`solve | replay | stats` reports by question as `solve | stats` does."""
    solved = call("solve", "--find", "any", "1", "2").out + call("solve", "--find", "rank=T", "3").out
    checked = call("replay", text=solved)
    assert [record["find"] for record in checked.records] == ["any", "any", "rank=T"]
    reports = [call("stats", "--report", "solver", "--format", "csv", text=text).out for text in (solved, checked.out)]
    assert reports[0] == reports[1]


def test_a_checked_solution_is_a_solution_and_no_game(answer: Answer) -> None:
    full = (
        '{"type":"solution","v":1,"code":"PY1-N-AAAAAAS","rules":"pyramide","cards":null,"find":"shortest",'
        '"verdict":"undecided","length":null,"optimal":false,"score":null,"cleared":null,"removed":null,"lower":20,'
        '"upper":null,"line":null,"states":7,"seconds":0.5}\n'
    )
    checked = [each for each in replay(read_records(io.BytesIO(full.encode()), "s")) if isinstance(each, Checked)]
    record = encode(checked[0].record)
    total = answer(text=record)["total"]
    assert [total[key] for key in ("games", "solutions", "undecided")] == [0, 1, 1]


def test_interleaved_games_and_a_torn_last_line(stats: Stats) -> None:
    text = DEAL % "a" + DEAL % "b" + MOVE % ("a", 1, "Kd", 10, 1) + MOVE % ("b", 1, "draw", 0, 1)
    text += END % ("b", "given-up", 0, 1) + END % ("a", "given-up", 10, 1) + '{"type":"move","v":1,"ga'
    done = stats("--format", "json", text=text)
    assert done.code == 3
    assert done.err.startswith("<stdin>:7: ")
    assert json.loads(done.out)["total"]["games"] == 2


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("nonsense\n", "JSON"),
        ('{"type":"ball","v":1}\n', "unknown record type"),
        (DEAL.replace("AAAAAAS", "AAAAAA1") % "x", "not a deal code"),
        (DEAL.replace("pyramide", "pyramids") % "x", "no rules are called"),
        (MOVE % ("x", 1, "Kd", 10, 1), "no deal"),
        (DEAL % "x" + MOVE % ("x", 1, "Kx", 10, 1), "not a move"),
        (DEAL % "x" + END % ("x", "won", 270, 40), "280"),
    ],
)
def test_a_bad_line_is_named_and_the_others_count(stats: Stats, tmp_path: Path, line: str, word: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(DEAL % "g" + END % ("g", "given-up", 0, 0) + line)
    done = stats(path, "--format", "json")
    assert done.code == 3
    message = done.err
    assert message.startswith(f"{path}:{2 + line.count(chr(10))}: ")
    assert word in message
    assert json.loads(done.out)["total"]["games"] >= 1


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1899-12-31T23:59:59Z"])
@pytest.mark.parametrize("report", ["day", "week", "summary", "streaks"])
def test_a_time_at_the_end_of_the_calendar_is_named(stats: Stats, at: str, report: str) -> None:
    done = stats("--report", report, text=log("first", 1).replace(b'"player"', f'"at":"{at}","player"'.encode()))
    assert done.code == 3
    assert "<stdin>:1: " in done.err
    assert "Traceback" not in done.err


def test_rules_that_are_none_are_refused_after_ones_that_are_equal(stats: Stats) -> None:
    axes = RULES["easy"].replace(cover_pair=True).axes()
    good = json.loads(DEAL % "a") | {"rules": axes}
    bad = json.loads(DEAL % "b") | {"rules": axes | {"cover_pair": 1}}
    done = stats(text=f"{json.dumps(good)}\n{json.dumps(bad)}\n")
    assert done.code == 3
    assert "<stdin>:2: cover_pair must be true or false, not 1" in done.err


def test_strict_stops_at_the_first_bad_line(stats: Stats, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("nonsense\nmore\n")
    done = stats("--strict", path)
    assert (done.code, done.out) == (3, b"")
    assert done.err.count("\n") == 1


def test_a_file_that_is_not_there(stats: Stats) -> None:
    done = stats("/nowhere/at/all")
    assert done.code == 5
    assert "/nowhere/at/all" in done.err


def test_empty_input_is_an_empty_report(stats: Stats, answer: Answer) -> None:
    for name in ("table", "csv", "json", "markdown"):
        done = stats("--format", name, text="")
        assert done.code == 0
        assert done.err == ""
    found = answer(text="")
    assert found["rows"] == []
    assert found["total"]["games"] == 0


def test_verify_counts_apart_what_the_engine_contradicts(answer: Answer) -> None:
    good = log("greedy", 4)
    bad = log("greedy", 1, seed=9).replace(b'"n":2,', b'"n":2,').replace(b'"score":10,', b'"score":11,', 1)
    total = answer("--verify", text=good + bad, code=3)["total"]
    assert (total["games"], total["faulty"]) == (4, 1)
    assert answer(text=good + bad)["total"]["games"] == 5


def test_csv_and_table_have_a_line_a_group(stats: Stats) -> None:
    logs = log("greedy", 3) + log("random", 2)
    rows = list(csv.DictReader(io.StringIO(stats("--format", "csv", text=logs).out.decode())))
    assert [(row["player"], row["games"]) for row in rows] == [("greedy", "3"), ("random", "2")]
    table = stats(text=logs).out.decode()
    assert max(map(len, table.splitlines())) <= 80


def test_the_wrong_by_is_bad_usage(stats: Stats) -> None:
    done = stats("--by", "colour", text="")
    assert done.code == 2
    assert "colour" in done.err


def test_pipelines(stats: Stats, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    call = caller(capfdbinary, monkeypatch)
    deals = call("deal", "--count", "12", "--seed", "1").out
    solutions = call("solve", "--find", "any", text=deals).out
    games = call("play", "--player", "greedy", "--seed", "1", "-", text=deals).out
    for text, counts in ((solutions, (0, 12)), (games, (12, 0))):
        straight = stats("--format", "json", text=text)
        replayed = stats("--format", "json", text=call("replay", text=text).out)
        assert (straight.code, straight.out) == (0, replayed.out)
        total = json.loads(straight.out)["total"]
        assert (total["games"], total["solutions"]) == counts


def test_progress_is_shown_on_stderr_only(tmp_path: Path, stats: Stats) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(log("greedy", 4) * 100)
    quiet, shown = stats(path), stats("--progress", path)
    assert (quiet.err, quiet.out) == ("", shown.out)
    assert "MB of log" in shown.err
    missing = stats("--progress", path, tmp_path / "none.jsonl")
    assert missing.code == 5
    assert "none.jsonl: cannot be read" in missing.err
    assert "lines" in stats("--progress", text=path.read_bytes()).err
