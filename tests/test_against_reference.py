"""The engine against the second engine of `reference.py`, on random games under random combinations of all axes."""

from __future__ import annotations

import itertools
import random

import pytest

from pyramide_cli.cards import card_name, parse_card
from pyramide_cli.game import Game
from pyramide_cli.moves import DRAW, RECYCLE, king, pair, parse_move
from tests.positions import (
    SINGLE_AXES,
    built_game,
    deal_of,
    game_of,
    late_position,
    move_of,
    random_axes,
    random_cards,
    random_game,
    rules_of,
    text_of,
)
from tests.reference import DECK, Axes, Move, Position, Table

ALL_PAIRS = [
    pair(parse_card(a), parse_card(b)) for a, b in itertools.combinations(DECK, 2) if (a[0], b[0]) != ("K", "K")
]
CANDIDATES = [DRAW, RECYCLE, *(king(parse_card("K" + suit)) for suit in "cdhs"), *ALL_PAIRS]


def view(game: Game) -> Position:
    """Return the game's position as the reference writes it."""
    axes = game.rules
    number = game.pass_number
    if axes.passes is None:
        number = min(number, 4) if axes.scoring == "par" else 1
    return Position(
        pyramid=frozenset(card_name(card) for card in game.pyramid_cards if card is not None),
        stock=tuple(map(card_name, game.stock)),
        waste=tuple(map(card_name, game.waste)),
        fresh=game.position.fresh and len(game.waste) > 1,
        pass_number=number,
        cleared_in=min(game.position.cleared_pass, 4) if axes.passes is None else game.position.cleared_pass,
    )


def assert_same(game: Game, table: Table, position: Position) -> list[Move]:
    """Compare everything that can be seen of a position; return its legal moves."""
    assert view(game) == position
    legal = table.moves(position)
    found = [move_of(move) for move in game.legal_moves()]
    assert sorted(found) == sorted(legal)
    assert game.outcome == table.outcome(position)
    assert game.is_over == (not legal)
    assert game.score == table.score(position)
    assert game.cleared == 28 - len(position.pyramid)
    assert game.removed == len(table.gone(position))
    free = {card for card in position.pyramid if table.is_free(card, position)}
    assert {card_name(card) for card in game.free_cards} == free
    return legal


def play_both(table: Table, played: list[Move], rng: random.Random) -> None:
    """Play a game in both engines and compare them after every move, and on the way back."""
    game = Game(deal_of(table), rules_of(table.axes).replace(undo_limit=None))
    line = [table.start]
    counts = {"removals": 0, "draws": 0, "recycles": 0}
    for move in played:
        legal = assert_same(game, table, line[-1])
        if rng.random() < 0.02:
            allowed = {move_of(candidate) for candidate in CANDIDATES if game.is_legal(candidate)}
            assert allowed == set(legal)
        game.push(parse_move(text_of(tuple(rng.sample(move, len(move))))))
        line.append(table.after(line[-1], move))
        counts[f"{move[0]}s" if move[0] in ("draw", "recycle") else "removals"] += 1
        assert {name: getattr(game, name) for name in counts} == counts
    assert_same(game, table, line[-1])
    assert game.moves == len(played)
    again = Game.from_position(game.deal, game.position, game.rules)
    assert_same(again, table, line[-1])
    for position in reversed(line[:-1]):
        game.undo()
        assert view(game) == position
        assert game.score == table.score(position)
    assert (game.moves, game.undos, game.undoable) == (len(played), len(played), 0)


@pytest.mark.parametrize("seed", range(10))
def test_random_games_agree(seed: int) -> None:
    rng = random.Random(f"games {seed}")
    for turn in range(30):
        axes = random_axes(rng)
        if turn % 2:
            table = Table(random_cards(rng), axes)
            played = random_game(rng, table)
        else:
            table, played = built_game(rng, axes)
        play_both(table, played, rng)


def engine_perft(game: Game, depth: int) -> int:
    """Count the sequences of exactly `depth` moves."""
    if depth == 0:
        return 1
    count = 0
    for move in game.legal_moves():
        game.push(move)
        count += engine_perft(game, depth - 1)
        game.pop()
    return count


def split(game: Game, depth: int) -> dict[Move, int]:
    """Return the count after each move, which shows where two engines differ."""
    counts = {}
    for move in game.legal_moves():
        game.push(move)
        counts[move_of(move)] = engine_perft(game, depth - 1)
        game.pop()
    return counts


@pytest.mark.parametrize("name", SINGLE_AXES)
def test_numbers_of_move_sequences_agree(name: str) -> None:
    rng = random.Random(f"perft {name}")
    for _ in range(3):
        table = Table(random_cards(rng), SINGLE_AXES[name])
        played = random_game(rng, table, longest=25)
        game, position = Game(deal_of(table), rules_of(table.axes)), table.start
        for move in played:
            game.push(parse_move(text_of(move)))
            position = table.after(position, move)
        before = game.position
        expected = {move: table.perft(table.after(position, move), 4) for move in table.moves(position)}
        assert split(game, 5) == expected
        assert game.position == before


def engine_levels(game: Game) -> tuple[int, ...]:
    """Count the positions that can be reached, by the fewest moves to them."""
    seen, level, sizes = {view(game)}, [game.position], list[int]()
    while level:
        sizes.append(len(level))
        following = []
        for position in level:
            walker = Game.from_position(game.deal, position, game.rules)
            for move in walker.legal_moves():
                walker.push(move)
                if (key := view(walker)) not in seen:
                    seen.add(key)
                    following.append(walker.position)
                walker.pop()
        level = following
    return tuple(sizes)


@pytest.mark.parametrize("seed", range(8))
def test_numbers_of_positions_agree(seed: int) -> None:
    rng = random.Random(f"levels {seed}")
    for _ in range(3):
        late = late_position(rng, random_axes(rng), limit=300)
        whole = late.table.search(late.position)
        assert whole is not None
        assert whole.positions == late.ahead
        assert engine_levels(game_of(late)) == whole.per_depth


def test_reference_knows_the_rules() -> None:
    """The reference itself, on positions worked out by hand: it must not share a mistake with the engine."""
    cards = tuple(rank + suit for suit in "cdhs" for rank in "A23456789TJQK")
    table = Table(cards, Axes(stock_open=True, passes=3))
    # Row 7 is 9d Td Jd Qd Kd Ah 2h, the stock begins with 3h.
    assert table.rows[7] == ["9d", "Td", "Jd", "Qd", "Kd", "Ah", "2h"]
    assert set(table.moves(table.start)) == {("Kd",), ("3h", "Td"), ("2h", "Jd"), ("Ah", "Qd"), ("draw",)}
    whole = table.after(table.after(table.start, ("Ah", "Qd")), ("Kd",))
    assert table.is_free("7d", whole)
    assert table.score(whole) is None
    for scoring, points in (("pyramide", 30), ("microsoft", 10), ("par", -49)):
        assert Table(cards, Axes(scoring=scoring)).score(whole) == points
