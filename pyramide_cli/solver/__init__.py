"""The solver: whether a deal can be won, and the best way to do it, by proof.

Names are loaded when they are first used, so that importing this package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramide_cli.lazy import lazy

if TYPE_CHECKING:
    from pyramide_cli.solver.api import rate_moves
    from pyramide_cli.solver.front import is_winnable, solve
    from pyramide_cli.solver.notice import before_compiling
    from pyramide_cli.solver.question import FindError
    from pyramide_cli.solver.solution import Solution

_HOME = {
    "FindError": "question",
    "Solution": "solution",
    "before_compiling": "notice",
    "is_winnable": "front",
    "rate_moves": "api",
    "solve": "front",
}

__all__ = ["FindError", "Solution", "before_compiling", "is_winnable", "rate_moves", "solve"]


__getattr__ = lazy(__name__, _HOME)
