"""How fast `pyramide stats` reads a log, and in how much memory: `python -m tests.benchmarks.stats [GAMES]`.

Real games of the greedy player are written again and again under new ids and codes, straight into the program's stdin.
Two logs have the same number of games, one twice as many entries: memory must not differ. The third has forty times as
many games, given up at once: a million by default.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice

from pyramide_cli.deals import Deal, code_of
from pyramide_cli.players import play_out
from pyramide_cli.records import DealRecord, EndRecord, MoveRecord, encode

_ID, _CODE = b"@@game@@", b"@@code@@"
_BATCH = 500


def template(number: int, entries: int) -> bytes:
    """Return the log of a game, made as long as asked by draws that are undone at once; given up at once for 0."""
    records = list(play_out(Deal.from_number(number), player="greedy", seed=1))
    deal, *moves, end = records
    assert isinstance(deal, DealRecord)
    assert isinstance(end, EndRecord)
    if entries == 0:
        moves = []
        end = EndRecord(v=1, game="", outcome="given-up", score=0, moves=0, undos=0)
    lines: list[bytes] = []
    extra = 0
    undone = MoveRecord(v=1, game="", n=1, move="draw", score=0, moves=1)
    while len(moves) + len(lines) + 1 < entries:
        extra += 1
        for move in ("draw", "undo"):
            undone.n, undone.move, undone.moves = len(lines) + 1, move, extra
            lines.append(encode(undone))
    for record in moves:
        assert isinstance(record, MoveRecord)
        record.n += len(lines)
        record.moves += extra
    end.moves += extra
    end.undos += extra
    for record in (deal, *moves, end):
        assert not isinstance(record, str)
        record.game = "@@game@@"
    deal.code = "@@code@@"
    deal.cards = None
    lines = [line.replace(b'"game":""', b'"game":"@@game@@"') for line in lines]
    return encode(deal) + b"".join(lines) + b"".join(map(encode, (*moves, end)))


def log(games: int, entries: int) -> Iterator[bytes]:
    """Yield the log in pieces of some hundred games."""
    templates = [template(number, entries) for number in range(50)]
    lots = (
        templates[n % len(templates)].replace(_ID, b"greedy-%016x" % n).replace(_CODE, code_of(n % 50).encode())
        for n in range(games)
    )
    while lot := b"".join(islice(lots, _BATCH)):
        yield lot


def measure(games: int, entries: int) -> None:
    """Run the program on such a log and print lines a second of its own CPU time, and its peak memory."""
    command = [sys.executable, "-m", "pyramide_cli", "stats", "--format", "json", "-"]
    lines = 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for lot in log(games, entries):
            process.stdin.write(lot)
            lines += lot.count(b"\n")
        process.stdin.close()
        answer = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, "the log is not right"
    assert f'"games": {games},'.encode() in answer
    seconds = usage.ru_utime + usage.ru_stime
    sys.stdout.write(
        f"{games:>9,} games {lines:>11,} lines: {seconds:6.1f} s of CPU, {lines / seconds:>9,.0f} lines/s, "
        f"{usage.ru_maxrss / 1024:6.1f} MiB\n"
    )


def main() -> None:
    """Measure three logs."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 25_000
    measure(games, 60)
    measure(games, 120)
    measure(40 * games, 0)


if __name__ == "__main__":
    main()
