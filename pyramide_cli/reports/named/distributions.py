"""How moves, time, score, cards left, recycles and solution lengths are distributed: quantiles and histograms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyramide_cli.messages import counted
from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import key_row, split
from pyramide_cli.reports.keys import columns_of, games_by, keys_of, solutions_by
from pyramide_cli.reports.report import Column, Kind, Plot, Report, Row
from pyramide_cli.reports.spread import SPREAD, bins, spread

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Quantity:
    """Something that is measured once a game or solution: its words and unit, what an axis says, its columns."""

    name: str
    words: str
    unit: str
    title: str
    columns: tuple[str, ...]
    values: Callable[[pd.DataFrame], pd.Series]
    whole: bool = True


GAME_QUANTITIES = {
    quantity.name: quantity
    for quantity in (
        Quantity("moves", "moves", "moves", "moves", ("moves",), lambda games: games["moves"]),
        Quantity("time", "time", "seconds", "time in seconds", ("t",), lambda games: games["t"], whole=False),
        Quantity("score", "score", "points", "score in points", ("score",), lambda games: games["score"]),
        Quantity(
            "left", "pyramid left", "cards", "pyramid cards left", ("cleared",), lambda games: 28 - games["cleared"]
        ),
        Quantity("all-left", "all left", "cards", "all cards left", ("removed",), lambda games: 52 - games["removed"]),
        Quantity("recycles", "recycles", "recycles", "recycles", ("recycles",), lambda games: games["recycles"]),
    )
}
SOLUTION_QUANTITIES = (
    Quantity("length", "length", "moves", "length in moves", ("length",), lambda solutions: solutions["length"]),
    Quantity("states", "states", "positions", "positions stored", ("states",), lambda solutions: solutions["states"]),
    Quantity(
        "seconds",
        "search time",
        "seconds",
        "search time in seconds",
        ("seconds",),
        lambda solutions: solutions["seconds"],
    ),
)

_WHAT = (
    Column("quantity", "quantity", "text", key=True),
    Column("unit", "unit", "text"),
    Column("over", "over", "text", key=True),
)


def _game_rows(data: Data, keys: list[str]) -> Iterator[Row]:
    """Yield a row for every quantity of games in every group, over wins and over all games that are over."""
    needed = dict.fromkeys(name for quantity in GAME_QUANTITIES.values() for name in quantity.columns)
    games = games_by(data, keys, "outcome", *needed)
    for key, group in split(games[games["outcome"] != "open"], keys):
        wins = group[group["outcome"] == "won"]
        for quantity in GAME_QUANTITIES.values():
            for over, part in (("wins", wins), ("games over", group)):
                figures = spread(quantity.values(part))
                # Every win clears the pyramid and nearly all score the same: such a row would say nothing.
                if figures["n"] and not (over == "wins" and quantity.name in ("left", "all-left", "score")):
                    yield key_row(keys, key) | _measured(quantity, over) | figures


def _solution_rows(data: Data) -> Iterator[Row]:
    """Yield a row for every quantity of solutions to every question: lengths of winnable deals, effort of all."""
    needed = dict.fromkeys(name for quantity in SOLUTION_QUANTITIES for name in quantity.columns)
    solutions = solutions_by(data, ["rules", "find"], "verdict", *needed)
    for (rules, find), group in split(solutions, ["rules", "find"]):
        winnable = group[group["verdict"] == "winnable"]
        for quantity in SOLUTION_QUANTITIES:
            over, part = ("winnable", winnable) if quantity.name == "length" else ("solutions", group)
            figures = spread(quantity.values(part))
            if figures["n"]:
                yield {"rules": rules} | _measured(quantity, f"{over}, {find or 'checked'}") | figures


def _measured(quantity: Quantity, over: str) -> Row:
    return {"quantity": quantity.words, "unit": quantity.unit, "over": over}


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return quantiles of everything that is measured."""
    keys = keys_of(question)
    return Report(
        name,
        "Distributions by rules" + "".join(f" and {key}" for key in keys[1:]),
        (*columns_of(keys), *_WHAT, *SPREAD),
        [*_game_rows(data, keys), *_solution_rows(data)],
        None,
        (
            "Each row is over what it says: wins, all games that are over, or solutions; n counts its values.",
            *data.notes(),
        ),
        (
            Plot(
                "dots",
                "median",
                ("median",),
                "median, and the middle half of the values",
                "",
                low="q25",
                high="q75",
                count="n",
                facet=("quantity", "unit"),
            ),
        ),
    )


def histogram(data: Data, question: Question, *, name: str) -> Report:
    """Return how many games there are in each bin of one quantity, wins and others apart."""
    quantity = GAME_QUANTITIES[name]
    keys = keys_of(question)
    games = games_by(data, keys, "outcome", *quantity.columns)
    rows: list[Row] = []
    missing = 0
    for key, group in split(games[games["outcome"] != "open"], keys):
        values, won = quantity.values(group), group["outcome"] == "won"
        missing += int(values.isna().sum())
        series = [values[won], values[~won]]
        rows.extend(key_row(keys, key) | row for row in binned(series, ("won", "not_won"), whole=quantity.whole))
    notes = ["Over all games that are over; shares are of the games under the same rules."]
    if missing:
        some = counted(missing, "game that is over does not say it and is", "games that are over do not say it and are")
        notes.append(f"{some} left out.")
    title = f"Distribution of {quantity.title} by rules" + "".join(f" and {key}" for key in keys[1:])
    edge: Kind = "count" if quantity.whole else "number"
    return Report(
        name,
        title,
        (
            *columns_of(keys),
            Column("from", "from", edge, key=True),
            Column("to", "to" if quantity.whole else "below", edge, key=True),
            Column("won", "won", "count"),
            Column("not_won", "not won", "count"),
            Column("share", "share", "rate"),
            Column("up_to", "up to here", "rate", about="The share of this bin and of those above it."),
        ),
        rows,
        None,
        (*notes, *data.notes()),
        (
            Plot(
                "bars",
                "from",
                ("won", "not_won"),
                quantity.title,
                "games",
                x_to="to",
                facet=tuple(keys),
            ),
        ),
    )


def binned(series: list[pd.Series], names: tuple[str, ...], *, whole: bool) -> list[Row]:
    """Return a row a bin, with the count of every series, the bin's share and the share up to it."""
    table = bins(series, whole=whole)
    everything = sum(sum(counts) for _, _, counts in table)
    rows: list[Row] = []
    done = 0
    for low, high, counts in table:
        done += sum(counts)
        edges: Row = {"from": int(low), "to": int(high)} if whole else {"from": low, "to": high}
        row: Row = dict(zip(names, counts, strict=True))
        rows.append(edges | row | {"share": round(sum(counts) / everything, 9), "up_to": round(done / everything, 9)})
    return rows


def lengths(data: Data, question: Question, *, name: str) -> Report:
    """Return how many winnable deals have a solution of each length."""
    keys = keys_of(question, ("find",), ("find",))
    solutions = solutions_by(data, keys, "verdict", "length")
    winnable = solutions[solutions["verdict"] == "winnable"]
    rows: list[Row] = []
    for key, group in split(winnable, keys):
        parts = binned([group["length"]], ("solutions",), whole=True)
        rows.extend(key_row(keys, key) | row for row in parts)
    return Report(
        name,
        "Distribution of solution lengths by rules" + "".join(f" and {key}" for key in keys[1:]),
        (
            *columns_of(keys),
            Column("from", "from", "count", key=True),
            Column("to", "to", "count", key=True),
            Column("solutions", "solutions", "count"),
            Column("share", "share", "rate"),
            Column("up_to", "up to here", "rate"),
        ),
        rows,
        None,
        ("Over the winnable solutions with a length; only `find` shortest gives shortest lengths.", *data.notes()),
        (Plot("bars", "from", ("solutions",), "length (moves)", "solutions", x_to="to", facet=tuple(keys)),),
    )
