"""The hardest and the easiest deals: for the solver by the length of a shortest solution, for players by their wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import cell, split
from pyramide_cli.reports.intervals import wilson
from pyramide_cli.reports.keys import columns_of, games_by, keys_of, solutions_by
from pyramide_cli.reports.report import Column, Report, Row

if TYPE_CHECKING:
    import pandas as pd

_TOP = 10

_FIGURES = (
    Column("judge", "judge", "text", key=True, about="solver, by length and then states; players, by their win rate."),
    Column("end", "end", "text", key=True),
    Column("place", "place", "count", key=True),
    Column("deal", "deal", "text"),
    Column("length", "length", "count", optional=True, about="Moves of the shortest solution."),
    Column("states", "states", "count", optional=True, about="Positions that the search stored."),
    Column("seconds", "time (s)", "seconds", optional=True, about="Time of the search."),
    Column("games", "games", "count", optional=True, about="Games of the deal that are over."),
    Column("wins", "wins", "count", optional=True),
    Column("rate", "win rate", "rate", optional=True),
    Column("rate_low", "from", "rate", optional=True, about="Lower end of the rate's 95 % Wilson interval."),
    Column("rate_high", "to", "rate", optional=True, about="Upper end of it."),
)


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return the deals at both ends; `--top` says how many at each."""
    keys = keys_of(question, (), ())
    top = question.top or _TOP
    rows: list[Row] = []
    solved = dict(split(_solved(data), keys))
    played = dict(split(_played(data), keys))
    for key in dict.fromkeys((*solved, *played)):
        head: Row = dict(zip(keys, key, strict=True))
        if key in solved:
            rows += _ends(solved[key], head | {"judge": "solver"}, ["length", "states"], top, hardest_first=False)
        if key in played:
            rows += _ends(played[key], head | {"judge": "players"}, ["rate", "games"], top, hardest_first=True)
    return Report(
        name,
        "The hardest and the easiest deals by rules",
        (*columns_of(keys), *_FIGURES),
        rows,
        None,
        (
            "The solver judges winnable deals by their shortest solution, then by the states of the search. Players "
            "judge deals by the rate of wins among the games that are over; deals equal in all stand as they were read.",
            *data.notes(),
        ),
    )


def _ends(deals: pd.DataFrame, head: Row, by: list[str], top: int, *, hardest_first: bool) -> list[Row]:
    """Return the deals at both ends of an order; a deal stands at one end only."""
    hard = deals.sort_values(by, ascending=[hardest_first, False], kind="stable", na_position="last")
    easy = deals.sort_values(by, ascending=[not hardest_first, not hardest_first], kind="stable", na_position="last")
    count = min(top, (len(deals) + 1) // 2)
    ends = (("hardest", hard.head(count)), ("easiest", easy.head(min(top, len(deals) - count))))
    return [
        head
        | {"end": end, "place": place}
        | {str(name): cell(value) for name, value in line.items() if name != "rules"}
        for end, part in ends
        for place, (_, line) in enumerate(part.iterrows(), 1)
    ]


def _solved(data: Data) -> pd.DataFrame:
    """Return a row a winnable deal that was solved for the shortest way, the last time that it was."""
    found = solutions_by(data, ["rules", "deal", "find"], "verdict", "length", "states", "seconds")
    shortest = found[(found["find"] == "shortest") & (found["verdict"] == "winnable") & found["deal"].notna()]
    last = shortest.drop_duplicates(["rules", "deal"], keep="last")
    return last[["rules", "deal", "length", "states", "seconds"]]


def _played(data: Data) -> pd.DataFrame:
    """Return a row a deal that was played to an end."""
    games = games_by(data, ["rules", "deal"], "outcome")
    over = games[(games["outcome"] != "open") & games["deal"].notna()]
    counted = over.assign(wins=(over["outcome"] == "won").astype("int64"), games=1)
    plain = counted.assign(rules=counted["rules"].astype(object), deal=counted["deal"].astype(object))
    table = plain.groupby(["rules", "deal"], as_index=False, sort=False)[["games", "wins"]].sum()
    intervals = [wilson(int(wins), int(n)) for wins, n in zip(table["wins"], table["games"], strict=True)]
    return table.assign(
        rate=table["wins"] / table["games"],
        rate_low=[low for low, _ in intervals],
        rate_high=[high for _, high in intervals],
    )
