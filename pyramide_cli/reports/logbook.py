"""Logs followed line by line: which games go on, what they have come to, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass

from pyramide_cli.deals import Deal
from pyramide_cli.pyramid import PLACES
from pyramide_cli.records import DealRecord, EndRecord, Located, MoveRecord
from pyramide_cli.reports.keeper import Keeper
from pyramide_cli.reports.store import NO_STAMP, Account
from pyramide_cli.reports.tally import Tally, card_set
from pyramide_cli.rules import Rules

_MOST_OPEN = 4096
"""So many games may go on at once; of those that began before them only the last line's figures go on."""


@dataclass(slots=True)
class Log:
    """A game that is being read: what its deal said, its moves so far, its last line, and the place to report."""

    deal: str
    rules_label: str
    rules: Rules
    player: str | None
    at: int | None
    tally: Tally
    place: tuple[str, int]
    last: MoveRecord | EndRecord | None = None
    outcome: str = "open"

    def account(self, game: str) -> Account:
        """Return what the log says of the game as it stands."""
        last, counts = self.last, self.tally.counts()
        figures: dict[str, int | None] = {
            "score": last.score if last else None,
            "moves": last.moves if last else 0,
            "undos": last.undos if isinstance(last, EndRecord) else self.tally.undos,
        }
        if counts is not None:
            figures |= {
                "removals": counts.removals,
                "kings": counts.kings,
                "inner": counts.inner,
                "mixed": counts.mixed,
                "outer": counts.outer,
                "draws": counts.draws,
                "recycles": counts.recycles,
                "cleared": counts.cleared,
                "removed": counts.removed,
            }
        t = last.t if last else None
        return Account(
            game, self.deal, self.rules_label, self.player, self.at, self.outcome, figures, t, None, checked=False
        )


class LogBook:
    """The games of which moves are being read, by id; what they come to goes to the keeper.

    Memory does not grow with the moves, nor with the games beyond what the keeper stores of each.
    """

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._open: dict[str, Log] = {}
        self._ended: set[str] = set()  # those that the store has as open all the same
        self._refused: set[str] = set()

    def find(self, game: str, item: Located) -> Log | None:
        """Return the log that a line of this game belongs to; null, reported once a game, where there is none."""
        log = self._open.get(game)
        if log is not None or game in self._refused:
            return log
        ended = self._has_ended(game)
        if not ended:
            log = self._revive(game, item)
        if log is None:
            self._refused.add(game)
            why = "after its end" if ended else "but no deal before them"
            self._keeper.complain(item, f"game {game!r} has moves here {why}; they are left out")
        else:
            self._open[game] = log
        return log

    def _revive(self, game: str, item: Located) -> Log | None:
        """Take up a game again that was put aside: its result goes on, what its moves were is not known any more."""
        games = self._keeper.store.games
        row = games.row_of.get(game)
        if row is None:
            return None
        label, deal = games.rules.label(row), games.deal[row]
        assert label is not None
        assert deal is not None
        at = None if games.at[row] == NO_STAMP else games.at[row]
        rules = self._keeper.rules_named(label)
        return Log(deal, label, rules, games.player.label(row), at, Tally(0, whole=False), (item.file, item.line))

    def start(self, record: DealRecord, game: str, item: Located) -> None:
        """Begin a game; raises `PyramideError` where its deal or rules are none, and leaves its lines out then."""
        before = self._open.pop(game, None)
        if before is not None:
            self._settle(game, before)
        self._ended.discard(game)
        self._refused.add(game)
        key, deal = self._keeper.deal(record, item)
        label, rules = self._keeper.rules(record.rules)
        pyramid = (Deal.from_code(key) if deal is None else deal).cards[:PLACES]
        at = self._keeper.stamp(record.at, item)
        log = Log(key, label, rules, record.player, at, Tally(card_set(pyramid)), (item.file, item.line))
        # The game takes its row now, so that rows come in the order of the deals, whenever the games end.
        if not self._keeper.keep_game(log.account(game), rules, item.file, item.line):
            return
        self._refused.discard(game)
        self._open[game] = log
        if len(self._open) > _MOST_OPEN:
            oldest = next(iter(self._open))
            self._settle(oldest, self._open.pop(oldest))

    def end(self, record: EndRecord, item: Located) -> None:
        """Take the end of a game, after which it cannot go on."""
        log = self.find(record.game, item)
        if log is None:
            return
        log.last = record
        log.outcome = record.outcome
        log.place = (item.file, item.line)
        self._settle(record.game, self._open.pop(record.game))
        if not self._has_ended(record.game):
            self._ended.add(record.game)

    def _has_ended(self, game: str) -> bool:
        games = self._keeper.store.games
        row = games.row_of.get(game)
        return game in self._ended or (row is not None and games.outcome.label(row) != "open")

    def finish(self) -> None:
        """Count the games that no end was read of as open."""
        for game, log in self._open.items():
            self._settle(game, log)
        self._open.clear()

    def _settle(self, game: str, log: Log) -> None:
        self._keeper.keep_game(log.account(game), log.rules, *log.place)
