import pytest

from pyramide_cli.cards import CARD_NAMES, CardError, card_label, card_name, make_card, parse_card, rank, suit


def test_every_card_survives_every_spelling() -> None:
    assert len(set(CARD_NAMES)) == 52
    for card in range(52):
        name = card_name(card)
        spellings = {name, name.upper(), name.lower(), card_label(card), card_label(card, unicode=False)}
        spellings |= {name.replace("T", "10"), card_label(card) + "\ufe0f", f" {name} "}
        assert {parse_card(text) for text in spellings} == {card}
        assert make_card(rank(card), suit(card)) == card


def test_labels() -> None:
    assert [card_label(parse_card(name)) for name in ("Jd", "Tc", "As")] == ["J♦", "10♣", "A♠"]
    assert card_label(parse_card("Td"), unicode=False) == "10d"


@pytest.mark.parametrize("text", ["", "X", "Kx", "1c", "11d", "0h", "T", "♠", "ck", "10", "Kdd", "K d", "Ⅷd"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="is not a card"):
        parse_card(text)


def test_make_card_refuses_what_is_outside() -> None:
    for outside in ((0, 0), (14, 0), (1, 4), (1, -1)):
        with pytest.raises(CardError):
            make_card(*outside)
