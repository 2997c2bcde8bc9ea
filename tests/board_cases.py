"""The boards of the golden files: a name, a deal, rules, and the moves that lead to the board."""

from typing import NamedTuple

from pyramide_cli.deals import parse_deal
from pyramide_cli.game import Game
from pyramide_cli.moves import Move, parse_move
from pyramide_cli.rules import RULES, Rules

PUBLISHED = "PY1-N-AAAAAAS"

# All four kings lie free, and no code deals this.
KINGS = """
    Jd
    6c 7h
    As 4d Qs
    5h 3d 6h 8s
    7c 4h Ad 7s 9c
    Qc 2c 8d Td Ts Js
    Ks Tc 3h Kh 3s Kd Kc
    7d Ac Ah 2d 2h 2s 3c 4c 4s 5c 5d 5s 6d 6s 8c 8h 9d 9h 9s Th Jc Jh Qd Qh
"""


class Case(NamedTuple):
    """A board that a golden file keeps."""

    deal: str
    rules: Rules
    moves: str = ""

    def play(self) -> tuple[Game, Move | None]:
        """Return the game on this board, and the last entry that was made."""
        game, entry = Game(parse_deal(self.deal), self.rules), None
        for name in self.moves.split():
            entry = parse_move(name)
            game.apply(entry)
        return game, entry


CASES = {
    "start": Case(PUBLISHED, RULES["pyramide"]),
    "middle": Case(PUBLISHED, RULES["pyramide"], "Kd Tc+3s draw draw draw"),
    "undone": Case(PUBLISHED, RULES["pyramid-solitaire"], "Kd Tc+3s undo"),
    "kings": Case(KINGS, RULES["pyramide"], "Kh"),
    "empty-stock": Case(PUBLISHED, RULES["pyramide"], "Kd Tc+3s" + " draw" * 23),
    "recycled": Case(PUBLISHED, RULES["easy"], "Kd Tc+3s" + " draw" * 24 + " recycle draw"),
    "won": Case(
        "PY1-N-AAAABH3",
        RULES["pyramide"],
        "Th+3c Kc 7s+6s Kh As+Qd Js+2c 6c+7c 2d+Jd draw 4h+9h draw Qc+Ac draw 5c+8h Ks Qh+Ah 8s+5h 9c+4d"
        " draw draw draw Jh+2h draw draw draw draw draw draw draw draw draw draw draw 3d+Tc draw draw 2s+Jc",
    ),
    "stuck": Case(
        "PY1-N-AAAABU7",
        RULES["pyramide"],
        "Ts+3c draw 7d+6s draw draw draw 2h+Jc Kc draw As+Qc 5d+8s draw draw draw draw draw draw draw draw Ks"
        " draw draw draw draw 9d+4h draw draw Kh draw draw draw draw 5h+8c recycle draw draw draw draw draw Qh+Ad"
        " draw draw draw 3s+Th Ah+Qs 7c+6h Kd draw draw 8d+5s draw 8h+5c draw draw draw 9s+4c draw draw recycle"
        " draw Tc+3h draw Td+3d draw 2c+Jd draw draw Js+2s draw Jh+2d draw Ac+Qd draw 4s+9c draw 6d+7h 9h+4d",
    ),
    "lost": Case("PY1-N-AAAACOY", RULES["relaxed"], "draw 3c+Th draw draw 5c+8h" + " draw" * 8 + " Kc" + " draw" * 13),
    "stock-open": Case(PUBLISHED, RULES["microsoft"], "Kd Tc+3s draw draw draw draw"),
    "cover-pair": Case(PUBLISHED, RULES["easy"].replace(cover_pair=True), "Kd"),
    "drawn-pair": Case("PY1-N-AAAAALD", RULES["classic"], "draw draw draw draw 6s+7c draw"),
    "below-zero": Case("PY1-N-AAAABAG", RULES["par"], "2d+Js draw draw draw draw 7d+6h 9h+4d"),
}
