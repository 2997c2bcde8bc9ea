"""Wins and losses in a row."""

from __future__ import annotations

from itertools import groupby

from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import key_row, split
from pyramide_cli.reports.keys import columns_of, games_by, keys_of
from pyramide_cli.reports.report import Column, Plot, Report, Row

_FIGURES = (
    Column("games", "games over", "count", about="The games that are over; an open game neither ends nor lengthens."),
    Column("wins", "wins", "count"),
    Column("longest_wins", "longest wins", "count", about="The most wins in a row."),
    Column("longest_losses", "longest losses", "count", about="The most games in a row that were not won."),
    Column("current", "at the end", "count", about="How many games the last streak has."),
    Column("current_kind", "of", "text", about="Whether the last streak is one of wins or of losses."),
)


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return the longest and the last streak of each player."""
    keys = keys_of(question, ("player",))
    games = games_by(data, keys, "at", "outcome")
    over = games[games["outcome"] != "open"].sort_values("at", kind="stable", na_position="last")
    rows = [
        key_row(keys, key) | _streaks([bool(won) for won in group["outcome"] == "won"])
        for key, group in split(over, keys)
    ]
    order = "Games in the order of their times; those without one come last, as they were read."
    return Report(
        name,
        "Streaks by rules" + (" and player" if "player" in keys else ""),
        (*columns_of(keys), *_FIGURES),
        rows,
        None,
        (order, *data.notes()),
        (
            Plot(
                "rows",
                "games",
                ("longest_wins", "longest_losses"),
                "games in a row",
                "",
                count="games",
                facet=("rules",) if len(keys) > 1 else (),
                stacked=False,
            ),
        ),
    )


def _streaks(won: list[bool]) -> Row:
    streaks = [(kind, sum(1 for _ in group)) for kind, group in groupby(won)]
    kind, current = streaks[-1]
    return {
        "games": len(won),
        "wins": sum(won),
        "longest_wins": max((length for of_wins, length in streaks if of_wins), default=0),
        "longest_losses": max((length for of_wins, length in streaks if not of_wins), default=0),
        "current": current,
        "current_kind": "wins" if kind else "losses",
    }
