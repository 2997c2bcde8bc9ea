"""The list of harmless mutants keeps step with the code."""

from __future__ import annotations

import pytest

from tests.mutants import EXPLAINED
from tests.mutation import TARGETS, faults_of, path_of


@pytest.mark.parametrize("module", EXPLAINED)
def test_every_explained_mutant_can_be_made(module: str) -> None:
    faults = {fault.name for fault in faults_of(path_of(TARGETS[module]).read_text(encoding="utf-8"))}
    assert EXPLAINED[module].keys() <= faults
