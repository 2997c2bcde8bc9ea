"""Compiling the numeric kernels: lazily, with the machine code kept on disk, and harmless where that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a function when it is first called; with NUMBA_DISABLE_JIT=1 it stays plain Python.

    The machine code is cached beside the source or where NUMBA_CACHE_DIR says. Where no such folder
    can be written the code is compiled in every process, which costs time but is no error.
    """
    try:
        return cast(Function, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # "cannot cache function": no folder to write to
        return cast(Function, numba.njit(nogil=True)(function))
