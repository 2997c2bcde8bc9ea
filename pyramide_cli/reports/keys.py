"""The columns that tell rows apart: rules always, and what `--by` adds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pyramide_cli.reports.data import Data, Question, ReportError
from pyramide_cli.reports.report import Column

if TYPE_CHECKING:
    import pandas as pd

KEYS = {
    "rules": Column("rules", "rules", "text", key=True),
    "player": Column("player", "player", "text", key=True, optional=True),
    "day": Column("day", "day (UTC)", "text", key=True),
    "week": Column("week", "week (UTC)", "text", key=True, about="The Monday that the week begins with."),
    "deal": Column("deal", "deal", "text", key=True),
    "find": Column("find", "find", "text", key=True),
}
_FROM_MOMENT = ("day", "week")


def keys_of(question: Question, default: Sequence[str] = (), allowed: Iterable[str] = ("player",)) -> list[str]:
    """Return the keys of a report, rules first, with `--by` in place of its own; `ReportError` for another column."""
    by = list(default)
    if question.by is not None:
        choices = ["rules", *allowed]
        if question.by not in choices:
            *others, last = choices
            named = f"{', '.join(others)} or {last}" if others else last
            raise ReportError(f"--by takes {named} here, not {question.by!r}")
        by = [question.by]
    return ["rules", *(key for key in by if key != "rules")]


def columns_of(keys: Iterable[str]) -> tuple[Column, ...]:
    """Return the columns of keys."""
    return tuple(KEYS[key] for key in keys)


def games_by(data: Data, keys: Sequence[str], *columns: str) -> pd.DataFrame:
    """Return these columns of the games with a column for each key."""
    needed = ("at" if key in _FROM_MOMENT else key for key in keys if key != "find")
    return _with_keys(data.games(*dict.fromkeys((*needed, *columns))), keys)


def solutions_by(data: Data, keys: Sequence[str], *columns: str) -> pd.DataFrame:
    """Return these columns of the solutions with a column for each key; solutions have no player and no day."""
    needed = (key for key in keys if key in ("rules", "deal", "find"))
    return _with_keys(data.solutions(*dict.fromkeys((*needed, *columns))), keys)


def _with_keys(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    added: dict[str, pd.Series] = {}
    for key in keys:
        if key in _FROM_MOMENT and "at" in frame:
            added[key] = _days(frame["at"], weeks=key == "week")
        elif key not in frame:
            added[key] = pd.Series(None, index=frame.index, dtype="object")
    return frame.assign(**added) if added else frame


def _days(moments: pd.Series, *, weeks: bool) -> pd.Series:
    """Return the day, or the week's Monday, of each moment in UTC: where the machine stands does not matter."""
    import pandas as pd

    day = moments.dt.floor("D")
    if weeks:
        day = day - pd.to_timedelta(day.dt.day_of_week, unit="D")
    codes, values = pd.factorize(day)
    names = pd.Index([value.strftime("%Y-%m-%d") for value in values], dtype="object")
    return pd.Series(pd.Categorical.from_codes(codes, categories=names), index=moments.index)
