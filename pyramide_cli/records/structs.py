"""The records of the JSON Lines files: one struct a type, told apart by the key `type`.

Every record has `type` and `v`. `v` has no default on purpose: a line without it is refused, and no writer can
forget it (`v=VERSION`). Two habits say what becomes of a key that holds nothing:

- in deals, moves and ends a key whose value is the default is left out (`game`, `player`, `at`, `t`);
- in games and solutions null is an answer ("there is none"), so keys are always written; those that only some
  records have are `UNSET` where they are absent (`known` turns that into None).
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, field

VERSION: Final = 1

T = TypeVar("T")

# JSON numbers beyond 2**53 do not survive other readers; nothing counted here comes near.
_LIMIT: Final = 2**53
Count: TypeAlias = Annotated[int, Meta(ge=0, le=_LIMIT)]
EntryNumber: TypeAlias = Annotated[int, Meta(ge=1, le=_LIMIT)]
Score: TypeAlias = Annotated[int, Meta(ge=-_LIMIT, le=_LIMIT)]
Seconds: TypeAlias = Annotated[float, Meta(ge=0)]
Verdict: TypeAlias = Literal["winnable", "unwinnable", "undecided"]
Outcome: TypeAlias = Literal["won", "stuck", "lost", "given-up", "open"]
Find: TypeAlias = Annotated[str, Meta(pattern=r"^(any|shortest|most|score|rank=(A|[2-9TJQK]))$")]
RulesValue: TypeAlias = str | dict[str, str | int | bool | None]


def _nothing() -> None:
    """Give None: a default that msgspec does not recognise as one, so the key is written all the same."""
    return


class DealRecord(Struct, kw_only=True, tag_field="type", tag="deal", omit_defaults=True, gc=False):
    """A deal, or, with `game`, the first line of a game's log."""

    v: Literal[1]
    game: str | None = None
    code: str | None = field(default_factory=_nothing)
    rules: RulesValue | None = field(default_factory=_nothing)
    cards: str | None = field(default_factory=_nothing)
    player: str | None = None
    at: str | None = None


class MoveRecord(Struct, kw_only=True, tag_field="type", tag="move", omit_defaults=True, gc=False):
    """One entry of a game's log: a move or an undo, with the score and the move count after it."""

    v: Literal[1]
    game: str
    n: EntryNumber
    move: str
    score: Score | None
    moves: Count
    t: Seconds | None = None


class EndRecord(Struct, kw_only=True, tag_field="type", tag="end", omit_defaults=True, gc=False):
    """The last line of a game's log: how it ended."""

    v: Literal[1]
    game: str
    outcome: Outcome
    score: Score | None
    moves: Count
    undos: Count
    t: Seconds | None = None


class AnalysisSummary(Struct, kw_only=True):
    """What an analysis says of a whole game.

    verdict, shortest: whether the deal can be won, and in how few moves. lost_at: the entry that gave the win away for
    good. wasted: the moves that entries wasted together. efficiency: shortest over played, for a won game. clearable:
    how many more pyramid cards could still be cleared at the end. Null where there is none, or it is not known.
    """

    verdict: Verdict
    shortest: Count | None
    lost_at: EntryNumber | None
    wasted: Count | None
    efficiency: Annotated[float, Meta(ge=0)] | None
    clearable: Count | None


class GameRecord(Struct, kw_only=True, tag_field="type", tag="game"):
    """The result of a game or of a solution that was read and checked.

    The keys from `find` to `seconds` are there for solutions only; there, null means that there is none.
    `analysis` is there where the game was analysed.
    """

    v: Literal[1]
    game: str | None = None
    code: str | None = None
    cards: str | None = None
    rules: RulesValue | None = None
    player: str | None = None
    at: str | None = None
    outcome: Outcome | None
    score: Score | None = None
    moves: Count | None = None
    removals: Count | None = None
    draws: Count | None = None
    recycles: Count | None = None
    undos: Count | None = None
    cleared: Count | None = None
    removed: Count | None = None
    t: Seconds | None = None
    checked: Count | None = None
    fault: str | None = None
    find: Find | UnsetType = UNSET
    verdict: Verdict | UnsetType = UNSET
    length: Count | UnsetType | None = UNSET
    optimal: bool | UnsetType | None = UNSET
    states: Count | UnsetType | None = UNSET
    seconds: Seconds | UnsetType | None = UNSET
    analysis: AnalysisSummary | UnsetType = UNSET


class SolutionRecord(Struct, kw_only=True, tag_field="type", tag="solution"):
    """What the solver found out about a deal.

    A full record gives every key. A brief one stops at `length`: its other keys are `UNSET`.
    """

    v: Literal[1]
    code: str | None
    rules: RulesValue
    cards: str | UnsetType | None = UNSET
    find: Find
    verdict: Verdict
    length: Count | None
    optimal: bool | UnsetType = UNSET
    score: Score | UnsetType | None = UNSET
    cleared: Count | UnsetType | None = UNSET
    removed: Count | UnsetType | None = UNSET
    lower: Score | UnsetType | None = UNSET
    upper: Score | UnsetType | None = UNSET
    line: list[str] | UnsetType | None = UNSET
    states: Count | UnsetType | None = UNSET
    seconds: Seconds | UnsetType | None = UNSET

    @property
    def is_brief(self) -> bool:
        """Whether only the short form was written."""
        return self.line is UNSET


class AnalysisRecord(Struct, kw_only=True, tag_field="type", tag="analysis"):
    """What one move of a game was worth: the verdicts and the moves to a win before and after it."""

    v: Literal[1]
    game: str | None
    n: EntryNumber
    move: str
    before: Verdict
    after: Verdict
    left_before: Count | None = None
    left_after: Count | None = None
    cost: Score | None = None


Record: TypeAlias = DealRecord | MoveRecord | EndRecord | GameRecord | SolutionRecord | AnalysisRecord
RECORD_TYPES: Final = ("deal", "move", "end", "game", "solution", "analysis")


def known(value: T | UnsetType) -> T | None:
    """Give the value of a key, or None where the record does not have the key."""
    return None if isinstance(value, UnsetType) else value
