"""The table at which a person plays: what each typed line does to the game, and what is said to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pyramide_cli.cards import KING as KING_RANK
from pyramide_cli.cards import TARGET_SUM, Card, rank
from pyramide_cli.cli.play import advice, wording
from pyramide_cli.cli.play.guide import help_text
from pyramide_cli.cli.play.results import Results
from pyramide_cli.cli.play.words import Word, WordError, parse_words, shortened
from pyramide_cli.deals import Deal, DealError
from pyramide_cli.errors import PyramideError
from pyramide_cli.game import Game
from pyramide_cli.illegal import IllegalMove, WrongSum
from pyramide_cli.messages import gettext as _
from pyramide_cli.moves import DRAW, RECYCLE, UNDO, Move, king, pair
from pyramide_cli.records import printable
from pyramide_cli.rules import Rules
from pyramide_cli.session import Session

_MOVES = {"draw": DRAW, "recycle": RECYCLE, "undo": UNDO}


class Refused(PyramideError):
    """Something typed cannot be done; `str` says why in the player's language."""


class Screen(Protocol):
    """Where the table shows the game and speaks to the player."""

    label: wording.Label
    move_label: wording.MoveLabel

    def show(self, session: Session, moves: Sequence[Move], *, asked: bool = False) -> None:
        """Show the board after moves, or because the player asked for it."""

    def say(self, text: str) -> None:
        """Tell the player something."""

    def complain(self, complaint: wording.Complaint) -> None:
        """Tell the player that something typed cannot be done."""


class Dealer(Protocol):
    """Begins the next game."""

    def choose(self, text: str | None) -> tuple[Deal, Rules]:
        """Return the deal that a text names, or the next one for None; `PyramideError` when there is none."""

    def begin(self, deal: Deal, rules: Rules) -> Session:
        """Begin the game of a deal."""


class Table:
    """A game being played by typed lines.

    session: the game; selected: the card that waits for its partner; last_move: the last entry.
    """

    def __init__(
        self,
        session: Session,
        screen: Screen,
        dealer: Dealer,
        results: Results,
        *,
        error_help: bool = True,
        log_name: str | None = None,
    ) -> None:
        """Sit down at a game.

        error_help: whether a card that is covered is explained. log_name: where the log is, None without one.
        """
        self.session = session
        self.selected: Card | None = None
        self.last_move: Move | None = None
        self._screen = screen
        self._dealer = dealer
        self._error_help = error_help
        self._log_name = log_name
        self._results = results
        self._told: object = None
        self._made: list[Move] = []  # on this line, and not shown yet

    def label(self, card: Card) -> str:
        """Return a card as the screen shows it."""
        return self._screen.label(card)

    @property
    def game(self) -> Game:
        """The game that is being played."""
        return self.session.game

    def open(self, greeting: str = "") -> None:
        """Show the board for the first time, and say the greeting where there is one."""
        self._show()
        if greeting:
            self._screen.say(greeting)
        self._announce()

    def obey(self, line: str) -> bool:
        """Do what a line says, word by word, up to the first that cannot be done; False when the player quits."""
        before, selected = (self.session, self.session.entries), self.selected
        going_on, complaint = True, None
        try:
            words = parse_words(line)
        except WordError as error:
            words, complaint = [], wording.Complaint(str(error), error.number, error.count, played="nothing")
        if sum(bool(word.cards or word.rank) for word in words) > 1:
            # Several cards on one line are pairs of their own; a card from before must not slip in between.
            self.selected = None
        for word in words:
            try:
                going_on = self._do(word)
            except PyramideError as error:
                last = words[-1]
                played: wording.Played = "all" if word is last else "part"
                complaint = wording.Complaint(str(error), word.number, last.number, shortened(word.text), played)
            if complaint is not None or not going_on:
                break
        if going_on and before != (self.session, self.session.entries):
            self._show()
            self._announce()
        if complaint is not None:
            self._screen.complain(complaint)
        if self.selected not in (None, selected):
            self._screen.say(_("{card} is selected.").format(card=self.label(self.selected)))
        return going_on

    def leave(self, *, given_up: bool) -> None:
        """Leave the game: its end is written down when it is over or given up, else it stays open."""
        session = self.session
        if session.ended or not (given_up or session.game.is_over):
            return
        lines = [] if session.game.is_over and self._told == session.game.outcome else self._results.lines(session)
        self._results.add(session)
        session.finish()
        for line in lines:
            self._screen.say(line)

    def _show(self, *, asked: bool = False) -> None:
        """Show the board, and the moves since it was shown last, or the last move where there are none."""
        last = [] if self.last_move is None else [self.last_move]
        self._screen.show(self.session, self._made or last, asked=asked)
        self._made = []

    def _do(self, word: Word) -> bool:
        command = word.command
        if command is None:
            self._take(word)
        elif command in _MOVES:
            self._play(_MOVES[command])
        elif command == "quit":
            return False
        elif command == "new":
            self._begin(word.argument)
        elif command == "show":
            self._show(asked=True)
        else:
            self._screen.say(self._answer(command))
        return True

    def _answer(self, command: str) -> str:
        if command == "hint":
            return advice.tip_text(self.game, self._screen.move_label)
        if command == "winnable":
            return advice.winnable_text(self.game)
        if command == "best":
            return advice.best_text(self.game, self._screen.move_label)
        if command == "log":
            if self._log_name is None:
                return _("There is no log; begin with --log FILE to keep one.")
            # Both may come from elsewhere, a game's id out of a log, and could hold what a terminal obeys.
            file, game_id = printable(self._log_name), printable(self.session.game_id)
            return _("The log is {file}; this is game {game}.").format(file=file, game=game_id)
        return help_text()

    def _begin(self, deal: str | None) -> None:
        try:
            chosen = self._dealer.choose(deal)
        except DealError as error:
            raise Refused(wording.no_deal(deal or "", error)) from None
        self.leave(given_up=True)
        self.session = self._dealer.begin(*chosen)
        self.selected, self.last_move, self._told, self._made = None, None, None, []

    def _play(self, move: Move) -> None:
        """Make a move, and let go of a selected card that it buries or takes away."""
        try:
            self.session.play(move)
        except IllegalMove as error:
            raise Refused(self._refusal(error, move.cards)) from None
        self.last_move = move
        self._made.append(move)
        if self.selected is not None and not self._can_be_taken(self.selected):
            self.selected = None

    def _take(self, word: Word) -> None:
        """Do what a card, a rank or a joined pair says."""
        if len(word.cards) == 2:
            self.selected = None
            self._play(pair(*word.cards))
        else:
            self._tap(word.cards[0] if word.cards else self._card_of_rank(word))

    def _tap(self, card: Card) -> None:
        """Touch one card: a king goes, a card that fits the selected one makes the pair, any other is selected."""
        selected = self.selected
        if selected == card:
            self.selected = None
            return
        if selected is not None and rank(selected) + rank(card) == TARGET_SUM:
            self._pair(selected, card)
            return
        if not self._can_be_taken(card):
            raise Refused(self._blocked(card))
        if rank(card) == KING_RANK:
            self._play(king(card))
            return
        self.selected = card
        if selected is not None:
            raise Refused(_("The sum must be 13."))

    def _pair(self, selected: Card, card: Card) -> None:
        try:
            self._play(pair(selected, card))
        except Refused:
            if self._can_be_taken(card):
                self.selected = card
            raise

    def _can_be_taken(self, card: Card) -> bool:
        """Return whether a card is in play, or part of a pair that the rules make an exception for."""
        return self._obstacle(card) is None or any(card in move.cards for move in self.game.legal_moves())

    def _obstacle(self, card: Card) -> IllegalMove | None:
        """Return what keeps a card out of play, None when nothing does."""
        try:
            self.game.check(king(card))
        except WrongSum:
            return None
        except IllegalMove as error:
            return error
        return None

    def _blocked(self, card: Card) -> str:
        obstacle = self._obstacle(card)
        return "" if obstacle is None else self._refusal(obstacle, (card,))

    def _refusal(self, error: IllegalMove, cards: Sequence[Card]) -> str:
        if error.rule == "covered" and not self._error_help:
            return ""
        hindered = next((card for card in cards if self._obstacle(card) is not None), None)
        return wording.refusal(error, hindered, self._screen.label)

    def _card_of_rank(self, word: Word) -> Card:
        """Return the one card in play of a rank."""
        game = self.game
        tops = (game.waste_top, game.stock_top if game.rules.stock_open else None)
        found = [
            card
            for card in (*game.free_cards, *tops)
            if card is not None and card != self.selected and rank(card) == word.rank
        ]
        if len(found) == 1:
            return found[0]
        if not found:
            raise Refused(_("No {rank} is free.").format(rank=word.text))
        cards = ", ".join(map(self._screen.label, found))
        raise Refused(_("Which one: {cards}?").format(cards=cards))

    def _announce(self) -> None:
        """Say how the game came out, or that no win is left, once for each time that it comes about."""
        game = self.game
        outcome = game.outcome
        news: object = outcome
        text = None if outcome is None else wording.outcome_text(outcome)
        if outcome is None and game.rules.stuck == "proof" and game.hopeless():
            news, text = "hopeless", _("No win is left, by proof. You can undo, or go on.")
        if news != self._told and text is not None:
            for line in (text, *(self._results.lines(self.session) if outcome is not None else ())):
                self._screen.say(line)
        self._told = news
