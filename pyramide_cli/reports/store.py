"""What was gathered, a row a game, a solution or a judged move, in compact columns."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from pyramide_cli.reports.columns import MISSING, Labels, Texts, integers, reals, stamps

OUTCOMES = ("won", "stuck", "lost", "given-up", "open")
VERDICTS = ("winnable", "unwinnable", "undecided")

GAME_COUNTS = (
    "score",
    "moves",
    "removals",
    "kings",
    "inner",
    "mixed",
    "outer",
    "draws",
    "recycles",
    "undos",
    "cleared",
    "removed",
    "checked",
)
"""The integer columns of games."""

SOLUTION_COUNTS = ("length", "score", "cleared", "removed", "lower", "upper", "states")
"""The integer columns of solutions; `states` alone may pass 32 bits."""

_NAN = float("nan")


@dataclass(slots=True)
class Account:
    """One telling of a game: by its log, or by the record of a checked one.

    `counts` holds values of `GAME_COUNTS` by name, absent where unknown; `at` is in microseconds since 1970.
    """

    game: str | None
    deal: str
    rules: str
    player: str | None
    at: int | None
    outcome: str
    counts: dict[str, int | None]
    t: float | None
    fault: str | None
    checked: bool

    @property
    def weight(self) -> int:
        """Which of several accounts of a game counts: a finished one before an open one, then a checked one."""
        return 2 * (self.outcome != "open") + self.checked


class Games:
    """The games, each once: a row is written again when a better account of its game comes."""

    def __init__(self) -> None:
        self.row_of: dict[str | int, int] = {}
        self.deal = Texts()
        self.rules = Labels()
        self.player = Labels()
        self.at = stamps()
        self.outcome = Labels(*OUTCOMES)
        self.t = reals()
        self.counts: dict[str, array[int]] = {name: integers() for name in GAME_COUNTS}
        self.weight = array("b")
        self.faults: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.t)

    def ids(self) -> list[str | None]:
        """Return the game ids by row; null for records without one, each a game of its own."""
        return [key if isinstance(key, str) else None for key in self.row_of]

    def put(self, account: Account) -> bool:
        """Add a game, or replace what was known of it where this account weighs as much.

        Returns false, and changes nothing, where the same id stands for another deal or for other rules.
        """
        key: str | int = len(self) if account.game is None else account.game
        row = self.row_of.get(key)
        if row is None:
            self.row_of[key] = len(self)
            self._append(account)
            return True
        rules = self.rules.code(account.rules)
        if self.deal[row] != account.deal or self.rules.codes[row] != rules:
            return False
        if account.weight >= self.weight[row]:
            self._write(row, account)
        return True

    def _append(self, account: Account) -> None:
        self.deal.append(account.deal)
        self.rules.append(account.rules)
        self.player.codes.append(0)
        self.at.append(0)
        self.outcome.codes.append(0)
        self.t.append(0.0)
        for column in self.counts.values():
            column.append(MISSING)
        self.weight.append(0)
        self._write(len(self) - 1, account)

    def _write(self, row: int, account: Account) -> None:
        self.player.codes[row] = self.player.code(account.player)
        self.at[row] = NO_STAMP if account.at is None else account.at
        self.outcome.codes[row] = self.outcome.code(account.outcome)
        self.t[row] = _NAN if account.t is None else account.t
        for name, column in self.counts.items():
            value = account.counts.get(name)
            column[row] = MISSING if value is None else value
        self.weight[row] = account.weight
        if account.fault is None:
            self.faults.pop(row, None)
        else:
            self.faults[row] = account.fault


NO_STAMP = -(2**63)
"""The null of a column of moments: what numpy calls NaT."""


@dataclass(slots=True)
class Answer:
    """A solution: what the solver said of a deal.

    `counts` holds values of `SOLUTION_COUNTS` by name, absent where unknown; `find` is null where nobody says it.
    """

    deal: str
    rules: str
    find: str | None
    verdict: str
    optimal: bool | None
    seconds: float | None
    counts: dict[str, int | None]
    fault: str | None


class Solutions:
    """The solutions, all of them."""

    def __init__(self) -> None:
        self.deal = Texts()
        self.rules = Labels()
        self.find = Labels()
        self.verdict = Labels(*VERDICTS)
        self.optimal = array("b")
        self.seconds = reals()
        self.counts: dict[str, array[int]] = {
            name: stamps() if name == "states" else integers() for name in SOLUTION_COUNTS
        }
        self.faults: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.seconds)

    def append(self, answer: Answer) -> None:
        """Add a solution."""
        self.deal.append(answer.deal)
        self.rules.append(answer.rules)
        self.find.append(answer.find)
        self.verdict.append(answer.verdict)
        self.optimal.append(-1 if answer.optimal is None else answer.optimal)
        self.seconds.append(_NAN if answer.seconds is None else answer.seconds)
        for name, column in self.counts.items():
            value = answer.counts.get(name)
            column.append(MISSING if value is None else value)
        if answer.fault is not None:
            self.faults[len(self) - 1] = answer.fault


class Judgements:
    """The analysis records: what single moves were worth."""

    def __init__(self) -> None:
        self.game = Labels()
        self.n = integers()
        self.kind = Labels()
        self.before = Labels(*VERDICTS)
        self.after = Labels(*VERDICTS)
        self.left_before = integers()
        self.left_after = integers()
        self.cost = integers()

    def __len__(self) -> int:
        return len(self.n)

    def append(self, game: str | None, kind: str, before: str, after: str, figures: dict[str, int | None]) -> None:
        """Add a judged move; `figures` are `n`, `left_before`, `left_after` and `cost`, null where unknown."""
        self.game.append(game)
        self.kind.append(kind)
        self.before.append(before)
        self.after.append(after)
        for name, value in figures.items():
            getattr(self, name).append(MISSING if value is None else value)


@dataclass(slots=True)
class Store:
    """All that was read, and how much of it was not right."""

    games: Games = field(default_factory=Games)
    solutions: Solutions = field(default_factory=Solutions)
    judgements: Judgements = field(default_factory=Judgements)
    deals: int = 0
    problems: int = 0
    broken: int = 0
