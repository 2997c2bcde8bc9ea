"""What the uncompiled solver must still get right when a fault is put into its bounds; run by `tests.mutation` only.

The positions are made when this is imported, once for all mutants; that must not import the solver.
"""

from __future__ import annotations

import random

from tests.positions import SINGLE_AXES, game_of, late_position, random_axes

_RNG = random.Random(7)
_AXES = [*SINGLE_AXES.values()] * 5 + [random_axes(_RNG) for _ in range(135)]
LATE = [late_position(_RNG, axes, 500) for axes in _AXES]
WHOLE = [late.table.search(late.position, 500) for late in LATE]


def test_lengths_and_verdicts_of_late_positions() -> None:
    from pyramide_cli.solver import solve

    for late, whole in zip(LATE, WHOLE, strict=True):
        assert whole is not None
        found = solve(game_of(late))
        assert found.length == whole.shortest, late.table.axes
        assert found.verdict == ("unwinnable" if whole.shortest is None else "winnable")
