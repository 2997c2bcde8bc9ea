"""A board in sentences, for screen readers and for the descriptions inside pictures.

Every sentence is one literal with named gaps, so that catalogs can put it together in any language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from pyramide_cli.cards import Card, card_label, rank, suit
from pyramide_cli.game import Game
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import local_card, ngettext
from pyramide_cli.moves import Move
from pyramide_cli.pyramid import ROW_OF, free_mask


def describe(game: Game) -> list[str]:
    """Describe the board in words, one sentence an item.

    The order is fixed: stock, waste, rows 1 (top) to 7, foundation, score, moves, pass, and the outcome of a game
    that is over. Each row names all its places from left to right, the empty ones too, so that a place can be
    found by counting.
    """
    sentences = []

    stock, waste = len(game.stock), len(game.waste)
    if not stock:
        sentences.append(_("Stock: empty."))
    elif game.rules.stock_open:
        top = card_words(game.stock[0])
        sentence = ngettext("Stock: {n} card, {card} on top.", "Stock: {n} cards, {card} on top.", stock)
        sentences.append(sentence.format(n=stock, card=top))
    else:
        sentences.append(ngettext("Stock: {n} card.", "Stock: {n} cards.", stock).format(n=stock))
    if not waste:
        sentences.append(_("Waste: empty."))
    else:
        top = card_words(game.waste[-1])
        sentence = ngettext("Waste: {n} card, {card} on top.", "Waste: {n} cards, {card} on top.", waste)
        sentences.append(sentence.format(n=waste, card=top))

    sentences += _row_sentences(game)

    gone = game.removed
    sentences.append(ngettext("Foundation: {n} card.", "Foundation: {n} cards.", gone).format(n=gone))
    if game.score is None:
        sentences.append(_("No score under these rules."))
    else:
        sentences.append(_("Score: {score}.").format(score=game.score))
    sentences.append(_("Moves: {n}.").format(n=game.moves))
    number, passes = game.position.pass_number, game.rules.passes
    if passes is None:
        sentences.append(_("Pass {n}.").format(n=number))
    else:
        sentences.append(_("Pass {n} of {passes}.").format(n=number, passes=passes))
    match game.outcome:
        case "won":
            sentences.append(_("The game is won."))
        case "lost":
            sentences.append(_("The game is lost: no pass is left."))
        case "stuck":
            sentences.append(_("No more moves."))
    return sentences


def _row_sentences(game: Game) -> list[str]:
    """Return one sentence for each of the seven rows."""
    free = free_mask(game.position.pyramid)
    rows: dict[int, list[str]] = {row: [] for row in range(1, 8)}
    filled = set()
    for place, card in enumerate(game.pyramid_cards):
        row = ROW_OF[place]
        if card is None:
            rows[row].append(_("empty"))
            continue
        filled.add(row)
        phrase = _("{card} free") if free >> place & 1 else _("{card} covered")
        rows[row].append(phrase.format(card=card_words(card)))
    return [
        _("Row {row}: {cards}.").format(row=row, cards=", ".join(cards))
        if row in filled
        else _("Row {row}: empty.").format(row=row)
        for row, cards in rows.items()
    ]


def card_words(card: Card) -> str:
    """Name a card in words: `3 of clubs`, `queen of hearts`."""
    value = rank(card)
    ranks = {1: _("ace"), 11: _("jack"), 12: _("queen"), 13: _("king")}
    suits = (_("clubs"), _("diamonds"), _("hearts"), _("spades"))
    return _("{rank} of {suit}").format(rank=ranks.get(value, str(value)), suit=suits[suit(card)])


def moves_words(moves: Iterable[Move]) -> Iterator[str]:
    """Say in sentences what moves did, one after the other; draws in a row are one sentence."""
    for kind, run in groupby(moves, key=lambda move: move.kind):
        alike = list(run)
        if kind == "draw" and len(alike) > 1:
            yield ngettext("Drew {n} card.", "Drew {n} cards.", len(alike)).format(n=len(alike))
        else:
            yield from map(move_words, alike)


def move_words(move: Move) -> str:
    """Say in a sentence what a move did."""
    cards = [card_words(card) for card in move.cards]
    match move.kind:
        case "king":
            return _("Removed {card}.").format(card=cards[0])
        case "pair":
            return _("Removed {first} and {second}.").format(first=cards[0], second=cards[1])
        case "draw":
            return _("Drew a card.")
        case "recycle":
            return _("Turned the waste back into the stock.")
        case "undo":
            return _("Took back the last move.")


def card_text(card: Card, *, unicode: bool = True) -> str:
    """Name a card in two or three characters, with the player's letter for its rank: `10♣`, in French `R♦`."""
    return local_card(card_label(card, unicode=unicode))


def move_text(move: Move, label: Callable[[Card], str] = card_text) -> str:
    """Write a move as people do: `10♣ + 3♠`."""
    match move.kind:
        case "draw":
            return _("draw")
        case "recycle":
            return _("recycle")
        case "undo":
            return _("undo")
    return " + ".join(map(label, move.cards))


def move_phrase(move: Move) -> str:
    """Name a move in words: `draw`, `king of spades`, `8 of hearts and 5 of hearts`."""
    if len(move.cards) == 2:
        first, second = map(card_words, move.cards)
        return _("{first} and {second}").format(first=first, second=second)
    return move_text(move, card_words)


def outcome_word(outcome: str) -> str:
    """Say in a word how a game came out; what is no outcome of a record is returned as it is."""
    return {
        "won": _("won"),
        "lost": _("lost"),
        "stuck": _("stuck"),
        "given-up": _("given-up"),
        "open": _("open"),
    }.get(outcome, outcome)


def deal_verdict(verdict: str) -> str:
    """Say in a sentence whether a deal can be won."""
    return {
        "winnable": _("The deal is winnable."),
        "unwinnable": _("The deal is unwinnable."),
        "undecided": _("Whether the deal is winnable is undecided."),
    }[verdict]
