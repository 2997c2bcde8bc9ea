"""Games that were won, held against the shortest solution of the same deal under the same rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramide_cli.messages import counted
from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import cell, key_row, mean, split
from pyramide_cli.reports.keys import columns_of, games_by, keys_of, solutions_by
from pyramide_cli.reports.report import Column, Plot, Report, Row

if TYPE_CHECKING:
    import pandas as pd

_FIGURES = (
    Column("wins", "wins", "count", about="All games won."),
    Column(
        "n", "compared", "count", about="Those whose deal has a shortest solution among the solutions that were read."
    ),
    Column("moves", "moves/win", "mean", about="Mean of the move counter over the compared wins."),
    Column("shortest", "shortest", "mean", about="Mean length of the shortest solutions of their deals."),
    Column("excess", "excess", "mean", about="Mean of moves less the shortest length."),
    Column("excess_median", "median", "number", about="Median of moves less the shortest length."),
    Column("excess_least", "least", "number"),
    Column("excess_most", "most", "number"),
    Column("efficiency", "efficiency", "rate", about="Mean of shortest length / moves over the compared wins."),
    Column("perfect", "perfect", "count", about="Wins in as few moves as possible."),
)


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return how many moves more than needed the wins of each player took."""
    keys = keys_of(question, ("player",))
    games = games_by(data, keys, "deal", "outcome", "moves")
    won = games[games["outcome"] == "won"]
    known = won.assign(deal=won["deal"].astype(object), rules=won["rules"].astype(object)).merge(
        _shortest(data), on=["rules", "deal"], how="left"
    )
    rows: list[Row] = []
    for key, group in split(known, keys):
        both = group[group["length"].notna() & group["moves"].notna()]
        rows.append(key_row(keys, key) | {"wins": len(group), "n": len(both)} | _figures(both))
    impossible = int((known["moves"] < known["length"]).sum())
    notes = [
        "Over the wins whose deal has a shortest solution under the same rules among the solutions that were read "
        "(solve --find shortest, proved where the record says so). Undone moves count in the moves of a game."
    ]
    if impossible:
        notes.append(
            f"{counted(impossible, 'win')} took fewer moves than a shortest solution: one of the two is wrong."
        )
    return Report(
        name,
        "Moves of wins against the shortest solutions",
        (*columns_of(keys), *_FIGURES),
        rows,
        None,
        (*notes, *data.notes()),
        (
            Plot(
                "rows",
                "shortest",
                ("shortest", "excess"),
                "mean moves a win: as few as possible, and in excess",
                "",
                count="n",
                facet=("rules",) if len(keys) > 1 else (),
            ),
        ),
    )


def _shortest(data: Data) -> pd.DataFrame:
    """Return the least proved shortest length of each deal under each rules."""
    solutions = solutions_by(data, ["rules", "deal", "find"], "verdict", "length", "optimal")
    proved = solutions[
        (solutions["find"] == "shortest")
        & (solutions["verdict"] == "winnable")
        & solutions["optimal"].fillna(True)
        & solutions["deal"].notna()
    ]
    plain = proved.assign(deal=proved["deal"].astype(object), rules=proved["rules"].astype(object))
    return plain.groupby(["rules", "deal"], sort=False)["length"].min().reset_index()


def _figures(both: pd.DataFrame) -> Row:
    if both.empty:
        return {"perfect": 0}
    moves, shortest = both["moves"].astype("float64"), both["length"].astype("float64")
    excess = moves - shortest
    return {
        "moves": mean(moves),
        "shortest": mean(shortest),
        "excess": mean(excess),
        "excess_median": cell(excess.median()),
        "excess_least": cell(excess.min()),
        "excess_most": cell(excess.max()),
        "efficiency": mean(shortest / moves),
        "perfect": int((excess == 0).sum()),
    }
