"""`pyramide deal`: deals out of codes, at random or in order, in every format; and the search for deals."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from pyramide_cli.cli.exits import Exit, Status, say
from pyramide_cli.cli.inputs import LocatedDeal, count_deals, read_deals, read_deck
from pyramide_cli.cli.options import (
    ANY_PATH,
    Number,
    RulesChoice,
    chosen_format,
    color_option,
    format_option,
    output_option,
    progress_option,
    rules_options,
    strict_option,
)
from pyramide_cli.cli.outputs import Output, open_output
from pyramide_cli.cli.progress import Progress
from pyramide_cli.deals import DEAL_COUNT, CodeError, Deal, code_of, number_of, random_numbers
from pyramide_cli.records import Problem, deal_record, encode
from pyramide_cli.rules import Rules

if TYPE_CHECKING:
    from pyramide_cli.selection import Wanted

FORMATS = ("jsonl", "text", "describe", "code", "cards", "svg")
TRIES_A_DEAL = 1_000
# Below this many deals arrays do not pay: loading numpy takes longer than dealing one by one.
_FEW = 256
_CHUNK = 16_384


class StartDeal(click.ParamType[int]):
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
            raise click.BadParameter(str(error), ctx, param) from None


class LengthRange(click.ParamType[tuple[int | None, int | None]]):
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
        message = f"{value!r} is not a range of moves such as 40-45, 40- or -45"
        raise click.BadParameter(message, ctx, param)


@click.command()
@click.argument("deals", nargs=-1, metavar="[DEAL]...", type=ANY_PATH)
@click.option(
    "--count",
    type=Number(0, DEAL_COUNT),
    help="How many deals to write. Default: 1, or all given.",
)
@click.option("--start", type=StartDeal(), metavar="CODE", help="Count up from this code or number.")
@click.option("--random", "at_random", is_flag=True, help="Deal at random, as is done where nothing else is said.")
@click.option("--seed", type=Number(0, 2**64 - 1), help="Make the random deals repeatable.")
@click.option("--deck", type=ANY_PATH, metavar="FILE", help="One deck of 52 cards, spread over any lines of FILE.")
@click.option("--winnable", is_flag=True, help="Only deals that are proved to have a win.")
@click.option("--unwinnable", is_flag=True, help="Only deals that are proved to have none.")
@click.option(
    "--length", type=LengthRange(), metavar="A-B", help="Only deals with a shortest solution of A to B moves."
)
@click.option(
    "--tries",
    type=Number(1, DEAL_COUNT),
    help=f"How many deals to search at most. Default: {TRIES_A_DEAL:,} for each that is wanted.",
)
@click.option("--exit-code", is_flag=True, help="End with 1 if fewer deals were found than wanted.")
@format_option(FORMATS)
@output_option
@color_option
@progress_option
@strict_option
@rules_options
def deal(
    deals: tuple[str, ...],
    count: int | None,
    start: int | None,
    at_random: bool,
    seed: int | None,
    deck: str | None,
    winnable: bool,
    unwinnable: bool,
    length: tuple[int | None, int | None] | None,
    tries: int | None,
    exit_code: bool,
    output_format: str,
    output: str | None,
    color: str,
    progress: bool | None,
    strict: bool,
    rules: RulesChoice,
) -> int:
    """Deal from codes, at random or in order, and print the deals.

    A DEAL is a code, a number, 52 cards in one argument, a file of deals, one a line, or - for stdin. Without one,
    random deals are made.

    \b
    pyramide deal PY1-N-AAAAAAS
    pyramide deal --count 1000 --seed 1 --format code
    pyramide deal --winnable --length 60- --rules microsoft
    """  # noqa: D301 - click reads the \b
    source = Source(deals, start, at_random, seed, deck, count)
    source.check()
    if unwinnable and (winnable or length is not None):
        raise click.UsageError("--unwinnable does not go with --winnable or --length: no deal is both")
    searching = winnable or unwinnable or length is not None
    if tries is not None and not searching:
        raise click.UsageError("--tries goes with --winnable, --unwinnable or --length")
    status = Status(strict=strict)
    with open_output(output) as out:
        writer = DealWriter(out, chosen_format(output_format, output), color, status)
        if searching:
            from pyramide_cli.selection import Wanted

            wanted = Wanted(winnable=not unwinnable, length=length or (None, None))
            if not _search(source, wanted, tries, rules, writer, status, progress) and exit_code:
                status.note(Exit.NO)
        elif source.is_given:
            for item in itertools.islice(source.given(status), count):
                writer.one(item.deal, rules.over(item.rules))
        else:
            writer.many(source.numbers(source.wanted), rules.over(None), few=source.wanted <= _FEW)
        writer.finish()
    return status.code


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
            raise click.UsageError(f"{' and '.join(named)} do not go together: the deals come from one of them")
        if self.seed is not None and named not in ([], ["--random"]):
            raise click.UsageError(f"--seed is for random deals, it does not go with {named[0]}")
        if self.start is not None and self.start + (self.count or 0) > DEAL_COUNT:
            raise click.UsageError(
                f"--start {code_of(self.start)} leaves only {DEAL_COUNT - self.start} deals up to the last code"
            )

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

    def many(self, numbers: Iterable[int], rules: Rules, *, few: bool) -> None:
        """Write the deals of many numbers; not `few` of them are dealt as arrays, which is quicker."""
        if few or self._format not in ("jsonl", "cards", "code"):
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
                raise click.UsageError("--format svg draws one deal; name one, or draw each by itself")
            self._picture = render_svg(game)
            return
        if self._written:
            out.write("\n")
        if self._format == "describe":
            name = dealt.code or "without a code"
            out.write("".join(f"{sentence}\n" for sentence in (*describe(game), f"Deal {name}, rules {rules}.")))
            return
        color = use_color(self._color, out.is_terminal)
        out.write(render_text(game, color=color, unicode=out.shows_suits, width=out.width) + "\n")


def _search(
    source: Source,
    wanted: Wanted,
    tries: int | None,
    rules: RulesChoice,
    writer: DealWriter,
    status: Status,
    progress: bool | None,
) -> bool:
    """Write the deals that fit, say how many there were, and return whether that is as many as wanted."""
    from pyramide_cli.pools import Threads
    from pyramide_cli.selection import Search

    count = source.count if source.is_given else source.wanted
    limit = tries if source.is_given else tries or TRIES_A_DEAL * source.wanted
    total = count_deals(source.deals) if source.is_given else limit
    with Threads() as pool, Progress(total, show=progress) as bar:
        search = Search(wanted, count, on_tried=lambda tried: bar.advance(tried, found=search.found))
        if source.is_given:
            given = itertools.islice(source.given(status), limit)
            found = search.among(((item.deal, rules.over(item.rules)) for item in given), pool)
        else:
            found = search.among_numbers(source.numbers(limit), rules.over(None), pool)
        for dealt, made_under in found:
            writer.one(dealt, made_under)
    undecided = f", {search.undecided:,} of them undecided" if search.undecided else ""
    enough = count is None or search.found >= count
    if not enough or undecided:
        wish = "" if count is None else f" of {count:,}"
        say(f"pyramide: found {search.found:,}{wish} deals in {search.tried:,} tries{undecided}")
    return enough
