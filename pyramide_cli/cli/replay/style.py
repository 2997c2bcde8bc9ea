"""How the text of `replay` looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyramide_cli.cli.colors import use_color
from pyramide_cli.cli.columns import fit, fit_parts
from pyramide_cli.cli.outputs import Output, is_stdout


@dataclass(frozen=True, slots=True)
class Style:
    """How text looks: in colour or not, suits as symbols or letters, boards in sentences or drawn, and its columns."""

    color: bool
    unicode: bool
    plain: bool
    width: int

    @classmethod
    def choose(cls, target: Output, path: str | None, color: str, *, plain: bool) -> Style:
        """Return the style for an output; a file has no colour unless it is asked for."""
        colored = use_color(color, target.is_terminal) if is_stdout(path) else color == "always"
        return cls(colored, target.shows_suits, plain, target.width)

    def fit(self, line: str, indent: int = 2) -> str:
        """Break a line where it is wider than the output, and set what follows in by `indent` columns."""
        return fit(line, self.width, indent)

    def columns(self, parts: Iterable[str]) -> str:
        """Set parts side by side, broken between them where they are wider than the output."""
        return fit_parts(parts, self.width)
