"""Files that a tired user names by mistake: one that is read and written, one without a name, one packed twice."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pyramide_cli import Deal
from pyramide_cli.players import play_out
from pyramide_cli.records import encode
from tests.calling import Call, caller
from tests.program import COMMAND, PATIENCE, environment, program, shell

call = pytest.fixture(caller)

READ_AND_WRITTEN = [
    "deal FILE -o link",
    "deal --deck FILE -o link",
    "deal --count 1 FILE -o FILE",
    "deal FILE >> FILE",
    "deal - < FILE >> FILE",
    "solve FILE -o FILE",
    "solve FILE -o ./FILE",
    "solve 1 FILE >> FILE",
    "solve < FILE >> FILE",
    "solve --retry-undecided FILE >> FILE",
    "replay FILE -o FILE",
    "replay --analyze < FILE -o FILE",
    "stats FILE -o FILE",
    "stats other --against FILE -o FILE",
    "stats FILE >> FILE",
    "play --player first FILE >> FILE",
    "play --player first < FILE >> FILE",
    "play --player first --log FILE FILE",
    "play --moves draw --log FILE FILE",
]


@pytest.mark.parametrize("command", READ_AND_WRITTEN)
def test_a_file_is_not_read_and_written_at_once(command: str, tmp_path: Path) -> None:
    # It would be lost, or grow without end: what is written is read again.
    log = b"".join(encode(record) for record in play_out(Deal.from_number(0), player="first", seed=1))
    (tmp_path / "log").write_bytes(log)
    (tmp_path / "other").write_bytes(log)
    (tmp_path / "link").symlink_to("log")
    done = shell(f"pyramide {command.replace('FILE', 'log')}", tmp_path)
    assert done.returncode == 2
    assert "is read and written at once: write to another file" in done.stderr
    assert (tmp_path / "log").read_bytes() == log
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "log", "other"]


def test_devices_can_be_read_and_written_at_once(tmp_path: Path) -> None:
    done = shell("pyramide deal - < /dev/null > /dev/null && pyramide stats - < /dev/null -o /dev/null", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_report_and_its_plot_are_two_files(call: Call, tmp_path: Path) -> None:
    done = call("stats", "-", "-o", tmp_path / "x.svg", "--plot", tmp_path / "." / "x.svg")
    assert done.code == 2
    assert "-o and --plot name the same file" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", ""],
        ["stats", ""],
        ["stats", "-", "--against", ""],
        ["deal", "--deck", ""],
        ["solve", "--retry-undecided", ""],
        ["play", "1", "--moves", "draw", "--log", ""],
        ["deal", "1", "-o", ""],
    ],
)
def test_a_file_without_a_name_is_no_folder(call: Call, arguments: list[str]) -> None:
    done = call(*arguments)
    assert done.code == 5
    assert re.search(r"''.*: a file has a name|the name of the output file is empty", done.err)
    assert "directory" not in done.err


def test_a_file_that_is_packed_twice_is_named_once(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "log.gz"
    file.write_bytes(gzip.compress(gzip.compress(b"1\n2\n")))
    for command in ("deal", "replay", "stats"):
        done = call(command, file)
        assert done.code == 3
        assert (
            done.err.count("log.gz:1: this is packed twice; unpack it once (gunzip)") == done.err.count("log.gz") == 1
        )


@pytest.mark.parametrize("name", ["log/x", "a" * 300])
def test_why_an_output_cannot_be_there_is_said_in_plain_words(call: Call, name: str, tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    done = call("deal", "1", "-o", tmp_path / name)
    assert done.code == 5
    assert re.fullmatch(rf"pyramide: .*{name}: cannot be written: (not a directory|file name too long)\n", done.err)


def test_a_variable_that_numba_does_not_understand_is_no_fault_of_the_program() -> None:
    done = program("solve", "1", "--rules", "easy", env={"NUMBA_NUM_THREADS": "0"})
    assert done.returncode == 3
    assert re.fullmatch(rb"pyramide: the solver needs numba, which cannot be loaded: .*\n", done.stderr)


def plain_user() -> list[str]:
    """Return what runs a program without the superuser's power over files; nothing where nobody has it here."""
    if os.geteuid():
        return []
    power = "-dac_override,-dac_read_search"
    command = ["setpriv", f"--bounding-set={power}", f"--inh-caps={power}"]
    if shutil.which("setpriv") is None or subprocess.run([*command, "true"], check=False).returncode:
        pytest.skip("the superuser may write everywhere, and there is no setpriv (util-linux) to change that")
    return command


DENIED = [
    "deal 1 -o out",
    "deal 1 -o out.gz",
    "solve 1 --find any -o out",
    "solve 1 --find any -o out --resume",
    "replay log -o out",
    "replay log --format html -o out",
    "stats log -o out",
    "stats log --format parquet -o out",
    "stats log -o /dev/null --plot out.svg",
    "stats --survey 10 -o out",
    "play 1 --moves draw --log out",
    "play 1 --moves draw --log log",
    "play --log log --resume --moves draw",
    "play --player first 1 --log out",
    "deal 1 -o log",
    "deal secret",
    "deal --deck secret",
    "solve secret",
    "solve --retry-undecided secret",
    "replay secret",
    "stats secret",
    "stats log --against secret",
]


@pytest.mark.parametrize("command", DENIED)
def test_what_a_plain_user_may_not_touch_is_named(command: str, tmp_path: Path) -> None:
    records = [*play_out(Deal.from_number(0), player="first", seed=1)]
    log = b"".join(map(encode, records[:10]))
    files = {"log": log, "secret": b"1\n"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "log").chmod(0o444)
    (tmp_path / "secret").chmod(0)
    tmp_path.chmod(0o555)
    try:
        done = subprocess.run(
            [*plain_user(), *COMMAND, *command.split()],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        there = sorted(path.name for path in tmp_path.iterdir())
    finally:
        tmp_path.chmod(0o755)
    assert done.returncode == 5
    assert there == sorted(files)
    assert (tmp_path / "log").read_bytes() == log
    target = (
        "secret"
        if "secret" in command
        else next(name for name in ("out.svg", "out.gz", "out", "log") if name in command.split())
    )
    complaints = [line for line in done.stderr.splitlines() if not line.startswith("replayed")]
    assert len(complaints) == 1
    assert re.fullmatch(rf"(pyramide: )?{target}: (cannot be \w+: )?(permission denied|it is read-only)", complaints[0])
