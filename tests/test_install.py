"""Installing: a wheel and a source archive with everything in them, on every Python that is here.

The slow test needs a package registry; CONTRIBUTING.md says how to run it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OLDEST, NEWEST = 11, 14
DATA = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pyramide_cli").rglob("*") if path.suffix != ".py"}
SMOKE = """
set -e
pyramide deal PY1-N-AAAAAAS --format text
for find in any shortest most score rank=K; do pyramide solve --find $find 9 18 --brief; done
pyramide deal --count 20 --seed 1 | pyramide play --player greedy --seed 1 >games.jsonl
pyramide replay games.jsonl | pyramide stats
pyramide play 18 --moves "Kd, 10c 3s, q" --lang fr | pyramide replay --analyze --format html -o game.html
pyramide stats --survey 2000 --seed 1
"""


@pytest.mark.parametrize(
    ("module", "extra", "arguments"),
    [
        ("matplotlib", "plot", ["stats", "--plot", "x.png"]),
        ("pyarrow", "parquet", ["stats", "--format", "parquet", "-o", "x"]),
        ("distributed", "dask", ["solve", "1", "--dask", "localhost:1"]),
        ("prompt_toolkit", "play", ["play", "1", "--moves", "?"]),
    ],
)
def test_a_missing_extra_names_the_line_that_installs_it(module: str, extra: str, arguments: list[str]) -> None:
    code = (
        "import sys, importlib.abc\n"
        "class Missing(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        f"        if name.split('.')[0] == {module!r}: raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "import importlib.util\n"
        "find = importlib.util.find_spec\n"
        f"hidden = lambda name: name.split('.')[0] == {module!r}\n"
        "importlib.util.find_spec = lambda name, *rest: None if hidden(name) else find(name, *rest)\n"
        f"from pyramide_cli.cli import main\nmain({arguments!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, input="", check=False)
    assert f"pip install 'pyramide-cli[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if extra == "play" else 2)


def python(minor: int) -> str:
    """Return an interpreter of a version, pyenv's too; skip the test where there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    places = sorted(pyenv.glob(f"versions/3.{minor}.*/bin/python3"))
    for place in [*map(str, places), shutil.which(f"python3.{minor}")]:
        if place and subprocess.run([place, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
            return place
    pytest.skip(f"there is no Python 3.{minor} here")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Build the source archive, and from that the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    tools = tmp_path_factory.mktemp("tools")
    subprocess.run([sys.executable, "-m", "venv", tools], check=True)
    subprocess.run([tools / "bin/pip", "install", "-q", "build"], check=True)
    subprocess.run([tools / "bin/python", "-m", "build", "-o", folder, ROOT], check=True, capture_output=True)
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


@pytest.mark.slow
def test_both_archives_hold_everything(archives: tuple[Path, Path]) -> None:
    source, wheel = archives
    code = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pyramide_cli").rglob("*.py")}
    data = {name for name in DATA if (ROOT / name).is_file() and "__pycache__" not in name}
    with zipfile.ZipFile(wheel) as file:
        assert code | data <= set(file.namelist())
        assert not [name for name in file.namelist() if not name.startswith("pyramide_cli")]
    with tarfile.open(source) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert code | data | {"README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "tests/test_install.py"} <= names


@pytest.mark.slow
@pytest.mark.parametrize("minor", range(OLDEST, NEWEST + 1))
def test_the_wheel_works(minor: int, archives: tuple[Path, Path], tmp_path: Path) -> None:
    subprocess.run([python(minor), "-m", "venv", tmp_path / "venv"], check=True)
    subprocess.run([tmp_path / "venv/bin/pip", "install", "-q", archives[1]], check=True)
    # A home that cannot be written, no locale, a dumb terminal.
    (tmp_path / "file").touch()
    environment = {"PATH": f"{tmp_path}/venv/bin:/usr/bin:/bin", "HOME": str(tmp_path / "file"), "TERM": "dumb"}
    done = subprocess.run(
        ["sh", "-c", SMOKE], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "<svg" in (tmp_path / "game.html").read_text(encoding="utf-8")
