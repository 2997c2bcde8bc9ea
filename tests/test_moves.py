import itertools

import pytest

from pyramide_cli.cards import card_label, parse_card, rank
from pyramide_cli.moves import DRAW, RECYCLE, UNDO, MoveError, canonical, king, move_label, move_name, pair, parse_move


def test_every_move_survives_its_notation() -> None:
    moves = [DRAW, RECYCLE, UNDO, *(king(card) for card in range(48, 52))]
    moves += [pair(a, b) for a, b in itertools.permutations(range(52), 2) if rank(a) + rank(b) == 13]
    assert len(moves) == 3 + 4 + 2 * 96
    for move in moves:
        assert parse_move(move_name(move)) == move
        assert parse_move(move_label(move)) == move
        assert str(move) == move_name(move)


def test_spellings_of_a_pair() -> None:
    expected = pair(parse_card("Tc"), parse_card("3s"))
    for text in ("Tc+3s", "10c 3s", "10♣ + 3♠", "tc,3S", " TC & 3s ", "10C+3♠"):
        assert parse_move(text) == expected
    assert canonical(parse_move("3s+Tc")) == canonical(expected)
    assert canonical(expected) != expected or expected.cards == tuple(sorted(expected.cards))


def test_words_in_any_case() -> None:
    assert [parse_move(text) for text in ("DRAW", " Recycle", "undo\n")] == [DRAW, RECYCLE, UNDO]


def test_illegal_but_well_formed_moves_are_moves() -> None:
    assert parse_move("Tc+4s").cards == (parse_card("Tc"), parse_card("4s"))
    assert parse_move("5d") == king(parse_card("5d"))
    assert move_name(parse_move("Tc 4s")) == "Tc+4s"
    assert move_label(parse_move("Tc 4s")) == f"{card_label(parse_card('Tc'))} + {card_label(parse_card('4s'))}"


@pytest.mark.parametrize("text", ["", "+", "fly", "Kd+Kd", "Tc+3s+4d", "Tc+xx", "draw draw"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move"):
        parse_move(text)


def test_legal_moves_are_made_once() -> None:
    for a, b in itertools.permutations(range(52), 2):
        if rank(a) + rank(b) == 13:
            assert pair(a, b) is pair(a, b)
            assert parse_move(move_name(pair(a, b))) is pair(a, b)
    assert parse_move("Kd") is king(parse_card("Kd"))
