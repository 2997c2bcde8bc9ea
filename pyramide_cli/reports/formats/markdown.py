"""The report as markdown: a heading, a pipe table with figures to the right, the notes as a list."""

from __future__ import annotations

from pyramide_cli.reports.escape import markdown_cell
from pyramide_cli.reports.formats.figures import NOTHING, figure, is_figure
from pyramide_cli.reports.report import Column, Report, Value


def dump(report: Report, *, width: int) -> str:
    """Return the page's lines; cells are padded so that the source reads well too."""
    parts = [f"## {markdown_cell(report.title)}"]
    parts.append(_table(report) if report.rows else "(no rows)")
    if report.notes:
        parts.append("\n".join(f"- {markdown_cell(note)}" for note in report.notes))
    text = "\n\n".join(parts) + "\n"
    return "\n".join([text, *(dump(each, width=width) for each in report.more)])


def _table(report: Report) -> str:
    columns = report.shown()
    grid = [[markdown_cell(column.label) for column in columns]]
    grid.extend([_cell(row.get(column.name), column) for column in columns] for row in report.rows)
    if report.total is not None:
        grid.append([_bold(report.total.get(column.name), column, first=column == columns[0]) for column in columns])
    widths = [max(3, *(len(line[i]) for line in grid)) for i in range(len(columns))]
    rule = ["-" * (w - 1) + ":" if is_figure(c) else "-" * w for c, w in zip(columns, widths, strict=True)]
    return "\n".join(_line(cells, widths, columns) for cells in [grid[0], rule, *grid[1:]])


def _line(cells: list[str], widths: list[int], columns: tuple[Column, ...]) -> str:
    padded = (
        text.rjust(width) if is_figure(column) else text.ljust(width)
        for text, width, column in zip(cells, widths, columns, strict=True)
    )
    return "| " + " | ".join(padded) + " |"


def _cell(value: Value, column: Column) -> str:
    """Return a cell; only text can hold mark-up, figures are written as they are."""
    text = figure(value, column)
    return markdown_cell(text) if isinstance(value, str) else text


def _bold(value: Value, column: Column, *, first: bool) -> str:
    if first:
        return "**total**"
    text = _cell(value, column)
    return "" if text == NOTHING and not is_figure(column) else f"**{text}**" if text != NOTHING else text
