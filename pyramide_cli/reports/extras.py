"""Parts of the program that need a package which is not always installed."""

from __future__ import annotations

from importlib.util import find_spec

from pyramide_cli.errors import PyramideError


class MissingExtra(PyramideError):
    """An extra is not installed; the message names the line that installs it."""


def installed(module: str) -> bool:
    """Return whether a module can be imported, without importing it."""
    return find_spec(module) is not None


def need(module: str, *, extra: str, what: str) -> None:
    """Raise `MissingExtra` unless the module can be imported."""
    if not installed(module):
        raise MissingExtra(f"{what} need {module}: {install_line(extra)}")


def install_line(extra: str) -> str:
    """Return the line that installs an extra."""
    return f"pip install 'pyramide-cli[{extra}]'"
