"""Where commands write: files that are whole or not there, and all that is no plain file."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import stat
import threading
import time
from pathlib import Path

import pytest

from tests.calling import Call, caller
from tests.program import program, shell, start, wait_for

call = pytest.fixture(caller)

CODES = b"PY1-N-AAAAAAB\nPY1-N-AAAAAAC\n"


def deal(call: Call, path: Path | str, *arguments: str) -> tuple[int, str]:
    done = call("deal", "1", "2", "--format", "code", "-o", path, *arguments)
    assert done.out == b""
    return done.code, done.err


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_gets_its_name_when_it_is_whole(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("before")
    path.chmod(0o640)
    assert deal(call, path) == (0, "")
    assert path.read_bytes() == CODES
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["x"]


def test_a_packed_file_is_the_same_each_time(call: Call, tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        assert deal(call, tmp_path / name) == (0, "")
        time.sleep(1.1)
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == CODES
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_dash_is_stdout(call: Call) -> None:
    assert call("deal", "1", "2", "--format", "code", "-o", "-").out == CODES


def test_bad_lines_leave_a_whole_file_of_the_good_ones(call: Call, tmp_path: Path) -> None:
    assert deal(call, tmp_path / "x", "PY1")[0] == 3
    assert (tmp_path / "x").read_bytes() == CODES


def test_what_stops_a_run_leaves_the_file_as_it_was(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("before")
    assert deal(call, path, "PY1", "--strict")[0] == 3
    assert path.read_text() == "before"
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing_half_written(number: int, tmp_path: Path) -> None:
    with start("deal", "-", "-o", tmp_path / "x", "--format", "code") as process:
        assert process.stdin is not None
        process.stdin.write(b"1\n")
        process.stdin.flush()
        wait_for(lambda: names(tmp_path) == ["x.partial"])
        process.send_signal(number)
        assert process.wait(30) == (130 if number == signal.SIGINT else 128 + number)
    assert names(tmp_path) == []


def test_a_partial_file_that_was_left_is_reported(call: Call, tmp_path: Path) -> None:
    (tmp_path / "x.partial").write_text("precious")
    code, message = deal(call, tmp_path / "x")
    assert code == 5
    assert f"{tmp_path}/x.partial is left from a run that was stopped, or another run is writing it" in message
    assert (tmp_path / "x.partial").read_text() == "precious"
    assert names(tmp_path) == ["x.partial"]


def test_a_folder_is_no_file(call: Call, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    for path in (tmp_path, tmp_path / "link", f"{tmp_path}/"):
        assert deal(call, path) == (5, f"pyramide: {path}: cannot be written: it is a folder\n")


def test_a_folder_that_is_not_there(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "none" / "x"
    assert deal(call, path) == (5, f"pyramide: {path}: cannot be written: no such file or directory\n")


def test_a_folder_that_vanishes_while_a_run_writes(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with start("deal", "-", "-o", folder / "x") as process:
        wait_for(lambda: names(folder) == ["x.partial"])
        (folder / "x.partial").unlink()
        folder.rmdir()
        _, message = process.communicate(b"1\n", timeout=60)
    assert process.returncode == 5
    assert message.decode() == f"pyramide: {folder}/x: cannot be written: no such file or directory\n"


def test_a_name_that_cannot_be(call: Call, tmp_path: Path) -> None:
    assert deal(call, tmp_path / ("x" * 300))[0] == 5
    assert deal(call, "") == (5, "pyramide: the name of the output file is empty\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_may_not_be_written(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("before")
    path.chmod(0o440)
    assert deal(call, path) == (5, f"pyramide: {path}: cannot be written: it is read-only\n")
    tmp_path.chmod(0o500)
    assert deal(call, tmp_path / "y") == (5, f"pyramide: {tmp_path}/y: cannot be written: permission denied\n")
    tmp_path.chmod(0o700)


def test_a_link_is_written_through(call: Call, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("a long text that was there before " * 10)
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "new").symlink_to("none")
    for name in ("link", "new"):
        assert deal(call, tmp_path / name) == (0, "")
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / name).read_bytes() == CODES
    assert names(tmp_path) == ["link", "new", "none", "target"]


def test_a_fifo_is_written_through(call: Call, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()))
    reader.start()
    assert deal(call, fifo) == (0, "")
    reader.join()
    assert got == [CODES]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_a_reader_of_a_fifo_that_goes_away(tmp_path: Path) -> None:
    done = shell(
        "mkfifo f; head -1 f > /dev/null & pyramide deal --count 100000 -o f; echo $?; test -p f && echo fifo", tmp_path
    )
    assert (done.stdout, done.stderr) == ("141\nfifo\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("name", ["deal", "solve"])
@pytest.mark.parametrize("path", ["/dev/full", "link", "link.gz"])
def test_a_full_device_is_reported_and_stays_a_device(name: str, path: str, tmp_path: Path) -> None:
    for link in ("link", "link.gz"):
        (tmp_path / link).symlink_to("/dev/full")
    extra = ["--find", "any"] if name == "solve" else []
    done = program(name, "1", *extra, "-o", path, cwd=tmp_path)
    assert done.returncode == 5
    assert done.stderr.decode() == f"pyramide: {path}: cannot be written: no space left on device\n"
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)
    assert names(tmp_path) == ["link", "link.gz"]


@pytest.mark.parametrize("name", ["x", "x.gz"])
def test_a_disk_that_fills_up_leaves_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("before")
    done = program(
        *("deal", "--count", "100000", "-o", tmp_path / name),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
    )
    assert done.returncode == 5
    assert done.stderr.decode() == f"pyramide: {tmp_path / name}: cannot be written: file too large\n"
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "before"
