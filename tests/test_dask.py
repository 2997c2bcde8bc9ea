"""Batches on a real Dask cluster: a scheduler and workers as processes on the loopback address, some of them killed."""

import json
import operator
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pyramide_cli import __version__
from pyramide_cli import cluster as cluster_module
from pyramide_cli.batches import CodeBatch, Question
from pyramide_cli.cli.run import run
from pyramide_cli.cluster import Cluster, ClusterError, pack, perform, unpack
from pyramide_cli.deals import Deal
from pyramide_cli.rules import RULES
from pyramide_cli.solver import solve
from tests.calling import Call, caller
from tests.program import PATIENCE, environment, program, start

distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")

call = pytest.fixture(caller)


def until(true: Callable[[], Any], what: str) -> None:
    """Wait for an event that only asking can show."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"waited too long for {what}"
        time.sleep(0.02)


class LocalCluster:
    """A scheduler and its workers, each a process of its own, and a client to look at them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--no-show")
        until(self.file.exists, "the scheduler")
        until(lambda: self.file.read_text().endswith("}"), "its file")
        self.address: str = json.loads(self.file.read_text())["address"]

    def _start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        # The scheduler gets by without this package.
        changes = {"PYTHONPATH": None} if module == "dask_scheduler" else {}
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", str(self.file)]
        command += ["--host", "127.0.0.1", "--no-dashboard", *arguments]
        with (self.folder / f"{module}-{len(self.processes)}.log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, env=environment(changes))
        self.processes.append(process)
        return process

    def start_worker(self, name: str) -> subprocess.Popen[bytes]:
        return self._start("dask_worker", "--nworkers", "1", "--nthreads", "1", "--no-nanny", "--name", name)

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """A scheduler with the workers `one` and `two`; a test may kill `two`."""
    running = LocalCluster(tmp_path_factory.mktemp("dask"))
    try:
        running.start_worker("one")
        running.start_worker("two")
        with distributed.Client(running.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
        yield running
    finally:
        running.close()


@pytest.fixture(scope="module")
def eye(cluster: LocalCluster) -> Iterator[Any]:
    """A client that looks at what the scheduler does."""
    with distributed.Client(cluster.address, set_as_default=False) as client:
        yield client


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """90 deals as codes, one a line."""
    path = tmp_path_factory.mktemp("deals") / "deals.txt"
    assert run(["deal", "--count", "90", "--random", "--seed", "4", "--format", "code", "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def solved(deals: Path) -> bytes:
    """Their solutions without Dask."""
    path = deals.with_name("solved.jsonl")
    assert run(["solve", "--no-timing", str(deals), "-o", str(path)]) == 0
    return path.read_bytes()


CARDS = Deal.from_number(77).text()
AXES = json.dumps(
    {"type": "deal", "v": 1, "code": None, "cards": CARDS, "rules": RULES["relaxed"].axes() | {"passes": 4}}
)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (f"5\n{CARDS}\nno deal\n{AXES}\nPY1-N-AAAAAAS\n", ("--no-timing",)),
        (f"5\n{CARDS}\n6\n", ("--no-timing", "--rules", "microsoft", "--find", "score", "--max-states", "2000")),
        ("".join(f"{Deal.from_number(number)}\n" for number in range(9000)), ("--find", "any", "--brief")),
        ("".join(f"{number}\n" for number in range(500)), ("--find", "any", "--brief", "--rules", "relaxed")),
        (f"5\n{AXES}\n6\n", ("--find", "score", "--no-timing", "--max-states", "2000")),
        ("5\nno deal\n6\n", ("--strict", "--brief")),
    ],
    ids=["mixed", "undecided", "quick", "brief", "fault", "strict"],
)
def test_a_cluster_gives_what_this_machine_gives(
    call: Call, cluster: LocalCluster, text: str, arguments: tuple[str, ...]
) -> None:
    here = call("solve", *arguments, text=text)
    there = call("solve", "--dask", cluster.address, *arguments, text=text)
    assert there == here
    assert here.out or here.code


def test_people_get_their_text_and_the_scheduler_file_is_enough(call: Call, cluster: LocalCluster) -> None:
    here = call("solve", "--format", "text", "5", "18")
    there = call("solve", "--format", "text", "5", "18", "--dask", cluster.file)
    without_time = [[line.partition(b" positions")[0] for line in done.out.splitlines()] for done in (here, there)]
    assert without_time[0] == without_time[1]
    assert len(without_time[0]) > 4


def test_ctrl_c_clears_the_cluster_and_the_batch_goes_on_later(
    cluster: LocalCluster, eye: Any, deals: Path, solved: bytes, tmp_path: Path
) -> None:
    output, partial = tmp_path / "solved.jsonl", tmp_path / "solved.jsonl.partial"
    command = ("solve", "--no-timing", "--dask", cluster.address, "-o", output, "--resume")
    # The input stays open, so the batch cannot be over before the signal comes.
    running = start(*command, "-")
    assert running.stdin is not None
    running.stdin.write(deals.read_bytes()[: 14 * 60])
    running.stdin.flush()
    until(lambda: partial.exists() and partial.stat().st_size, "the first solution")
    running.send_signal(signal.SIGINT)
    _, messages = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert b"--resume goes on from there" in messages
    assert b"Traceback" not in messages
    until(lambda: not tasks(eye), "an empty scheduler")

    assert solved.startswith(partial.read_bytes())
    done = program(*command, deals)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"going on after" in done.stderr
    assert output.read_bytes() == solved


def tasks(eye: Any) -> int:
    def count(dask_scheduler: Any) -> int:
        return len(dask_scheduler.tasks)

    return int(eye.run_on_scheduler(count))


def test_memory_does_not_grow_with_the_items(cluster: LocalCluster, eye: Any) -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        while taken < 150_000:
            yield taken
            taken += 1

    ahead = 0
    with Cluster(cluster.address) as pool:
        for number, result in enumerate(pool.map(operator.neg, items())):
            assert result == -number
            ahead = max(ahead, taken - number)
    assert ahead < 70_000
    until(lambda: not tasks(eye), "an empty scheduler")


def test_a_worker_of_another_version_is_refused(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "__version__", "99.0")
    with Cluster(cluster.address) as pool, pytest.raises(ClusterError, match=r"need pyramide-cli 99\.0"):
        list(pool.map(operator.neg, range(3)))


def test_a_killed_worker_costs_only_time(cluster: LocalCluster, eye: Any, deals: Path, solved: bytes) -> None:
    victim = cluster.processes[2]
    (address,) = (address for address, worker in eye.scheduler_info()["workers"].items() if worker["name"] == "two")
    # What the worker is given while it stands still is its own until it is dead: it cannot be done too early.
    victim.send_signal(signal.SIGSTOP)
    running = start("solve", "--no-timing", "--dask", cluster.address, deals)
    try:
        until(lambda: eye.processing()[address], "work for the worker")
    finally:
        victim.send_signal(signal.SIGCONT)
        victim.kill()
        victim.wait()
        output, messages = running.communicate(timeout=PATIENCE)
    assert (running.returncode, messages) == (0, b"")
    assert output == solved
    assert list(eye.scheduler_info()["workers"]) != [address]


def test_a_scheduler_that_goes_away_ends_the_batch(tmp_path: Path) -> None:
    lonely = LocalCluster(tmp_path)
    try:
        running = start("solve", "--dask", lonely.address, "5")
        assert running.stderr is not None
        assert b"has no workers yet" in running.stderr.readline()
        lonely.scheduler.kill()
        output, messages = running.communicate(timeout=PATIENCE)
    finally:
        lonely.close()
    assert (running.returncode, output) == (5, b"")
    assert messages.decode() == f"pyramide: the Dask scheduler at {lonely.address} has gone away\n"


def test_a_scheduler_that_is_not_there_is_one_message(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.3)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # nobody listens
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        done = call("solve", "5", "--dask", address, "-o", tmp_path / "solved.jsonl")
    assert (done.code, done.out) == (5, b"")
    assert done.err.startswith(f"pyramide: no Dask scheduler answers at {address}: ")
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_something_else_that_listens_is_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_MARGIN_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ClusterError, match="no Dask scheduler answers"):
            Cluster(address, patience=0.3)


@pytest.mark.parametrize("address", ["", "somewhere", "foo://1.2.3.4:5", "tcp://127.0.0.1", "127.0.0.1:x"])
def test_what_is_no_address_is_bad_usage(call: Call, address: str) -> None:
    done = call("solve", "5", "--dask", address)
    assert (done.code, done.out) == (2, b"")
    assert "neither the address of a Dask scheduler" in done.err


def test_jobs_are_about_this_machine(call: Call) -> None:
    assert call("solve", "5", "--dask", "127.0.0.1:1", "--jobs", "2").code == 2


def test_a_missing_extra_names_the_line_that_installs_it(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = call("solve", "5", "--dask", "127.0.0.1:1")
    assert done.code == 2
    assert "pip install 'pyramide-cli[dask]'" in done.err


def test_what_travels_is_small_and_comes_back_whole() -> None:
    np = pytest.importorskip("numpy")
    rules = [RULES["pyramide"], RULES["relaxed"].replace(passes=7)]
    questions: list[Any] = [Question(Deal.from_number(number), rules[number % 2], "shortest") for number in range(500)]
    questions.append(Question(Deal.from_cards(CARDS), rules[0], "rank=A"))
    payload = pack(operator.neg, questions)
    assert unpack(payload) == (operator.neg, questions)
    assert len(payload) < 110 * len(questions)

    numbers = np.arange(10_000, dtype=np.uint64)
    payload = pack(operator.neg, [CodeBatch(numbers, rules[1], "any")])
    _, (batch,) = unpack(payload)
    assert (batch.numbers == numbers).all()
    assert (batch.rules, batch.find) == (rules[1], "any")
    assert len(payload) < 81_000


def verdict(question: Question) -> str:
    return solve(question.deal, question.rules, find=question.find).verdict


def test_a_task_keeps_the_results_before_a_fault() -> None:
    questions = [Question(Deal.from_number(5), RULES["relaxed"], find) for find in ("any", "score", "any")]
    answer = pickle.loads(perform(__version__, pack(verdict, questions)))
    assert len(answer.results) == 1
    assert "no score" in answer.fault
