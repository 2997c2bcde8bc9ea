"""Exit codes, messages on stderr, signals, and how the process ends."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from enum import IntEnum
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn

from pyramide_cli.cli.progress import paused
from pyramide_cli.errors import PyramideError

if TYPE_CHECKING:
    from pyramide_cli.records import Problem


class Exit(IntEnum):
    """What the exit code of the program says."""

    DONE = 0
    NO = 1
    USAGE = 2
    DATA = 3
    UNDECIDED = 4
    FILES = 5
    BUG = 70
    INTERRUPTED = 130
    PIPE = 141


_PRECEDENCE: Final = (
    Exit.INTERRUPTED,
    Exit.PIPE,
    Exit.BUG,
    Exit.USAGE,
    Exit.FILES,
    Exit.DATA,
    Exit.UNDECIDED,
    Exit.NO,
)


def gravest(codes: Iterable[int]) -> int:
    """Return the exit code that counts where several hold. A signal's code that has no name counts most."""
    seen = set(codes)
    for code in seen:
        if code not in (*_PRECEDENCE, Exit.DONE):
            return code
    return next((code for code in _PRECEDENCE if code in seen), Exit.DONE)


class Failure(PyramideError):
    """Something that ends the run: `str` is the message, `exit_code` what the process ends with."""

    exit_code = Exit.DATA


class FileFailure(Failure):
    """Something cannot be read or written."""

    exit_code = Exit.FILES


class Stop(Exception):
    """Ends the run quietly; what there was to say has been said."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP came: cleaned up after like Ctrl-C."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.exit_code = 128 + signal_number


class Status:
    """What went wrong in a run so far: the messages go to stderr, the gravest code is kept.

    Under `strict` the first problem stops the run.
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self._codes: set[int] = set()

    @property
    def code(self) -> int:
        """The exit code of the run as it stands."""
        return gravest(self._codes)

    def note(self, code: int) -> None:
        """Keep an exit code."""
        self._codes.add(code)

    def report(self, problem: Problem) -> None:
        """Print a problem of an input and keep its exit code. Raises `Stop` under `strict`."""
        say(str(problem))
        self.note(Exit.FILES if problem.kind == "file" else Exit.DATA)
        if self.strict:
            raise Stop(self.code)


def say(message: str) -> None:
    """Print a message on stderr, above a progress bar where there is one. A stderr that is gone is no error.

    Whatever in it a terminal would obey is escaped: names of files and games can hold anything.
    """
    from pyramide_cli.records import printable

    if sys.stderr is None:
        return
    message = "\n".join(map(printable, message.split("\n")))
    with suppress(OSError, ValueError), paused():
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


def complain(message: str) -> None:
    """Print a message of the program itself on stderr."""
    from pyramide_cli.records import printable

    say(f"pyramide: {printable(message)}")


def ending_signals() -> list[signal.Signals]:
    """Return SIGTERM and SIGHUP, those that this system has."""
    return [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def catch_signals() -> None:
    """Let SIGTERM and SIGHUP end the program like Ctrl-C, unless they are ignored (nohup)."""
    for number in ending_signals():
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminate)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated(number)


def flush_stdout() -> int:
    """Write out what stdout still holds; return the exit code of it: a full disk may show only here."""
    if sys.stdout is None:
        return Exit.DONE
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return Exit.PIPE
    except OSError as error:
        from pyramide_cli.records.lines import reason

        complain(f"<stdout>: cannot be written: {reason(error)}")
        return Exit.FILES
    except ValueError:  # closed
        return Exit.DONE
    return Exit.DONE


def leave(code: int) -> NoReturn:
    """End the process.

    After a signal or a failed write nothing is waited for: neither worker threads, nor the interpreter's own flush
    of stdout, which would only complain again. Nor is a thread that still waits for input when all is done: the
    interpreter would want the stream that it reads.
    """
    threading = sys.modules.get("threading")  # where nobody has loaded it there are none
    is_one_left = threading is not None and any(thread.daemon for thread in threading.enumerate())
    if code in (Exit.DONE, Exit.NO, Exit.USAGE, Exit.DATA, Exit.UNDECIDED) and not is_one_left:
        sys.exit(code)
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()
    os._exit(code)
