"""The intervals and tests of reports against known values and their definitions."""

from __future__ import annotations

from math import comb, sqrt

import pytest

from pyramide_cli.reports.intervals import mcnemar, rate, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.27753), (5, 10, 0.23659, 0.76341), (10, 10, 0.72247, 1.0), (1, 3, 0.06149, 0.79234)],
)
def test_wilson_has_the_published_values(wins: int, games: int, low: float, high: float) -> None:
    found = wilson(wins, games)
    assert found[0] == pytest.approx(low, abs=1e-5)
    assert found[1] == pytest.approx(high, abs=1e-5)


@pytest.mark.parametrize("games", [1, 7, 1000, 10**9])
def test_wilson_ends_are_where_the_rate_lies_z_errors_away(games: int) -> None:
    for wins in {0, 1, games // 3, games - 1, games}:
        low, high = wilson(wins, games)
        assert low is not None
        assert high is not None
        assert 0 <= low <= wins / games <= high <= 1
        for end in (low, high):
            if 0 < end < 1:
                error = sqrt(end * (1 - end) / games)
                assert abs(wins / games - end) / error == pytest.approx(1.959964, rel=1e-4)


def test_without_a_trial_there_is_no_rate() -> None:
    assert wilson(0, 0) == (None, None)
    assert rate(0, 0) is None
    assert mcnemar(0, 0) is None


@pytest.mark.parametrize(("first", "second"), [(0, 1), (3, 9), (5, 5), (480, 521), (500, 501), (400, 700), (0, 1200)])
def test_mcnemar_is_the_sign_test_on_the_pairs_that_differ(first: int, second: int) -> None:
    n = first + second
    exact = min(1.0, 2 * sum(comb(n, k) for k in range(min(first, second) + 1)) / (1 << n))
    assert mcnemar(first, second) == pytest.approx(exact, rel=1e-9)
    assert mcnemar(first, second) == mcnemar(second, first)
