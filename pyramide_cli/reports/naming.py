"""How reports name rules, deals and moments: the same thing always gets the same text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pyramide_cli.deals import Deal, number_of
from pyramide_cli.errors import PyramideError
from pyramide_cli.records import DealRecord, GameRecord, RulesValue, SolutionRecord, deal_of, known
from pyramide_cli.rules import DEFAULT_RULES, RULES, Rules, axis_text

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FIRST = (datetime(1900, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
_END = (datetime(9999, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND


class StampError(PyramideError):
    """A text is not a moment."""


def rules_label(rules: Rules) -> str:
    """Return a preset's name, else the nearest preset with the axes that differ, such as `pyramide passes=3`.

    Different rules have different labels.
    """
    if rules.name is not None:
        return rules.name
    axes = rules.axes()
    differing = {
        name: {axis: value for axis, value in axes.items() if getattr(preset, axis) != value}
        for name, preset in RULES.items()
    }
    nearest = min(differing, key=lambda name: len(differing[name]))
    return " ".join([nearest, *(f"{axis}={axis_text(value)}" for axis, value in differing[nearest].items())])


class RulesBook:
    """The rules of records, each different value read once."""

    def __init__(self) -> None:
        self._known: dict[object, tuple[str, Rules]] = {}
        self._by_label: dict[str, Rules] = {}

    def read(self, value: RulesValue | None) -> tuple[str, Rules]:
        """Return the label and the rules of a record's value, the default rules for null; raises `RulesError`."""
        # With the types: 1 equals true, but it is no value of a switch.
        key: object = tuple((axis, type(one), one) for axis, one in value.items()) if isinstance(value, dict) else value
        found = self._known.get(key)
        if found is None:
            rules = DEFAULT_RULES if value is None else Rules.from_record(value)
            found = self._known[key] = (rules_label(rules), rules)
            self._by_label[found[0]] = rules
        return found

    def named(self, label: str) -> Rules:
        """Return the rules of a label that `read` gave."""
        return self._by_label[label]


def deal_key(record: DealRecord | GameRecord | SolutionRecord) -> tuple[str, Deal | None]:
    """Return the text that stands for a record's deal, its code or else its 52 cards, and the deal if it has cards.

    Raises `DealError`. A code alone is not dealt: that takes longer than all else here. A result that names no deal
    (the brief solution of a deck, say) is one of the empty text.
    """
    if known(record.cards) is None and record.code is None and not isinstance(record, DealRecord):
        return "", None
    if known(record.cards) is None and record.code is not None:
        number_of(record.code)
        return record.code.strip().upper(), None
    deal = deal_of(record)
    return deal.code or deal.text(), deal


def read_stamp(text: str) -> int:
    """Return a moment in microseconds since 1970 (UTC; a text without an offset is UTC); raises `StampError`.

    Moments before 1900 or after 9998 are none: no game was played then, and the calendar of reports ends there.
    """
    try:
        moment = datetime.fromisoformat(text)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        stamp = (moment - _EPOCH) // _MICROSECOND
    except (ValueError, OverflowError):
        raise StampError(f"{text[:40]!r} is no date and time, such as 2026-11-30T08:00:00Z") from None
    if not _FIRST <= stamp < _END:
        raise StampError(f"{text[:40]!r} is no time of a game: the years go from 1900 to 9998")
    return stamp
