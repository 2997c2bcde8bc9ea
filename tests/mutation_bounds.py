"""What the uncompiled solver must still get right when a fault is put into its bounds; run by `tests.mutation` only."""

from __future__ import annotations

import random

from pyramide_cli.solver import solve
from tests.positions import SINGLE_AXES, game_of, late_position


def test_lengths_and_verdicts_of_late_positions() -> None:
    rng = random.Random(7)
    for number in range(90):
        axes = list(SINGLE_AXES.values())[number % len(SINGLE_AXES)]
        limit = 300
        late = late_position(rng, axes, limit)
        whole = late.table.search(late.position, limit)
        assert whole is not None
        found = solve(game_of(late))
        assert found.length == whole.shortest, axes
        assert found.verdict == ("unwinnable" if whole.shortest is None else "winnable")
