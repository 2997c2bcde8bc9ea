"""Mutated inputs for all readers, so many together."""

from __future__ import annotations

import random
from collections import Counter

from tests.fuzz import readers
from tests.fuzz.mutator import GOOD, LINES_A_FILE, broken, broken_file, broken_logs

REPORTED = 0.2
"""How many of the logs become a report: pandas takes longer than all else."""


def run(count: int, seed: int) -> Counter[str]:
    """Give about so many mutated inputs to the readers; return how many of each kind.

    Most are lines: by themselves, and `LINES_A_FILE` at a time as files of records and of deals. One input in a
    hundred is a log, and one what a batch has left. Raises what a reader raises, with the input in a note.
    """
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    logs = broken_logs(rng)
    agreed = records = 0
    while sum(counts.values()) < count:
        data = broken_file(rng)
        lines = [broken(rng.choice(GOOD), rng) for _ in range(LINES_A_FILE)]
        spoiled, left = next(logs), broken(readers.HALF_DONE, rng)
        for kind, reader, item in (
            ("lines of files", readers.read_record_file, data),
            ("", readers.read_deal_file, data),
            *(("single lines", readers.read_line, line) for line in lines),
            ("logs", readers.read_log, spoiled),
            ("", readers.report_log, spoiled),
            *((("", readers.make_reports, spoiled),) if rng.random() < REPORTED else ()),
            ("", readers.go_on_with_log, spoiled),
            ("stopped batches", readers.resume_batch, left),
        ):
            try:
                result = reader(item)
            except BaseException as error:
                error.add_note(f"{getattr(reader, '__name__', reader)} was given {item!r}")
                raise
            if kind:
                counts[kind] += LINES_A_FILE if kind == "lines of files" else 1
            records += (result or 0) if kind == "lines of files" else 0
            agreed += (result or 0) if kind == "logs" else 0
    # Broken too much, or too little, they would show nothing.
    assert counts["lines of files"] * 0.02 < records < counts["lines of files"] * 0.5
    assert counts["logs"] * 0.2 < agreed
    return counts
