"""Automatic players at work: any number of deals, each played into a log."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack

from pyramide_cli.cli.exits import Status
from pyramide_cli.cli.inputs import LocatedDeal, count_deals, read_deals
from pyramide_cli.cli.options import RulesChoice
from pyramide_cli.cli.play.logs import open_log
from pyramide_cli.cli.progress import Progress
from pyramide_cli.deals import Deal, random_numbers
from pyramide_cli.gamelog import read_history
from pyramide_cli.players import play_out, seeded_id
from pyramide_cli.records import STDIN
from pyramide_cli.rules import Rules


def play_by_itself(
    player: str,
    arguments: Sequence[str],
    *,
    log: str | None,
    seed: int | None,
    rules: RulesChoice,
    progress: bool | None,
    status: Status,
) -> None:
    """Let a player play the deals of the command line, and write each game whole when it has ended.

    Without a deal those of stdin are played, and a random one where stdin is a terminal.
    """
    with ExitStack() as stack:
        write = open_log(stack, log)
        ids = SeededIds(read_history(log).ids if log is not None and seed is not None else ())
        deals, total = _deals(arguments, seed, status)
        bar = stack.enter_context(Progress("play", total, unit="game", show=progress))
        for located in deals:
            chosen = rules.over(located.rules)
            game_id = None if seed is None else ids.take(player, seed, located.deal, chosen)
            write(*play_out(located.deal, chosen, player, seed=seed, game_id=game_id))
            bar.advance()


def _deals(arguments: Sequence[str], seed: int | None, status: Status) -> tuple[Iterator[LocatedDeal], int | None]:
    """Return the deals to play, and how many there are where that is known."""
    if not arguments:
        if sys.stdin is None or sys.stdin.isatty():
            deal = Deal.from_number(next(random_numbers(seed)))
            return iter([LocatedDeal(deal, None, "random", None)]), 1
        arguments = (STDIN,)
    return read_deals(arguments, status.report), count_deals(arguments)


class SeededIds:
    """Gives the games of a seeded player their ids: the same in every run, and none twice."""

    def __init__(self, taken: Container[str]) -> None:
        """Begin with the ids that the log has already."""
        self._taken = taken
        self._repeats: dict[str, int] = {}

    def take(self, player: str, seed: int, deal: Deal, rules: Rules) -> str:
        """Return the id of the next game that has all of these in common."""
        plain = seeded_id(player, seed, deal, rules)
        repeat = self._repeats.get(plain, 0)
        while (game_id := seeded_id(player, seed, deal, rules, repeat)) in self._taken:
            repeat += 1
        self._repeats[plain] = repeat + 1
        return game_id
