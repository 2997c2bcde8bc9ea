"""Every script in `examples/` runs, and prints what its first comment promises."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"


def run(name: str, tmp_path: Path, *arguments: str) -> str:
    script = tmp_path / "pyramide"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pyramide_cli "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_solve_deals(tmp_path: Path) -> None:
    printed = run("solve_deals.sh", tmp_path, "20")
    for rules in ("pyramide", "microsoft", "easy", "relaxed"):
        assert any(line.split()[:2] == [rules, "20"] or line.startswith(rules) for line in printed.splitlines()), (
            printed
        )


def test_compare_players(tmp_path: Path) -> None:
    printed = run("compare_players.sh", tmp_path, "20")
    assert all(player in printed for player in ("first", "random", "greedy"))


def test_hard_deals(tmp_path: Path) -> None:
    printed = run("hard_deals.sh", tmp_path, "2", "55")
    assert printed.count("PY1-N-") == 2


def test_notebook(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, str(EXAMPLES / "notebook.py")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "games were lost on a winnable deal" in done.stdout
    assert done.stdout.count("| pyramide |") == 2


def test_every_shell_example_is_tested() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert {path.stem for path in EXAMPLES.glob("*.sh")} <= tested
