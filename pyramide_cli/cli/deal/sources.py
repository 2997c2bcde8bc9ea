"""Where the deals of `pyramide deal` come from: named, counted up, or made at random."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from pyramide_cli.cli.exits import Status
from pyramide_cli.cli.inputs import LocatedDeal, read_deals, read_deck
from pyramide_cli.cli.options import ParameterType
from pyramide_cli.deals import DEAL_COUNT, CodeError, code_of, number_of, random_numbers
from pyramide_cli.messages import counted


class StartDeal(ParameterType):
    """A deal's number, given as a code or as a number."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        if isinstance(value, int):
            return value
        text = str(value).strip()
        try:
            if text.isascii() and text.isdigit() and len(text) < 20:
                return number_of(code_of(int(text)))
            return number_of(text)
        except CodeError as error:
            raise click.BadParameter(f"{error}.", ctx, param) from None


class LengthRange(ParameterType):
    """`A-B`, `A-`, `-B` or `A`: the least and the most moves."""

    name = "a-b"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int | None, int | None]:
        """Return both ends, None where there is none."""
        match = re.fullmatch(r"\s*(\d{0,6})\s*(-?)\s*(\d{0,6})\s*", str(value), re.ASCII)
        if match and (match[1] or match[3]):
            least = int(match[1]) if match[1] else None
            most = (int(match[3]) if match[3] else None) if match[2] else least
            if least is None or most is None or least <= most:
                return least, most
        message = f"{value!r} is not a range of moves such as 40-45, 40- or -45."
        raise click.BadParameter(message, ctx, param)


@dataclass(frozen=True)
class Source:
    """Where the deals come from, as the command line says."""

    deals: tuple[str, ...]
    start: int | None
    at_random: bool
    seed: int | None
    deck: str | None
    count: int | None

    @property
    def is_given(self) -> bool:
        """Whether deals were named, not to be made."""
        return bool(self.deals) or self.deck is not None

    def check(self) -> None:
        """Raise `click.UsageError` for options that contradict each other."""
        named = [
            name
            for name, is_there in (
                ("DEAL", bool(self.deals)),
                ("--deck", self.deck is not None),
                ("--start", self.start is not None),
                ("--random", self.at_random),
            )
            if is_there
        ]
        if len(named) > 1:
            raise click.UsageError(f"{' and '.join(named)} do not go together: the deals come from one of them.")
        if self.seed is not None and named not in ([], ["--random"]):
            raise click.UsageError(f"--seed is for random deals, it does not go with {named[0]}.")
        if self.start is not None and self.start + (self.count or 0) > DEAL_COUNT:
            left = DEAL_COUNT - self.start
            deals = counted(left, "deal")
            raise click.UsageError(f"--start {code_of(self.start)} leaves only {deals} up to the last code.")

    def given(self, status: Status) -> Iterator[LocatedDeal]:
        """Read the deals that were named."""
        if self.deck is not None:
            yield LocatedDeal(read_deck(self.deck), None, self.deck, None)
        else:
            yield from read_deals(self.deals, status.report)

    @property
    def wanted(self) -> int:
        """How many deals are to be made."""
        return 1 if self.count is None else self.count

    def numbers(self, limit: int | None) -> Iterator[int]:
        """Make so many deal numbers, fewer where the codes end."""
        if self.start is not None:
            return itertools.islice(range(self.start, DEAL_COUNT), limit)
        return itertools.islice(random_numbers(self.seed), limit)
