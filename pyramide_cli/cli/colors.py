"""Whether to write colour."""

from __future__ import annotations

import os


def use_color(choice: str, is_terminal: bool) -> bool:
    """Say whether to write colour to a stream.

    `--color always|never` counts most; then NO_COLOR (no-color.org), then FORCE_COLOR, each if not empty; else colour
    is for terminals that are not dumb.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal and os.environ.get("TERM") != "dumb"
