"""Deals and rules out of records, and records out of deals: where plain text meets the engine's types."""

from __future__ import annotations

from pyramide_cli.deals import Deal, DealError
from pyramide_cli.records.structs import (
    VERSION,
    DealRecord,
    GameRecord,
    Record,
    RulesValue,
    SolutionRecord,
    known,
)
from pyramide_cli.rules import Rules

HOLDS_DEAL = (DealRecord, GameRecord, SolutionRecord)
"""The records that can hold a deal."""


def deal_of(record: Record) -> Deal:
    """Return the deal that a record holds.

    Where there are cards they count, and the deal has the record's code only if that deals these cards
    (`code_fault` says so otherwise). Raises `DealError` for bad cards, a bad code without cards, or no deal at all.
    """
    if not isinstance(record, HOLDS_DEAL):
        raise DealError("this record holds no deal")
    cards = known(record.cards)
    if cards is None:
        if record.code is None:
            raise DealError("this record holds no deal: it has neither a code nor cards")
        return Deal.from_code(record.code)
    deal = Deal.from_cards(cards)
    if record.code is None:
        return deal
    try:
        coded = Deal.from_code(record.code)
    except DealError:
        return deal
    return coded if coded.cards == deal.cards else deal


def code_fault(record: Record, deal: Deal) -> str | None:
    """Say that the code of a record does not deal the cards beside it, None where both agree.

    `deal` is what `deal_of` gave for the record.
    """
    if isinstance(record, HOLDS_DEAL) and record.code is not None and deal.code is None:
        return f"the code {record.code} does not deal the cards beside it; the cards count"
    return None


def rules_of(record: Record) -> Rules | None:
    """Return the rules that a record was made under, None where it does not say. Raises `RulesError`."""
    value: RulesValue | None = record.rules if isinstance(record, HOLDS_DEAL) else None
    return None if value is None else Rules.from_record(value)


def deal_record(
    deal: Deal, rules: Rules, *, game: str | None = None, player: str | None = None, at: str | None = None
) -> DealRecord:
    """Return the record of a deal; with `game`, the first line of that game's log."""
    return DealRecord(
        v=VERSION, game=game, code=deal.code, rules=rules.record(), cards=deal.text(), player=player, at=at
    )
