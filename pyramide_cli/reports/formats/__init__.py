"""The formats of a report: one module each, found by name and loaded when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from pyramide_cli.reports.report import Report

FORMATS = ("table", "csv", "json", "markdown", "html", "parquet")


class Writer(Protocol):
    """A format's module: turns a whole report into what is written."""

    def dump(self, report: Report, *, width: int) -> str | bytes:
        """Return the report in this format; `width` is the columns of the terminal, for those formats that care."""


_MODULES = {
    "table": "text",
    "csv": "comma",
    "json": "objects",
    "markdown": "markdown",
    "html": "page",
    "parquet": "parquet",
}


def dump(report: Report, name: str, *, width: int = 80) -> str | bytes:
    """Return a report in a format: text, but bytes for parquet. `MissingExtra` where an extra is not installed."""
    writer = cast(Writer, import_module(f"{__name__}.{_MODULES[name]}"))
    return writer.dump(report, width=width)
