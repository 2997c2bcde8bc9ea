"""Records that tell a result at once: checked games, solutions, judged moves."""

from __future__ import annotations

from pyramide_cli.deals import Deal
from pyramide_cli.moves import parse_move
from pyramide_cli.records import UNSET, AnalysisRecord, GameRecord, Located, SolutionRecord, known
from pyramide_cli.reports.keeper import Keeper, too_large
from pyramide_cli.reports.store import Account, Answer
from pyramide_cli.reports.tally import entry_code, entry_kind
from pyramide_cli.reports.truth import DECK, broken_line
from pyramide_cli.rules import Rules


def add_game(keeper: Keeper, record: GameRecord, item: Located) -> None:
    """Keep what a check made of a game; what it made of a solution is a solution still, and no game."""
    if record.verdict is not UNSET:
        _add_checked_solution(keeper, record, item)
        return
    key, _ = keeper.deal(record, item)
    label, rules = keeper.rules(record.rules)
    account = Account(
        record.game,
        key,
        label,
        record.player,
        keeper.stamp(record.at, item),
        record.outcome or "open",
        {
            "score": record.score,
            "moves": record.moves,
            "removals": record.removals,
            "draws": record.draws,
            "recycles": record.recycles,
            "undos": record.undos,
            "cleared": record.cleared,
            "removed": record.removed,
            "checked": record.checked,
        },
        record.t,
        record.fault,
        checked=True,
    )
    keeper.keep_game(account, rules, item.file, item.line)


def _add_checked_solution(keeper: Keeper, record: GameRecord, item: Located) -> None:
    key, _ = keeper.deal(record, item)
    label, rules = keeper.rules(record.rules)
    verdict = known(record.verdict)
    assert verdict is not None
    counts = {
        "length": known(record.length),
        "score": record.score,
        "cleared": record.cleared,
        "removed": record.removed,
        "states": known(record.states),
    }
    find, optimal, seconds = known(record.find), known(record.optimal), known(record.seconds)
    keeper.keep_answer(Answer(key, label, find, verdict, optimal, seconds, counts, record.fault), rules, item)


def add_solution(keeper: Keeper, record: SolutionRecord, item: Located) -> None:
    """Keep a solution, full or brief."""
    key, deal = keeper.deal(record, item)
    label, rules = keeper.rules(record.rules)
    counts = {
        "length": record.length,
        "score": known(record.score),
        "cleared": known(record.cleared),
        "removed": known(record.removed),
        "lower": known(record.lower),
        "upper": known(record.upper),
        "states": known(record.states),
    }
    optimal, seconds = known(record.optimal), known(record.seconds)
    answer = Answer(key, label, record.find, record.verdict, optimal, seconds, counts, None)
    if keeper.keep_answer(answer, rules, item):
        _check_line(keeper, record, deal, rules, item)


def _check_line(keeper: Keeper, record: SolutionRecord, deal: Deal | None, rules: Rules, item: Located) -> None:
    """Report a line that is not as long as is said, or that takes all cards in pairs that do not balance."""
    line = known(record.line)
    if not line:
        return
    broken = None
    if record.length is not None and record.length != len(line):
        broken = f"the length is {record.length}, but the line has {len(line)} moves"
    # A log needs no such check: its moves are counted one by one, and 28 and 52 cards gone say the same.
    elif known(record.removed) == DECK and (deal is not None or record.code is not None):
        moves = [parse_move(text) for text in line]
        broken = broken_line(deal or Deal.from_code(record.code or ""), moves)
    if broken is not None:
        keeper.break_identity(item.file, item.line, broken)


def add_judgement(keeper: Keeper, record: AnalysisRecord, item: Located) -> None:
    """Keep what a move was worth."""
    kind = entry_kind(entry_code(record.move))
    figures = {name: getattr(record, name) for name in ("n", "left_before", "left_after", "cost")}
    if too_large(figures.values()):
        keeper.complain(item, "a figure is too large for a move; the record is left out")
        return
    keeper.store.judgements.append(record.game, kind, record.before, record.after, figures)
