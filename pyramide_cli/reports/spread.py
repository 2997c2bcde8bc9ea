"""Distributions: quantiles, and bins of a width that people can read."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import TYPE_CHECKING

from pyramide_cli.reports.grouping import cell
from pyramide_cli.reports.report import Column, Row

if TYPE_CHECKING:
    import pandas as pd

MOST_BINS = 25
_QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}

SPREAD = (
    Column("n", "n", "count", about="How many values there are."),
    Column("mean", "mean", "mean"),
    Column("sd", "sd", "mean", about="Standard deviation, with n - 1."),
    Column("min", "least", "number"),
    Column("q05", "5 %", "number", about="5 in 100 values are at most this (linear between two values)."),
    Column("q25", "25 %", "number"),
    Column("median", "median", "number"),
    Column("q75", "75 %", "number"),
    Column("q95", "95 %", "number"),
    Column("max", "most", "number"),
)


def spread(values: pd.Series) -> Row:
    """Return count, mean, deviation and quantiles of the values that are known; nulls where there is none."""
    known = values.dropna().astype("float64")
    row: Row = {"n": len(known)}
    if len(known):
        row |= {"mean": cell(known.mean()), "min": cell(known.min()), "max": cell(known.max())}
        row |= {name: cell(known.quantile(at)) for name, at in _QUANTILES.items()}
        if len(known) > 1:
            row["sd"] = cell(known.std())
    return row


def bin_width(low: float, high: float, *, whole: bool) -> float:
    """Return the smallest of 1, 2, 5, 10, … (0.001, 0.002, … too unless `whole`) with which few bins reach that far.

    However close the values are, a width below a millionth of them would only show how floats are rounded.
    """
    span = max(high - low, MOST_BINS * abs(high) / 1e6)
    width = 1.0 if whole else 0.001
    while True:
        for step in (1.0, 2.0, 5.0):
            if span / (step * width) < MOST_BINS:
                return step * width
        width *= 10


def bins(groups: Sequence[pd.Series], *, whole: bool) -> list[tuple[float, float, list[int]]]:
    """Return the bins over all groups, each with its edges and its count in every group.

    A bin of whole numbers holds both its edges; another holds its lower one only.
    """
    known = [group.dropna().astype("float64") for group in groups]
    if not any(len(group) for group in known):
        return []
    low = min(group.min() for group in known if len(group))
    high = max(group.max() for group in known if len(group))
    width = bin_width(low, high, whole=whole)
    first = floor(low / width)
    count = floor(high / width) - first + 1
    table = [[0] * len(known) for _ in range(count)]
    for i, group in enumerate(known):
        for place, n in (group // width).astype("int64").value_counts().items():
            table[int(place) - first][i] = int(n)  # type: ignore[call-overload]
    return [
        (
            round((first + i) * width, 9),
            round((first + i + 1) * width - whole, 9),
            counts,
        )
        for i, counts in enumerate(table)
    ]
