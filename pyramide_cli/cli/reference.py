"""The reference page: the help of every command in one page, kept as `REFERENCE.md` beside this module.

`python -m pyramide_cli.cli.reference` writes the page anew after a change of the help; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from pyramide_cli import messages
from pyramide_cli.cli.app import COMMANDS, app
from pyramide_cli.cli.options import rules_text
from pyramide_cli.cli.play.guide import words_text

PAGE: Final = Path(__file__).parent / "REFERENCE.md"
_WIDTH = 78  # what click fills of 80 columns
_INTRODUCTION = """\
# Reference

What `pyramide --help` and `pyramide COMMAND --help` say, the rulesets, and the words of a game. This page is made by
`python -m pyramide_cli.cli.reference`; the README tells the same with examples.
"""


def reference_text() -> str:
    """Return the page: the overview, a chapter for each command, the rulesets and the words of a game."""
    messages.use("en")
    context = click.Context(app, info_name="pyramide", terminal_width=_WIDTH, **app.context_settings)
    chapters = [("pyramide", app.get_help(context)), *_commands(context)]
    chapters.append(("The rulesets: `--rules list`", rules_text()))
    chapters.append(("The words of a game: `pyramide play`, then `?`", words_text()))
    return _INTRODUCTION + "".join(f"\n## {title}\n\n```text\n{text}\n```\n" for title, text in chapters)


def _commands(parent: click.Context) -> Iterator[tuple[str, str]]:
    for name in COMMANDS:
        command = app.get_command(parent, name)
        assert command is not None
        context = click.Context(command, parent, info_name=name)
        yield f"pyramide {name}", command.get_help(context)


def main() -> None:
    """Write the page into the package."""
    PAGE.write_text(reference_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
