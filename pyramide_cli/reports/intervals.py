"""Intervals and tests for counts: plain arithmetic, nothing imported."""

from __future__ import annotations

from math import comb, exp, lgamma, log, sqrt

Z95 = 1.959963984540054
"""The standard normal quantile for an interval that holds 95 times in 100."""


def wilson(successes: int, trials: int, z: float = Z95) -> tuple[float, float] | tuple[None, None]:
    """Return the Wilson score interval of a rate, as fractions; two nulls where there was no trial.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    if trials <= 0:
        return None, None
    rate = successes / trials
    square = z * z / trials
    middle = (rate + square / 2) / (1 + square)
    half = z / (1 + square) * sqrt(rate * (1 - rate) / trials + square / (4 * trials))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return low, high


def rate(successes: int, trials: int) -> float | None:
    """Return successes / trials, or null where there was no trial."""
    return successes / trials if trials > 0 else None


def mcnemar(only_first: int, only_second: int) -> float | None:
    """Return the exact two-sided p value that both sets win equally often, from the pairs where they differ.

    `only_first` and `only_second` count the pairs that one of the two won alone; null where there is no such pair.
    Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions", 1947,
    with the binomial distribution in place of its approximation.
    """
    n = only_first + only_second
    if n == 0:
        return None
    few = min(only_first, only_second)
    if n <= 1000:
        tail = sum(comb(n, k) for k in range(few + 1)) / (1 << n)
    else:
        tail = sum(exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2)) for k in range(few + 1))
    return min(1.0, 2 * tail)
