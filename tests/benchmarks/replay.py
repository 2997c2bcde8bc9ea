"""How many moves a second `replay` verifies on one core: `python -m tests.benchmarks.replay [GAMES]`."""

import sys
import tempfile
import time
from pathlib import Path

from pyramide_cli.deals import Deal
from pyramide_cli.players import play_out
from pyramide_cli.records import encode, read_records
from pyramide_cli.replay import Checked, replay


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "games.jsonl"
        with log.open("wb") as file:
            for number in range(games):
                file.writelines(map(encode, play_out(Deal.from_number(number), player="greedy", seed=1)))
        started = time.process_time()
        moves = 0
        for result in replay(read_records(log)):
            assert isinstance(result, Checked)
            assert result.problem is None
            moves += result.record.checked or 0
        seconds = time.process_time() - started
    print(f"{games} games, {moves} moves, {seconds:.2f} s: {moves / seconds:,.0f} moves a second")


if __name__ == "__main__":
    main()
