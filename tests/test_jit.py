"""Kernels compiled and kept on disk: never old ones, and no error where they cannot be kept.

A small package of two kernels stands for the solver: the same decorator, and quick to compile.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pyramide_cli.deals import Deal
from pyramide_cli.solver import _jit, api, solve

INNER = "from kernels._jit import kernel\n\n\n@kernel\ndef inner(x: int) -> int:\n    return x + {}\n"
OUTER = (
    "from kernels._jit import kernel\nfrom kernels.inner import inner\n\n\n"
    "@kernel\ndef outer(x: int) -> int:\n    return inner(x)\n"
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "kernels"
    folder.mkdir()
    shutil.copy(_jit.__file__, folder / "_jit.py")
    (folder / "__init__.py").touch()
    (folder / "inner.py").write_text(INNER.format(1))
    (folder / "outer.py").write_text(OUTER)
    return folder


COUNTED = "from kernels.outer import outer\nprint(outer(40), sum(outer.stats.cache_hits.values()))"


def call(package: Path, code: str = COUNTED, **variables: str) -> str:
    """Return what a process of its own prints; as a rule outer(40), and how often its code came from disk."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=package.parent,
        env=environment | {"PYTHONPATH": str(Path(_jit.__file__).parents[2])} | variables,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_code_is_kept_until_any_file_changes(package: Path) -> None:
    assert [call(package), call(package)] == ["41 0", "41 1"]
    (package / "inner.py").write_text(INNER.format(2))
    assert [call(package), call(package)] == ["42 0", "42 1"]


def test_a_cache_that_cannot_be_written_is_no_error(package: Path, tmp_path: Path) -> None:
    # Plain files where the folders for machine code should be stop the superuser too.
    file = tmp_path / "file"
    file.touch()
    (package / "__pycache__").touch()
    variables = {"NUMBA_CACHE_DIR": str(file / "below"), "HOME": str(file), "XDG_CACHE_HOME": str(file)}
    assert call(package, PYTHONDONTWRITEBYTECODE="1", **variables).split()[0] == "41"


INTERRUPTED = """
import os, signal, threading, time
from numba.core import event
from kernels.outer import outer

class Interrupt(event.Listener):
    threads = set()

    def on_start(self, event):
        self.threads.add(threading.current_thread())
        if len(self.threads) == 1 and event.data["dispatcher"] is outer:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)

    def on_end(self, event):
        pass

interrupted = False
with event.install_listener("numba:compile", Interrupt()):
    try:
        outer(40)
    except KeyboardInterrupt:
        interrupted = True
    print(interrupted, outer(40), threading.main_thread() in Interrupt.threads)
"""


def test_an_interrupt_reaches_the_caller_and_not_the_compiler(package: Path) -> None:
    # In the compiler it would be lost where machine code calls back, or come out as another error.
    assert call(package, code=INTERRUPTED) == "True 41 False"


WAITED = """
import threading, time
from kernels._jit import seconds_compiling
from kernels.outer import outer

def work():
    started = time.perf_counter()
    outer(1)
    waited, took = seconds_compiling(), time.perf_counter() - started
    outer(2)
    print(0 < waited <= took, seconds_compiling() == waited)

if {aside}:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    print(seconds_compiling())
else:
    work()
"""


@pytest.mark.parametrize(("aside", "printed"), [(False, "True True"), (True, "True True\n0.0")])
def test_waiting_for_machine_code_is_counted_once(package: Path, *, aside: bool, printed: str) -> None:
    for _ in ("compiled", "read from disk"):
        assert call(package, WAITED.format(aside=aside)) == printed


def test_the_time_of_a_search_is_without_the_wait_for_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    solve(Deal.from_number(18))
    monkeypatch.setattr(api, "seconds_compiling", iter([5.0, 65.0]).__next__)
    assert -60 < solve(Deal.from_number(18)).seconds < -50


def test_the_fingerprint_is_of_all_sources(tmp_path: Path) -> None:
    assert _jit.fingerprint(Path(_jit.__file__).parent) == _jit.FINGERPRINT
    seen = {_jit.fingerprint(tmp_path)}
    for name, text in (("a.py", "1"), ("b.py", "1"), ("a.py", "2"), ("b.py", "3")):
        (tmp_path / name).write_text(text)
        seen.add(_jit.fingerprint(tmp_path))
    assert len(seen) == 5
