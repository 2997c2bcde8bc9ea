"""Compiling the numeric kernels: lazily, with the machine code kept on disk, and harmless where that cannot be."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from pyramide_cli.errors import PyramideError

try:
    import numba
except (ImportError, ValueError) as error:  # ValueError: an environment variable of its own that makes no sense
    raise PyramideError(f"the solver needs numba, which cannot be loaded: {error}") from error

Function = TypeVar("Function", bound=Callable[..., object])


def fingerprint(folder: Path) -> str:
    """Return a short text that changes with any source file in a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


FINGERPRINT = fingerprint(Path(__file__).parent)
"""Of the kernels' sources, for the names of the files that keep machine code."""


_waits = threading.local()


def seconds_compiling() -> float:
    """Return how many seconds this thread has waited for machine code so far, be it compiled or read from disk."""
    seconds: float = getattr(_waits, "seconds", 0.0)
    return seconds


@contextmanager
def _waiting() -> Iterator[None]:
    """Count the time as waiting for machine code; a kernel that is compiled for another is part of its time."""
    before, started = seconds_compiling(), time.perf_counter()
    try:
        yield
    finally:
        _waits.seconds = before + time.perf_counter() - started


def kernel(function: Function) -> Function:
    """Compile a function when it is first called; with NUMBA_DISABLE_JIT=1 it stays plain Python.

    The machine code is cached beside the source or where NUMBA_CACHE_DIR says. Where no such folder
    can be written the code is compiled in every process, which costs time but is no error.
    """
    return _compiled(function)


def bare(function: Function) -> Function:
    """Compile a function that makes no arrays, without code to count references to them.

    Counting costs more than the work of a small function that gets a few arrays.
    """
    try:
        compiled = _compiled(function, _nrt=False, no_cfunc_wrapper=True)
    except KeyError:  # a compiler that has no such options any more
        compiled = _compiled(function)
    _compile_once(compiled)
    return compiled


def _compile_once(dispatcher: Any) -> None:
    # Kernels that call a kernel with constants or with integers of other sizes would each get it compiled for these,
    # with all that it calls: a third of the time to compile everything. It works on 64 bits either way.
    choose = getattr(dispatcher, "get_call_template", None)
    if choose is not None:
        dispatcher.get_call_template = lambda kinds, names: choose(tuple(map(_widened, kinds)), names)


def _widened(kind: Any) -> Any:
    types: Any = numba.types
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def inlined(function: Function) -> Function:
    """Let a function be copied into the kernels that call it: for the parts of an innermost loop."""
    return cast(Function, numba.njit(nogil=True, inline="always")(function))


def _compiled(function: Function, **options: Any) -> Function:
    # The compiler looks for changes in the function's own file only, but machine code also holds the kernels of
    # other files that are called. So a change in any of them has to give the kept code another name.
    if not function.__qualname__.endswith(FINGERPRINT):
        function.__qualname__ += f"_{FINGERPRINT}"
    try:
        compiled = numba.njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # "cannot cache function": no folder to write to
        compiled = numba.njit(nogil=True, **options)(function)
    if hasattr(compiled, "compile"):
        compiled.compile = _aside(compiled.compile)
    return cast(Function, compiled)


def _aside(compile_here: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let the compiler do its work, which takes seconds, outside the main thread, which waits for it.

    Python raises KeyboardInterrupt in the main thread, wherever that is. Inside the compiler it was turned into other
    errors, or lost in a callback from machine code.
    """

    def compile_aside(signature: Any) -> Any:
        with _waiting():
            return compile_where(signature)

    def compile_where(signature: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return compile_here(signature)
        done: Future[Any] = Future()

        def work() -> None:
            try:
                done.set_result(compile_here(signature))
            except BaseException as error:
                done.set_exception(error)

        threading.Thread(target=work, daemon=True).start()
        return done.result()

    return compile_aside
