"""Surveys: the same answers as solving the same deals one by one, whatever the cores, and an early stop."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from itertools import islice
from typing import Any

import pytest

from pyramide_cli import Deal, solve
from pyramide_cli.deals import random_numbers
from pyramide_cli.reports import dump
from pyramide_cli.reports.survey import Plan, report, survey
from pyramide_cli.rules import RULES
from pyramide_cli.solver.balance import can_be_won
from tests.calling import Call

COUNT = 10


def deals(count: int, seed: int) -> list[Deal]:
    return [Deal.from_number(number) for number in islice(random_numbers(seed), count)]


def test_any_agrees_with_the_plain_search() -> None:
    rules = RULES["pyramide"]
    found = survey(Plan(300, rules, "any", seed=5))
    won = sum(can_be_won(deal, rules) for deal in deals(300, 5))
    assert found.verdicts == {"winnable": won, "unwinnable": 300 - won, "undecided": 0}


def test_the_cores_do_not_matter() -> None:
    one, two = (survey(Plan(20_000, RULES["pyramide"], "any", seed=6, within=1.5, jobs=jobs)) for jobs in (1, 2))
    assert one.verdicts == two.verdicts
    assert one.deals < 20_000
    assert one.width <= 1.5


@pytest.mark.parametrize("find", ["any", "shortest", "most"])
def test_searched_surveys_agree_with_solve(find: str) -> None:
    rules = RULES["relaxed"]
    found = survey(Plan(COUNT, rules, find, seed=7))
    solutions = [solve(deal, rules, find=find) for deal in deals(COUNT, 7)]
    assert found.verdicts["winnable"] == sum(each.verdict == "winnable" for each in solutions)
    row = report(found).rows[0]
    if find == "most":
        cleared = [each.cleared for each in solutions if each.cleared is not None]
        assert row["cleared_mean"] == pytest.approx(statistics.mean(cleared))
        assert sum(line["deals"] for line in report(found).more[1].rows) == COUNT  # type: ignore[misc]
    if find == "shortest":
        lengths = [each.length for each in solutions if each.length is not None]
        assert (row["length_n"], row["length_median"]) == (len(lengths), statistics.median(lengths))


def test_undecided_deals_count_both_ways() -> None:
    found = survey(Plan(20, RULES["microsoft"], "shortest", seed=8, max_states=30))
    row = report(found).rows[0]
    undecided = found.verdicts["undecided"]
    assert undecided
    assert row["rate_lost"] == pytest.approx(found.verdicts["winnable"] / 20)
    assert row["rate_won"] == pytest.approx((found.verdicts["winnable"] + undecided) / 20)


def test_every_format_takes_the_further_tables() -> None:
    made = report(survey(Plan(COUNT, RULES["relaxed"], "most", seed=7)))
    texts: dict[str, Any] = {name: dump(made, name) for name in ("table", "csv", "json", "markdown", "html")}
    found = json.loads(texts["json"])
    assert [table["report"] for table in found["tables"]] == ["lengths", "cleared"]
    assert texts["csv"].count("\n\n") == 2
    assert texts["markdown"].count("## ") == 3
    assert texts["html"].count("<table>") == 3
    assert texts["table"].count("Distribution of") == 2


def test_the_command(call: Call) -> None:
    done = call("stats", "--survey", "500", "--seed", "9", "--format", "json")
    assert done.code == 0
    row = json.loads(done.out)["rows"][0]
    assert (row["solutions"], row["rules"], row["find"]) == (500, "pyramide", "any")
    assert row["winnable"] + row["unwinnable"] == 500
    axes = call("stats", "--survey", "10", "--seed", "9", "--rules", "relaxed", "--passes", "3", "--format", "csv")
    assert axes.out.splitlines()[1].startswith(b'"relaxed passes=3","any",10,')


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--survey", "5", "log.jsonl"], "no LOG"),
        (["--survey", "5", "--report", "days"], "days"),
        (["--survey", "5", "--verify"], "no LOG"),
        (["--survey", "0"], "--survey"),
        (["--survey", "5", "--within", "0"], "--within"),
        (["--survey", "5", "--within", "nan"], "--within"),
        (["--survey", "5", "--within", "inf"], "--within"),
        (["--survey", "5", "--within", "-1"], "--within"),
        (["--seed", "1", "log.jsonl"], "--survey"),
        (["--rules", "par", "log.jsonl"], "--survey"),
    ],
)
def test_what_does_not_go_together_is_bad_usage(call: Call, arguments: list[str], word: str) -> None:
    done = call("stats", *arguments)
    assert (done.code, done.out) == (2, b"")
    assert word in done.err


def test_ctrl_c_reports_what_there_is() -> None:
    command = [
        sys.executable,
        "-m",
        "pyramide_cli",
        "stats",
        "--survey",
        "2000000000",
        "--format",
        "json",
        "--progress",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ) as process:
        assert process.stderr is not None
        seen = b""
        deadline = time.monotonic() + 60
        while b"wins=" not in seen and time.monotonic() < deadline:
            seen += os.read(process.stderr.fileno(), 4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    found = json.loads(out)
    assert found["rows"][0]["solutions"] > 0
    assert "so far" in " ".join(found["notes"])
