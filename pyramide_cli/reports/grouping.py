"""Rows put into groups, in an order that is the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pyramide_cli.rules import RULES

if TYPE_CHECKING:
    import pandas as pd

    from pyramide_cli.reports.report import Row, Value

Key: TypeAlias = tuple[str | None, ...]

_PRESETS = list(RULES)


def key_order(key: Key) -> tuple[tuple[bool, int, str], ...]:
    """Return what keys are sorted by: rules as the presets are listed, then text; null last."""
    return tuple(
        (text is None, _PRESETS.index(text) if text in _PRESETS else len(_PRESETS), text or "") for text in key
    )


def split(frame: pd.DataFrame, keys: Sequence[str]) -> Iterator[tuple[Key, pd.DataFrame]]:
    """Yield every group of rows with equal keys, in the order of their keys; nulls are a group of their own."""
    codes, names = encode(frame, keys)
    groups: dict[Key, pd.DataFrame] = {}
    for _, rows in frame.groupby([codes[key] for key in keys], sort=False):
        groups[decode(codes.loc[rows.index[:1]], keys, names)[0]] = rows
    for key in sorted(groups, key=key_order):
        yield key, groups[key]


def key_row(keys: Sequence[str], key: Key) -> Row:
    """Return the cells of a row that its key fills."""
    return dict(zip(keys, key, strict=True))


def encode(frame: pd.DataFrame, keys: Sequence[str]) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """Return the keys as small numbers, -1 for null, and the texts that the numbers stand for."""
    import pandas as pd

    codes = {}
    names: dict[str, list[str]] = {}
    for key in keys:
        numbers, values = pd.factorize(frame[key])
        codes[key] = numbers.astype("int32")
        names[key] = [str(value) for value in values]
    return pd.DataFrame(codes, index=frame.index), names


def decode(frame: pd.DataFrame, keys: Sequence[str], names: dict[str, list[str]]) -> list[Key]:
    """Return the keys of a frame of codes as text."""
    columns = [[_name(names[key], code) for code in frame[key]] for key in keys]
    return list(zip(*columns, strict=True))


def _name(names: list[str], code: int) -> str | None:
    return None if code < 0 else names[code]


def cell(value: object) -> Value:
    """Return a figure of pandas or numpy as a plain one, floats to nine places, and null for every kind of nothing."""
    import pandas as pd

    if value is None or isinstance(value, str | bool | int):
        return value
    if pd.isna(value):  # type: ignore[call-overload]
        return None
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float):
        return round(plain, 9)
    assert isinstance(plain, str | bool | int)
    return plain


def mean(values: pd.Series) -> float | None:
    """Return the mean of the values that are known, null where none is."""
    figure = cell(values.mean()) if len(values) else None
    assert not isinstance(figure, str)
    return figure


def known_count(values: pd.Series) -> int:
    """Return how many values are known."""
    return int(values.notna().sum())
