"""Mutated inputs for every reader: some thousand in the plain tests, a million by hand."""

from __future__ import annotations

import pytest

from tests.fuzz.run import run


@pytest.mark.parametrize("seed", [1, 2])
def test_some_thousand_mutated_inputs(seed: int) -> None:
    run(5_000, seed)


@pytest.mark.slow
def test_a_million_mutated_inputs() -> None:
    run(1_000_000, seed=3)
