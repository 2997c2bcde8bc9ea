"""A compiled breadth-first search over whole deals: no pruning, no bounds, nothing shared with the solver.

It tries every legal move in every position, kings too, and keeps each position that it has seen. A position is one
integer: bits 0 to 27 the pyramid cards left, 28 to 51 the stock cards left, 52 to 56 how far the stock is drawn (the
next card's number, 24 at the end), 57 to 58 the pass (0 for the first; 0 always without a limit), 59 to 60 the pass in
which the pyramid got clear (1 for the first; 0 where that gives no points), 61 "just drawn".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from tests.reference import PAR_BONUS, ROW_BONUS, VALUE, Axes, Position, Table

Function = TypeVar("Function", bound=Callable[..., object])


def _compiled(function: Function) -> Function:
    return cast(Function, numba.njit(cache=True)(function))


class Plain(NamedTuple):
    """What the walk found: `whole` tells whether it saw every position that can be reached.

    shortest: the fewest moves to a win, None where none was seen. The others are the most that was seen and the fewest
    moves to it: most: cards gone (pyramid cards under goal `pyramid`); score: points, of `par` where that is the
    scoring and the passes are limited, else of `microsoft`; rank: cards of the rank that was asked about.
    """

    positions: int
    whole: bool
    shortest: int | None
    most: tuple[int, int]
    score: tuple[int, int]
    rank: tuple[int, int]


def walk(
    table: Table, limit: int, *, rank: str = "A", stop_at_win: bool = False, position: Position | None = None
) -> Plain:
    """Walk over at most `limit` positions of a whole deal, or of a game from a position on, nearest first."""
    axes: Axes = table.axes
    assert axes.passes is None or axes.passes <= 4
    par = axes.scoring == "par" and axes.passes is not None
    size = 1 << (2 * limit - 1).bit_length()
    answer = np.zeros(9, np.int64)
    place_of = {card: place for place, card in enumerate(table.cards)}
    here = position or table.start
    start = sum(1 << place_of[card] for card in (*here.pyramid, *here.stock, *here.waste))
    start |= (place_of[here.stock[0]] - 28 if here.stock else 24) << 52
    start |= (0 if axes.passes is None else here.pass_number - 1) << 57 | here.cleared_in << 59 | int(here.fresh) << 61
    covers = np.array(
        [sum(1 << place_of[cover] for cover in table.covers[card]) for card in table.cards[:28]], np.int64
    )
    _walk(
        np.array([VALUE[card] for card in table.cards], np.int64),
        covers,
        np.array([sum(1 << place_of[card] for card in cards) for cards in table.rows.values()], np.int64),
        np.array([ROW_BONUS[row] for row in table.rows], np.int64),
        np.array([0, *(PAR_BONUS[number] if par else 0 for number in (1, 2, 3))], np.int64),
        par,
        VALUE[rank + "c"],
        axes.goal == "all",
        -1 if axes.passes is None else axes.passes,
        axes.stock_open,
        axes.drawn_pair,
        axes.cover_pair,
        stop_at_win,
        start,
        np.zeros(limit, np.int64),
        np.zeros(size, np.int64),
        answer,
    )
    positions, whole, shortest, *best = answer.tolist()
    return Plain(
        positions,
        bool(whole),
        None if shortest < 0 else shortest,
        (best[0], best[1]),
        (best[2], best[3]),
        (best[4], best[5]),
    )


@_compiled
def _bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@_compiled
def _pack(pyramid: int, stock: int, drawn: int, turned: int, fresh: int) -> int:
    """Put a position together; stock cards that are gone are skipped by the draw."""
    while drawn < 24 and not stock >> drawn & 1:
        drawn += 1
    return pyramid | stock << 28 | drawn << 52 | turned << 57 | fresh << 61


@_compiled
def _add(seen: NDArray[np.int64], queue: NDArray[np.int64], size: int, state: int) -> int:
    """Put a position into the set and the queue unless it is known; return the size of the queue."""
    at = (state ^ state >> 29) * 1_000_003 & (seen.shape[0] - 1)
    while seen[at]:
        if seen[at] == state + 1:
            return size
        at = at + 1 & (seen.shape[0] - 1)
    if size < queue.shape[0]:
        seen[at] = state + 1
        queue[size] = state
    return size + 1


@_compiled
def _walk(
    values: NDArray[np.int64],
    covers: NDArray[np.int64],
    rows: NDArray[np.int64],
    bonus: NDArray[np.int64],
    clear_bonus: NDArray[np.int64],
    par: bool,
    rank: int,
    goal_all: bool,
    passes: int,
    stock_open: bool,
    drawn_pair: bool,
    cover_pair: bool,
    stop_at_win: bool,
    start: int,
    queue: NDArray[np.int64],
    seen: NDArray[np.int64],
    answer: NDArray[np.int64],
) -> None:
    """Fill the answer: positions, whole, shortest (-1), then most, score and rank, each with the moves to it.

    values: by place, 28 to 51 the stock. covers: the two covers of each place, as a mask. rows, bonus: the places of
    each row, and the points for clearing it. clear_bonus, par: the points for a clear pyramid by its pass, and whether
    it is these that count. passes is -1 for unlimited.
    """
    free = np.zeros(30, np.int64)  # places of the pyramid that are free; then the tops of waste and open stock, + 28
    shortest = -1
    answer[3], answer[5], answer[7] = -1, -1, -1
    kings, wanted = 0, 0
    for place in range(52):
        kings |= (1 if values[place] == 13 else 0) << place
        wanted |= (1 if values[place] == rank else 0) << place
    size = _add(seen, queue, 0, start)
    done, depth, end_of_level = 0, 0, 1
    while done < size and size <= queue.shape[0]:
        if done == end_of_level:
            depth += 1
            end_of_level = size
        state = queue[done]
        done += 1
        pyramid, stock, drawn = state & 0xFFFFFFF, state >> 28 & 0xFFFFFF, state >> 52 & 31
        turned, fresh = state >> 57 & 15, state >> 61 & 1
        if par and pyramid == 0 and turned < 4:
            turned |= (turned + 1) << 2
        board = pyramid | stock << 28
        pairs_gone = (48 - _bits(board & ~kings)) // 2
        points = 5 * (pairs_gone + 4 - _bits(board & kings))
        for row in range(7):
            if not pyramid & rows[row]:
                points += bonus[row]
        if par:
            points = clear_bonus[turned >> 2] - _bits(board)
        gone = 52 - _bits(board) if goal_all else 28 - _bits(pyramid)
        if gone > answer[3]:
            answer[3], answer[4] = gone, depth
        if points > answer[5] or done == 1:
            answer[5], answer[6] = points, depth
        of_rank = 4 - _bits(board & wanted)
        if of_rank > answer[7]:
            answer[7], answer[8] = of_rank, depth
        if pyramid == 0 and (stock == 0 or not goal_all):
            if shortest < 0:
                shortest = depth
            if stop_at_win:
                break
            continue
        count = 0
        for place in range(28):
            if pyramid >> place & 1 and not covers[place] & pyramid:
                free[count] = place
                count += 1
        in_pyramid = count
        waste = drawn - 1
        while waste >= 0 and not stock >> waste & 1:
            waste -= 1
        if waste >= 0:
            free[count] = 28 + waste
            count += 1
        if stock_open and drawn < 24:
            free[count] = 28 + drawn
            count += 1
        for i in range(count):
            first = free[i]
            if values[first] == 13:
                rest = board & ~(1 << first)
                still = fresh if first != 28 + waste else 0
                size = _add(seen, queue, size, _pack(rest & 0xFFFFFFF, rest >> 28, drawn, turned, still))
            for j in range(i + 1, count):
                second = free[j]
                if values[first] + values[second] == 13:
                    rest = board & ~(1 << first) & ~(1 << second)
                    still = fresh if first != 28 + waste and second != 28 + waste else 0
                    size = _add(seen, queue, size, _pack(rest & 0xFFFFFFF, rest >> 28, drawn, turned, still))
        if fresh:
            under = waste - 1
            while under >= 0 and not stock >> under & 1:
                under -= 1
            if under >= 0 and values[28 + waste] + values[28 + under] == 13:
                rest = stock & ~(1 << waste) & ~(1 << under)
                size = _add(seen, queue, size, _pack(pyramid, rest, drawn, turned, 0))
        if cover_pair:
            for place in range(28):
                if pyramid >> place & 1:
                    for i in range(in_pyramid):
                        cover = free[i]
                        if covers[place] & pyramid == 1 << cover and values[place] + values[cover] == 13:
                            rest = pyramid & ~(1 << place) & ~(1 << cover)
                            size = _add(seen, queue, size, _pack(rest, stock, drawn, turned, fresh))
        if drawn < 24:
            just = 1 if drawn_pair and waste >= 0 else 0
            size = _add(seen, queue, size, _pack(pyramid, stock, drawn + 1, turned, just))
        elif stock and (passes < 0 or (turned & 3) + 1 < passes):
            size = _add(seen, queue, size, _pack(pyramid, stock, 0, turned + (passes > 0), 0))
    answer[0], answer[1], answer[2] = min(size, queue.shape[0]), size <= queue.shape[0] and done == size, shortest
