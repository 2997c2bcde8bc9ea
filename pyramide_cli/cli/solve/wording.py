"""What `solve` says to people: a solution, and the sum of a run."""

from __future__ import annotations

import itertools

from pyramide_cli.batches import Form
from pyramide_cli.cards import card_label
from pyramide_cli.cli.columns import fit, fit_parts
from pyramide_cli.cli.exits import Exit
from pyramide_cli.cli.outputs import Output
from pyramide_cli.messages import counted
from pyramide_cli.moves import Move
from pyramide_cli.solver import Solution

_MOST = {"pyramid": ("pyramid card cleared", "pyramid cards cleared"), "all": ("card removed", "cards removed")}


class Tally:
    """Counts the verdicts of a run."""

    def __init__(self) -> None:
        self.verdicts = {"winnable": 0, "unwinnable": 0, "undecided": 0}

    @property
    def done(self) -> int:
        """How many deals are solved."""
        return sum(self.verdicts.values())

    @property
    def exit_code(self) -> int:
        """What `--exit-code` says of them."""
        if self.verdicts["undecided"]:
            return Exit.UNDECIDED
        return Exit.NO if self.verdicts["unwinnable"] else Exit.DONE

    def count(self, verdicts: dict[str, int]) -> None:
        """Add so many deals of each verdict."""
        for verdict, deals in verdicts.items():
            self.verdicts[verdict] += deals

    def text(self, seconds: float) -> str:
        """Sum up for people."""
        counts = ", ".join(f"{count:,} {verdict}" for verdict, count in self.verdicts.items())
        return f"{counted(self.done, 'deal')}: {counts}; {seconds:.1f} s"


def solution_text(solution: Solution, form: Form, out: Output) -> str:
    """Return a solution for people: the verdict, the length, and the line of moves at the terminal's width."""
    if form.brief:
        return f"{solution.deal}  {_answer_text(solution)}\n"
    lines = [f"{solution.deal}", fit(f"  {_answer_text(solution)}; {_cost_text(solution, form)}", out.width, 4)]
    if solution.line:
        words = []
        for name, group in itertools.groupby(_move_text(move, out) for move in solution.line):
            times = len(list(group))
            words.append(name if times == 1 else f"{name} {'×' if out.shows_suits else 'x'}{times}")
        lines.append(fit_parts(words, out.width, lead="  "))
    return "\n".join(lines) + "\n"


def _move_text(move: Move, out: Output) -> str:
    return "+".join(card_label(card, unicode=out.shows_suits) for card in move.cards) or move.kind


def _cost_text(solution: Solution, form: Form) -> str:
    return counted(solution.states, "position") + (f", {solution.seconds:.3f} s" if form.timing else "")


def _answer_text(solution: Solution) -> str:
    """Say the verdict, what was found of what was asked, and how far it is proved."""
    find, length, lower, upper = solution.find, solution.length, solution.lower, solution.upper
    text = solution.verdict
    if find in ("any", "shortest"):
        if length is not None:
            return f"{text} in {counted(length, 'move')}" + (", the fewest" if solution.optimal else "")
        return text if lower is None else f"{text}; it takes {counted(lower, 'move')} or more"
    if length is None:
        return text
    if solution.optimal:
        text += f"; at best {_amount(solution)}, in {counted(length, 'move')}"
    else:
        limit = "" if upper is None or upper == lower else f", {upper} at most"
        text += f"; {_amount(solution)} found{limit}, in {counted(length, 'move')}"
    gone = "no cards" if solution.removed is None else counted(solution.removed, "card")
    points = "" if solution.score is None or find == "score" else f", score {solution.score}"
    return f"{text}; {gone} gone in all{points}"


def _amount(solution: Solution) -> str:
    """Say how much was found of what was asked for, where that is more than a win."""
    found = solution.lower or 0
    match solution.find:
        case "most":
            return counted(found, *_MOST[solution.rules.goal])
        case "score":
            return counted(found, "point")
        case _:
            return f"{counted(found, 'card')} of rank {solution.find.removeprefix('rank=')} removed"
