"""The rules of the engine, point by point."""

from collections.abc import Iterable

import pytest

from pyramide_cli.cards import card_name, parse_card
from pyramide_cli.deals import Deal
from pyramide_cli.game import Game, Position
from pyramide_cli.illegal import (
    CardNotThere,
    CardOutOfReach,
    CoveredCard,
    DrawnWithWaste,
    EmptyStock,
    EmptyWaste,
    GameOver,
    IllegalMove,
    NoPassLeft,
    NothingToUndo,
    OwnCover,
    StockNotEmpty,
    WrongSum,
)
from pyramide_cli.moves import DRAW, RECYCLE, UNDO, move_name, parse_move
from pyramide_cli.rules import RULES, Rules
from pyramide_cli.scoring import ranking_key

PUBLISHED = Deal.from_code("PY1-N-AAAAAAS")


def play(game: Game, moves: str | Iterable[str]) -> Game:
    for text in moves.split() if isinstance(moves, str) else moves:
        game.apply(parse_move(text))
    return game


def deal_of(pyramid: str, stock: str = "") -> Deal:
    """Return a deal that begins with these pyramid and stock cards; the other cards fill up in ascending order."""
    named = [parse_move(word).cards[0] for word in (pyramid + " " + stock).split()]
    first, rest = named[: len(pyramid.split())], named[len(pyramid.split()) :]
    others = [card for card in range(52) if card not in named]
    filled = first + others[: 28 - len(first)]
    return Deal.from_cards(filled + rest + others[28 - len(first) :])


def late(rules: Rules, pyramid: str, stock: str, *, drawn: int = 24, pass_number: int = 1) -> Game:
    """Return a game of the published deal in which only these cards are left."""
    places = [PUBLISHED.cards.index(parse_card(word)) for word in pyramid.split()]
    indices = [PUBLISHED.stock.index(parse_card(word)) for word in stock.split()]
    sets = (sum(1 << place for place in places), sum(1 << index for index in indices))
    return Game.from_position(PUBLISHED, Position(*sets, drawn, False, pass_number, 0), rules)


def names(game: Game) -> list[str]:
    return [move_name(move) for move in game.legal_moves()]


def test_the_start_of_every_preset() -> None:
    for rules in RULES.values():
        game = Game(PUBLISHED, rules)
        turned = 1 if rules.deal_waste else 0
        assert (len(game.waste), len(game.stock)) == (turned, 24 - turned)
        assert game.position == Position((1 << 28) - 1, (1 << 24) - 1, turned, False, 1, 0)
        assert [card_name(card) for card in game.free_cards] == ["7c", "Tc", "3h", "4h", "3s", "Kd", "7s"]
        assert (game.moves, game.undos, game.undoable, game.outcome) == (0, 0, 0, None)
        assert game.score == {"pyramide": 0, "microsoft": 0, "par": -52, "none": None}[rules.scoring]


def test_the_published_example() -> None:
    game = Game(PUBLISHED)
    assert game.waste == (PUBLISHED.stock[0],)
    assert names(game) == ["Kd", "Tc+3h", "Tc+3s", "draw"]
    play(game, "Kd Tc+3s")
    assert (game.score, game.moves, game.cleared, game.removed) == (30, 2, 3, 3)


def test_moves_come_in_a_fixed_order() -> None:
    rules = RULES["pyramide"].replace(stock_open=True, drawn_pair=True, cover_pair=True)
    # Row 7 is Kc 6d Ac 2c 3c 4c 5c; the waste gets 7c, and the stock then shows 6h and Kd.
    pyramid = "2d 2h 2s 3d 3h 3s 4d 4h 4s 5d 5h 5s 8c 8d 8h 8s 9c 9d 9h 9s Tc Kc 6d Ac 2c 3c 4c 5c"
    game = Game(deal_of(pyramid, "7c 6h Kd"), rules)
    assert names(game) == ["Kc", "6d+7c", "7c+6h", "draw"]
    play(game, "draw")
    assert names(game) == ["Kc", "Kd", "6h+7c", "draw"]


def test_scores_of_each_kind_of_removal() -> None:
    game = Game(deal_of("2d 2h 2s 3d 3h 3s 4d 4h 4s 5d 5h 5s 8c 8d 8h 8s 9c 9d 9h 9s Tc Kc 6d 7d Ac 6c 4c 5c", "7c Kd"))
    assert play(game, "Kc").score == 10
    assert play(game, "6d+7d").score == 30
    assert play(game, "7c+6c").score == 40
    assert play(game, "draw Kd").score == 40
    assert play(game, "undo undo undo").score == 30
    assert (game.moves, game.undos, game.removals, game.draws) == (5, 3, 2, 0)


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        ("Jd+2c", CoveredCard, "Jd is blocked by another card"),
        ("Ks", CoveredCard, "Ks is blocked"),
        ("7c+7s", WrongSum, "the sum must be 13: 7c and 7s are 14"),
        ("7c", WrongSum, "the sum must be 13: 7c alone is 7"),
        ("Kd+7c", WrongSum, "are 20"),
        ("8h", CardOutOfReach, "8h is still in the stock"),
        ("draw 7d+6d", CardOutOfReach, "7d lies under other cards in the waste"),
        ("Kd Kd", CardNotThere, "Kd is not there"),
        ("Tc+3s Tc+3h", CardNotThere, "Tc is not there"),
        ("recycle", StockNotEmpty, "needs an empty stock"),
        ("undo", NothingToUndo, "nothing to undo"),
    ],
)
def test_illegal_moves_say_which_rule(moves: str, error: type[IllegalMove], message: str) -> None:
    *legal, illegal = moves.split()
    game = play(Game(PUBLISHED), legal)
    before = (game.position, game.score, game.moves, game.undos)
    with pytest.raises(error, match=message):
        game.apply(parse_move(illegal))
    assert (game.position, game.score, game.moves, game.undos) == before
    if illegal != "undo":
        assert not game.is_legal(parse_move(illegal))


def test_an_undo_is_not_a_move() -> None:
    with pytest.raises(IllegalMove, match="an undo is not a move"):
        Game(PUBLISHED).push(UNDO)


def test_draws_recycles_and_passes() -> None:
    game = Game(PUBLISHED, RULES["easy"])
    order = []
    for _ in range(24):
        play(game, "draw")
        order.append(game.waste_top)
    assert tuple(order) == PUBLISHED.stock
    with pytest.raises(EmptyStock):
        game.push(DRAW)
    assert names(game)[-1] == "recycle"
    play(game, "recycle")
    assert (game.stock, game.waste, game.pass_number) == (PUBLISHED.stock, (), 2)
    play(game, ["draw"] * 24)
    with pytest.raises(NoPassLeft, match="the rules allow 2"):
        game.push(RECYCLE)


def test_a_recycle_keeps_the_order_of_what_is_left() -> None:
    game = Game(
        deal_of("2d 2h 2s 3d 3h 3s 4d 4h 4s 5d 5h 5s 8c 8d 8h 8s 9c 9d 9h 9s Tc Kc 6d 7d Ac 6c 4c 5c", "7c Kd 7h")
    )
    play(game, "7c+6d draw Kd draw 7h+6c")
    play(game, ["draw"] * 21)
    rest = game.waste
    play(game, "recycle")
    assert game.stock == rest
    # Nothing is turned by itself after a recycle, not even where the rules turn a card at the start.
    assert game.waste == ()


def test_a_recycle_needs_a_waste() -> None:
    with pytest.raises(EmptyWaste):
        late(RULES["pyramide"], "Jd 6c Kh", "").push(RECYCLE)


def test_outcomes_without_a_move_left() -> None:
    game = Game(deal_of("2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s Ac Ad Ah As"), RULES["relaxed"])
    while game.outcome is None:
        game.push(next(move for move in reversed(game.legal_moves())))
    assert game.outcome == "lost"
    assert game.waste
    assert game.legal_moves() == []
    assert game.hopeless() is True
    game.undo()
    assert game.outcome is None


def test_stuck_is_an_empty_stock_and_waste() -> None:
    for name in ("pyramide", "relaxed"):
        game = late(RULES[name], "Jd 6c", "")
        assert (game.outcome, game.legal_moves()) == ("stuck", [])
        assert late(RULES[name], "Jd 6c", "4s").outcome == (None if name == "pyramide" else "lost")
    # The second pass is the last one under these rules.
    assert late(RULES["easy"], "Jd 6c", "4s").outcome is None
    assert late(RULES["easy"], "Jd 6c", "4s", pass_number=2).outcome == "lost"


def test_unlimited_passes_never_lose() -> None:
    game = Game(PUBLISHED)
    for _ in range(3):
        play(game, ["draw"] * len(game.stock))
        assert game.outcome is None
        play(game, "recycle")
    assert (game.pass_number, game.recycles) == (4, 3)


def test_undo_takes_back_the_last_hundred_only() -> None:
    game = Game(PUBLISHED)
    for _ in range(5):
        play(game, ["draw"] * len(game.stock) + ["recycle"])
    assert game.moves == 23 + 4 * 24 + 5
    assert game.undoable == 100
    for _ in range(100):
        game.undo()
    assert (game.moves, game.undos) == (124, 100)
    with pytest.raises(NothingToUndo, match="the rules keep the last 100"):
        game.undo()
    play(game, "draw undo")
    with pytest.raises(NothingToUndo):
        game.undo()


def test_unlimited_undo_that_counts() -> None:
    game = Game(PUBLISHED, RULES["pyramid-solitaire"])
    play(game, ["draw"] * 24 + ["recycle"] + ["draw"] * 24)
    for done in range(1, 50):
        game.undo()
        assert (game.moves, game.undos) == (49 + done, done)
    assert game.position == Game(PUBLISHED, RULES["pyramid-solitaire"]).position
    with pytest.raises(NothingToUndo):
        game.undo()


def test_no_undo_at_all() -> None:
    game = play(Game(PUBLISHED, RULES["pyramide"].replace(undo_limit=0)), "draw")
    with pytest.raises(NothingToUndo, match="the rules keep the last 0"):
        game.undo()
    game.pop()
    assert game.moves == 0
    with pytest.raises(NothingToUndo):
        game.pop()


def test_own_cover_and_cover_pair() -> None:
    # Row 7 ends in 4c 9d; 8c over them in row 6 ... place 20 is covered by places 26 and 27.
    pyramid = "2d 2h 2s 3d 3h 3s Kh 4h 4s 5d 5h 5s 8c 8d 8h 8s Td 9h 9s Tc 5c Kc 6d 7d Ac 6c Kd 8s"
    deal = deal_of(pyramid.replace(" 8s Td", " Jc Td"))
    strict = play(Game(deal, RULES["relaxed"]), "Kd")
    with pytest.raises(OwnCover, match="5c and 8s do not pair: one covers the other"):
        strict.push(parse_move("5c+8s"))
    open_rules = play(Game(deal, RULES["relaxed"].replace(cover_pair=True)), "")
    with pytest.raises(CoveredCard):
        open_rules.push(parse_move("5c+8s"))
    play(open_rules, "Kd")
    assert "8s+5c" in names(open_rules)
    play(open_rules, "5c+8s")
    assert open_rules.cleared == 3


def test_drawn_pair_only_while_just_drawn() -> None:
    pyramid = "2d 2h 2s 3d 3h 3s 4d 4h 4s 5d 5h 5s 8c 8d 8h 8s 9c 9d 9h 9s Tc Kc 6d 7d Ac 6c 4c 5c"
    deal = deal_of(pyramid, "Jc 2c Qd Jd")
    strict = play(Game(deal, RULES["relaxed"]), "draw draw")
    with pytest.raises(DrawnWithWaste, match="never pairs with the waste"):
        strict.push(parse_move("2c+Jc"))
    game = play(Game(deal, RULES["classic"]), "draw draw")
    assert game.position.fresh
    assert "2c+Jc" in names(game)
    # A removal in the pyramid changes nothing: the card is still just drawn.
    assert "2c+Jc" in names(play(game, "Kc"))
    # Once covered it is not just drawn any more, even when the card on it goes away.
    play(game, "draw Qd+Ac")
    assert not game.position.fresh
    with pytest.raises(DrawnWithWaste, match="not just drawn any more"):
        game.push(parse_move("2c+Jc"))
    # An undo restores that it was.
    play(game, "undo undo")
    assert game.position.fresh
    assert play(game, "Jc+2c").waste == ()


def test_stock_open() -> None:
    pyramid = "2d 2h 2s 3d 3h 3s 4d 4h 4s 5d 5h 5s 8c 8d 8h 8s 9c 9d 9h 9s Tc Kc 6d 7d Ac 6c 4c 5c"
    deal = deal_of(pyramid, "7c Kd Jc 2c 7h")
    game = Game(deal, RULES["microsoft"])
    assert names(game) == ["Kc", "6d+7d", "7d+6c", "6d+7c", "6c+7c", "draw"]
    play(game, "6d+7c Kd draw")
    assert names(game)[-2:] == ["Jc+2c", "draw"]
    play(game, "Jc+2c")
    assert (game.waste, game.removed, game.score) == ((), 5, 15)
    closed = Game(deal, RULES["relaxed"])
    with pytest.raises(CardOutOfReach):
        closed.push(parse_move("6d+7c"))


def test_positions_are_equal_however_they_came_about() -> None:
    pyramid = "2d 2h 2s 3d 3h 3s 4d 4h 4s 5d 5h 5s 8c 8d 8h 8s 9c 9d 9h 9s Tc Kc 6d 7d Ac 6c 4c 5c"
    deal = deal_of(pyramid, "Kd 7h")
    from_stock = play(Game(deal, RULES["microsoft"]), "Kd draw")
    from_waste = play(Game(deal, RULES["microsoft"]), "draw Kd draw")
    assert from_stock.position == from_waste.position
    assert hash(from_stock.position) == hash(from_waste.position)


def test_a_win_ends_the_game_and_can_be_undone() -> None:
    game = late(RULES["pyramide"], "Jd", "2s 4s")
    assert names(game) == ["recycle"]
    play(game, "recycle draw")
    assert names(game) == ["Jd+2s", "draw"]
    play(game, "Jd+2s")
    assert (game.outcome, game.score, game.legal_moves(), game.hopeless()) == ("won", 280, [], False)
    with pytest.raises(GameOver):
        game.push(DRAW)
    game.undo()
    assert (game.outcome, game.score) == (None, 270)


def test_goal_all_goes_on_after_the_pyramid() -> None:
    game = late(RULES["par"], "Jd", "2s 4s", drawn=12, pass_number=2)
    play(game, "draw Jd+2s")
    assert (game.outcome, game.score, game.position.cleared_pass) == (None, 34, 2)
    assert play(game, "draw").score == 34
    assert play(game, "recycle draw").position.cleared_pass == 2
    play(game, "undo undo undo undo")
    assert (game.score, game.position.cleared_pass) == (-3, 0)
    assert late(RULES["par"].replace(passes=9), "Jd", "2s", pass_number=4).score == -2
    assert play(late(RULES["par"].replace(passes=9), "Jd", "2s", pass_number=4), "Jd+2s").score == 0


def test_par_under_goal_pyramid_ends_with_the_pyramid() -> None:
    game = play(late(RULES["par"].replace(goal="pyramid"), "Jd", "2s 4s", drawn=13), "Jd+2s")
    assert (game.outcome, game.score) == ("won", 49)


def test_microsoft_rows_and_the_most_that_can_be_had() -> None:
    rows = (25, 50, 75, 100, 150, 250, 500)
    game = late(RULES["microsoft"], "Jd 6c", "7d 2s", drawn=1)
    # 6c covers Jd; all but four cards, all kings among them, are gone by 26 removals.
    assert (game.removals, game.score) == (26, 26 * 5 + sum(rows[:5]))
    assert play(game, "6c+7d").score == 27 * 5 + sum(rows[:6])
    assert play(game, "Jd+2s").score == 28 * 5 + sum(rows) == 1290


def test_a_game_from_a_position_goes_on_like_the_game_itself() -> None:
    for rules in RULES.values():
        game = Game(PUBLISHED, rules)
        for turn in range(60):
            moves = game.legal_moves()
            if not moves:
                break
            game.push(moves[turn % len(moves)])
            other = Game.from_position(PUBLISHED, game.position, rules)
            assert (other.position, other.score, other.removals) == (game.position, game.score, game.removals)
            assert other.legal_moves() == game.legal_moves()
            assert other.undoable == 0


def test_proof_is_what_the_prover_says() -> None:
    answers: list[bool | None] = [True, False, None]
    game = Game(PUBLISHED, RULES["pyramid-solitaire"], prover=lambda game: answers.pop(0))
    assert [game.hopeless() for _ in range(3)] == [False, True, None]
    assert Game(PUBLISHED).hopeless() is None


def test_copies_are_independent() -> None:
    game = play(Game(PUBLISHED), "Kd draw")
    other = game.copy()
    play(other, "undo undo Tc+3s")
    assert (game.moves, game.undoable, game.cleared) == (2, 2, 1)
    assert other.cleared == 2
    assert repr(game) == "<Game PY1-N-AAAAAAS pyramide after 2 moves>"


def test_ranking() -> None:
    games = [(280, 90.0, 80), (280, 60.0, 99), (270, 1.0, 1), (280, 60.0, 70), (None, 5.0, 5), (280, None, 1)]
    ranked = sorted(games, key=lambda game: ranking_key(*game))
    assert ranked == [(280, 60.0, 70), (280, 60.0, 99), (280, 90.0, 80), (280, None, 1), (270, 1.0, 1), (None, 5.0, 5)]


def test_rules_that_combine() -> None:
    rules = Rules.from_record(RULES["microsoft"].axes() | {"drawn_pair": True, "cover_pair": True, "goal": "all"})
    game = Game(PUBLISHED, rules)
    while not game.is_over:
        game.push(game.legal_moves()[0])
    assert game.outcome in {"won", "lost", "stuck"}


@pytest.mark.parametrize("limit", [0, 7, 99, 100, 130, None])
def test_pop_reaches_back_a_hundred_moves_or_as_far_as_undo(limit: int | None) -> None:
    game = Game(PUBLISHED, RULES["pyramide"].replace(undo_limit=limit))
    for _ in range(140):
        game.push(DRAW if DRAW in game.legal_moves() else RECYCLE)
    kept = 140 if limit is None else max(limit, 100)
    for _ in range(kept):
        game.pop()
    assert game.moves == 140 - kept
    with pytest.raises(NothingToUndo):
        game.pop()


def test_nothing_is_just_drawn_after_a_recycle() -> None:
    for rules in RULES.values():
        game = Game(PUBLISHED, rules.replace(passes=None))
        while RECYCLE not in game.legal_moves():
            game.push(DRAW)
            assert game.position.fresh is rules.drawn_pair
        game.push(RECYCLE)
        assert game.position.fresh is False
