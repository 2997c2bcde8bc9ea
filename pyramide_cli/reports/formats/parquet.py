"""The report as parquet: its rows with a fixed type a column, the title and the notes as metadata."""

from __future__ import annotations

from io import BytesIO

from pyramide_cli.reports.extras import need
from pyramide_cli.reports.report import Kind, Report

_TYPES: dict[Kind, str] = {
    "text": "string",
    "flag": "bool_",
    "count": "int64",
    "number": "float64",
    "mean": "float64",
    "rate": "float64",
    "seconds": "float64",
    "chance": "float64",
}


def dump(report: Report, *, width: int) -> bytes:
    """Return the file's bytes; codes and ids are text, an empty report has its columns and no rows.

    A file holds one table: further ones are not in it.
    """
    del width
    need("pyarrow", extra="parquet", what="parquet files")
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(
        [(column.name, getattr(pa, _TYPES[column.kind])()) for column in report.columns],
        metadata={"report": report.name, "title": report.title, "notes": "\n".join(report.notes)},
    )
    out = BytesIO()
    pq.write_table(pa.Table.from_pylist([report.row_record(row) for row in report.rows], schema=schema), out)
    return out.getvalue()
