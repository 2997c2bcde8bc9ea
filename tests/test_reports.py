"""The named reports: their golden files, and their numbers against plain loops over the lines of the log."""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import pytest

from pyramide_cli.deals import Deal
from pyramide_cli.reports import REPORTS, Data, Question, Report, ReportError, make
from tests.report_golden import GOLDEN, read, written
from tests.report_log import LOG, OTHER

Line = dict[str, Any]


@pytest.fixture(scope="module")
def data() -> tuple[Data, Data]:
    return read()


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    return [json.loads(line) for line in LOG.read_text().splitlines()]


@pytest.fixture(scope="module")
def games(lines: list[Line]) -> list[Line]:
    return played(lines)


def played(lines: list[Line]) -> list[Line]:
    """Return each game of a log as one dictionary: its deal, its end, its last line, and the moves that stand."""
    found: dict[str, Line] = {}
    for line in lines:
        if line["type"] == "deal" and "game" in line:
            rules = line["rules"]
            name = rules if isinstance(rules, str) else "pyramide passes=3"
            found[line["game"]] = {**line, "rules": name, "line": [], "undos": 0, "outcome": "open"}
        elif line["type"] in ("move", "end"):
            game = found[line["game"]]
            game |= {key: line[key] for key in ("score", "moves", "t", "outcome") if key in line}
            if line["type"] == "move":
                if line["move"] == "undo":
                    game["undos"] += 1
                    game["line"].pop()
                else:
                    game["line"].append(line["move"])
    for game in found.values():
        pyramid = set(game["cards"].split()[:28])
        removals = [move.split("+") for move in game["line"] if move not in ("draw", "recycle")]
        game["removals"] = removals
        game["inside"] = [sum(card in pyramid for card in cards) for cards in removals]
        game["cleared"] = sum(game["inside"])
    return list(found.values())


def report(name: str, data: tuple[Data, Data], **question: Any) -> Report:
    return make(name, data[0], Question(**question))


def rows_by(report: Report, *keys: str) -> dict[tuple[Any, ...], Line]:
    return {tuple(row.get(key) for key in keys): row for row in report.rows}


def over(games: list[Line]) -> list[Line]:
    return [game for game in games if game["outcome"] != "open"]


def mean(values: list[float]) -> Any:
    return pytest.approx(sum(values) / len(values)) if values else None


def quantile(values: list[float], at: float) -> float:
    values = sorted(values)
    place = at * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


@pytest.mark.parametrize("name", REPORTS)
def test_golden_files(name: str, data: tuple[Data, Data]) -> None:
    for file, text in written(name, data).items():
        assert text == (GOLDEN / file).read_text(encoding="utf-8"), f"{file}: python -m tests.report_golden"


def test_no_golden_file_is_left_over() -> None:
    assert {path.name.rsplit(".", 1)[0] for path in GOLDEN.iterdir()} == set(REPORTS)


def test_overall_results(data: tuple[Data, Data], games: list[Line], lines: list[Line]) -> None:
    groups = defaultdict(list)
    for game in games:
        groups[game["rules"], game["player"]].append(game)
    rows = rows_by(report("summary", data), "rules", "player")
    for key, group in groups.items():
        row, ended = rows[key], over(group)
        wins = [game for game in ended if game["outcome"] == "won"]
        timed = [game["t"] for game in wins if "t" in game]
        assert (row["games"], row["open"], row["wins"]) == (len(group), len(group) - len(ended), len(wins))
        assert row["rate"] == pytest.approx(len(wins) / len(ended))
        assert row["moves_mean"] == mean([game["moves"] for game in wins])
        assert row["score_mean"] == mean([game["score"] for game in ended])
        assert (row["time_mean"], row["time_n"]) == (mean(timed), len(timed))
        assert (row["moves_n"], row["score_n"]) == (len(wins), len(ended))
    verdicts = Counter((line["rules"], line["verdict"]) for line in lines if line["type"] == "solution")
    for (rules, verdict), count in verdicts.items():
        assert rows[rules, None][verdict] == count
    total = report("summary", data).total
    assert total is not None
    assert total["games"] == len(games)
    assert total["solutions"] == verdicts.total()
    assert total["rate"] is None


def test_wilson_interval_by_its_definition(data: tuple[Data, Data]) -> None:
    for row in report("player", data).rows:
        n = row["games"] - row["open"]  # type: ignore[operator]
        for end in ("rate_low", "rate_high"):
            p = row.get(end)
            if p is not None and 0 < p < 1:  # type: ignore[operator]
                # The ends of the interval are the rates p that lie z standard errors of p from the rate seen.
                error = math.sqrt(p * (1 - p) / n)  # type: ignore[operator]
                assert abs(row["rate"] - p) / error == pytest.approx(1.959964, abs=1e-5)  # type: ignore[operator]


@pytest.mark.parametrize("name", ["day", "week"])
def test_days_and_weeks(name: str, data: tuple[Data, Data], games: list[Line]) -> None:
    from datetime import datetime, timedelta

    expected: Counter[tuple[str, str | None]] = Counter()
    for game in games:
        day = None
        if "at" in game:
            moment = datetime.fromisoformat(game["at"])
            day = (moment - timedelta(days=moment.weekday() if name == "week" else 0)).strftime("%Y-%m-%d")
        expected[game["rules"], day] += 1
    rows = rows_by(report(name, data), "rules", name)
    assert {key: row["games"] for key, row in rows.items() if row["games"]} == expected


def test_results_by_deal(data: tuple[Data, Data], games: list[Line]) -> None:
    expected = Counter((game["rules"], game["code"]) for game in games)
    rows = rows_by(report("deal", data, top=1000), "rules", "deal")
    assert {key: row["games"] for key, row in rows.items() if row["games"]} == expected


def test_ranking(data: tuple[Data, Data], games: list[Line]) -> None:
    for rules in {game["rules"] for game in games}:
        ended = [game for game in over(games) if game["rules"] == rules]
        ended.sort(key=lambda game: (-game["score"], game.get("t", math.inf), game["moves"]))
        rows = [row for row in report("ranking", data, top=5).rows if row["rules"] == rules]
        figures = [(row["score"], row["time"], row["moves"]) for row in rows]
        assert figures == [(game["score"], game.get("t"), game["moves"]) for game in ended[:5]]
        for (before, after), (row, following) in zip(pairwise(figures), pairwise(rows), strict=True):
            assert (row["rank"] == following["rank"]) == (before == after)


def test_streaks(data: tuple[Data, Data], games: list[Line]) -> None:
    groups = defaultdict(list)
    for game in sorted(over(games), key=lambda game: game.get("at", "~")):
        groups[game["rules"], game["player"]].append(game["outcome"] == "won")
    for key, row in rows_by(report("streaks", data), "rules", "player").items():
        runs = "".join("W" if won else "L" for won in groups[key])
        assert row["longest_wins"] == max(map(len, runs.split("L")))
        assert row["longest_losses"] == max(map(len, runs.split("W")))
        assert row["current"] == len(runs) - len(runs.rstrip(runs[-1]))
        assert row["current_kind"] == {"W": "wins", "L": "losses"}[runs[-1]]


def test_quantiles(data: tuple[Data, Data], games: list[Line], lines: list[Line]) -> None:
    rows = rows_by(report("distributions", data), "rules", "quantity", "over")
    values: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for game in over(games):
        rules = game["rules"]
        for name, value in (
            ("moves", game["moves"]),
            ("time", game.get("t")),
            ("score", game["score"]),
            ("pyramid left", 28 - game["cleared"]),
            ("all left", 52 - sum(map(len, game["removals"]))),
            ("recycles", game["line"].count("recycle")),
        ):
            if value is not None:
                values[rules, name, "games over"].append(value)
                if game["outcome"] == "won" and name not in ("score", "pyramid left", "all left"):
                    values[rules, name, "wins"].append(value)
    for line in lines:
        if line["type"] == "solution":
            if line["verdict"] == "winnable":
                values[line["rules"], "length", f"winnable, {line['find']}"].append(line["length"])
            values[line["rules"], "states", f"solutions, {line['find']}"].append(line["states"])
            values[line["rules"], "search time", f"solutions, {line['find']}"].append(line["seconds"])
    assert set(rows) == set(values)
    for key, row in rows.items():
        known = values[key]
        assert row["n"] == len(known)
        assert row["mean"] == mean(known)
        assert (row["min"], row["max"]) == (min(known), max(known))
        assert row["median"] == pytest.approx(statistics.median(known))
        for name, at in (("q05", 0.05), ("q25", 0.25), ("q75", 0.75), ("q95", 0.95)):
            assert row[name] == pytest.approx(quantile(known, at)), (key, name)
        if len(known) > 1:
            assert row["sd"] == pytest.approx(statistics.stdev(known))


@pytest.mark.parametrize("name", ["moves", "time", "score", "left", "all-left", "recycles"])
def test_histograms(name: str, data: tuple[Data, Data], games: list[Line]) -> None:
    found = report(name, data)
    for rules in {row["rules"] for row in found.rows}:
        rows = [row for row in found.rows if row["rules"] == rules]
        for won in (True, False):
            for row in rows:
                low: Any = row["from"]
                high: Any = row["to"]
                inside = 0
                for game in over(games):
                    value = {
                        "moves": game["moves"],
                        "time": game.get("t"),
                        "score": game["score"],
                        "left": 28 - game["cleared"],
                        "all-left": 52 - sum(map(len, game["removals"])),
                        "recycles": game["line"].count("recycle"),
                    }[name]
                    if game["rules"] == rules and (game["outcome"] == "won") == won and value is not None:
                        inside += low <= value < high if name == "time" else low <= value <= high
                assert row["won" if won else "not_won"] == inside
        assert rows[-1]["up_to"] == 1
        assert sum(row["share"] for row in rows) == pytest.approx(1)  # type: ignore[misc]


def test_kinds(data: tuple[Data, Data], games: list[Line]) -> None:
    for (rules,), rows in _grouped(report("kinds", data), "rules").items():
        ended = [game for game in over(games) if game["rules"] == rules]
        expected = Counter(
            {
                "king": sum(len(cards) == 1 for game in ended for cards in game["removals"]),
                "draw": sum(game["line"].count("draw") for game in ended),
                "recycle": sum(game["line"].count("recycle") for game in ended),
                "undo": sum(game["undos"] for game in ended),
                "removal of any kind": sum(len(game["removals"]) for game in ended),
            }
        )
        words = {2: "pair inside the pyramid", 1: "pair with stock or waste", 0: "pair without the pyramid"}
        for game in ended:
            for cards, inside in zip(game["removals"], game["inside"], strict=True):
                if len(cards) == 2:
                    expected[words[inside]] += 1
        made = expected["removal of any kind"] + expected["draw"] + expected["recycle"]
        for row in rows:
            count = expected.pop(row["kind"])
            assert (row["count"], row["games"]) == (count, len(ended))
            assert row["mean"] == pytest.approx(count / len(ended))
            assert row.get("share") == (pytest.approx(count / made) if row["kind"] != "undo" else None) or not count
        assert not +expected


def _grouped(report: Report, *keys: str) -> dict[tuple[Any, ...], list[Line]]:
    groups: dict[tuple[Any, ...], list[Line]] = defaultdict(list)
    for row in report.rows:
        groups[tuple(row[key] for key in keys)].append(row)
    return groups


def test_efficiency(data: tuple[Data, Data], games: list[Line], lines: list[Line]) -> None:
    shortest = {
        (line["rules"], line["code"]): line["length"]
        for line in lines
        if line["type"] == "solution" and line["find"] == "shortest" and line["verdict"] == "winnable"
    }
    compared = 0
    for key, row in rows_by(report("efficiency", data), "rules", "player").items():
        wins = [game for game in games if game["outcome"] == "won" and (game["rules"], game["player"]) == key]
        pairs = [
            (game["moves"], shortest[game["rules"], game["code"]])
            for game in wins
            if (game["rules"], game["code"]) in shortest
        ]
        compared += len(pairs)
        assert (row["wins"], row["n"]) == (len(wins), len(pairs))
        if pairs:
            assert row["excess"] == mean([moves - length for moves, length in pairs])
            assert row["efficiency"] == mean([length / moves for moves, length in pairs])
            assert row["excess_median"] == statistics.median(moves - length for moves, length in pairs)
    assert compared


def test_losses(data: tuple[Data, Data], games: list[Line], lines: list[Line]) -> None:
    outcomes = {game["game"]: game["outcome"] for game in games}
    judged = defaultdict(list)
    for line in lines:
        if line["type"] == "analysis":
            judged[line["game"]].append(line)
    expected: Counter[str] = Counter()
    for game, entries in judged.items():
        fatal = [entry for entry in entries if (entry["before"], entry["after"]) == ("winnable", "unwinnable")]
        if entries[-1]["after"] == "winnable":
            expected["won" if outcomes[game] == "won" else "left while winnable"] += 1
        elif fatal:
            move = fatal[-1]["move"]
            expected["pair" if "+" in move else "king" if move[0] == "K" else move] += 1
        else:
            expected["unwinnable from the start"] += 1
    found = report("losses", data)
    assert {row["where"]: row["games"] for row in found.rows} == expected


def test_hardest(data: tuple[Data, Data], lines: list[Line]) -> None:
    lengths = [
        line["length"]
        for line in lines
        if (line["type"], line.get("find"), line.get("rules"), line.get("verdict"))
        == ("solution", "shortest", "pyramide", "winnable")
    ]
    rows = [row for row in report("hardest", data, top=2).rows if row["rules"] == "pyramide"]
    hard = [row["length"] for row in rows if row["end"] == "hardest"]
    easy = [row["length"] for row in rows if row["end"] == "easiest"]
    assert hard == sorted(lengths, reverse=True)[:2]
    assert easy == sorted(lengths)[:2]


def test_hardest_played_names_a_deal_once(data: tuple[Data, Data], games: list[Line]) -> None:
    found = report("hardest-played", data, top=100)
    assert Counter((row["rules"], row["deal"]) for row in found.rows) == Counter(
        {(game["rules"], game["code"]): 1 for game in over(games)}
    )
    for row in found.rows:
        same = [game for game in over(games) if (game["rules"], game["code"]) == (row["rules"], row["deal"])]
        assert row["wins"] == sum(game["outcome"] == "won" for game in same)


def test_solver(data: tuple[Data, Data], lines: list[Line]) -> None:
    for key, row in rows_by(report("solver", data), "rules", "find").items():
        group = [line for line in lines if line["type"] == "solution" and (line["rules"], line["find"]) == key]
        verdicts = Counter(line["verdict"] for line in group)
        assert row["rate_lost"] == pytest.approx(verdicts["winnable"] / len(group))
        assert row["rate_won"] == pytest.approx((verdicts["winnable"] + verdicts["undecided"]) / len(group))
        lengths = [line["length"] for line in group if line["verdict"] == "winnable"]
        assert (row["length_n"], row["length_median"]) == (len(lengths), statistics.median(lengths))
        assert row["seconds_total"] == pytest.approx(sum(line["seconds"] for line in group))


def test_lengths(data: tuple[Data, Data], lines: list[Line]) -> None:
    for row in report("lengths", data).rows:
        low: Any = row["from"]
        high: Any = row["to"]
        assert row["solutions"] == sum(
            line["type"] == "solution"
            and (line["rules"], line["find"], line["verdict"]) == (row["rules"], row["find"], "winnable")
            and low <= line["length"] <= high
            for line in lines
        )


def test_compare(data: tuple[Data, Data], games: list[Line]) -> None:
    others = played([json.loads(line) for line in OTHER.read_text().splitlines()])
    first = [{}, {}]  # type: list[dict[tuple[str, str], Line]]
    for side, group in enumerate((games, others)):
        for game in over(group):
            first[side].setdefault((game["rules"], game["code"]), game)
    found = rows_by(make("compare", data[0], Question(against=data[1])), "rules_a", "rules_b", "what")
    for rules in {rules for rules, _ in first[0]}:
        shared = [
            (game, first[1]["pyramide", code])
            for (theirs, code), game in first[0].items()
            if theirs == rules and ("pyramide", code) in first[1]
        ]
        if not shared:
            continue
        row = found[rules, "pyramide", "won"]
        won = Counter((a["outcome"] == "won", b["outcome"] == "won") for a, b in shared)
        assert row["pairs"] == len(shared)
        assert [row[name] for name in ("both", "only_a", "only_b", "neither")] == [
            won[True, True],
            won[True, False],
            won[False, True],
            won[False, False],
        ]
        few, n = min(won[True, False], won[False, True]), won[True, False] + won[False, True]
        p = min(1.0, 2 * sum(math.comb(n, k) for k in range(few + 1)) / 2**n) if n else None
        assert row["p"] == (pytest.approx(p) if p is not None else None)
        both = [(a["moves"], b["moves"]) for a, b in shared if a["outcome"] == b["outcome"] == "won"]
        if both:
            assert found[rules, "pyramide", "moves"]["difference"] == mean([b - a for a, b in both])


@pytest.mark.parametrize(
    ("name", "question", "word"),
    [
        ("streaks", {"top": 3}, "--top"),
        ("compare", {"by": "player"}, "--by"),
        ("kinds", {"by": "deal"}, "--by takes rules or player here, not .deal."),
        ("summary", {"by": "find"}, "--by takes rules, player, day, week or deal here, not .find."),
        ("ranking", {"by": "player"}, "--by takes rules here, not .player."),
        ("sumary", {}, "no report is called 'sumary'"),
    ],
)
def test_what_a_report_cannot_do_is_said(name: str, question: Line, word: str, data: tuple[Data, Data]) -> None:
    with pytest.raises(ReportError, match=word):
        report(name, data, **question)


@pytest.mark.parametrize("name", ["distributions", "moves", "kinds", "losses", "efficiency", "streaks"])
def test_players_can_be_told_apart(name: str, data: tuple[Data, Data]) -> None:
    apart = report(name, data, by="player")
    assert {row.get("player") for row in apart.rows} >= {"me"}
    together = report(name, data, by="rules")
    assert "player" not in {column.name for column in together.columns}
    assert len(together.rows) <= len(apart.rows)


def test_the_largest_groups_are_taken_and_the_total_counts_all(data: tuple[Data, Data], games: list[Line]) -> None:
    found = report("deal", data, top=4)
    sizes = Counter((game["rules"], game["code"]) for game in games)
    assert len(found.rows) == 4
    assert found.total is not None
    assert found.total["games"] == len(games)
    assert min(row["games"] for row in found.rows) >= sorted(sizes.values())[-4] - 1  # type: ignore[type-var, operator]
    assert "4 largest of" in " ".join(found.notes)


def test_compare_needs_a_second_set(data: tuple[Data, Data]) -> None:
    with pytest.raises(ReportError, match="--against"):
        report("compare", data)


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_gives_an_empty_report(name: str) -> None:
    from pyramide_cli.reports import FORMATS, dump
    from pyramide_cli.reports.extras import installed
    from pyramide_cli.reports.store import Store

    nothing = Data(Store())
    found = make(name, nothing, Question(against=nothing))
    assert found.rows == []
    for each in FORMATS:
        if each != "parquet" or installed("pyarrow"):
            assert dump(found, each)


def test_codes_deal_the_cards_of_the_log(games: list[Line]) -> None:
    """The loops above take codes for deals; they are."""
    for game in games[:5]:
        assert Deal.from_code(game["code"]).text() == game["cards"]
