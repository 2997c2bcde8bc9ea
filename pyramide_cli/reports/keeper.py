"""What every record passes on its way into the store: it is read, held against what must be true, kept or reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pyramide_cli.deals import Deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.records import (
    DealRecord,
    GameRecord,
    Located,
    Problem,
    RulesValue,
    SolutionRecord,
    code_fault,
)
from pyramide_cli.reports.naming import RulesBook, deal_key, read_stamp
from pyramide_cli.reports.store import Account, Answer, Store
from pyramide_cli.reports.truth import broken_game, broken_solution
from pyramide_cli.rules import Rules

_LARGEST = 2**31 - 1
_LONGEST = 1e9
"""Seconds: some thirty years."""


class Keeper:
    """Owns the store, and tells every problem to `report`."""

    def __init__(self, report: Callable[[Problem], None]) -> None:
        self.store = Store()
        self._report = report
        self._rules = RulesBook()

    # What is wrong.

    def pass_on(self, problem: Problem) -> None:
        """Report a problem."""
        self.store.problems += 1
        self._report(problem)

    def complain(self, item: Located, message: str) -> None:
        """Report what is wrong with a line."""
        self.pass_on(Problem(item.file, item.line, message))

    def break_identity(self, file: str, line: int, message: str) -> None:
        """Report a claim that cannot be true."""
        self.store.broken += 1
        self.pass_on(Problem(file, line, message))

    # What records say.

    def rules(self, value: RulesValue | None) -> tuple[str, Rules]:
        """Return the label and the rules of a record's value; raises `RulesError`."""
        return self._rules.read(value)

    def rules_named(self, label: str) -> Rules:
        """Return the rules of a label that `rules` gave."""
        return self._rules.named(label)

    def deal(self, record: DealRecord | GameRecord | SolutionRecord, item: Located) -> tuple[str, Deal | None]:
        """Return what `deal_key` gives, and report a code that does not deal the cards beside it."""
        key, deal = deal_key(record)
        mismatch = None if deal is None else code_fault(record, deal)
        if mismatch is not None:
            self.complain(item, mismatch)
        return key, deal

    def stamp(self, text: str | None, item: Located) -> int | None:
        """Return a moment in microseconds since 1970; null for null, and for what is none, which is reported."""
        if text is None:
            return None
        try:
            return read_stamp(text)
        except PyramideError as error:
            self.complain(item, str(error))
            return None

    # What is kept.

    def keep_game(self, account: Account, rules: Rules, file: str, line: int) -> bool:
        """Keep an account of a game, and report an identity that it breaks; false where it cannot be kept."""
        if too_large(account.counts.values(), account.t):
            self.pass_on(Problem(file, line, "a figure is too large for a game; the game is left out"))
            return False
        if not self.store.games.put(account):
            same = f"game {account.game!r} was another deal or had other rules before; this one is left out"
            self.pass_on(Problem(file, line, same))
            return False
        broken = broken_game(rules, account.outcome, account.counts)
        if broken:
            self.break_identity(file, line, f"game {account.game!r}: {broken}")
        return True

    def keep_answer(self, answer: Answer, rules: Rules, item: Located) -> bool:
        """Keep what the solver said, and report an identity that it breaks; false where it cannot be kept."""
        if too_large((value for name, value in answer.counts.items() if name != "states"), answer.seconds):
            self.complain(item, "a figure is too large for a solution; it is left out")
            return False
        self.store.solutions.append(answer)
        broken = broken_solution(rules, answer.verdict, answer.find, answer.counts, answer.optimal)
        if broken:
            self.break_identity(item.file, item.line, broken)
        return True


def too_large(figures: Iterable[int | None], seconds: float | None = None) -> bool:
    """Return whether a figure is beyond anything that a game can have, and beyond what sums of many can hold."""
    if seconds is not None and seconds > _LONGEST:
        return True
    return any(value is not None and not -_LARGEST <= value <= _LARGEST for value in figures)
