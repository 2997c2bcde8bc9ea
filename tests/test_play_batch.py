"""Automatic players as a command: any number of deals, from anywhere, into logs."""

from __future__ import annotations

from pathlib import Path

from tests.calling import Call

CODE = "PY1-N-AAAAAAS"


def test_a_batch_reads_deals_from_everywhere(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text(f"{CODE}\n7\n")
    deals = call("deal", "--start", "PY1-N-AAAAAAA", "--count", "3")
    played = call("play", "--player", "greedy", "--seed", "1", "5", file, "-", text=deals.out)
    assert played.code == 0
    games = call("replay", text=played.out).records
    assert [game["code"][-1] for game in games] == ["F", "S", "H", "A", "B", "C"]
    assert all(game["fault"] is None and game["outcome"] in ("won", "given-up") for game in games)
    assert {game["player"] for game in games} == {"greedy"}


def test_a_seeded_batch_has_the_same_bytes_each_time(call: Call) -> None:
    deals = "1\n2\n1\n1\n"
    one = call("play", "--player", "random", "--seed", "9", text=deals)
    two = call("play", "--player", "random", "--seed", "9", text=deals)
    assert one.out == two.out
    ids = [record["game"] for record in one.records if record["type"] == "deal"]
    assert len(set(ids)) == 4
    assert all(game["fault"] is None for game in call("replay", text=one.out).records)


def test_a_seed_is_the_same_number_for_every_command(call: Call) -> None:
    refused = [call("deal", "--seed", "-5"), call("play", "--player", "first", "--seed", "-5", text="1\n")]
    assert [done.code for done in refused] == [2, 2]
    assert refused[0].err.splitlines()[-1] == refused[1].err.splitlines()[-1]
    named = call("play", "--seed", "1_000", "--moves", "quit").records[0]["code"]
    assert named == call("deal", "--seed", "1,000").records[0]["code"]


def test_a_seeded_batch_appended_twice_keeps_ids_unique(call: Call, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    for _ in range(3):
        assert call("play", "--player", "first", "--seed", "1", "4", "4", "--log", log).code == 0
    games = call("replay", log).records
    assert len({game["game"] for game in games}) == 6
    assert all(game["fault"] is None for game in games)


def test_bad_deals_do_not_stop_a_batch(call: Call) -> None:
    played = call("play", "--player", "first", "--seed", "1", text="1\nfish\n2\n")
    assert played.code == 3
    assert "<stdin>:2: " in played.err
    assert len(call("replay", text=played.out).records) == 2


def test_under_strict_a_batch_stops_at_the_first_bad_deal(call: Call) -> None:
    played = call("play", "--player", "first", "--seed", "1", "--strict", text="1\nfish\n2\n")
    assert played.code == 3
    assert played.err.startswith("<stdin>:2: ")
    assert [game["code"] for game in call("replay", text=played.out).records] == ["PY1-N-AAAAAAB"]


def test_rules_of_records_hold_in_a_batch(call: Call) -> None:
    deals = call("deal", "1", "--rules", "easy")
    assert call("play", "--player", "first", text=deals.out).records[0]["rules"] == "easy"
    assert call("play", "--player", "first", "--rules", "par", text=deals.out).records[0]["rules"] == "par"
