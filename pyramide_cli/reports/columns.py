"""Compact columns that grow a row at a time: a million games take tens of megabytes, not a Python object each."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

MISSING = -(2**31)
"""An integer column's null."""

NO_LABEL = -1
"""A label column's null."""


class Labels:
    """A column of few different texts: a small number a row, each text kept once in order of appearance."""

    def __init__(self, *known: str) -> None:
        self.codes = array("i")
        self._labels = list(known)
        self._code_of: dict[str, int] = {label: code for code, label in enumerate(known)}

    def __len__(self) -> int:
        return len(self.codes)

    def code(self, label: str | None) -> int:
        """Return the number of a label, a new one where it is new; `NO_LABEL` for null."""
        if label is None:
            return NO_LABEL
        code = self._code_of.get(label)
        if code is None:
            code = self._code_of[label] = len(self._labels)
            self._labels.append(label)
        return code

    def append(self, label: str | None) -> None:
        """Add a row."""
        self.codes.append(self.code(label))

    def label(self, row: int) -> str | None:
        """Return the text of a row."""
        code = self.codes[row]
        return None if code == NO_LABEL else self._labels[code]

    def labels(self) -> list[str]:
        """Return the texts by number."""
        return list(self._labels)


class Texts:
    """A column of many different texts as one run of UTF-8 bytes, with the place where each ends."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("q")
        self._nulls: set[int] = set()

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, text: str | None) -> None:
        """Add a row."""
        if text is None:
            self._nulls.add(len(self._ends))
        else:
            self._bytes += text.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._bytes))

    def __getitem__(self, row: int) -> str | None:
        if row in self._nulls:
            return None
        start = self._ends[row - 1] if row else 0
        return self._bytes[start : self._ends[row]].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str | None]:
        return (self[row] for row in range(len(self)))


def integers() -> array[int]:
    """Return an empty column of integers of 32 bits, `MISSING` for null."""
    return array("i")


def stamps() -> array[int]:
    """Return an empty column of integers of 64 bits, for moments in microseconds."""
    return array("q")


def reals() -> array[float]:
    """Return an empty column of floats, NaN for null."""
    return array("d")
