"""A person or a script at the table: deals are fetched, lines are read and obeyed, and the game is left."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from pyramide_cli.cards import card_name
from pyramide_cli.cli.exits import Exit, Failure, FileFailure, Status, Stop, say
from pyramide_cli.cli.inputs import read_deals
from pyramide_cli.cli.options import RulesChoice
from pyramide_cli.cli.play.advice import MAX_STATES
from pyramide_cli.cli.play.guide import greeting
from pyramide_cli.cli.play.lines import prompt_lines, script_lines
from pyramide_cli.cli.play.logs import Write, drop, open_log
from pyramide_cli.cli.play.results import Results
from pyramide_cli.cli.play.screens import Screen, ScriptScreen, conversation
from pyramide_cli.cli.play.table import Table
from pyramide_cli.cli.play.vocabulary import command_words
from pyramide_cli.deals import Deal, parse_deal, random_numbers
from pyramide_cli.game import Game, Prover
from pyramide_cli.gamelog import History, read_history
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import local_card
from pyramide_cli.records import DealRecord, Problem
from pyramide_cli.rules import Rules
from pyramide_cli.session import Clock, Session


@dataclass(frozen=True, slots=True)
class Manner:
    """How the game is shown: colour, sentences in place of drawings, and whether a covered card is explained."""

    color: str
    plain: bool
    error_help: bool


def play_by_hand(
    arguments: Sequence[str],
    *,
    log: str | None,
    moves: str | None,
    seed: int | None,
    resume: bool,
    rules: RulesChoice,
    manner: Manner,
    status: Status,
) -> None:
    """Play the deals of the command line by lines from a terminal, from `moves` (text, or `-`), or from stdin."""
    stream = conversation(log)
    at_prompt = moves is None and stream.isatty() and sys.stdin is not None and sys.stdin.isatty()
    if resume and not Path(log or "").exists():  # it would be made, and left empty
        raise FileFailure(f"{log}: cannot be gone on with: there is no such file")
    with ExitStack() as stack:
        write = drop if log is None and stream is sys.stdout else open_log(stack, log)
        history = History() if log is None else read_history(log)
        dealer = Dealer(arguments, rules, seed, status, write)
        session = dealer.begin(*dealer.choose(None)) if not resume else _resume(log or "", history, write)
        screen = Screen(stream, manner.color, plain=manner.plain)
        if not at_prompt:
            screen = ScriptScreen(stream, manner.color, status, plain=manner.plain)
        table = Table(session, screen, dealer, Results(history), error_help=manner.error_help, log_name=log)
        if isinstance(screen, ScriptScreen):
            lines = _scripted(moves, screen, status)
        else:
            lines = prompt_lines(stream, lambda: _prompt(table), lambda: _completions(table))
        _play_lines(table, lines, log, greeting="" if isinstance(screen, ScriptScreen) else greeting())


def _play_lines(table: Table, lines: Iterable[str], log: str | None, greeting: str) -> None:
    """Show the game, obey lines until the player quits, there are no more, or Ctrl-C comes, and leave the game."""
    given_up = False
    try:
        table.open(greeting)
        given_up = not all(table.obey(line) for line in lines)
    finally:
        # A game that is over gets its end however it is left; after a failed write this fails as that did.
        table.leave(given_up=given_up)
        if not table.session.ended and log is not None:
            say(_("The game stays open; go on with it by: pyramide play --log {file} --resume").format(file=quote(log)))


def _scripted(moves: str | None, screen: ScriptScreen, status: Status) -> Iterator[str]:
    """Yield the lines of a script, and let the screen know where each stands."""
    for item in script_lines(moves):
        if isinstance(item, Problem):
            status.report(item)
        else:
            screen.place, line = item
            yield line


def _prompt(table: Table) -> str:
    selected = table.selected
    return "> " if selected is None else f"{table.label(selected)} > "


def _completions(table: Table) -> Iterator[str]:
    """Yield what can be typed: the cards of the legal moves, and the commands."""
    cards = {card for move in table.game.legal_moves() for card in move.cards}
    yield from (local_card(card_name(card)) for card in sorted(cards))
    yield from command_words()


def _resume(log: str, history: History, write: Write) -> Session:
    """Go on with the last open game of a log."""
    track = history.unfinished
    if track is None:
        raise Failure(f"{log}: there is no open game to go on with")
    if track.problem is not None or track.game is None or not isinstance(track.source, DealRecord):
        raise Failure(f"{track.problem}; the game cannot be gone on with")
    game = track.game
    game.prover = prover_for(game.rules)
    clock = Clock(track.t or 0.0)
    return Session(game, track.source.game or "", write, clock=clock, entries=track.n)


class Dealer:
    """Fetches deals and begins games: those of the command line in their order, and random ones after them."""

    def __init__(
        self, arguments: Sequence[str], rules: RulesChoice, seed: int | None, status: Status, write: Write
    ) -> None:
        self._rules = rules
        self._write = write
        self._deals = self._fetch(arguments, seed, status)
        self._last: Rules | None = None

    def choose(self, text: str | None) -> tuple[Deal, Rules]:
        """Return the deal that a text names, under the rules of the last game, or the next deal for None.

        Raises `DealError` when the text names none.
        """
        if text is not None:
            return parse_deal(text), self._last or self._rules.over(None)
        return next(self._deals)

    def begin(self, deal: Deal, rules: Rules) -> Session:
        """Begin the game of a deal."""
        self._last = rules
        return Session.begin(deal, rules, self._write, clock=Clock(), prover=prover_for(rules))

    def _fetch(self, arguments: Sequence[str], seed: int | None, status: Status) -> Iterator[tuple[Deal, Rules]]:
        found = False
        for located in read_deals(arguments, status.report):
            found = True
            yield located.deal, self._rules.over(located.rules)
        if arguments and not found:
            if status.code == Exit.DONE:
                raise Failure("the arguments hold no deal")
            raise Stop(status.code)
        for number in random_numbers(seed):
            yield Deal.from_number(number), self._rules.over(None)


def prover_for(rules: Rules) -> Prover | None:
    """Return what proves that no win is left, where the rules ask for proof; the solver is loaded when it is asked."""
    return _prove if rules.stuck == "proof" else None


def _prove(game: Game) -> bool | None:
    from pyramide_cli.solver import is_winnable

    return is_winnable(game, max_states=MAX_STATES)
