"""Real lines and real logs, broken at random: in their bytes, and in what they say."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from pyramide_cli.cards import card_name
from pyramide_cli.deals import Deal
from pyramide_cli.illegal import IllegalMove
from pyramide_cli.moves import UNDO
from pyramide_cli.records import DealRecord, EndRecord, MoveRecord, encode
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.session import Session
from tests.test_records import CARDS, LINES

LINES_A_FILE = 50
RULESETS = (*RULES.values(), RULES["par"].replace(cover_pair=True, undo_limit=2, undo_counts=True, stock_open=True))

GOOD = [line.encode() for line in LINES.values()]
GOOD += [b"PY1-N-AAAAAAS", b"18", CARDS.encode(), CARDS.replace("T", "10").replace("d", "♦").encode()]
GOOD += [b"Kd", "10♣ 3♠".encode(), b"Tc+3s", b"draw", b"recycle", b"undo", b"new PY1-N-AAAAAAJ", b"d d u 10c,3s; k"]
PIECES = [
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\r", b"\n", b"\x1b[2J", b" ", "♠".encode(), b"\xef\xbb\xbf", b"\xc2\xa0"),
    *(b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u0000", b"\\ud800", b'""', b"[" * 2000, b'{"a":' * 2000),
    *(b"1e400", b"-1", b"NaN", b"1.5", b"9" * 40, b"9" * 5000, b"null", b"true", b'"type":"move",', b'"v":1,'),
    *("²".encode(), "١".encode(), "K♥️".encode(), b"+", b"-", b"10", b"2", b"Kd"),
]

MORE: list[dict[str, Any]] = [
    *({"at": at} for at in ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-11-30", "=1", "")),
    *({"t": t} for t in (1e308, 0, 1e-300, 2**60, -1)),
    *({"player": player} for player in ("\x1b[2J|<script>", "=1+1", "", "x" * 5000, "\ud83d\ude00\u202e")),
    *({"cards": None}, {"code": None}, {"code": "PY1-N-AAAAAAS", "cards": None}),
]


def broken(line: bytes, rng: random.Random) -> bytes:
    """Break a line in one to eight places."""
    text = bytearray(line)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at, other = rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)
        match rng.randrange(7):
            case 0:
                text[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                text[at:at] = rng.choice(PIECES)
            case 2:
                del text[at : at + rng.randrange(1, 20)]
            case 3:
                text[at:at] = text[min(at, other) : max(at, other)][:300]
            case 4:
                tail = rng.choice(GOOD)
                text[at:] = tail[rng.randrange(len(tail)) :]
            case 5 if at < len(text):
                text[at] ^= 1 << rng.randrange(8)
            case _:
                text[at : at + rng.randrange(6)] = rng.choice(PIECES)
    return bytes(text)


def broken_file(rng: random.Random) -> bytes:
    """Make a file of some broken lines, sometimes packed and then broken again."""
    data = b"\n".join(broken(rng.choice(GOOD), rng) for _ in range(LINES_A_FILE))
    return broken(gzip.compress(data), rng) if rng.random() < 0.02 else data


def random_log(rng: random.Random, *, games: int = 2, entries: int = 12) -> list[bytes]:
    """Play a few moves of some games at random, undos among them, and return the lines of their log, interleaved."""
    logs = []
    for number in range(games):
        records: list[DealRecord | MoveRecord | EndRecord] = []
        deal = Deal.from_number(rng.randrange(1 << 35))
        if rng.random() < 0.3:
            deal = Deal(deal.cards)
        session = Session.begin(deal, rng.choice(RULESETS), records.append, game_id=f"g{number}", player="me")
        for _ in range(rng.randrange(entries)):
            legal = session.game.legal_moves()
            if rng.random() < 0.15 or not legal:
                try:
                    session.play(UNDO)
                except IllegalMove:
                    continue
            else:
                session.play(rng.choice(legal))
        if rng.random() < 0.7:
            session.finish()
        logs.append([encode(record)[:-1] for record in records])
    lines: list[bytes] = []
    while logs:
        log = rng.choice(logs)
        lines.append(log.pop(0))
        logs = [log for log in logs if log]
    return lines


@cache
def log_pool(count: int = 200) -> list[list[bytes]]:
    """Return so many random logs, always the same."""
    rng = random.Random(5)
    return [random_log(rng) for _ in range(count)]


def twisted(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Spoil what a log says: lines swapped, doubled or left out, numbers, moves, cards, rules and ids changed."""
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(lines))
        match rng.randrange(8):
            case 0:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 1:
                lines.insert(rng.randrange(len(lines) + 1), lines[at])
            case 2 if len(lines) > 1:
                del lines[at]
            case 3:
                lines[at] = broken(lines[at], rng)
            case 4:
                lines.insert(at, rng.choice(rng.choice(log_pool())))
            case _:
                lines[at] = _changed(lines[at], rng)
    return lines


def _changed(line: bytes, rng: random.Random) -> bytes:
    try:
        record: dict[str, Any] = json.loads(line)
        if rng.random() < 0.15:
            return json.dumps(record | rng.choice(MORE)).encode()
        key = rng.choice(list(record))
    except (ValueError, TypeError, IndexError):
        return broken(line, rng)
    value = record[key]
    if key == "rules":
        rules: Rules = rng.choice(RULESETS)
        value = rules.record() if rng.random() < 0.5 else rules.axes() | {rng.choice(list(rules.axes())): 1}
    elif key == "move":
        cards = [card_name(rng.randrange(52)) for _ in range(2)]
        value = rng.choice((cards[0], "+".join(cards), "10c", "k♥", "draw", "recycle", "undo", "DRAW", ""))
    elif isinstance(value, int) or value is None:
        value = rng.choice((0, 1, -1, 10, 2**53, 2**64, 0.5, None, (value or 0) + 1))
    elif isinstance(value, str) and " " in value:
        words = value.split()
        at, other = rng.randrange(len(words)), rng.randrange(len(words))
        words[at], words[other] = words[other], words[at]
        value = " ".join(words)
    else:
        value = rng.choice(("g0", "g1", "won", "stuck", "lost", "given-up", "PY1-N-AAAAAAS", "\x1b[2J", "=1", "", None))
    if rng.random() < 0.1:
        del record[key]
    else:
        record[key] = value
    return json.dumps(record).encode()


def broken_logs(rng: random.Random) -> Iterator[bytes]:
    """Yield spoiled logs without end, some of them with a torn end."""
    while True:
        data = b"\n".join(twisted(rng.choice(log_pool()), rng)) + b"\n"
        if rng.random() < 0.1:
            data = data[: rng.randrange(1, len(data))]
        yield data
