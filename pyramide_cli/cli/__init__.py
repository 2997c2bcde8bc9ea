"""The command line: `main` runs it. Commands parse, call the library and print."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run `pyramide` with the given arguments (those of the process by default) and end the process."""
    try:
        from pyramide_cli.cli.exits import leave
        from pyramide_cli.cli.run import run
    except KeyboardInterrupt:  # pressed while the program was still loading
        sys.exit(130)
    leave(run(sys.argv[1:] if arguments is None else list(arguments)))
