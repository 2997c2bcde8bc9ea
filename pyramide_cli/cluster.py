"""Beyond one machine: the work of a batch on the workers of a Dask cluster; needs the extra `dask`.

What travels is plain: deals as bytes of cards with their codes, rules as records write them, and back the finished
results. Workers need this package in the same version, and nothing else.
"""

from __future__ import annotations

import json
import logging
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from uuid import uuid4

from pyramide_cli import __version__
from pyramide_cli.batches import CodeBatch, Question
from pyramide_cli.deals import Deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.pools import Item, Pool, Result
from pyramide_cli.rules import Rules

PATIENCE = 10.0
"""How many seconds a scheduler may take to answer, if nothing else is said."""

# A task costs the scheduler about a millisecond, so one of this many seconds leaves it idle even with hundreds of
# workers, while a worker that dies takes little with it.
_TASK_SECONDS = 0.4
_MOST_ITEMS = 2048
# The time of an item is the median of so many tasks: the first one on each worker loads the solver.
_RECENT = 15
# How many tasks a worker's thread has waiting (see pools.py), and how many there are without any worker.
_AHEAD_EVEN, _AHEAD_UNEVEN = 3, 16
_FEWEST = 4
# Results that are there are fetched so many at once, for each fetch is a round trip.
_FETCH = 32
# Workers come and go; they are counted again after so many seconds.
_COUNT_SECONDS = 2.0
_CLOSE_SECONDS = 5.0
_MARGIN_SECONDS = 5.0


class ClusterError(PyramideError):
    """The cluster cannot be reached, or cannot do the work."""


class AddressError(PyramideError):
    """A text is no address, and no scheduler file."""


class Answer(NamedTuple):
    """What a task gives back.

    results: of the items, in their order; fewer than there were if one of them failed.
    fault: the message of the item that failed. seconds: what the work took.
    """

    results: list[Any]
    fault: str | None
    seconds: float


@dataclass(slots=True)
class _Task:
    future: Any
    portion: Sequence[Any]


class Cluster(Pool):
    """The workers of a Dask cluster.

    address: of the scheduler, such as `tcp://10.0.0.1:8786`, or the name of its scheduler file.
    patience: how many seconds the scheduler may take to answer, at the start and after its connection was lost.
    Raises `AddressError` for what is no address, and `ClusterError` when the scheduler does not answer or goes away,
    when workers run another version of this package or none, and when a task took several workers with it. A worker
    that goes away is no error: the cluster does its tasks again elsewhere.
    """

    def __init__(self, address: str, *, patience: float | None = None) -> None:
        self.address = address
        self._batch = f"pyramide-{uuid4().hex}"
        self._submitted = 0
        self._paces: deque[float] = deque(maxlen=_RECENT)
        self._threads = 0
        self._counted = float("-inf")
        self._client = _connected(_scheduler(address), address, PATIENCE if patience is None else patience)

    @property
    def threads(self) -> int:
        """How many threads the workers have together, as counted a moment ago."""
        now = time.monotonic()
        if now - self._counted > _COUNT_SECONDS:
            with suppress(OSError):
                self._threads = sum(self._client.nthreads().values())
            self._counted = now
        return self._threads

    def map(self, work: Callable[[Item], Result], items: Iterable[Item], *, even: bool = False) -> Iterator[Result]:
        """Yield `work(item)` for each item, as every pool does. The size of tasks follows the time that items take."""
        self._paces.clear()
        return super().map(work, items, even=even)

    def close(self) -> None:
        """Stop: the scheduler drops all that was handed over and is not done."""
        with suppress(Exception):
            self._client.close(timeout=_CLOSE_SECONDS)

    def _portion(self) -> int:
        if not self._paces:
            return 1
        return max(1, min(_MOST_ITEMS, int(_TASK_SECONDS / max(median(self._paces), 1e-6))))

    def _room(self, *, even: bool) -> int:
        return max(_FEWEST, self.threads * (_AHEAD_EVEN if even else _AHEAD_UNEVEN))

    def _submit(self, work: Callable[[Any], Any], portion: Sequence[Any]) -> _Task:
        self._submitted += 1
        # The scheduler loads what it is given to run, and need not have this package: to it, a task is `pickle.loads`.
        call = pickle.dumps(_Call(__version__, pack(work, portion)))
        key = f"{self._batch}-{self._submitted}"
        return _Task(self._client.submit(pickle.loads, call, key=key, pure=False), portion)

    def _wait(self, task: _Task, seconds: float) -> bool:
        if seconds and not task.future.done():
            with suppress(TimeoutError, CancelledError):
                task.future.exception(timeout=seconds)
        return bool(task.future.done())

    def _results(self, waiting: deque[_Task]) -> Iterable[Any]:
        done = list(takewhile(lambda task: task.future.status == "finished", list(waiting)[:_FETCH])) or [waiting[0]]
        answers = self._fetch(done)
        for answer in answers:
            task = waiting.popleft()
            self._paces.append(answer.seconds / len(task.portion))
            yield from answer.results
            if answer.fault is not None:
                raise PyramideError(answer.fault)

    def _fetch(self, tasks: list[_Task]) -> list[Answer]:
        """Return the answers of tasks; turn what can go wrong with a cluster into its error."""
        from distributed import KilledWorker

        try:
            return [pickle.loads(data) for data in self._client.gather([task.future for task in tasks])]
        except KilledWorker as error:
            first, last = (_name(tasks[0].portion[index]) for index in (0, -1))
            raise ClusterError(
                f"{error.allowed_failures + 1} workers died, one after the other, while they solved {first} to {last}:"
                " give workers more memory, or let --max-states be smaller"
            ) from None
        except CancelledError:
            raise ClusterError(f"the Dask scheduler at {self.address} has gone away") from None
        except (ImportError, _WrongVersionError) as error:
            raise ClusterError(
                f"the workers of {self.address} cannot do this work: {error} (they need pyramide-cli {__version__})"
            ) from None


class _WrongVersionError(Exception):
    """A worker has another version of this package."""


def perform(version: str, payload: bytes) -> bytes:
    """Do a task on a worker: the pickled work and plain items in, a pickled `Answer` out."""
    if version != __version__:
        raise _WrongVersionError(f"one has pyramide-cli {__version__}")
    work, items = unpack(payload)
    results: list[Any] = []
    fault: str | None = None
    started = time.perf_counter()
    try:
        results.extend(work(item) for item in items)
    except PyramideError as error:
        fault = str(error)
    return pickle.dumps(Answer(results, fault, time.perf_counter() - started))


class _PlainQuestion(NamedTuple):
    cards: bytes
    code: str | None
    rules: int
    find: str


class _PlainBatch(NamedTuple):
    numbers: bytes
    rules: int
    find: str


class _Call:
    """Whoever loads the pickle of this calls `perform`, and gets what that returns."""

    def __init__(self, version: str, payload: bytes) -> None:
        self.arguments = (version, payload)

    def __reduce__(self) -> tuple[Callable[[str, bytes], bytes], tuple[str, bytes]]:
        return perform, self.arguments


def pack(work: Callable[[Any], Any], items: Iterable[Any]) -> bytes:
    """Turn work and the items for it into bytes; questions and batches become plain data, rules are sent once."""
    rules: dict[Rules, int] = {}
    plain: list[Any] = []
    for item in items:
        if isinstance(item, Question):
            number = rules.setdefault(item.rules, len(rules))
            plain.append(_PlainQuestion(bytes(item.deal.cards), item.deal.code, number, item.find))
        elif isinstance(item, CodeBatch):
            number = rules.setdefault(item.rules, len(rules))
            plain.append(_PlainBatch(item.numbers.tobytes(), number, item.find))
        else:
            plain.append(item)
    return pickle.dumps((work, [each.record() for each in rules], plain))


def unpack(payload: bytes) -> tuple[Callable[[Any], Any], list[Any]]:
    """Return the work and the items again."""
    work, records, plain = pickle.loads(payload)
    rules = [Rules.from_record(record) for record in records]
    items: list[Any] = []
    for item in plain:
        if isinstance(item, _PlainQuestion):
            items.append(Question(Deal(tuple(item.cards), item.code), rules[item.rules], item.find))
        elif isinstance(item, _PlainBatch):
            import numpy as np

            items.append(CodeBatch(np.frombuffer(item.numbers, np.uint64), rules[item.rules], item.find))
        else:
            items.append(item)
    return work, items


def _name(item: Any) -> str:
    """Name an item in a message."""
    if isinstance(item, CodeBatch):
        return str(next(item.questions()).deal)
    return str(item.deal) if isinstance(item, Question) else str(item)


def _scheduler(address: str) -> str:
    """Return the address of the scheduler, which may stand in a scheduler file."""
    from distributed.comm.addressing import get_address_host_port

    try:
        place = str(json.loads(Path(address).read_bytes())["address"]) if Path(address).is_file() else address
        get_address_host_port(place)
    except (OSError, ValueError, KeyError, TypeError):
        raise AddressError(
            f"{address!r} is neither the address of a Dask scheduler, such as tcp://10.0.0.1:8786, nor its file"
        ) from None
    return place


def _connected(place: str, address: str, patience: float) -> Any:
    """Return a client of the scheduler. What answers may be anything, and may also never say a word."""
    import distributed

    _silence()
    opened: Future[Any] = Future()

    def connect() -> None:
        try:
            client: Any = distributed.Client
            opened.set_result(client(place, timeout=patience, set_as_default=False))
        except BaseException as error:
            opened.set_exception(error)

    threading.Thread(target=connect, daemon=True).start()
    try:
        return opened.result(patience + _MARGIN_SECONDS)
    except OSError as error:
        reason = str(error).strip().partition("\n")[0]
    except Exception:  # bytes of another server, read as those of Dask
        reason = ""
    raise ClusterError(
        f"no Dask scheduler answers at {address}: {reason or 'something else listens there, perhaps its dashboard'}"
    )


def _silence() -> None:
    """Keep Dask from telling on stderr what is told here as an error, or is none."""
    parts = (f"distributed.{part}" for part in ("client", "core", "batched", "comm.tcp"))
    # tornado runs Dask's callbacks, some of which fail when they are cut off in the middle by Ctrl-C.
    for name in ("distributed", *parts, "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
