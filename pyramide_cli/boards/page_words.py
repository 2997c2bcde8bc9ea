"""What a page says, in the language in use: its fixed texts, those of a game, and those of a step."""

from __future__ import annotations

from collections.abc import Iterator

from pyramide_cli.boards.steps import PageGame, PageStep
from pyramide_cli.boards.words import deal_verdict, outcome_word
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import ngettext


def page_texts() -> dict[str, str]:
    """Return the texts that stand on the page whatever it shows, by their names in the template."""
    return {
        "t_game": _("Game"),
        "t_noscript": _("This page needs JavaScript to step through the games."),
        "t_board": _("Board"),
        "t_steps": _("Steps"),
        "t_step": _("Step"),
        "t_start": _("Start"),
        "t_start_key": _("Start (Home)"),
        "t_back": _("Back"),
        "t_back_key": _("Back (left arrow)"),
        "t_forward": _("Forward"),
        "t_forward_key": _("Forward (right arrow)"),
        "t_end": _("End"),
        "t_end_key": _("End (End)"),
        "t_left": _("Moves left"),
        "t_moves": _("Moves"),
        "t_words": _("The board in words"),
        "t_keys": _(
            "Arrow keys step, Home and End go to the start and the end. The address of the page keeps the place."
        ),
    }


def script_texts() -> dict[str, str]:
    """Return the texts that the script puts together, with gaps in braces, by their names in it."""
    return {
        "none": _("There are no games."),
        "stock": _("stock {n}"),
        "waste": _("waste {n}"),
        "last": _("last"),
        "start": _("start"),
        "winLost": _("win lost"),
        "winLostAt": _("win lost at {n}"),
        "place": _("Move {n} of {last}"),
        "placeMove": _("Move {n} of {last}: {move}."),
    }


def about(game: PageGame, *, several: bool) -> Iterator[str]:
    """Yield what stands below the heading: what the chooser does not say already."""
    deal = game.steps[0].labels["deal"]
    if not several:
        yield game.title
    if game.title != deal or several:
        yield deal
    yield _("rules {rules}").format(rules=game.rules.name) if game.rules.name else _("own rules")
    if game.player:
        yield _("player {player}").format(player=game.player)
    if game.outcome:
        yield outcome_word(game.outcome)


def summary(game: PageGame) -> str:
    """Return what the analysis says of the whole game, empty without one."""
    start = game.steps[0]
    if start.verdict == "winnable" and start.left is not None:
        known = ngettext(
            "The deal is winnable; the shortest win takes {n} move.",
            "The deal is winnable; the shortest win takes {n} moves.",
            start.left,
        )
        sentences = [known.format(n=start.left)]
    elif start.verdict is None:
        sentences = []
    else:
        sentences = [deal_verdict(start.verdict)]
    lost = ", ".join(f"{n} ({step.move})" for n, step in enumerate(game.steps) if step.note == "??")
    if lost:
        sentences.append(_("The win was lost at move {moves}.").format(moves=lost))
    return " ".join(sentences)


def verdict_words(step: PageStep) -> str:
    """Return what an analysis says of a step, empty without one."""
    if step.note == "??":
        return _("This move lost the win.")
    if step.left == 0:
        return _("The game is won.")
    if step.verdict == "winnable" and step.left is not None:
        return ngettext("Winnable, {n} move left at best.", "Winnable, {n} moves left at best.", step.left).format(
            n=step.left
        )
    return {
        "winnable": _("Winnable."),
        "unwinnable": _("No win is left."),
        "undecided": _("Undecided."),
    }.get(step.verdict or "", "")
