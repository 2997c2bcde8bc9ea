"""What a named report works on: the gathered frames, and what was asked about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyramide_cli.errors import PyramideError
from pyramide_cli.messages import counted
from pyramide_cli.reports.frames import games_frame, judgements_frame, solutions_frame
from pyramide_cli.reports.store import Store

if TYPE_CHECKING:
    import pandas as pd


class ReportError(PyramideError):
    """There is no such report, or it cannot do what was asked of it."""


@dataclass(frozen=True)
class Data:
    """One set of games, solutions and judgements.

    apart: whether games and solutions that a check found wrong are left out of every figure and only counted.
    """

    store: Store
    apart: bool = False

    def games(self, *columns: str) -> pd.DataFrame:
        """Return these columns of the games that count."""
        frame = games_frame(self.store.games, list(dict.fromkeys((*columns, "faulty"))))
        return frame[~frame["faulty"]] if self.apart and self.store.games.faults else frame

    def solutions(self, *columns: str) -> pd.DataFrame:
        """Return these columns of the solutions that count."""
        frame = solutions_frame(self.store.solutions, list(dict.fromkeys((*columns, "faulty"))))
        return frame[~frame["faulty"]] if self.apart and self.store.solutions.faults else frame

    def judgements(self) -> pd.DataFrame:
        """Return the judged moves."""
        return judgements_frame(self.store.judgements)

    def notes(self) -> tuple[str, ...]:
        """Return what everyone who reads a report of this data must know about it."""
        games, solutions = len(self.store.games.faults), len(self.store.solutions.faults)
        notes = []
        if self.store.deals:
            are = counted(
                self.store.deals, "record is a deal and no game: it is", "records are deals and no games: they are"
            )
            notes.append(f"{are} in no figure.")
        for count, what in ((games, "game"), (solutions, "solution")):
            unverified = counted(count, f"{what} does not verify and is", f"{what}s do not verify and are")
            if count and self.apart:
                notes.append(f"{unverified} in no figure but `faulty`.")
            elif count:
                notes.append(f"{unverified} counted all the same; --verify leaves out what does not verify.")
        if self.store.broken:
            notes.append(
                counted(self.store.broken, "game or solution breaks", "games or solutions break")
                + " an identity (the messages name them)."
            )
        return tuple(notes)


@dataclass(frozen=True)
class Question:
    """What was asked: `by` a column, only the `top` rows, `against` a second set."""

    by: str | None = None
    top: int | None = None
    against: Data | None = None
    names: tuple[str, str] = ("A", "B")
