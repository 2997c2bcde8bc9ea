"""The hardest and the easiest deals: for the solver by the length of a shortest solution, for players by their wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import cell, key_row, split
from pyramide_cli.reports.intervals import wilson
from pyramide_cli.reports.keys import columns_of, games_by, keys_of, solutions_by
from pyramide_cli.reports.report import Column, Plot, Report, Row

if TYPE_CHECKING:
    import pandas as pd

_TOP = 10

_PLACE = (
    Column("end", "end", "text", key=True),
    Column("place", "place", "count", key=True),
    Column("deal", "deal", "text"),
)
_NAMES = ("end", "place", "deal")
_SOLVED = (
    Column("length", "length", "count", about="Moves of the shortest solution."),
    Column("states", "states", "count", about="Positions that the search stored."),
    Column("seconds", "time (s)", "seconds", about="Time of the search."),
)
_PLAYED = (
    Column("games", "games", "count", about="Games of the deal that are over."),
    Column("wins", "wins", "count"),
    Column("rate", "win rate", "rate"),
    Column("rate_low", "from", "rate", about="Lower end of the rate's 95 % Wilson interval."),
    Column("rate_high", "to", "rate", about="Upper end of it."),
)


def solved(data: Data, question: Question, *, name: str) -> Report:
    """Return the deals with the longest and with the shortest of the shortest solutions; `--top` says how many."""
    return _report(
        name,
        "The hardest and the easiest deals to solve",
        _SOLVED,
        _rows(_solved(data), question, ["length", "states"], harder_is_more=True),
        "Over the winnable deals with a shortest solution: by its length, then by the states of the search. A deal "
        "that was solved more than once counts as the last time.",
        data,
        Plot("rows", "length", ("length",), "shortest solution (moves)", "", facet=("rules",), names=_NAMES),
    )


def played(data: Data, question: Question, *, name: str) -> Report:
    """Return the deals that players won least and most often; `--top` says how many."""
    return _report(
        name,
        "The hardest and the easiest deals to play",
        _PLAYED,
        _rows(_played(data), question, ["rate", "games"], harder_is_more=False),
        "By the rate of wins among the games of a deal that are over, then by their number.",
        data,
        Plot(
            "dots",
            "rate",
            ("rate",),
            "win rate in %, 95 % interval",
            "",
            low="rate_low",
            high="rate_high",
            count="games",
            facet=("rules",),
            names=_NAMES,
        ),
    )


def _report(
    name: str, title: str, figures: tuple[Column, ...], rows: list[Row], note: str, data: Data, plot: Plot
) -> Report:
    columns = (*columns_of(["rules"]), *_PLACE, *figures)
    return Report(name, title, columns, rows, None, (note, *data.notes()), (plot,))


def _rows(deals: pd.DataFrame, question: Question, by: list[str], *, harder_is_more: bool) -> list[Row]:
    """Return the deals at both ends of each ruleset's order; a deal stands at one end only."""
    top = question.top or _TOP
    rows: list[Row] = []
    for key, group in split(deals, keys_of(question, (), ())):
        order = group.sort_values(by, ascending=[not harder_is_more, False], kind="stable", na_position="last")
        hard = min(top, (len(order) + 1) // 2)
        easy = min(top, len(order) - hard)
        for end, part in (("hardest", order.head(hard)), ("easiest", order.tail(easy).iloc[::-1])):
            for place, (_, line) in enumerate(part.iterrows(), 1):
                figures = {str(name): cell(value) for name, value in line.items() if name != "rules"}
                rows.append(key_row(["rules"], key) | {"end": end, "place": place} | figures)
    return rows


def _solved(data: Data) -> pd.DataFrame:
    """Return a row a winnable deal that was solved for the shortest way, the last time that it was."""
    found = solutions_by(data, ["rules", "deal", "find"], "verdict", "length", "states", "seconds")
    shortest = found[(found["find"] == "shortest") & (found["verdict"] == "winnable") & found["deal"].notna()]
    last = shortest.drop_duplicates(["rules", "deal"], keep="last")
    return last[["rules", "deal", "length", "states", "seconds"]]


def _played(data: Data) -> pd.DataFrame:
    """Return a row a deal that was played to an end."""
    import pandas as pd

    games = games_by(data, ["rules", "deal"], "outcome")
    over = games[(games["outcome"] != "open") & games["deal"].notna()]
    counted = over.assign(wins=(over["outcome"] == "won").astype("int64"), games=1)
    plain = counted.assign(rules=counted["rules"].astype(object), deal=counted["deal"].astype(object))
    table = plain.groupby(["rules", "deal"], as_index=False, sort=False)[["games", "wins"]].sum()
    intervals = [wilson(int(wins), int(n)) for wins, n in zip(table["wins"], table["games"], strict=True)]
    return table.assign(
        rate=table["wins"] / table["games"],
        rate_low=pd.array([low for low, _ in intervals], dtype="Float64"),
        rate_high=pd.array([high for _, high in intervals], dtype="Float64"),
    )
