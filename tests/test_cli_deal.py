"""`pyramide deal`: sources, formats, and the search for deals."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from pyramide_cli import RULES, Deal, solve
from pyramide_cli.bulk import DealLines, card_lines, chunks, code_lines, numbers_of_codes
from pyramide_cli.deals import DEAL_COUNT, code_of
from pyramide_cli.records import DealRecord, deal_record, decode, encode
from pyramide_cli.selection import Search, Wanted
from tests.calling import Call, caller
from tests.program import PATIENCE, program, start

call = pytest.fixture(caller)

DEAL = Deal.from_code("PY1-N-AAAAAAS")
PUBLIC = "Jd 6c 7h As 4d Qs 5h 3d 6h 8s Kh Kc Ad Ks 9c Qc 2c 8d Td Ts Js 7c Tc 3h 4h 3s Kd 7s 7d"


def codes(call: Call, *arguments: str) -> list[str]:
    done = call("deal", *arguments, "--format", "code")
    assert (done.code, done.err) == (0, "")
    return done.out.decode().split()


# Sources.


def test_one_random_deal_where_nothing_is_said(call: Call) -> None:
    first, second = codes(call), codes(call)
    assert len(first) == len(second) == 1
    assert first != second
    assert len(codes(call, "--random")) == 1


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 20_000])
def test_a_seed_gives_the_same_deals_for_any_count(count: int, call: Call) -> None:
    many = codes(call, "--seed", "1", "--count", str(count))
    assert len(many) == count
    assert many[:3] == codes(call, "--seed", "1", "--count", "3")[:count]
    assert codes(call, "--seed", "2", "--count", "3") != many[:3]


@pytest.mark.parametrize("start", ["PY1-N-AAAAAAS", "py1-n-aaaaaas", "18"])
def test_counting_up(start: str, call: Call) -> None:
    assert codes(call, "--start", start, "--count", "3") == ["PY1-N-AAAAAAS", "PY1-N-AAAAAAT", "PY1-N-AAAAAAU"]
    assert codes(call, "--start", start) == ["PY1-N-AAAAAAS"]
    assert codes(call, "--start", start, "--count", "600")[-1] == code_of(617)


def test_the_codes_end(call: Call) -> None:
    last = code_of(DEAL_COUNT - 1)
    assert codes(call, "--start", last) == [last]
    done = call("deal", "--start", last, "--count", "2")
    assert (done.code, done.out) == (2, b"")
    assert "leaves only 1 deal up" in done.err


def test_numbers_may_be_written_for_people(call: Call) -> None:
    for count in ("1000", "1_000", "1,000"):
        assert len(codes(call, "--count", count)) == 1000


def test_count_limits_the_deals_that_are_given(call: Call) -> None:
    assert codes(call, "1", "2", "3", "--count", "2") == ["PY1-N-AAAAAAB", "PY1-N-AAAAAAC"]


def test_a_drawn_board_is_read_back_as_a_deck(call: Call) -> None:
    (dealt,) = call("deal", "5").records
    board = call("deal", "5", "--format", "text").out.decode()
    _, drawn, _ = board.split("\n\n")  # what stands over the pyramid, the pyramid, what stands under it
    assert drawn.count("[") == 7
    stock = " ".join(dealt["cards"].split()[28:])
    (read,) = call("deal", "--deck", "-", text=f"{drawn}\n{stock}\n").records
    assert (read["cards"], read["code"]) == (dealt["cards"], None)


def test_a_deck_is_spread_over_any_lines(call: Call, tmp_path: Path) -> None:
    words = DEAL.text().split()
    rows = ["   ".join(words[row * (row - 1) // 2 : row * (row + 1) // 2]) for row in range(1, 8)]
    path = tmp_path / "deck"
    path.write_text("\n".join([*rows, "", *words[28:]]).replace("T", "10"))
    done = call("deal", "--deck", path)
    assert done.code == 0
    (record,) = done.records
    assert (record["code"], record["cards"]) == (None, DEAL.text())
    assert call("deal", "--deck", "-", text=path.read_bytes()).out == done.out


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (b"Jd Jd Jx", 3, "deck: not a deck of 52 cards (2 read); missing: "),
        (b"", 3, "deck: there is no deal"),
        (b"\xff", 3, "deck: not UTF-8 text"),
        (b"Jd\n" * 400_000, 3, "deck: this is no deck: it is longer than 1,024 KiB"),
        (None, 5, "deck: cannot be read: no such file or directory"),
    ],
)
def test_a_bad_deck_is_told_in_one_message(
    text: bytes | None, code: int, message: str, call: Call, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / "deck").write_bytes(text)
    done = call("deal", "--deck", tmp_path / "deck")
    assert (done.code, done.out) == (code, b"")
    assert done.err.count("\n") == 1
    assert message in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["1", "--start", "2"],
        ["1", "--random"],
        ["--start", "2", "--random"],
        ["1", "--deck", "x"],
        ["--deck", "x", "--start", "1"],
        ["1", "--seed", "1"],
        ["--start", "1", "--seed", "1"],
        ["--seed", "-1"],
        ["--start", "PY1-N-AAAAAA1"],
        ["--start", "-1"],
        ["--winnable", "--unwinnable"],
        ["--unwinnable", "--length", "40"],
        ["--tries", "5"],
        ["--length", "50-40"],
        ["--length", "x"],
        ["--length", "-"],
        ["1", "2", "--format", "svg"],
        ["--count", "2", "--format", "svg"],
    ],
    ids=" ".join,
)
def test_options_that_contradict_each_other(arguments: list[str], call: Call) -> None:
    done = call("deal", *arguments)
    assert (done.code, done.out) == (2, b"")


# Formats.


def test_jsonl(call: Call) -> None:
    (record,) = call("deal", "PY1-N-AAAAAAS", "--rules", "par").records
    assert record == {"type": "deal", "v": 1, "code": "PY1-N-AAAAAAS", "rules": "par", "cards": DEAL.text()}


def test_cards_begin_with_what_is_public(call: Call) -> None:
    assert call("deal", "PY1-N-AAAAAAS", "--format", "cards").out.decode() == DEAL.text() + "\n"
    assert DEAL.text().startswith(PUBLIC)


def test_a_deal_without_a_code(call: Call) -> None:
    done = call("deal", DEAL.text(), "1", "--format", "code")
    assert (done.code, done.out) == (3, b"PY1-N-AAAAAAB\n")
    assert "has no code" in done.err


def test_text_draws_the_board_and_marks_free_cards(call: Call) -> None:
    done = call("deal", "PY1-N-AAAAAAS", "1", "--format", "text")
    assert done.code == 0
    first, second = done.out.decode().split("\n\nPY1")
    assert "[K♦]" in first
    assert "[7♦]" in first
    assert "\x1b" not in first
    assert second.startswith("-N-AAAAAAB")
    assert "\x1b[" in call("deal", "1", "--format", "text", "--color", "always").out.decode()


def test_describe_is_a_sentence_a_line(call: Call) -> None:
    done = call("deal", "PY1-N-AAAAAAS", "--format", "describe", "--rules", "easy")
    lines = done.out.decode().splitlines()
    assert lines[0] == "Stock: 24 cards."
    assert lines[1] == "Waste: empty."
    assert lines[2].startswith("Row 1: jack of diamonds")
    assert lines[-1] == "Deal PY1-N-AAAAAAS, rules easy."
    assert all(line.endswith(".") for line in lines)


def test_svg_is_one_picture(call: Call) -> None:
    done = call("deal", "PY1-N-AAAAAAS", "--format", "svg")
    assert done.out.startswith(b"<svg ")
    assert done.out.count(b"<svg") == 1


@pytest.mark.parametrize("form", ["jsonl", "cards", "code"])
@pytest.mark.parametrize("rules", ["pyramide", "own"])
def test_many_deals_are_the_same_as_one_at_a_time(form: str, rules: str, call: Call) -> None:
    extra = ["--rules", "par", "--passes", "7"] if rules == "own" else []
    many = call("deal", "--start", "0", "--count", "300", "--format", form, *extra).out
    single = call("deal", *map(str, range(300)), "--format", form, *extra).out
    assert many == single


def test_arrays_of_text() -> None:
    rules = RULES["microsoft"]
    numbers = np.array([0, 18, 9, DEAL_COUNT - 1, 123_456_789], dtype=np.uint64)
    deals = [Deal.from_number(number) for number in numbers.tolist()]
    assert code_lines(numbers).decode().split() == [deal.code for deal in deals]
    assert card_lines(numbers).decode().splitlines() == [deal.text() for deal in deals]
    assert DealLines(rules)(numbers) == b"".join(encode(deal_record(deal, rules)) for deal in deals)
    again = numbers_of_codes(code_lines(numbers).split())
    assert again is not None
    assert again.tolist() == numbers.tolist()
    assert [chunk.tolist() for chunk in chunks(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert numbers_of_codes([b"PY1-N-AAAAAA", b"PY1-N-AAAAAAAA"]) is None
    assert numbers_of_codes([b"PY1-N-AAAAAA0"]) is None


def test_a_million_codes_take_seconds() -> None:
    started = time.monotonic()
    done = program("deal", "--count", "1000000", "--format", "code")
    assert done.stdout.count(b"\n") == 1_000_000
    assert time.monotonic() - started < 20


# Searching.


def test_winnable_and_unwinnable_part_the_deals(call: Call) -> None:
    everything = codes(call, "--seed", "4", "--count", "30")
    winnable = codes(call, *everything, "--winnable")
    unwinnable = codes(call, *everything, "--unwinnable")
    assert sorted(winnable + unwinnable) == sorted(everything)
    for code in everything:
        assert (code in winnable) is (solve(Deal.from_code(code), find="any").verdict == "winnable")


def test_a_search_goes_on_until_enough_are_found(call: Call) -> None:
    found = codes(call, "--seed", "4", "--count", "7", "--unwinnable")
    assert len(found) == 7
    assert found == codes(call, *codes(call, "--seed", "4", "--count", "100"), "--unwinnable", "--count", "7")


def test_length_is_that_of_a_shortest_solution(call: Call) -> None:
    rules = ["--rules", "relaxed", "--drawn-pair"]
    (code,) = codes(call, "--seed", "4", "--length", "30-50", *rules)
    solution = solve(Deal.from_code(code), RULES["relaxed"].replace(drawn_pair=True))
    assert solution.length is not None
    assert 30 <= solution.length <= 50
    assert codes(call, code, "--length", str(solution.length), *rules) == [code]
    assert codes(call, code, f"--length=-{solution.length}", *rules) == [code]
    assert codes(call, code, "--length", f"{solution.length}-", *rules) == [code]
    for other in (f"{solution.length + 1}-", f"=-{solution.length - 1}"):
        done = call("deal", code, f"--length{other}" if "=" in other else f"--length={other}", *rules)
        assert (done.code, done.out) == (0, b"")


def test_a_search_that_finds_too_few_says_so(call: Call) -> None:
    arguments = ["--seed", "4", "--length", "1-2", "--rules", "relaxed", "--tries", "20"]
    done = call("deal", *arguments)
    assert (done.code, done.out) == (0, b"")
    assert done.err == "pyramide: found 0 of 1 deals in 20 tries\n"
    assert call("deal", *arguments, "--exit-code").code == 1
    assert call("deal", "--seed", "4", "--winnable", "--exit-code").code == 0


def test_of_named_deals_all_are_wanted(call: Call) -> None:
    for deals, options, code in (
        (["18", "2"], [], 0),
        (["18", "9"], [], 1),
        (["9"], [], 1),
        (["9", "18"], ["--count", "1"], 0),
        (["9", "18"], ["--count", "2"], 1),
    ):
        done = call("deal", "--winnable", "--exit-code", *deals, *options, "--format", "code")
        assert (done.code, done.out.count(b"\n")) == (code, len(deals) - deals.count("9"))
        assert ("found 1 of 2 deals" in done.err) == (options == ["--count", "2"])


def test_fewer_named_deals_than_wanted_are_told(call: Call) -> None:
    done = call("deal", "5", "--count", "3", "--format", "code")
    assert (done.code, done.out) == (0, b"PY1-N-AAAAAAF\n")
    assert done.err == "pyramide: dealt 1 of 3 deals: no more were named\n"
    assert call("deal", "5", "--count", "3", "--exit-code").code == 1
    assert call("deal", "-", "--count", "3", "--exit-code", text="1\n2\n").code == 1
    assert codes(call, "5", "6", "--count", "2", "--exit-code") == ["PY1-N-AAAAAAF", "PY1-N-AAAAAAG"]
    assert codes(call, "5", "6", "--count", "1", "--exit-code") == ["PY1-N-AAAAAAF"]


def test_a_search_that_leaves_a_deal_undecided_ends_with_4(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyramide_cli.selection.MAX_STATES", 10)
    arguments = ["7", "--length", "1-"]
    done = call("deal", *arguments, "--exit-code")
    assert (done.code, done.out) == (4, b"")
    assert done.err == "pyramide: found 0 deals in 1 try, 1 of them undecided\n"
    assert call("deal", *arguments).code == 0


def test_a_search_uses_the_rules_of_each_record(call: Call) -> None:
    text = b"".join(encode(deal_record(Deal.from_number(9), RULES[name])) for name in ("easy", "relaxed", "pyramide"))
    done = call("deal", "-", "--unwinnable", text=text)
    assert [json.loads(line)["rules"] for line in done.out.splitlines()] == ["easy", "relaxed", "pyramide"]


def test_an_undecided_deal_is_never_taken() -> None:
    solution = solve(Deal.from_number(7), max_states=10)
    assert solution.verdict == "undecided"
    for wanted in (Wanted(winnable=True), Wanted(winnable=False), Wanted(length=(None, 99)), Wanted(length=(1, None))):
        assert not wanted.fits(solution)
    assert Search(Wanted(winnable=True)).wanted.find == "any"


def test_deals_written_by_one_program_are_read_by_the_next(call: Call) -> None:
    text = call("deal", "--seed", "1", "--count", "5", "--rules", "par").out
    assert call("deal", "-", text=text).out == text
    assert all(isinstance(decode(line), DealRecord) for line in text.splitlines())


@pytest.mark.parametrize("option", ["--winnable", "--unwinnable"])
def test_a_search_for_many_deals_finds_the_same_as_a_search_for_few(option: str, call: Call) -> None:
    many = codes(call, "--seed", "4", "--count", "1000", option)
    assert len(many) == 1000
    assert many[:50] == codes(call, "--seed", "4", "--count", "50", option)
    done = call("deal", "--seed", "4", "--count", "1000", option, "--tries", "1000")
    assert done.err == f"pyramide: found {len(done.records):,} of 1,000 deals in 1,000 tries\n"
    assert 200 < len(done.records) < 800


def test_a_search_ends_with_its_last_deal_and_not_with_its_input() -> None:
    with start("deal", "--winnable", "--count", "1", "--format", "code", "-") as process:
        assert process.stdin is not None
        process.stdin.write(b"PY1-N-AAAAAAS\n")
        process.stdin.flush()
        assert process.wait(PATIENCE) == 0  # and the input is still open
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == (b"PY1-N-AAAAAAS\n", b"")
