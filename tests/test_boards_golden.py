"""Boards in every format, held against the files in tests/data/boards.

After a change that is meant, write the files anew, look at what changed, and keep it:

    python -m tests.test_boards_golden
"""

from pathlib import Path

import pytest

from pyramide_cli import messages
from pyramide_cli.boards import describe, render_svg, render_text
from pyramide_cli.messages import LANGUAGES
from tests.board_cases import CASES

TRANSLATED = ("middle", "stuck")
"""The boards that are kept in every language."""

FOLDER = Path(__file__).parent / "data" / "boards"


def golden(name: str) -> dict[str, str]:
    """Return what the golden files of a board should hold, by file name."""
    game, last = CASES[name].play()
    sections = {
        "80 columns": render_text(game, color=False, unicode=True, last_move=last),
        "40 columns, letters": render_text(game, color=False, unicode=False, width=40, last_move=last),
        "colour": render_text(game, color=True, unicode=True, last_move=last).replace("\x1b", "␛"),
        "words": "\n".join(describe(game)),
    }
    if name in TRANSLATED:
        for language in (language for language in LANGUAGES if language != "en"):
            messages.use(language)
            sections[f"80 columns, {language}"] = render_text(game, color=False, unicode=True, last_move=last)
            sections[f"words, {language}"] = "\n".join(describe(game))
        messages.use("en")
    text = "\n\n".join(f"--- {title} ---\n{section}" for title, section in sections.items())
    return {f"{name}.txt": text + "\n", f"{name}.svg": render_svg(game, last_move=last)}


@pytest.mark.parametrize("name", CASES)
def test_a_board_is_drawn_as_kept(name: str) -> None:
    for file, text in golden(name).items():
        assert text == (FOLDER / file).read_text(encoding="utf-8"), file


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


def write() -> None:
    """Write all golden files anew."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        path.unlink()
    for name in CASES:
        for file, text in golden(name).items():
            (FOLDER / file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
