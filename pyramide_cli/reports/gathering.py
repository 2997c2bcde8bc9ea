"""Records into columns: logs followed move by move, results taken as they are, each game once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyramide_cli.deals import Deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.moves import parse_move
from pyramide_cli.pyramid import PLACES
from pyramide_cli.records import (
    UNSET,
    AnalysisRecord,
    DealRecord,
    EndRecord,
    GameRecord,
    Located,
    MoveRecord,
    Problem,
    SolutionRecord,
    code_fault,
    known,
)
from pyramide_cli.reports.naming import RulesBook, deal_key, read_stamp
from pyramide_cli.reports.store import NO_STAMP, Account, Store
from pyramide_cli.reports.tally import Tally, card_set, entry_code, entry_kind
from pyramide_cli.reports.truth import DECK, broken_game, broken_line, broken_solution
from pyramide_cli.rules import Rules

_MOST_OPEN = 4096
"""So many games may go on at once; of the longest idle ones beyond, only the counters go on."""

_MOST_ENDED = 64
"""So many games may still be taken up again after their end, with an undo, and keep all their counts."""

_LARGEST = 2**31 - 1
_LONGEST = 1e9
"""Seconds: some thirty years."""


class _Log:
    """A game that is being read: what its deal said, its moves so far, its last line."""

    __slots__ = ("at", "deal", "last", "outcome", "place", "player", "rules", "rules_label", "tally")

    def __init__(
        self,
        deal: str,
        rules_label: str,
        rules: Rules,
        player: str | None,
        at: int | None,
        tally: Tally,
        place: tuple[str, int],
    ) -> None:
        self.deal = deal
        self.rules_label = rules_label
        self.rules = rules
        self.player = player
        self.at = at
        self.tally = tally
        self.place = place
        self.last: MoveRecord | EndRecord | None = None
        self.outcome = "open"

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


class Gatherer:
    """Takes records one after the other and keeps what reports need of them in `store`.

    Problems, those of the lines and those found here, go to `report`. Memory grows with the number of games and
    solutions, not with the number of moves. Call `finish` at the end.
    """

    def __init__(self, report: Callable[[Problem], None]) -> None:
        self.store = Store()
        self._report = report
        self._rules = RulesBook()
        self._open: dict[str, _Log] = {}
        self._ended: dict[str, _Log] = {}
        self._refused: set[str] = set()

    def add_all(self, items: Iterable[Located]) -> None:
        """Take the records and problems of an input, in order."""
        game: str | None = None
        log: _Log | None = None
        for item in items:
            record = item.record
            if type(record) is MoveRecord:
                if record.game != game:
                    game = record.game
                    log = self._log_of(game, item)
                if log is not None:
                    try:
                        log.tally.add(entry_code(record.move))
                    except PyramideError as error:
                        self._complain(item, str(error))
                    log.last = record
                continue
            game = None
            if record is None:
                if item.problem is not None:
                    self._pass_on(item.problem)
                continue
            try:
                self._add(record, item)
            except PyramideError as error:
                if isinstance(record, DealRecord) and record.game is not None:
                    self._open.pop(record.game, None)
                    self._refused.add(record.game)
                self._complain(item, str(error))

    def finish(self) -> Store:
        """Count the games that no end was read of as open, and return all that was gathered."""
        for game, log in self._open.items():
            self._settle(game, log)
        self._open.clear()
        self._ended.clear()
        return self.store

    def _pass_on(self, problem: Problem) -> None:
        self.store.problems += 1
        self._report(problem)

    def _complain(self, item: Located, message: str) -> None:
        self._pass_on(Problem(item.file, item.line, message))

    # Logs.

    def _log_of(self, game: str, item: Located) -> _Log | None:
        """Return the log that a line of this game belongs to; null, said once a game, where there is none."""
        log = self._open.get(game)
        if log is not None:
            return log
        log = self._ended.pop(game, None)
        if log is not None:
            log.outcome = "open"
            self._open[game] = log
            return log
        log = None if game in self._refused else self._revive(game, item)
        if log is not None:
            self._open[game] = log
        elif game not in self._refused:
            self._refused.add(game)
            self._complain(item, f"game {game!r} has moves here but no deal before them; they are left out")
        return log

    def _revive(self, game: str, item: Located) -> _Log | None:
        """Take up a game again that was put aside: its result goes on, what its moves were is not known any more."""
        games = self.store.games
        row = games.row_of.get(game)
        if row is None:
            return None
        label, player, deal = games.rules.label(row), games.player.label(row), games.deal[row]
        assert label is not None
        assert deal is not None
        at = None if games.at[row] == NO_STAMP else games.at[row]
        tally = Tally(0, whole=False)
        return _Log(deal, label, self._rules.named(label), player, at, tally, (item.file, item.line))

    def _start(self, record: DealRecord, game: str, item: Located) -> None:
        key, deal = self._deal(record, item)
        label, rules = self._rules.read(record.rules)
        pyramid = (Deal.from_code(key) if deal is None else deal).cards[:PLACES]
        before = self._open.pop(game, None)
        if before is not None:
            self._settle(game, before)
        self._ended.pop(game, None)
        self._refused.discard(game)
        tally = Tally(card_set(pyramid))
        at = self._stamp(record.at, item)
        log = _Log(key, label, rules, record.player, at, tally, (item.file, item.line))
        # The game takes its row now, so that rows come in the order of the deals, whenever the games end.
        if not self._put(log.account(game), rules, item.file, item.line):
            self._refused.add(game)
            return
        self._open[game] = log
        if len(self._open) > _MOST_OPEN:
            oldest = next(iter(self._open))
            self._settle(oldest, self._open.pop(oldest))

    def _end(self, record: EndRecord, item: Located) -> None:
        log = self._log_of(record.game, item)
        if log is None:
            return
        log.last = record
        log.outcome = record.outcome
        if record.outcome == "open":
            return
        log.place = (item.file, item.line)
        self._settle(record.game, log)
        self._ended[record.game] = self._open.pop(record.game)
        if len(self._ended) > _MOST_ENDED:
            del self._ended[next(iter(self._ended))]

    def _settle(self, game: str, log: _Log) -> None:
        self._put(log.account(game), log.rules, *log.place)

    def _put(self, account: Account, rules: Rules, file: str, line: int) -> bool:
        """Keep an account and hold it against what must be true; false where it cannot be kept."""
        if _too_large(account.counts, account.t):
            self._pass_on(Problem(file, line, "a figure is too large for a game; the game is left out"))
            return False
        if not self.store.games.put(account):
            same = f"game {account.game!r} was another deal or had other rules before; this one is left out"
            self._pass_on(Problem(file, line, same))
            return False
        broken = broken_game(rules, account.outcome, account.counts)
        if broken:
            self.store.broken += 1
            self._pass_on(Problem(file, line, f"game {account.game!r}: {broken}"))
        return True

    def _deal(self, record: DealRecord | GameRecord | SolutionRecord, item: Located) -> tuple[str, Deal | None]:
        """Return what `deal_key` gives, and say where a code does not deal the cards beside it."""
        key, deal = deal_key(record)
        mismatch = None if deal is None else code_fault(record, deal)
        if mismatch is not None:
            self._complain(item, mismatch)
        return key, deal

    def _stamp(self, text: str | None, item: Located) -> int | None:
        if text is None:
            return None
        try:
            return read_stamp(text)
        except PyramideError as error:
            self._complain(item, str(error))
            return None

    # Results.

    def _add(self, record: object, item: Located) -> None:
        match record:
            case DealRecord():
                if record.game is None:
                    self.store.deals += 1
                else:
                    self._start(record, record.game, item)
            case EndRecord():
                self._end(record, item)
            case GameRecord():
                self._add_game(record, item)
            case SolutionRecord():
                self._add_solution(record, item)
            case AnalysisRecord():
                self._add_judgement(record, item)

    def _add_game(self, record: GameRecord, item: Located) -> None:
        if record.verdict is not UNSET:
            self._add_checked_solution(record, item)
            return
        key, _ = self._deal(record, item)
        label, rules = self._rules.read(record.rules)
        counts = {
            "score": record.score,
            "moves": record.moves,
            "removals": record.removals,
            "draws": record.draws,
            "recycles": record.recycles,
            "undos": record.undos,
            "cleared": record.cleared,
            "removed": record.removed,
            "checked": record.checked,
        }
        at = self._stamp(record.at, item)
        account = Account(
            record.game,
            key,
            label,
            record.player,
            at,
            record.outcome or "open",
            counts,
            record.t,
            record.fault,
            checked=True,
        )
        self._put(account, rules, item.file, item.line)

    def _add_checked_solution(self, record: GameRecord, item: Located) -> None:
        """Count the record that a check of a solution left behind: it is a solution still, no game."""
        key, _ = self._deal(record, item)
        counts = {
            "length": known(record.length),
            "score": record.score,
            "cleared": record.cleared,
            "removed": record.removed,
            "states": known(record.states),
        }
        verdict = known(record.verdict)
        assert verdict is not None
        self._keep_solution(
            key, record.rules, None, verdict, known(record.optimal), known(record.seconds), counts, record.fault, item
        )

    def _add_solution(self, record: SolutionRecord, item: Located) -> None:
        key, deal = self._deal(record, item)
        counts = {
            "length": record.length,
            "score": known(record.score),
            "cleared": known(record.cleared),
            "removed": known(record.removed),
            "lower": known(record.lower),
            "upper": known(record.upper),
            "states": known(record.states),
        }
        line = known(record.line)
        if line is not None and record.length is not None and record.length != len(line):
            self._break(item, f"the length is {record.length}, but the line has {len(line)} moves")
        rules = self._keep_solution(
            key,
            record.rules,
            record.find,
            record.verdict,
            known(record.optimal),
            known(record.seconds),
            counts,
            None,
            item,
        )
        # A log needs no such check: its moves are counted one by one, and 28 and 52 cards gone say the same.
        if line and key and rules and counts["removed"] == DECK:
            broken = broken_line(deal or Deal.from_code(key), [parse_move(text) for text in line])
            if broken:
                self._break(item, broken)

    def _keep_solution(
        self,
        key: str,
        rules_value: str | dict[str, str | int | bool | None] | None,
        find: str | None,
        verdict: str,
        optimal: bool | None,
        seconds: float | None,
        counts: dict[str, int | None],
        fault: str | None,
        item: Located,
    ) -> Rules | None:
        label, rules = self._rules.read(rules_value)
        if _too_large({name: value for name, value in counts.items() if name != "states"}, seconds):
            self._complain(item, "a figure is too large for a solution; it is left out")
            return None
        self.store.solutions.append(key, label, find, verdict, optimal, seconds, counts, fault)
        broken = broken_solution(rules, verdict, find, counts, optimal)
        if broken:
            self._break(item, broken)
        return rules

    def _break(self, item: Located, message: str) -> None:
        self.store.broken += 1
        self._complain(item, message)

    def _add_judgement(self, record: AnalysisRecord, item: Located) -> None:
        kind = entry_kind(entry_code(record.move))
        figures = {name: getattr(record, name) for name in ("n", "left_before", "left_after", "cost")}
        if _too_large(figures):
            self._complain(item, "a figure is too large for a move; the record is left out")
            return
        self.store.judgements.append(record.game, kind, record.before, record.after, figures)


def _too_large(counts: dict[str, int | None], seconds: float | None = None) -> bool:
    """Whether a figure is beyond anything that a game can have, and beyond what sums of many can hold."""
    if seconds is not None and seconds > _LONGEST:
        return True
    return any(value is not None and not -_LARGEST <= value <= _LARGEST for value in counts.values())
