"""Figures as people read them: the same words in tables, markdown and html."""

from __future__ import annotations

from pyramide_cli.reports.report import Column, Value

NOTHING = "-"


def figure(value: Value, column: Column) -> str:
    """Return a cell as people read it: thousands apart, rates in percent, two decimals, `-` for null. Not escaped."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    match column.kind:
        case "rate":
            return f"{100 * value:.2f} %"
        case "chance":
            return "< 0.0001" if value < 0.0001 else f"{value:.4f}"
        case "mean":
            return f"{value:,.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.2g}"
        case "seconds":
            return f"{value:,.2f}" if value >= 1 or value == 0 else f"{value:.2g}" if value >= 1e-4 else f"{value:.1e}"
        case _:
            return _short(value)


def _short(value: float) -> str:
    """Return a whole number in full, another with as many decimals as it needs, at most two from 1 on."""
    if isinstance(value, int) or value.is_integer():
        return f"{int(value):,}"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{value:.3g}"


def is_figure(column: Column) -> bool:
    """Return whether the column's cells stand right."""
    return column.kind not in ("text", "flag")
