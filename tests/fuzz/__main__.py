"""Fuzz every reader: `python -m tests.fuzz --count 1000000 --seed 1`."""

from __future__ import annotations

import argparse
import time

from tests.fuzz.run import run


def main() -> None:
    parser = argparse.ArgumentParser(description="Give mutated inputs to every reader, and count them.")
    parser.add_argument("--count", type=int, default=100_000, help="how many mutated inputs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.monotonic()
    counts = run(options.count, options.seed)
    told = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    print(f"{sum(counts.values()):,} inputs in {time.monotonic() - started:,.0f} s: {told}")


if __name__ == "__main__":
    main()
