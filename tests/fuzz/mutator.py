"""Real lines, broken at random: every reader takes them without an exception.

A short run is part of the plain tests; the million is marked slow.
"""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Iterator
from contextlib import suppress

import pytest

from pyramide_cli.cli.inputs import deals_of_block
from pyramide_cli.errors import PyramideError
from pyramide_cli.records import Problem, deal_of, decode, encode, read_blocks, read_records, rules_of
from tests.test_records import CARDS, LINES

LINES_A_FILE = 50
GOOD = [line.encode() for line in LINES.values()]
GOOD += [b"PY1-N-AAAAAAS", b"18", CARDS.encode(), CARDS.replace("T", "10").replace("d", "♦").encode()]
PIECES = [
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\r", b"\n", b"\x1b[2J", b" ", "♠".encode(), b"\xef\xbb\xbf"),
    *(b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u0000", b"\\ud800", b'""', b"[" * 2000, b'{"a":' * 2000),
    *(b"1e400", b"-1", b"NaN", b"1.5", b"9" * 40, b"9" * 5000, b"null", b"true", b'"type":"move",', b'"v":1,'),
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


def broken_files(count: int, seed: int) -> Iterator[bytes]:
    """Make files of so many broken lines together, some of them packed and then broken again."""
    rng = random.Random(seed)
    for _ in range(count // LINES_A_FILE):
        data = b"\n".join(broken(rng.choice(GOOD), rng) for _ in range(LINES_A_FILE))
        yield broken(gzip.compress(data), rng) if rng.random() < 0.02 else data


def check_records(data: bytes) -> int:
    """Read a file as records; return how many there were."""
    count = 0
    for item in read_records(io.BytesIO(data), "file"):
        if item.record is None:
            message = str(item.problem)
            assert message.startswith("file:")
            assert message.isprintable()
            assert len(message) < 400
            continue
        count += 1
        assert decode(encode(item.record)) == item.record
        with suppress(PyramideError):
            rules_of(item.record)
            assert sorted(deal_of(item.record).cards) == list(range(52))
    return count


def check_deals(data: bytes) -> None:
    """Read a file as deals."""
    problems: list[Problem] = []
    for block in read_blocks(io.BytesIO(data), "file"):
        if not isinstance(block, Problem):
            for item in deals_of_block(block, problems.append):
                assert sorted(item.deal.cards) == list(range(52))
    for problem in problems:
        assert str(problem).isprintable()
        assert len(str(problem)) < 7_000  # a thousand signs, each perhaps escaped


def run(count: int, seed: int) -> None:
    read = 0
    for data in broken_files(count, seed):
        read += check_records(data)
        check_deals(data)
    assert count * 0.02 < read < count * 0.5, "the lines are broken too much, or too little, to show anything"


def test_some_thousand_broken_lines() -> None:
    run(10_000, seed=1)


@pytest.mark.slow
def test_a_million_broken_lines() -> None:
    run(1_000_000, seed=2)
