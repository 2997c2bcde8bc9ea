"""Batches: questions about many deals answered as records, and what an earlier run has answered already.

A batch is a stream of questions. Its records are written in the order of the questions, so a file that a stopped
run has left can be held against the same questions, one by one, and the batch goes on behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from pyramide_cli.deals import Deal, code_of
from pyramide_cli.errors import PyramideError
from pyramide_cli.pools import Pool
from pyramide_cli.records import (
    UNSET,
    VERSION,
    Problem,
    RecordError,
    SolutionRecord,
    Verdict,
    deal_of,
    decode,
    encode,
    known,
    read_blocks,
    read_records,
    rules_of,
)
from pyramide_cli.rules import DEFAULT_RULES, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pyramide_cli.solver import Solution


class Question(NamedTuple):
    """What the solver is asked: a deal, the rules, and what to find (`any`, `shortest`, …)."""

    deal: Deal
    rules: Rules
    find: str


@dataclass(frozen=True, slots=True)
class CodeBatch:
    """The same question about many deals, given by their numbers: an array of shape (n,)."""

    numbers: NDArray[np.uint64]
    rules: Rules
    find: str

    def questions(self) -> Iterator[Question]:
        """Yield the questions one by one."""
        for number in self.numbers.tolist():
            yield Question(Deal.from_number(number), self.rules, self.find)


Asked: TypeAlias = Question | CodeBatch

_CODE = code_of(0)


class Form(NamedTuple):
    """How solutions are written: in the short form or the full one, and whether with the time that they took."""

    brief: bool = False
    timing: bool = True


class BatchError(PyramideError):
    """What an earlier run has left does not belong to this batch."""


def answers(questions: Iterable[Question], pool: Pool, *, max_states: int) -> Iterator[Solution]:
    """Answer questions in their order, side by side as far as the pool goes."""
    return pool.map(partial(_solution, max_states=max_states), questions)


def _solution(question: Question, *, max_states: int) -> Solution:
    """Answer one question."""
    from pyramide_cli.solver import solve

    return solve(question.deal, question.rules, find=question.find, max_states=max_states)


class Lines(NamedTuple):
    """Records that are ready to be written, and how many there are of each verdict."""

    text: bytes
    verdicts: dict[str, int]


def records(asked: Iterable[Asked], form: Form, pool: Pool, *, max_states: int) -> Iterator[Lines]:
    """Answer questions as records, in their order, side by side as far as the pool goes."""
    for is_quick, group in groupby(asked, key=lambda item: _is_quick(item, form)):
        if is_quick:
            batches = (item for item in group if isinstance(item, CodeBatch))
            yield from pool.map(_quick_lines, batches, even=True)
        else:
            yield from pool.map(partial(_lines, form=form, max_states=max_states), single_questions(group))


def _lines(question: Question, *, form: Form, max_states: int) -> Lines:
    """Answer one question as a record."""
    solution = _solution(question, max_states=max_states)
    return Lines(encode(solution_record(solution, form)), {solution.verdict: 1})


def single_questions(asked: Iterable[Asked]) -> Iterator[Question]:
    """Yield all questions one by one."""
    for item in asked:
        if isinstance(item, CodeBatch):
            yield from item.questions()
        else:
            yield item


def _is_quick(item: Asked, form: Form) -> bool:
    """Whether a batch can be answered as arrays: short records of verdicts that the pyramid alone decides."""
    if not (form.brief and isinstance(item, CodeBatch) and item.find == "any"):
        return False
    from pyramide_cli.solver.balance import decides

    return decides(item.rules) and not item.rules.cover_pair


def _quick_lines(batch: CodeBatch) -> Lines:
    """Answer one batch: the same bytes as a record at a time, without an object for each."""
    from pyramide_cli.bulk import codes
    from pyramide_cli.deals import deal_many
    from pyramide_cli.solver.lengths import NO_WIN, winning_lengths

    lengths = winning_lengths(deal_many(batch.numbers), batch.rules).tolist()
    tails: dict[int, bytes] = {}
    for length in set(lengths):
        verdict: Verdict = "unwinnable" if length == NO_WIN else "winnable"
        record = SolutionRecord(
            v=VERSION,
            code=_CODE,
            rules=batch.rules.record(),
            find=batch.find,
            verdict=verdict,
            length=None if length == NO_WIN else length,
        )
        head, tails[length] = encode(record).split(_CODE.encode())
    names = codes(batch.numbers)
    rows = names.view(f"S{names.shape[1]}").ravel().tolist()
    text = b"".join([part for name, length in zip(rows, lengths, strict=True) for part in (head, name, tails[length])])
    lost = lengths.count(NO_WIN)
    return Lines(text, {"winnable": len(lengths) - lost, "unwinnable": lost})


def solution_record(solution: Solution, form: Form = Form()) -> SolutionRecord:  # noqa: B008 - immutable
    """Return the record of a solution."""
    record = SolutionRecord(
        v=VERSION,
        code=solution.deal.code,
        rules=solution.rules.record(),
        find=solution.find,
        verdict=cast(Verdict, solution.verdict),
        length=solution.length,
    )
    if form.brief:
        return record
    record.cards = solution.deal.text()
    record.optimal = solution.optimal
    record.score = solution.score
    record.cleared = solution.cleared
    record.removed = solution.removed
    record.lower = solution.lower
    record.upper = solution.upper
    record.line = None if solution.line is None else [str(move) for move in solution.line]
    record.states = solution.states
    record.seconds = round(solution.seconds, 6) if form.timing else UNSET
    return record


def is_open(record: SolutionRecord) -> bool:
    """Whether a question was left open at a limit: the verdict is, or what was asked is not proved."""
    if record.verdict == "undecided":
        return True
    if record.find == "any" or (record.verdict == "unwinnable" and record.find == "shortest"):
        return False
    return known(record.optimal) is False


def open_questions(file: str, on_problem: Callable[[Problem], None]) -> Iterator[Question]:
    """Yield the questions that the solutions of a file left open. What is no solution is a problem."""
    for located in read_records(file):
        record = located.record
        if located.problem is not None:
            on_problem(located.problem)
        elif not isinstance(record, SolutionRecord):
            on_problem(Problem(file, located.line, "this is no solution"))
        elif is_open(record):
            try:
                yield Question(deal_of(record), rules_of(record) or DEFAULT_RULES, record.find)
            except PyramideError as error:
                on_problem(Problem(file, located.line, str(error)))


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
    records = _records(file)
    for item in asked:
        batch = item.questions() if isinstance(item, CodeBatch) else iter((item,))
        for position, question in enumerate(batch):
            kept = next(records, None)
            if kept is None:
                rest = (
                    CodeBatch(item.numbers[position:], item.rules, item.find) if isinstance(item, CodeBatch) else item
                )
                return Done(count, size, verdicts), chain((rest,), asked)
            fault = difference(kept.record, question, form)
            if fault:
                raise BatchError(f"{file}:{kept.line}: {fault}")
            count += 1
            size = kept.end
            verdicts[kept.record.verdict] = verdicts.get(kept.record.verdict, 0) + 1
    kept = next(records, None)
    if kept is not None:
        raise BatchError(f"{file}:{kept.line}: the file goes on with {_name(kept.record)}, but no more deals are asked")
    return Done(count, size, verdicts), iter(())


def difference(record: SolutionRecord, question: Question, form: Form) -> str | None:
    """Say how a record differs from what would be written for a question, None where it is its answer."""
    deal = question.deal
    if deal.code is not None or record.code is not None or record.is_brief:
        is_other_deal = record.code != deal.code
    else:
        is_other_deal = known(record.cards) != deal.text()
    if is_other_deal:
        return f"other deals: it has {_name(record)} where {deal} is asked"
    if record.find != question.find:
        return f"another question: it was made with --find {record.find}, not {question.find}"
    rules = question.rules.record()
    if record.rules != rules:
        return f"other rules: it was made under {_rules_text(record)}, not {question.rules}"
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
    for item in read_blocks(file):
        if isinstance(item, Problem):
            raise BatchError(str(item))
        lines = item.lines if item.ended else item.lines[:-1]
        for number, line in enumerate(lines, item.first):
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


def _rules_text(record: SolutionRecord) -> str:
    return str(rules_of(record))
