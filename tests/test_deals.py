import hashlib
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramide_cli.cards import card_label, card_name, parse_card
from pyramide_cli.deals import (
    CODE_ALPHABET,
    DEAL_COUNT,
    CodeError,
    Deal,
    DealError,
    DeckError,
    code_of,
    deal_many,
    number_of,
    parse_deal,
    parse_deck,
    random_numbers,
    shuffled,
)

PUBLISHED = "Jd 6c 7h As 4d Qs 5h 3d 6h 8s Kh Kc Ad Ks 9c Qc 2c 8d Td Ts Js 7c Tc 3h 4h 3s Kd 7s 7d"

# Written down once, when the shuffle was fixed: they must never change.
GOLDEN = {
    "PY1-N-AAAAAAA": "Jd 3d 8h 6s 5d 4h 8s Qc 8c 7c 4s 6c Kh Th 6d 7h As Ah Td Qh 5h 2c 4d 4c 2d Kd 9s 2s "
    "7d Ts 9c Ac 7s Js Jh 5s 9d Ad 9h 8d Kc 5c Qd Tc 3h 6h Qs 3c Jc 2h Ks 3s",
    "PY1-N-AAAAAAJ": "Kd 2s 8d 6h 7d 8c 8s 4s 4c Tc 2h 5s Ac 9h Ks 7c Td 5d Jh Kc 3d 2c 5c 9d 9s 3c Jc Jd "
    "3s Ad 5h As Qh Js Ts 6s Th 4d Kh 9c 6d Qd 2d 7h 8h 3h 7s 4h Qc Qs Ah 6c",
    "PY1-N-AAAAAAS": PUBLISHED + " 8h 8c 2d 5d Jc Ah 9h 9d Ac Qd Th 2s 2h Qh Jh 4s 4c 5s 3c 6d 5c 9s 6s",
}
LOWEST_BIT = {
    3_287_349: "Th 6h Js 2d 5d 4c 6s 9s 7s 3d 3h 2s 3c 2h Ac 8c 4d Ah 7c 4h Jh Kc 5c 8h 9d Jc Tc 7d "
    "Td 5h 7h 9c 6d 9h 8d 6c Jd Qh 5s 4s 8s Qc Qs Ts As 2c Qd Ad Kd Kh 3s Ks",
    22_933_480: "Ks Kc Kh Jd 6s Kd 3c 5s 7s 3s Qs 8h 2d Tc 5h 7c 5d 4c 7h 4d 3d Qd 6h 2h 2s Ts 6c 3h "
    "5c 8d Qc 9s 9c 9h 6d Ah Jh Ad 9d 8c 8s Th 4s Js 4h 7d Td Jc As Qh Ac 2c",
}
GOLDEN_DIGEST = "74eff26a3b9e1484257586f4ecbbd0919d0f38f88e75a4847b81ac89063da1a8"


@pytest.mark.parametrize("code", GOLDEN)
def test_golden_deals(code: str) -> None:
    assert Deal.from_code(code).text() == GOLDEN[code]


def test_golden_digest_of_ten_thousand_deals() -> None:
    numbers = [0, 1, 9, 18, DEAL_COUNT - 1, *(number * 3_435_973 for number in range(9_995))]
    decks = deal_many(np.array(numbers, dtype=np.uint64))
    assert hashlib.sha256(decks.tobytes()).hexdigest() == GOLDEN_DIGEST


def test_the_published_deal() -> None:
    deal = Deal.from_code("PY1-N-AAAAAAS")
    assert deal.text().startswith(PUBLISHED)
    assert [card_label(card) for card in deal.pyramid[:3]] == ["J♦", "6♣", "7♥"]
    assert card_label(deal.stock[0]) == "7♦"
    assert sorted(deal.cards) == list(range(52))


def test_one_deal_and_many_deal_the_same() -> None:
    numbers = [18, 9, 0, DEAL_COUNT - 1, *range(1000, 3000, 7)]
    decks = deal_many(np.array(numbers, dtype=np.uint64))
    assert decks.shape == (len(numbers), 52)
    assert decks.dtype == np.uint8
    for number, deck in zip(numbers, decks.tolist(), strict=True):
        assert tuple(deck) == shuffled(number)


def test_deal_many_takes_none_and_refuses_what_is_outside() -> None:
    assert deal_many(np.array([], dtype=np.uint64)).shape == (0, 52)
    with pytest.raises(CodeError, match="deal numbers run from 0"):
        deal_many(np.array([DEAL_COUNT], dtype=np.uint64))


def test_every_card_comes_to_every_place_equally_often() -> None:
    numbers = np.arange(100_000, dtype=np.uint64)
    decks = deal_many(numbers)
    expected = len(numbers) / 52
    for place in range(52):
        counts = np.bincount(decks[:, place], minlength=52)
        chi_square = float(((counts - expected) ** 2 / expected).sum())
        # 51 degrees of freedom: mean 51, deviation about 10; the deals are fixed, so this never varies.
        assert 15 < chi_square < 110


@given(st.integers(0, DEAL_COUNT - 1))
def test_codes_and_numbers_are_inverse(number: int) -> None:
    code = code_of(number)
    assert number_of(code) == number_of(f"  {code.lower()}\n") == number
    assert parse_deal(code) == parse_deal(str(number)) == Deal.from_number(number)
    assert Deal.from_number(number).number == number


def test_codes_count_in_base_32() -> None:
    assert code_of(0) == "PY1-N-AAAAAAA"
    assert code_of(DEAL_COUNT - 1) == "PY1-N-7777777"
    assert [number_of(f"PY1-N-AAAAAA{letter}") for letter in CODE_ALPHABET] == list(range(32))
    assert number_of("PY1-N-BAAAAAA") == 32**6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PY1-N-AAAAAA0", "character 13 is '0' (did you mean O?)"),
        ("PY1-N-A1AAAAA", "character 8 is '1' (did you mean I?)"),
        ("py1-n-8aaaaaa", "character 7 is '8' (did you mean B?)"),
        ("PY1-N-AAAAAA9", "character 13 is '9'; a code has A to Z and 2 to 7"),
        ("PY1-N-AAAAAA", "it ends after character 12"),
        ("PY1-N-AAAAAAAA", "character 14 is 'A', but nothing may follow"),
        ("PY2-N-AAAAAAA", "character 3 is '2', but a code begins with PY1-N-"),
        ("PY1-N-AAAAAÄA", "character 12 is 'Ä'"),
        ("PY1-N-ßAAAAAA", "character 7 is 'ß'"),
        ("P", "it ends after character 1"),
    ],
)
def test_a_bad_code_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(CodeError) as caught:
        number_of(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["-1", str(DEAL_COUNT), "9" * 6000, "-" + "9" * 50])
def test_numbers_outside_are_refused(text: str) -> None:
    with pytest.raises(CodeError, match="deal numbers run from 0 to 34359738367"):
        parse_deal(text)


def test_a_deck_in_every_spelling_and_layout() -> None:
    deal = Deal.from_number(5)
    words = deal.text().split()
    drawn_pyramid = "\n".join(" ".join(words[row * (row - 1) // 2 :][:row]) for row in range(1, 8))
    stock = "\r\n".join(words[28:])
    for text in (
        deal.text(),
        deal.text().upper(),
        deal.text().lower().replace("t", "10"),
        ",".join(words),
        " / ".join(words),
        "  ".join(card_label(card) for card in deal.cards),
        f"\n   {drawn_pyramid}\n\n{stock}\n",
    ):
        parsed = parse_deal(text)
        assert parsed.cards == deal.cards
        assert parsed.code is None
        assert parsed.number is None
    assert Deal.from_cards(deal.cards).cards == deal.cards
    assert str(deal) == "PY1-N-AAAAAAF"
    assert str(Deal.from_cards(deal.cards)) == deal.text()


def test_a_bad_deck_gets_one_message_that_lists_everything() -> None:
    words = Deal.from_number(5).text().split()
    words[3], words[10], words[20] = "Zz", words[11], "11c"
    gone = set(Deal.from_number(5).text().split()) - set(words)
    with pytest.raises(DeckError) as caught:
        parse_deck(" ".join(words))
    message = str(caught.value)
    assert "\n" not in message
    assert "(50 read)" in message
    listed = message.split("missing: ")[1].split(";")[0].split()
    assert set(listed) == gone
    assert f"double: {words[11]}" in message
    assert "malformed: 'Zz' '11c'" in message


@pytest.mark.parametrize("cards", [[0] * 52, range(51), range(53), range(1, 53), []])
def test_card_numbers_that_are_no_deck_are_refused(cards: list[int]) -> None:
    with pytest.raises(DeckError, match="not a deck of 52 cards"):
        Deal.from_cards(cards)


def test_no_deal_at_all() -> None:
    with pytest.raises(DealError, match="there is no deal"):
        parse_deal("  \n")


def test_random_numbers_repeat_by_seed() -> None:
    def first(seed: int | None) -> list[int]:
        stream = random_numbers(seed)
        return [next(stream) for _ in range(5)]

    assert first(1) == first(1) == [25761153414, 12795340580, 15059320350, 32783200731, 6942718287]
    assert first(1) != first(2)
    assert first(None) != first(None)
    assert all(0 <= number < DEAL_COUNT for number in first(-(2**70)))


def test_cards_are_read_as_written() -> None:
    assert parse_deck(GOLDEN["PY1-N-AAAAAAS"])[:2] == (parse_card("J♦"), parse_card("6♣"))


def test_no_bit_of_the_generator_is_lost() -> None:
    # In these deals, which are few, a card's place depends on the lowest bit that the shuffle uses.
    for number, text in LOWEST_BIT.items():
        assert Deal.from_number(number).text() == text
        (deck,) = deal_many(np.array([number], dtype=np.uint64)).tolist()
        assert tuple(deck) == shuffled(number)


def test_a_deal_never_changes() -> None:
    deal = Deal.from_number(5)
    with pytest.raises(FrozenInstanceError):
        deal.code = None  # type: ignore[misc]
    assert not hasattr(deal, "__dict__")
    assert len({deal, Deal.from_number(5), Deal.from_number(6)}) == 2


@pytest.mark.parametrize("number", [-1, DEAL_COUNT, 2 * DEAL_COUNT])
def test_a_number_outside_is_named_with_the_range(number: int) -> None:
    message = f"deal numbers run from 0 to 34359738367, not {number}"
    with pytest.raises(CodeError) as caught:
        code_of(number)
    assert str(caught.value) == message
    if number > 0:
        with pytest.raises(CodeError) as caught:
            deal_many(np.array([7, number, 8], dtype=np.uint64))
        assert str(caught.value) == message


WHOLE = " ".join(card_name(card) for card in range(52))
FEWER = WHOLE.removesuffix(" Ks")
X40, X41 = "x" * 40, "x" * 41


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FEWER, "not a deck of 52 cards (51 read); missing: Ks"),
        (WHOLE + " Ks", "not a deck of 52 cards (53 read); double: Ks"),
        (FEWER + " Ac", "not a deck of 52 cards (52 read); missing: Ks; double: Ac"),
        (WHOLE + " x", "not a deck of 52 cards (52 read); malformed: 'x'"),
        (WHOLE + f" {X40} {X41}", f"not a deck of 52 cards (52 read); malformed: '{X40}' '{X40[:39]}…'"),
        (WHOLE + " x" * 10, "not a deck of 52 cards (52 read); malformed: " + " ".join(["'x'"] * 10)),
        (WHOLE + " x" * 11, "not a deck of 52 cards (52 read); malformed: " + " ".join(["'x'"] * 10) + " and 1 more"),
        (WHOLE + " x" * 12, "not a deck of 52 cards (52 read); malformed: " + " ".join(["'x'"] * 10) + " and 2 more"),
    ],
)
def test_the_message_of_a_bad_deck(text: str, message: str) -> None:
    with pytest.raises(DeckError) as caught:
        parse_deck(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([-1, *range(52), 52], "not a deck of 52 cards (52 read); malformed: '-1' '52'"),
        (range(1, 53), "not a deck of 52 cards (51 read); missing: Ac; malformed: '52'"),
        ([*range(51), 0], "not a deck of 52 cards (52 read); missing: Ks; double: Ac"),
    ],
)
def test_the_message_of_numbers_that_are_no_deck(cards: list[int], message: str) -> None:
    with pytest.raises(DeckError) as caught:
        Deal.from_cards(cards)
    assert str(caught.value) == message


@pytest.mark.parametrize("zeros", [1, 10, 11, 12, 5_000, 50_000])
def test_zeros_before_a_number_are_nothing(zeros: int) -> None:
    assert parse_deal("0" * zeros) == Deal.from_number(0)
    assert parse_deal("+" + "0" * zeros + "18") == Deal.from_number(18)
    with pytest.raises(CodeError, match="deal numbers run from 0"):
        parse_deal("0" * zeros + str(DEAL_COUNT))
