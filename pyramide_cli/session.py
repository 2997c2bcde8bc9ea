"""A game while it is being played: the engine, the clock and the records that the log of the game is made of."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

from pyramide_cli.deals import Deal
from pyramide_cli.game import Game, Prover
from pyramide_cli.illegal import IllegalMove
from pyramide_cli.moves import Move, move_name
from pyramide_cli.records import VERSION, DealRecord, EndRecord, MoveRecord, Outcome, deal_record
from pyramide_cli.rules import Rules

Write = Callable[[DealRecord | MoveRecord | EndRecord], None]


def new_game_id() -> str:
    """Return an id for a game that no other game has."""
    return secrets.token_hex(8)


class Clock:
    """The seconds that a game has taken; it never goes back, whatever happens to the time of day."""

    def __init__(self, start: float = 0.0) -> None:
        self._zero = time.monotonic() - start

    def seconds(self) -> float:
        """Return the seconds so far, to a tenth."""
        return round(time.monotonic() - self._zero, 1)


class Session:
    """A game being played, of which every entry is written down as it happens.

    `write` gets the records: the deal's when the session begins, one for each move and undo, and the end's. Without a
    clock the records have no times, so that the same moves give the same records.
    """

    def __init__(
        self,
        game: Game,
        game_id: str,
        write: Write,
        *,
        clock: Clock | None = None,
        entries: int = 0,
    ) -> None:
        """Take a game of which `entries` entries are written down already."""
        self.game = game
        self.game_id = game_id
        self.clock = clock
        self.entries = entries
        self.ended = False
        self._behind = False
        self._entered = None if clock is None or not entries else clock.seconds()
        self._write = write

    @classmethod
    def begin(
        cls,
        deal: Deal,
        rules: Rules,
        write: Write,
        *,
        game_id: str | None = None,
        player: str | None = "me",
        clock: Clock | None = None,
        prover: Prover | None = None,
    ) -> Session:
        """Begin a new game and write its deal down."""
        session = cls(Game(deal, rules, prover=prover), game_id or new_game_id(), write, clock=clock)
        write(
            deal_record(
                deal,
                rules,
                game=session.game_id,
                player=player,
                at=None if clock is None else datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            )
        )
        return session

    @property
    def seconds(self) -> float | None:
        """The time that the game has taken: up to now, or to the entry that ended it; None without a clock."""
        if self.clock is None or (self._entered is not None and self.game.is_over):
            return self._entered
        return self.clock.seconds()

    def play(self, move: Move) -> None:
        """Make a move, or the player's undo, and write it down; raises `IllegalMove` and changes nothing otherwise."""
        game = self.game
        self._behind = True
        try:
            game.apply(move)
        except IllegalMove:
            self._behind = False
            raise
        self.entries += 1
        self._entered = None if self.clock is None else self.clock.seconds()
        self._write(
            MoveRecord(
                v=VERSION,
                game=self.game_id,
                n=self.entries,
                move=move_name(move),
                score=game.score,
                moves=game.moves,
                t=self._entered,
            )
        )
        self._behind = False

    def finish(self, outcome: Outcome = "given-up") -> None:
        """Write the end of the game down: what the engine says, else `outcome`. Only the first call does.

        Where the last entry could not be written down whole, because the disk is full or a signal came, no end is
        either: it would not fit what stands in the log.
        """
        if self.ended or self._behind:
            return
        self.ended = True
        game = self.game
        self._write(
            EndRecord(
                v=VERSION,
                game=self.game_id,
                outcome=game.outcome or outcome,
                score=game.score,
                moves=game.moves,
                undos=game.undos,
                t=self.seconds,
            )
        )
