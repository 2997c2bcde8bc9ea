"""Deals in every format that `pyramide deal` writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from pyramide_cli.cli.exits import Status
from pyramide_cli.cli.outputs import Output
from pyramide_cli.deals import Deal
from pyramide_cli.messages import gettext as _
from pyramide_cli.records import Problem, deal_record, encode
from pyramide_cli.rules import Rules

FORMATS = ("jsonl", "text", "describe", "code", "cards", "svg")
# Below this many deals arrays do not pay: loading numpy takes longer than dealing one by one.
_FEW = 256
_CHUNK = 16_384


class DealWriter:
    """Writes deals in one of the formats."""

    def __init__(self, out: Output, output_format: str, color: str, status: Status) -> None:
        self._out = out
        self._format = output_format
        self._status = status
        self._written = 0
        self._picture = ""  # held back until it is certain that it is the only one
        self._color = color

    def one(self, dealt: Deal, rules: Rules) -> None:
        """Write one deal."""
        match self._format:
            case "jsonl":
                self._out.write(encode(deal_record(dealt, rules)))
            case "cards":
                self._out.write(dealt.text() + "\n")
            case "code":
                if dealt.code is None:
                    message = "a deal given as cards has no code; --format cards writes it"
                    self._status.report(Problem("--format code", None, message))
                else:
                    self._out.write(dealt.code + "\n")
            case _:
                self._draw(dealt, rules)
        self._written += 1

    def finish(self) -> None:
        """Write what was held back."""
        self._out.write(self._picture)

    def many(self, numbers: Iterable[int], rules: Rules, *, count: int) -> None:
        """Write the deals of `count` numbers; many of them are dealt as arrays, which is quicker."""
        if count <= _FEW or self._format not in ("jsonl", "cards", "code"):
            for number in numbers:
                self.one(Deal.from_number(number), rules)
            return
        from pyramide_cli import bulk

        lines: Callable[[bulk.Numbers], bytes]
        match self._format:
            case "jsonl":
                lines = bulk.DealLines(rules)
            case "cards":
                lines = bulk.card_lines
            case _:
                lines = bulk.code_lines
        for chunk in bulk.chunks(numbers, _CHUNK):
            self._out.write(lines(chunk))

    def _draw(self, dealt: Deal, rules: Rules) -> None:
        from pyramide_cli.boards import describe, render_svg, render_text
        from pyramide_cli.cli.colors import use_color
        from pyramide_cli.game import Game

        out, game = self._out, Game(dealt, rules)
        if self._format == "svg":
            if self._picture:
                raise click.UsageError("--format svg draws one deal; name one, or draw each by itself.")
            self._picture = render_svg(game)
            return
        if self._written:
            out.write("\n")
        if self._format == "describe":
            last = _("Deal {code}, rules {rules}.") if dealt.code else _("Deal without a code, rules {rules}.")
            sentences = [*describe(game), last.format(code=dealt.code, rules=rules)]
            out.write("".join(f"{out.fit(sentence)}\n" for sentence in sentences))
            return
        color = use_color(self._color, out.is_terminal)
        out.write(render_text(game, color=color, unicode=out.shows_suits, width=out.width) + "\n")
