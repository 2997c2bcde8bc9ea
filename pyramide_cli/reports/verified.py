"""Logs and solutions gathered while they are held against the engine, so that wrong claims can be counted apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pyramide_cli.records import Located, Problem, SolutionRecord
from pyramide_cli.replay import Checked, replay
from pyramide_cli.reports.gathering import Gatherer
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
    """Pass records on to the replay, each after it was gathered."""
    for item in items:
        if isinstance(item.record, SolutionRecord):
            rows.clear()  # the replay holds back one record at most, and never a solution
            rows[item.file, item.line] = len(gatherer.store.solutions)
        gatherer.add_all((item,))
        yield item
    gatherer.finish()


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
