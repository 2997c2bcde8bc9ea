"""Batches: questions about many deals, and their answers as records, in the order of the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from pyramide_cli.deals import Deal, code_of
from pyramide_cli.errors import PyramideError
from pyramide_cli.pools import Pool
from pyramide_cli.records import (
    UNSET,
    VERSION,
    Problem,
    SolutionRecord,
    Verdict,
    deal_of,
    encode,
    known,
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
