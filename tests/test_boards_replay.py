"""Pictures and pages out of logs, by the command line."""

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pyramide_cli.deals import parse_deal
from pyramide_cli.game import Game
from pyramide_cli.moves import parse_move
from tests.board_cases import CASES

HOSTILE = "<script>alert(1)</script>\x1b[2J"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pyramide_cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Write a log of two games: a won one, and one whose second entry the rules forbid."""
    records: list[dict[str, Any]] = []
    for name, case, more in (("won", CASES["won"], []), (HOSTILE, CASES["start"], ["Kd", "Js+2d"])):
        game = Game(parse_deal(case.deal), case.rules)
        head = {
            "type": "deal",
            "v": 1,
            "game": name,
            "code": case.deal,
            "rules": case.rules.record(),
            "player": HOSTILE,
        }
        records.append(head)
        for n, move in enumerate([*case.moves.split(), *more], 1):
            if game.is_legal(parse_move(move)):
                game.push(parse_move(move))
            numbers = {"n": n, "score": game.score, "moves": game.moves}
            records.append({"type": "move", "v": 1, "game": name, "move": move, **numbers})
    file = tmp_path / "log.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


class Data(HTMLParser):
    """The data of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._inside = False
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = ("id", "data") in attrs

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.text += data


def test_a_log_becomes_a_page(log: Path) -> None:
    page = log.with_suffix(".html")
    result = run("replay", str(log), "--format", "html", "-o", str(page))
    assert result.returncode == 3, result.stderr
    text = page.read_text(encoding="utf-8")
    assert HOSTILE not in text
    first, second = json.loads(Data(text).text)["games"]
    assert len(first["steps"]) == 1 + len(CASES["won"].moves.split())
    assert first["steps"][-1]["outcome"] == "won"
    assert [step.get("move") for step in second["steps"]] == [None, "K♦"]
    assert f"player {HOSTILE}" in second["about"]
    assert "entry 2, Js+2d" in second["fault"]


def test_a_page_goes_to_stdout_too(log: Path) -> None:
    result = run("replay", str(log), "--format", "html")
    assert result.stdout.startswith("<!doctype html>")
    assert result.stdout.endswith("</html>\n")


def test_a_page_shows_every_step_so_none_can_be_chosen(log: Path) -> None:
    for option in (["--at", "3"], ["--step"]):
        result = run("replay", str(log), "--format", "html", *option)
        assert result.returncode == 2
        assert "--format html shows every step" in result.stderr


def test_solutions_make_a_page() -> None:
    line = CASES["won"].moves.split()
    solution = {"type": "solution", "v": 1, "code": CASES["won"].deal, "rules": "pyramide", "find": "any"}
    solution |= {"verdict": "winnable", "length": len(line), "line": line}
    command = [sys.executable, "-m", "pyramide_cli", "replay", "-", "--format", "html"]
    result = subprocess.run(
        command, input=json.dumps(solution) + "\n", capture_output=True, text=True, encoding="utf-8", check=False
    )
    (game,) = json.loads(Data(result.stdout).text)["games"]
    assert game["name"] == f"solution of {CASES['won'].deal}, won"
    assert len(game["steps"]) == 1 + len(line)


def test_a_log_becomes_a_picture(log: Path) -> None:
    result = run("replay", str(log), "--at", "5", "--format", "svg")
    root = ElementTree.fromstring(result.stdout)
    assert root.find("{http://www.w3.org/2000/svg}desc") is not None


def test_a_deal_becomes_a_picture() -> None:
    result = run("deal", "PY1-N-AAAAAAS", "--format", "svg")
    assert result.returncode == 0
    assert result.stdout == (Path(__file__).parent / "data" / "boards" / "start.svg").read_text(encoding="utf-8")
