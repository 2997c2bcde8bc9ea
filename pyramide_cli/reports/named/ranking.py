"""The ranking of the app: score (high first), then time, then moves (low first), for each ruleset by itself."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from pyramide_cli.messages import counted
from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import cell, key_row, split
from pyramide_cli.reports.keys import columns_of, games_by, keys_of
from pyramide_cli.reports.report import Column, Plot, Report, Row

if TYPE_CHECKING:
    import pandas as pd

_TOP = 10

_FIGURES = (
    Column("rank", "rank", "count", key=True, about="Equal figures share a rank."),
    Column("player", "player", "text", optional=True),
    Column("score", "score", "count", optional=True),
    Column("time", "time (s)", "seconds", optional=True),
    Column("moves", "moves", "count"),
    Column("outcome", "outcome", "text"),
    Column("at", "dealt at (UTC)", "text", optional=True),
    Column("deal", "deal", "text"),
    Column("game", "game", "text"),
)


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return the best games of each ruleset; `--top` says how many."""
    keys = keys_of(question, (), ())
    top = question.top or _TOP
    games = games_by(data, keys, "player", "score", "t", "moves", "outcome", "at")
    over = games[games["outcome"] != "open"]
    ids = data.store.games.ids()
    rows = [
        key_row(keys, key) | _row(line) | {"deal": data.store.games.deal[line["row"]], "game": ids[line["row"]]}
        for key, group in split(over, keys)
        for line in _ranked(group).head(top).reset_index(names="row").to_dict("records")
    ]
    left_out = len(over) - len(rows)
    notes = ["Games that are over rank by score, then time, then moves; where there is no score, wins come first."]
    if left_out:
        notes.append(f"{counted(left_out, 'game ranks', 'games rank')} below these; --top N shows more.")
    return Report(
        name,
        "Ranking: score, then time, then moves",
        (*columns_of(keys), *_FIGURES),
        rows,
        None,
        (*notes, *data.notes()),
        (Plot("rows", "score", ("score",), "score in points", "", facet=("rules",), names=("rank", "player", "game")),),
    )


def _ranked(group: pd.DataFrame) -> pd.DataFrame:
    """Return the games best first, each with its rank."""
    order = group.assign(
        points=-group["score"].astype("Float64"),
        unwon=((group["outcome"] != "won") & group["score"].isna()).astype(int),
    )
    by = ["points", "unwon", "t", "moves"]
    order = order.sort_values(by, kind="stable", na_position="last")
    places = range(1, len(order) + 1)
    order["rank"] = [None if same else place for place, same in zip(places, order.duplicated(by), strict=True)]
    order["rank"] = order["rank"].ffill().astype("int64")
    return order


def _row(line: Mapping[Hashable, Any]) -> Row:
    at = line["at"]
    return {
        "rank": cell(line["rank"]),
        "player": cell(line["player"]),
        "score": cell(line["score"]),
        "time": cell(line["t"]),
        "moves": cell(line["moves"]),
        "outcome": cell(line["outcome"]),
        "at": None if at != at else at.isoformat().replace("+00:00", "Z"),
    }
