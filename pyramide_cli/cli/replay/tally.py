"""What `replay` counts for its summary."""

from __future__ import annotations

from dataclasses import dataclass

from pyramide_cli.messages import counted
from pyramide_cli.records import DealRecord, Problem
from pyramide_cli.replay import Checked


@dataclass(slots=True)
class Tally:
    """How many games and solutions were replayed, how many had a fault, and what else was read."""

    games: int = 0
    solutions: int = 0
    faults: int = 0
    bad_lines: int = 0
    bad_files: int = 0
    passed_over: int = 0

    def count(self, checked: Checked) -> None:
        """Count a game or a solution."""
        if isinstance(checked.track.source, DealRecord):
            self.games += 1
        else:
            self.solutions += 1
        self.faults += checked.problem is not None

    def count_problem(self, problem: Problem) -> None:
        """Count what could not be read: a line, or a file as a whole."""
        if problem.kind == "file":
            self.bad_files += 1
        else:
            self.bad_lines += 1

    def __str__(self) -> str:
        """Say it in one line."""
        kinds = [(self.games, "game"), (self.solutions, "solution")]
        things = " and ".join(counted(count, word) for count, word in kinds if count) or "nothing"
        agreed = self.games + self.solutions - self.faults
        parts = [f"replayed {things}: {agreed:,} agreed, {self.faults:,} with a fault"]
        if self.bad_files:
            parts.append(f"{counted(self.bad_files, 'file')} could not be read")
        if self.bad_lines:
            parts.append(f"{counted(self.bad_lines, 'line')} reported")
        if self.passed_over:
            parts.append(f"{counted(self.passed_over, 'record')} without moves passed over")
        return "; ".join(parts)
