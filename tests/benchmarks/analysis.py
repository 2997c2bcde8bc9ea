"""How long `replay --analyze` takes for many games: `python -m tests.benchmarks.analysis [GAMES]`."""

import sys
import time

from pyramide_cli.analysis import analyze
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.moves import parse_move
from pyramide_cli.players import play_out
from pyramide_cli.records import MoveRecord


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    games = []
    for number in range(count):
        records = play_out(Deal.from_number(number), player="greedy", seed=1)
        games.append([parse_move(record.move) for record in records if isinstance(record, MoveRecord)])
    moves = sum(map(len, games))
    for lengths in (False, True):
        started = time.perf_counter()
        for number, entries in enumerate(games):
            analyze(Game(Deal.from_number(number)), entries, lengths=lengths)
        seconds = time.perf_counter() - started
        what = "verdicts and lengths" if lengths else "verdicts"
        print(f"{count} games, {moves} moves, {what}: {seconds:.1f} s, {1000 * seconds / moves:.2f} ms a move")


if __name__ == "__main__":
    main()
