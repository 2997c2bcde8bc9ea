"""Automatic players, and the games that they play.

A player is a function from a game to its next move, or None when it gives up. `PLAYERS` has, by name, what makes a
player for one game from a source of random numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from random import Random

from pyramide_cli import hints
from pyramide_cli.deals import Deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.game import Game
from pyramide_cli.moves import Move
from pyramide_cli.pyramid import ROW_OF, places
from pyramide_cli.records import DealRecord, EndRecord, MoveRecord
from pyramide_cli.rules import DEFAULT_RULES, Rules
from pyramide_cli.session import Clock, Session

Player = Callable[[Game], Move | None]

MAX_STATES = {"shortest": 5_000_000, "most": 200_000}
"""How many positions the player `solver` may store to find a win, and then to clear as much as it can without one."""


class PlayerError(PyramideError):
    """No player has a name."""


def first(game: Game) -> Move | None:
    """Return the first legal move in the engine's order."""
    moves = game.legal_moves()
    return moves[0] if moves else None


def random(game: Game, rng: Random) -> Move | None:
    """Return one of the legal moves, each as likely as the others."""
    moves = game.legal_moves()
    # `random()` is the one method whose results Python promises to keep.
    return moves[int(rng.random() * len(moves))] if moves else None


def greedy(game: Game) -> Move | None:
    """Return the removal that looks best, else the draw or recycle.

    Kings go at once; pairs inside the pyramid come before pairs with the waste; then what frees a card that can be used
    at once; then what keeps the pyramid even.
    """
    moves = game.legal_moves()
    removals = [move for move in moves if move.cards]
    if not removals:
        return moves[0] if moves else None
    return removals[0] if len(removals) == 1 else min(removals, key=lambda move: _greedy_key(game, move))


def _greedy_key(game: Game, move: Move) -> tuple[int, ...]:
    before = game.position.pyramid
    free_before = set(game.free_cards)
    game.push(move)
    after = game.position.pyramid
    freed = set(game.free_cards) - free_before
    useful = {card for other in game.legal_moves() for card in other.cards if card in freed}
    game.pop()
    taken = before & ~after
    outside = len(move.cards) - taken.bit_count()
    return (
        move.kind != "king",
        outside,
        -len(useful),
        hints.unevenness(after),
        -sum(ROW_OF[place] for place in places(taken)),
    )


def tips(game: Game) -> Move | None:
    """Return the move of the tip that a person at the table gets."""
    tip = hints.tip(game)
    return None if tip is None else tip.move


class Solver:
    """Plays the shortest win that the solver finds; without one it clears as much as it can, and gives up."""

    def __init__(self) -> None:
        self._plan: Iterator[Move] | None = None

    def __call__(self, game: Game) -> Move | None:
        """Return the next move of the plan, which is made at the first call."""
        if self._plan is None:
            self._plan = iter(_plan(game))
        return next(self._plan, None)


def _plan(game: Game) -> tuple[Move, ...]:
    from pyramide_cli.solver import solve

    for find, max_states in MAX_STATES.items():
        solution = solve(game, find=find, max_states=max_states)
        if solution.line is not None:
            return solution.line
    return ()


PLAYERS: dict[str, Callable[[Random], Player]] = {
    "first": lambda rng: first,
    "random": lambda rng: lambda game: random(game, rng),
    "greedy": lambda rng: greedy,
    "tips": lambda rng: tips,
    "solver": lambda rng: Solver(),
}
"""What makes a player for one game, by the player's name."""


def find_player(name: str) -> Callable[[Random], Player]:
    """Return what makes the players of a name; `PlayerError` lists the names when there is none."""
    try:
        return PLAYERS[name.strip().lower()]
    except KeyError:
        raise PlayerError(f"no player is called {name!r}; known are {', '.join(PLAYERS)}") from None


def seeded_id(name: str, seed: int, deal: Deal, rules: Rules, repeat: int = 0) -> str:
    """Return the id of the game that a seeded player plays: the same for the same player, seed, deal and rules.

    `repeat` tells games apart that have all of these in common.
    """
    identity = json.dumps([name, seed, deal.text(), rules.axes(), repeat], sort_keys=True)
    return f"{name}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"


def play_out(
    deal: Deal,
    rules: Rules = DEFAULT_RULES,
    player: str = "greedy",
    *,
    seed: int | None = None,
    game_id: str | None = None,
) -> Iterator[DealRecord | MoveRecord | EndRecord]:
    """Let a player play a deal to its end, and yield the records of the game.

    With a seed the same deal gives the same records, without times; the id is then derived from seed and deal unless
    `game_id` is given. Raises `PlayerError` when no player has the name.
    """
    make = find_player(player)
    if seed is not None and game_id is None:
        game_id = seeded_id(player, seed, deal, rules)
    rng = Random() if seed is None else Random(f"{seed} {player} {deal.text()}")
    records: list[DealRecord | MoveRecord | EndRecord] = []
    session = Session.begin(
        deal, rules, records.append, game_id=game_id, player=player, clock=Clock() if seed is None else None
    )
    choose = make(rng)
    patience = Patience(session.game)
    while not session.game.is_over and not patience.is_exhausted:
        move = choose(session.game)
        if move is None:
            break
        session.play(move)
        patience.note(move)
        yield from records
        records.clear()
    session.finish()
    yield from records


class Patience:
    """Tells when a player has gone once through stock and waste without a removal.

    That many draws bring every card that is left there to the top of the waste once, wherever in the stock the last
    removal was.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._start()

    def _start(self) -> None:
        self._draws_left = self._game.position.stock.bit_count()

    def note(self, move: Move) -> None:
        """Take notice of a move that the player has made."""
        if move.cards:
            self._start()
        elif move.kind == "draw":
            self._draws_left -= 1

    @property
    def is_exhausted(self) -> bool:
        """Whether the player should give up, unless a removal is left that it has just brought up."""
        return self._draws_left < 0 or (self._draws_left == 0 and not any(m.cards for m in self._game.legal_moves()))
