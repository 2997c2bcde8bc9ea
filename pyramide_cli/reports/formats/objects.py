"""The report as one JSON object: `report`, `title`, `rows`, `total`, `notes`; further tables in `tables`."""

from __future__ import annotations

import json

from pyramide_cli.reports.escape import json_safe
from pyramide_cli.reports.report import Report


def dump(report: Report, *, width: int) -> str:
    """Return the object, one row a line, so that a change shows in a diff."""
    head: dict[str, object] = {"report": report.name, "title": report.title}
    rows = [_text(report.row_record(row)) for row in report.rows]
    lines = [f"{_text(key)}: {_text(value)}," for key, value in head.items()]
    lines.append('"rows": [' + ("\n  " + ",\n  ".join(rows) + "\n" if rows else "") + "],")
    lines.append(f'"total": {_text(None if report.total is None else report.row_record(report.total))},')
    if report.more:
        lines.append('"tables": [' + ",\n".join(dump(each, width=width).rstrip("\n") for each in report.more) + "],")
    lines.append(f'"notes": {_text(list(report.notes))}')
    return "{" + "\n".join(lines) + "}\n"


def _text(value: object) -> str:
    return json_safe(json.dumps(value, ensure_ascii=False, allow_nan=False))
