"""The same answers everywhere: whatever the hash seed, locale, time zone, width and jobs, compiled or not."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from pyramide_cli.solver import solve
from tests.positions import SINGLE_AXES, game_of, late_position
from tests.program import program, shell

POSITIONS = 20

HERE = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": None, "JOBS": "1"}
ELSEWHERE = {"PYTHONHASHSEED": "77", "LC_ALL": "C", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu", "COLUMNS": "30"}
ELSEWHERE |= {"JOBS": "3"}

SCRIPT = """
pyramide deal --seed 1 --count 12 --rules easy > deals
pyramide solve deals --no-timing --jobs $JOBS > solutions 2>/dev/null
pyramide play deals --player greedy --seed 2 > log
pyramide replay solutions log > games 2> summary
pyramide replay log --format html -o page.html 2>/dev/null
for format in csv markdown json; do pyramide stats games solutions --format $format > stats.$format; done
pyramide stats log --report player > table
pyramide deal 18 --format svg > board.svg
"""


def test_files_are_the_same_bytes_everywhere(tmp_path: Path) -> None:
    found = []
    for name, env in (("here", HERE), ("elsewhere", ELSEWHERE)):
        folder = tmp_path / name
        folder.mkdir()
        done = shell("set -e\n" + SCRIPT, folder, env)
        assert done.returncode == 0, done.stderr
        found.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert len(found[0]) == 11
    assert all(found[0].values())
    for name in found[0]:
        assert found[0][name] == found[1][name], name


def verdicts() -> str:
    """Solve late positions under every axis; return all that is proved of them, one line a question."""
    rng = random.Random(20)
    lines = []
    for number in range(POSITIONS):
        axes = list(SINGLE_AXES.values())[number % len(SINGLE_AXES)]
        game = game_of(late_position(rng, axes, limit=300))
        for find in ("any", "shortest", "most"):
            found = solve(game, find=find)
            lines.append(f"{number} {find} {found.verdict} {found.length} {found.lower} {found.upper} {found.states}")
    return "\n".join(lines)


def uncompiled(env: dict[str, str | None]) -> str:
    """Return the verdicts of a process of its own in which every warning, such as an overflow, is an error."""
    code = "import sys; sys.path.insert(0, '.'); from tests.test_same_everywhere import verdicts; print(verdicts())"
    done = shell(f'"{sys.executable}" -W error -c "{code}"', Path(__file__).parent.parent, env)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_kernels_say_the_same_uncompiled() -> None:
    here = verdicts()
    assert {line.split()[2] for line in here.splitlines()} == {"winnable", "unwinnable"}
    assert uncompiled({"NUMBA_DISABLE_JIT": "1"}) == here


@pytest.mark.slow
def test_a_cold_cache_changes_nothing(tmp_path: Path) -> None:
    arguments = ("solve", "18", "19", "--rules", "microsoft", "--no-timing")
    cold = program(*arguments, env={"NUMBA_CACHE_DIR": str(tmp_path)})
    warm = program(*arguments, env={"NUMBA_CACHE_DIR": str(tmp_path)})
    assert cold.stdout == warm.stdout == program(*arguments).stdout != b""
