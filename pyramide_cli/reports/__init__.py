"""Logs and results as pandas frames, reports, tables and plots.

`games`, `moves` and `solutions` read files into documented DataFrames; `make` makes a named report of what `gather`
read, and `dump` writes it in a format. pandas is imported when a frame is made, matplotlib and pyarrow when they are
asked for.
"""

from __future__ import annotations

from pyramide_cli.reports.data import Data, Question, ReportError
from pyramide_cli.reports.extras import MissingExtra
from pyramide_cli.reports.formats import FORMATS, dump
from pyramide_cli.reports.frames import DataError, games, gather, moves, solutions
from pyramide_cli.reports.gathering import Gatherer
from pyramide_cli.reports.named import DEFAULT, REPORTS, make
from pyramide_cli.reports.report import Column, Plot, Report

__all__ = [
    "DEFAULT",
    "FORMATS",
    "REPORTS",
    "Column",
    "Data",
    "DataError",
    "Gatherer",
    "MissingExtra",
    "Plot",
    "Question",
    "Report",
    "ReportError",
    "dump",
    "games",
    "gather",
    "make",
    "moves",
    "solutions",
]
