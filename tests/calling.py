"""Runs the program inside the test's own process: quick, and all the same as from a shell but for the process's end."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pyramide_cli import messages
from pyramide_cli.cli.run import run


class Called(NamedTuple):
    """What a run gave: the exit code, and what it wrote."""

    code: int
    out: bytes
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Call = Callable[..., Called]


def caller(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Return what runs the program with arguments, and bytes or text for its stdin."""

    def call(*arguments: str | Path, text: str | bytes = b"") -> Called:
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        try:
            code = run([str(argument) for argument in arguments])
        finally:
            messages.use("en")
        out, err = capfdbinary.readouterr()
        return Called(int(code), out, err.decode())

    return call
