"""A progress bar on stderr, at a terminal only, and silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

_active: list[tqdm[Any]] = []


class Progress:
    """Counts what is done: `advance` after each step. A context manager, which shows nothing without a bar.

    show: True and False are the user's word, None shows a bar for more than one step where stderr is a terminal.
    total: how many steps there will be, None where that is not known.
    """

    def __init__(self, total: int | None = None, *, unit: str = "deal", show: bool | None = None) -> None:
        self._bar: tqdm[Any] | None = None
        if show is None:
            show = total != 1 and sys.stderr is not None and sys.stderr.isatty()
        if show and sys.stderr is not None:
            from tqdm import tqdm

            self._bar = tqdm(
                total=total, unit=f" {unit}s", unit_scale=False, file=sys.stderr, dynamic_ncols=True, leave=False
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
def paused() -> Iterator[None]:
    """Take the bars away while something else is written to the terminal."""
    for bar in _active:
        bar.clear()
    yield
    for bar in _active:
        bar.refresh()
