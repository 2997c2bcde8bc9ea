"""Pools: where the work of a batch is done side by side, while its results keep the order of the input.

The work is a function of one item that knows nothing of its neighbours, so it gives the same wherever it is done:
`Threads` does it in this process, `pyramide_cli.cluster.Cluster` on the workers of a Dask cluster.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")
Self = TypeVar("Self", bound="Pool")

# How long to wait for more input before looking whether there is an answer to give meanwhile.
_GLANCE = 0.02
# How many tasks wait for each worker: few where tasks are alike, many where one may take as long as hundreds of others
# that come behind it and whose results have to wait for its own.
_AHEAD_EVEN, _AHEAD_UNEVEN = 2, 64


class Pool(ABC):
    """Does work side by side; a context manager, whose end stops what is still being done.

    A subclass says how a task is handed over and how its results come back. A task is work for some neighbouring
    items; how many there are is the pool's own affair.
    """

    def map(self, work: Callable[[Item], Result], items: Iterable[Item], *, even: bool = False) -> Iterator[Result]:
        """Yield `work(item)` for each item, in the order of the items, taking only so many of them ahead.

        even: the items take about as long as each other, so only a few need to be ahead. An error of the work or of
        the iterator is raised where it belongs: after the results of all items before it.
        """
        waiting: deque[Any] = deque()

        def is_first_done() -> bool:
            return bool(waiting) and self._wait(waiting[0], 0)

        with _Input(items, aside=self._room(even=even) > 1) as source:
            while waiting or not source.is_used_up:
                room = self._room(even=even)
                if len(waiting) < room:
                    size = self._portion()
                    portion = source.take(size, size * (room - len(waiting)), is_first_done)
                    if portion:
                        waiting.append(self._submit(work, portion))
                while waiting and (source.is_used_up or len(waiting) >= room or is_first_done()):
                    yield from self._results(waiting)
            if source.fault is not None:
                raise source.fault

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Stop. What has not begun is dropped, and what has begun is not waited for."""

    @abstractmethod
    def _portion(self) -> int:
        """Return how many items the next task should have."""

    @abstractmethod
    def _room(self, *, even: bool) -> int:
        """Return how many tasks may be handed over before the first of them has to be done."""

    @abstractmethod
    def _submit(self, work: Callable[[Any], Any], portion: Sequence[Any]) -> Any:
        """Hand a task over."""

    @abstractmethod
    def _wait(self, task: Any, seconds: float) -> bool:
        """Wait for a task, but no longer than this; return whether it is done, well or badly."""

    @abstractmethod
    def _results(self, waiting: deque[Any]) -> Iterable[Any]:
        """Take the first task, and any done ones behind it, off the left; return their results, or raise."""


class _Input:
    """Takes items from an iterator, as a rule in a thread of its own; a context manager, whose end lets that go.

    An iterator may keep its reader waiting: a slow program in front of a pipe, or somebody who types. The answers to
    what has come before must not wait with it.

    fault: what the iterator raised at its end.
    """

    def __init__(self, items: Iterable[Any], *, aside: bool) -> None:
        self.fault: Exception | None = None
        self._source = iter(items)
        self._ready: deque[Any] = deque()
        self._wanted = 0
        self._is_ended = False
        self._change = threading.Condition()
        if aside:
            self._thread: threading.Thread | None = threading.Thread(target=self._run, name="input", daemon=True)
            self._thread.start()
        else:
            self._thread = None

    @property
    def is_used_up(self) -> bool:
        """Whether there is nothing more to take."""
        return self._is_ended and not self._ready

    def __enter__(self) -> _Input:
        return self

    def __exit__(self, *error: object) -> None:
        with self._change:
            is_reading = not self._is_ended
            self._is_ended = True
            self._change.notify_all()
        if self._thread is not None and not is_reading:
            self._thread.join()

    def take(self, size: int, ahead: int, is_enough: Callable[[], bool]) -> list[Any]:
        """Take `size` items, or fewer where the next one is slow to come; none only where `is_enough` or at the end.

        ahead: how many items may be taken from the iterator by now, those that are returned among them.
        """
        if self._thread is None:
            while len(self._ready) < size and self._take_one():
                pass
        with self._change:
            self._wanted = ahead
            self._change.notify_all()
            while len(self._ready) < size and not self._is_ended:
                if not self._change.wait(_GLANCE) and (self._ready or is_enough()):
                    break
            taken = [self._ready.popleft() for _ in range(min(size, len(self._ready)))]
            self._wanted -= len(taken)
            return taken

    def _run(self) -> None:
        more = True
        while more:
            with self._change:
                self._change.wait_for(lambda: len(self._ready) < self._wanted or self._is_ended)
                if self._is_ended:
                    return
            more = self._take_one()

    def _take_one(self) -> bool:
        """Take an item from the iterator; return whether there was one."""
        try:
            item = next(self._source)
        except StopIteration:
            fault = None
        except Exception as error:
            fault = error
        else:
            with self._change:
                self._ready.append(item)
                self._change.notify_all()
            return True
        with self._change:
            self._is_ended, self.fault = True, fault
            self._change.notify_all()
        return False


class Threads(Pool):
    """Threads of this process: worth while because the solver's kernels leave the interpreter's lock alone.

    Even a single job has its thread, so that Ctrl-C need not wait for a kernel to come back.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or cores()
        self._executor: ThreadPoolExecutor | None = None

    def close(self) -> None:
        """Stop."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def _portion(self) -> int:
        return 1

    def _room(self, *, even: bool) -> int:
        return 1 if self.jobs == 1 else self.jobs * (_AHEAD_EVEN if even else _AHEAD_UNEVEN)

    def _submit(self, work: Callable[[Item], Result], portion: Sequence[Item]) -> Future[Result]:
        if self._executor is None:
            from concurrent.futures import ThreadPoolExecutor

            self._executor = ThreadPoolExecutor(self.jobs)
        return self._executor.submit(work, portion[0])

    def _wait(self, task: Future[Any], seconds: float) -> bool:
        if seconds and not task.done():
            from concurrent.futures import wait

            wait((task,), seconds)
        return task.done()

    def _results(self, waiting: deque[Future[Any]]) -> Iterable[Any]:
        return (waiting.popleft().result(),)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
