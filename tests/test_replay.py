"""What replay says of logs and solutions, right and wrong."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from pyramide_cli.batches import solution_record
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.players import PLAYERS, play_out
from pyramide_cli.records import GameRecord, Problem, encode, read_records
from pyramide_cli.replay import Checked, Replayer, Step, Track, own_rules, replay
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.solver import solve

CODE = "PY1-N-AAAAAAS"
Line = dict[str, Any]


def log(number: int = 18, player: str = "first", rules: Rules = RULES["pyramide"], seed: int = 1) -> list[Line]:
    """Return the records of a whole game as dictionaries that a test can spoil."""
    return [json.loads(encode(record)) for record in play_out(Deal.from_number(number), rules, player, seed=seed)]


def written(lines: Iterable[Line | str]) -> bytes:
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    return b"".join(text.encode() + b"\n" for text in texts)


def check(lines: Iterable[Line | str] | bytes, rules: Rules | None = None) -> list[Checked | Problem]:
    data = lines if isinstance(lines, bytes) else written(lines)
    return list(replay(read_records(io.BytesIO(data), "log"), own_rules if rules is None else lambda source: rules))


def check_game(lines: Iterable[Line | str] | bytes, rules: Rules | None = None) -> GameRecord:
    [result] = check(lines, rules)
    assert isinstance(result, Checked)
    assert (None if result.problem is None else str(result.problem)) == result.record.fault
    return result.record


def start(**more: Any) -> Line:
    return {"type": "deal", "v": 1, "game": "g", "code": CODE, "rules": "pyramide"} | more


def entry(n: int, move: str, score: int | None, moves: int, **more: Any) -> Line:
    return {"type": "move", "v": 1, "game": "g", "n": n, "move": move, "score": score, "moves": moves} | more


def end(outcome: str, score: int | None, moves: int, undos: int = 0, **more: Any) -> Line:
    return (
        {"type": "end", "v": 1, "game": "g", "outcome": outcome, "score": score, "moves": moves}
        | {"undos": undos}
        | more
    )


SHORT = [start(), entry(1, "Kd", 10, 1), entry(2, "3s+Tc", 30, 2), entry(3, "undo", 10, 2), entry(4, "draw", 10, 3)]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("player", ["first", "random", "greedy"])
def test_games_of_players_agree(player: str, rules: Rules) -> None:
    for number in range(10):
        lines = log(number, player, rules)
        record = check_game(lines)
        assert record.fault is None
        assert record.checked == len(lines) - 2
        assert record.outcome == lines[-1]["outcome"]
        assert record.moves == (record.removals or 0) + (record.draws or 0) + (record.recycles or 0)


def test_counters_are_net_of_undone_moves() -> None:
    record = check_game([*SHORT, end("given-up", 10, 3, undos=1, t=7.5)])
    assert record.fault is None
    assert (record.removals, record.draws, record.recycles, record.undos) == (1, 1, 0, 1)
    assert (record.moves, record.score, record.cleared, record.removed, record.t) == (3, 10, 1, 1, 7.5)
    assert (record.outcome, record.code, record.cards, record.checked) == ("given-up", CODE, None, 4)


def test_a_game_without_an_end_is_open() -> None:
    record = check_game(SHORT)
    assert (record.outcome, record.fault, record.checked) == ("open", None, 4)


def test_undo_counts_where_the_rules_say_so() -> None:
    rules = RULES["pyramid-solitaire"]
    lines = [
        start(rules="pyramid-solitaire"),
        entry(1, "Kd", None, 1),
        entry(2, "undo", None, 2),
        end("given-up", None, 2, undos=1),
    ]
    assert check_game(lines).fault is None
    assert rules.undo_counts
    lines[2]["moves"] = 1
    assert check_game(lines).fault == "log:3: game g: entry 2: the move count is 1, but should be 2"


@pytest.mark.parametrize(
    ("place", "change", "fault", "checked"),
    [
        (1, {"score": 20}, "log:2: game g: entry 1: the score is 20, but should be 10", 3),
        (1, {"score": None}, "log:2: game g: entry 1: the score is null, but should be 10", 3),
        (2, {"moves": 7}, "log:3: game g: entry 2: the move count is 7, but should be 2", 3),
        (2, {"n": 5}, "log:3: game g: entry 5 where entry 2 should be", 2),
        (2, {"move": "Tc+4h"}, "log:3: game g: entry 2, Tc+4h: the sum must be 13", 1),
        (2, {"move": "Jd+2c"}, "log:3: game g: entry 2, Jd+2c: Jd is blocked by another card", 1),
        (2, {"move": "Kd"}, "log:3: game g: entry 2, Kd: Kd is not there", 1),
        (2, {"move": "castle"}, "log:3: game g: entry 2, castle: 'castle' is not a move", 1),
        (4, {"move": "recycle"}, "log:5: game g: entry 4, recycle: a recycle needs an empty stock", 3),
        (5, {"outcome": "won"}, "log:6: game g: the end says won, but the game is not over", 4),
        (5, {"outcome": "open"}, "log:6: game g: the end says open, but the game is not over", 4),
        (5, {"score": 0}, "log:6: game g: the end has the score 0, but it should be 10", 4),
        (5, {"moves": 4}, "log:6: game g: the end has the move count 4, but it should be 3", 4),
        (5, {"undos": 0}, "log:6: game g: the end has the undo count 0, but it should be 1", 4),
        (0, {"code": "PY1-N-AAAAAA0"}, "log:1: game g: 'PY1-N-AAAAAA0' is not a deal code", 0),
        (0, {"code": None}, "log:1: game g: this record holds no deal", 0),
        (0, {"rules": "chess"}, "log:1: game g: no rules are called 'chess'", 0),
        (0, {"cards": "Kd Kd"}, "log:1: game g: not a deck of 52 cards", 0),
    ],
)
def test_the_first_thing_wrong_is_named(place: int, change: Line, fault: str, checked: int) -> None:
    lines = [dict(line) for line in (*SHORT, end("given-up", 10, 3, undos=1))]
    lines[place] |= change
    record = check_game(lines)
    assert record.fault is not None
    assert record.fault.startswith(fault)
    assert record.checked == checked


def test_only_the_first_fault_counts_and_other_games_go_on() -> None:
    spoiled, sound = log(1), log(2)
    spoiled[3]["score"] = spoiled[4]["score"] = 999
    records = [result.record for result in check([*spoiled, *sound]) if isinstance(result, Checked)]
    assert [record.fault is None for record in records] == [False, True]
    assert records[0].fault is not None
    assert records[0].fault.startswith("log:4:")
    assert records[0].checked == len(spoiled) - 4


def test_an_over_game_has_its_own_outcome() -> None:
    lines = log(0)
    assert lines[-1]["outcome"] == "won"
    lines[-1]["outcome"] = "given-up"
    record = check_game(lines)
    assert record.outcome == "won"
    assert record.fault == f"log:{len(lines)}: game {lines[0]['game']}: the end says given-up, but the game is won"


def test_cards_count_when_the_code_does_not_deal_them() -> None:
    other = Deal.from_number(18)
    record = check_game([start(code="PY1-N-AAAAAAA", cards=other.text()), *SHORT[1:]])
    assert record.fault is not None
    assert record.fault.startswith("log:1: game g: the code PY1-N-AAAAAAA does not deal the cards beside it")
    assert (record.code, record.cards, record.checked) == (None, other.text(), 4)


def test_cards_count_beside_a_code_that_is_none() -> None:
    record = check_game([start(code="PY1-N-?", cards=Deal.from_number(18).text()), *SHORT[1:]])
    assert record.fault == "log:1: game g: the code PY1-N-? does not deal the cards beside it; the cards count"
    assert (record.code, record.checked) == (None, 4)


def test_interleaved_games_are_told_apart() -> None:
    one, two = log(1), log(2)
    mixed = [line for pair in zip(one, two, strict=False) for line in pair]
    mixed += one[len(two) :] or two[len(one) :]
    records = [result.record for result in check(mixed) if isinstance(result, Checked)]
    assert {record.game for record in records} == {one[0]["game"], two[0]["game"]}
    assert all(record.fault is None for record in records)


def test_entries_after_the_end() -> None:
    lines = log(1)
    name = lines[0]["game"]
    late = entry(len(lines) - 1, "undo", 0, 1, game=name)
    record = check_game([*lines, late])
    assert record.fault == f"log:{len(lines) + 1}: game {name}: an entry after the end of the game"
    results = check([*lines, *log(2), late, late])
    assert [str(result) for result in results if isinstance(result, Problem)] == [
        f"log:{len(lines) + len(log(2)) + 1}: game {name}: an entry after its end; it began at log:1"
    ]


def test_entries_of_an_unknown_game_are_reported_once() -> None:
    results = check([entry(1, "Kd", 10, 1), entry(2, "draw", 10, 2), end("given-up", 10, 2)])
    assert [str(result) for result in results] == ["log:1: game g: no deal comes before this entry"]


def test_a_game_id_used_twice() -> None:
    lines = log(1)
    first, second = check([*lines, *lines])
    assert isinstance(first, Checked)
    assert isinstance(second, Checked)
    assert first.record.fault is None
    assert second.record.checked == first.record.checked
    assert second.record.fault == (
        f"log:{len(lines) + 1}: game {lines[0]['game']}: its id is that of the game that began at log:1"
    )


def test_a_torn_last_line_keeps_the_game_before_it() -> None:
    data = written(SHORT)
    results = check(data[:-12])
    [problem] = [result for result in results if isinstance(result, Problem)]
    [checked] = [result for result in results if isinstance(result, Checked)]
    assert (problem.line, problem.kind) == (5, "torn")
    assert (checked.record.checked, checked.record.fault, checked.record.outcome) == (3, None, "open")


def test_bad_lines_do_not_stop_the_game() -> None:
    lines: list[Line | str] = [*SHORT]
    lines[2:2] = ["[]", "{", '{"type":"spam","v":1}']
    results = check(lines)
    assert [result.line for result in results if isinstance(result, Problem)] == [3, 4, 5]
    [checked] = [result for result in results if isinstance(result, Checked)]
    assert (checked.record.fault, checked.record.checked) == (None, 4)


def test_rules_come_from_the_caller_before_the_record_before_the_default() -> None:
    assert check_game([{key: value for key, value in start().items() if key != "rules"}]).rules == "pyramide"
    assert check_game([start(rules="easy")]).rules == "easy"
    assert check_game([start(rules="easy")], RULES["par"]).rules == "par"
    axes = RULES["easy"].replace(passes=7)
    assert check_game([start(rules=axes.axes())]).rules == axes.axes()


def solution(**more: Any) -> Line:
    moves = [line["move"] for line in log(0) if line["type"] == "move"]
    whole: Line = {"type": "solution", "v": 1, "code": "PY1-N-AAAAAAA", "rules": "pyramide", "cards": None}
    whole |= {"find": "any", "verdict": "winnable", "length": len(moves), "optimal": False, "score": 280}
    whole |= {"cleared": 28, "removed": 44, "lower": 20, "upper": len(moves), "line": moves, "states": 5}
    return whole | {"seconds": 0.5} | more


def test_a_solution_agrees() -> None:
    record = check_game([solution()])
    assert record.fault is None
    assert (record.game, record.outcome, record.verdict, record.score) == (None, "won", "winnable", 280)
    assert (record.length, record.optimal, record.states, record.seconds) == (record.moves, False, 5, 0.5)
    assert record.checked == record.length


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"length": 3}, "the length is 3, but should be 62"),
        ({"score": 270}, "the score is 270, but should be 280"),
        ({"cleared": 27}, "the number of cleared cards is 27, but should be 28"),
        ({"removed": 27}, "the number of removed cards is 27, but should be 44"),
        ({"verdict": "unwinnable"}, "the verdict is unwinnable, but the line wins"),
        ({"verdict": "undecided"}, "the verdict is undecided, but the line wins"),
        ({"lower": 70}, "the lower bound 70 is above the upper bound 62"),
        ({"find": "shortest", "lower": 20, "upper": 61}, "what was asked is 62, but its bounds are 20 and 61"),
        ({"find": "shortest", "lower": 63, "upper": 70}, "what was asked is 62, but its bounds are 63 and 70"),
        ({"find": "most", "lower": 20, "upper": 27}, "what was asked is 28, but its bounds are 20 and 27"),
        ({"find": "score", "lower": 290, "upper": None}, "what was asked is 280, but its bounds are 290 and null"),
        ({"find": "shortest", "optimal": True}, "it is optimal, but its bounds are 20 and 62"),
        ({"line": ["draw", "recycle"]}, "move 2 of the line, recycle: a recycle needs an empty stock"),
        ({"line": ["draw"], "length": 1, "score": 0, "cleared": 0, "removed": 0}, "the verdict is winnable, but"),
        ({"line": None}, "the length is 62, but there is no line"),
    ],
)
def test_what_is_wrong_with_a_solution(change: Line, fault: str) -> None:
    record = check_game([solution(**change)])
    assert record.fault is not None
    assert record.fault.startswith(f"log:1: solution of PY1-N-AAAAAAA: {fault}")


def test_solutions_without_a_line_have_no_outcome() -> None:
    nothing = dict.fromkeys(("length", "score", "cleared", "removed", "lower", "upper", "line"))
    record = check_game([solution(verdict="unwinnable", **nothing)])
    assert (record.fault, record.outcome, record.moves, record.checked) == (None, None, None, 0)
    brief = {key: solution()[key] for key in ("type", "v", "code", "rules", "find", "verdict", "length")}
    record = check_game([brief])
    assert (record.fault, record.outcome, record.verdict, record.length) == (None, None, "winnable", 62)
    record = check_game([brief | {"code": None}])
    assert (record.fault, record.code, record.outcome) == (None, None, None)


def test_records_that_have_nothing_to_replay_are_passed_over() -> None:
    game = json.loads(encode(check_game(SHORT)))
    deal = {key: value for key, value in start().items() if key != "game"}
    replayer = Replayer()
    assert list(replayer.replay(read_records(io.BytesIO(written([game, deal]))))) == []
    assert replayer.passed_over == 2


def test_every_step_is_watched() -> None:
    seen: list[tuple[int, str | None, int]] = []

    def watch(step: Step) -> None:
        seen.append((step.n, None if step.move is None else str(step.move), step.game.cleared))

    list(replay(read_records(io.BytesIO(written(SHORT))), watch=watch))
    assert seen == [(0, None, 0), (1, "Kd", 1), (2, "3s+Tc", 3), (3, "undo", 1), (4, "draw", 1)]


def test_open_games_can_be_gone_on_with() -> None:
    replayer = Replayer()
    assert list(replayer.follow(read_records(io.BytesIO(written([*SHORT, *log(1)]))))) != []
    [track] = replayer.open.values()
    game = track.game
    assert isinstance(game, Game)
    assert (track.n, game.moves, game.undoable) == (4, 3, 2)


def test_all_players_are_known() -> None:
    assert {"first", "random", "greedy"} <= set(PLAYERS)


def track_of(lines: Iterable[Line | str]) -> Track:
    [result] = check(lines)
    assert isinstance(result, Checked)
    return result.track


def test_a_won_game_without_its_end_is_open() -> None:
    lines = log(0)
    assert lines[-1]["outcome"] == "won"
    assert check_game(lines).outcome == "won"
    assert check_game(lines[:-1]).outcome == "open"
    assert not track_of(lines[:-1]).ended
    assert track_of(lines).ended


def test_nothing_counts_behind_an_entry_that_cannot_be_made() -> None:
    lines = log(0)
    lines[4]["move"] = "recycle"
    for number, line in enumerate(lines[1:], 1):
        line["t"] = float(number)
    right = track_of(lines[:4])
    track = track_of(lines)
    assert (track.n, track.entries, track.checked, track.broken) == (3, 3, 3, True)
    assert (right.n, right.entries, right.checked, right.broken) == (3, 3, 3, False)
    assert track.game is not None
    assert right.game is not None
    assert (track.game.position, track.game.moves) == (right.game.position, right.game.moves)
    record = check_game(lines)
    assert (record.checked, record.outcome) == (3, "open")
    assert record.fault is not None
    assert record.fault.startswith("log:5: game ")


def test_a_track_knows_its_rules() -> None:
    assert track_of(log(0, rules=RULES["easy"])).rules == RULES["easy"]
    assert track_of([start(code="PY1-N-0")]).rules is None
    assert track_of([start(code="PY1-N-0")]).broken


def test_long_names_are_cut() -> None:
    for length in (39, 40, 41, 80):
        track = track_of([start(game="g" * length)])
        assert track.name == "game " + ("g" * length if length <= 40 else "g" * 39 + "…")


def test_a_result_never_changes() -> None:
    [result] = check(log(0))
    assert isinstance(result, Checked)
    with pytest.raises(FrozenInstanceError):
        result.problem = None  # type: ignore[misc]
    assert not hasattr(result, "__dict__")


def test_a_solution_has_ended_and_breaks_where_its_line_does() -> None:
    solution = solution_record(solve(Deal.from_number(0)))
    good = json.loads(encode(solution))
    track = track_of([good])
    assert (track.ended, track.broken, track.entries) == (True, False, len(good["line"]))
    assert track.problem is None
    assert good["lower"] == good["upper"] == good["length"]
    track = track_of([good | {"line": [*good["line"][:3], "Kd+Kd"]}])
    assert (track.ended, track.broken, track.entries, track.checked) == (True, True, 3, 3)


def test_what_is_no_deal_is_kept_as_it_was_written() -> None:
    assert check_game([start(code=None, cards="Kd Kd")]).cards == "Kd Kd"
    wrong = check_game([start(code="PY1-N-0", cards="Kd Kd")])
    assert (wrong.code, wrong.cards) == ("PY1-N-0", None)
    assert check_game([start()]).cards is None
    deal = Deal.from_number(18).text()
    assert check_game([start(code=None, cards=deal)]).cards == deal


def test_only_the_first_time_that_goes_back_is_warned_of() -> None:
    def warning(*times: float | None) -> str | None:
        lines = [line | {"t": t} for line, t in zip(log(0)[1:], times, strict=False)]
        track = track_of([log(0)[0], *lines])
        assert track.problem is None
        return None if track.warning is None else str(track.warning).partition("warning: ")[2]

    assert warning(1.0, 1.0, 2.0, 2.0) is None
    assert warning(None, 3.0, None, 3.0, 4.0) is None
    assert warning(1.0, 0.5, 2.0, 1.5) == "the time goes back from 1.0 to 0.5"
    assert warning(1.0, None, 0.5) == "the time goes back from 1.0 to 0.5"
