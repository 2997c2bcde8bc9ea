"""Runs the program as a process of its own, for what only a process shows: signals, pipes, devices, start-up."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

COMMAND = (sys.executable, "-m", "pyramide_cli")
PATIENCE = 120


def environment(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Return the environment of the tests with some variables changed, or taken out where they are None."""
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    merged = {**plain, "PYTHONPATH": str(Path(__file__).parent.parent), **(changes or {})}
    return {name: value for name, value in merged.items() if value is not None}


def program(
    *arguments: str | Path, text: str | bytes = b"", env: Mapping[str, str | None] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run the program to its end."""
    if "stdin" not in options:
        options["input"] = text.encode() if isinstance(text, str) else text
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": PATIENCE} | options
    done = subprocess.run([*COMMAND, *map(str, arguments)], env=environment(env), check=False, **options)
    return cast("subprocess.CompletedProcess[bytes]", done)


def start(
    *arguments: str | Path, env: Mapping[str, str | None] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start the program."""
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], env=environment(env), **options)
    return cast("subprocess.Popen[bytes]", process)


def shell(script: str, cwd: Path, env: Mapping[str, str | None] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a script in bash, in which `pyramide` is the program."""
    function = f'pyramide() {{ "{sys.executable}" -m pyramide_cli "$@"; }}\n'
    return subprocess.run(
        ["bash", "-c", function + script],
        cwd=cwd,
        env=environment(env),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something has come about."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
