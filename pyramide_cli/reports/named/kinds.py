"""How often each kind of move is made."""

from __future__ import annotations

from pyramide_cli.reports.data import Data, Question
from pyramide_cli.reports.grouping import cell, key_row, split
from pyramide_cli.reports.keys import columns_of, games_by, keys_of
from pyramide_cli.reports.report import Column, Plot, Report, Row

_KINDS = {
    "kings": "king",
    "inner": "pair inside the pyramid",
    "mixed": "pair with stock or waste",
    "outer": "pair without the pyramid",
    "removals": "removal of any kind",
    "draws": "draw",
    "recycles": "recycle",
    "undos": "undo",
}
_MADE = ("removals", "draws", "recycles")

_FIGURES = (
    Column("kind", "kind", "text", key=True),
    Column("count", "count", "count", about="How often it was made; undone moves do not count."),
    Column("games", "games", "count", about="The games whose moves of this kind are known."),
    Column("mean", "a game", "mean", about="Mean count over these games."),
    Column("share", "of all moves", "rate", about="Count among removals, draws and recycles of these games."),
)


def report(data: Data, question: Question, *, name: str) -> Report:
    """Return count and share of every kind of move over the games that are over."""
    keys = keys_of(question)
    games = games_by(data, keys, "outcome", *_KINDS)
    rows: list[Row] = []
    for key, group in split(games[games["outcome"] != "open"], keys):
        made = group[list(_MADE)].sum(axis=1, skipna=False)
        for column, kind in _KINDS.items():
            known = group[column].notna() & made.notna()
            count, moves = int(group[column][known].sum()), int(made[known].sum())
            if not known.any() or (not count and column in ("kings", "inner", "mixed", "outer")):
                continue
            n = int(known.sum())
            figures: Row = {"kind": kind, "count": count, "games": n, "mean": cell(count / n)}
            if moves and column != "undos":
                figures["share"] = cell(count / moves)
            rows.append(key_row(keys, key) | figures)
    return Report(
        name,
        "Kinds of moves by rules" + "".join(f" and {key}" for key in keys[1:]),
        (*columns_of(keys), *_FIGURES),
        rows,
        None,
        (
            "Over the games that are over, as they stand at their end: undone moves are not in them, undos are counted "
            "apart. Kings and pairs are told apart where the log was read, not where only its result was.",
            *data.notes(),
        ),
        (Plot("rows", "mean", ("mean",), "mean count a game", "", count="games", facet=tuple(keys)),),
    )
