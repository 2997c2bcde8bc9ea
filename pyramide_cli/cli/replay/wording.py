"""How `replay` speaks to people, in their language: headings, results, and what moves were worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from pyramide_cli.boards import card_text, deal_verdict, move_phrase, move_text, move_words, outcome_word
from pyramide_cli.cli.replay.style import Style
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import ngettext
from pyramide_cli.records import GameRecord, known, printable
from pyramide_cli.replay import Checked, Step, Track

if TYPE_CHECKING:
    from pyramide_cli.analysis import GameAnalysis, MoveAnalysis

_MARKED = 14
"""The columns of a move and its mark in a list of moves."""


def track_name(track: Track) -> str:
    """Name a game by its id, a solution by its deal."""
    if track.is_game:
        return _("game {id}").format(id=track.label)
    return _("solution of {deal}").format(deal=track.label or _("a deck"))


def heading(step: Step, style: Style) -> str:
    """Return the line above a board."""
    name = printable(track_name(step.track))
    if step.move is None:
        return style.fit(_("{game}, the deal").format(game=name))
    move = move_words(step.move) if style.plain else move_text(step.move, partial(card_text, unicode=style.unicode))
    return style.fit(_("{game}, entry {n}: {move}").format(game=name, n=step.n, move=move))


def result_line(record: GameRecord, style: Style) -> str:
    """Return a result as one line, or as many as it needs."""
    name = record.game if record.game is not None else _("solution: {verdict}").format(verdict=_verdict(record))
    rules = record.rules if isinstance(record.rules, str) else _("own rules")
    parts = [name, record.code or _("a deck"), rules]
    if record.outcome is not None:
        parts.append(outcome_word(record.outcome))
    if record.score is not None:
        parts.append(_("score {score}").format(score=record.score))
    if record.moves is not None:
        parts.append(ngettext("{n} move", "{n} moves", record.moves).format(n=record.moves))
    if record.cleared is not None:
        parts.append(_("{n} cleared").format(n=record.cleared))
    if record.fault is None:
        parts.append(_("agrees"))
    parts = list(map(printable, parts))
    line = style.fit(", ".join(parts) + ".") if style.plain else style.columns(parts)
    return line if record.fault is None else f"{line}\n{style.fit('  ' + printable(_fault(record.fault)), 4)}"


def _verdict(record: GameRecord) -> str:
    return {"winnable": _("winnable"), "unwinnable": _("unwinnable"), "undecided": _("undecided")}.get(
        known(record.verdict) or "", ""
    )


def _fault(fault: str) -> str:
    return _("FAULT at {fault}").format(fault=fault)


def analysis_lines(checked: Checked, analysis: GameAnalysis, style: Style) -> Iterator[str]:
    """Yield the lines of an analysis: the game, its moves with their marks or in sentences, and the summary."""
    record = checked.record
    name, rules = track_name(checked.track), str(checked.track.rules)
    deal = [record.code or _("a deck")] if checked.track.is_game else []  # a solution has the deal for its name
    outcome = [] if record.outcome is None else [outcome_word(record.outcome)]
    if style.plain:
        deal = [_("deal {code}").format(code=code) for code in deal]
        parts = [name, *deal, _("rules {rules}").format(rules=rules), *outcome]
        yield style.fit(printable(", ".join(parts)) + ".")
        yield from (style.fit(move_sentence(move)) for move in analysis.moves)
    else:
        yield style.columns(map(printable, [name, *deal, rules, *outcome]))
        yield from (move_line(move, style) for move in analysis.moves)
    indent = "" if style.plain else "  "
    yield from (style.fit(indent + sentence, len(indent) + 2) for sentence in summary(analysis))
    if record.fault is not None:
        yield style.fit(indent + printable(_fault(record.fault)), len(indent) + 2)


def move_line(move: MoveAnalysis, style: Style) -> str:
    """Return a move with the mark that annotators write behind it, and what there is to say of it."""
    label = move_text(move.move, partial(card_text, unicode=style.unicode))
    lead = f"{move.n:>5}. "
    line = f"{lead}{f'{label} {move.mark}':<{_MARKED}} {_remark(move)}".rstrip()
    return style.fit(line, len(lead) + 2)


def _remark(move: MoveAnalysis) -> str:
    """Return what there is to say of a move: nothing new once the win is lost."""
    if move.loses:
        if move.left_before is None:
            return _("gives the win away")
        return ngettext(
            "gives the win away, which was {n} move away",
            "gives the win away, which was {n} moves away",
            move.left_before,
        ).format(n=move.left_before)
    if move.after == "unwinnable":
        return ""
    if move.after == "undecided":
        return _("undecided")
    if move.before == "unwinnable":
        return _("the win is back")
    if move.left_after is None:
        return _("a win is left")
    if move.left_after == 0:
        return _("won")
    if move.cost:
        return _("{n} left, {cost} wasted").format(n=move.left_after, cost=move.cost)
    return _("{n} left").format(n=move.left_after)


def move_sentence(move: MoveAnalysis) -> str:
    """Return a move and what it was worth in a sentence that needs no marks and no columns."""
    words, judgement = move_phrase(move.move), _judgement(move)
    if not judgement:
        return _("Move {n}, {move}.").format(n=move.n, move=words)
    return _("Move {n}, {move}: {judgement}.").format(n=move.n, move=words, judgement=judgement)


def _judgement(move: MoveAnalysis) -> str:
    if move.loses:
        if move.left_before is None:
            return _("a mistake, it gave the win away")
        return ngettext(
            "a mistake, it gave away a win that was {n} move away",
            "a mistake, it gave away a win that was {n} moves away",
            move.left_before,
        ).format(n=move.left_before)
    if move.after == "unwinnable":
        return ""
    if move.after == "undecided":
        return _("whether a win is left is undecided")
    if move.before == "unwinnable":
        return _("the win is back")
    if move.left_after is None:
        return _("a win is left")
    if move.left_after == 0:
        return _("the game is won")
    left = ngettext("the win is {n} move away", "the win is {n} moves away", move.left_after).format(n=move.left_after)
    if not move.cost:
        return left
    wasted = ngettext("it wasted {n} move", "it wasted {n} moves", move.cost).format(n=move.cost)
    return _("{wasted}; {left}").format(wasted=wasted, left=left)


def summary(analysis: GameAnalysis) -> Iterator[str]:
    """Yield what an analysis says of the whole game, sentence by sentence."""
    if analysis.shortest is None:
        yield deal_verdict(analysis.verdict)
    else:
        yield ngettext(
            "The deal is winnable; the shortest win takes {n} move.",
            "The deal is winnable; the shortest win takes {n} moves.",
            analysis.shortest,
        ).format(n=analysis.shortest)
    if analysis.lost_at is not None:
        yield _("Entry {n} gave the win away.").format(n=analysis.lost_at)
    if analysis.wasted is not None:
        yield _("Moves wasted: {n}.").format(n=analysis.wasted)
    if analysis.efficiency is not None:
        yield _("Efficiency: {shortest} / {played} = {percent}.").format(
            shortest=analysis.shortest, played=analysis.played, percent=_percent(analysis.efficiency)
        )
    if analysis.won:
        return
    if analysis.clearable is None:
        yield _("How many more pyramid cards could be cleared is not known.")
    else:
        yield _("Pyramid cards that could still be cleared: {n}.").format(n=analysis.clearable)


def _percent(share: float) -> str:
    """Return a share as the reports write it, but never as all where something is left."""
    percent = 100 * share
    return f"{percent if share >= 1 else min(percent, 99.99):.2f} %"
