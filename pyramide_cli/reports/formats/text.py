"""The table for a terminal: figures right, text left, folded so that no line is wider than the terminal."""

from __future__ import annotations

from textwrap import wrap
from unicodedata import combining, east_asian_width

from pyramide_cli.reports.escape import plain
from pyramide_cli.reports.formats.figures import figure, is_figure
from pyramide_cli.reports.report import Column, Report, Row

_GAP = 2
_TOTAL = "total"
_SHORTEST_TEXT = 6
_LONGEST_TEXT = 28
_LONGEST_LINE = 100


def dump(report: Report, *, width: int) -> str:
    """Return the report as lines of at most `width` columns: title, table in as many blocks as it needs, notes."""
    parts = [_fill(report.title, width)]
    if report.rows:
        parts.extend(_blocks(report, width))
    else:
        parts.append("(no rows)")
    if report.notes:
        parts.append("\n".join(_fill(note, width) for note in report.notes))
    text = "\n\n".join(parts) + "\n"
    return "\n".join([text, *(dump(each, width=width) for each in report.more)])


def _fill(text: str, width: int) -> str:
    return "\n".join(
        wrap(plain(text), min(max(width, 20), _LONGEST_LINE), subsequent_indent="  ", break_on_hyphens=False)
    )


def _blocks(report: Report, width: int) -> list[str]:
    """Return the table's blocks; each repeats the key columns and takes as many others as fit."""
    cells = {column.name: _cells(report, column) for column in report.shown()}
    widths = {name: max(map(_columns, texts)) for name, texts in cells.items()}
    keys = [c for c in report.shown() if c.key]
    _squeeze(keys, widths, width * 3 // 5)
    rest = [c for c in report.shown() if not c.key]
    _squeeze(rest, widths, width - sum(widths[c.name] + _GAP for c in keys), each=True)
    blocks: list[list[Column]] = [list(keys)]
    used = start = sum(widths[c.name] for c in keys) + _GAP * max(0, len(keys) - 1)
    for column in rest:
        need = widths[column.name] + _GAP * bool(blocks[-1])
        if used + need > width and len(blocks[-1]) > len(keys):
            blocks.append(list(keys))
            used = start
            need = widths[column.name] + _GAP * bool(keys)
        blocks[-1].append(column)
        used += need
    return [_block(block, cells, widths, bool(report.total)) for block in blocks]


def _cells(report: Report, column: Column) -> list[str]:
    """Return heading, cells and total of one column as harmless text."""
    texts = [column.label, *(plain(figure(row.get(column.name), column)) for row in report.rows)]
    if report.total is not None:
        texts.append(_total_cell(report.total, column, first=column == report.shown()[0]))
    return texts


def _total_cell(total: Row, column: Column, *, first: bool) -> str:
    if first:
        return _TOTAL
    value = total.get(column.name)
    return "" if value is None and not is_figure(column) else plain(figure(value, column))


def _squeeze(columns: list[Column], widths: dict[str, int], room: int, *, each: bool = False) -> None:
    """Narrow the widest text columns until all fit into the room together (or each by itself)."""
    texts = [c.name for c in columns if not is_figure(c)]
    if each:
        for name in texts:
            widths[name] = max(_SHORTEST_TEXT, min(widths[name], _LONGEST_TEXT, room - _GAP))
        return
    for name in texts:
        widths[name] = min(widths[name], max(room, _SHORTEST_TEXT))
    while texts and sum(widths[c.name] + _GAP for c in columns) > room:
        widest = max(texts, key=lambda name: widths[name])
        if widths[widest] <= _SHORTEST_TEXT:
            break
        widths[widest] -= 1


def _block(columns: list[Column], cells: dict[str, list[str]], widths: dict[str, int], has_total: bool) -> str:
    lines = [
        (" " * _GAP).join(_place(cells[c.name][i], widths[c.name], right=is_figure(c)) for c in columns).rstrip()
        for i in range(len(cells[columns[0].name]))
    ]
    rule = "-" * max(sum(widths[c.name] for c in columns) + _GAP * (len(columns) - 1), 1)
    lines.insert(1, rule)
    if has_total:
        lines.insert(-1, rule)
    return "\n".join(lines)


def _place(text: str, width: int, *, right: bool) -> str:
    taken = _columns(text)
    if taken > width:
        text = text[:width]
        while _columns(text) > width - 2:
            text = text[:-1]
        text += ".."
        taken = _columns(text)
    space = " " * (width - taken)
    return space + text if right else text + space


def _columns(text: str) -> int:
    """Return how many columns of a terminal the text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
