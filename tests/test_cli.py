"""The command line as a whole: help, version, start-up, exit codes, signals and streams."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

import pyramide_cli
from pyramide_cli.cli.app import COMMANDS, app
from pyramide_cli.cli.colors import use_color
from pyramide_cli.cli.exits import Exit, Status, Stop, gravest
from pyramide_cli.records import Problem
from pyramide_cli.solver.notice import announce, before_compiling
from tests.calling import Call, caller
from tests.program import program, shell, start

call = pytest.fixture(caller)

ROOT = Path(__file__).parent.parent


def commands() -> Iterator[click.Command]:
    context = click.Context(app)
    for name in COMMANDS:
        command = app.get_command(context, name)
        assert command is not None
        yield command


# Help and version.


def test_every_command_and_option_has_help() -> None:
    for command in commands():
        assert command.help, command.name
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{command.name} {parameter.opts[0]} has no help"


def test_the_overview_says_of_each_command_what_the_command_says() -> None:
    for command in commands():
        assert command.name is not None
        assert COMMANDS[command.name] == command.get_short_help_str(limit=1000)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_terminal_of_80_columns(name: str, call: Call) -> None:
    done = call(name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: pyramide {name} ".encode())
    assert max(len(line.decode()) for line in done.out.splitlines()) <= 80


def test_no_command_shows_the_overview(call: Call) -> None:
    done = call()
    assert done.code == 0
    assert all(f"  {name} ".encode() in done.out for name in COMMANDS)


def test_the_version_is_that_of_the_project(call: Call) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == pyramide_cli.__version__
    for option in ("--version", "-V"):
        assert call(option).out.decode() == f"pyramide {pyramide_cli.__version__}\n"


def cpu_seconds(*command: str) -> float:
    """Return the least CPU time of some runs of a command."""

    def once() -> float:
        before = os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    return min(once() for _ in range(7))


def test_the_version_comes_within_60_ms_of_cpu_over_bare_python() -> None:
    bare = cpu_seconds(sys.executable, "-c", "pass")
    assert cpu_seconds(sys.executable, "-m", "pyramide_cli", "--version") - bare < 0.06


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--version"], {"numpy", "numba", "pandas", "tqdm", "msgspec", "pyramide_cli.game"}),
        (["--help"], {"numpy", "numba", "pandas", "tqdm", "msgspec", "pyramide_cli.game"}),
        (["deal", "--count", "3"], {"numpy", "numba", "pandas", "tqdm"}),
        (["deal", "--count", "1000"], {"numba", "pandas", "tqdm"}),
        (["solve", "--rules", "list"], {"numba", "pandas", "tqdm"}),
    ],
    ids=" ".join,
)
def test_heavy_packages_are_not_loaded_without_need(arguments: list[str], unwanted: set[str]) -> None:
    script = "import sys\nfrom pyramide_cli.cli.run import run\n"
    script += f"run({arguments!r})\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert unwanted.isdisjoint(done.stderr.split())


def test_only_the_command_that_is_used_is_loaded() -> None:
    script = (
        "import sys\nfrom pyramide_cli.cli.run import run\nrun(['deal', '1'])\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert not {f"pyramide_cli.cli.{name}" for name in COMMANDS if name != "deal"} & set(done.stderr.split())


# Exit codes.


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nonsense"],
        ["deal", "--nonsense"],
        ["deal", "--count", "x"],
        ["deal", "--count", "-1"],
        ["deal", "--rules", "tut"],
        ["deal", "--passes", "0"],
        ["deal", "--passes", "many"],
        ["deal", "--passes", "99999999999999999999"],
        ["deal", "--goal", "both"],
        ["solve", "--find", "rank=1"],
        ["solve", "--jobs", "0"],
        ["solve", "--jobs", "99999999999999999999", "1"],
        ["solve", "--max-states", "99999999999999999999", "1"],
        ["deal", "--count", "99999999999999999999"],
        ["deal", "--winnable", "--tries", "99999999999999999999"],
        ["solve", "--format", "xml", "1"],
        ["solve", "--resume", "1"],
    ],
    ids=" ".join,
)
def test_bad_usage_ends_with_2_and_says_what_to_do(arguments: list[str], call: Call) -> None:
    done = call(*arguments)
    assert done.code == 2
    assert done.out == b""
    assert "Error: " in done.err
    assert "Usage: pyramide" in done.err
    assert done.err.endswith((".\n", "?\n"))  # click asks back where an option is nearly right


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        (["deal", "--start", "PY1-N-AAAAAA8"], "a code has A to Z and 2 to 7 there."),
        (["deal", "--deal-waste", "--rules", "tut"], "--rules list tells them all."),
        (["deal", "--tries", "9"], "--tries goes with --winnable, --unwinnable or --length."),
        (["deal", "1", "2", "--format", "svg"], "name one, or draw each by itself."),
        (["deal", "--coun", "9"], "?"),
        (["play", "--player", "first", "--moves", "d"], "--player and --moves exclude each other."),
        (["replay", "--jobs", "2"], "--jobs goes with --analyze."),
        (["stats", "--report", "compare"], "the report compare needs a second set: --against FILE."),
        (["stats", "--within", "9"], "--within belongs to a survey: --survey N."),
        (["stats", "--survey", "9", "extra", "--top", "1"], "or what belongs to them."),
    ],
    ids=str,
)
def test_messages_about_usage_are_sentences(arguments: list[str], end: str, call: Call) -> None:
    done = call(*arguments)
    assert done.code == 2
    assert done.err.rstrip(")\n").endswith(end)


def test_every_choice_is_taken_in_upper_and_lower_case(call: Call) -> None:
    choices = [
        parameter.type
        for command in commands()
        for parameter in command.params
        if isinstance(parameter.type, click.Choice)
    ]
    assert len(choices) > 20
    assert not any(choice.case_sensitive for choice in choices)
    for arguments in (
        ["deal", "18", "--format", "SVG", "--goal", "ALL", "--color", "Never", "--lang", "FR", "--rules", "Relaxed"],
        ["deal", "--rules", "LIST"],
        ["stats", "--report", "Summary", "--by", "Player", "--format", "CSV"],
    ):
        done = call(*arguments)
        small = call(*(argument.lower() for argument in arguments))
        assert (done.code, done.out, done.err) == (0, small.out, "")
    assert "joue" in call("play", "--help", "--lang", "FR").out.decode()


def test_the_gravest_exit_code_counts() -> None:
    order = [130, 141, 2, 5, 3, 4, 1, 0]
    for position, code in enumerate(order):
        assert gravest(order[position:]) == code
    assert gravest([]) == Exit.DONE
    assert gravest([Exit.DATA, 128 + signal.SIGTERM]) == 143


def test_problems_are_printed_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    status = Status()
    assert status.code == Exit.DONE
    status.report(Problem("a", 3, "bad"))
    assert status.code == Exit.DATA
    status.report(Problem("b", None, "gone", "file"))
    status.note(Exit.NO)
    assert status.code == Exit.FILES
    assert capsys.readouterr().err == "a:3: bad\nb: gone\n"
    with pytest.raises(Stop):
        Status(strict=True).report(Problem("a", 3, "bad"))


def test_a_fault_of_the_program_is_no_answer(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("pyramide_cli.cli.deal").deal, "callback", lambda **_: 1 // 0)
    done = call("deal", "1")
    assert done.code == Exit.BUG
    assert "ZeroDivisionError" in done.err
    assert "this is a fault of the program" in done.err


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(28, "No space left on device", "x.jsonl"), 5, "pyramide: x.jsonl: no space left on device"),
        (MemoryError(), 5, "pyramide: there is not enough memory"),
        (KeyboardInterrupt(), 130, "pyramide: interrupted"),
        (BrokenPipeError(), 141, ""),
        (EOFError(), 130, "pyramide: interrupted"),
    ],
    ids=str,
)
def test_what_can_end_a_command(
    error: BaseException, code: int, message: str, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(import_module("pyramide_cli.cli.deal").deal, "callback", fail)
    done = call("deal", "1")
    assert done.code == code
    assert done.err.strip() == message


@pytest.mark.parametrize("is_terminal", [True, False])
def test_whoever_waits_at_a_terminal_is_told_that_the_solver_is_compiled(
    is_terminal: bool, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = SimpleNamespace(py_func=None, signatures=[], stats=SimpleNamespace(cache_path=None))
    monkeypatch.setattr(import_module("pyramide_cli.cli.deal").deal, "callback", lambda **_: announce(kernel))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    try:
        told = call("deal", "1").err
    finally:
        before_compiling(None)
    assert told == ("pyramide: compiling the solver for this machine, once; this takes some seconds\n" * is_terminal)


# Signals and pipes.


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 129, "terminated")],
)
def test_signals_end_the_program_in_good_order(number: int, code: int, word: str) -> None:
    with start("deal", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"1\n")
        process.stdin.flush()
        wait_until_it_reads(process.pid)
        process.send_signal(number)
        assert process.wait(30) == code
        assert process.stderr.read().decode() == f"pyramide: {word}\n"


def wait_until_it_reads(pid: int) -> None:
    """Wait until a process sleeps in a read, past its start-up."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        time.sleep(0.05)
        status = Path(f"/proc/{pid}/wchan").read_text() if Path(f"/proc/{pid}/wchan").exists() else ""
        if "pipe" in status:
            return
        if not status or status == "0":  # the system does not tell
            time.sleep(1)
            return


def test_nohup_is_respected(tmp_path: Path) -> None:
    script = (
        "trap '' HUP; (sleep 1; echo 1) | pyramide deal - --format code & sleep 0.7; kill -HUP $!; wait $!; echo $?"
    )
    assert shell(script, tmp_path).stdout == "PY1-N-AAAAAAB\n0\n"


@pytest.mark.parametrize(
    "pipeline",
    [
        "pyramide deal --count 1000000 --format code",
        "pyramide deal --count 100000",
        "yes 7 | pyramide deal -",
        "yes PY1-N-AAAAAAB | pyramide deal - --format cards",
    ],
)
def test_a_reader_that_goes_away_ends_the_program_quietly(pipeline: str, tmp_path: Path) -> None:
    done = shell(f"{pipeline} | head -1 > first; echo ${{PIPESTATUS[-2]}}", tmp_path)
    assert (done.stdout, done.stderr) == ("141\n", "")
    assert (tmp_path / "first").read_text().count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["deal", "1"],
        ["deal", "--count", "1000"],
        [],
        ["--help"],
        ["stats", "--help"],
        ["deal", "--rules", "list"],
        ["--version"],
    ],
)
def test_a_full_disk_on_stdout_is_noticed(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = program(*arguments, stdout=full)
    assert done.returncode == 5
    assert done.stderr.decode() == "pyramide: <stdout>: cannot be written: no space left on device\n"


def test_closed_streams_are_no_fault(tmp_path: Path) -> None:
    done = shell("pyramide deal 1 >&-; echo $?; pyramide deal - <&-; echo $?; pyramide deal x 2>&-; echo $?", tmp_path)
    assert done.stdout.split() == ["5", "5", "5"]
    assert "Traceback" not in done.stderr
    assert "standard input is closed" in done.stderr


def test_a_stderr_that_is_full_does_not_change_the_answer(tmp_path: Path) -> None:
    done = shell("printf '1\\nbad\\n2\\n' | pyramide deal - --format code 2>/dev/full; echo $?", tmp_path)
    assert done.stdout == "PY1-N-AAAAAAB\nPY1-N-AAAAAAC\n3\n"


# Colour and encodings.


@pytest.mark.parametrize(
    ("choice", "env", "is_terminal", "wanted"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": ""}, False, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour(
    choice: str, env: dict[str, str], is_terminal: bool, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert use_color(choice, is_terminal) is wanted


def test_suits_fall_back_to_letters_where_the_encoding_lacks_them() -> None:
    arguments = ["deal", "PY1-N-AAAAAAS", "--format", "text", "--color", "never"]
    plain = program(*arguments, env={"PYTHONIOENCODING": "ascii"})
    assert plain.returncode == 0
    assert b"[Kd]" in plain.stdout
    assert plain.stdout.isascii()
    rich = program(*arguments, env={"PYTHONIOENCODING": "utf-8"})
    assert "[K♦]".encode() in rich.stdout


def test_nothing_depends_on_locale_hash_seed_or_time_zone() -> None:
    arguments = ["deal", "--seed", "1", "--count", "20", "--rules", "par", "--passes", "2"]
    runs = {
        program(*arguments, env=env).stdout
        for env in (
            {"LC_ALL": "C", "PYTHONHASHSEED": "1", "TZ": "UTC"},
            {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "COLUMNS": "30"},
        )
    }
    assert len(runs) == 1


def test_completion_scripts_are_there() -> None:
    for name in ("bash", "zsh", "fish"):
        done = program(env={"_PYRAMIDE_COMPLETE": f"{name}_source"})
        assert done.returncode == 0, done.stderr
        assert b"pyramide" in done.stdout


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("pyramide s", {"solve", "stats"}),
        ("pyramide deal --win", {"--winnable"}),
        ("pyramide deal --rules p", {"pyramide", "pyramid-solitaire", "par", "piramida"}),
        ("pyramide solve --format t", {"text"}),
    ],
)
def test_the_shell_completes(line: str, wanted: set[str]) -> None:
    words = line.split()
    env = {"_PYRAMIDE_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = program(env=env)
    assert done.returncode == 0, done.stderr
    assert {found.split(",")[1] for found in done.stdout.decode().split()} == wanted


def test_rules_list_names_every_preset_and_axis(call: Call) -> None:
    from pyramide_cli.rules import AXES, RULES

    for name in ("deal", "play", "replay", "solve"):
        done = call(name, "--rules", "list")
        assert done.code == 0
        text = done.out.decode()
        assert all(re.search(rf"^{preset}\b", text, re.MULTILINE) for preset in RULES)
        assert all(text.count(axis) >= len(RULES) for axis in AXES)
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("words", [{}, {"COMP_CWORD": "x"}, {"COMP_CWORD": "1"}, {"COMP_WORDS": "pyramide"}])
def test_a_completion_that_nobody_asked_for_is_bad_usage(words: dict[str, str]) -> None:
    done = program(env={"_PYRAMIDE_COMPLETE": "bash_complete", **words})
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"pyramide: _PYRAMIDE_COMPLETE is set, but the shell does not say what to complete\n"
    assert program("--version", env={"_PYRAMIDE_COMPLETE": ""}).stdout.startswith(b"pyramide ")
