"""Reading lines: every kind of file, everything that can be wrong with one, in constant memory."""

from __future__ import annotations

import gzip
import io
import random
import re
import subprocess
import sys
import threading
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_cli.records import LINE_LIMIT, Located, MoveRecord, Problem, open_lines, printable, read_records
from pyramide_cli.records.lines import Block, read_blocks

MOVE = b'{"type":"move","v":1,"game":"g1","n":%d,"move":"Kd","score":10,"moves":1,"t":2.4}'
ONE = MOVE % 1


def read(data: bytes, name: str = "log") -> list[Located]:
    return list(read_records(io.BytesIO(data), name))


def places(data: bytes) -> list[int]:
    """Return the lines that hold a record; no other may be wrong."""
    located = read(data)
    assert [item.problem for item in located if item.problem] == []
    return [item.line for item in located]


def problems(data: bytes) -> list[str]:
    return [str(item.problem) for item in read(data) if item.problem]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n\n", []),
        (ONE, [1]),
        (ONE + b"\n", [1]),
        (ONE + b"\n" + ONE, [1, 2]),
        (b"\n" + ONE + b"\n \t\n\n" + ONE + b"\n", [2, 5]),
        (ONE + b"\r\n\r\n" + ONE + b"\r\n", [1, 3]),
        (b"\xef\xbb\xbf" + ONE + b"\n" + ONE, [1, 2]),
        (b"\xef\xbb\xbf", []),
        (b"  " + ONE + b"  \n", [1]),
        (gzip.compress(ONE + b"\n" + ONE), [1, 2]),
        (gzip.compress(b"\xef\xbb\xbf" + ONE), [1]),
        (gzip.compress(ONE + b"\n") + gzip.compress(b"") + gzip.compress(ONE + b"\n"), [1, 2]),
        (gzip.compress(ONE[:30]) + gzip.compress(ONE[30:]), [1]),
        (gzip.compress(ONE) + b"\0" * 512, [1]),
    ],
)
def test_good_files(data: bytes, lines: list[int]) -> None:
    assert places(data) == lines


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[]", "no object"),
        (b"3", "no object"),
        (b'"x"', "no object"),
        (b"null", "no object"),
        (b"hello", "no JSON object"),
        (b"{}", '"type" is missing'),
        (b'{"type":"move"}', '"v" (the version of the record) is missing'),
        (b'{"type":"mvoe","v":1}', 'unknown record type "mvoe"; known are deal, move,'),
        (b'{"type":3,"v":1}', "unknown record type 3"),
        (b'{"type":"move","v":2}', "version 2 is not known"),
        (b'{"type":"move","v":true}', "version true is not known"),
        (b'{"type":"move","v":"1"}', 'version "1" is not known'),
        (b'{"type":"move","v":1}', 'the key "game" is missing'),
        (ONE.replace(b'"Kd"', b"12"), '"move": expected str, got int'),
        (ONE.replace(b'"n":1', b'"n":-1'), '"n": expected int >= 1'),
        (ONE.replace(b'"n":1', b'"n":1.0'), '"n": expected int, got float'),
        (ONE.replace(b'"n":1', b'"n":1e400'), '"n": number out of range'),
        (ONE.replace(b'"n":1', b'"n":' + b"9" * 5000), '"n": integer value out of range'),
        (ONE.replace(b"2.4", b"1e400"), '"t": number out of range'),
        (ONE.replace(b"2.4", b"NaN"), "broken JSON: invalid character at column 77"),
        (ONE.replace(b"2.4", b"-0.1"), '"t": expected float >= 0.0'),
        (ONE.replace(b"g1", b"\xff"), "not UTF-8: byte 0xff at column 30"),
        (ONE.replace(b"g1", b"a\0"), "NUL byte at column 31"),
        (ONE.replace(b"g1", b"\\ud800"), "broken JSON"),
        (ONE[:40], "broken JSON: the object is not closed"),
        (ONE + ONE, "broken JSON: trailing characters"),
        (b'{"a":' * 200_000, "nested too deep"),
        (ONE[:-1] + b',"x":' + b"[" * 200_000, "nested too deep"),
        (b'{"type":"' + b"x" * 1000 + b'","v":1}', "unknown record type"),
        (b'{"type":"end","v":1,"game":"g","outcome":"' + b"x" * 1000 + b'"}', '"outcome": invalid enum value \'xx'),
    ],
)
def test_a_bad_line_is_reported_with_its_place_and_reading_goes_on(line: bytes, message: str) -> None:
    located = read(ONE + b"\n\n" + line + b"\n" + ONE + b"\n")
    assert [item.line for item in located] == [1, 3, 4]
    assert [item.record is None for item in located] == [False, True, False]
    problem = located[1].problem
    assert problem is not None
    assert problem.kind == "data"
    assert str(problem).startswith("log:3: ")
    assert message in problem.message
    assert len(str(problem)) < 200


@pytest.mark.parametrize("tail", [ONE[:-10], b"{", b'{"type":"mo', b"\0" * 100, b"{" + b"\0" * 30])
def test_a_torn_last_line_is_told_from_a_bad_one(tail: bytes) -> None:
    located = read(ONE + b"\n" + tail)
    assert isinstance(located[0].record, MoveRecord)
    problem = located[1].problem
    assert problem is not None
    assert problem.kind == "torn"
    assert str(problem) == "log:2: the last line is cut off; what came before it is kept"


def test_only_a_last_line_without_its_newline_is_torn() -> None:
    for data in (ONE[:40] + b"\n", ONE[:40] + b"\n" + ONE[:40]):
        problem = read(data)[0].problem
        assert problem is not None
        assert problem.kind == "data"


@pytest.mark.parametrize("tail", [b"hello", b"[]", b'{"type":"mvoe","v":1}'])
def test_a_last_line_that_is_whole_but_wrong_is_not_torn(tail: bytes) -> None:
    problem = read(ONE + b"\n" + tail)[1].problem
    assert problem is not None
    assert problem.kind == "data"


def test_utf_16_is_named() -> None:
    text = (ONE + b"\n").decode()
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        assert problems(text.encode(encoding)) == [
            "log:1: this is UTF-16 or no text; turn it into UTF-8 (iconv -f UTF-16 -t UTF-8)"
        ]


def test_damaged_gzip_data_says_where_and_keeps_what_was_good() -> None:
    rng = random.Random(3)
    lines = [MOVE % rng.randrange(1, 10**9) + b"\n" for _ in range(60_000)]
    packed = bytearray(gzip.compress(b"".join(lines)))
    packed[-6] ^= 1  # the check sum
    located = read(bytes(packed))
    assert len(located) == len(lines) + 1
    assert "the gzip data is damaged near byte" in str(located[-1].problem)
    packed[len(packed) // 2 : len(packed) // 2 + 200] = bytes(200)
    located = read(bytes(packed))
    assert 1_000 < sum(item.record is not None for item in located) < len(lines)
    assert "the gzip data is damaged near byte" in str(located[-1].problem)


def test_cut_gzip_data_says_so_and_keeps_what_came_before() -> None:
    packed = gzip.compress(b"".join(MOVE % n + b"\n" for n in range(1, 30_000)))
    located = read(packed[: len(packed) // 2])
    assert sum(item.record is not None for item in located) > 10_000
    problem = located[-1].problem
    assert problem is not None
    assert problem.kind == "torn"
    assert "the gzip data is cut off after byte" in problem.message


def test_gzip_data_packed_twice_is_named() -> None:
    packed = gzip.compress(gzip.compress(ONE + b"\n"))
    assert problems(packed) == ["log:1: this is packed twice; unpack it once (gunzip)"]


def test_junk_behind_gzip_data() -> None:
    assert "damaged" in problems(gzip.compress(ONE + b"\n") + b"junk")[0]
    assert places(gzip.compress(ONE)) == [1]


def test_a_file_named_gz_that_is_not(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(ONE)
    (located,) = read_records(path)
    assert str(located.problem) == f"{path}:1: is named .gz but is not gzip data; rename it, or pack it with gzip"


class Endless(io.RawIOBase):
    """A line of a given size that is never in memory, and a good line behind it."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.rest = b"\n" + ONE

    def read(self, size: int = -1) -> bytes:
        if self.left:
            chunk = b"x" * min(size, self.left)
            self.left -= len(chunk)
            return chunk
        chunk, self.rest = self.rest, b""
        return chunk


@pytest.mark.parametrize(("size", "is_refused"), [(LINE_LIMIT, False), (LINE_LIMIT + 1, True), (1 << 30, True)])
def test_a_line_over_the_limit_is_left_out_and_reading_goes_on(size: int, is_refused: bool) -> None:
    assert LINE_LIMIT == 16 << 20
    found = list(open_lines(Endless(size), "big"))  # type: ignore[arg-type]
    if is_refused:
        assert found == [Problem("big", 1, "the line is longer than 16 MiB; it is left out"), (2, ONE)]
    else:
        assert found == [(1, b"x" * size), (2, ONE)]


def test_memory_stays_small() -> None:
    script = """
import resource, sys
from pyramide_cli.records import read_records
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(item.record is not None for item in read_records("-"))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    count, line = 400_000, ONE + b"\n"
    packed = gzip.compress(line * count + b"y" * (200 << 20) + b"\n" + line, compresslevel=1)
    done = subprocess.run([sys.executable, "-c", script], input=packed, capture_output=True, check=True)
    read_count, kilobytes = map(int, done.stdout.split())
    assert read_count == count + 1
    assert kilobytes < 60_000


def test_a_line_that_fits_no_record_is_explained_in_little_memory() -> None:
    bad = b'{"type":"deal","v":1,"code":5,"x":[' + b"[]," * 5_000_000 + b"[]]}"
    tracemalloc.start()
    [item] = read(bad)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert item.problem is not None
    assert '"code": expected str' in item.problem.message
    assert peak < 4 * len(bad)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 1000])
def test_the_pieces_in_which_a_file_comes_do_not_matter(size: int) -> None:
    data = b"\xef\xbb\xbf" + ONE + b"\n\nbad\n" + ONE + b"\r\n" + ONE

    class Slow(io.BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return super().read(size)

    for stored in (data, gzip.compress(data)):
        assert list(read_records(Slow(stored), "x")) == list(read_records(io.BytesIO(stored), "x"))


def test_records_come_as_soon_as_their_line_is_there() -> None:
    script = "import sys\nfrom pyramide_cli.records import read_records\n"
    script += "for item in read_records('-'): print(item.line, flush=True)\n"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        guard = threading.Timer(30, process.kill)
        guard.start()
        for number, line in ((b"1\n", b"{}"), (b"2\n", ONE)):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == number
        guard.cancel()
        process.stdin.close()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path / "none", "no such file or directory"),
        (lambda path: path, "is a directory"),
        (lambda path: f"{path}/a\0b", "embedded null"),
        (lambda path: path / ("x" * 300), "file name too long"),
    ],
)
def test_what_cannot_be_read_is_a_problem_of_the_file(make: object, reason: str, tmp_path: Path) -> None:
    (located,) = read_records(make(tmp_path))  # type: ignore[operator]
    assert located.line == 0
    assert located.problem is not None
    assert located.problem.kind == "file"
    assert reason in located.problem.message


def test_a_stream_that_fails_half_way() -> None:
    class Failing(io.RawIOBase):
        pieces: Iterator[bytes] = iter([ONE + b"\n" + ONE[:20]])

        def read(self, _: int = -1) -> bytes:
            for piece in self.pieces:
                return piece
            raise OSError(5, "Input/output error")

    located = list(read_records(Failing(), "disk"))  # type: ignore[arg-type]
    assert located[0].record is not None
    assert str(located[-1].problem) == "disk:2: cannot be read: input/output error"
    assert located[-1].problem is not None
    assert located[-1].problem.kind == "file"


def test_messages_hold_nothing_that_a_terminal_obeys() -> None:
    text = str(Problem("a\x1b[31m", 3, "b\u202e\n\x9b"))
    assert text == "a\\x1b[31m:3: b\\u202e\\n\\x9b"
    assert len(str(Problem("a", 3, "x" * (1 << 20)))) < 1_100
    assert printable("J♦ Zoë") == "J♦ Zoë"
    assert printable("\ud800") == "\\ud800"


# What may come, put together at random: pieces of good lines, and of bad ones.
PIECES = st.sampled_from(
    [ONE, ONE[:30], ONE[30:], b"\n", b"\r\n", b"{", b"}", b'"', b"[" * 5000, b"\0", b"\xff", b"\\u", b"1e999", b"-"]
)


@given(st.lists(PIECES | st.binary(max_size=20), max_size=30).map(b"".join))
def test_any_bytes_give_records_or_problems_in_order(data: bytes) -> None:
    lines = [item.line for item in read(data)]
    assert lines == sorted(lines)
    assert len(list(read_blocks(io.BytesIO(data), "x"))) <= data.count(b"\n") + 2
    for item in read(data):
        assert (item.record is None) is (item.problem is not None)


@given(st.integers(0, 400), st.integers(0, 255), st.booleans())
def test_a_changed_byte_of_packed_data_never_gets_through_as_good(position: int, value: int, cut: bool) -> None:
    packed = bytearray(gzip.compress(b"".join(MOVE % n + b"\n" for n in range(1, 40))))
    position %= len(packed)
    if cut:
        del packed[position:]
    else:
        packed[position] = value
    located = read(bytes(packed))
    good = [item.record for item in located if isinstance(item.record, MoveRecord)]
    if [record.n for record in good] != list(range(1, 40)):
        assert any(item.problem for item in located) or not packed


@pytest.mark.parametrize("before", [0, 300_000])
@pytest.mark.parametrize("size", [LINE_LIMIT, LINE_LIMIT + 1, LINE_LIMIT + 7, LINE_LIMIT + 600_000])
def test_a_line_over_the_limit_costs_no_other(before: int, size: int) -> None:
    lines = [b"first" + b"-" * before, b"x" * size, *(b"line %d" % number for number in range(40_000))]
    found = list(open_lines(io.BytesIO(b"\n".join(lines)), "big"))
    expected: list[tuple[int, bytes] | Problem] = list(enumerate(lines, 1))
    if size > LINE_LIMIT:
        expected[1] = Problem("big", 2, "the line is longer than 16 MiB; it is left out")
    assert found == expected


def test_records_go_on_behind_a_line_that_is_too_long() -> None:
    located = read(ONE + b"\n" + b"x" * (LINE_LIMIT + 1) + b"\n" + ONE + b"\n")
    assert [(item.line, item.problem is None) for item in located] == [(1, True), (2, False), (3, True)]


def test_a_file_that_breaks_off_in_a_line_gives_that_line_unended() -> None:
    class Broken(io.RawIOBase):
        parts: ClassVar = [b"one\ntw", b"o"]

        def read(self, size: int = -1) -> bytes:
            if not self.parts:
                raise OSError(5, "Input/output error")
            return self.parts.pop(0)

    items = list(read_blocks(Broken(), "file"))  # type: ignore[arg-type]
    assert items == [
        Block("file", 1, [b"one"], ended=True),
        Block("file", 2, [b"two"], ended=False),
        Problem("file", 2, "cannot be read: input/output error", "file"),
    ]
    items = list(read_blocks(io.BytesIO(gzip.compress(b"one\n")[:-4]), "file"))
    assert [type(item) for item in items] == [Block, Problem]
    assert items[0] == Block("file", 1, [b"one"], ended=True)


def test_a_closed_stdin_is_a_problem_and_an_open_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert list(read_blocks("-")) == [Problem("<stdin>", None, "standard input is closed", "file")]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1")))
    assert list(read_blocks("-")) == [Block("<stdin>", 1, [b"1"], ended=False)]


def test_long_messages_are_cut() -> None:
    assert str(Problem("f", 1, "x" * 1000)) == "f:1: " + "x" * 1000
    assert str(Problem("f", 1, "x" * 1001)) == "f:1: " + "x" * 1000 + "…"
    end = '{"type":"end","v":1,"game":"g","outcome":"%s","score":1,"moves":1,"undos":0}'
    for size, shown in ((100, "x" * 79), (101, "x" * 80)):
        (message,) = problems((end % shown).encode())
        text = message.partition('"outcome": ')[2]
        assert text == f"invalid enum value '{shown}'"[:100] + ("…" if size > 100 else "")
    for size in (38, 39):
        (message,) = problems(b'{"type":"%s","v":1}' % (b"x" * size))
        shown = '"' + "x" * 38 + '"' if size == 38 else '"' + "x" * 36 + "…"
        assert message.startswith(f"log:1: unknown record type {shown}; known are ")


@pytest.mark.parametrize(
    "data", [b"", b"\xef", b"\xef\xbb", b"\xef\xbb\xbf", b"\xef\xbb\xbf1\n2", b"\xef\xbb1", b"\n", b"1\n"]
)
def test_a_byte_order_mark_may_come_in_pieces(data: bytes) -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read1(1)

    lines = [line for item in read_blocks(Slow(data), "file") if isinstance(item, Block) for line in item.lines]
    text = data.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n")
    assert lines == (text.split(b"\n") if text or data == b"\n" else [])


def test_a_gzip_fault_behind_half_a_byte_order_mark_loses_nothing() -> None:
    cut = gzip.compress(b"\xef\xbb")[:-4]
    items = list(read_blocks(io.BytesIO(cut), "file"))
    assert items[0] == Block("file", 1, [b"\xef\xbb"], ended=False)
    assert isinstance(items[1], Problem)
    assert len(items) == 2
    assert [type(item) for item in read_blocks(io.BytesIO(gzip.compress(b"")[:-4]), "file")] == [Problem]


@pytest.mark.parametrize("end", [b"", b"\n", b"\nlast"])
def test_a_last_line_over_the_limit_leaves_nothing_behind(end: bytes) -> None:
    items = list(read_blocks(io.BytesIO(b"x" * (LINE_LIMIT + 1) + end), "file"))
    assert items[0] == Problem("file", 1, "the line is longer than 16 MiB; it is left out")
    lines = [line for item in items[1:] if isinstance(item, Block) for line in item.lines]
    assert lines == ([b"last"] if end == b"\nlast" else [])
    assert [item.first for item in items[1:] if isinstance(item, Block) and item.lines] == ([2] if lines else [])


@pytest.mark.parametrize(("data", "is_utf_16"), [(b"\0a", True), (b"a\0", True), (b"ab\0", False)])
def test_only_the_first_two_bytes_tell_utf_16(data: bytes, is_utf_16: bool) -> None:
    (problem,) = problems(data + b"\n")
    assert ("UTF-16" in problem) is is_utf_16


def unpacked_so_far(packed: bytes) -> bytes:
    """Return what can be unpacked of damaged data, a byte at a time."""
    unpacker, text = zlib.decompressobj(wbits=31), b""
    with suppress(zlib.error):
        for at in range(len(packed)):
            text += unpacker.decompress(packed[at : at + 1])
    return text


@pytest.mark.parametrize("seed", range(30))
def test_of_damaged_gzip_data_every_good_byte_is_kept(seed: int) -> None:
    rng = random.Random(seed)
    lines = b"".join(b"%d\n" % rng.getrandbits(100) for _ in range(4_000))
    packed = bytearray(gzip.compress(lines))
    damage = rng.randrange(30, 900) if seed % 2 else rng.randrange(1_000, len(packed) - 1_000)
    packed[damage : damage + 40] = rng.randbytes(40)
    items = list(read_blocks(io.BytesIO(packed), "file"))
    blocks = [item for item in items if isinstance(item, Block)]
    text = b"".join(line + b"\n" for block in blocks for line in block.lines)
    assert (text if not blocks or blocks[-1].ended else text[:-1]) == unpacked_so_far(bytes(packed))
    assert isinstance(items[-1], Problem)


@pytest.mark.parametrize("size", range(2_040, 2_060))
def test_good_bytes_right_before_the_damage_are_kept(size: int) -> None:
    """Of data that is stored as it is every byte can be had at once."""
    line = b"1" * (size - 1) + b"\n"
    stored = b"\0" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + line
    no_block = b"\7"
    (block, problem) = read_blocks(io.BytesIO(gzip.compress(b"")[:10] + stored + no_block), "file")
    assert isinstance(block, Block)
    assert (block.lines, block.ended) == ([line[:-1]], True)
    assert isinstance(problem, Problem)


def test_where_gzip_data_is_damaged() -> None:
    rng = random.Random(7)
    packed = bytearray(gzip.compress(b"".join(b"%d\n" % rng.getrandbits(400) for _ in range(31_600))))
    assert len(packed) % (256 << 10) > 200_000  # so that a wrong place is far away
    for damage in (100_000, 700_000, len(packed) - 5):
        spoiled = bytearray(packed)
        spoiled[damage : damage + 4] = bytes(byte ^ 255 for byte in spoiled[damage : damage + 4])
        problem = list(read_blocks(io.BytesIO(spoiled), "file"))[-1]
        assert isinstance(problem, Problem)
        (place,) = re.findall(r"damaged near byte ([\d,]+);", problem.message)
        # The place is that of the piece in which it is noticed: at once, or by the check sum at the end.
        assert damage - (256 << 10) < int(place.replace(",", "")) <= len(packed)
    problem = list(read_blocks(io.BytesIO(packed[:-3]), "file"))[-1]
    assert isinstance(problem, Problem)
    assert problem.message.startswith(f"the gzip data is cut off after byte {len(packed) - 3:,};")


def test_cut_gzip_data_gives_all_that_was_packed_tight() -> None:
    packed = gzip.compress(b"1\n" * 3_000_000)
    assert len(packed) < 10_000
    items = list(read_blocks(io.BytesIO(packed[:-4]), "file"))
    assert sum(len(item.lines) for item in items if isinstance(item, Block)) == 3_000_000
    assert isinstance(items[-1], Problem)


def test_two_bytes_are_enough_for_a_line() -> None:
    class Typed(io.RawIOBase):
        asked = 0

        def read(self, size: int = -1) -> bytes:
            self.asked += 1
            return b"1\n" if self.asked == 1 else b""

    stream = Typed()
    assert next(read_blocks(stream, "typed")) == Block("typed", 1, [b"1"], ended=True)  # type: ignore[arg-type]
    assert stream.asked == 1


@pytest.mark.parametrize("line", [b"", b"1", b"12345"])
def test_wherever_gzip_data_is_cut_all_that_can_be_unpacked_is_kept(line: bytes) -> None:
    # Where the cut falls just behind a piece of text, the unpacker has taken all bytes and not given all text.
    packed = gzip.compress((line + b"\n") * 300_000)
    for cut in range(275, len(packed) - 8, 1 if line == b"" else 139):
        items = list(read_blocks(io.BytesIO(packed[:cut]), "file"))
        whole = zlib.decompressobj(wbits=31).decompress(packed[:cut])
        assert sum(len(item.lines) for item in items if isinstance(item, Block) and item.ended) == whole.count(b"\n")
