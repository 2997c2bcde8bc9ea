"""The gathered columns as pandas DataFrames: what notebooks read, and what the command's own reports are made of."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from os import PathLike, fspath
from typing import TYPE_CHECKING, TypeAlias

from pyramide_cli.errors import PyramideError
from pyramide_cli.records import Located, MoveRecord, Problem, read_records
from pyramide_cli.reports.columns import MISSING, Labels, integers, reals
from pyramide_cli.reports.gathering import Gatherer
from pyramide_cli.reports.store import GAME_COUNTS, SOLUTION_COUNTS, Games, Judgements, Solutions, Store
from pyramide_cli.reports.tally import entry_code, entry_kind

if TYPE_CHECKING:
    import pandas as pd

Paths: TypeAlias = "str | PathLike[str] | Iterable[str | PathLike[str]]"

CODE_START = "PY1-"


class DataError(PyramideError):
    """A line of an input is not what it should be; the message names its place."""


def games(paths: Paths, *, on_problem: Callable[[Problem], None] | None = None) -> pd.DataFrame:
    """Read logs and game records and return a DataFrame with one row a game, in order of appearance.

    A game that was read twice (its log and its record, say) has one row: a finished account counts before an open one,
    a checked one before a claim, and the later of two equal ones. Columns:

    - game (string): the id; deal (string): the deal's code, or its 52 cards where it has none; code (string): the code
      alone;
    - rules (category): a preset's name, or the nearest preset and the axes that differ; player (category);
    - at (datetime64[us, UTC]): when the game was dealt;
    - outcome (category): won, stuck, lost, given-up or open;
    - score, moves, removals, draws, recycles, undos, cleared (pyramid cards gone, of 28), removed (cards gone, of 52),
      checked (entries that a check found right) (Int32): as records have them; undone moves count in `moves` and
      `undos` alone;
    - kings, inner, mixed, outer (Int32): the removals by kind, known from logs alone: kings, pairs inside the pyramid,
      pairs of a pyramid card with one of stock or waste, pairs without a pyramid card;
    - t (float64): seconds; fault (string): the first thing that a check found wrong.

    Every unknown figure is null. Lines that cannot be used go to `on_problem`; without it they raise `DataError`.
    """
    return games_frame(gather(paths, on_problem).games)


def solutions(paths: Paths, *, on_problem: Callable[[Problem], None] | None = None) -> pd.DataFrame:
    """Read solutions (full, brief, or checked) and return a DataFrame with one row each, all of them.

    Columns:

    - deal, code (string), rules (category): as in `games`; find (category): what was asked;
    - verdict (category): winnable, unwinnable or undecided;
    - length (Int32): moves of the line that was found; optimal (boolean): whether what was asked is proved;
    - score, cleared, removed, lower, upper (Int32): as in records;
    - states (Int64): positions stored by the search; seconds (float64): time of the search;
    - fault (string): the first thing that a check found wrong.

    Lines that cannot be used go to `on_problem`; without it they raise `DataError`.
    """
    return solutions_frame(gather(paths, on_problem).solutions)


def moves(paths: Paths, *, on_problem: Callable[[Problem], None] | None = None) -> pd.DataFrame:
    """Read logs and return a DataFrame with one row an entry, in order: about 30 bytes each.

    Columns:

    - game (category), n (Int32): the game's id and the entry's number;
    - move (category): the entry in record notation; kind (category): king, pair, draw, recycle or undo;
    - score (Int32, null where the rules keep none), moves (Int32): score and move counter after it;
    - t (float64): seconds since the game began, null where the log has no times.

    Lines that cannot be used go to `on_problem`; without it they raise `DataError`.
    """
    game, move, kind = Labels(), Labels(), Labels()
    counts = {name: integers() for name in ("n", "score", "moves")}
    t = reals()
    complain = on_problem or _raise
    for item in read_all(paths):
        record = item.record
        if item.problem is not None:
            complain(item.problem)
        if not isinstance(record, MoveRecord):
            continue
        try:
            code = entry_code(record.move)
            for name, value in (("n", record.n), ("score", record.score), ("moves", record.moves)):
                counts[name].append(MISSING if value is None else value)
        except (PyramideError, OverflowError) as error:
            complain(Problem(item.file, item.line, str(error)))
            shortest = len(t)
            for column in counts.values():
                del column[shortest:]
            continue
        game.append(record.game)
        move.append(record.move)
        kind.append(entry_kind(code))
        t.append(float("nan") if record.t is None else record.t)
    import pandas as pd

    return pd.DataFrame(
        {
            "game": _category(game),
            "n": _nullable(counts["n"]),
            "move": _category(move),
            "kind": _category(kind),
            "score": _nullable(counts["score"]),
            "moves": _nullable(counts["moves"]),
            "t": _floats(t),
        },
        copy=False,
    )


def read_all(paths: Paths) -> Iterator[Located]:
    """Read the records of several files one after the other; `-` is stdin."""
    several = [paths] if isinstance(paths, str | PathLike) else paths
    return chain.from_iterable(read_records(fspath(path)) for path in several)


def gather(paths: Paths, on_problem: Callable[[Problem], None] | None = None) -> Store:
    """Read files into compact columns; problems go to `on_problem`, and raise `DataError` without it."""
    gatherer = Gatherer(on_problem or _raise)
    gatherer.add_all(read_all(paths))
    return gatherer.finish()


def _raise(problem: Problem) -> None:
    raise DataError(str(problem))


def games_frame(games: Games, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the games as `reports.games` describes them; of a large set, take only the columns that are needed."""
    makers: dict[str, Callable[[], object]] = {
        "game": lambda: _text(games.ids()),
        "deal": lambda: _text([deal or None for deal in games.deal]),
        "code": lambda: _text([_code(deal) for deal in games.deal]),
        "rules": lambda: _category(games.rules),
        "player": lambda: _category(games.player),
        "at": lambda: _moments(games.at),
        "outcome": lambda: _category(games.outcome),
        **{name: lambda name=name: _nullable(games.counts[name]) for name in GAME_COUNTS},  # type: ignore[misc]
        "t": lambda: _floats(games.t),
        "fault": lambda: _sparse(games.faults, len(games)),
        "faulty": lambda: _marked(games.faults, len(games)),
    }
    return _frame(makers, columns)


def solutions_frame(solutions: Solutions, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the solutions as `reports.solutions` describes them, or only some columns."""
    makers: dict[str, Callable[[], object]] = {
        "deal": lambda: _text([deal or None for deal in solutions.deal]),
        "code": lambda: _text([_code(deal) for deal in solutions.deal]),
        "rules": lambda: _category(solutions.rules),
        "find": lambda: _category(solutions.find),
        "verdict": lambda: _category(solutions.verdict),
        "optimal": lambda: _flags(solutions.optimal),
        **{name: lambda name=name: _nullable(solutions.counts[name]) for name in SOLUTION_COUNTS},  # type: ignore[misc]
        "seconds": lambda: _floats(solutions.seconds),
        "fault": lambda: _sparse(solutions.faults, len(solutions)),
        "faulty": lambda: _marked(solutions.faults, len(solutions)),
    }
    return _frame(makers, columns)


def judgements_frame(judgements: Judgements) -> pd.DataFrame:
    """Return the analysis records: game, n, kind, before, after, left_before, left_after, cost."""
    makers: dict[str, Callable[[], object]] = {
        "game": lambda: _category(judgements.game),
        "n": lambda: _nullable(judgements.n),
        "kind": lambda: _category(judgements.kind),
        "before": lambda: _category(judgements.before),
        "after": lambda: _category(judgements.after),
        "left_before": lambda: _nullable(judgements.left_before),
        "left_after": lambda: _nullable(judgements.left_after),
        "cost": lambda: _nullable(judgements.cost),
    }
    return _frame(makers, None)


def _frame(makers: dict[str, Callable[[], object]], columns: Sequence[str] | None) -> pd.DataFrame:
    import pandas as pd

    chosen = [name for name in makers if name != "faulty"] if columns is None else columns
    return pd.DataFrame({name: makers[name]() for name in chosen}, copy=False)


def _code(deal: str | None) -> str | None:
    return deal if deal is not None and deal.startswith(CODE_START) else None


def _text(values: Sequence[str | None]) -> object:
    import pandas as pd

    return pd.array(values, dtype="string")


def _sparse(values: dict[int, str], size: int) -> object:
    return _text([values.get(row) for row in range(size)] if values else [None] * size)


def _marked(values: dict[int, str], size: int) -> object:
    import numpy as np

    marks = np.zeros(size, dtype=bool)
    marks[list(values)] = True
    return marks


def _category(labels: Labels) -> object:
    import numpy as np
    import pandas as pd

    codes = np.frombuffer(labels.codes, dtype=np.int32) if len(labels) else np.empty(0, np.int32)
    names = pd.Index(pd.array(labels.labels(), dtype="string"))
    return pd.Categorical.from_codes(codes, categories=names)


def _nullable(column: array[int]) -> object:
    import numpy as np
    import pandas as pd

    dtype = np.dtype(f"i{column.itemsize}")
    values = np.frombuffer(column, dtype=dtype) if len(column) else np.empty(0, dtype)
    return pd.arrays.IntegerArray(values, values == MISSING)


def _flags(column: array[int]) -> object:
    import numpy as np
    import pandas as pd

    values = np.frombuffer(column, dtype=np.int8) if len(column) else np.empty(0, np.int8)
    return pd.arrays.BooleanArray(values == 1, values < 0)


def _floats(column: array[float]) -> object:
    import numpy as np

    return np.frombuffer(column, dtype=np.float64) if len(column) else np.empty(0, np.float64)


def _moments(column: array[int]) -> object:
    import numpy as np
    import pandas as pd

    values = np.frombuffer(column, dtype="M8[us]") if len(column) else np.empty(0, "M8[us]")
    return pd.DatetimeIndex(values).tz_localize("UTC")
