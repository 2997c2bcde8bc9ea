"""Where games are lost: the move after which no win was left, by the verdicts of analysis records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import cell, key_row, known_count, mean, split
from pyramide_cli.reports.keys import columns_of, keys_of
from pyramide_cli.reports.report import Column, Plot, Report, Row

if TYPE_CHECKING:
    import pandas as pd

_WON = "won"
_LEFT = "left while winnable"
_NOT_LOST = "not lost"
_FROM_THE_START = "unwinnable from the start"
_UNKNOWN = "cannot be told"
_ORDER = ("king", "pair", "draw", "recycle", _FROM_THE_START, _UNKNOWN, _LEFT, _WON, _NOT_LOST)

_FIGURES = (
    Column("where", "lost by", "text", key=True),
    Column("games", "games", "count"),
    Column("share", "share", "rate", about="Among the judged games under the same rules."),
    Column("entry_mean", "at entry", "mean", about="Mean number of the entry that lost the game."),
    Column("entry_median", "median", "number", about="Median number of that entry."),
    Column("left_mean", "moves left", "mean", about="Mean number of moves that a win still took before it."),
    Column("left_n", "n", "count", about="The games that this mean is over: those where the number is known."),
)


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return by what kind of move games were lost for good, and when."""
    keys = keys_of(question)
    rows: list[Row] = []
    for key, group in split(_verdicts(data), keys):
        for where in _ORDER:
            part = group[group["where"] == where]
            if len(part):
                rows.append(key_row(keys, key) | _row(where, part, len(group)))
    return Report(
        name,
        "Where games are lost, by rules" + "".join(f" and {key}" for key in keys[1:]),
        (*columns_of(keys), *_FIGURES),
        rows,
        None,
        (
            "Over the games with analysis records (replay --analyze). A game is lost by the last move that led from a "
            "winnable position to an unwinnable one, if the position stayed so; undone mistakes are none.",
            *data.notes(),
        ),
        (Plot("rows", "games", ("games",), "games", "", count="games", facet=tuple(keys)),),
    )


def _row(where: str, part: pd.DataFrame, judged: int) -> Row:
    entries, left = part["entry"].dropna(), part["left"]
    return {
        "where": where,
        "games": len(part),
        "share": cell(len(part) / judged),
        "entry_mean": mean(entries),
        "entry_median": cell(entries.median()) if len(entries) else None,
        "left_mean": mean(left),
        "left_n": known_count(left),
    }


def _verdicts(data: Data) -> pd.DataFrame:
    """Return a row a judged game: rules, player, where it was lost, at which entry, with how many moves left."""
    import pandas as pd

    games = data.store.games
    found: dict[str, list[object]] = {name: [] for name in ("rules", "player", "where", "entry", "left")}
    for (game,), judged in split(data.judgements(), ["game"]):
        row = games.row_of.get(game or "")
        where, entry, left = _fate(judged)
        if where == _NOT_LOST and row is not None:
            where = _WON if games.outcome.label(row) == "won" else _LEFT
        for name, value in (
            ("rules", None if row is None else games.rules.label(row)),
            ("player", None if row is None else games.player.label(row)),
            ("where", where),
            ("entry", entry),
            ("left", left),
        ):
            found[name].append(value)
    return pd.DataFrame(found).astype({"entry": "Float64", "left": "Float64"})


def _fate(judged: pd.DataFrame) -> tuple[str, int | None, int | None]:
    """Return what lost a game, at which entry, and how many moves a win still took before it."""
    judged = judged.sort_values("n", kind="stable")
    last = judged["after"].iloc[-1]
    if last == "winnable":
        return _NOT_LOST, None, None
    if last == "undecided":
        return _UNKNOWN, None, None
    fatal = judged[(judged["before"] == "winnable") & (judged["after"] == "unwinnable")]
    if len(fatal):
        mistake = fatal.iloc[-1]
        left = cell(mistake["left_before"])
        return str(mistake["kind"]), int(mistake["n"]), left if isinstance(left, int) else None
    if (judged["before"] == "unwinnable").all():
        return _FROM_THE_START, None, None
    return _UNKNOWN, None, None
