"""The report as one html page that needs nothing beside itself: the table, the notes, the plots as inline svg."""

from __future__ import annotations

import re
from dataclasses import replace

from pyramide_cli.reports.escape import html_text
from pyramide_cli.reports.extras import install_line, installed
from pyramide_cli.reports.formats.figures import NOTHING, figure, is_figure
from pyramide_cli.reports.report import Column, Report, Row

_SHORT = 28
"""Text up to this length is not broken into lines."""

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #1b1b1b; background: #fff;
  max-width: 90rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.2; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }
thead th { border-bottom: 2px solid #555; vertical-align: bottom; }
tbody tr:nth-child(even) { background: #f5f7f9; }
tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 6rem; }
tfoot th, tfoot td { border-top: 2px solid #555; font-weight: 600; }
.figure { text-align: right; }
.figure, .short { white-space: nowrap; }
figure { margin: 2rem 0; }
figure svg { max-width: 100%; height: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; }
dt { font-weight: 600; } dd { margin: 0; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } .scroll { overflow: visible; } }
"""


def dump(report: Report, *, width: int) -> str:
    """Return the page; without matplotlib it says in the plots' place how to get them."""
    del width
    title = html_text(report.title)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{title}</h1>",
        *_section(report),
        *(line for each in report.more for line in (f"<h2>{html_text(each.title)}</h2>", *_section(each))),
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _section(report: Report) -> list[str]:
    table = _table(report) if report.rows else "<p>(no rows)</p>"
    return [table, *_notes(report), *_legend(report), *_plots(report)]


def _table(report: Report) -> str:
    columns = report.shown()
    head = "".join(f'<th scope="col"{_class(c)}{_about(c)}>{html_text(c.label)}</th>' for c in columns)
    lines = ['<div class="scroll">', "<table>", f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    lines.extend(_row(row, columns) for row in report.rows)
    lines.append("</tbody>")
    if report.total is not None:
        total = "".join(_total_cell(report.total, c, first=c == columns[0]) for c in columns)
        lines.append(f"<tfoot><tr>{total}</tr></tfoot>")
    lines.extend(("</table>", "</div>"))
    return "\n".join(lines)


def _class(column: Column) -> str:
    return ' class="figure"' if is_figure(column) else ""


def _about(column: Column) -> str:
    return f' title="{html_text(column.about)}"' if column.about else ""


def _row(row: Row, columns: tuple[Column, ...]) -> str:
    return "<tr>" + "".join(_cell(figure(row.get(c.name), c), c) for c in columns) + "</tr>"


def _cell(text: str, column: Column) -> str:
    tag = 'th scope="row"' if column.key and not is_figure(column) else "td"
    kind = _class(column) or (' class="short"' if len(text) <= _SHORT else "")
    return f"<{tag}{kind}>{html_text(text)}</{tag.split()[0]}>"


def _total_cell(total: Row, column: Column, *, first: bool) -> str:
    if first:
        return '<th scope="row">total</th>'
    text = figure(total.get(column.name), column)
    return _cell("" if text == NOTHING and not is_figure(column) else text, column)


def _notes(report: Report) -> list[str]:
    if not report.notes:
        return []
    return ["<ul>", *(f"<li>{html_text(note)}</li>" for note in report.notes), "</ul>"]


def _legend(report: Report) -> list[str]:
    told = [column for column in report.shown() if column.about]
    if not told or not report.rows:
        return []
    entries = (f"<dt>{html_text(c.label)}</dt><dd>{html_text(c.about)}</dd>" for c in told)
    return ["<details>", "<summary>What the columns say</summary>", "<dl>", *entries, "</dl>", "</details>"]


def _plots(report: Report) -> list[str]:
    if not report.plots or not report.rows:
        return []
    if not installed("matplotlib"):
        return [f"<p>The plots of this page need matplotlib: <code>{html_text(install_line('plot'))}</code></p>"]
    from pyramide_cli.reports.plots import plot

    drawing = plot(replace(report, more=()), "svg").decode()
    # Inside html neither the xml declaration nor the document type may stand before the element.
    drawing = re.sub(r"\A.*?(?=<svg )", "", drawing, flags=re.DOTALL).strip()
    return ["<figure>", drawing, "</figure>"]
