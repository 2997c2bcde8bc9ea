"""Overall results: games won and solutions found, a row for each group, and the total."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import Key, cell, decode, encode, key_order, key_row
from pyramide_cli.reports.intervals import rate, wilson
from pyramide_cli.reports.keys import KEYS, columns_of, games_by, keys_of, solutions_by
from pyramide_cli.reports.report import Column, Plot, Report, Row

if TYPE_CHECKING:
    import pandas as pd

_MOST_ROWS = 1000
_BY = ("player", "day", "week", "deal")

_FIGURES = (
    Column("games", "games", "count", about="Every game once, the open ones too."),
    Column("open", "open", "count", optional=True, about="Games whose log just ends: no wins, and no losses either."),
    Column("wins", "wins", "count"),
    Column("rate", "win rate", "rate", optional=True, about="Wins among the games that are over."),
    Column("rate_low", "from", "rate", optional=True, about="Lower end of the rate's 95 % Wilson interval."),
    Column("rate_high", "to", "rate", optional=True, about="Upper end of it."),
    Column("moves_mean", "moves/win", "mean", optional=True, about="Mean of the move counter over wins."),
    Column("moves_n", "n", "count", optional=True, about="The wins that this mean is over."),
    Column("score_mean", "score/game", "mean", optional=True, about="Mean score over the games that are over."),
    Column("score_n", "n", "count", optional=True, about="The games that this mean is over."),
    Column("time_mean", "s/win", "seconds", optional=True, about="Mean seconds over the wins that have a time."),
    Column("time_n", "n", "count", optional=True, about="The wins that this mean is over."),
    Column("solutions", "solutions", "count", optional=True, about="Every solution that was read."),
    Column("winnable", "winnable", "count", optional=True),
    Column("unwinnable", "unwinnable", "count", optional=True),
    Column("undecided", "undecided", "count", optional=True),
    Column("faulty", "faulty", "count", optional=True, about="Games and solutions that do not verify."),
)

_AVERAGED = (
    "Win rate: wins among the games that are over, with its 95 % Wilson interval. Moves and time: means over wins; "
    "score: over all games that are over. Each n counts the games that the mean before it is over."
)
_AVERAGES = ("rate", "rate_low", "rate_high", "moves_mean", "score_mean", "time_mean")


def report(data: Data, question: Question, *, name: str, by: Sequence[str]) -> Report:
    """Return the results by rules and the columns of `by`, with a total."""
    keys = keys_of(question, by, _BY)
    by_rules = _rows(data, ["rules"])
    total = _total(by_rules)
    notes = []
    if total["games"]:
        notes.append(_AVERAGED)
    if len(by_rules) > 1:
        total |= dict.fromkeys(_AVERAGES) | {f"{key}_n": None for key in ("moves", "score", "time")}
        notes.append("The rows are under different rules: the total has their counts, but no average across them.")
    top = question.top or (_MOST_ROWS if "deal" in keys else None)
    largest, groups = (None, 0) if top is None else _largest(data, keys, top)
    rows = _rows(data, keys, largest)
    if groups > len(rows):
        notes.append(
            f"The {len(rows):,} largest of {groups:,} rows are shown, the total counts all; --top N shows more."
        )
    return Report(
        name,
        "Results by " + " and ".join(KEYS[key].label for key in keys),
        (*columns_of(keys), *_FIGURES),
        rows,
        total,
        (*notes, *data.notes()),
        _plots(rows, keys),
    )


def _count(row: Row, name: str) -> int:
    value = row[name]
    assert isinstance(value, int)
    return value


def _largest(data: Data, keys: list[str], top: int) -> tuple[set[Key], int]:
    """Return the keys of the groups with the most games and solutions, and how many groups there are.

    Of a million deals only these become rows; among equals those come first that were read first.
    """
    import pandas as pd

    both = pd.concat([read(data, keys)[keys].astype(object) for read in (games_by, solutions_by)], ignore_index=True)
    codes, names = encode(both, keys)
    sizes = codes.groupby(keys, sort=False).size().sort_values(ascending=False, kind="stable")
    return set(decode(sizes.head(top).reset_index(), keys, names)), len(sizes)


def _rows(data: Data, keys: list[str], only: set[Key] | None = None) -> list[Row]:
    """Return a row for each group, or only for some, in the order of their keys."""
    rows: dict[Key, Row] = {}
    for key, row in _games(data, keys, only):
        rows[key] = row
    for key, row in _solutions(data, keys, only):
        rows[key] = rows.get(key, {}) | row
    for key, count in _faulty(data, keys):
        rows[key] = rows.get(key, {}) | {"faulty": count}
    blank: Row = dict.fromkeys(("games", "open", "wins", "moves_n", "score_n", "time_n"), 0)
    blank |= dict.fromkeys(("solutions", "winnable", "unwinnable", "undecided", "faulty"), 0)
    return [
        key_row(keys, key) | blank | rows[key] for key in sorted(rows, key=key_order) if only is None or key in only
    ]


def _chosen(frame: pd.DataFrame, keys: list[str], only: set[Key] | None) -> pd.DataFrame:
    """Return the rows of a frame that may belong to these groups: those with the last of their keys."""
    if only is None:
        return frame
    last = {key[-1] for key in only}
    known = frame[keys[-1]].isin([value for value in last if value is not None])
    return frame[known | frame[keys[-1]].isna()] if None in last else frame[known]


def _games(data: Data, keys: list[str], only: set[Key] | None) -> list[tuple[Key, Row]]:
    games = _chosen(games_by(data, keys, "outcome", "moves", "score", "t"), keys, only)
    if games.empty:
        return []
    won, over = games["outcome"] == "won", games["outcome"] != "open"
    codes, names = encode(games, keys)
    figures = codes.assign(
        open=~over,
        wins=won,
        moves=games["moves"].where(won),
        score=games["score"].where(over),
        time=games["t"].where(won),
    )
    table = figures.groupby(keys, sort=False).agg(
        games=("wins", "size"),
        open=("open", "sum"),
        wins=("wins", "sum"),
        moves_mean=("moves", "mean"),
        moves_n=("moves", "count"),
        score_mean=("score", "mean"),
        score_n=("score", "count"),
        time_mean=("time", "mean"),
        time_n=("time", "count"),
    )
    return list(zip(decode(table.reset_index(), keys, names), map(_finished, _plain(table)), strict=True))


def _finished(row: Row) -> Row:
    """Add the rate and its interval to the counts of a row."""
    wins, over = _count(row, "wins"), _count(row, "games") - _count(row, "open")
    low, high = wilson(wins, over)
    return row | {"rate": cell(rate(wins, over)), "rate_low": cell(low), "rate_high": cell(high)}


def _plain(table: pd.DataFrame) -> list[Row]:
    columns = {str(name): [cell(value) for value in table[name]] for name in table.columns}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _solutions(data: Data, keys: list[str], only: set[Key] | None) -> list[tuple[Key, Row]]:
    solutions = _chosen(solutions_by(data, keys, "verdict"), keys, only)
    if solutions.empty:
        return []
    verdict = solutions["verdict"]
    codes, names = encode(solutions, keys)
    figures = codes.assign(solutions=1, **{name: verdict == name for name in ("winnable", "unwinnable", "undecided")})
    table = figures.groupby(keys, sort=False).sum()
    return list(zip(decode(table.reset_index(), keys, names), _plain(table), strict=True))


def _faulty(data: Data, keys: list[str]) -> list[tuple[Key, int]]:
    """Count what does not verify, by the same keys, whether or not the other figures leave it out."""
    counts: dict[Key, int] = {}
    everything = Data(data.store)
    for faults, read in ((data.store.games.faults, games_by), (data.store.solutions.faults, solutions_by)):
        if not faults:
            continue
        frame = read(everything, keys, "faulty")
        frame = frame[frame["faulty"]]
        codes, texts = encode(frame, keys)
        for key in decode(codes, keys, texts):
            counts[key] = counts.get(key, 0) + 1
    return list(counts.items())


def _total(rows: list[Row]) -> Row:
    counts = ("games", "open", "wins", "solutions", "winnable", "unwinnable", "undecided", "faulty")
    total: Row = {name: sum(_count(row, name) for row in rows) for name in counts}
    total = _finished(total)
    for name in ("moves", "score", "time"):
        parts = [(row[f"{name}_mean"], _count(row, f"{name}_n")) for row in rows if row[f"{name}_n"]]
        n = sum(part[1] for part in parts)
        weighted = sum(mean * count for mean, count in parts if isinstance(mean, int | float))
        total |= {f"{name}_mean": round(weighted / n, 9) if n else None, f"{name}_n": n}
    return total


def _plots(rows: list[Row], keys: list[str]) -> tuple[Plot, ...]:
    plots = []
    if any(row["games"] for row in rows):
        when = next((key for key in keys if key in ("day", "week")), None)
        plots.append(
            Plot(
                "lines" if when else "dots",
                when or "rate",
                ("rate",),
                KEYS[when].label if when else "win rate in %, 95 % interval",
                "win rate in %" if when else "",
                low="rate_low",
                high="rate_high",
                count="games",
                facet=("rules",) if len(keys) > 1 else (),
            )
        )
    if any(row["solutions"] for row in rows):
        plots.append(
            Plot("rows", "solutions", ("winnable", "undecided", "unwinnable"), "solutions", "", count="solutions")
        )
    return tuple(plots)
