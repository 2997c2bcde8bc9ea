"""Reports drawn with matplotlib: labelled axes, units and counts, colours that everyone can tell apart, good in print.

Nothing here computes: a `Plot` names the columns of a report, and a painter for each shape draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from pyramide_cli.reports.escape import plain
from pyramide_cli.reports.extras import need
from pyramide_cli.reports.formats.figures import figure
from pyramide_cli.reports.report import Plot, Report, Row, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLOT_TYPES = ("png", "svg", "pdf")

# Okabe and Ito's colours, the darkest and the lightest next to each other so that they differ in grey too.
_COLOURS = ("#0072B2", "#E69F00", "#999999", "#D55E00", "#009E73", "#56B4E9")
_HATCHES = ("", "///", "", "...", "xx", "\\\\\\")
_MOST_ROWS = 30
_MOST_FACETS = 9
_WIDTH = 8.0
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 10.0,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "savefig.dpi": 150,
    "svg.fonttype": "path",
    "svg.hashsalt": "pyramide",
    "text.parse_math": False,
}


def plot(report: Report, kind: str) -> bytes:
    """Return the report drawn as the bytes of a png, svg or pdf file; every plot of the report below the other.

    An empty report gives a page that says so. `MissingExtra` where matplotlib is not installed.
    """
    need("matplotlib", extra="plot", what="plots")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        panels = [panel for each in (report, *report.more) for panel in _panels(each)]
        heights = [_height(panel.plot, panel.rows) for panel in panels] or [1.5]
        sheet = Figure(figsize=(_WIDTH, sum(heights) + 0.6), layout="constrained")
        sheet.suptitle(plain(report.title), fontsize=12, fontweight="bold")
        if not panels:
            _say_empty(sheet, report)
        else:
            grid = sheet.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
            for axes, panel in zip(grid[:, 0], panels, strict=True):
                _PAINTERS[panel.plot.shape](axes, panel.report, panel.plot, panel.rows)
                axes.set_title(panel.title, fontsize=10, loc="left")
        out = BytesIO()
        # The metadata would hold the time of day, and the same report should give the same bytes.
        sheet.savefig(out, format=kind, metadata=_no_date(kind))
        return out.getvalue()


def _no_date(kind: str) -> dict[str, None]:
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})


def _say_empty(sheet: Figure, report: Report) -> None:
    axes = sheet.subplots()
    axes.set_axis_off()
    axes.text(0.5, 0.5, "nothing to draw" if report.rows else "no rows", ha="center", va="center")


class _Panel(NamedTuple):
    """One drawing of a sheet."""

    report: Report
    plot: Plot
    title: str
    rows: list[Row]


def _panels(report: Report) -> list[_Panel]:
    return [_Panel(report, each, facet, rows) for each in report.plots for facet, rows in _facets(report, each)]


def _facets(report: Report, each: Plot) -> list[tuple[str, list[Row]]]:
    """Return the rows apart by the facet column, the title of each with what was left out."""
    drawable = [row for row in report.rows if _says_something(row, each)]
    if not drawable:
        return []
    apart: dict[str, list[Row]] = {}
    for row in drawable:
        title = ", ".join(dict.fromkeys(_label(row.get(name)) for name in each.facet))
        apart.setdefault(title, []).append(row)
    facets = list(apart.items())
    if len(facets) > _MOST_FACETS:
        last, rows = facets[_MOST_FACETS - 1]
        said = f"{last} (the first {_MOST_FACETS} of {len(facets)} are drawn)"
        facets = [*facets[: _MOST_FACETS - 1], (said, rows)]
    return facets


def _says_something(row: Row, each: Plot) -> bool:
    """Return whether there is anything to draw of a row; a bin without games belongs to its histogram all the same."""
    values = [row.get(name) for name in each.series]
    if each.shape == "lines" and row.get(each.x) is None:
        return False
    return any(values) if each.shape == "rows" else any(value is not None for value in values)


def _height(each: Plot, rows: Sequence[Row]) -> float:
    if each.shape in ("bars", "lines"):
        return 3.2
    return 1.3 + 0.32 * min(len(rows), _MOST_ROWS)


def _label(value: Value) -> str:
    text = "(none)" if value is None else plain(str(value))
    return text if len(text) <= 32 else f"{text[:30]}.."


def _numbers(rows: Sequence[Row], name: str) -> list[float]:
    values = (row.get(name) for row in rows)
    return [float(value) if isinstance(value, int | float) else 0.0 for value in values]


def _legend(axes: Axes, each: Plot, **where: Any) -> None:
    if len(each.series) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), **where)


def _bars(axes: Axes, report: Report, each: Plot, rows: Sequence[Row]) -> None:
    """Draw a histogram: one bar a bin, the series stacked, how many there are in all."""
    left = _numbers(rows, each.x)
    right = _numbers(rows, each.x_to) if each.x_to else left
    # A bin holds the whole numbers from its lower to its upper edge, so it reaches half a step beyond both.
    half = 0.5 if all(value.is_integer() for value in (*left, *right)) and _whole(report, each) else 0.0
    widths = [high - low + 2 * half for low, high in zip(left, right, strict=True)]
    bottom = [0.0] * len(rows)
    for i, name in enumerate(each.series):
        heights = _numbers(rows, name)
        label = f"{report.column(name).label} ({sum(heights):,.0f})"
        axes.bar(
            [low - half for low in left],
            heights,
            widths,
            bottom,
            align="edge",
            color=_COLOURS[i % len(_COLOURS)],
            hatch=_HATCHES[i % len(_HATCHES)],
            edgecolor="white",
            linewidth=0.5,
            label=label,
        )
        bottom = [a + b for a, b in zip(bottom, heights, strict=True)]
    axes.set_xlabel(f"{each.x_label}, n = {sum(bottom):,.0f}")
    axes.set_ylabel(each.y_label)
    axes.grid(visible=False, axis="x")
    axes.locator_params(axis="y", integer=True)
    if half:
        axes.locator_params(axis="x", integer=True)
    _legend(axes, each)


def _whole(report: Report, each: Plot) -> bool:
    return report.column(each.x).kind == "count"


def _named(report: Report, rows: Sequence[Row], each: Plot) -> list[str]:
    """Return a name for each row: its key columns, without those of the facet, and its count."""
    keys = each.names or [c.name for c in report.columns if c.key and c.name not in each.facet]
    names = [", ".join(_label(row.get(key)) for key in keys if row.get(key) is not None) or "(none)" for row in rows]
    if each.count is None:
        return names
    column = report.column(each.count)
    return [f"{name}  (n = {figure(row.get(column.name), column)})" for name, row in zip(names, rows, strict=True)]


def _first_rows(axes: Axes, rows: Sequence[Row]) -> Sequence[Row]:
    if len(rows) > _MOST_ROWS:
        left_out = f"the first {_MOST_ROWS} of {len(rows):,}"
        axes.text(1.0, 1.0, left_out, transform=axes.transAxes, ha="right", va="bottom")
    return rows[:_MOST_ROWS]


def _upright(axes: Axes, names: list[str], each: Plot) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(each.x_label)
    axes.set_ylabel(each.y_label)
    axes.grid(visible=False, axis="y")


def _rows(axes: Axes, report: Report, each: Plot, rows: Sequence[Row]) -> None:
    """Draw one lying bar a row, the series stacked or one below the other."""
    rows = _first_rows(axes, rows)
    done = [0.0] * len(rows)
    thick = 0.7 if each.stacked else 0.7 / len(each.series)
    for i, name in enumerate(each.series):
        widths = _numbers(rows, name)
        shift = 0.0 if each.stacked else (i - (len(each.series) - 1) / 2) * thick
        axes.barh(
            [place + shift for place in range(len(rows))],
            widths,
            thick,
            done,
            color=_COLOURS[i % len(_COLOURS)],
            hatch=_HATCHES[i % len(_HATCHES)],
            edgecolor="white",
            linewidth=0.5,
            label=report.column(name).label,
        )
        if each.stacked:
            done = [a + b for a, b in zip(done, widths, strict=True)]
    if all(report.column(name).kind == "count" for name in each.series):
        axes.locator_params(axis="x", integer=True)
    _upright(axes, _named(report, rows, each), each)
    _legend(axes, each)


def _interval(rows: Sequence[Row], each: Plot, scale: float) -> tuple[list[float], list[list[float]]]:
    middle = [scale * value for value in _numbers(rows, each.series[0])]
    low = [scale * value for value in _numbers(rows, each.low or each.series[0])]
    high = [scale * value for value in _numbers(rows, each.high or each.series[0])]
    below = [max(0.0, m - a) for m, a in zip(middle, low, strict=True)]
    above = [max(0.0, b - m) for m, b in zip(middle, high, strict=True)]
    return middle, [below, above]


def _scale(report: Report, each: Plot) -> float:
    return 100.0 if report.column(each.series[0]).kind == "rate" else 1.0


def _dots(axes: Axes, report: Report, each: Plot, rows: Sequence[Row]) -> None:
    """Draw one dot a row with its interval."""
    rows = _first_rows(axes, rows)
    middle, errors = _interval(rows, each, _scale(report, each))
    axes.errorbar(middle, range(len(rows)), xerr=errors, fmt="o", color=_COLOURS[0], capsize=3, markersize=5)
    if report.column(each.series[0]).kind == "rate":
        axes.set_xlim(-2, 102)
    _upright(axes, _named(report, rows, each), each)


def _lines(axes: Axes, report: Report, each: Plot, rows: Sequence[Row]) -> None:
    """Draw a line along the rows of each key, with its interval: for rows that follow each other in time."""
    moments = sorted({str(row.get(each.x)) for row in rows if row.get(each.x) is not None})
    place = {moment: i for i, moment in enumerate(moments)}
    groups: dict[str, list[Row]] = {}
    keys = [c.name for c in report.columns if c.key and c.name not in (each.x, *each.facet)]
    for row in rows:
        if row.get(each.x) is not None:
            groups.setdefault(", ".join(_label(row.get(key)) for key in keys), []).append(row)
    for i, (name, group) in enumerate(groups.items()):
        middle, errors = _interval(group, each, _scale(report, each))
        axes.errorbar(
            [place[str(row[each.x])] for row in group],
            middle,
            yerr=errors,
            fmt=f"{'osD^v<'[i % 6]}-",
            color=_COLOURS[i % len(_COLOURS)],
            capsize=3,
            markersize=5,
            label=name or None,
        )
    step = max(1, len(moments) // 10)
    axes.set_xticks(range(0, len(moments), step), [plain(m) for m in moments[::step]], rotation=30, ha="right")
    if report.column(each.series[0]).kind == "rate":
        axes.set_ylim(-2, 102)
    axes.set_xlabel(each.x_label)
    axes.set_ylabel(each.y_label)
    if any(groups) and len(groups) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))


_PAINTERS: dict[str, Callable[[Axes, Report, Plot, Sequence[Row]], None]] = {
    "bars": _bars,
    "rows": _rows,
    "dots": _dots,
    "lines": _lines,
}
