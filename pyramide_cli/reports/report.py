"""What a report is: columns that say what they hold, plain rows, notes, and what can be drawn of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Value: TypeAlias = str | int | float | bool | None
"""A cell: text, a figure, yes or no, or null where there is nothing to say."""

Row: TypeAlias = dict[str, Value]

Kind: TypeAlias = Literal["text", "count", "number", "mean", "rate", "seconds", "chance", "flag"]
"""How a column reads: text and flags left, figures right; a rate is a fraction, shown in percent."""


@dataclass(frozen=True)
class Column:
    """One column: its name in csv, json and parquet, its heading for people, its kind.

    A `key` column names the row and is repeated where a wide table is folded; an `optional` one is left out of what
    people read where it holds nothing but nulls and zeros; `about` is one sentence for the page's legend.
    """

    name: str
    label: str
    kind: Kind
    key: bool = False
    optional: bool = False
    about: str = ""


@dataclass(frozen=True)
class Plot:
    """What to draw of a report: its shape and the columns it takes.

    `shape`: "bars" (one bar a bin from `x` to `x_to`, the `series` stacked), "rows" (one lying bar a row), "dots" (one
    dot a row, `series[0]` with the interval from `low` to `high`), or "lines" (the same along `x`). Each combination
    of the values of the `facet` columns is drawn apart. `names` are the columns that name a row (its
    keys where there are none), `count` the one whose figure is written beside it. Series that are not `stacked` stand
    side by side.
    """

    shape: Literal["bars", "rows", "dots", "lines"]
    x: str
    series: tuple[str, ...]
    x_label: str
    y_label: str
    x_to: str | None = None
    low: str | None = None
    high: str | None = None
    count: str | None = None
    facet: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    stacked: bool = True


@dataclass(frozen=True)
class Report:
    """A finished report: every format and plot is made of this and of nothing else.

    `rows` hold the columns' names; `total` is one more row, or null where a total says nothing; `notes` are the
    sentences without which a figure could be misread (over what an average is taken, what was left out). `more` are
    tables that belong to it and follow it.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: list[Row]
    total: Row | None = None
    notes: tuple[str, ...] = ()
    plots: tuple[Plot, ...] = ()
    more: tuple[Report, ...] = ()

    def column(self, name: str) -> Column:
        """Return the column of that name; KeyError where there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def shown(self) -> tuple[Column, ...]:
        """Return the columns that people are shown: all but the optional ones that hold nothing."""
        rows: Sequence[Row] = [*self.rows, self.total] if self.total else self.rows
        return tuple(c for c in self.columns if not c.optional or any(_says(row.get(c.name), c) for row in rows))

    def row_record(self, row: Row) -> Row:
        """Return one row with every column, in their order, null where the row has nothing."""
        return {column.name: row.get(column.name) for column in self.columns}


def _says(value: Value, column: Column) -> bool:
    return value is not None and (value != 0 or column.kind != "count")
