"""What must hold in every game, whatever the deal, the rules and the moves."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pyramide_cli.cards import KING, rank
from pyramide_cli.deals import DEAL_COUNT, Deal
from pyramide_cli.game import Game
from pyramide_cli.illegal import IllegalMove
from pyramide_cli.moves import DRAW, RECYCLE, UNDO, Move, canonical, king, move_label, move_name, pair, parse_move
from pyramide_cli.pyramid import ROW_MASKS
from pyramide_cli.rules import GOALS, SCORINGS, STUCKS, Rules
from pyramide_cli.scoring import MICROSOFT_ROW_BONUS, PAR_BONUS, WIN_SCORE, ranking_key, score

deals = st.integers(0, DEAL_COUNT - 1).map(Deal.from_number)
rulesets = st.builds(
    lambda **axes: Rules().replace(**axes),
    goal=st.sampled_from(GOALS),
    passes=st.one_of(st.none(), st.integers(1, 4)),
    deal_waste=st.booleans(),
    stock_open=st.booleans(),
    drawn_pair=st.booleans(),
    cover_pair=st.booleans(),
    undo_limit=st.one_of(st.none(), st.integers(0, 6)),
    undo_counts=st.booleans(),
    scoring=st.sampled_from(SCORINGS),
    stuck=st.sampled_from(STUCKS),
)
choices = st.lists(st.integers(0, 1000), max_size=120)


def all_moves() -> list[Move]:
    pairs = [pair(a, b) for a in range(52) for b in range(a + 1, 52) if rank(a) + rank(b) == 13]
    return [DRAW, RECYCLE, *map(king, range(52)), *pairs]


ALL_MOVES = all_moves()


def state(game: Game) -> tuple[object, ...]:
    return (game.position, game.score, game.moves, game.undos, game.removals, game.draws, game.recycles)


def score_by_definition(game: Game) -> int | None:
    pyramid = game.position.pyramid
    if game.rules.scoring == "pyramide":
        return 280 if not pyramid else 10 * game.cleared
    if game.rules.scoring == "microsoft":
        return 5 * game.removals + sum(MICROSOFT_ROW_BONUS[row] for row in range(1, 8) if not pyramid & ROW_MASKS[row])
    if game.rules.scoring == "par":
        bonus = PAR_BONUS.get(game.position.cleared_pass, 0) if not pyramid else 0
        return bonus - (52 - game.removed)
    return None


@settings(max_examples=300)
@given(deals, rulesets, choices)
def test_games(deal: Deal, rules: Rules, turns: list[int]) -> None:
    game = Game(deal, rules)
    pushes = 0
    for turn in turns:
        before = state(game)
        undoable = game.undoable
        if turn % 7 == 0 and undoable:
            game.undo()
            assert game.undos == before[3] + 1  # type: ignore[operator]
            assert game.moves == before[2] + rules.undo_counts  # type: ignore[operator]
            assert game.undoable == undoable - 1
            continue
        legal = game.legal_moves()
        assert bool(legal) == (game.outcome is None)
        if not legal:
            break
        move = legal[turn % len(legal)]
        game.push(move)
        after = state(game)
        game.pop()
        assert state(game) == before
        game.push(move)
        pushes += 1
        assert state(game) == after
        assert game.moves == before[2] + 1  # type: ignore[operator]
        if rules.undo_limit is not None:
            assert game.undoable <= rules.undo_limit
        # Cards are conserved.
        there = [card for card in game.pyramid_cards if card is not None] + [*game.stock, *game.waste]
        assert len(there) == len(set(there)) == 52 - game.removed
        assert game.score == score_by_definition(game)
        # Equal positions have the same future, so what does not count must not tell them apart.
        assert not game.position.fresh or (rules.drawn_pair and game.waste)
        assert not game.position.cleared_pass or (rules.scoring == "par" and not game.position.pyramid)
        assert (game.position.drawn == 24) == (not game.stock)
        kings_gone = 4 - sum(rank(card) == KING for card in there)
        assert game.removed == 2 * game.removals - kings_gone
        undone_moves = game.undos if rules.undo_counts else 0
        assert game.moves == game.removals + game.draws + game.recycles + game.undos + undone_moves
    assert game.moves == pushes + (game.undos if rules.undo_counts else 0)


@settings(max_examples=60)
@given(deals, rulesets, choices)
def test_legal_moves_are_exactly_those_that_do_not_raise(deal: Deal, rules: Rules, turns: list[int]) -> None:
    game = Game(deal, rules)
    for turn in turns:
        legal = game.legal_moves()
        if not legal:
            break
        game.push(legal[turn % len(legal)])
    accepted = set()
    for move in ALL_MOVES:
        copy = game.copy()
        try:
            copy.push(move)
        except IllegalMove:
            assert state(copy) == state(game)
        else:
            accepted.add(canonical(move))
    legal = game.legal_moves()
    assert accepted == {canonical(move) for move in legal}
    assert len(accepted) == len(legal)


def test_every_win_under_pyramide_scores_280() -> None:
    assert WIN_SCORE == 280 == score("pyramide", 0, 0, 0, 0)


def test_a_score_of_nothing_ranks_behind_one_point() -> None:
    assert ranking_key(1, 9.0, 9) < ranking_key(0, 0.0, 0)


def test_an_undo_need_not_be_the_constant() -> None:
    game = Game(Deal.from_number(18))
    game.push(DRAW)
    game.apply(Move("undo"))
    assert (game.undos, game.draws) == (1, 0)


@given(st.integers(0, 51), st.integers(0, 51))
def test_notation_round_trips(first: int, second: int) -> None:
    for move in (DRAW, RECYCLE, UNDO, king(first), pair(first, second)):
        if move.cards[:1] != move.cards[1:]:
            assert canonical(parse_move(move_name(move))) == canonical(move)
            assert canonical(parse_move(move_label(move))) == canonical(move)
            assert canonical(parse_move(move_label(move, unicode=False).upper())) == canonical(move)


@settings(max_examples=100)
@given(deals, rulesets, choices)
def test_undo_gives_back_the_last_states(deal: Deal, rules: Rules, turns: list[int]) -> None:
    game = Game(deal, rules)
    passed = [(game.position, game.score)]
    for turn in turns:
        legal = game.legal_moves()
        if not legal:
            break
        game.push(legal[turn % len(legal)])
        passed.append((game.position, game.score))
    steps = game.undoable
    assert steps == (len(passed) - 1 if rules.undo_limit is None else min(rules.undo_limit, len(passed) - 1))
    for back in range(1, steps + 1):
        game.undo()
        assert (game.position, game.score) == passed[-1 - back]
    assert game.undoable == 0
