"""One run of the program: from arguments to an exit code, with a message for whatever a user can cause."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence

import click

from pyramide_cli.cli.app import app
from pyramide_cli.cli.exits import Exit, Failure, Stop, Terminated, catch_signals, complain, flush_stdout, gravest
from pyramide_cli.errors import PyramideError
from pyramide_cli.solver.notice import before_compiling

COMPLETE_VARIABLE = "_PYRAMIDE_COMPLETE"
_WRITE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def run(arguments: Sequence[str]) -> int:
    """Run the program and return its exit code. Commands return theirs, None for 0."""
    catch_signals()
    if sys.stderr is not None and sys.stderr.isatty():
        before_compiling(lambda: complain("compiling the solver for this machine, once; this takes some seconds"))
    try:
        code = _guarded(arguments)
        return gravest((code, flush_stdout()))
    except KeyboardInterrupt as signal:  # one more Ctrl-C while the first was handled
        return _interrupted(signal)


def _guarded(arguments: Sequence[str]) -> int:
    """Turn everything that can end a command into an exit code, with its message."""
    try:
        if os.environ.get(COMPLETE_VARIABLE):
            return _complete(arguments)
        # Not click's own main: it ends with 1 on Ctrl-C and on a broken pipe.
        with app.make_context("pyramide", list(arguments)) as context:
            return app.invoke(context) or Exit.DONE
    except (click.exceptions.Exit, Stop) as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, EOFError):
        complain("interrupted")
        return Exit.INTERRUPTED
    except KeyboardInterrupt as signal:
        complain("interrupted" if type(signal) is KeyboardInterrupt else "terminated")
        return _interrupted(signal)
    except BrokenPipeError:
        return Exit.PIPE
    except Failure as error:
        complain(str(error))
        return error.exit_code
    except PyramideError as error:
        complain(str(error))
        return Exit.DATA
    except OSError as error:
        complain(_refusal(error))
        return Exit.FILES
    except MemoryError:
        complain("there is not enough memory")
        return Exit.FILES
    except Exception:
        traceback.print_exc()
        complain("this is a fault of the program; please report it with the lines above")
        return Exit.BUG


def _complete(arguments: Sequence[str]) -> int:
    """Answer a shell that completes a command; what it says in its variables may make no sense."""
    try:
        app.main(list(arguments), prog_name="pyramide", complete_var=COMPLETE_VARIABLE)
    except (KeyError, ValueError):
        complain(f"{COMPLETE_VARIABLE} is set, but the shell does not say what to complete")
        return Exit.USAGE
    return Exit.DONE


def _refusal(error: OSError) -> str:
    """Say what the system refused, for an error that no command has given a place."""
    from pyramide_cli.cli.outputs import STDOUT_NAME, write_failure
    from pyramide_cli.records.lines import reason

    if error.filename:
        return f"{os.fsdecode(error.filename)}: {reason(error)}"
    # Whatever a command reads or writes is named where that fails; what is left is the help on stdout.
    return str(write_failure(STDOUT_NAME, error)) if error.errno in _WRITE_ERRORS else reason(error)


def _interrupted(signal: KeyboardInterrupt) -> int:
    return signal.exit_code if isinstance(signal, Terminated) else Exit.INTERRUPTED
