"""Logs and solutions gathered while they are held against the engine, so that wrong claims can be counted apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pyramide_cli.errors import PyramideError
from pyramide_cli.records import DealRecord, EndRecord, Located, MoveRecord, Problem, SolutionRecord
from pyramide_cli.replay import Checked, replay
from pyramide_cli.reports.gathering import Gatherer
from pyramide_cli.reports.naming import deal_key
from pyramide_cli.reports.store import Store


def gather_verified(items: Iterable[Located], report: Callable[[Problem], None]) -> Store:
    """Gather records and replay them at once; the first thing wrong with a game or solution is kept as its fault.

    Every problem goes to `report`, one that both readers find only once.
    """
    told: set[tuple[str, int | None]] = set()

    def tell(problem: Problem) -> None:
        place = (problem.file, problem.line)
        if problem.line is None or place not in told:
            told.add(place)
            report(problem)

    gatherer = Gatherer(tell)
    rows: dict[tuple[str, int], int] = {}
    for outcome in replay(_taken(items, gatherer, rows)):
        problem = outcome.problem if isinstance(outcome, Checked) else outcome
        if problem is None:
            continue
        tell(problem)
        gatherer.store.problems += 1
        if isinstance(outcome, Checked):
            _mark(gatherer.store, outcome, str(problem), rows)
    return gatherer.store


def _taken(items: Iterable[Located], gatherer: Gatherer, rows: dict[tuple[str, int], int]) -> Iterator[Located]:
    """Pass records on to the replay, each after it was gathered; a finished game that comes again is passed over."""
    again: set[str] = set()
    for item in items:
        record = item.record
        if isinstance(record, DealRecord) and record.game is not None:
            if _is_known(gatherer.store, record):
                again.add(record.game)
            else:
                again.discard(record.game)
        if isinstance(record, DealRecord | MoveRecord | EndRecord) and record.game in again:
            continue
        if isinstance(record, SolutionRecord):
            rows.clear()  # the replay answers a solution before it asks for the next record
            rows[item.file, item.line] = len(gatherer.store.solutions)
        gatherer.add_all((item,))
        yield item
    gatherer.finish()


def _is_known(store: Store, record: DealRecord) -> bool:
    """Whether this game has been read to its end before, from another copy of its log."""
    row = store.games.row_of.get(record.game or "")
    if row is None or store.games.outcome.label(row) == "open":
        return False
    try:
        return deal_key(record)[0] == store.games.deal[row]
    except PyramideError:
        return False


def _mark(store: Store, checked: Checked, fault: str, rows: dict[tuple[str, int], int]) -> None:
    track = checked.track
    if isinstance(track.source, SolutionRecord):
        row = rows.get((track.file, track.line))
        if row is not None and row < len(store.solutions):
            store.solutions.faults[row] = fault
        return
    row = store.games.row_of.get(track.source.game or "")
    if row is not None:
        store.games.faults[row] = fault
