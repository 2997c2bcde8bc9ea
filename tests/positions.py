"""Random late positions for tests: the ends of random games, early enough to leave something to decide.

Everything is drawn from the `random.Random` that the caller seeds, so the same seed gives the same positions.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from pyramide_cli.cards import card_name
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game
from pyramide_cli.moves import Move as EngineMove
from pyramide_cli.moves import parse_move
from pyramide_cli.rules import RULES, Rules
from tests.reference import DECK, DRAW, RANKS, RECYCLE, Axes, Move, Position, Table

SWITCHES = ("deal_waste", "stock_open", "drawn_pair", "cover_pair")
SCORINGS = ("pyramide", "microsoft", "par", "none")

SINGLE_AXES: dict[str, Axes] = {
    "plain": Axes(),
    "all": Axes(goal="all"),
    "one pass": Axes(passes=1),
    "two passes": Axes(passes=2),
    "three passes": Axes(passes=3),
    "deal_waste": Axes(deal_waste=True),
    "stock_open": Axes(stock_open=True),
    "drawn_pair": Axes(drawn_pair=True),
    "cover_pair": Axes(cover_pair=True),
}
"""Each axis switched alone, away from pyramid goal, unlimited passes and nothing extra."""


class Late(NamedTuple):
    """A position in the middle of a game: the moves that led to it and how many positions lie ahead."""

    table: Table
    moves: tuple[Move, ...]
    position: Position
    ahead: int


def rules_of(axes: Axes) -> Rules:
    """Return the package's rules with these axes."""
    return RULES["pyramide"].replace(**axes._asdict())


def deal_of(table: Table) -> Deal:
    """Return the package's deal with the cards of a table."""
    return Deal.from_cards(" ".join(table.cards))


def text_of(move: Move) -> str:
    """Return a move of the reference in record notation."""
    return "+".join(move)


def move_of(move: EngineMove) -> Move:
    """Return a move of the package as the reference writes it."""
    return tuple(sorted(map(card_name, move.cards))) or (move.kind,)


def game_of(late: Late) -> Game:
    """Return the package's game, played to the same position."""
    game = Game(deal_of(late.table), rules_of(late.table.axes))
    for move in late.moves:
        game.push(parse_move(text_of(move)))
    return game


def random_axes(rng: random.Random) -> Axes:
    """Draw a combination of all axes, each value about as likely as another."""
    return Axes(
        goal=rng.choice(("pyramid", "all")),
        passes=rng.choice((None, 1, 2, 3, 5)),
        scoring=rng.choice(SCORINGS),
        **{name: rng.random() < 0.5 for name in SWITCHES},
    )


def random_cards(rng: random.Random) -> tuple[str, ...]:
    """Draw a deal."""
    return tuple(rng.sample(DECK, 52))


def random_game(rng: random.Random, table: Table, longest: int = 200, patience: float = 0.2) -> list[Move]:
    """Play random moves until the game is over; draw although cards could go with the chance `patience`."""
    position, played = table.start, list[Move]()
    while len(played) < longest:
        moves = table.moves(position)
        if not moves:
            break
        removals = [move for move in moves if move not in (DRAW, RECYCLE)]
        if removals and rng.random() > patience:
            moves = removals
        move = rng.choice(moves)
        played.append(move)
        position = table.after(position, move)
    return played


def built_game(rng: random.Random, axes: Axes) -> tuple[Table, list[Move]]:
    """Return a deal that can be won under these rules, and a random game that wins it.

    Random deals are seldom won under goal `all` or in one pass. So the game is played with cards that nobody has
    looked at: whatever two places are picked, their cards then become a pair.
    """
    while True:
        result = _try_to_build(rng, axes)
        if result is not None:
            return result


def _try_to_build(rng: random.Random, axes: Axes) -> tuple[Table, list[Move]] | None:
    covers = {
        row * (row - 1) // 2 + k: {row * (row + 1) // 2 + k, row * (row + 1) // 2 + k + 1} if row < 7 else set()
        for row in range(1, 8)
        for k in range(row)
    }
    pyramid, stock, waste = set(range(28)), list(range(28, 52)), list[int]()
    if axes.deal_waste:
        waste.append(stock.pop(0))
    kings = [13] * 4
    pairs = [low for low in range(1, 7) for _ in range(4)]
    ranks: dict[int, int] = {}
    played: list[tuple[int, ...]] = []  # () turns a card or the waste, else the places that go
    fresh, passes = False, 1
    while pyramid or (axes.goal == "all" and (stock or waste)):
        free = [place for place in pyramid if not covers[place] & pyramid]
        tops = waste[-1:] + (stock[:1] if axes.stock_open else [])
        choices = [(a, b) for a in free for b in free if a < b] + [(a, b) for a in free for b in tops]
        if len(tops) == 2:
            choices.append((tops[0], tops[1]))
        if axes.drawn_pair and fresh:
            choices.append((waste[-2], waste[-1]))
        if axes.cover_pair:
            for place in pyramid:
                left = covers[place] & pyramid
                if len(left) == 1 and left <= set(free):
                    choices.append((place, min(left)))
        singles = [(place,) for place in free + tops]
        if axes.goal == "all":
            # Cards must be left on both sides in equal numbers, or nearly, for the last ones to find partners.
            excess = len(pyramid) - len(stock) - len(waste)
            choices = [
                (a, b)
                for a, b in choices
                if (a < 28) != (b < 28) or (excess >= 2 if a < 28 else excess <= -2) or rng.random() < 0.05
            ]
            singles = [(place,) for (place,) in singles if (place < 28) == (excess > 0)]
        if not stock and not waste and not choices and not kings:
            return None
        if (stock or (waste and passes != axes.passes)) and (not choices or rng.random() < 0.4):
            played.append(())
            if stock:
                fresh = axes.drawn_pair and bool(waste)
                waste.append(stock.pop(0))
            else:
                stock, waste, fresh, passes = waste, [], False, passes + 1
            if len(played) > 300:
                return None
            continue
        gone: tuple[int, ...]
        if kings and singles and rng.random() < len(kings) / (len(kings) + len(pairs)):
            gone = rng.choice(singles)
            ranks[gone[0]] = kings.pop()
        elif pairs and choices:
            gone = rng.choice(choices)
            low = pairs.pop(rng.randrange(len(pairs)))
            ranks.update(zip(gone, rng.sample((low, 13 - low), 2), strict=True))
        else:
            return None
        played.append(gone)
        fresh = fresh and waste[-1] not in gone
        pyramid -= set(gone)
        stock = [place for place in stock if place not in gone]
        waste = [place for place in waste if place not in gone]
    rest = kings + [rank for low in pairs for rank in (low, 13 - low)]
    rng.shuffle(rest)
    for place in range(52):
        if place not in ranks:
            ranks[place] = rest.pop()
    suits = {rank: rng.sample("cdhs", 4) for rank in range(1, 14)}
    cards = tuple(RANKS[ranks[place] - 1] + suits[ranks[place]].pop() for place in range(52))
    table = Table(cards, axes)
    position, line = table.start, list[Move]()
    for gone in played:
        move = tuple(sorted(cards[place] for place in gone)) or (DRAW if position.stock else RECYCLE)
        line.append(move)
        position = table.after(position, move)
    return table, line


def late_position(rng: random.Random, axes: Axes, limit: int = 20_000) -> Late:
    """Return the earliest position of a random game from which at most `limit` positions can be reached.

    What can be reached only grows on the way back from the end, so each position is looked at once. Half of the games
    are built so that a win is left.
    """
    while True:
        if rng.random() < 0.5:
            table = Table(random_cards(rng), axes)
            played = random_game(rng, table)
        else:
            table, played = built_game(rng, axes)
        line = [table.start]
        for move in played:
            line.append(table.after(line[-1], move))
        seen = set[Position]()
        first, ahead = len(line), 0
        while first and table.reach(line[first - 1], seen, limit):
            first, ahead = first - 1, len(seen)
        if ahead > 1:
            return Late(table, tuple(played[:first]), line[first], ahead)
