"""The house: which module may import which, and what the package says of itself."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pyramide_cli

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "pyramide_cli"

# Bottom to top: a module imports only from those before it.
ORDER = [
    "lazy",
    "errors",
    "messages",
    "cards",
    "pyramid",
    "deals",
    "rules",
    "moves",
    "illegal",
    "scoring",
    "game",
    "records",
    "bulk",
    "session",
    "solver",
    "pools",
    "batches",
    "resume",
    "selection",
    "cluster",
    "resume",
    "replay",
    "gamelog",
    "hints",
    "players",
    "analysis",
    "reports",
    "boards",
    "cli",
    "__main__",
]
TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "examples",
    "pyproject.toml",
    "pyramide_cli",
    "tests",
}


def modules() -> Iterator[tuple[Path, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room != "__init__":
            yield path, room


def imports(path: Path, *, runtime_only: bool = False) -> Iterator[str]:
    """Yield the dotted names that a module imports; those for type checkers alone are left out if asked."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    if runtime_only:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                skipped |= {id(inner) for statement in node.body for inner in ast.walk(statement)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_point_one_way() -> None:
    wrong = []
    for path, room in modules():
        assert room in ORDER, f"{path}: {room} has no place in the order"
        for name in imports(path):
            parts = name.split(".")
            ours = parts[0] == "pyramide_cli" and len(parts) > 1 and parts[1] in ORDER
            if ours and ORDER.index(parts[1]) > ORDER.index(room):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_only_the_solver_imports_numba_and_only_reports_import_pandas() -> None:
    for path, room in modules():
        heads = {name.split(".")[0] for name in imports(path, runtime_only=True)}
        if room != "solver":
            assert "numba" not in heads, path
        if room != "reports":
            assert not heads & {"pandas", "matplotlib", "pyarrow"}, path


def test_the_engine_knows_no_screen_no_file_and_no_solver() -> None:
    engine = ORDER[: ORDER.index("game") + 1]
    allowed = {
        "__future__",
        "collections",
        "dataclasses",
        "enum",
        "functools",
        "gettext",
        "math",
        "os",
        "pathlib",
        "re",
    }
    allowed |= {"pyramide_cli", "secrets", "typing", "locale"}
    for path, room in modules():
        if room in engine and room not in ("lazy", "messages"):
            heads = {name.split(".")[0] for name in imports(path, runtime_only=True)}
            assert heads - allowed <= ({"numpy"} if room == "deals" else set()), path


def loaded_by(*arguments: str) -> set[str]:
    code = (
        "import sys; sys.argv[1:] = sys.argv[1:]\n"
        "from pyramide_cli.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "finally:\n    print('|'.join(sys.modules), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120, cwd=ROOT, check=True
    )
    return {name.split(".")[0] for name in run.stderr.strip().splitlines()[-1].split("|")}


def test_light_commands_stay_light() -> None:
    heavy = {"numba", "pandas", "matplotlib", "pyarrow", "dask"}
    assert not loaded_by("--version") & (heavy | {"numpy", "msgspec", "tqdm"})
    assert not loaded_by("deal", "PY1-N-AAAAAAS", "--format", "text") & heavy
    assert not loaded_by("play", "PY1-N-AAAAAAS", "--player", "greedy") & heavy
    assert not loaded_by("solve", "--find", "any", "PY1-N-AAAAAAS") & heavy


def test_the_library_loads_its_names_late() -> None:
    code = "import sys, pyramide_cli; print(*sorted(n for n in sys.modules if n.startswith('pyramide_cli')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.split() == ["pyramide_cli", "pyramide_cli.lazy"]
    for name in pyramide_cli.__all__:
        assert getattr(pyramide_cli, name) is not None
    assert set(dir(pyramide_cli)) == set(pyramide_cli.__all__)


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert pyramide_cli.__version__ == project["version"]
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_nothing_else_lies_at_the_top() -> None:
    run = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=False)
    if run.returncode == 0:
        assert {line.split("/")[0] for line in run.stdout.splitlines()} <= TOP_LEVEL
