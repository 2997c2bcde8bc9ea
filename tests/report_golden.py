"""The golden files of the reports: `python -m tests.report_golden` writes them again from the kept log.

Look at what `git diff` shows before you keep it.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from pyramide_cli.reports import REPORTS, Data, Question, dump, gather, make
from tests.report_log import FOLDER, LOG, OTHER

FORMATS = {"table": "txt", "csv": "csv", "json": "json", "markdown": "md", "html": "html"}
GOLDEN = FOLDER / "golden"


def read() -> tuple[Data, Data]:
    """Return the kept log and the set to compare it with."""
    return Data(gather(LOG)), Data(gather(OTHER))


def written(name: str, data: tuple[Data, Data]) -> dict[str, str]:
    """Return a report in every text format by file name; html without its plots, which are matplotlib's affair."""
    top = 3 if name in ("deal", "hardest", "hardest-played") else None
    report = make(name, data[0], Question(top=top, against=data[1], names=("log", "other")))
    texts = {}
    for each, ending in FORMATS.items():
        text = dump(replace(report, plots=()), each, width=80)
        assert isinstance(text, str)
        texts[f"{name}.{ending}"] = text
    return texts


def main() -> None:
    """Write all files, and remove those of reports that are gone."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    data = read()
    files = {file: text for name in REPORTS for file, text in written(name, data).items()}
    for path in GOLDEN.iterdir():
        if path.name not in files:
            path.unlink()
    for file, text in files.items():
        (GOLDEN / file).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(files)} files in {GOLDEN}\n")


if __name__ == "__main__":
    main()
