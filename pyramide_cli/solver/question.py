"""What can be asked of the solver, and how much it may cost."""

from __future__ import annotations

from pyramide_cli.errors import PyramideError

MAX_STATES = 50_000_000
"""How many positions a search stores at most, if nothing else is said."""


class FindError(PyramideError):
    """The question is not one that the solver knows, or has no answer under these rules."""
