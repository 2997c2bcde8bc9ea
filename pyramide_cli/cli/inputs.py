"""Deals from the command line: arguments and lines in every form, with the place of what is no deal."""

from __future__ import annotations

import itertools
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO, TypeAlias

import click

from pyramide_cli.cards import CardError, parse_card
from pyramide_cli.cli.exits import Failure, FileFailure
from pyramide_cli.deals import CODE_PREFIX, Deal, DealError, deck_words, is_deal, parse_deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.records import (
    HOLDS_DEAL,
    STDIN,
    Block,
    Problem,
    code_fault,
    deal_of,
    decode,
    file_name,
    read_blocks,
    rules_of,
)
from pyramide_cli.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Below this many lines arrays do not pay for loading numpy.
_MANY = 256
# A deck has 52 cards, however far apart they are drawn.
_DECK_LIMIT = 1 << 20
# A slip in the version of a code is one in a code all the same.
_LIKE_CODE = re.compile(r"PY[\d-]", re.IGNORECASE)
# A card a line, with as many empty lines and more; and who writes more cards on one has meant it for a deal.
_DECK_LINES = 200
_MOST_PART = 40

Report: TypeAlias = Callable[[Problem], None]
"""Takes a problem: prints it, counts it, and raises under `--strict`; `Status.report` is one."""


class LocatedDeal(NamedTuple):
    """A deal, the rules of the record that held it (None where nothing says), and where it stood.

    `line` is None for an argument.
    """

    deal: Deal
    rules: Rules | None
    file: str
    line: int | None


def deals_or_stdin(context: click.Context, arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments, stdin where there are none; at a terminal print the command's help instead, and end."""
    if arguments:
        return arguments
    if sys.stdin is None or sys.stdin.isatty():
        click.echo(context.get_help())
        context.exit()
    return (STDIN,)


def read_deals(arguments: Iterable[str], report: Report) -> Iterator[LocatedDeal]:
    """Read deals from arguments: codes, numbers, 52 cards, records, file names and `-`, in their order.

    A line of a file holds one deal in any of these forms. Records without a deal (the moves of a log) are passed
    over. Whatever is no deal goes to `report`, and reading goes on.
    """
    for item in _deals_and_blocks(arguments, report):
        if isinstance(item, LocatedDeal):
            yield item
        else:
            yield from deals_of_block(item, report)


def read_deal_batches(arguments: Iterable[str], report: Report) -> Iterator[LocatedDeal | NDArray[np.uint64]]:
    """Read deals like `read_deals`, but give many plain codes in a row as one array of deal numbers."""
    for item in _deals_and_blocks(arguments, report):
        if isinstance(item, LocatedDeal):
            yield item
            continue
        numbers = _numbers(item)
        if numbers is None:
            yield from deals_of_block(item, report)
        else:
            yield numbers


def _deals_and_blocks(arguments: Iterable[str], report: Report) -> Iterator[LocatedDeal | Block]:
    """Yield the arguments that are deals, and the lines of the files in blocks; what is wrong goes to `report`."""
    for source in sources(arguments, report):
        if isinstance(source, LocatedDeal):
            yield source
            continue
        for item in read_blocks(source):
            if isinstance(item, Problem):
                report(item)
            elif _is_deck(item):
                message = "cards, but no line is a deal; pyramide deal --deck FILE reads one deck over many lines"
                report(Problem(item.file, None, message))
                break
            else:
                yield item


def _is_deck(block: Block) -> bool:
    """Whether a file begins as one deck of cards spread over its lines, and not as a list of deals.

    At least four in five lines are part of a deck then, and none is a deal.
    """
    if block.first != 1 or len(block.lines) > _DECK_LINES:
        return False
    parts = others = 0
    for line in block.lines:
        text = line.decode(errors="replace").strip()
        if _is_part_of_deck(text):
            parts += 1
        elif text.startswith("{") or is_deal(text):
            return False
        else:
            others += bool(text)
    return parts > 1 and parts >= 4 * others


def _is_part_of_deck(text: str) -> bool:
    """Whether a text is cards alone, but by far too few for a deal."""
    words = list(itertools.islice(deck_words(text), _MOST_PART + 1))
    try:
        return 0 < len([parse_card(word) for word in words]) <= _MOST_PART
    except CardError:
        return False


def _numbers(block: Block) -> NDArray[np.uint64] | None:
    """Return the deal numbers of a block that holds many codes and nothing else."""
    if len(block.lines) < _MANY or not block.lines[0].startswith(CODE_PREFIX.encode()):
        return None
    from pyramide_cli.bulk import numbers_of_codes

    return numbers_of_codes(block.lines)


def sources(arguments: Iterable[str], report: Report) -> Iterator[LocatedDeal | str]:
    """Tell arguments that are deals from those that are files or `-`; what is neither goes to `report`."""
    for number, argument in enumerate(arguments, 1):
        if argument == STDIN or is_file_argument(argument):
            yield argument
            continue
        place = f"argument {number}"
        if not _looks_like_deal(argument):
            message = "is neither a deal (a code, a number or 52 cards) nor a file that is there"
            report(Problem(place, None, f"{_short(argument)!r} {message}", "file"))
            continue
        yield from _parsed(argument, place, None, report)


def is_file_argument(argument: str) -> bool:
    """Whether an argument names something in the file system; a code or a number is a deal all the same."""
    if _is_code(argument) or argument.strip().isdigit():
        return False
    try:
        return os.path.lexists(argument)
    except ValueError:
        return False


def deals_of_block(block: Block, report: Report) -> Iterator[LocatedDeal]:
    """Read the deals of some lines of a file."""
    for number, line in enumerate(block.lines, block.first):
        if not line or line.isspace():
            continue
        if line.lstrip().startswith(b"{"):
            yield from _recorded(line, block.file, number, report)
            continue
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            fault = f"not UTF-8: byte 0x{line[error.start]:02x} at column {error.start + 1}"
            report(Problem(block.file, number, fault))
            continue
        yield from _parsed(text, block.file, number, report)


def _parsed(text: str, file: str, line: int | None, report: Report) -> Iterator[LocatedDeal]:
    """Read one text that should be a deal."""
    if text.lstrip().startswith("{"):
        yield from _recorded(text.encode(errors="surrogateescape"), file, line, report)
        return
    try:
        deal = parse_deal(text)
    except DealError as error:
        report(Problem(file, line, str(error)))
        return
    yield LocatedDeal(deal, None, file, line)


def _recorded(text: bytes, file: str, line: int | None, report: Report) -> Iterator[LocatedDeal]:
    """Read one record that should hold a deal."""
    try:
        record = decode(text)
        if not isinstance(record, HOLDS_DEAL):
            return
        deal = deal_of(record)
        rules = rules_of(record)
    except PyramideError as error:
        report(Problem(file, line, str(error)))
        return
    fault = code_fault(record, deal)
    if fault:
        report(Problem(file, line, fault))
    yield LocatedDeal(deal, rules, file, line)


def keep_apart(inputs: Iterable[str], *outputs: str | None) -> None:
    """Raise `click.UsageError` where a file that is read is written, too, by its name or as stdout (None or `-`).

    Its content would be lost, or it would grow for ever while it is read.
    """
    written = {_identity(output or STDIN, sys.stdout) for output in outputs} - {None}
    for path in inputs if written else ():
        if (path == STDIN or is_file_argument(path)) and _identity(path, sys.stdin) in written:
            raise click.UsageError(f"{file_name(path)} is read and written at once: write to another file.")


def _identity(path: str, stream: TextIO | None) -> tuple[int, int] | None:
    """Return what a regular file is known by, `-` being a stream; None for whatever is none, or not there."""
    try:
        if path != STDIN:
            found = Path(path).stat()
        elif stream is not None:
            found = os.fstat(stream.fileno())
        else:
            return None
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def count_deals(arguments: Iterable[str]) -> int | None:
    """Return about how many deals the arguments hold, None where that cannot be told before reading them.

    Plain files are counted by their lines, which is quick; stdin and packed files are not.
    """
    total = 0
    for argument in arguments:
        if not is_file_argument(argument) and argument != STDIN:
            total += 1
            continue
        if argument == STDIN or argument.endswith(".gz"):
            return None
        try:
            if not stat.S_ISREG(Path(argument).stat().st_mode):
                return None
            with Path(argument).open("rb") as file:
                total += sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
        except OSError:
            return None
    return total


def read_deck(path: str) -> Deal:
    """Read one deal from a file that spreads its 52 cards over any lines (`-` is stdin).

    Raises `DealError` with the file's name, `OSError` where it cannot be read.
    """
    lines = []
    size = 0
    for item in read_blocks(path):
        if isinstance(item, Problem):
            raise (FileFailure if item.kind == "file" else Failure)(str(item))
        lines += item.lines
        size += sum(map(len, item.lines)) + len(item.lines)
        if size > _DECK_LIMIT:  # no deck is, and an endless stream would fill the memory
            raise Failure(f"{path}: this is no deck: it is longer than {_DECK_LIMIT // 2**10:,} KiB")
    try:
        return parse_deal(b"\n".join(lines).decode())
    except UnicodeDecodeError:
        raise DealError(f"{path}: not UTF-8 text") from None
    except DealError as error:
        raise DealError(f"{path}: {error}") from None


def _is_code(text: str) -> bool:
    return text.strip().upper().startswith(CODE_PREFIX)


def _looks_like_deal(text: str) -> bool:
    """Whether an argument that is no file was meant as a deal: a code, a number, cards or a record."""
    stripped = text.strip()
    return (
        _LIKE_CODE.match(stripped) is not None
        or stripped.lstrip("+-").isdigit()
        or stripped.startswith("{")
        or len(stripped.split()) > 1
        or not stripped
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
