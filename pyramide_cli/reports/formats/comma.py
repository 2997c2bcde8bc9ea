"""The report as csv: text quoted, so that codes and ids stay text; figures bare, nulls empty; no total, no notes."""

from __future__ import annotations

from pyramide_cli.reports.escape import csv_cell
from pyramide_cli.reports.report import Report, Value


def dump(report: Report, *, width: int) -> str:
    """Return a heading line with the columns' names and one line a row; an empty line stands before a further table."""
    lines = [",".join(column.name for column in report.columns)]
    lines.extend(",".join(_cell(row.get(column.name)) for column in report.columns) for row in report.rows)
    text = "\n".join(lines) + "\n"
    return "\n".join([text, *(dump(each, width=width) for each in report.more)])


def _cell(value: Value) -> str:
    """Return one cell; the standard writer cannot quote text alone before Python 3.12."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + csv_cell(value).replace('"', '""') + '"'
    return repr(value)
