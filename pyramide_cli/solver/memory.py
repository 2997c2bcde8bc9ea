"""Where a search keeps its positions: records, a hash table over them, and a queue of buckets.

The arrays grow with the positions really stored; kernels never allocate. A record is two numbers: the packed
position with the moves to it from bit 49 and a mark from bit 61 when a shorter way has made another record of
it; and 1 + the record that it was reached from, with 1 + the record behind it in its bucket from bit 31 on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramide_cli.solver._jit import bare

FOUND, EXHAUSTED, LIMIT, FULL = range(4)
"""How a search kernel ended."""
RECORDS, LOWEST, BEST, BEST_VALUE = range(4)
"""What the first numbers in `queue` are: records stored, the lowest bucket that may hold one, the best record
and its value (search.py)."""
HEADS, BUCKETS = 8, 4096
"""queue[HEADS + estimate] is 1 + the first record of a bucket, 0 for none. There is room for every estimate:
52 removals with at most 25 other moves before each."""
FIRST_RECORDS = 1 << 14

POSITION = (1 << 49) - 1
MOVES_AT, MOVES = 49, 4095
OUTDATED = 1 << 61
NEXT_AT, LINK = 31, (1 << 31) - 1


class Memory(NamedTuple):
    """The arrays of one search."""

    records: NDArray[np.int64]
    """[record, 0...1]: what the module's text says."""
    slots: NDArray[np.int32]
    """[hash]: 1 + the record that a hash belongs to, 0 for none; a power of two, at most half full."""
    queue: NDArray[np.int64]
    """Counts and the heads of the buckets."""


def new_memory() -> Memory:
    """Return room for a small search."""
    return Memory(
        np.empty((FIRST_RECORDS, 2), np.int64),
        np.zeros(2 * FIRST_RECORDS, np.int32),
        np.zeros(HEADS + BUCKETS, np.int64),
    )


def larger(memory: Memory) -> Memory:
    """Return the same memory with twice the room (four times while it is small)."""
    old = memory.records.shape[0]
    size = old * (4 if old < 1 << 18 else 2)
    records = np.empty((size, 2), np.int64)
    records[:old] = memory.records
    memory = Memory(records, np.zeros(2 * size, np.int32), memory.queue)
    rehash(*memory)
    return memory


@bare
def clear(slots: NDArray[np.int32], queue: NDArray[np.int64]) -> None:
    """Forget everything, for another search."""
    slots[:] = 0
    queue[:] = 0
    queue[BEST] = -1


@bare
def position_of(records: NDArray[np.int64], record: int) -> int:
    """Return the packed position of a record."""
    return int(records[record, 0]) & POSITION


@bare
def moves_of(records: NDArray[np.int64], record: int) -> int:
    """Return the moves on the way to a record."""
    return int(records[record, 0]) >> MOVES_AT & MOVES


@bare
def slot_of(records: NDArray[np.int64], slots: NDArray[np.int32], state: int) -> int:
    """Return the slot that holds a position's record, or the empty one where it belongs."""
    mask = int(slots.shape[0]) - 1
    mixed = (state ^ state >> 29) * 0x1E3779B97F4A7C15 & 0x7FFFFFFFFFFFFFFF
    slot = int((mixed >> 29) & mask)
    while True:
        record = int(slots[slot]) - 1
        if record < 0 or position_of(records, record) == state:
            return slot
        slot = (slot + 1) & mask


@bare
def rehash(records: NDArray[np.int64], slots: NDArray[np.int32], queue: NDArray[np.int64]) -> None:
    """Fill an empty hash table from the records."""
    for record in range(queue[RECORDS]):
        if int(records[record, 0]) & OUTDATED == 0:
            slots[slot_of(records, slots, position_of(records, record))] = record + 1


@bare
def is_known(records: NDArray[np.int64], slots: NDArray[np.int32], state: int, moves: int) -> bool:
    """Return whether a way to a position that is as short is stored."""
    known = int(slots[slot_of(records, slots, state)]) - 1
    return known >= 0 and moves_of(records, known) <= moves


@bare
def insert(
    records: NDArray[np.int64],
    slots: NDArray[np.int32],
    queue: NDArray[np.int64],
    state: int,
    parent: int,
    moves: int,
    estimate: int,
) -> int:
    """Store and queue a position unless a way as short is known; return its record or -1."""
    slot = slot_of(records, slots, state)
    known = int(slots[slot]) - 1
    if known >= 0:
        if moves_of(records, known) <= moves:
            return -1
        records[known, 0] |= OUTDATED
    record = int(queue[RECORDS])
    queue[RECORDS] = record + 1
    slots[slot] = record + 1
    records[record, 0] = state | moves << MOVES_AT
    records[record, 1] = (parent + 1) | int(queue[HEADS + estimate]) << NEXT_AT
    queue[HEADS + estimate] = record + 1
    if estimate < queue[LOWEST]:
        queue[LOWEST] = estimate
    return record


@bare
def pop(records: NDArray[np.int64], queue: NDArray[np.int64]) -> int:
    """Take the newest record with the lowest estimate out of the queue; -1 when it is empty."""
    estimate = int(queue[LOWEST])
    while estimate < BUCKETS:
        record = int(queue[HEADS + estimate]) - 1
        if record < 0:
            estimate += 1
            continue
        queue[HEADS + estimate] = int(records[record, 1]) >> NEXT_AT
        if int(records[record, 0]) & OUTDATED == 0:
            queue[LOWEST] = estimate
            return record
    queue[LOWEST] = BUCKETS
    return -1


@bare
def parent_of(records: NDArray[np.int64], record: int) -> int:
    """Return the record that a record was reached from; -1 for the start."""
    return (int(records[record, 1]) & LINK) - 1
