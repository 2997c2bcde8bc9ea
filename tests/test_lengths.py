"""The kernel that counts the moves of winning lines, held against the lines themselves."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from pyramide_cli import RULES, Deal, Rules
from pyramide_cli.deals import deal_many, random_numbers
from pyramide_cli.solver.balance import winning_line
from pyramide_cli.solver.lengths import NO_WIN, measures, winning_lengths

ALL = RULES["pyramide"].replace(goal="all")
OPEN = RULES["pyramide"].replace(stock_open=True)


@pytest.mark.parametrize("rules", [RULES["pyramide"], RULES["pyramid-solitaire"], ALL, OPEN], ids=str)
def test_lengths_are_those_of_the_lines(rules: Rules) -> None:
    numbers = np.fromiter(islice(random_numbers(7), 1_000), dtype=np.uint64)
    expected = []
    for number in numbers.tolist():
        line = winning_line(Deal.from_number(number), rules)
        expected.append(NO_WIN if line is None else len(line))
    assert winning_lengths(deal_many(numbers), rules).tolist() == expected


def test_rules_that_cannot_be_measured() -> None:
    assert not measures(RULES["pyramide"].replace(cover_pair=True))
    assert not measures(RULES["relaxed"])
    assert measures(RULES["pyramid-solitaire"])
