"""The memory that the searches of a thread work in, used again and again."""

from __future__ import annotations

import threading

import numpy as np

from pyramide_cli.solver.macros import MOST_FOUND, new_chains
from pyramide_cli.solver.memory import FIRST_RECORDS, Memory, clear, new_memory, rehash
from pyramide_cli.solver.moves import MOST_MOVES
from pyramide_cli.solver.points import POINTS_ROOM

LONGEST = 256
"""More moves than the search bundles."""
KEPT_RECORDS = 1 << 22
"""The room for this many positions is kept for the next question; more is given back."""


class _Workplace(threading.local):
    """The arrays of one thread's searches; nothing in them may pass from one to the next."""

    def __init__(self) -> None:
        self.memory = new_memory()
        self.chains = new_chains()
        self.times = np.zeros(POINTS_ROOM, np.int64)
        self.found = np.zeros((MOST_FOUND, 2), np.int64)
        self.lines = np.zeros((LONGEST, MOST_MOVES + 1, 2), np.int64)
        self.line = np.zeros(LONGEST, np.int64)

    def begin(self) -> Memory:
        """Return a part of the memory, emptied, for a small search."""
        memory = self._part(FIRST_RECORDS)
        clear(memory.slots, memory.queue)
        return memory

    def larger(self, memory: Memory) -> Memory:
        """Return what is in a part of the memory, with twice the room (four times while it is small)."""
        old = memory.records.shape[0]
        size = old * (4 if old < 1 << 18 else 2)
        if size > self.memory.records.shape[0]:
            records = np.empty((size, 2), np.int64)
            records[:old] = memory.records
            self.memory = Memory(records, np.zeros(2 * size, np.int32), memory.queue)
        else:
            self.memory.slots[: 2 * size] = 0
        memory = self._part(size)
        rehash(*memory)
        return memory

    def trim(self) -> None:
        """Give back the memory of a large search."""
        if self.memory.records.shape[0] > KEPT_RECORDS:
            self.memory = new_memory()

    def _part(self, size: int) -> Memory:
        return Memory(self.memory.records[:size], self.memory.slots[: 2 * size], self.memory.queue)


workplace = _Workplace()
