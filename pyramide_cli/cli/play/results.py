"""What is said of a game when it ends: its result, and its place among the earlier games of the log."""

from __future__ import annotations

import math

from pyramide_cli.cli.play import wording
from pyramide_cli.gamelog import History, RankingKey, ranks
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import ngettext
from pyramide_cli.rules import Rules
from pyramide_cli.scoring import ranking_key
from pyramide_cli.session import Session


class Results:
    """The results of the games of a log; without a log, those of this sitting."""

    def __init__(self, history: History) -> None:
        self._history = history

    def lines(self, session: Session) -> list[str]:
        """Return what there is to say of a game that is over or given up."""
        game = session.game
        lines = [_("Result: {result}.").format(result=result_text(game.score, session.seconds, game.moves))]
        if ranks(game.score, game.outcome):
            lines += self._ranking(game.rules, _key(session))
        return lines

    def add(self, session: Session) -> None:
        """Count a game that has ended among the earlier ones."""
        game = session.game
        if ranks(game.score, game.outcome):
            self._history.results.setdefault(game.rules, []).append(_key(session))

    def _ranking(self, rules: Rules, key: RankingKey) -> list[str]:
        earlier = self._history.results.get(rules, [])
        if not earlier:
            return []
        place, count = 1 + sum(other < key for other in earlier), len(earlier) + 1
        best = min(earlier)
        lines = [
            _("Rank {place} of {count} games under these rules (score, then time, then moves).").format(
                place=place, count=count
            )
        ]
        if key < best:
            lines.append(_("This is the best so far!"))
        else:
            score = None if rules.scoring == "none" else -int(best[0])
            seconds = None if math.isinf(best[1]) else best[1]
            lines.append(_("The best so far: {result}.").format(result=result_text(score, seconds, best[2])))
        return lines


def _key(session: Session) -> RankingKey:
    return ranking_key(session.game.score, session.seconds, session.game.moves)


def result_text(score: int | None, seconds: float | None, moves: int) -> str:
    """Return a result in words; what is None is left out."""
    parts = [ngettext("{n} move", "{n} moves", moves).format(n=moves)]
    if seconds is not None:
        parts.insert(0, _("time {time}").format(time=wording.seconds_text(seconds)))
    if score is not None:
        parts.insert(0, _("score {score}").format(score=score))
    return ", ".join(parts)
