"""Telling the user, once, that the kernels are being compiled: it takes some seconds and happens after an install."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

_callback: Callable[[], None] | None = None


def before_compiling(callback: Callable[[], None] | None) -> None:
    """Let a function be called once, before the kernels are compiled; not at all where machine code is at hand."""
    global _callback
    _callback = callback


def announce(dispatcher: Any) -> None:
    """Call what `before_compiling` was given if a kernel has no machine code, in this process or on disk."""
    global _callback
    if _callback is not None:
        callback, _callback = _callback, None
        if not is_compiled(dispatcher):
            callback()


def is_compiled(dispatcher: Any) -> bool:
    """Return whether calling a kernel will not compile it: its code is loaded, kept on disk, or not wanted."""
    if not hasattr(dispatcher, "py_func") or dispatcher.signatures:
        return True
    folder = dispatcher.stats.cache_path
    if folder is None:
        return False
    name = f"{Path(dispatcher.py_func.__code__.co_filename).stem}.{dispatcher.py_func.__qualname__}-"
    return any(path.name.startswith(name) for path in Path(folder).glob("*.nbi"))
