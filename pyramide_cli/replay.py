"""Records held against the engine: what agrees, what does not, and where.

`replay` reads the records of logs and of solutions one by one, makes every move again, and yields one `GameRecord` for
each game or solution. It needs memory for the games that are open and for the ids of all, however long the log is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pyramide_cli.errors import PyramideError
from pyramide_cli.game import Game
from pyramide_cli.moves import Move, parse_move
from pyramide_cli.records import (
    VERSION,
    DealRecord,
    EndRecord,
    GameRecord,
    Located,
    MoveRecord,
    Outcome,
    Problem,
    SolutionRecord,
    code_fault,
    deal_of,
    known,
    rules_of,
)
from pyramide_cli.rules import DEFAULT_RULES, Rules

_LONGEST_SHOWN = 40


class Step(NamedTuple):
    """A game as it stands at its start (n 0, no move) or after one of its entries (n from 1).

    `game` is the one that goes on being replayed: copy it to keep it.
    """

    track: Track
    n: int
    move: Move | None
    game: Game


Source = DealRecord | SolutionRecord
"""What a game or a solution starts with."""

RulesFor = Callable[[Source], Rules]
"""Says under which rules a game or solution is replayed; may raise `PyramideError`."""

Watch = Callable[[Step], None]
"""Is told of every step of every game while it is replayed."""


def own_rules(source: Source) -> Rules:
    """Return the rules of a record, the default where it has none; `RulesError` where they are none."""
    return rules_of(source) or DEFAULT_RULES


@dataclass(frozen=True, slots=True)
class Checked:
    """A game or a solution that has been replayed.

    record: what came of it, its `fault` the text of `problem`.
    problem: the first thing wrong with it, None when all agrees.
    track: what was being replayed, and how far it agreed.
    """

    record: GameRecord
    problem: Problem | None
    track: Track


class Track:
    """A game or a solution while it is replayed.

    source: the record that it started with, which was read from `file` and `line`.
    game: the engine, None where no cards could be made out.
    entries: how many entries were made; n: the number of the last one; checked: how many were right.
    t: the last time that was read; warning: where it first went back, which is odd, but may be a clock that was set.
    ended: whether its end has been read; broken: whether there is no engine or it could not follow.
    """

    __slots__ = (
        "broken",
        "checked",
        "claimed_outcome",
        "ended",
        "entries",
        "file",
        "game",
        "last_line",
        "line",
        "n",
        "problem",
        "source",
        "t",
        "warning",
    )

    def __init__(self, source: Source, file: str, line: int, rules_for: RulesFor = own_rules) -> None:
        self.source = source
        self.file = file
        self.line = self.last_line = line
        self.game: Game | None = None
        self.entries = 0
        self.n = 0
        self.checked = 0
        self.t: float | None = None
        self.ended = False
        self.claimed_outcome: Outcome | None = None
        self.problem: Problem | None = None
        self.warning: Problem | None = None
        self.broken = True
        if source.code is None and self.is_brief:
            return
        try:
            deal = deal_of(source)
            self.game = Game(deal, rules_for(source))
            self.broken = False
        except PyramideError as error:
            self.fault(file, line, str(error))
        else:
            mismatch = code_fault(source, deal)
            if mismatch is not None:
                self.fault(file, line, mismatch)

    @property
    def name(self) -> str:
        """What messages call it: the game by its id, a solution by its deal."""
        return f"game {self.label}" if self.is_game else f"solution of {self.label or 'a deck'}"

    @property
    def label(self) -> str:
        """The id of a game, the code of a solution's deal; empty where there is none."""
        return _shorten((self.source.game if isinstance(self.source, DealRecord) else self.source.code) or "")

    @property
    def is_game(self) -> bool:
        """Whether it is a game, and no solution."""
        return isinstance(self.source, DealRecord)

    @property
    def is_brief(self) -> bool:
        """Whether it is a solution of which only the verdict was written down."""
        return isinstance(self.source, SolutionRecord) and self.source.is_brief

    @property
    def rules(self) -> Rules | None:
        """The rules that it is replayed under."""
        return None if self.game is None else self.game.rules

    def fault(self, file: str, line: int, message: str) -> None:
        """Note that something is wrong; only the first thing is kept."""
        if self.problem is None:
            self.problem = Problem(file, line, f"{self.name}: {message}")

    def _read_time(self, t: float | None, file: str, line: int) -> None:
        if t is None:
            return
        if self.t is not None and t < self.t and self.warning is None:
            self.warning = Problem(file, line, f"{self.name}: warning: the time goes back from {self.t} to {t}")
        self.t = t

    def enter(self, record: MoveRecord, file: str, line: int) -> Move | None:
        """Make the entry of a log again and hold its numbers against the engine's; the move if it could be made."""
        self.last_line = line
        game = self.game
        if game is None or self.broken:
            return None
        expected = self.n + 1
        self.n = record.n
        right = True
        if record.n != expected:
            self.fault(file, line, f"entry {record.n} where entry {expected} should be")
            right = False
        try:
            move = parse_move(record.move)
            game.apply(move)
        except PyramideError as error:
            self.broken = True
            self.n = expected - 1
            self.fault(file, line, f"entry {record.n}, {_shorten(record.move)}: {error}")
            return None
        if record.score != game.score:
            self.fault(
                file, line, f"entry {record.n}: the score is {_null(record.score)}, but should be {_null(game.score)}"
            )
            right = False
        if record.moves != game.moves:
            self.fault(file, line, f"entry {record.n}: the move count is {record.moves}, but should be {game.moves}")
            right = False
        self._read_time(record.t, file, line)
        self.entries += 1
        self.checked += right
        return move

    def end(self, record: EndRecord, file: str, line: int) -> None:
        """Hold the end of a log against the engine's outcome and counters."""
        self.last_line = line
        self.ended = True
        self._read_time(record.t, file, line)
        self.claimed_outcome = record.outcome
        game = self.game
        if game is None or self.broken:
            return
        outcome = game.outcome
        if outcome is None and record.outcome != "given-up":
            self.fault(file, line, f"the end says {record.outcome}, but the game is not over")
        elif outcome is not None and record.outcome != outcome:
            self.fault(file, line, f"the end says {record.outcome}, but the game is {outcome}")
        for what, said, true in (
            ("score", known(record.score), game.score),
            ("move count", record.moves, game.moves),
            ("undo count", record.undos, game.undos),
        ):
            if said != true:
                self.fault(file, line, f"the end has the {what} {_null(said)}, but it should be {_null(true)}")

    def outcome(self) -> Outcome:
        """Return how a game came out: as the engine has it, `given-up` where it does not, `open` without an end."""
        over = None if self.game is None else self.game.outcome
        if not self.ended:
            return "open"
        return over or ("given-up" if self.claimed_outcome == "given-up" else "open")


def replay(
    records: Iterable[Located], rules_for: RulesFor = own_rules, watch: Watch | None = None
) -> Iterator[Checked | Problem]:
    """Replay logs and solutions, and yield what came of each; a `Problem` is wrong with a line that belongs to none.

    Games may be interleaved. Each is yielded as soon as its end has been read, and those without an end last.
    `rules_for` says under which rules each is replayed, and `watch` is told of every step.
    """
    return Replayer(rules_for, watch).replay(records)


class Replayer:
    """Replays records, and knows which games are still open.

    open: the games that have begun and not ended, by id; begun: the place where each game began, by id.
    passed_over: how many records there were that have nothing to replay.
    """

    def __init__(self, rules_for: RulesFor = own_rules, watch: Watch | None = None) -> None:
        self.open: dict[str, Track] = {}
        self.begun: dict[str, str] = {}
        self.passed_over = 0
        self._rules_for = rules_for
        self._watch = watch
        self._ended: Track | None = None
        self._unknown: set[str] = set()

    def replay(self, records: Iterable[Located]) -> Iterator[Checked | Problem]:
        """Do what the function `replay` does."""
        for track in self.follow(records):
            yield track if isinstance(track, Problem) else _checked(track)
        for track in self.open.values():
            yield _checked(track)

    def follow(self, records: Iterable[Located]) -> Iterator[Track | Problem]:
        """Yield games that have ended, solutions, and problems, but leave the games without an end in `open`."""
        open_games = self.open
        watch = self._watch
        for located in records:
            record, file, line = located.record, located.file, located.line
            if type(record) is MoveRecord:
                track = open_games.get(record.game)
                if track is not None:
                    move = track.enter(record, file, line)
                    if watch is not None and move is not None and track.game is not None:
                        watch(Step(track, track.entries, move, track.game))
                    continue
            if located.problem is not None:
                yield located.problem
                continue
            # An ended game is held back for one more record, which may be one that should not be there.
            ended = self._ended
            if ended is not None:
                if isinstance(record, MoveRecord | EndRecord) and record.game == _id_of(ended.source):
                    ended.fault(file, line, "an entry after the end of the game")
                    continue
                self._ended = None
                yield ended
            if isinstance(record, EndRecord) and record.game in open_games:
                track = open_games.pop(record.game)
                track.end(record, file, line)
                self._ended = track
            elif isinstance(record, MoveRecord | EndRecord):
                yield from self._stray(record, file, line)
            elif isinstance(record, DealRecord) and record.game is not None:
                yield from self._begin(record, file, line)
            elif isinstance(record, SolutionRecord):
                yield self._solution(record, file, line)
            else:
                self.passed_over += 1
        if self._ended is not None:
            yield self._ended
            self._ended = None

    def _begin(self, record: DealRecord, file: str, line: int) -> Iterator[Track | Problem]:
        game_id = record.game
        assert game_id is not None
        track = Track(record, file, line, self._rules_for)
        before = self.begun.get(game_id)
        if before is None:
            self.begun[game_id] = f"{file}:{line}"
        else:
            track.fault(file, line, f"its id is that of the game that began at {before}")
            # Two games can hardly be meant to go on side by side under one id: the second takes the place of the first.
            if game_id in self.open:
                yield self.open.pop(game_id)
        self.open[game_id] = track
        self._show_start(track)

    def _stray(self, record: MoveRecord | EndRecord, file: str, line: int) -> Iterator[Problem]:
        game_id = record.game
        if game_id in self._unknown:
            return
        self._unknown.add(game_id)
        before = self.begun.get(game_id)
        if before is None:
            yield Problem(file, line, f"game {_shorten(game_id)}: no deal comes before this entry")
        else:
            yield Problem(file, line, f"game {_shorten(game_id)}: an entry after its end; it began at {before}")

    def _show_start(self, track: Track) -> None:
        if self._watch is not None and track.game is not None:
            self._watch(Step(track, 0, None, track.game))

    def _solution(self, record: SolutionRecord, file: str, line: int) -> Track:
        track = Track(record, file, line, self._rules_for)
        track.ended = True
        self._show_start(track)
        game = track.game
        if game is None:
            return track
        for text in known(record.line) or ():
            try:
                move = parse_move(text)
                game.push(move)
            except PyramideError as error:
                track.broken = True
                track.fault(file, line, f"move {track.entries + 1} of the line, {_shorten(text)}: {error}")
                return track
            track.entries += 1
            track.checked += 1
            if self._watch is not None:
                self._watch(Step(track, track.entries, move, game))
        for message in _solution_faults(record, game):
            track.fault(file, line, message)
        return track


def _solution_faults(record: SolutionRecord, game: Game) -> Iterator[str]:
    """Yield what a solution says wrongly; its line has been played in `game`."""
    lower, upper, line = known(record.lower), known(record.upper), known(record.line)
    if lower is not None and upper is not None and lower > upper:
        yield f"the lower bound {lower} is above the upper bound {upper}"
    if line is None:
        if record.length is not None and not record.is_brief:
            yield f"the length is {record.length}, but there is no line"
        return
    for what, said, true in (
        ("length", record.length, len(line)),
        ("score", known(record.score), game.score),
        ("number of cleared cards", known(record.cleared), game.cleared),
        ("number of removed cards", known(record.removed), game.removed),
    ):
        if said != true:
            yield f"the {what} is {_null(said)}, but should be {_null(true)}"
    asked = _asked(record, game)
    if asked is not None and ((lower is not None and asked < lower) or (upper is not None and asked > upper)):
        yield f"what was asked is {asked}, but its bounds are {_null(lower)} and {_null(upper)}"
    if record.optimal is True and lower != upper:
        yield f"it is optimal, but its bounds are {_null(lower)} and {_null(upper)}"
    won = game.outcome == "won"
    if won and record.verdict != "winnable":
        yield f"the verdict is {record.verdict}, but the line wins"
    elif not won and record.verdict == "winnable" and record.find in ("any", "shortest", "most"):
        yield "the verdict is winnable, but the line does not win"


def _asked(record: SolutionRecord, game: Game) -> int | None:
    """Return what the bounds of a solution are about, as its line has it; None where that is not looked at."""
    if record.find == "most":
        return game.removed if game.rules.goal == "all" else game.cleared
    return {"shortest": game.moves, "score": game.score}.get(record.find)


def _checked(track: Track) -> Checked:
    return Checked(game_record(track), track.problem, track)


def game_record(track: Track) -> GameRecord:
    """Return the record of a game or solution as far as it has been replayed."""
    source = track.source
    game = track.game
    record = GameRecord(v=VERSION, outcome=None, rules=source.rules, checked=track.checked, fault=_text(track.problem))
    if game is None:
        record.code = source.code
        record.cards = None if source.code is not None else known(source.cards)
    else:
        record.code = game.deal.code
        record.cards = game.deal.text() if game.deal.code is None else None
        record.rules = game.rules.record()
    if isinstance(source, DealRecord):
        record.game, record.player, record.at = source.game, source.player, source.at
        record.t = track.t
        record.outcome = track.outcome()
    else:
        record.find = source.find
        record.verdict = source.verdict
        record.length = source.length
        record.optimal = known(source.optimal)
        record.states = known(source.states)
        record.seconds = known(source.seconds)
        if known(source.line) is None:
            return record
        record.outcome = "open" if game is None else game.outcome or "open"
    if game is not None:
        record.score = game.score
        record.moves = game.moves
        record.removals, record.draws, record.recycles = game.removals, game.draws, game.recycles
        record.undos = game.undos
        record.cleared, record.removed = game.cleared, game.removed
    return record


def _text(problem: Problem | None) -> str | None:
    return None if problem is None else str(problem)


def _id_of(source: Source) -> str | None:
    return source.game if isinstance(source, DealRecord) else None


def _null(value: int | None) -> str:
    """Return a number as a record has it."""
    return "null" if value is None else str(value)


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
