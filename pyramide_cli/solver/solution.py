"""What the solver answers."""

from __future__ import annotations

from dataclasses import dataclass

from pyramide_cli.deals import Deal
from pyramide_cli.moves import Move
from pyramide_cli.rules import Rules

WINNABLE, UNWINNABLE, UNDECIDED = "winnable", "unwinnable", "undecided"


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer to one question about one deal.

    find: the question: `any`, `shortest`, `most`, `score` or `rank=R`.
    verdict: whether the ruleset's goal can be reached: `winnable`, `unwinnable` or `undecided`.
    length: the number of moves in `line`, None without a line.
    optimal: what was asked is proved, its value and the length; False for `any`.
    score, cleared, removed: points, pyramid cards gone and all cards gone at the end of `line`, counted for the whole
        deal; None without a line, and the score also under scoring `none`.
    lower, upper: bounds of what was asked (moves for `shortest`, cards or points for the others), equal where it is
        proved; None where there are none.
    line: the moves from the start, or from the position of the game that was asked about.
    states: how many positions were stored; the same on every machine.
    seconds: the time it took, without the wait for machine code in a process that has none yet.
    """

    deal: Deal
    rules: Rules
    find: str
    verdict: str
    length: int | None
    optimal: bool
    score: int | None
    cleared: int | None
    removed: int | None
    lower: int | None
    upper: int | None
    line: tuple[Move, ...] | None
    states: int
    seconds: float
