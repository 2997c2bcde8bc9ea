"""What can be left of the pyramid in the end, and what that allows: against the truth, and by counting.

The tests can be run with compilation switched off, too; `tests.mutation` does.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace

import numpy as np

from pyramide_cli.cards import rank
from pyramide_cli.deals import Deal
from pyramide_cli.pyramid import FULL, free_mask, places, shapes
from pyramide_cli.solver import rests
from pyramide_cli.solver.balance import decides
from pyramide_cli.solver.layout import MICROSOFT, PAR, RANK, REMOVED
from tests.positions import deal_of, rules_of
from tests.value_questions import Ahead, here, late
from tests.value_reference import Question


def test_what_can_be_left_and_what_that_allows() -> None:
    rng = random.Random(400)
    exact = 0
    for number in range(25):
        found = late(rng, PAR, passes=None) if number % 2 else late(rng, PAR)
        deal, rules, start = deal_of(found.table), rules_of(found.table.axes), here(found.table, found.position)
        ahead = Ahead(found)
        left = {position.pyramid for position in ahead.before}
        possible = rests.possible_rests(deal, rules, start)
        assert left <= set(possible.tolist())
        assert possible.tolist() == [mask for mask in shapes() if mask in set(possible.tolist())]
        if decides(rules) and rules.goal == "pyramid":
            exact += 1
            assert set(possible.tolist()) == left
        plain = Question(deal, rules, MICROSOFT)
        limits = rests.most_points(deal, possible), rests.most_removed(deal, possible)
        asked = rng.randrange(1, 14)
        of_rank = rests.most_of_rank(deal, possible, asked)
        at = {mask: number for number, mask in enumerate(possible.tolist())}
        for position in ahead.before:
            number = at[position.pyramid]
            assert limits[0][number] >= plain.value(position)
            assert limits[1][number] >= replace(plain, objective=REMOVED).value(position)
            assert of_rank[number] >= replace(plain, objective=RANK, asked=asked).value(position)
    assert exact > 3


def test_what_a_rest_allows_by_counting() -> None:
    rng = random.Random(401)
    for number in range(4):
        deal = Deal.from_number(number)
        some = np.array([0, FULL, *rng.sample(shapes(), 60)])
        ranks = [rank(card) for card in deal.cards]
        pairs, finished = [], []
        for mask in some.tolist():
            going = Counter(ranks[card] for card in range(52) if not mask >> card & 1)
            pairs.append([min(going[each], going[13 - each]) if each < 13 else going[13] for each in range(14)])
            free = [ranks[place] for place in places(free_mask(mask))]
            if not any(one + other == 13 for one, other in itertools.product(free, [0, *free])):
                finished.append(mask)
        removals = [sum(each[1:7]) + each[13] for each in pairs]
        bonus = [Question.row_bonus(mask) for mask in some.tolist()]
        assert rests.most_points(deal, some).tolist() == [5 * n + more for n, more in zip(removals, bonus, strict=True)]
        assert rests.most_removed(deal, some).tolist() == [sum(each[1:]) for each in pairs]
        for asked in range(1, 14):
            assert rests.most_of_rank(deal, some, asked).tolist() == [each[asked] for each in pairs]
        assert rests.finished(deal, some).tolist() == finished
        assert rests.sizes(some).tolist() == [mask.bit_count() for mask in some.tolist()]
