"""The arrays that a thread's searches use again and again must not carry anything from one deal to the next.

Otherwise the answer would depend on which deals were solved before, and a bound could be too high.
"""

from __future__ import annotations

import pytest

from pyramide_cli import RULES, Deal, Rules, solve
from pyramide_cli.solver.workplace import workplace

DRAWN = RULES["relaxed"].replace(drawn_pair=True)
DEALS = ["PY1-N-IHCDRZQ", "PY1-N-P44OBKH", *map(str, range(20, 28))]


def scramble(value: int) -> None:
    for array in (workplace.times, workplace.found, workplace.lines, workplace.line):
        array[...] = value


@pytest.mark.parametrize(
    "rules",
    [DRAWN, DRAWN.replace(passes=2), RULES["relaxed"], RULES["relaxed"].replace(cover_pair=True, stock_open=True)],
    ids=str,
)
@pytest.mark.parametrize("find", ["shortest", "any"])
def test_what_was_solved_before_changes_nothing(rules: Rules, find: str) -> None:
    for text in DEALS:
        deal = Deal.from_code(text) if text.startswith("PY1") else Deal.from_number(int(text))
        answers = []
        for value in (0, 7, 63, -1):
            scramble(value)
            solution = solve(deal, rules, find=find)
            answers.append((solution.verdict, solution.length, solution.line, solution.states))
        assert len(set(answers)) == 1, (text, [answer[::3] for answer in answers])
