"""What a stopped batch has left: held against the questions one by one, so that the batch can go on behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from pyramide_cli.batches import Asked, CodeBatch, Form
from pyramide_cli.deals import code_of
from pyramide_cli.errors import PyramideError
from pyramide_cli.records import (
    UNSET,
    Problem,
    RecordError,
    RulesValue,
    SolutionRecord,
    decode,
    known,
    read_blocks,
    rules_of,
)
from pyramide_cli.rules import Rules


class BatchError(PyramideError):
    """What an earlier run has left does not belong to this batch."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a stopped run has left: how many records, in how many bytes, and how many of each verdict."""

    count: int
    size: int
    verdicts: dict[str, int]


def skip_done(file: str, asked: Iterator[Asked], form: Form) -> tuple[Done, Iterator[Asked]]:
    """Hold the records of a file against the questions, one by one; return what is done, and what is still asked.

    A torn last line does not count. Raises `BatchError` that names the first difference: other rules, another
    question, another deal, another form, or more records than questions.
    """
    verdicts: dict[str, int] = {}
    count = size = 0
    kept_records = _records(file)
    for item in asked:
        for position, expected in enumerate(_expected(item)):
            kept = next(kept_records, None)
            if kept is None:
                return Done(count, size, verdicts), chain((_from(item, position),), asked)
            fault = difference(kept.record, expected, form)
            if fault:
                raise BatchError(f"{file}:{kept.line}: {fault}")
            count += 1
            size = kept.end
            verdicts[kept.record.verdict] = verdicts.get(kept.record.verdict, 0) + 1
    kept = next(kept_records, None)
    if kept is not None:
        raise BatchError(f"{file}:{kept.line}: the file goes on with {_name(kept.record)}, but no more deals are asked")
    return Done(count, size, verdicts), iter(())


class Expected(NamedTuple):
    """What the record of a question says of it: the code, the cards where there is no code, the rules, what to find."""

    code: str | None
    cards: str | None
    rules: RulesValue
    find: str


def _expected(item: Asked) -> Iterator[Expected]:
    """Yield what the records of some questions say of them; codes are compared without dealing them."""
    rules = item.rules.record()
    if isinstance(item, CodeBatch):
        for number in item.numbers.tolist():
            yield Expected(code_of(number), None, rules, item.find)
    else:
        code = item.deal.code
        yield Expected(code, None if code else item.deal.text(), rules, item.find)


def _from(item: Asked, position: int) -> Asked:
    """Return what is left of some questions from a position on."""
    return CodeBatch(item.numbers[position:], item.rules, item.find) if isinstance(item, CodeBatch) else item


def difference(record: SolutionRecord, expected: Expected, form: Form) -> str | None:
    """Say how a record differs from what would be written for a question, None where it is its answer."""
    cards = known(record.cards)
    # A short record without a code says nothing of its cards, so it cannot be another deal's.
    if record.code != expected.code or (expected.code is None and cards is not None and cards != expected.cards):
        return f"other deals: it has {_name(record)} where {expected.code or expected.cards} is asked"
    if record.find != expected.find:
        return f"another question: it was made with --find {record.find}, not {expected.find}"
    if record.rules != expected.rules:
        return f"other rules: it was made under {rules_of(record)}, not {_rules_text(expected.rules)}"
    if record.is_brief != form.brief:
        return f"another form: it was made {'with' if record.is_brief else 'without'} --brief"
    if not form.brief and (record.seconds is UNSET) == form.timing:
        return f"another form: it was made {'with' if form.timing else 'without'} --no-timing"
    return None


class _Kept(NamedTuple):
    """A record of an earlier run, its line, and the bytes of the file up to its end."""

    record: SolutionRecord
    line: int
    end: int


def _records(file: str) -> Iterator[_Kept]:
    """Yield the records of an earlier run, without a last line that was torn off."""
    end = 0
    for block in read_blocks(file):
        if isinstance(block, Problem):
            raise BatchError(str(block))
        lines = block.lines if block.ended else block.lines[:-1]
        for number, line in enumerate(lines, block.first):
            end += len(line) + 1
            try:
                record = decode(line)
            except RecordError as error:
                raise BatchError(f"{file}:{number}: {error}") from None
            if not isinstance(record, SolutionRecord):
                raise BatchError(f"{file}:{number}: this is no solution")
            yield _Kept(record, number, end)


def _name(record: SolutionRecord) -> str:
    return record.code or known(record.cards) or "a deal without a code"


def _rules_text(rules: RulesValue) -> str:
    return str(Rules.from_record(rules))
