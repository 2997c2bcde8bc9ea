"""Files that a tired user names by mistake: one that is read and written, one without a name, one packed twice."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from pyramide_cli import Deal
from pyramide_cli.players import play_out
from pyramide_cli.records import encode
from tests.calling import Call, caller
from tests.program import program, shell

call = pytest.fixture(caller)

READ_AND_WRITTEN = [
    "deal FILE -o FILE",
    "deal FILE -o ./FILE",
    "deal FILE -o link",
    "deal --deck FILE -o FILE",
    "deal FILE >> FILE",
    "deal - < FILE >> FILE",
    "solve FILE -o FILE",
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
