from dataclasses import FrozenInstanceError

import pytest

from pyramide_cli.rules import AXES, DEFAULT_RULES, RULES, Rules, RulesError, find_rules

# The table of presets, written down a second time.
TABLE = """
pyramide           pyramid  -  yes  -           100  no   pyramide   rules
pyramid-solitaire  pyramid  -  no   -           -    yes  none       proof
relaxed            pyramid  1  no   -           -    no   none       rules
easy               pyramid  2  no   -           -    no   none       rules
classic            all      1  no   drawn_pair  -    no   none       rules
microsoft          pyramid  3  no   stock_open  -    no   microsoft  rules
par                all      3  no   drawn_pair  -    no   par        rules
"""


def test_the_presets_have_the_axes_of_the_table() -> None:
    names = []
    for line in TABLE.strip().splitlines():
        name, goal, passes, deal_waste, extra, limit, counts, scoring, stuck = line.split()
        rules = RULES[name]
        names.append(name)
        assert (rules.goal, rules.scoring, rules.stuck) == (goal, scoring, stuck)
        assert rules.passes == (None if passes == "-" else int(passes))
        assert rules.undo_limit == (None if limit == "-" else int(limit))
        assert (rules.deal_waste, rules.undo_counts) == (deal_waste == "yes", counts == "yes")
        assert [axis for axis in ("stock_open", "drawn_pair", "cover_pair") if getattr(rules, axis)] == (
            [] if extra == "-" else [extra]
        )
    assert names == list(RULES)
    assert DEFAULT_RULES.name == "pyramide"


def test_rules_survive_their_record() -> None:
    for rules in (
        *RULES.values(),
        DEFAULT_RULES.replace(passes=7),
        RULES["par"].replace(undo_limit=0, cover_pair=True),
    ):
        assert Rules.from_record(rules.record()) == rules
    assert RULES["easy"].record() == "easy"
    assert DEFAULT_RULES.replace(passes=7).record() == {
        "goal": "pyramid",
        "passes": 7,
        "deal_waste": True,
        "stock_open": False,
        "drawn_pair": False,
        "cover_pair": False,
        "undo_limit": 100,
        "undo_counts": False,
        "scoring": "pyramide",
        "stuck": "rules",
    }


def test_axes_that_make_a_preset_get_its_name() -> None:
    assert RULES["relaxed"].replace(passes=2) is RULES["easy"]
    assert Rules.from_record(RULES["par"].axes()) is RULES["par"]
    assert RULES["relaxed"].replace(passes=4).name is None
    assert str(RULES["relaxed"]) == "relaxed"
    assert "passes=unlimited" in str(RULES["relaxed"].replace(passes=None))


def test_names_and_aliases() -> None:
    assert find_rules(" Pyramid_Solitaire ") is RULES["pyramid-solitaire"]
    assert find_rules("King Tut") is find_rules("Tut's Tomb") is RULES["relaxed"]
    with pytest.raises(RulesError, match=r"no rules are called 'golf'; known are pyramide, .*king-tut"):
        find_rules("golf")


@pytest.mark.parametrize(
    "axes",
    [
        {"goal": "half"},
        {"passes": 0},
        {"passes": True},
        {"passes": 1.5},
        {"passes": 10**7},
        {"undo_limit": -1},
        {"undo_limit": "unlimited"},
        {"stock_open": 1},
        {"scoring": None},
        {"stuck": "maybe"},
        {"name": "mine"},
        {"colour": "green"},
    ],
)
def test_axes_refuse_what_they_cannot_have(axes: dict[str, object]) -> None:
    with pytest.raises(RulesError):
        DEFAULT_RULES.replace(**axes)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "must be a preset's name or an object"),
        ([], "must be a preset's name or an object"),
        ({}, "lack the axis 'goal'"),
        (DEFAULT_RULES.axes() | {"extra": 1}, "unknown axis 'extra'"),
        (DEFAULT_RULES.axes() | {"passes": "many"}, "passes must be a whole number"),
        (dict.fromkeys(AXES), "goal must be one of"),
    ],
)
def test_records_that_hold_no_rules_are_refused(value: object, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.from_record(value)


def test_the_largest_counts() -> None:
    rules = DEFAULT_RULES.replace(passes=1_000_000, undo_limit=1_000_000)
    assert (rules.passes, rules.undo_limit) == (1_000_000, 1_000_000)
    for axis, least in (("passes", 1), ("undo_limit", 0)):
        for value in (least - 1, 1_000_001):
            with pytest.raises(RulesError) as caught:
                DEFAULT_RULES.replace(**{axis: value})
            message = f"{axis} must be a whole number from {least} to 1000000 or unlimited, not {value}"
            assert str(caught.value) == message
        assert DEFAULT_RULES.replace(**{axis: least}).axes()[axis] == least


def test_rules_never_change() -> None:
    with pytest.raises(FrozenInstanceError):
        DEFAULT_RULES.passes = 1  # type: ignore[misc]
    assert not hasattr(DEFAULT_RULES, "__dict__")


def test_rules_without_a_name_are_printed_as_their_axes() -> None:
    assert str(DEFAULT_RULES.replace(passes=None, stock_open=True, undo_limit=7)) == (
        "goal=pyramid passes=unlimited deal_waste=yes stock_open=yes drawn_pair=no cover_pair=no undo_limit=7 "
        "undo_counts=no scoring=pyramide stuck=rules"
    )
