"""Two sets compared on the deals that they share, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import TYPE_CHECKING

from pyramide_cli.reports.data import Data, Question, ReportError
from pyramide_cli.reports.grouping import cell, key_row, mean, split
from pyramide_cli.reports.intervals import Z95, mcnemar
from pyramide_cli.reports.keys import games_by, solutions_by
from pyramide_cli.reports.report import Column, Plot, Report, Row

if TYPE_CHECKING:
    import pandas as pd


_FIGURES = (
    Column("rules_a", "rules A", "text", key=True),
    Column("rules_b", "rules B", "text", key=True),
    Column("what", "what", "text", key=True),
    Column("over", "over", "text"),
    Column("pairs", "pairs", "count", about="The deals that both sets have and that this row is over."),
    Column("mean_a", "A", "mean", about="Mean of A over these deals; for won and winnable the rate, from 0 to 1."),
    Column("mean_b", "B", "mean", about="Mean of B over the same deals."),
    Column("difference", "B - A", "mean", about="Mean of the differences, deal by deal."),
    Column("low", "from", "mean", about="Lower end of its 95 % interval (normal approximation)."),
    Column("high", "to", "mean", about="Upper end of it."),
    Column("both", "both", "count", optional=True, about="Deals won (or winnable) in both sets."),
    Column("only_a", "only A", "count", optional=True),
    Column("only_b", "only B", "count", optional=True),
    Column("neither", "neither", "count", optional=True),
    Column("p", "p", "chance", optional=True, about="McNemar's exact two-sided test on `only A` and `only B`."),
)


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return the comparison with the set of `--against`; `ReportError` without one."""
    other = question.against
    if question.by is not None:
        raise ReportError("--by does not belong to the report compare: its rows are by the rules of both sets")
    if other is None:
        raise ReportError("the report compare needs a second set: --against FILE")
    rows = [*_games(data, other), *_solutions(data, other)]
    named = "; ".join(f"{letter} is {which}" for letter, which in zip("AB", question.names, strict=True))
    return Report(
        name,
        "Two sets compared on the deals they share",
        _FIGURES,
        rows,
        None,
        (
            f"{named}. A deal counts once: of several games the first that is over, of several solutions the last.",
            "Moves, score and time are compared on the deals that both won; for won and winnable, p is McNemar's "
            "exact two-sided test.",
            *(f"A: {note}" for note in data.notes()),
            *(f"B: {note}" for note in other.notes()),
        ),
        (
            Plot(
                "rows",
                "pairs",
                ("both", "only_a", "neither", "only_b"),
                "deals",
                "",
                count="pairs",
            ),
        ),
    )


def _games(data: Data, other: Data) -> Iterator[Row]:
    for key, both in split(_first_games(data).merge(_first_games(other), on="deal", suffixes=("_a", "_b")), _RULES):
        head: Row = key_row(_RULES, key)
        yield head | _outcomes(both["won_a"], both["won_b"], "won", "deals played in both")
        won = both[both["won_a"] & both["won_b"]]
        yield from _differences(head, won, ("moves", "score", "time"), "deals won in both")


def _solutions(data: Data, other: Data) -> Iterator[Row]:
    paired = _last_solutions(data).merge(_last_solutions(other), on="deal", suffixes=("_a", "_b"))
    for key, both in split(paired, _RULES):
        head: Row = key_row(_RULES, key)
        decided = both[(both["verdict_a"] != "undecided") & (both["verdict_b"] != "undecided")]
        won_a, won_b = decided["verdict_a"] == "winnable", decided["verdict_b"] == "winnable"
        yield head | _outcomes(won_a, won_b, "winnable", "deals decided in both")
        yield from _differences(head, decided[won_a & won_b], ("length",), "deals winnable in both")
        yield from _differences(head, both, ("states", "seconds"), "deals solved in both")


_RULES = ("rules_a", "rules_b")


def _first_games(data: Data) -> pd.DataFrame:
    games = games_by(data, ["rules", "deal"], "outcome", "moves", "score", "t")
    over = games[(games["outcome"] != "open") & games["deal"].notna()]
    first = over.drop_duplicates(["rules", "deal"], keep="first")
    return _plain(first.assign(won=first["outcome"] == "won", time=first["t"]), ("won", "moves", "score", "time"))


def _last_solutions(data: Data) -> pd.DataFrame:
    found = solutions_by(data, ["rules", "deal"], "verdict", "length", "states", "seconds")
    last = found[found["deal"].notna()].drop_duplicates(["rules", "deal"], keep="last")
    return _plain(last, ("verdict", "length", "states", "seconds"))


def _plain(frame: pd.DataFrame, columns: tuple[str, ...]) -> pd.DataFrame:
    """Return the frame with keys that merge whatever categories the two sets have."""
    texts = {name: frame[name].astype(object) for name in ("rules", "deal")}
    return frame.assign(**texts)[["rules", "deal", *columns]]


def _outcomes(won_a: pd.Series, won_b: pd.Series, what: str, over: str) -> Row:
    both, only_a = int((won_a & won_b).sum()), int((won_a & ~won_b).sum())
    only_b, pairs = int((~won_a & won_b).sum()), len(won_a)
    row: Row = {"what": what, "over": over, "pairs": pairs}
    means = _paired(won_a.astype("float64"), won_b.astype("float64"))
    # The normal interval knows nothing of the ends: a difference of rates cannot pass 1.
    means |= {name: min(1.0, max(-1.0, end)) for name in ("low", "high") if isinstance(end := means.get(name), float)}
    return (
        row
        | means
        | {
            "both": both,
            "only_a": only_a,
            "only_b": only_b,
            "neither": pairs - both - only_a - only_b,
            "p": cell(mcnemar(only_a, only_b)),
        }
    )


def _differences(head: Row, both: pd.DataFrame, names: tuple[str, ...], over: str) -> Iterator[Row]:
    for name in names:
        known = both[both[f"{name}_a"].notna() & both[f"{name}_b"].notna()]
        if len(known):
            first, second = (known[f"{name}_{side}"].astype("float64") for side in "ab")
            yield head | {"what": name, "over": over, "pairs": len(known)} | _paired(first, second)


def _paired(first: pd.Series, second: pd.Series) -> Row:
    """Return both means, the mean difference, and its interval from the spread of the differences."""
    if first.empty:
        return {}
    differences = second - first
    middle = float(differences.mean())
    row: Row = {"mean_a": mean(first), "mean_b": mean(second), "difference": cell(middle)}
    if len(differences) > 1:
        half = Z95 * float(differences.std()) / sqrt(len(differences))
        row |= {"low": cell(middle - half), "high": cell(middle + half)}
    return row
