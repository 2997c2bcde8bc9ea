"""Every reader of the program, each with what must be true of its answer whatever it was given.

A reader may raise nothing but `PyramideError`, whose text is one line that a terminal shows as it is; and what it takes
for good must be good by a second way of looking at it.
"""

from __future__ import annotations

import io
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from pyramide_cli.batches import Form
from pyramide_cli.batches import Question as Asked
from pyramide_cli.bulk import numbers_of_codes
from pyramide_cli.cards import DECK_SIZE, card_name, parse_card
from pyramide_cli.cli.inputs import deals_of_block
from pyramide_cli.cli.play.words import parse_words
from pyramide_cli.deals import Deal, code_of, number_of, parse_deal
from pyramide_cli.errors import PyramideError
from pyramide_cli.gamelog import GameLog, read_history
from pyramide_cli.moves import Move, canonical, move_name, parse_move
from pyramide_cli.records import (
    DealRecord,
    EndRecord,
    MoveRecord,
    Problem,
    Record,
    SolutionRecord,
    deal_of,
    decode,
    encode,
    read_blocks,
    read_records,
    rules_of,
)
from pyramide_cli.replay import Checked, replay
from pyramide_cli.reports import Data, Gatherer, Question, dump, make
from pyramide_cli.reports.formats import FORMATS
from pyramide_cli.reports.named import COMPARE, REPORTS
from pyramide_cli.reports.verified import gather_verified
from pyramide_cli.resume import skip_done
from pyramide_cli.rules import DEFAULT_RULES, Rules
from tests.positions import move_of
from tests.reference import Axes, Position, Table

ALL_CARDS = list(range(DECK_SIZE))
LONGEST_PROBLEM = 7_000
"""Characters: a message is cut at a thousand, each of which may need seven to be shown."""

OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class Wrong(AssertionError):
    """A reader took something for good that is not, or said something that it must not."""


def must(holds: object, what: str) -> None:
    """Raise `Wrong` unless something holds."""
    if not holds:
        raise Wrong(what)


def answer(reader: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a reader makes of its arguments, None where it refuses them with a message."""
    try:
        return reader(*arguments)
    except PyramideError as error:
        shown = str(Problem("file", 1, str(error)))
        must(shown.isprintable() and len(shown) <= LONGEST_PROBLEM, f"the message cannot be shown: {shown!r}")
        must(shown != "file:1: ", "the message is empty")
        return None


# Texts.


def read_card(text: str) -> None:
    """A card has a name, which is read as the same card."""
    card = answer(parse_card, text)
    if card is not None:
        must(card in ALL_CARDS and parse_card(card_name(card)) == card, "no card")


def read_code(text: str) -> None:
    """A code is 13 characters of its alphabet, and its number has that code."""
    number = answer(number_of, text)
    plain = re.fullmatch("PY1-N-[A-Z2-7]{7}", text.strip(), re.IGNORECASE | re.ASCII)
    if plain is None:
        must(number is None, "a code that is none was read")
    if number is not None:
        must(code_of(number) == text.strip().upper(), "another code")
    elif plain is not None:
        raise Wrong("a code was refused")


def read_move(text: str) -> None:
    """A move has a name, which is read as the same move."""
    move: Move | None = answer(parse_move, text)
    if move is not None:
        must(canonical(parse_move(move_name(move))) == canonical(move), "another move")
    for word in answer(parse_words, text) or ():
        must((word.command is not None) + bool(word.cards) + (word.rank is not None) == 1, "a word that says nothing")


def read_deal(text: str) -> None:
    """A deal has every card once, and its text is read as the same deal."""
    deal: Deal | None = answer(parse_deal, text)
    if deal is not None:
        must(sorted(deal.cards) == ALL_CARDS, "not 52 cards")
        must(parse_deal(str(deal)) == deal and Deal.from_cards(deal.text()).cards == deal.cards, "another deal")


def read_bulk(line: bytes) -> None:
    """A block of codes is read at once only where each line is one."""
    for lines in ([line], [b"PY1-N-AAAAAAS", line], [line, b"PY1-N-AAAAAAS"]):
        numbers = numbers_of_codes(lines)
        if numbers is not None:
            must(numbers.tolist() == [number_of(item.decode()) for item in lines], "other numbers")


def read_rules(line: bytes) -> None:
    """Rules have a record, which is read as the same rules."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    if isinstance(value, dict) and "rules" in value:
        value = value["rules"]
    rules: Rules | None = answer(Rules.from_record, value)
    if rules is not None:
        must(Rules.from_record(rules.record()) == rules, "other rules")


def read_line(line: bytes) -> None:
    """Give a line to every reader of lines."""
    text = line.decode(errors="surrogateescape")
    read_card(text)
    read_code(text)
    read_move(text)
    read_deal(text)
    read_bulk(line)
    read_rules(line)


# Files.


def read_record_file(data: bytes) -> int:
    """Read a file as records; return how many there were."""
    count = 0
    for item in read_records(io.BytesIO(data), "file"):
        if item.record is None:
            message = str(item.problem)
            must(message.startswith("file:"), "no place")
            must(message.isprintable() and len(message) < 400, "the message cannot be shown")
            continue
        count += 1
        must(decode(encode(item.record)) == item.record, "another record")
        must(not OBEYED.search(encode(item.record)[:-1].decode()), "a terminal would obey what is written")
        answer(rules_of, item.record)
        deal: Deal | None = answer(deal_of, item.record)
        must(deal is None or sorted(deal.cards) == ALL_CARDS, "not 52 cards")
    return count


def read_deal_file(data: bytes) -> None:
    """Read a file as deals."""
    problems: list[Problem] = []
    for block in read_blocks(io.BytesIO(data), "file"):
        if not isinstance(block, Problem):
            for item in deals_of_block(block, problems.append):
                must(sorted(item.deal.cards) == ALL_CARDS, "not 52 cards")
    must_be_shown(problems)


def must_be_shown(problems: list[Problem]) -> None:
    """Hold problems against what a message may be."""
    for problem in problems:
        text = str(problem)
        must(text.isprintable() and len(text) <= LONGEST_PROBLEM, f"the message cannot be shown: {text!r}")
        must(text.startswith("file:"), f"no place: {text}")


# Logs.


def read_log(data: bytes) -> int:
    """Replay a log; return how many games in it agree. Each that does is played again by the second engine."""
    records = [item for item in read_records(io.BytesIO(data), "file") if item.record is not None]
    agreed = 0
    problems: list[Problem] = []
    for result in replay(read_records(io.BytesIO(data), "file")):
        if isinstance(result, Problem):
            problems.append(result)
            continue
        must(encode(result.record), "no record")
        if result.problem is not None:
            problems.append(result.problem)
        elif isinstance(result.track.source, DealRecord):
            game = result.track.source.game
            start = next(n for n, item in enumerate(records) if item.line == result.track.line)
            rest = [item.record for item in records[start + 1 :] if item.line <= result.track.last_line]
            agreed += 1
            play_again(result, [record for record in rest if getattr(record, "game", "") == game])
    must_be_shown(problems)
    return agreed


def play_again(result: Checked, records: list[Record | None]) -> None:
    """Hold a game that replay found right against the second engine, entry by entry."""
    source = result.track.source
    rules = rules_of(source) or DEFAULT_RULES
    axes = {name: getattr(rules, name) for name in Axes._fields}
    table = Table(tuple(map(card_name, deal_of(source).cards)), Axes(**axes))
    position, moves, undos = table.start, 0, 0
    saved: list[Position] = []
    for n, record in enumerate(records, 1):
        if isinstance(record, EndRecord):
            must(n == len(records), "an entry after the end")
            outcome = table.outcome(position) or "given-up"
            must((record.outcome, record.undos) == (outcome, undos), "another end")
        elif isinstance(record, MoveRecord):
            must(record.n == n, "another number")
            move = parse_move(record.move)
            if move.kind == "undo":
                must(saved, "an undo of nothing")
                position, undos = saved.pop(), undos + 1
                moves += rules.undo_counts
            else:
                must(move_of(move) in table.moves(position), f"{record.move} is not legal")
                saved.append(position)
                if rules.undo_limit is not None:
                    saved = saved[-rules.undo_limit :] if rules.undo_limit else []
                position, moves = table.after(position, move_of(move)), moves + 1
        else:
            continue
        must((record.score, record.moves) == (table.score(position), moves), "other numbers")
    gone = table.gone(position)
    must((result.record.removed, result.record.cleared) == (len(gone), 28 - len(position.pyramid)), "other cards")


def report_log(data: bytes) -> None:
    """Gather a log for reports, with the replay and without."""
    for gather in (_gather, gather_verified):
        problems: list[Problem] = []
        store = gather(read_records(io.BytesIO(data), "file"), problems.append)
        must_be_shown(problems)
        must(bool(store.problems) == bool(problems), "problems were not counted")


def _gather(items: Iterator[Any], report: Callable[[Problem], None]) -> Any:
    gatherer = Gatherer(report)
    gatherer.add_all(items)
    return gatherer.finish()


def go_on_with_log(data: bytes) -> None:
    """Open a log to write on: what was whole stays, and what is written stands on lines of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(data)
        more = DealRecord(v=1, game="more", code="PY1-N-AAAAAAS", rules="pyramide", cards=None)
        opened: GameLog | None = answer(GameLog, str(path))
        if opened is None:
            must(path.read_bytes() == data, "a log that was refused was changed")
            return
        with opened:
            opened.write(more)
        after = path.read_bytes()
        must(after.endswith(b"\n" + encode(more)) or after == encode(more), "what was written has no line of its own")
        whole = data[: data.rfind(b"\n") + 1]
        must(after.startswith(whole), "whole lines were changed")
        must(_good_lines(data) == _good_lines(after) - 1, "records were lost")
        must("more" in read_history(str(path)).ids, "what was written is not read")


def _good_lines(data: bytes) -> int:
    return sum(item.record is not None for item in read_records(io.BytesIO(data), "file"))


def make_reports(data: bytes) -> None:
    """Make a report of a log; which one, and in which form, the data decide."""
    rng = random.Random(data)
    name = rng.choice(sorted(REPORTS))
    gathered = Data(_gather(read_records(io.BytesIO(data), "file"), lambda problem: None))
    other = Data(gathered.store) if name == COMPARE else None
    report = make(name, gathered, Question(None, None, other, ("one", "two")))
    shape = rng.choice([shape for shape in FORMATS if shape != "parquet"])
    written = dump(report, shape, width=rng.choice((10, 80)))
    text = written if isinstance(written, str) else written.decode()
    must(not OBEYED.search(text.replace("\n", "").replace("\r", "")), f"{name} {shape}: a terminal would obey it")
    must(shape not in ("html", "markdown") or "<script>" not in text, f"{name} {shape}: an element out of the log")


ASKED = [Asked(Deal.from_number(number), DEFAULT_RULES, "any") for number in range(4)]
SOLVED = [
    SolutionRecord(v=1, code=item.deal.code, rules="pyramide", find="any", verdict="winnable", length=50)
    for item in ASKED[:3]
]
HALF_DONE = b"".join(map(encode, SOLVED))


def resume_batch(data: bytes) -> None:
    """Go on with what a batch has left: what is kept is answers to the first questions, and whole."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "left"
        path.write_bytes(data)
        found = answer(skip_done, str(path), iter(ASKED), Form(brief=True))
        if found is None:
            return
        done, still_asked = found
        must(list(still_asked) == ASKED[done.count :], "other deals are asked")
        kept = data[: done.size].removeprefix(b"\xef\xbb\xbf")
        records = [item.record for item in read_records(io.BytesIO(kept), "file")]
        codes = [record.code for record in records if isinstance(record, SolutionRecord)]
        must(codes == [item.deal.code for item in ASKED[: done.count]], "what is kept is not what was asked")
        must(not kept or kept.endswith(b"\n"), "half a line is kept")
