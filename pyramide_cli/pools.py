"""Pools: where the work of a batch is done side by side, while its results keep the order of the input.

The work is a function of one item that knows nothing of its neighbours, so it gives the same wherever it is done:
`Threads` does it in this process, `pyramide_cli.cluster.Cluster` on the workers of a Dask cluster.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")
Self = TypeVar("Self", bound="Pool")

# Where reading on took so many seconds and nothing else is being done, the input is what the pool waits for: a slow
# program in front of a pipe, or somebody who types. Then the answer comes before more is read, if it comes soon.
_SLOW_INPUT = 0.05
_SOON = 1.0
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
        source = iter(items)
        waiting: deque[Any] = deque()
        more = True
        fault: Exception | None = None
        while more:
            portion: list[Item] = []
            size = self._portion()
            started = time.monotonic()
            try:
                portion.extend(islice(source, size))
            except Exception as error:
                fault = error
            more = fault is None and len(portion) == size
            is_slow = time.monotonic() - started > _SLOW_INPUT
            if portion:
                waiting.append(self._submit(work, portion))
            if more and is_slow and len(waiting) == 1:
                self._wait(waiting[0], _SOON)
            while waiting and (not more or len(waiting) >= self._room(even=even) or self._wait(waiting[0], 0)):
                yield from self._results(waiting)
        if fault is not None:
            raise fault

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
