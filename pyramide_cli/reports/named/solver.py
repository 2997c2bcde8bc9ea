"""What the solver found out: verdicts, the rate of winnable deals, lengths, states, time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import cell, key_row, mean, split
from pyramide_cli.reports.intervals import rate, wilson
from pyramide_cli.reports.keys import columns_of, keys_of, solutions_by
from pyramide_cli.reports.report import Column, Plot, Report, Row

if TYPE_CHECKING:
    import pandas as pd

COUNTS = (
    Column("solutions", "solutions", "count"),
    Column("winnable", "winnable", "count"),
    Column("unwinnable", "unwinnable", "count"),
    Column("undecided", "undecided", "count"),
)
RATES = (
    Column("rate_lost", "rate", "rate", about="Winnable among all, undecided ones counted as lost."),
    Column("rate_lost_low", "from", "rate", about="Lower end of its 95 % Wilson interval."),
    Column("rate_lost_high", "to", "rate", about="Upper end of it."),
    Column("rate_won", "rate if won", "rate", about="The same with undecided ones counted as won."),
    Column("rate_won_low", "from", "rate", about="Lower end of its 95 % Wilson interval."),
    Column("rate_won_high", "to", "rate", about="Upper end of it."),
)
LENGTHS = (
    Column("length_n", "lengths", "count", optional=True, about="The winnable deals whose solution has a length."),
    Column("length_mean", "mean length", "mean", optional=True, about="Mean moves of these solutions."),
    Column("length_min", "least", "count", optional=True),
    Column("length_q25", "25 %", "number", optional=True),
    Column("length_median", "median", "number", optional=True),
    Column("length_q75", "75 %", "number", optional=True),
    Column("length_max", "most", "count", optional=True),
)
_EFFORT = (
    Column("states_n", "searches", "count", optional=True, about="The solutions that tell the states of their search."),
    Column("states_mean", "mean states", "mean", optional=True, about="Mean positions stored by these searches."),
    Column("states_median", "median", "number", optional=True),
    Column("states_max", "most", "count", optional=True),
    Column("seconds_n", "timed", "count", optional=True, about="The solutions that tell the time of their search."),
    Column("seconds_total", "total (s)", "seconds", optional=True),
    Column("seconds_mean", "mean (s)", "seconds", optional=True, about="Mean time over the timed ones."),
    Column("seconds_median", "median (s)", "seconds", optional=True),
    Column("seconds_max", "most (s)", "seconds", optional=True),
)


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return a row for each question that was put to the solver."""
    keys = keys_of(question, ("find",), ("find",))
    solutions = solutions_by(data, keys, "verdict", "length", "states", "seconds")
    rows = [key_row(keys, key) | _row(group) for key, group in split(solutions, keys)]
    return Report(
        name,
        "Solver results by rules" + (" and question" if "find" in keys else ""),
        (*columns_of(keys), *COUNTS, *RATES, *LENGTHS, *_EFFORT),
        rows,
        None,
        (
            "Rates are over all solutions of a row, with their 95 % Wilson intervals: undecided ones count as lost in "
            "the first, as won in the second. Lengths are over the winnable ones; the same deal solved twice counts "
            "twice.",
            *data.notes(),
        ),
        (
            Plot("rows", "solutions", ("winnable", "undecided", "unwinnable"), "solutions", "", count="solutions"),
            Plot(
                "dots",
                "rate_lost",
                ("rate_lost",),
                "winnable in %, undecided as lost, 95 % interval",
                "",
                low="rate_lost_low",
                high="rate_lost_high",
                count="solutions",
            ),
        ),
    )


def rates(winnable: int, undecided: int, solutions: int) -> Row:
    """Return the rate of winnable deals twice, undecided ones as lost and as won, each with its interval."""
    row: Row = {}
    for name, won in (("lost", winnable), ("won", winnable + undecided)):
        low, high = wilson(won, solutions)
        row |= {
            f"rate_{name}": cell(rate(won, solutions)),
            f"rate_{name}_low": cell(low),
            f"rate_{name}_high": cell(high),
        }
    return row


def length_figures(lengths: pd.Series) -> Row:
    """Return count, mean and quartiles of lengths that are all known."""
    row: Row = {"length_n": len(lengths)}
    if len(lengths):
        row |= {
            "length_mean": mean(lengths),
            "length_min": cell(lengths.min()),
            "length_q25": cell(lengths.quantile(0.25)),
            "length_median": cell(lengths.median()),
            "length_q75": cell(lengths.quantile(0.75)),
            "length_max": cell(lengths.max()),
        }
    return row


def _row(group: pd.DataFrame) -> Row:
    counts = {name: int((group["verdict"] == name).sum()) for name in ("winnable", "unwinnable", "undecided")}
    lengths = group["length"][group["verdict"] == "winnable"].dropna()
    states, seconds = group["states"].dropna(), group["seconds"].dropna()
    row: Row = {"solutions": len(group), **counts}
    row |= rates(counts["winnable"], counts["undecided"], len(group))
    row |= length_figures(lengths) | {"states_n": len(states), "seconds_n": len(seconds)}
    if len(states):
        row |= {"states_mean": mean(states), "states_median": cell(states.median()), "states_max": cell(states.max())}
    if len(seconds):
        row |= {
            "seconds_total": cell(seconds.sum()),
            "seconds_mean": mean(seconds),
            "seconds_median": cell(seconds.median()),
            "seconds_max": cell(seconds.max()),
        }
    return row
