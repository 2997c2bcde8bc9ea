"""Records into columns: logs followed move by move, results taken as they are, each game once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyramide_cli.errors import PyramideError
from pyramide_cli.records import (
    AnalysisRecord,
    DealRecord,
    EndRecord,
    GameRecord,
    Located,
    MoveRecord,
    Problem,
    Record,
    SolutionRecord,
)
from pyramide_cli.reports.keeper import Keeper
from pyramide_cli.reports.logbook import Log, LogBook
from pyramide_cli.reports.results import add_game, add_judgement, add_solution
from pyramide_cli.reports.store import Store
from pyramide_cli.reports.tally import entry_code


class Gatherer:
    """Takes records one after the other and keeps what reports need of them in `store`.

    Problems, those of the lines and those found here, go to `report`. Memory grows with the number of games and
    solutions, not with the number of moves. Call `finish` at the end.
    """

    def __init__(self, report: Callable[[Problem], None]) -> None:
        self._keeper = Keeper(report)
        self._logs = LogBook(self._keeper)

    @property
    def store(self) -> Store:
        """What has been gathered so far."""
        return self._keeper.store

    def add_all(self, items: Iterable[Located]) -> None:
        """Take the records and problems of an input, in order."""
        game: str | None = None
        log: Log | None = None
        for item in items:
            record = item.record
            # Nearly all lines are moves, and nearly all of these belong to the game of the line before.
            if type(record) is MoveRecord:
                if record.game != game:
                    game = record.game
                    log = self._logs.find(game, item)
                if log is not None:
                    try:
                        log.tally.add(entry_code(record.move))
                    except PyramideError as error:
                        self._keeper.complain(item, str(error))
                    log.last = record
                continue
            game = None
            if record is None:
                if item.problem is not None:
                    self._keeper.pass_on(item.problem)
                continue
            try:
                self._add(record, item)
            except PyramideError as error:
                self._keeper.complain(item, str(error))

    def finish(self) -> Store:
        """Count the games that no end was read of as open, and return all that was gathered."""
        self._logs.finish()
        return self.store

    def _add(self, record: Record, item: Located) -> None:
        match record:
            case DealRecord():
                if record.game is None:
                    self.store.deals += 1
                else:
                    self._logs.start(record, record.game, item)
            case EndRecord():
                self._logs.end(record, item)
            case GameRecord():
                add_game(self._keeper, record, item)
            case SolutionRecord():
                add_solution(self._keeper, record, item)
            case AnalysisRecord():
                add_judgement(self._keeper, record, item)
