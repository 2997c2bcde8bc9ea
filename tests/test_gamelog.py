"""Logs that grow: mending, appending, and what stands in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyramide_cli.deals import Deal
from pyramide_cli.gamelog import GameLog, GameLogError, read_history
from pyramide_cli.players import play_out
from pyramide_cli.records import encode
from pyramide_cli.rules import RULES

GAME = [encode(record) for record in play_out(Deal.from_number(0), player="first", seed=1)]
RECORDS = list(play_out(Deal.from_number(1), player="first", seed=1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def test_a_new_log_is_made_and_grows_line_by_line(path: Path) -> None:
    with GameLog(str(path)) as log:
        assert log.mended is None
        for number, record in enumerate(RECORDS, 1):
            log.write(record)
            assert path.read_bytes().count(b"\n") == number
    assert path.read_bytes() == b"".join(map(encode, RECORDS))


@pytest.mark.parametrize("torn", [1, 10, len(GAME[-1]) - 1])
def test_a_torn_line_is_cut_away(path: Path, torn: int) -> None:
    whole = b"".join(GAME[:-1])
    path.write_bytes(whole + GAME[-1][:torn] if torn < len(GAME[-1]) - 1 else whole + GAME[-1][:-2])
    with GameLog(str(path)) as log:
        assert log.mended is not None
        assert "torn off" in log.mended
        log.write(RECORDS[0])
    assert path.read_bytes() == whole + encode(RECORDS[0])


def test_a_whole_line_without_its_newline_is_kept(path: Path) -> None:
    path.write_bytes(b"".join(GAME).rstrip(b"\n"))
    with GameLog(str(path)) as log:
        assert log.mended == "the last line had no newline; it has one now"
    assert path.read_bytes() == b"".join(GAME)


def test_zeros_of_a_power_cut_are_cut_away(path: Path) -> None:
    path.write_bytes(b"".join(GAME) + b"\0" * 100_000)
    with GameLog(str(path)) as log:
        assert log.mended is not None
    assert path.read_bytes() == b"".join(GAME)


@pytest.mark.parametrize("text", [b"milk\nbread\n", b"milk\nbread", b"milk", b'{"a":1}\n', b"[1]\n{"])
def test_other_files_are_left_alone(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    with pytest.raises(GameLogError, match="this is no log"):
        GameLog(str(path))
    assert path.read_bytes() == text


def test_a_packed_log_is_refused(path: Path) -> None:
    with pytest.raises(GameLogError, match="cannot be compressed"):
        GameLog(f"{path}.gz")
    assert not Path(f"{path}.gz").exists()


def test_a_failed_write_names_the_file() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with GameLog("/dev/full") as log, pytest.raises(OSError, match="/dev/full"):
        log.write(RECORDS[0])


def test_history_of_no_file_is_empty(path: Path) -> None:
    history = read_history(str(path))
    assert (history.ids, history.results, history.unfinished) == (set(), {}, None)


def test_history_knows_ids_results_and_the_last_open_game(path: Path) -> None:
    games = [
        [encode(record) for record in play_out(Deal.from_number(number), RULES[rules], "first", seed=1)]
        for number, rules in ((0, "pyramide"), (1, "pyramide"), (9, "relaxed"), (3, "pyramide"), (4, "pyramide"))
    ]
    lines = [*games[0], *games[1], *games[2], *games[3][:5], b"rubbish\n", *games[4][:-1]]
    path.write_bytes(b"".join(lines))
    history = read_history(str(path))
    assert history.ids == {json.loads(game[0])["game"] for game in games}
    # Without a score only a win ranks, and the relaxed game was lost.
    assert {rules.name: len(results) for rules, results in history.results.items()} == {"pyramide": 2}
    assert min(history.results[RULES["pyramide"]])[0] == -280
    assert history.unfinished is not None
    assert history.unfinished.source.code == "PY1-N-AAAAAAE"
    assert history.unfinished.entries == len(games[4]) - 2
