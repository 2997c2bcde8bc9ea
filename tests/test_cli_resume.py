"""Batches that are stopped in every way, and gone on with: nothing is lost, and the file is as if nothing happened."""

from __future__ import annotations

import gzip
import json
import random
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from pyramide_cli.deals import code_of
from tests.calling import Call, caller
from tests.program import program, start, wait_for

call = pytest.fixture(caller)

QUICK = ("--rules", "relaxed", "--no-timing")


def numbers(path: Path, count: int) -> Path:
    """Write a file of deals, with some of them twice."""
    path.write_text("".join(f"{number * 7919 % (count - 3)}\n" for number in range(count)))
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def left_behind(path: Path, text: bytes) -> None:
    """Make what a stopped run leaves."""
    path.with_name(path.name + ".partial").write_bytes(text)


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    return numbers(folder / "deals", 12)


@pytest.fixture
def whole(deals: Path, call: Call) -> bytes:
    """What an uninterrupted run writes."""
    done = call("solve", deals, *QUICK)
    assert done.code == 0
    return done.out


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder / "x.jsonl"


def test_with_nothing_there_a_resumed_batch_starts(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    done = call("solve", deals, *QUICK, "-o", out, "--resume")
    assert (done.code, done.err) == (0, "")
    assert out.read_bytes() == whole
    assert names(out.parent) == ["x.jsonl"]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_what_no_run_has_left_is_not_written_to(name: str, deals: Path, whole: bytes, out: Path, call: Call) -> None:
    # A finished file that was renamed, or one that an editor saved: its records end elsewhere than its bytes.
    path = out.with_name(name)
    for left, what in ((gzip.compress(whole), "is packed"), (b"\xef\xbb\xbf" + whole, "begins with a byte order mark")):
        left_behind(path, left)
        done = call("solve", deals, *QUICK, "-o", path, "--resume")
        assert (done.code, done.out) == (5, b"")
        assert f"pyramide: {path}.partial {what}: it cannot be gone on with" in done.err
        assert Path(f"{path}.partial").read_bytes() == left
        assert not path.exists()


@pytest.mark.parametrize("kept", [0, 1, 5, 12])
@pytest.mark.parametrize("torn", [b"", b"{", b'{"type":"solution","v":1,"code":"PY1-N', b"\0\0\0"])
def test_a_batch_goes_on_where_it_was_stopped(
    kept: int, torn: bytes, deals: Path, whole: bytes, out: Path, call: Call
) -> None:
    left_behind(out, b"".join(whole.splitlines(keepends=True)[:kept]) + torn)
    done = call("solve", deals, *QUICK, "-o", out, "--resume")
    assert (done.code, done.err) == (0, f"pyramide: going on after {kept} {'deal' if kept == 1 else 'deals'}\n")
    assert out.read_bytes() == whole
    assert names(out.parent) == ["x.jsonl"]


def test_a_whole_last_line_without_its_newline_is_torn_too(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    left_behind(out, whole[:-1])
    done = call("solve", deals, *QUICK, "-o", out, "--resume")
    assert (done.code, done.err) == (0, "pyramide: going on after 11 deals\n")
    assert out.read_bytes() == whole


def test_the_input_may_come_in_any_form(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    left_behind(out, b"".join(whole.splitlines(keepends=True)[:5]))
    codes = "".join(f"{code_of(int(line))}\n" for line in deals.read_text().split())
    done = call("solve", *QUICK, "-o", out, "--resume", text=codes)
    assert done.code == 0
    assert out.read_bytes() == whole


def test_a_packed_file_is_resumed_too(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    packed = out.with_name("x.gz")
    left_behind(packed, b"".join(whole.splitlines(keepends=True)[:5]))
    for _ in range(2):
        assert call("solve", deals, *QUICK, "-o", packed, "--resume").code == 0
        assert gzip.decompress(packed.read_bytes()) == whole
        assert names(out.parent) == ["x.gz"]


@pytest.mark.parametrize(
    ("arguments", "difference"),
    [
        (["--rules", "easy"], "other rules: it was made under relaxed, not easy"),
        (["--passes", "3"], "other rules: it was made under relaxed, not goal=pyramid passes=3"),
        (["--find", "any"], "another question: it was made with --find shortest, not any"),
        (["--brief"], "another form: it was made without --brief"),
    ],
)
def test_another_batch_is_refused_with_the_difference(
    arguments: list[str], difference: str, deals: Path, whole: bytes, out: Path, call: Call
) -> None:
    left_behind(out, whole)
    done = call("solve", deals, *QUICK, *arguments, "-o", out, "--resume")
    assert done.code == 3
    assert done.err.startswith(f"pyramide: {out}.partial:1: {difference}")
    assert done.err.count("\n") == 1
    assert Path(f"{out}.partial").read_bytes() == whole
    assert not out.exists()


def test_other_deals_are_refused(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    left_behind(out, whole)
    lines = deals.read_text().split()
    lines[7] = "1234567"
    deals.write_text("\n".join(lines))
    done = call("solve", deals, *QUICK, "-o", out, "--resume")
    assert done.code == 3
    kept = json.loads(whole.splitlines()[7])["code"]
    assert f"{out}.partial:8: other deals: it has {kept} where {code_of(1234567)} is asked" in done.err
    deals.write_text("\n".join(deals.read_text().split()[:4]))
    done = call("solve", deals, *QUICK, "-o", out, "--resume")
    assert done.code == 3
    assert f"{out}.partial:5: the file goes on with " in done.err


def test_times_that_are_wanted_or_not(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    left_behind(out, whole)
    done = call("solve", deals, "--rules", "relaxed", "-o", out, "--resume")
    assert "another form: it was made with --no-timing" in done.err


@pytest.mark.parametrize("junk", [b"hello\n", b"{}\n", b"\n"])
def test_what_is_no_file_of_solutions_is_refused(junk: bytes, deals: Path, whole: bytes, out: Path, call: Call) -> None:
    left_behind(out, junk + whole)
    done = call("solve", deals, *QUICK, "-o", out, "--resume")
    assert done.code == 3
    assert f"{out}.partial:1: " in done.err
    assert Path(f"{out}.partial").read_bytes() == junk + whole


def test_decks_without_codes_are_compared_by_their_cards(deals: Path, out: Path, call: Call) -> None:
    cards = call("deal", deals, "--format", "cards").out
    whole = call("solve", *QUICK, text=cards).out
    left_behind(out, b"".join(whole.splitlines(keepends=True)[:5]))
    assert call("solve", *QUICK, "-o", out, "--resume", text=cards).code == 0
    assert out.read_bytes() == whole
    out.unlink()
    left_behind(out, whole)
    done = call("solve", *QUICK, "-o", out, "--resume", text=b"".join(reversed(cards.splitlines(keepends=True))))
    assert "other deals" in done.err


def test_a_partial_file_is_not_overwritten_in_silence(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    left_behind(out, whole[:1000])
    done = call("solve", deals, *QUICK, "-o", out)
    assert done.code == 5
    assert f"{out}.partial is left from a run that was stopped: go on with --resume, or remove it" in done.err
    assert Path(f"{out}.partial").read_bytes() == whole[:1000]


def test_a_finished_batch_is_left_alone(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    out.write_bytes(whole)
    done = call("solve", deals, *QUICK, "-o", out, "--resume")
    assert (done.code, done.err) == (0, f"pyramide: {out} is finished already; nothing is left to do\n")
    deals.write_text(deals.read_text() + "5\n")
    done = call("solve", deals, *QUICK, "-o", out, "--resume")
    assert done.code == 5
    assert "is finished, with 12 deals, but the input goes on" in done.err
    done = call("solve", deals, "--find", "any", *QUICK, "-o", out, "--resume")
    assert done.code == 3
    assert out.read_bytes() == whole


def test_a_finished_batch_counts_for_the_exit_code(deals: Path, out: Path, call: Call) -> None:
    arguments = ("solve", deals, *QUICK, "-o", out, "--resume", "--exit-code")
    assert call(*arguments).code == 1
    assert call(*arguments).code == 1


def test_two_runs_do_not_write_the_same_file(deals: Path, out: Path, call: Call) -> None:
    with start("solve", "-", *QUICK, "--jobs", "1", "-o", out) as process:
        assert process.stdin is not None
        process.stdin.write(b"1\n")
        process.stdin.flush()
        wait_for(lambda: grown(out) > 0)
        done = call("solve", deals, *QUICK, "-o", out, "--resume")
        assert done.code == 5
        assert "another run is writing it" in done.err
        process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.read_bytes().count(b"\n") == 1


def test_bad_lines_are_reported_again_and_do_not_shift_the_records(whole: bytes, out: Path, call: Call) -> None:
    text = "1\nbad\n2\n"
    expected = call("solve", *QUICK, text=text)
    left_behind(out, expected.out.splitlines(keepends=True)[0])
    done = call("solve", *QUICK, "-o", out, "--resume", text=text)
    assert done.code == 3
    assert "<stdin>:2: " in done.err
    assert out.read_bytes() == expected.out


def test_under_strict_the_batch_goes_on_once_the_line_is_mended(out: Path, call: Call) -> None:
    done = call("solve", *QUICK, "-o", out, "--strict", "--jobs", "1", text="1\nbad\n2\n")
    assert done.code == 3
    assert not out.exists()
    assert call("solve", *QUICK, "-o", out, "--resume", text="1\n3\n2\n").code == 0
    assert out.read_bytes() == call("solve", *QUICK, text="1\n3\n2\n").out


def test_a_retry_can_be_resumed(deals: Path, out: Path, call: Call) -> None:
    undecided = out.with_name("undecided")
    assert call("solve", deals, "--rules", "easy", "--brief", "--max-states", "20", "-o", undecided).code == 0
    arguments = ("solve", "--retry-undecided", undecided, "--brief")
    whole = call(*arguments).out
    assert whole.count(b"\n") > 2
    left_behind(out, whole.splitlines(keepends=True)[0])
    assert call(*arguments, "-o", out, "--resume").code == 0
    assert out.read_bytes() == whole


def test_quick_batches_are_resumed_in_the_middle_of_a_block(out: Path, call: Call) -> None:
    text = call("deal", "--seed", "1", "--count", "3000", "--format", "code").out
    arguments = ("solve", "--find", "any", "--brief")
    whole = call(*arguments, text=text).out
    left_behind(out, b"".join(whole.splitlines(keepends=True)[:1234]) + b'{"type"')
    assert call(*arguments, "-o", out, "--resume", text=text).code == 0
    assert out.read_bytes() == whole


# Stopped for real.


def batch(deals: Path, out: Path) -> subprocess.Popen[bytes]:
    return start("solve", deals, *QUICK, "-o", out, "--resume", stdin=subprocess.DEVNULL)


def grown(out: Path) -> int:
    partial = Path(f"{out}.partial")
    try:
        return partial.stat().st_size
    except FileNotFoundError:
        return -1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_keeps_what_is_finished_and_says_where_to_go_on(
    number: int, code: int, deals: Path, out: Path
) -> None:
    numbers(deals, 400_000)  # far more than are solved before the signal comes
    with batch(deals, out) as process:
        wait_for(lambda: grown(out) > 0)
        process.send_signal(number)
        _, message = process.communicate(timeout=60)
    assert process.returncode == code
    assert (
        f"{out}.partial keeps what is finished; the same command with --resume goes on from there" in message.decode()
    )
    assert re.search(rb"pyramide: stopped after [1-9][0-9,]* deals?\n", message)
    assert b"Traceback" not in message
    assert names(out.parent) == ["x.jsonl.partial"]
    assert Path(f"{out}.partial").read_bytes().endswith(b"\n")


def test_a_full_disk_keeps_what_is_finished(deals: Path, whole: bytes, out: Path, call: Call) -> None:
    limit = len(whole) // 2
    done = program(
        *("solve", deals, *QUICK, "-o", out),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 5
    assert f"{out}: cannot be written: file too large" in done.stderr.decode()
    assert f"{out}.partial keeps what is finished" in done.stderr.decode()
    assert grown(out) == limit
    assert call("solve", deals, *QUICK, "-o", out, "--resume").code == 0
    assert out.read_bytes() == whole


def kill_and_resume(deals: Path, out: Path, kills: int, seed: int) -> None:
    """Kill a batch at random moments, resume it each time, and compare the file with an uninterrupted one."""
    rng = random.Random(seed)
    whole = program("solve", deals, *QUICK).stdout
    killed = 0
    while killed < kills:
        before = grown(out)
        # One more part of the file each time, so that all kills fall before its end.
        wanted = min(len(whole) - 1, before + rng.randrange(1, max(2, (len(whole) - before) // (kills - killed + 1))))
        with batch(deals, out) as process:
            while grown(out) < wanted and process.poll() is None:
                time.sleep(rng.uniform(0, 0.003))
            process.kill()
            process.communicate()
        assert not out.exists(), "the batch was done before it was killed: give it more deals"
        killed += 1
    done = program("solve", deals, *QUICK, "-o", out, "--resume")
    assert done.returncode == 0
    assert b"going on after" in done.stderr
    assert (gzip.decompress(out.read_bytes()) if out.suffix == ".gz" else out.read_bytes()) == whole
    assert names(out.parent) == [out.name]


def test_a_batch_that_is_killed_three_times(deals: Path, out: Path) -> None:
    kill_and_resume(numbers(deals, 500), out, kills=3, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["x.jsonl", "x.gz"])
def test_a_batch_that_is_killed_twenty_times(name: str, deals: Path, out: Path) -> None:
    kill_and_resume(numbers(deals, 3_000), out.with_name(name), kills=20, seed=2)
