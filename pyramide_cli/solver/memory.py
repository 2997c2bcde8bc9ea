"""Where a search keeps its positions: records, a hash table over them, and a queue of buckets.

The arrays grow with the positions really stored; kernels never allocate.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import kernel

FOUND, EXHAUSTED, LIMIT, FULL = range(4)
"""How a search kernel ended."""
RECORDS, LOWEST, BEST, BEST_VALUE, BUCKET = range(5)
"""What the numbers in `counts` are."""
BUCKETS = 4096
"""Room for every estimate: 52 removals with at most 25 other moves before each."""
FIRST_RECORDS = 1 << 12


class Memory(NamedTuple):
    """The arrays of one search. A record is a stored position with the best way to it so far."""

    states: NDArray[np.int64]
    """[record]: the packed position."""
    parents: NDArray[np.int32]
    """[record]: the record it was reached from; -1 for the start."""
    moves: NDArray[np.int16]
    """[record]: moves from the start; -1 once a shorter way has made another record of it."""
    next: NDArray[np.int32]
    """[record]: the record behind it in its bucket of the queue; -1 for none."""
    heads: NDArray[np.int32]
    """[estimate]: the first record of each bucket; -1 for none."""
    slots: NDArray[np.int32]
    """[hash]: 1 + the record that a hash belongs to, 0 for none; a power of two, at most half full."""
    counts: NDArray[np.int64]
    """RECORDS stored, LOWEST bucket that may hold one, BEST record and its BEST_VALUE (search.py)."""


def new_memory() -> Memory:
    """Room for a small search."""
    size = FIRST_RECORDS
    return Memory(
        np.empty(size, np.int64),
        np.empty(size, np.int32),
        np.empty(size, np.int16),
        np.empty(size, np.int32),
        np.full(BUCKETS, -1, np.int32),
        np.zeros(2 * size, np.int32),
        np.zeros(8, np.int64),
    )


def larger(memory: Memory) -> Memory:
    """Return the same memory with twice the room (four times while it is small)."""
    size = memory.states.shape[0]
    size *= 4 if size < 1 << 18 else 2

    def longer(array: NDArray[Any]) -> NDArray[Any]:
        bigger = np.empty(size, array.dtype)
        bigger[: array.shape[0]] = array
        return bigger

    memory = memory._replace(
        states=longer(memory.states),
        parents=longer(memory.parents),
        moves=longer(memory.moves),
        next=longer(memory.next),
        slots=np.zeros(2 * size, np.int32),
    )
    rehash(memory)
    return memory


@kernel
def clear(memory: Memory) -> None:
    """Forget everything, for another search."""
    memory.heads[:] = -1
    memory.slots[:] = 0
    memory.counts[:] = 0
    memory.counts[2] = -1


@kernel
def slot_of(memory: Memory, state: int) -> int:
    """Return the slot that holds a position's record, or the empty one where it belongs."""
    mask = int(memory.slots.shape[0]) - 1
    mixed = (state ^ state >> 29) * 0x1E3779B97F4A7C15 & 0x7FFFFFFFFFFFFFFF
    slot = int((mixed >> 29) & mask)
    while True:
        record = int(memory.slots[slot]) - 1
        if record < 0 or int(memory.states[record]) == state:
            return slot
        slot = (slot + 1) & mask


@kernel
def rehash(memory: Memory) -> None:
    """Fill an empty hash table from the records."""
    for record in range(memory.counts[RECORDS]):
        if memory.moves[record] >= 0:
            memory.slots[slot_of(memory, int(memory.states[record]))] = record + 1


@kernel
def insert(memory: Memory, state: int, parent: int, moves: int, estimate: int) -> int:
    """Store and queue a position unless a way as short is known; return its record or -1."""
    slot = slot_of(memory, state)
    known = int(memory.slots[slot]) - 1
    if known >= 0:
        if memory.moves[known] <= moves:
            return -1
        memory.moves[known] = -1
    counts = memory.counts
    record = int(counts[RECORDS])
    counts[RECORDS] = record + 1
    memory.states[record] = state
    memory.parents[record] = parent
    memory.moves[record] = moves
    memory.slots[slot] = record + 1
    memory.next[record] = memory.heads[estimate]
    memory.heads[estimate] = record
    if estimate < counts[LOWEST]:
        counts[LOWEST] = estimate
    return record


@kernel
def pop(memory: Memory) -> int:
    """Take the newest record with the lowest estimate out of the queue; -1 when it is empty."""
    counts = memory.counts
    estimate = int(counts[LOWEST])
    while estimate < BUCKETS:
        record = int(memory.heads[estimate])
        if record < 0:
            estimate += 1
            continue
        memory.heads[estimate] = memory.next[record]
        if memory.moves[record] >= 0:
            counts[LOWEST] = estimate
            return record
    counts[LOWEST] = BUCKETS
    return -1
