"""What the solver takes on the 500 public decks: time, positions stored, and memory.

    python -m tests.benchmarks.solver                    every row
    python -m tests.benchmarks.solver shortest microsoft  the rows with these words
    python -m tests.benchmarks.solver --decks 100         fewer decks

Times are CPU times of one thread with warm machine code, in milliseconds; positions do not depend on the machine.
Each row runs in a process of its own, whose peak memory is that of the row, the libraries included.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

DECKS = Path(__file__).parent.parent / "data" / "random-500.txt"
ROWS = [
    ("shortest", "pyramide"),
    ("shortest", "easy"),
    ("shortest", "relaxed"),
    ("shortest", "microsoft"),
    ("any", "microsoft"),
    ("any", "easy"),
    ("any", "relaxed"),
    ("any", "classic"),
    ("score", "microsoft"),
    ("most", "pyramide"),
    ("most", "easy"),
    ("most", "relaxed"),
]
MAX_STATES = 50_000_000


def measure(find: str, name: str, decks: int, max_states: int) -> dict[str, float]:
    """Answer one question about every deck; return the figures of its row."""
    import numpy as np

    from pyramide_cli import RULES, Deal, solve

    deals = [Deal.from_cards(line) for line in DECKS.read_text().splitlines()[:decks]]
    for deal in deals[:5]:
        solve(deal, RULES[name], find=find, max_states=max_states)
    times, states, undecided = [], [], 0
    for deal in deals:
        started = time.thread_time()
        solution = solve(deal, RULES[name], find=find, max_states=max_states)
        times.append((time.thread_time() - started) * 1000)
        states.append(solution.states)
        undecided += solution.verdict == "undecided" or (find not in ("any", "shortest") and not solution.optimal)
    return {
        "mean": float(np.mean(times)),
        "median": float(np.median(times)),
        "p95": float(np.percentile(times, 95)),
        "worst": float(np.max(times)),
        "deck": int(np.argmax(times)) + 1,
        "states": float(np.mean(states)),
        "most": float(np.max(states)),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "undecided": undecided,
    }


def verdict_time(decks: int) -> float:
    """Return the microseconds that the verdict kernel takes for one deal under `pyramide`."""
    import numpy as np

    from pyramide_cli.deals import deal_many
    from pyramide_cli.solver.verdicts import can_be_won_many

    deals = deal_many(np.arange(decks * 200, dtype=np.uint64))
    can_be_won_many(deals[:10])
    started = time.thread_time()
    can_be_won_many(deals)
    return (time.thread_time() - started) * 1e6 / len(deals)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only the rows with all these words")
    parser.add_argument("--decks", type=int, default=500)
    parser.add_argument("--max-states", type=int, default=MAX_STATES)
    parser.add_argument("--row", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.row:
        find, name = options.row
        print(json.dumps(measure(find, name, options.decks, options.max_states)))
        return
    if not options.words:
        print(f"any, pyramide, verdict only: {verdict_time(options.decks):.2f} µs a deal\n")
    print("| work | mean ms | median | 95 % | worst (deck) | states | most | peak MB | undecided |")
    print("|---|---|---|---|---|---|---|---|---|")
    for find, name in ROWS:
        if not set(options.words) <= {find, name}:
            continue
        command = [sys.executable, "-m", "tests.benchmarks.solver", "--row", find, name]
        command += ["--decks", str(options.decks), "--max-states", str(options.max_states)]
        row = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        print(
            f"| `{find}`, `{name}` | {row['mean']:.2f} | {row['median']:.2f} | {row['p95']:.1f} "
            f"| {row['worst']:.0f} ({row['deck']}) | {row['states']:,.0f} | {row['most']:,.0f} "
            f"| {row['memory']:.0f} | {row['undecided']} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
