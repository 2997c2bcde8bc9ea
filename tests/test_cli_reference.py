"""The reference page: it says what the help says, and the README leads to it."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from pyramide_cli.cli.app import COMMANDS, app
from pyramide_cli.cli.exits import Exit
from pyramide_cli.cli.reference import PAGE, reference_text
from pyramide_cli.messages import LANGUAGES
from pyramide_cli.players import PLAYERS
from pyramide_cli.reports.formats import FORMATS
from pyramide_cli.reports.named import REPORTS
from pyramide_cli.rules import ALIASES, AXES, RULES, SCORINGS
from tests.calling import Call, caller

call = pytest.fixture(caller)

ROOT = Path(__file__).parent.parent


def test_the_page_is_in_step_with_the_help() -> None:
    again = "run python -m pyramide_cli.cli.reference"
    assert PAGE.read_text(encoding="utf-8") == reference_text(), again


@pytest.mark.parametrize("arguments", [[], *([name, "--help"] for name in COMMANDS)], ids=" ".join)
def test_the_page_shows_the_help_of_80_columns(
    arguments: list[str], call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert call(*arguments).out.decode() in PAGE.read_text(encoding="utf-8")


def test_every_command_and_option_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in COMMANDS:
        command = app.get_command(click.Context(app), name)
        assert command is not None
        chapter = text.split(f"## pyramide {name}\n")[1].split("\n## ")[0]
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                for form in (*parameter.opts, *parameter.secondary_opts):
                    assert form in chapter, f"{name} {form}"


def test_the_readme_leads_to_the_page_and_names_what_can_be_chosen() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"({PAGE.relative_to(ROOT).as_posix()})" in text
    for name in (*COMMANDS, *RULES, *AXES, *SCORINGS, *PLAYERS, *REPORTS, *FORMATS, *LANGUAGES):
        assert re.search(rf"\b{name}\b", text), name
    known = text.lower().replace("'", "").replace(" ", "-")
    for alias in ALIASES:
        assert alias in known, alias
    for code in Exit:
        assert code is Exit.BUG or re.search(rf"^\| .*\b{code.value}\b.* \|", text, re.MULTILINE), code
