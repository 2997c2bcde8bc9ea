"""What the engine says of moves that the rules forbid: one error for each rule."""

from __future__ import annotations

from typing import ClassVar

from pyramide_cli.errors import PyramideError


class IllegalMove(PyramideError):
    """A move is against the rules; `rule` is a short name of the rule that forbids it."""

    rule: ClassVar[str] = "illegal"


class CoveredCard(IllegalMove):
    """A pyramid card is still covered."""

    rule = "covered"


class WrongSum(IllegalMove):
    """The cards do not add up to 13."""

    rule = "sum"


class CardNotThere(IllegalMove):
    """A card has been removed already."""

    rule = "gone"


class CardOutOfReach(IllegalMove):
    """A card lies face down in the stock, or under others in the waste."""

    rule = "out-of-reach"


class OwnCover(IllegalMove):
    """A card and the one that covers it never pair under these rules."""

    rule = "own-cover"


class DrawnWithWaste(IllegalMove):
    """A waste card pairs with the one that it covers only when it was just drawn, and only under `drawn_pair`."""

    rule = "drawn-pair"


class EmptyStock(IllegalMove):
    """There is nothing to draw."""

    rule = "empty-stock"


class StockNotEmpty(IllegalMove):
    """A recycle needs an empty stock."""

    rule = "stock-not-empty"


class EmptyWaste(IllegalMove):
    """A recycle needs a waste that is not empty."""

    rule = "empty-waste"


class NoPassLeft(IllegalMove):
    """The last pass that the rules allow has begun."""

    rule = "no-pass"


class NothingToUndo(IllegalMove):
    """No action is left that could be undone."""

    rule = "nothing-to-undo"


class GameOver(IllegalMove):
    """The game is won: only an undo is left."""

    rule = "won"
