"""Deals as arguments and lines: every form, every spelling, and what is said of everything else."""

from __future__ import annotations

import gzip
import json
import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_cli import RULES, Deal
from pyramide_cli.cli.inputs import LocatedDeal, count_deals, read_deal_batches, read_deals
from pyramide_cli.records import Problem
from tests.calling import Call, caller
from tests.program import program, shell

call = pytest.fixture(caller)

DEAL = Deal.from_code("PY1-N-AAAAAAS")
OTHER = Deal.from_code("PY1-N-AAAAAAB")
CARDS = DEAL.text()
PEOPLE = CARDS.replace("T", "10").replace("d", "♦").replace("c", "♣").replace("h", "♥").replace("s", "♠")
RECORD = '{"type":"deal","v":1,"code":"PY1-N-AAAAAAS","rules":"relaxed","cards":null}'
FORMS = {
    "code": "PY1-N-AAAAAAS",
    "lower case": "  py1-n-aaaaaas ",
    "number": "18",
    "cards": CARDS,
    "upper case": CARDS.upper(),
    "for people": PEOPLE,
    "commas": CARDS.replace(" ", ", "),
    "deal record": RECORD,
    "game record": '{"type":"game","v":1,"code":"PY1-N-AAAAAAS","outcome":"won"}',
    "solution": '{"type":"solution","v":1,"code":"PY1-N-AAAAAAS","rules":"par","find":"any","verdict":"winnable",'
    '"length":57}',
}


def read(*arguments: str | Path) -> tuple[list[LocatedDeal], list[str]]:
    problems: list[Problem] = []
    deals = list(read_deals(map(str, arguments), problems.append))
    return deals, [str(problem) for problem in problems]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_every_form_as_an_argument_and_as_a_line(form: str, tmp_path: Path) -> None:
    path = tmp_path / "deals"
    path.write_text(f"\n{form}\r\n{OTHER.code}\n", encoding="utf-8")
    for deals, problems in (read(form, "PY1-N-AAAAAAB"), read(path)):
        assert problems == []
        assert [item.deal.cards for item in deals] == [DEAL.cards, OTHER.cards]
    assert [item.line for item in read(path)[0]] == [2, 3]


def test_cards_in_one_argument_may_have_any_line_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = CARDS.split()
    drawn = "\n".join(" ".join(words[start:end]) for start, end in ((0, 1), (1, 3), (3, 28), (28, 52)))
    deals, problems = read(drawn)
    assert problems == []
    assert deals[0].deal.cards == DEAL.cards
    assert deals[0].deal.code is None


WORDS = CARDS.split()
PYRAMID = [" ".join(WORDS[row * (row - 1) // 2 : row * (row + 1) // 2]) for row in range(1, 8)]


@pytest.mark.parametrize(
    "lines",
    [
        WORDS,
        [*PYRAMID, " ".join(WORDS[28:])],
        ["My deck", *PYRAMID[:6], f"[{PYRAMID[6].replace(' ', '] [')}]", "", " ".join(WORDS[28:]), "that is all"],
        [" ".join(WORDS[:28]), " ".join(WORDS[28:])],
        WORDS[:51],
    ],
)
@pytest.mark.parametrize("name", ["deal", "solve", "play --player first"])
def test_a_deck_given_as_a_file_of_deals_is_one_mistake(
    name: str, lines: list[str], call: Call, tmp_path: Path
) -> None:
    path = tmp_path / "deck"
    path.write_text("\n".join(lines) + "\n")
    done = call(*name.split(), path, "7")
    assert (done.code, len(done.records) > 0) == (3, True)
    assert done.err == (
        f"{path}: cards, but no line is a deal; pyramide deal --deck FILE reads one deck over many lines\n"
    )


@pytest.mark.parametrize("lines", [["Kd", "5", "6c"], ["Kd", "what", "ever"], ["Kd"], [f"{CARDS} Kd", CARDS[3:]]])
def test_lines_that_are_no_deck_are_named_one_by_one(lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / "deals"
    path.write_text("\n".join(lines) + "\n")
    deals, problems = read(path)
    assert len(deals) + len(problems) == len(lines)
    assert all(problem.startswith(f"{path}:") for problem in problems)


def test_files_stdin_and_deals_come_in_the_order_of_the_arguments(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"3\n"))
    done = shell("echo 4 | pyramide deal 0 a - PY1-N-AAAAAAF b.gz --format code", tmp_path)
    assert [line[-1] for line in done.stdout.split()] == list("ABCEFD")
    assert done.stderr == ""


def test_a_file_named_like_a_deal_is_reached_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("18").write_text("1\n")
    assert read("18")[0][0].deal == DEAL
    assert read("./18")[0][0].deal == OTHER
    Path("PY2-N-AAAAAAA").write_text("18\n")
    assert read("PY2-N-AAAAAAA")[0][0].deal == DEAL


def test_fifos_and_links_are_read(tmp_path: Path) -> None:
    (tmp_path / "deals").write_text("18\n")
    (tmp_path / "link").symlink_to("deals")
    os.mkfifo(tmp_path / "fifo")
    writer = threading.Thread(target=lambda: (tmp_path / "fifo").write_text("18\n"))
    writer.start()
    deals, problems = read(tmp_path / "link", tmp_path / "fifo")
    writer.join()
    assert [item.deal for item in deals] == [DEAL, DEAL]
    assert problems == []


def test_a_log_gives_its_deals_and_the_moves_are_passed_over(tmp_path: Path) -> None:
    log = tmp_path / "log"
    move = '{"type":"move","v":1,"game":"g","n":1,"move":"Kd","score":10,"moves":1}'
    end = '{"type":"end","v":1,"game":"g","outcome":"given-up","score":10,"moves":1,"undos":0}'
    log.write_text("\n".join([RECORD, move, end, RECORD]) + "\n")
    deals, problems = read(log)
    assert problems == []
    assert [(item.deal, item.rules, item.line) for item in deals] == [
        (DEAL, RULES["relaxed"], 1),
        (DEAL, RULES["relaxed"], 4),
    ]


def test_rules_of_the_command_line_come_before_those_of_a_record_and_those_before_the_default(call: Call) -> None:
    text = f"{RECORD}\n18\n"
    own, default = (record["rules"] for record in call("deal", "-", text=text).records)
    assert (own, default) == ("relaxed", "pyramide")
    rules = [record["rules"] for record in call("deal", "-", "--rules", "king-tut", text=text).records]
    assert rules == ["relaxed", "relaxed"]
    own, default = (record["rules"] for record in call("deal", "-", "--passes", "2", text=text).records)
    assert own == "easy"
    assert (default["passes"], default["deal_waste"]) == (2, True)
    own, default = (
        record["rules"]
        for record in call("deal", "-", "--rules", "par", "--passes", "unlimited", "--drawn-pair", text=text).records
    )
    assert own == default
    assert (own["passes"], own["scoring"], own["drawn_pair"]) == (None, "par", True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("PY1-N-AAAAA0S", "character 12 is '0' (did you mean O?)"),
        ("PY1-N-AAAAAA", "it ends after character 12"),
        ("34359738368", "deal numbers run from 0 to 34359738367"),
        ("-5", "deal numbers run from 0"),
        ("9" * 5000, "deal numbers run from 0"),
        ("Kd Kd", "missing: Ac "),
        (CARDS.replace("Jd", "Jx"), "malformed: 'Jx'"),
        (CARDS + " Jd", "double: Jd"),
        ("what", "'what' is not a deal code"),
        ("{}", 'the key "type" is missing'),
        ('{"type":"deal","v":1}', "neither a code nor cards"),
        (RECORD.replace("relaxed", "tut"), "no rules are called 'tut'"),
        (RECORD[:30], "broken JSON"),
        ("\x1b[31mPY1", "\\x1b[31mPY1"),
        ("\0", "\\x00"),
    ],
)
def test_a_bad_line_is_named_and_reading_goes_on(line: str, message: str, call: Call, tmp_path: Path) -> None:
    path = tmp_path / "deals"
    path.write_text(f"1\n\n{line}\n2\n")
    done = call("deal", path, "--format", "code")
    assert done.out == b"PY1-N-AAAAAAB\nPY1-N-AAAAAAC\n"
    assert done.code == 3
    assert done.err.startswith(f"{path}:3: ")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert "\x1b" not in done.err
    strict = call("deal", path, "--format", "code", "--strict")
    assert (strict.out, strict.code, strict.err) == (b"PY1-N-AAAAAAB\n", 3, done.err)


def test_lines_that_are_no_text(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "deals"
    path.write_bytes(b"1\nPY1-\xff\n" + b"x" * (17 << 20) + b"\n2\n")
    done = call("deal", path, "--format", "code")
    assert done.out.split() == [b"PY1-N-AAAAAAB", b"PY1-N-AAAAAAC"]
    assert done.err == (
        f"{path}:2: not UTF-8: byte 0xff at column 5\n{path}:3: the line is longer than 16 MiB; it is left out\n"
    )
    path.write_text("1\n", encoding="utf-16")
    done = call("deal", path)
    assert (done.code, "this is UTF-16" in done.err) == (3, True)


@pytest.mark.parametrize(
    ("argument", "code", "message"),
    [
        ("none.txt", 5, "argument 2: 'none.txt' is neither a deal (a code, a number or 52 cards) nor a file"),
        ("x" * 5000, 5, "is neither a deal"),
        (".", 5, ".: cannot be read: is a directory"),
        ("PY1-N-AAAAAA8", 3, "argument 2: 'PY1-N-AAAAAA8' is not a deal code: character 13 is '8' (did you mean B?)"),
        ("PY2-N-AAAAAAA", 3, "argument 2: 'PY2-N-AAAAAAA' is not a deal code: character 3 is '2', but a code begins"),
        ("py-1", 3, "argument 2: 'py-1' is not a deal code: character 3 is '-'"),
        ("pyramid.txt", 5, "argument 2: 'pyramid.txt' is neither a deal"),
        ("99999999999", 3, "argument 2: deal numbers run from 0"),
        ("Kd Qd", 3, "argument 2: not a deck of 52 cards (2 read)"),
        ("", 3, "argument 2: there is no deal"),
        ("{", 3, "argument 2: broken JSON"),
    ],
)
def test_a_bad_argument_is_named_and_the_others_are_dealt(argument: str, code: int, message: str, call: Call) -> None:
    done = call("deal", "1", argument, "2", "--format", "code")
    assert done.out == b"PY1-N-AAAAAAB\nPY1-N-AAAAAAC\n"
    assert done.code == code
    assert message in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "deals"
    path.write_text("1\n")
    path.chmod(0)
    done = call("deal", path)
    assert (done.code, done.err) == (5, f"{path}: cannot be read: permission denied\n")


def test_a_code_that_does_not_deal_its_cards_is_reported_and_the_cards_count(call: Call) -> None:
    line = json.dumps({"type": "deal", "v": 1, "code": "PY1-N-AAAAAAB", "rules": "easy", "cards": CARDS})
    done = call("deal", "-", text=line)
    assert done.code == 3
    assert "<stdin>:1: the code PY1-N-AAAAAAB does not deal the cards beside it; the cards count" in done.err
    (record,) = done.records
    assert (record["code"], record["cards"], record["rules"]) == (None, CARDS, "easy")


@pytest.mark.parametrize("name", ["solve", "replay", "stats"])
def test_without_arguments_stdin_is_read_when_it_is_no_terminal(name: str, call: Call) -> None:
    assert call(name).code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
@pytest.mark.parametrize("name", ["solve", "replay", "stats"])
def test_without_arguments_at_a_terminal_the_help_is_shown(name: str) -> None:
    import pty

    ours, theirs = pty.openpty()
    done = program(name, stdin=theirs)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: pyramide {name}".encode())


def test_deal_reads_stdin_only_for_a_dash(call: Call) -> None:
    assert len(call("deal", "--seed", "1", text="1\n2\n").records) == 1
    assert len(call("deal", "-", text="1\n2\n").records) == 2


def test_many_codes_come_as_one_array_and_mean_the_same(tmp_path: Path) -> None:
    codes = [Deal.from_number(number).code for number in range(1000, 1300)]
    plain = tmp_path / "plain"
    plain.write_text("".join(f"{code}\n" for code in codes))
    (batch,) = read_deal_batches([str(plain)], lambda problem: None)
    assert not isinstance(batch, LocatedDeal)
    assert batch.tolist() == list(range(1000, 1300))
    # Whatever is not just codes is read line by line.
    for number, line in enumerate(["py1-n-aaaaaab", "PY1-N-AAAAAA1", "PY1-N-AAAAAABB\nPY1-N-AAAAAA", " ", "7"]):
        mixed = tmp_path / f"mixed {number}"
        mixed.write_text("".join(f"{code}\n" for code in codes) + f"{line}\n")
        problems: list[Problem] = []
        items = list(read_deal_batches([str(mixed)], problems.append))
        assert all(isinstance(item, LocatedDeal) for item in items)
        assert len(items) + len(problems) == 300 + (line != " ") + ("\n" in line)


def test_deals_can_be_counted_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "deals"
    path.write_text("1\n2\n3\n")
    assert count_deals(["5", "PY1-N-AAAAAAB", str(path)]) == 5
    assert count_deals(["5", "-"]) is None
    assert count_deals([str(tmp_path)]) is None
    assert count_deals([str(tmp_path / "none")]) == 1


LINES = st.text(st.characters(exclude_characters="\n"), max_size=30) | st.sampled_from(
    ["PY1-N-AAAAAAB", "7", CARDS, RECORD, RECORD[:-1], "Kd", "{", "10♣", "-", "PY1-N-"]
)


@given(st.lists(LINES, max_size=20))
def test_any_lines_give_deals_or_problems(lines: list[str]) -> None:
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write("\n".join(lines).encode("utf-8", "surrogatepass"))
        file.flush()
        deals, problems = read(file.name)
    # Blank is what bytes call space: a control character such as 0x1f is not, though a text would strip it.
    filled = [line for line in lines if line.encode("utf-8", "surrogatepass").strip()]
    assert len(deals) + len(problems) <= len(filled) + 1
    assert all(problem.startswith(file.name) for problem in problems)
