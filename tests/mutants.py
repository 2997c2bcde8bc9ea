"""Mutants that change nothing that a test could notice, and why: for `tests.mutation`, which does not run them.

A mutant is named by its module, the line that it changes, and the change; `#2` is the second one of the same kind in
such lines.
"""

from __future__ import annotations

_GZIP = "32 lets zlib tell gzip by its first bytes, which are gzip's"
_FRESH = "a member that has begun has at least a byte"
_LAYOUT = "the parts of the array have room between them"
_FASTER = "only how much work is done changes"
_COUNTED = "the count only saves work: pairs that cannot be are refused one by one, too"
_UNREAD = "neither the fresh mark nor a pass is read"
_READ = "what a pass has left there is read no more"
_NO_CARDS = "one more has no cards"
_LATER = "what comes after it says the same, later"

EXPLAINED: dict[str, dict[tuple[str, str], str]] = {
    "deals": {
        (
            "digits = (CODE_ALPHABET[number >> shift & 31] for shift in range(CODE_BITS - 5, -1, -5))",
            "1 -> 2",
        ): "the last step is 0 either way",
        ("if len(text) < CODE_LENGTH", "Lt -> LtE"): "the two lengths differ here already",
        ("words = text.split(maxsplit=1)", "1 -> 2"): _FASTER,
        ('malformed.append(word if len(malformed) < _MOST_NAMED else "")', "Lt -> LtE"): "ten words are shown at most",
        ("flat = cards.reshape(-1)", "1 -> 2"): "numpy takes any negative number here",
        (
            "state = _split_mix((secrets.randbits(64) if seed is None else seed) & _MASK64)",
            "64 -> 65",
        ): "one more bit than the mask leaves",
    },
    "game": {
        ("place_of = [0] * len(deal.cards)", "0 -> 1"): "every place of the list is filled at once",
        (
            "return start + (left & -left).bit_length() - 1 if left else STOCK_SIZE",
            "BitAnd -> BitOr",
        ): "-left | left is minus the lowest bit, which is as long",
        (
            "below = (self._stock & ((1 << index) - 1)).bit_length() - 1 if index > 0 else -1",
            "Gt -> GtE",
        ): "no bit lies below the first",
        (
            "below = (self._stock & ((1 << index) - 1)).bit_length() - 1 if index > 0 else -1",
            "1 -> 2 #4",
        ): "any negative number is none",
        ("if self._pyramid >> place & 1", "BitAnd -> BitOr"): "where a cover is there, the card below is there",
        ("return index < self._drawn and index == self._waste_index()", "Lt -> LtE"): "it is not the drawn one here",
    },
    "lines": {
        ("unpacker = zlib.decompressobj(wbits=31)", "31 -> 32"): _GZIP,
        ("unpacker, fresh = zlib.decompressobj(wbits=31), True", "31 -> 32"): _GZIP,
        ("fresh = True  # nothing of this member has been read", "True -> False"): _FRESH,
        ("unpacker, fresh = zlib.decompressobj(wbits=31), True", "True -> False"): _FRESH,
        ("if not rest: break", "break -> continue"): "the loop ends by its own condition, too",
        ("for step in (1024, 1):", "1024 -> 1025"): _FASTER,
        ("_CHUNK: Final = 256 * 1024", "Mult -> Add"): _FASTER,
        ("_CHUNK: Final = 256 * 1024", "256 -> 257"): _FASTER,
        ("_CHUNK: Final = 256 * 1024", "1024 -> 1025"): _FASTER,
    },
    "reading": {
        ("class _Head(msgspec.Struct, gc=False):", "False -> True"): _FASTER,
        ("class Located(msgspec.Struct, gc=False):", "False -> True"): _FASTER,
    },
    "bounds": {
        ("mask &= mask - 1", "1 -> 2"): "without the apex there is no bit 0, and 2 takes the lowest bit as 1 does",
        ("NEVER = 4000", "4000 -> 4001"): "more than any game, too",
        ("return -1", "1 -> 2"): "any negative number is no win",
        (
            "later += 1 if problem[STOCK_OPEN] else 2  # to recycle once more, and to draw",
            "1 -> 2",
        ): "with an open stock none of 100,000 random games has come to need a third pass and could still be won",
        ("again = 24", "24 -> 25"): "there are no cards behind the 24",
        (
            "if staying(problem, room, mask, stays, stock, 0, 0):",
            "0 -> 1",
        ): "the first card of a pass is at hand from the start of it, drawn or not",
        ("low, high = 0, 24", "24 -> 25 #3"): "all 24 together are never too many",
        ("return max(0, leaving - (total(counts) - 2 * inside) + 1) >> 1", "0 -> 1"): "1 >> 1 is 0",
    },
    "passes": {
        ("USABLE, USED, BEFORE, WASTE_BEFORE, ROOM = 28, 29, 32, 64, 96", "29 -> 30"): _LAYOUT,
        ("USABLE, USED, BEFORE, WASTE_BEFORE, ROOM = 28, 29, 32, 64, 96", "32 -> 33"): _LAYOUT,
        ("USABLE, USED, BEFORE, WASTE_BEFORE, ROOM = 28, 29, 32, 64, 96", "64 -> 65"): _LAYOUT,
        ("USABLE, USED, BEFORE, WASTE_BEFORE, ROOM = 28, 29, 32, 64, 96", "96 -> 97"): _LAYOUT,
        ("LATE = 99", "99 -> 100"): "later than any card, too",
        ("if stays >> place & 1:", "RShift -> LShift"): "what stays is found to stay again",
        ("for place in range(28):", "28 -> 29"): _LAYOUT,
        (
            "if early >= LATE or rank == 13 or problem[COVER_PAIR]:",
            "GtE -> Gt",
        ): "what lies under a card that stays is found to stay either way, and asked no more then",
        ("if best > early or common:", "Gt -> GtE"): "nothing gets better than that, so going on changes nothing",
        ("covers &= covers - 1", "1 -> 2"): "the apex covers nothing",
        ("others &= others - 1", "1 -> 2 #2"): "the apex lies under all others, and is none of them",
        ("best, common = LATE, -1", "1 -> 2"): "nothing has to wait for the apex",
        ("onto = length(dead & ((1 << early) - 1))", "1 -> 2 #2"): "nothing lies under the first card of the stock",
        (
            "near = at_hand(problem, place, alive, near, stock & ((1 << early) - 1))",
            "1 -> 2 #2",
        ): "the first card of the stock lies on none",
        ("for place in range(27, -1, -1):", "27 -> 28"): "no such place is asked about",
    },
    "tables": {
        ("CLASSES = 6", "6 -> 7"): "a seventh class has no cards",
        ("if rank < 13:", "Lt -> LtE"): _LAYOUT,
        ("if rank < 13:", "13 -> 14"): _LAYOUT,
        ("for place in range(28):", "28 -> 29 #3"): _LAYOUT,
        ("balance[shape, needs] = -1", "1 -> 2"): "the empty shape has -1, too, and the larger of both is kept",
        ("problem[at + MASK] = masks[shape]", "Add -> Sub"): "MASK is 0",
        ("for byte in range((size + 7) >> 3):", "7 -> 8"): "one more byte would have no bits",
        ("left &= left - 1", "1 -> 2"): "the apex stays, so there is no bit 0, and 2 takes the lowest bit as 1 does",
    },
    "points": {
        ("CHOICE, PARTED = SPARE + 16, SPARE + 24", "Add -> Sub"): _READ,
        ("CHOICE, PARTED = SPARE + 16, SPARE + 24", "Add -> Sub #2"): _READ,
        ("CHOICE, PARTED = SPARE + 16, SPARE + 24", "16 -> 17"): _LAYOUT,
        ("CHOICE, PARTED = SPARE + 16, SPARE + 24", "24 -> 25"): _LAYOUT,
        ("MOST_BONUS = SPARE + 32", "Add -> Sub"): _READ,
        ("POINTS_ROOM = SPARE + 33", "33 -> 34"): "one number more is not used",
        ("MOST_TRIES = 100", "100 -> 101"): "no bound gets wrong by one choice more",
        ("upto = (parting & -parting) - 1 if parting else STOCK", "-x -> x"): "no card that parts the stock is counted",
        (
            "room[SPARE + 2 * size] = stock & stock_of(problem, k + 1 if more > 0 else 12 - k)",
            "Gt -> GtE",
        ): "it is not 0",
        ("if wanted > 0:", "Gt -> GtE"): "for no card it takes no move",
        ("dead, stays = without_partner(problem, mask, stock), 0", "0 -> 1"): "only what `staying` returns is read",
        ("if clear >= NEVER or wanted <= 0:", "GtE -> Gt"): _LATER,
        ("if clear >= NEVER or wanted <= 0:", "GtE -> Gt #2"): _LATER,
        ("if clear >= NEVER or wanted <= 0:", "Or -> And #2"): _LATER,
        ("if clear >= NEVER or wanted <= 0:", "LtE -> Lt #2"): _LATER,
    },
    "rests": {
        ("count: NDArray[np.int64] = (rests[:, np.newaxis] >> np.arange(28) & 1).sum(axis=1)", "28 -> 29"): _NO_CARDS,
        ("for mask, bonus in zip(ROW_MASKS, MICROSOFT_ROW_BONUS, strict=True):", "True -> False"): "both are as long",
        ("left = np.full((13, len(rests)), 4, np.int64)", "13 -> 14"): _NO_CARDS,
        ("left = np.full((14, len(rests)), 4, np.int64)", "14 -> 15"): _NO_CARDS,
    },
    "values": {
        ("PAR_BONUSES = tuple(PAR_BONUS.get(number, 0) for number in range(4))", "4 -> 5"): "only four are looked up",
    },
    "replay": {
        ("if game is None or self.broken:", "Or -> And #2"): "only the first fault is kept, and there is one",
    },
    "moves": {
        (
            "_NAMES |= {move: CARD_NAMES[card] for card, move in _KINGS.items() if rank(card) == KING}",
            "Eq -> NotEq",
        ): _FASTER,
        ("if len(move.cards) == 2 and move.cards[0] > move.cards[1]:", "Gt -> GtE"): "a card twice stays the same",
    },
    "balance": {
        ("position = Position(FULL, STOCK_FULL, int(rules.deal_waste), False, 1, 0)", "False -> True"): _UNREAD,
        ("position = Position(FULL, STOCK_FULL, int(rules.deal_waste), False, 1, 0)", "1 -> 2"): _UNREAD,
        ("position = Position(FULL, STOCK_FULL, int(rules.deal_waste), False, 1, 0)", "0 -> 1"): _UNREAD,
        ("by_rank: list[list[int]] = [[] for _ in range(KING + 1)]", "1 -> 2"): "one rank more has no cards",
        ("counts = [0] * (KING + 1)", "1 -> 2"): "one rank more has no cards",
        ("cover_pair or not (OVER[first] >> second & 1 or OVER[second] >> first & 1)", "Or -> And #2"): _COUNTED,
        ("cover_pair or not (OVER[first] >> second & 1 or OVER[second] >> first & 1)", "RShift -> LShift"): _COUNTED,
        ("cover_pair or not (OVER[first] >> second & 1 or OVER[second] >> first & 1)", "RShift -> LShift #2"): _COUNTED,
        ("if choices < need or len(firsts) < need:", "Or -> And"): _COUNTED,
        ("for other in free[number + 1 :]:", "Add -> Sub"): "a pair that nothing needs only makes the line shorter",
        ("return True", "True -> False #4"): "what comes next is tried at once instead of in the next round",
        ("order = [group for _, group in sorted(groups, key=lambda item: item[0])]", "0 -> 1"): _FASTER,
    },
    "scoring": {
        ("MICROSOFT_ROW_BONUS: tuple[int, ...] = (0, 500, 250, 150, 100, 75, 50, 25)", "0 -> 1"): "no row is row 0",
    },
}
