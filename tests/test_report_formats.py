"""The formats, plots and frames of reports: what they hold, and that nothing from a log takes effect in them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pyramide_cli import reports
from pyramide_cli.records import Problem
from pyramide_cli.reports import Column, Data, MissingExtra, Plot, Question, Report, dump, gather, make
from pyramide_cli.reports.escape import csv_cell, html_text, json_safe, markdown_cell, plain
from pyramide_cli.reports.extras import installed
from pyramide_cli.reports.plots import plot
from tests.report_log import HOSTILE, LOG

EVIL = [
    "=1+1",
    "+1",
    "-1",
    "@x",
    "\t=1",
    "\r=1",
    "a|b",
    "<b>&amp;",
    "\x1b[31mred",
    "\x9b2J",
    "a\nb",
    "\u202etxt",
    "`x`",
]
ID = "007"
needs_matplotlib = pytest.mark.skipif(not installed("matplotlib"), reason="matplotlib is not installed")


@pytest.fixture(scope="module")
def data() -> Data:
    return Data(gather(LOG))


def evil_report() -> Report:
    return Report(
        "evil",
        "Evil <i>title</i>\x1b[0m",
        (Column("game", "game", "text", key=True), Column("player", "player", "text"), Column("n", "n", "count")),
        [{"game": ID, "player": text, "n": 1234567} for text in EVIL],
        notes=("a note with <b>mark-up</b> and \x07",),
        plots=(Plot("rows", "n", ("n",), "n", "", names=("player",)),),
    )


@pytest.mark.parametrize("name", ["table", "csv", "json", "markdown", "html"])
def test_no_control_character_is_left(name: str) -> None:
    text = dump(evil_report(), name)
    assert isinstance(text, str)
    assert not [char for char in text if char != "\n" and not char.isprintable()]


def test_csv_has_no_formula_and_ids_stay_text() -> None:
    text = dump(evil_report(), "csv")
    assert isinstance(text, str)
    rows = list(csv.reader(io.StringIO(text)))
    for game, player, n in rows[1:]:
        assert not player.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert (game, n) == (ID, "1234567")
    assert all(line.startswith('"007",') for line in text.splitlines()[1:]), "quoted: text, whatever it looks like"


def test_json_gives_the_text_back() -> None:
    found = json.loads(dump(evil_report(), "json"))
    assert [row["player"] for row in found["rows"]] == EVIL
    assert found["rows"][0]["game"] == ID


def test_html_has_no_element_of_the_log() -> None:
    page = dump(evil_report(), "html")
    assert isinstance(page, str)
    assert "<b>" not in page
    assert "<script" not in page
    assert "src=" not in page
    assert "@import" not in page


@needs_matplotlib
def test_the_page_is_well_formed_and_has_its_plots(data: Data) -> None:
    page = dump(make("summary", data, Question()), "html")
    assert isinstance(page, str)
    assert "<svg" in page
    assert "<script" not in page
    body = page[page.index("<body>") : page.index("</html>")]
    ElementTree.fromstring(body)


def test_markdown_rows_have_as_many_cells_as_the_head() -> None:
    text = dump(evil_report(), "markdown")
    assert isinstance(text, str)
    rows = [line.replace("\\|", "") for line in text.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {4}
    assert len(rows) == 2 + len(EVIL)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 132, 400])
@pytest.mark.parametrize("name", ["summary", "ranking", "distributions", "solver", "hardest-played"])
def test_the_table_fits(name: str, width: int, data: Data) -> None:
    text = dump(make(name, data, Question()), "table", width=width)
    assert isinstance(text, str)
    assert max(map(len, text.splitlines())) <= max(width, 40)
    assert "\x1b" not in text


def test_wide_characters_take_two_columns() -> None:
    columns = (Column("a", "name", "text", key=True), Column("b", "n", "count"))
    text = dump(Report("x", "X", columns, [{"a": "王牌", "b": 1}, {"a": "e\u0301t", "b": 2}]), "table")
    assert isinstance(text, str)
    assert text.splitlines()[4:] == ["王牌  1", "e\u0301t    2"]


def test_a_long_text_is_cut_and_quickly() -> None:
    columns = (Column("a", "name", "text", key=True), Column("b", "more", "text"), Column("n", "n", "count"))
    text = dump(Report("x", "X", columns, [{"a": "é" * 3_000_000, "b": "x" * 3_000_000, "n": 1}]), "table")
    assert isinstance(text, str)
    assert max(map(len, text.splitlines())) <= 80


def test_figures_stand_right_and_text_left() -> None:
    text = dump(
        Report(
            "x",
            "X",
            (Column("a", "name", "text", key=True), Column("b", "figure", "count")),
            [{"a": "one", "b": 1}, {"a": "thousand", "b": 1000}],
        ),
        "table",
    )
    assert text == "X\n\nname      figure\n----------------\none            1\nthousand   1,000\n"


def test_parquet_keeps_types(data: Data) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    content = dump(make("ranking", data, Question(top=100)), "parquet")
    assert isinstance(content, bytes)
    table = pq.read_table(io.BytesIO(content))
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["deal"], types["game"], types["score"], types["time"]) == ("string", "string", "int64", "double")
    assert table.column("player").to_pylist().count(HOSTILE) == 4


@needs_matplotlib
@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_plots_are_files_of_their_kind_and_the_same_each_time(kind: str, start: bytes, data: Data) -> None:
    report = make("lengths", data, Question(by="rules"))
    drawn = plot(report, kind)
    assert drawn.startswith(start)
    assert drawn == plot(report, kind)


@pytest.mark.parametrize("name", [name for name in reports.REPORTS if name != "compare"])
def test_every_report_says_what_to_draw(name: str, data: Data) -> None:
    report = make(name, data, Question())
    assert report.plots
    for each in report.plots:
        named = (each.x_to, each.low, each.high, each.count)
        names = [*each.series, *each.facet, *each.names, *(name for name in named if name is not None)]
        assert {report.column(name).name for name in names} == set(names)


@needs_matplotlib
@pytest.mark.parametrize(
    ("name", "shape"), [("left", "bars"), ("streaks", "rows"), ("solver", "dots"), ("day", "lines")]
)
def test_every_shape_can_be_drawn(name: str, shape: str, data: Data) -> None:
    report = make(name, data, Question())
    assert shape in {each.shape for each in report.plots}
    assert plot(report, "svg").count(b"</svg>") == 1


@needs_matplotlib
def test_an_empty_report_can_be_drawn() -> None:
    assert plot(Report("x", "X", (), []), "svg").startswith(b"<?xml")


def test_escapes_by_themselves() -> None:
    assert plain("a\x00\x1b\u2028z") == "a\\x00\\x1b\\u2028z"
    assert csv_cell("=A1") == "'=A1"
    assert csv_cell("a=1") == "a=1"
    assert markdown_cell("a|b_c*") == "a\\|b\\_c\\*"
    assert html_text("\"<&'") == "&quot;&lt;&amp;&#x27;"
    assert json.loads(json_safe(json.dumps("\x9b\u202e", ensure_ascii=False))) == "\x9b\u202e"


def test_a_missing_extra_names_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch, data: Data) -> None:
    for module in ("pyramide_cli.reports.extras", "pyramide_cli.reports.formats.page"):
        monkeypatch.setattr(f"{module}.installed", lambda module: False)
    report = make("summary", data, Question())
    with pytest.raises(MissingExtra, match=r"pip install 'pyramide-cli\[plot\]'"):
        plot(report, "png")
    with pytest.raises(MissingExtra, match=r"pip install 'pyramide-cli\[parquet\]'"):
        dump(report, "parquet")
    page = dump(report, "html")
    assert isinstance(page, str)
    assert "<svg" not in page
    assert "pip install" in page


def test_frames_have_the_documented_columns() -> None:
    games, moves, solutions = reports.games(LOG), reports.moves([LOG]), reports.solutions(str(LOG))
    for frame, reader in ((games, reports.games), (moves, reports.moves), (solutions, reports.solutions)):
        text = reader.__doc__ or ""
        for column, dtype in frame.dtypes.items():
            assert str(column) in text
            assert str(dtype).split("[")[0] in text
    lines = [json.loads(line) for line in LOG.read_text().splitlines()]
    assert len(moves) == sum(line["type"] == "move" for line in lines)
    assert len(games) == sum(line["type"] == "deal" for line in lines)
    assert len(solutions) == sum(line["type"] == "solution" for line in lines)
    assert moves["n"].tolist() == [line["n"] for line in lines if line["type"] == "move"]
    assert games["code"].tolist() == [line["code"] for line in lines if line["type"] == "deal"]
    assert games["removed"].sum() == 2 * games["removals"].sum() - games["kings"].sum()


def test_frames_raise_unless_problems_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("nonsense\n")
    with pytest.raises(reports.DataError, match=r"bad.jsonl:1: "):
        reports.games(path)
    problems: list[Problem] = []
    assert len(reports.moves(path, on_problem=problems.append)) == 0
    assert [problem.line for problem in problems] == [1]


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, pyramide_cli, pyramide_cli.reports, pyramide_cli.cli.stats as s\n"
        "heavy = {'pandas', 'numpy', 'matplotlib', 'pyarrow', 'numba'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
