"""Records: what is written, what is read back, and the schema of both."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from pyramide_cli import RULES, Deal
from pyramide_cli.deals import DealError
from pyramide_cli.errors import PyramideError
from pyramide_cli.records import (
    UNSET,
    VERSION,
    DealRecord,
    EndRecord,
    GameRecord,
    MoveRecord,
    RecordError,
    SolutionRecord,
    code_fault,
    deal_of,
    deal_record,
    decode,
    encode,
    known,
    rules_of,
)
from pyramide_cli.records.schema import SCHEMA_FILE, schema_text
from pyramide_cli.rules import RulesError

DEAL = Deal.from_code("PY1-N-AAAAAAS")
CARDS = DEAL.text()

# One line of each kind, key by key as the README shows them.
LINES = {
    "deal": '{"type":"deal","v":1,"code":"PY1-N-AAAAAAS","rules":"pyramide","cards":"CARDS"}',
    "deal without a code": '{"type":"deal","v":1,"code":null,"rules":"pyramide","cards":"CARDS"}',
    "game": '{"type":"deal","v":1,"game":"g1","code":"PY1-N-AAAAAAS","rules":"pyramide","cards":"CARDS",'
    '"player":"me","at":"2026-11-30T08:00:00Z"}',
    "move": '{"type":"move","v":1,"game":"g1","n":1,"move":"Kd","score":10,"moves":1,"t":2.4}',
    "move without time": '{"type":"move","v":1,"game":"g1","n":2,"move":"Tc+3s","score":null,"moves":2}',
    "end": '{"type":"end","v":1,"game":"g1","outcome":"given-up","score":280,"moves":61,"undos":1,"t":312.0}',
    "result": '{"type":"game","v":1,"game":"g1","code":"PY1-N-AAAAAAS","cards":null,"rules":"pyramide","player":"me",'
    '"at":null,"outcome":"won","score":280,"moves":61,"removals":26,"draws":33,"recycles":1,"undos":1,"cleared":28,'
    '"removed":45,"t":312.0,"checked":63,"fault":null}',
    "result of a solution": '{"type":"game","v":1,"game":null,"code":"PY1-N-AAAAAAS","cards":null,"rules":"pyramide",'
    '"player":null,"at":null,"outcome":null,"score":null,"moves":null,"removals":null,"draws":null,"recycles":null,'
    '"undos":null,"cleared":null,"removed":null,"t":null,"checked":0,"fault":null,"verdict":"unwinnable",'
    '"length":null,"optimal":true,"states":1,"seconds":0.5}',
    "solution": '{"type":"solution","v":1,"code":"PY1-N-AAAAAAS","rules":"pyramide","cards":"CARDS","find":"shortest",'
    '"verdict":"winnable","length":3,"optimal":true,"score":280,"cleared":28,"removed":44,"lower":57,"upper":57,'
    '"line":["Kd","Tc+3s","draw"],"states":12345,"seconds":0.004}',
    "solution without a line": '{"type":"solution","v":1,"code":null,"rules":"relaxed","cards":"CARDS","find":"rank=T",'
    '"verdict":"undecided","length":null,"optimal":false,"score":null,"cleared":null,"removed":null,"lower":2,'
    '"upper":4,"line":null,"states":12345,"seconds":0.004}',
    "brief solution": '{"type":"solution","v":1,"code":"PY1-N-AAAAAAS","rules":"pyramide","find":"any",'
    '"verdict":"winnable","length":57}',
    "analysis": '{"type":"analysis","v":1,"game":"g1","n":17,"move":"4h+9c","before":"winnable","after":"unwinnable",'
    '"left_before":41,"left_after":null,"cost":null}',
    "rules as axes": '{"type":"deal","v":1,"code":"PY1-N-AAAAAAS","rules":{"goal":"all","passes":null,'
    '"deal_waste":true,"stock_open":false,"drawn_pair":false,"cover_pair":true,"undo_limit":3,"undo_counts":false,'
    '"scoring":"none","stuck":"proof"},"cards":null}',
}


LINES = {name: line.replace('"CARDS"', f'"{CARDS}"') for name, line in LINES.items()}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_a_line_that_is_read_and_written_is_the_same_line(line: str) -> None:
    assert encode(decode(line.encode())) == line.encode() + b"\n"


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_the_schema_accepts_every_line(line: str) -> None:
    jsonschema.validate(json.loads(line), json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def test_the_kept_schema_is_that_of_the_code() -> None:
    kept = SCHEMA_FILE.read_text(encoding="utf-8")
    assert kept == schema_text(), "write it anew: python -m pyramide_cli.records.schema"


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("move", {"v": 2}),
        ("move", {"n": 0}),
        ("move", {"n": 10**30}),
        ("move", {"score": 2**60}),
        ("move", {"t": -1}),
        ("move", {"game": None}),
        ("end", {"outcome": "quit"}),
        ("solution", {"find": "rank=1"}),
        ("solution", {"verdict": "yes"}),
        ("solution", {"line": "Kd"}),
        ("deal", {"rules": 3}),
        ("deal", {"rules": {"goal": ["all"]}}),
        ("deal", {"cards": 52}),
        ("game", {"type": "gaem"}),
    ],
)
def test_the_reader_and_the_schema_refuse_the_same(kind: str, changes: dict[str, Any]) -> None:
    value = json.loads(LINES[kind]) | changes
    with pytest.raises(RecordError):
        decode(json.dumps(value).encode())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


@pytest.mark.parametrize("kind", ["move", "end", "solution", "deal", "game", "analysis"])
def test_the_version_is_never_left_out(kind: str) -> None:
    value = json.loads(LINES[kind])
    del value["v"]
    with pytest.raises(RecordError, match='"v"'):
        decode(json.dumps(value).encode())


def test_unknown_keys_are_ignored() -> None:
    value = json.loads(LINES["move"]) | {"mood": {"good": [True]}, "x": None}
    assert decode(json.dumps(value).encode()) == decode(LINES["move"].encode())


def test_a_key_written_twice_counts_with_its_last_value() -> None:
    record = decode(LINES["move"].replace('"n":1', '"n":1,"n":7').encode())
    assert isinstance(record, MoveRecord)
    assert record.n == 7


def test_keys_that_only_some_records_have() -> None:
    brief = decode(LINES["brief solution"].encode())
    full = decode(LINES["solution"].encode())
    assert isinstance(brief, SolutionRecord)
    assert isinstance(full, SolutionRecord)
    assert brief.is_brief
    assert not full.is_brief
    assert brief.line is UNSET
    assert known(brief.line) is None
    assert known(full.line) == ["Kd", "Tc+3s", "draw"]


@pytest.mark.parametrize("sign", ["\x1b[31m", "\x00", "\x7f", "\x9b31m", "\u202e", "\u2028", "\n"])
def test_no_line_holds_what_a_terminal_or_another_reader_would_obey(sign: str) -> None:
    record = DealRecord(v=VERSION, code=None, player=f"a{sign}b", cards=CARDS)
    line = encode(record)
    assert line.count(b"\n") == 1
    assert sign not in line.decode().removesuffix("\n")
    assert decode(line) == record


def test_suits_and_accents_stay_readable() -> None:
    record = DealRecord(v=VERSION, code=None, player="Zoë ♣", cards=CARDS)
    assert "Zoë ♣".encode() in encode(record)


def test_a_deal_out_of_a_record() -> None:
    assert deal_of(decode(LINES["deal"].encode())) == DEAL
    assert deal_of(decode(LINES["result"].encode())) == DEAL
    assert deal_of(decode(LINES["brief solution"].encode())) == DEAL
    no_code = deal_of(decode(LINES["deal without a code"].encode()))
    assert no_code.code is None
    assert no_code.cards == DEAL.cards


def test_where_code_and_cards_disagree_the_cards_count() -> None:
    for code in ("PY1-N-AAAAAAJ", "PY1-N-AAAAAA0"):
        record = DealRecord(v=VERSION, code=code, cards=CARDS)
        deal = deal_of(record)
        assert deal.cards == DEAL.cards
        assert deal.code is None
        assert "does not deal" in (code_fault(record, deal) or "")
    good = DealRecord(v=VERSION, code="py1-n-aaaaaas", cards=CARDS)
    assert deal_of(good) == DEAL
    assert code_fault(good, deal_of(good)) is None


@pytest.mark.parametrize(
    "record",
    [
        DealRecord(v=VERSION),
        DealRecord(v=VERSION, code="PY1-N-AAAAAA0"),
        DealRecord(v=VERSION, cards="Kd Kd"),
        MoveRecord(v=VERSION, game="g", n=1, move="Kd", score=1, moves=1),
    ],
)
def test_a_record_that_holds_no_deal(record: Any) -> None:
    with pytest.raises(DealError):
        deal_of(record)


def test_rules_out_of_a_record() -> None:
    assert rules_of(decode(LINES["deal"].encode())) is RULES["pyramide"]
    assert rules_of(DealRecord(v=VERSION)) is None
    assert rules_of(EndRecord(v=VERSION, game="g", outcome="won", score=1, moves=1, undos=0)) is None
    axes = rules_of(decode(LINES["rules as axes"].encode()))
    assert axes is not None
    assert axes.name is None
    assert axes.undo_limit == 3
    bad: list[Any] = ["tut", {"goal": "all"}, RULES["par"].axes() | {"goal": "some"}, RULES["par"].axes() | {"x": 1}]
    for rules in bad:
        with pytest.raises(RulesError):
            rules_of(DealRecord(v=VERSION, rules=rules))


def test_the_record_of_a_deal() -> None:
    record = deal_record(DEAL, RULES["easy"].replace(passes=1), game="g1", player="me")
    assert record.rules == "relaxed"
    assert decode(encode(record)) == record
    assert issubclass(RecordError, PyramideError)


def test_what_has_no_value_is_null_in_a_result_and_left_out_of_a_log() -> None:
    assert json.loads(encode(GameRecord(v=VERSION, outcome="open")))["t"] is None
    move = MoveRecord(v=VERSION, game="g", n=1, move="Kd", score=None, moves=1)
    assert json.loads(encode(move)) == {
        "type": "move",
        "v": 1,
        "game": "g",
        "n": 1,
        "move": "Kd",
        "score": None,
        "moves": 1,
    }
