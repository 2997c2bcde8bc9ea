"""Pyramid solitaire: deal, play, replay, solve and analyse games, as a library and as a command.

>>> from pyramide_cli import Deal, Game, parse_move
>>> game = Game(Deal.from_code("PY1-N-AAAAAAS"))
>>> game.push(parse_move("Kd"))
>>> game.score
10

Names are loaded when they are first used (PEP 562), so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramide_cli.lazy import lazy

if TYPE_CHECKING:
    from pyramide_cli.cards import Card, card_label, card_name, parse_card
    from pyramide_cli.deals import Deal, parse_deal
    from pyramide_cli.errors import PyramideError
    from pyramide_cli.game import Game, Position
    from pyramide_cli.illegal import IllegalMove
    from pyramide_cli.moves import DRAW, RECYCLE, UNDO, Move, move_name, parse_move
    from pyramide_cli.rules import RULES, Rules, find_rules
    from pyramide_cli.solver import Solution, solve

__version__ = "0.1.0"

_HOME = {
    "Card": "cards",
    "DRAW": "moves",
    "Deal": "deals",
    "Game": "game",
    "IllegalMove": "illegal",
    "Move": "moves",
    "Position": "game",
    "PyramideError": "errors",
    "RECYCLE": "moves",
    "RULES": "rules",
    "Rules": "rules",
    "Solution": "solver",
    "UNDO": "moves",
    "card_label": "cards",
    "card_name": "cards",
    "find_rules": "rules",
    "move_name": "moves",
    "parse_card": "cards",
    "parse_deal": "deals",
    "parse_move": "moves",
    "solve": "solver",
}

__all__ = [
    "DRAW",
    "RECYCLE",
    "RULES",
    "UNDO",
    "Card",
    "Deal",
    "Game",
    "IllegalMove",
    "Move",
    "Position",
    "PyramideError",
    "Rules",
    "Solution",
    "__version__",
    "card_label",
    "card_name",
    "find_rules",
    "move_name",
    "parse_card",
    "parse_deal",
    "parse_move",
    "solve",
]


__getattr__ = lazy(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
