"""The README is run: every `console` block is typed into a shell, every `python` block is a doctest.

In a console block a line that begins with `$ ` is a command (a line that ends with a backslash goes on in the next
one), and what follows is all that it prints, stdout and stderr as they come. A line `…` stands for any lines, and
`…` in a line for any text.

`python -m tests.test_readme` runs every command whose output has no `…` and writes down what it prints now.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md"]
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
            if match[1] == kind:
                line = page.read_text(encoding="utf-8")[: match.start()].count("\n") + 2
                found.append((f"{page.name}:{line}", match[2]))
    return found


def commands(block: str) -> list[tuple[str, str]]:
    """Split a console block into commands and what they print."""
    found: list[tuple[str, str]] = []
    lines = iter(block.splitlines(keepends=True))
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\\n"):
                command += next(lines)
            found.append((command, ""))
        else:
            assert found, "a console block begins with a command"
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def matches(expected: str, printed: str) -> bool:
    pattern = "".join(
        "(?:.*\n)*" if line == "…\n" else ".*".join(map(re.escape, line.split("…")))
        for line in expected.splitlines(keepends=True)
    )
    return re.fullmatch(pattern, printed) is not None


class Shell:
    """A folder to work in, and an environment in which `pyramide` is this checkout's."""

    def __init__(self, base: Path) -> None:
        tools = base / "bin"
        self.work = base / "work"
        tools.mkdir(parents=True)
        self.work.mkdir()
        script = tools / "pyramide"
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pyramide_cli "$@"\n', encoding="utf-8")
        script.chmod(0o755)
        (self.work / "examples").symlink_to(ROOT / "examples")
        self.environment = {key: value for key, value in os.environ.items() if key not in {"FORCE_COLOR", "NO_COLOR"}}
        self.environment |= {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "100",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
        }

    def run(self, command: str) -> str:
        """Run a command and return all that it prints."""
        run = subprocess.run(
            ["bash", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            cwd=self.work,
            env=self.environment,
            timeout=300,
            check=False,
        )
        return run.stdout.decode()


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("readme"))


@pytest.mark.parametrize(("place", "block"), blocks("console"), ids=[place for place, _ in blocks("console")])
def test_console_blocks_print_what_they_say(place: str, block: str, shell: Shell) -> None:
    for command, expected in commands(block):
        printed = shell.run(command)
        assert matches(expected, printed), f"{place}: {command}\nprinted\n{printed}\nbut the page says\n{expected}"


@pytest.mark.parametrize(("place", "block"), blocks("python"), ids=[place for place, _ in blocks("python")])
def test_python_blocks_are_doctests(place: str, block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, place, place, 0)
    assert test.examples, f"{place}: no >>> in a python block"
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


def test_there_is_something_to_run() -> None:
    assert len(blocks("console")) >= 5
    assert blocks("python")


def rewrite() -> None:
    """Write down what the console blocks print now."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder))

        def rerun(match: re.Match[str]) -> str:
            if match[1] != "console":
                return match[0]
            parts = []
            for command, expected in commands(match[2]):
                printed = shell.run(command)
                kept = expected if "…" in expected else printed
                parts.append(f"$ {command}{kept}")
            return f"```console\n{''.join(parts)}```"

        for page in PAGES:
            page.write_text(BLOCK.sub(rerun, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
