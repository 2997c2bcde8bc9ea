"""The JSON Schema of the records, made from their structs.

`pyramide_cli/schema.json` keeps it in the package for other programs. After a change of the structs write it anew:
`python -m pyramide_cli.records.schema`.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any, Final

import msgspec

from pyramide_cli.records.structs import VERSION, Record

SCHEMA_FILE: Final = Path(__file__).parent.parent / "schema.json"


def schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of one line of a file of records."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pyramide record",
        "description": f"One line of a Pyramide JSON Lines file, version {VERSION}. Unknown keys are ignored.",
        **_without_indents(msgspec.json.schema(Record)),
    }


def _without_indents(part: Any) -> Any:
    """Return a part of the schema with descriptions as docstrings are read; older msgspec leaves their indents."""
    if isinstance(part, dict):
        return {
            key: inspect.cleandoc(value) if key == "description" and isinstance(value, str) else _without_indents(value)
            for key, value in part.items()
        }
    return [_without_indents(item) for item in part] if isinstance(part, list) else part


def schema_text() -> str:
    """Give the schema as it is kept in the package."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the schema into the package."""
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
