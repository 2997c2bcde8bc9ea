"""What the table says when it is asked for help: the tip of a rule of thumb, and the truth of the solver."""

from __future__ import annotations

from pyramide_cli.cli.play.wording import MoveLabel
from pyramide_cli.game import Game
from pyramide_cli.hints import Reason, tip
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import ngettext

MAX_STATES = 5_000_000
"""How many positions the solver may store while a player waits."""


def tip_text(game: Game, label: MoveLabel) -> str:
    """Return the tip for a position, with the rule of thumb that it comes from."""
    found = tip(game)
    if found is None:
        return _("There is no move to hint at.")
    return _("Tip: {move} ({reason}).").format(move=label(found.move), reason=reason_text(found.reason))


def reason_text(reason: Reason) -> str:
    """Return a rule of thumb in words."""
    return {
        "king": _("a free king goes at once"),
        "mutual": _("it uncovers two cards that have only each other left"),
        "frees": _("it frees a card that you can use next"),
        "inside": _("pairs inside the pyramid come before the waste"),
        "even": _("it keeps the pyramid even"),
        "only": _("it is the only removal"),
        "draw": _("there is nothing to remove"),
        "recycle": _("there is nothing to remove"),
    }[reason]


def winnable_text(game: Game) -> str:
    """Return whether a win is left, by proof."""
    from pyramide_cli.solver import is_winnable

    if game.outcome == "won":
        return _("The game is won.")
    winnable = None if game.is_over else is_winnable(game, max_states=MAX_STATES)
    if game.is_over or winnable is False:
        return _("Proof: no win is left.")
    return _cannot_tell() if winnable is None else _("Proof: a win is left.")


def best_text(game: Game, label: MoveLabel) -> str:
    """Return the best moves and how many moves the shortest win takes from here, by proof."""
    from pyramide_cli.solver import rate_moves

    if game.is_over:
        return winnable_text(game)
    ratings = rate_moves(game, max_states=MAX_STATES)
    lengths = {move: left for move, verdict, left in ratings if verdict == "winnable" and left is not None}
    if lengths:
        fewest = min(lengths.values())
        moves = [label(move) for move, left in lengths.items() if left == fewest]
        if any(verdict == "undecided" for _move, verdict, _left in ratings):
            return _("Best of what the solver could prove: {moves}.").format(moves=", ".join(moves))
        return ngettext(
            "Best: {moves}. The shortest win takes {n} more move.",
            "Best: {moves}. The shortest win takes {n} more moves.",
            fewest + 1,
        ).format(moves=", ".join(moves), n=fewest + 1)
    if all(verdict == "unwinnable" for _move, verdict, _left in ratings):
        return _("Proof: no win is left.")
    return _cannot_tell()


def _cannot_tell() -> str:
    return _("The solver cannot tell within its limit.")
