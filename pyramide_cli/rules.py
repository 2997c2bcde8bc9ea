"""Rulesets and presets, as data.

The axes, the presets and their sources are in the README under "Rules": the app Pyramide, Pyramid Solitaire,
Piramida (relaxed Pyramid), and the variants that the literature names.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from pyramide_cli.errors import PyramideError

Goal = Literal["pyramid", "all"]
Scoring = Literal["pyramide", "microsoft", "par", "none"]
Stuck = Literal["rules", "proof"]

GOALS: tuple[Goal, ...] = ("pyramid", "all")
SCORINGS: tuple[Scoring, ...] = ("pyramide", "microsoft", "par", "none")
STUCKS: tuple[Stuck, ...] = ("rules", "proof")
UNLIMITED = "unlimited"

MAX_PASSES = 1_000_000
"""More passes than this are refused: no game needs them, and counters stay small."""


class RulesError(PyramideError):
    """A ruleset's name or axes are not valid."""


@dataclasses.dataclass(frozen=True, slots=True)
class Rules:
    """A ruleset: one value for each axis, and the name of the preset that has these axes.

    `passes` is the number of passes through the stock, `undo_limit` how many actions can be undone; None is
    unlimited. `name` is None where no preset has these axes. Raises `RulesError` when an axis has a value that
    it cannot have.
    """

    name: str | None = None
    goal: Goal = "pyramid"
    passes: int | None = None
    deal_waste: bool = False
    stock_open: bool = False
    drawn_pair: bool = False
    cover_pair: bool = False
    undo_limit: int | None = None
    undo_counts: bool = False
    scoring: Scoring = "none"
    stuck: Stuck = "rules"

    def __post_init__(self) -> None:
        _check_choice("goal", self.goal, GOALS)
        _check_choice("scoring", self.scoring, SCORINGS)
        _check_choice("stuck", self.stuck, STUCKS)
        _check_count("passes", self.passes, 1)
        _check_count("undo_limit", self.undo_limit, 0)
        for axis in ("deal_waste", "stock_open", "drawn_pair", "cover_pair", "undo_counts"):
            if not isinstance(getattr(self, axis), bool):
                raise RulesError(f"{axis} must be true or false, not {getattr(self, axis)!r}")

    def axes(self) -> dict[str, Any]:
        """Return the value of every axis by its name, in the order of `AXES`; unlimited is None."""
        return {axis: getattr(self, axis) for axis in AXES}

    def replace(self, **axes: Any) -> Rules:
        """Return these rules with other values for some axes.

        The name is that of the preset with the resulting axes, else None. Raises `RulesError` for an unknown axis
        or a value that it cannot have.
        """
        unknown = sorted(set(axes) - set(AXES))
        if unknown:
            raise RulesError(f"no axis is called {unknown[0]!r}; the axes are {', '.join(AXES)}")
        return _named(Rules(**(self.axes() | axes)))

    def record(self) -> str | dict[str, Any]:
        """Return what a record holds: the preset's name, or all axes where no preset has them."""
        return self.name if self.name is not None else self.axes()

    @classmethod
    def from_record(cls, value: object) -> Rules:
        """Return the rules that a record holds, a preset's name or an object of axes; inverse of `record`.

        Raises `RulesError` for an unknown name, an unknown or missing axis, or a value that an axis cannot have.
        """
        if isinstance(value, str):
            return find_rules(value)
        if not isinstance(value, Mapping):
            raise RulesError("rules must be a preset's name or an object with all the axes")
        missing = [axis for axis in AXES if axis not in value]
        if missing:
            raise RulesError(f"rules lack the axis {missing[0]!r}; an object needs all of {', '.join(AXES)}")
        unknown = [key for key in value if key not in AXES]
        if unknown:
            raise RulesError(f"rules have an unknown axis {unknown[0]!r}; the axes are {', '.join(AXES)}")
        return _named(cls(**value))

    def __str__(self) -> str:
        if self.name is not None:
            return self.name
        return " ".join(f"{axis}={axis_text(value)}" for axis, value in self.axes().items())


AXES: tuple[str, ...] = tuple(field.name for field in dataclasses.fields(Rules) if field.name != "name")
"""The names of the axes, in the order in which they are printed."""


def axis_text(value: object) -> str:
    """Return the value of an axis as people write it: yes, no, unlimited, a number or a word."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return UNLIMITED if value is None else str(value)


def _check_choice(axis: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise RulesError(f"{axis} must be one of {', '.join(choices)}, not {value!r}")


def _check_count(axis: str, value: object, least: int) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MAX_PASSES:
        raise RulesError(f"{axis} must be a whole number from {least} to {MAX_PASSES} or unlimited, not {value!r}")


RULES: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        Rules(name="pyramide", deal_waste=True, undo_limit=100, scoring="pyramide"),
        Rules(name="pyramid-solitaire", undo_counts=True, stuck="proof"),
        Rules(name="relaxed", passes=1),
        Rules(name="easy", passes=2),
        Rules(name="classic", goal="all", passes=1, drawn_pair=True),
        Rules(name="microsoft", passes=3, stock_open=True, scoring="microsoft"),
        Rules(name="par", goal="all", passes=3, drawn_pair=True, scoring="par"),
    )
    if rules.name is not None
}
"""The presets by name; the first is the default."""

DEFAULT_RULES = RULES["pyramide"]

ALIASES: dict[str, str] = {"king-tut": "relaxed", "tuts-tomb": "relaxed", "piramida": "relaxed"}
"""Other names under which presets are known."""

_PRESET_OF_AXES = {tuple(rules.axes().values()): rules for rules in RULES.values()}


def _named(rules: Rules) -> Rules:
    """Return the preset that has the axes of `rules`, else `rules` itself, which has no name then."""
    return _PRESET_OF_AXES.get(tuple(rules.axes().values()), rules)


def find_rules(name: str) -> Rules:
    """Return the preset of a name or alias, upper or lower case; `RulesError` lists the names when there is none."""
    key = name.strip().lower().replace("_", "-").replace(" ", "-").replace("'", "")
    try:
        return RULES[ALIASES.get(key, key)]
    except KeyError:
        raise RulesError(f"no rules are called {name!r}; known are {', '.join((*RULES, *ALIASES))}") from None
