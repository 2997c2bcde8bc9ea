"""What the program does at a terminal: text, colour, progress, and nothing of these elsewhere."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.program import COMMAND, PATIENCE, environment, program

pty: Any = pytest.importorskip("pty")

DEAL = ("deal", "PY1-N-AAAAAAS")
SOLVE = ("solve", "PY1-N-AAAAAAS", "1", "2", "--find", "any")


def terminal(columns: int) -> tuple[int, int]:
    """Open a pseudo-terminal; return our end and that of the program."""
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    return ours, theirs


def at_terminal(
    *arguments: str, only: str = "", env: dict[str, str | None] | None = None, columns: int = 80
) -> tuple[str, bytes]:
    """Run the program with a pseudo-terminal as stdout and stderr, or as `only` one of them; the other is a pipe.

    Returns what came to the terminal and what came through the pipe.
    """
    ours, theirs = terminal(columns)
    streams: dict[str, Any] = {"stdout": theirs, "stderr": theirs}
    if only:
        streams["stderr" if only == "stdout" else "stdout"] = subprocess.PIPE
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        env=environment({"TERM": "xterm", "NO_COLOR": None, "FORCE_COLOR": None, **(env or {})}),
        **streams,
    )
    os.close(theirs)
    shown = b""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    piped = process.stdout or process.stderr
    rest = piped.read() if piped else b""
    assert process.wait(PATIENCE) == 0
    if piped:
        piped.close()
    return shown.decode().replace("\r\n", "\n"), rest


def test_auto_is_text_at_a_terminal_and_jsonl_elsewhere() -> None:
    shown, _ = at_terminal(*DEAL)
    assert "K♦" in shown
    assert "{" not in shown
    assert program(*DEAL).stdout.startswith(b'{"type":"deal"')
    assert at_terminal(*DEAL, only="stderr")[1].startswith(b'{"type":"deal"')
    shown, _ = at_terminal(*SOLVE)
    assert "winnable in " in shown


@pytest.mark.parametrize("columns", [40, 80])
def test_sentences_are_broken_between_words_at_a_terminal(columns: int, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(program("play", "7", "--player", "first", "--seed", "1").stdout)
    for command in (("deal", "7", "--format", "describe"), ("replay", str(log), "--at", "2", "--plain")):
        shown, _ = at_terminal(*command, only="stdout", columns=columns)
        assert max(map(len, shown.split("\n"))) <= columns
        piped = program(*command, "--format", "describe").stdout.decode()
        assert shown.split() == piped.split()


@pytest.mark.parametrize(
    ("env", "arguments", "is_coloured"),
    [
        ({}, (), True),
        ({"NO_COLOR": "1"}, (), False),
        ({"TERM": "dumb"}, (), False),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
        ({}, ("--color", "never"), False),
    ],
)
def test_colour_at_a_terminal(env: dict[str, str | None], arguments: tuple[str, ...], is_coloured: bool) -> None:
    assert ("\x1b[" in at_terminal(*DEAL, *arguments, env=env)[0]) is is_coloured


def test_colour_may_be_forced_elsewhere() -> None:
    text = (*DEAL, "--format", "text")
    assert b"\x1b[" not in program(*text).stdout
    assert b"\x1b[" in program(*text, env={"FORCE_COLOR": "1"}).stdout


def test_progress_is_shown_on_stderr_at_a_terminal_only() -> None:
    shown, data = at_terminal(*SOLVE, only="stderr")
    assert "0/3" in shown
    assert "3 deals: " in shown
    assert data.count(b"\n") == 3
    assert b"\r" not in data
    assert program(*SOLVE).stderr == b""


def test_progress_may_be_asked_for_and_refused() -> None:
    assert "0/3" not in at_terminal(*SOLVE, "--no-progress", only="stderr")[0]
    done = program(*SOLVE, "--progress")
    assert b"0/3" in done.stderr
    assert b"3 deals: 3 winnable, 0 unwinnable, 0 undecided; " in done.stderr
    assert done.stdout.count(b"\n") == 3


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize(
    "command",
    [
        ["solve", "-", "--find", "any"],
        ["solve", "1", "2", "3", "--find", "any"],
        ["replay"],
        ["stats"],
        ["play", "--player", "first"],
        ["deal", "1", "2", "3", "--winnable"],
    ],
    ids=" ".join,
)
def test_a_bar_names_its_command_and_covers_the_whole_line(command: list[str], columns: int) -> None:
    shown, _ = at_terminal(*command, only="stderr", columns=columns)
    bars = [line for line in shown.split("\r") if line.startswith(f"{command[0]}: ")]
    assert bars
    assert {len(line) for line in bars} == {columns - 1}  # in the last column some terminals begin a new line


def test_the_bar_of_replay_does_not_call_solutions_games() -> None:
    solved = program("solve", "1", "--find", "any").stdout
    assert b"replay: 0 results" in program("replay", "--progress", text=solved).stderr


def test_a_message_covers_the_bar_of_another_command(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_text("what\n")
    for term, lead in (("xterm", "\r\x1b[K"), ("dumb", "")):
        ours, theirs = terminal(80)
        done = program("deal", bad, stderr=theirs, env={"TERM": term})  # whose stdout is a pipe
        os.close(theirs)
        assert done.returncode == 3
        assert os.read(ours, 65536).decode().startswith(f"{lead}{bad}:1: 'what' is no")
        os.close(ours)


def test_messages_stand_on_lines_of_their_own_beside_a_progress_bar() -> None:
    done = program("solve", "1", "bad", "2", "--find", "any", "--progress")
    assert done.returncode == 5
    assert any(
        line.startswith(b"argument 2: 'bad' is neither") for line in done.stderr.replace(b"\r", b"\n").split(b"\n")
    )


def test_text_is_as_wide_as_the_terminal() -> None:
    ours, theirs = terminal(40)
    done = subprocess.run(
        [sys.executable, "-c", "from pyramide_cli.cli.run import run; run(['solve', '18', '--find', 'any'])"],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment({"COLUMNS": None}),
        check=False,
    )
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert done.returncode == 0
    lines = shown.replace("\r\n", "\n").splitlines()
    assert 30 < max(map(len, lines[2:])) <= 40


def test_who_types_deals_sees_each_answer_before_the_next() -> None:
    ours, theirs = terminal(80)
    with subprocess.Popen(
        [*COMMAND, "solve", "-", "--brief"], stdin=theirs, stdout=subprocess.PIPE, env=environment()
    ) as process:
        os.close(theirs)
        assert process.stdout is not None
        for number, code in ((b"18\n", b"PY1-N-AAAAAAS"), (b"7\n", b"PY1-N-AAAAAAH")):
            os.write(ours, number)
            assert select.select([process.stdout], [], [], PATIENCE)[0]
            assert code in process.stdout.readline()
        os.write(ours, b"\x04")  # Ctrl-D
        assert process.wait(PATIENCE) == 0
    os.close(ours)
