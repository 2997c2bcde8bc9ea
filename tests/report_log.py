"""Makes the small log that the reports are tested on: `python -m tests.report_log` writes it again.

Nothing in it depends on the clock: times are made up, searches take a microsecond a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from pyramide_cli import Deal, Game, solve
from pyramide_cli.moves import UNDO, Move, move_name
from pyramide_cli.players import find_player, play_out
from pyramide_cli.records import (
    VERSION,
    AnalysisRecord,
    EndRecord,
    MoveRecord,
    Record,
    SolutionRecord,
    Verdict,
    deal_record,
    encode,
)
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.solver import rate_moves

FOLDER = Path(__file__).parent / "data" / "reports"
LOG = FOLDER / "log.jsonl"
OTHER = FOLDER / "other.jsonl"
HOSTILE = "=1+1|<script>alert(1)</script>\x1b[31m $x_1$ *b*"
_START = datetime(2026, 11, 26, 18, 0, tzinfo=UTC)


def human(number: int, rules: Rules, player: str = "me", *, stop_after: int | None = None) -> Iterator[Record]:
    """Yield the log of a game as a person plays it: with times, mistakes that are undone, and perhaps no end."""
    rng = Random(number)
    deal = Deal.from_number(number)
    game = Game(deal, rules)
    game_id = f"{number:03d}-{player[:2]}"
    at = (_START + timedelta(hours=7 * number)).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield deal_record(deal, rules, game=game_id, player=player, at=at)
    choose = find_player("greedy")(rng)
    t, n, patience = 0.0, 0, 60
    while not game.is_over and patience:
        entry: Move | None = UNDO if game.undoable and rng.random() < 0.08 else choose(game)
        if entry is None or n == stop_after:
            break
        game.apply(entry)
        patience -= not entry.cards
        t = round(t + rng.uniform(0.4, 4.0), 1)
        n += 1
        yield MoveRecord(v=VERSION, game=game_id, n=n, move=move_name(entry), score=game.score, moves=game.moves, t=t)
    if stop_after is None:
        yield EndRecord(
            v=VERSION,
            game=game_id,
            outcome=game.outcome or "given-up",
            score=game.score,
            moves=game.moves,
            undos=game.undos,
            t=t,
        )


def solution(number: int, rules: Rules, find: str = "shortest", *, max_states: int = 1_000_000) -> SolutionRecord:
    """Return what the solver says of a deal."""
    found = solve(Deal.from_number(number), rules, find=find, max_states=max_states)
    return SolutionRecord(
        v=VERSION,
        code=found.deal.code,
        rules=rules.record(),
        cards=found.deal.text(),
        find=find,
        verdict=found.verdict,  # type: ignore[arg-type]
        length=found.length,
        optimal=found.optimal,
        score=found.score,
        cleared=found.cleared,
        removed=found.removed,
        lower=found.lower,
        upper=found.upper,
        line=None if found.line is None else [move_name(move) for move in found.line],
        states=found.states,
        seconds=found.states / 1e6,
    )


def judged(number: int, rules: Rules) -> Iterator[AnalysisRecord]:
    """Yield what every move of a person's game was worth."""
    game = Game(Deal.from_number(number), rules)
    for record in human(number, rules):
        if not isinstance(record, MoveRecord):
            continue
        if record.move == "undo":
            game.undo()
            continue
        rated = rate_moves(game)
        best = min((left for _, verdict, left in rated if verdict == "winnable" and left is not None), default=None)
        move, verdict, left = next(each for each in rated if move_name(each[0]) == record.move)
        before: Verdict = "winnable" if any(each[1] == "winnable" for each in rated) else "unwinnable"
        yield AnalysisRecord(
            v=VERSION,
            game=record.game,
            n=record.n,
            move=record.move,
            before=before,
            after=verdict,  # type: ignore[arg-type]
            left_before=None if best is None else best + 1,
            left_after=left,
            cost=None if best is None or left is None else left - best,
        )
        game.push(move)


def log() -> Iterator[Record]:
    """Yield a mixed log: people and players, three rulesets, solutions of several kinds, judged games."""
    pyramide, par = RULES["pyramide"], RULES["par"]
    homely = pyramide.replace(passes=3)
    for number in range(1, 25):
        yield from play_out(Deal.from_number(number), pyramide, "greedy", seed=7)
    for number in range(1, 13):
        yield from play_out(Deal.from_number(number), pyramide, "random", seed=7)
    for number in range(1, 19):
        yield from human(number, pyramide)
    yield from human(19, pyramide, stop_after=12)
    for number in range(1, 7):
        yield from play_out(Deal.from_number(number), RULES["microsoft"], "greedy", seed=7)
    for number in range(1, 5):
        yield from human(number, homely, HOSTILE)
    for number in range(1, 3):
        yield from play_out(Deal.from_number(number), par, "greedy", seed=7)
    for number in range(1, 25):
        yield solution(number, pyramide)
    for number in range(1, 7):
        yield solution(number, RULES["microsoft"])
    yield solution(7, RULES["microsoft"], max_states=10)
    yield solution(1, pyramide, "most")
    for number in range(1, 7):
        yield from judged(number, pyramide)


def other() -> Iterator[Record]:
    """Yield a second set to compare with: the same deals by another player, and under other rules."""
    for number in range(3, 30):
        yield from play_out(Deal.from_number(number), RULES["pyramide"], "random", seed=8)
    for number in range(1, 13):
        yield solution(number, RULES["relaxed"])


def main() -> None:
    """Write both logs."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    LOG.write_bytes(b"".join(map(encode, log())))
    OTHER.write_bytes(b"".join(map(encode, other())))


if __name__ == "__main__":
    main()
