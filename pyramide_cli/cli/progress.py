"""A progress bar on stderr, at a terminal only, and silence elsewhere."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from tqdm import tqdm

# Where no total is known the bar at the end is blank. It makes the text as wide as the terminal, so that nothing is
# left over of what another command of the pipeline has drawn there.
_WITHOUT_TOTAL = "{desc}: {n_fmt}{unit} [{elapsed}, {rate_fmt}{postfix}]{bar}"

_CLEAR_LINE = "\r\x1b[K"

_active: list[tqdm[Any]] = []


class Progress:
    """Counts what is done: `advance` after each step. A context manager, which shows nothing without a bar.

    command: what the bar is headed with, because the commands of a pipeline share a line of the terminal.
    show: True and False are the user's word, None shows a bar for more than one step where stderr is a terminal.
    total: how many steps there will be, None where that is not known.
    """

    def __init__(self, command: str, total: int | None = None, *, unit: str = "deal", show: bool | None = None) -> None:
        self._bar: tqdm[Any] | None = None
        if show is None:
            show = total != 1 and sys.stderr is not None and sys.stderr.isatty()
        if show and sys.stderr is not None:
            from tqdm import tqdm

            self._bar = tqdm(
                total=total,
                desc=command,
                unit=f" {unit}s",
                unit_scale=False,
                file=sys.stderr,
                dynamic_ncols=True,
                leave=False,
                bar_format=None if total else _WITHOUT_TOTAL,
            )

    @property
    def shown(self) -> bool:
        """Whether there is a bar."""
        return self._bar is not None

    def __enter__(self) -> Progress:
        if self._bar is not None:
            _active.append(self._bar)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            _active.remove(self._bar)
            self._bar.close()

    def advance(self, steps: int = 1, **notes: object) -> None:
        """Count steps, and show notes such as `wins=12` beside the bar."""
        if self._bar is not None:
            if notes:
                self._bar.set_postfix(notes, refresh=False)
            self._bar.update(steps)


@contextmanager
def paused(*, midline: bool = False) -> Iterator[None]:
    """Take the bars away while something else is written to the terminal, those of a whole pipeline.

    midline: whether the line has a text already that is gone on with.
    """
    for bar in _active:
        bar.clear()
    if not midline and _is_shared():
        sys.stderr.write(_CLEAR_LINE)
        sys.stderr.flush()
    yield
    for bar in _active:
        bar.refresh()


def _is_shared() -> bool:
    """Whether stderr is a terminal where another command of a pipeline may have drawn a bar."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") in (None, "", "dumb"):
        return False
    return any(map(_is_pipe, (sys.stdin, sys.stdout)))


def _is_pipe(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # closed, or none that the system knows
        return False
