"""Logs and solutions in pandas, as in a notebook: the cells are marked, run them one by one or all at once.

Usage: python examples/notebook.py [LOG]...
Without a log it makes one: the greedy and the random player on the same hundred deals, and the verdicts on them.
"""

# %% Read the logs, or make some.
from __future__ import annotations

import sys
import tempfile
from itertools import islice
from pathlib import Path

from pyramide_cli import RULES, Deal, reports, solve
from pyramide_cli.batches import solution_record
from pyramide_cli.deals import random_numbers
from pyramide_cli.players import play_out
from pyramide_cli.records import encode

rules = RULES["pyramide"]
paths = [Path(path) for path in sys.argv[1:]]
if not paths:
    paths = [Path(tempfile.mkdtemp()) / "log.jsonl"]
    deals = [Deal.from_number(number) for number in islice(random_numbers(1), 100)]
    with paths[0].open("wb") as file:
        for deal in deals:
            for player in ("greedy", "random"):
                file.writelines(map(encode, play_out(deal, rules, player, seed=1)))
            file.write(encode(solution_record(solve(deal, rules, find="any"))))

games = reports.games(paths)
solutions = reports.solutions(paths)
print(games[["rules", "player", "outcome", "score", "moves", "cleared"]].describe(include="all"))

# %% How often does each player win, and how often could the deal be won?
won = games.assign(won=games["outcome"] == "won")
print(won.groupby(["rules", "player"], observed=True)["won"].agg(["mean", "count"]))
print(solutions.groupby(["rules", "verdict"], observed=True).size())

# %% Which winnable deals were lost? Deals are joined by their code and their rules, never by the code alone.
keys = ["deal", "rules"]
both = won.astype({"rules": "object"}).merge(solutions.astype({"rules": "object"}), on=keys, suffixes=("", "_solved"))
lost = both[(both["verdict"] == "winnable") & ~both["won"]]
print(f"{len(lost)} of {len(both)} games were lost on a winnable deal")

# %% Where do the moves go? One row an entry of the logs.
moves = reports.moves(paths)
print(moves["kind"].value_counts(normalize=True).round(3))

# %% The reports of `pyramide stats`, as objects and as text.
data = reports.Data(reports.gather(paths))
report = reports.make("streaks", data, reports.Question())
print(reports.dump(report, "markdown"))
