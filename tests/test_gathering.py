"""How records become rows: logs followed move by move, each game once, and the identities that must hold."""

from __future__ import annotations

import io
import json
import math
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramide_cli import RULES, Deal, Game, solve
from pyramide_cli.moves import UNDO
from pyramide_cli.players import play_out
from pyramide_cli.records import Problem, encode, read_records
from pyramide_cli.replay import Checked, replay
from pyramide_cli.reports import Data, Gatherer, Question, logbook, make
from pyramide_cli.reports.formats import dump
from pyramide_cli.reports.naming import rules_label
from pyramide_cli.reports.spread import MOST_BINS, bins
from pyramide_cli.reports.store import Store
from pyramide_cli.reports.tally import Tally, card_set, entry_code
from pyramide_cli.reports.truth import broken_game, broken_line, broken_solution
from pyramide_cli.reports.verified import gather_verified
from pyramide_cli.rules import Rules
from tests.calling import caller

DATA = Path(__file__).parent / "data"
PYRAMIDE = RULES["pyramide"]


def gathered(*texts: bytes) -> tuple[Store, list[str]]:
    problems: list[Problem] = []
    gatherer = Gatherer(problems.append)
    for number, text in enumerate(texts):
        gatherer.add_all(read_records(io.BytesIO(text), f"log{number}"))
    return gatherer.finish(), [str(problem) for problem in problems]


def lines(number: int = 1, player: str = "greedy", game: str = "g") -> list[bytes]:
    return [encode(record) for record in play_out(Deal.from_number(number), PYRAMIDE, player, seed=1, game_id=game)]


def figures(store: Store, game: str) -> dict[str, Any]:
    row = store.games.row_of[game]
    values = {name: column[row] for name, column in store.games.counts.items()}
    return {"outcome": store.games.outcome.label(row)} | values


def test_games_may_be_interleaved_and_spread_over_files() -> None:
    one, two = lines(1, game="a"), lines(2, game="b")
    apart, none = gathered(b"".join(one + two))
    mixed = [line for pair in zip(one, two, strict=False) for line in pair]
    mixed += one[len(two) :] + two[len(one) :]
    together, problems = gathered(b"".join(mixed[:40]), b"".join(mixed[40:]))
    assert none == problems == []
    for game in ("a", "b"):
        assert figures(together, game) == figures(apart, game)


def test_the_better_account_of_a_game_counts() -> None:
    log = lines()
    whole, open_game = b"".join(log), b"".join(log[:20])
    for texts in ((open_game, whole), (whole, open_game), (whole, whole)):
        store, problems = gathered(*texts)
        assert problems == []
        assert len(store.games) == 1
        assert figures(store, "g")["outcome"] != "open"


def test_the_same_id_for_another_deal_is_reported() -> None:
    store, problems = gathered(b"".join(lines(1)), b"".join(lines(2)))
    assert len(store.games) == 1
    assert len(problems) == 1
    assert problems[0].startswith("log1:1: game 'g' was another deal")


def test_many_open_games_keep_their_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games beyond the bound are put aside; taken up again, they keep all but the kinds of their moves."""
    monkeypatch.setattr(logbook, "_MOST_OPEN", 2)
    logs = [lines(number, game=str(number)) for number in range(1, 5)]
    starts = b"".join(line for log in logs for line in log[:10])
    rests = b"".join(line for log in logs for line in log[10:])
    store, problems = gathered(starts + rests)
    whole, _ = gathered(b"".join(line for log in logs for line in log))
    assert problems == []
    for game in "1234":
        found, expected = figures(store, game), figures(whole, game)
        assert {key: found[key] for key in ("outcome", "score", "moves")} == {
            key: expected[key] for key in ("outcome", "score", "moves")
        }
    assert figures(store, "4") == figures(whole, "4")


def test_nothing_follows_the_end_of_a_game() -> None:
    """As in a replay: what stands behind the end is reported, once a game, and does not count."""
    *log, end = lines()
    undo = json.loads(log[-1]) | {"n": 999, "move": "undo"}
    again = json.loads(end) | {"undos": 1}
    text = b"".join([*log, end, *(json.dumps(line).encode() + b"\n" for line in (undo, again)), *lines(2, game="h")])
    store, problems = gathered(text)
    before, none = gathered(b"".join([*log, end]))
    assert problems == [f"log0:{len(log) + 2}: game 'g' has moves here after its end; they are left out"]
    assert none == []
    assert figures(store, "g") == figures(before, "g")
    checked = [item for item in replay(read_records(io.BytesIO(text), "log0")) if isinstance(item, Checked)]
    faults = {item.record.game: item.record.fault for item in checked}
    assert faults["h"] is None
    assert str(faults["g"]).startswith(f"log0:{len(log) + 2}: ")


def test_results_without_a_deal_count_as_solutions_only() -> None:
    brief = {"type": "solution", "v": 1, "code": None, "rules": "pyramide", "find": "any", "verdict": "winnable"}
    store, problems = gathered((json.dumps(brief | {"length": 60}) + "\n").encode())
    assert (problems, len(store.solutions), len(store.games)) == ([], 1, 0)


@pytest.mark.parametrize(("key", "value"), [("moves", 2**31), ("score", -(2**53)), ("t", 1e300)])
def test_figures_that_no_game_has_are_refused(key: str, value: float) -> None:
    record = {"type": "game", "v": 1, "code": "PY1-N-AAAAAAS", "outcome": "stuck", "score": 0, "moves": 1, key: value}
    store, problems = gathered((json.dumps(record) + "\n").encode())
    assert len(store.games) == 0
    assert "too large" in problems[0]


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from(list(RULES)), st.randoms(use_true_random=False))
def test_the_tally_agrees_with_the_engine(number: int, name: str, random: Any) -> None:
    game = Game(Deal.from_number(number), RULES[name])
    tally = Tally(card_set(game.deal.pyramid))
    for _ in range(80):
        moves = game.legal_moves()
        move = (
            UNDO if game.undoable and (not moves or random.random() < 0.3) else random.choice(moves) if moves else None
        )
        if move is None:
            break
        game.apply(move)
        tally.add(entry_code(str(move)))
    counts = tally.counts()
    assert counts is not None
    assert (counts.removals, counts.draws, counts.recycles) == (game.removals, game.draws, game.recycles)
    assert (counts.cleared, counts.removed, tally.undos) == (game.cleared, game.removed, game.undos)


def test_the_tally_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = Tally(0)
    for _ in range(100_000):
        tally.add(entry_code("draw"))
    assert len(tally._recent) <= 2 * 4096
    counts = tally.counts()
    assert counts is not None
    assert counts.draws == 100_000


def test_undoing_further_than_is_kept_leaves_the_counts_unknown() -> None:
    tally = Tally(0)
    for text in ["draw"] * 10_000 + ["undo"] * 10_000:
        tally.add(entry_code(text))
    assert tally.counts() is None
    assert tally.undos == 10_000


@pytest.mark.parametrize(
    ("outcome", "counts", "word"),
    [
        ("won", {"score": 270}, "280"),
        ("won", {"cleared": 27}, "27"),
        ("won", {"removals": 14}, "14 removals"),
        ("won", {"moves": 14}, "14 moves"),
        ("stuck", {"score": 30, "cleared": 4}, "40"),
        ("stuck", {"score": 290}, "between"),
        ("stuck", {"removals": 3, "removed": 7}, "cannot take"),
        ("stuck", {"removals": 3, "removed": 2}, "cannot take"),
        ("stuck", {"cleared": 5, "removed": 4}, "only 4"),
        ("stuck", {"cleared": 29}, "29"),
        ("stuck", {"removed": 53}, "53"),
        ("stuck", {"moves": 5, "removals": 2, "draws": 2, "recycles": 2, "undos": 0}, "at least"),
        ("stuck", {"moves": 7, "removals": 2, "draws": 2, "recycles": 2, "undos": 0}, "add up to 6"),
    ],
)
def test_broken_identities_of_games(outcome: str, counts: dict[str, int | None], word: str) -> None:
    message = broken_game(PYRAMIDE, outcome, counts)
    assert message is not None
    assert word in message


def test_identities_follow_the_rules() -> None:
    assert broken_game(PYRAMIDE.replace(cover_pair=True), "won", {"removals": 14}) is None
    assert broken_game(RULES["classic"], "won", {"removed": 51}) is not None
    assert broken_game(RULES["relaxed"], "stuck", {"score": 10}) is not None
    assert broken_game(RULES["microsoft"], "won", {"score": 1291}) is not None
    assert broken_game(PYRAMIDE, "won", {}) is None, "what is not known breaks nothing"


@pytest.mark.parametrize(
    ("verdict", "counts", "word"),
    [
        ("undecided", {"lower": 40, "upper": 30}, "above"),
        ("winnable", {"length": 12}, "12 moves"),
        ("winnable", {"length": 40, "lower": 39}, "lower bound 39"),
        ("unwinnable", {"cleared": 28}, "whole pyramid"),
    ],
)
def test_broken_identities_of_solutions(verdict: str, counts: dict[str, int | None], word: str) -> None:
    message = broken_solution(PYRAMIDE, verdict, "shortest", counts, optimal=True)
    assert message is not None
    assert word in message


def test_the_balance_of_pairs_holds_for_solved_deals_and_not_for_others() -> None:
    rules = RULES["classic"].replace(passes=None)
    for number in range(4):
        deal = Deal.from_number(number)
        found = solve(deal, rules, find="any")
        if found.line is not None and found.removed == 52:
            assert broken_line(deal, found.line) is None
            removals = [move for move in found.line if len(move.cards) == 2]
            inside = set(deal.pyramid)
            without = next(move for move in removals if sum(card in inside for card in move.cards) != 1)
            assert broken_line(deal, [move for move in found.line if move is not without]) is not None
            return
    pytest.fail("none of four deals can be won without a limit of passes")


@pytest.mark.parametrize(("key", "value"), [("move", "Kx"), ("cost", 2**40)])
def test_a_judged_move_that_is_none_is_left_out_whole(key: str, value: object) -> None:
    record = {"type": "analysis", "v": 1, "game": "g", "n": 1, "move": "Kd", "before": "winnable", "after": "winnable"}
    good, bad = ((json.dumps(each) + "\n").encode() for each in (record, record | {key: value}))
    store, problems = gathered(good + bad)
    assert (len(store.judgements), len(problems)) == (1, 1)
    (row,) = make("losses", Data(store), Question()).rows
    assert (row["where"], row["games"]) == ("not lost", 1)


def test_verified_gathering_marks_what_the_engine_contradicts() -> None:
    good, bad = lines(1, game="good"), lines(2, game="bad")
    bad[5] = bad[5].replace(b'"n":5,', b'"n":6,')
    solution = json.loads(solution_line(3))
    solution["line"][0] = "recycle"
    text = b"".join([*good, *bad]) + solution_line(1) + (json.dumps(solution) + "\n").encode()
    problems: list[str] = []
    store = gather_verified(read_records(io.BytesIO(text), "log"), lambda problem: problems.append(str(problem)))
    assert list(store.games.faults) == [store.games.row_of["bad"]]
    assert list(store.solutions.faults) == [1]
    assert len(problems) == 2
    total = make("summary", Data(store, apart=True), Question()).total
    assert total is not None
    assert (total["games"], total["solutions"], total["faulty"]) == (1, 1, 2)


def test_a_log_that_is_verified_twice_counts_once() -> None:
    text = b"".join(lines())
    items = [item for name in ("one", "two") for item in read_records(io.BytesIO(text), name)]
    problems: list[str] = []
    store = gather_verified(items, lambda problem: problems.append(str(problem)))
    assert (problems, len(store.games), store.games.faults) == ([], 1, {})


def solution_line(number: int) -> bytes:
    from pyramide_cli.batches import solution_record

    return encode(solution_record(solve(Deal.from_number(number), RULES["relaxed"], find="most")))


def test_labels_of_rules_differ_where_the_rules_do() -> None:
    several = [*RULES.values()]
    for axis, values in (("passes", (1, 2, 3, 7, None)), ("goal", ("all", "pyramid")), ("undo_limit", (0, 5, None))):
        several += [rules.replace(**{axis: value}) for rules in RULES.values() for value in values]
    labels: dict[str, Rules] = {}
    for rules in several:
        assert labels.setdefault(rules_label(rules), rules).axes() == rules.axes()
    assert rules_label(PYRAMIDE.replace(passes=3)) == "pyramide passes=3"


def test_known_lengths_of_the_500_decks() -> None:
    """The public shortest lengths, written as solutions, give the counts and quantiles that a loop over them gives."""
    lengths = [int(line) for line in (DATA / "random-500-shortest.txt").read_text().split()]
    text = "".join(
        json.dumps(
            {
                "type": "solution",
                "v": 1,
                "code": None,
                "rules": "microsoft",
                "find": "shortest",
                "verdict": "winnable" if length else "unwinnable",
                "length": length or None,
            }
        )
        + "\n"
        for length in lengths
    )
    store, problems = gathered(text.encode())
    assert problems == []
    (row,) = make("solver", Data(store), Question()).rows
    known = sorted(length for length in lengths if length)
    assert (row["solutions"], row["winnable"], row["undecided"]) == (500, len(known), 0)
    assert row["rate_lost"] == pytest.approx(len(known) / 500)
    assert (row["length_min"], row["length_max"]) == (known[0], known[-1])
    assert row["length_median"] == statistics.median(known)
    assert row["length_mean"] == pytest.approx(sum(known) / len(known))
    place = 0.25 * (len(known) - 1)
    low = known[math.floor(place)]
    assert row["length_q25"] == pytest.approx(low + (known[math.floor(place) + 1] - low) * (place % 1))
    counts = Counter(known)
    for line in make("lengths", Data(store), Question()).rows:
        first, last = line["from"], line["to"]
        assert isinstance(first, int)
        assert isinstance(last, int)
        assert line["solutions"] == sum(counts[length] for length in range(first, last + 1))


def test_the_500_decks_solved_and_reported(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    call = caller(capfdbinary, monkeypatch)
    solved = call("solve", "--rules", "microsoft", DATA / "random-500.txt").out
    (row,) = json.loads(call("stats", "--report", "solver", "--format", "json", text=solved).out)["rows"]
    known = [int(line) for line in (DATA / "random-500-shortest.txt").read_text().split() if int(line)]
    assert (row["solutions"], row["winnable"], row["undecided"]) == (500, len(known), 0)
    quantiles = statistics.quantiles(known, n=4, method="inclusive")
    assert [row[f"length_{name}"] for name in ("q25", "median", "q75")] == quantiles
    assert (row["length_min"], row["length_max"]) == (min(known), max(known))
    assert row["length_mean"] == pytest.approx(statistics.mean(known))


def test_a_code_that_does_not_deal_its_cards_is_reported() -> None:
    first, *rest = lines(1)
    wrong = json.loads(first) | {"code": "PY1-N-AAAAAAC"}
    store, problems = gathered((json.dumps(wrong) + "\n").encode() + b"".join(rest))
    assert len(store.games) == 1
    assert store.games.deal[0] == wrong["cards"], "the cards count"
    assert problems == ["log0:1: the code PY1-N-AAAAAAC does not deal the cards beside it; the cards count"]


@pytest.mark.parametrize("values", [[1e9, 1e9], [0, 1e9], [3, 2**31 - 1], [0.1, 0.1000001], [0], [-50, 50]])
@pytest.mark.parametrize("whole", [True, False])
def test_bins_are_few_and_hold_everything(values: list[float], whole: bool) -> None:
    import pandas as pd

    if whole and not all(float(value).is_integer() for value in values):
        return
    table = bins([pd.Series(values, dtype="float64")], whole=whole)
    assert sum(counts[0] for _, _, counts in table) == len(values)
    assert len(table) <= MOST_BINS + 2


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
TYPES = ("deal", "move", "end", "game", "solution", "analysis")
KEYS = (
    "game code rules cards player at n move score moves t outcome undos removals draws recycles cleared removed checked"
    " fault verdict length optimal states seconds find lower upper line before after left_before left_after cost"
).split()
LIKELY: dict[str, Any] = {
    "game": "g",
    "code": "PY1-N-AAAAAAS",
    "rules": "pyramide",
    "at": "2026-11-30T08:00:00Z",
    "n": 1,
    "move": "Kd",
    "score": 10,
    "moves": 1,
    "outcome": "won",
    "undos": 0,
    "verdict": "winnable",
    "length": 40,
    "find": "shortest",
    "before": "winnable",
    "after": "unwinnable",
}


@st.composite
def record_lines(draw: st.DrawFn) -> bytes:
    """Draw lines that are nearly records: right types, likely values, some keys with anything in them."""
    made = []
    for _ in range(draw(st.integers(1, 6))):
        record: dict[str, Any] = {"type": draw(st.sampled_from(TYPES)), "v": 1} | LIKELY
        for key in draw(st.lists(st.sampled_from(KEYS), max_size=3)):
            record[key] = draw(JSON_VALUES)
        made.append(json.dumps(record))
    return ("\n".join(made) + "\n").encode("utf-8", "surrogatepass")


@settings(max_examples=100)
@given(
    record_lines(), st.sampled_from(["summary", "distributions", "ranking", "losses", "solver", "efficiency", "deal"])
)
def test_no_record_breaks_a_report(text: bytes, name: str) -> None:
    store, problems = gathered(text)
    assert all(problem.startswith("log0:") for problem in problems)
    report = make(name, Data(store), Question())
    for each in ("table", "csv", "json", "markdown", "html"):
        shown = dump(report if each != "html" else make(name, Data(Store()), Question()), each)
        assert isinstance(shown, str)
        assert not [char for char in shown if char != "\n" and not char.isprintable()]
