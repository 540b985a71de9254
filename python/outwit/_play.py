"""Matches between planners, programs and Python functions."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._bot import Bot, Start, Turn
from ._outwit import Error, Level, Referee, Replay, State
from ._review import Review

Player = str | Callable[[Turn], Any]
"""The name of a planner, ``program:COMMAND``, or a function from a :class:`Turn` to an action, which a :class:`Bot` is
too."""


@dataclass(frozen=True)
class Match:
    """A match that was played."""

    replay: Replay
    """The match as a replay."""
    stats: dict[str, dict[str, Any]] = field(repr=False)
    """How each seat behaved: work units, times in seconds, and what went wrong."""

    @property
    def level(self) -> Level:
        """The level it was played on."""
        return self.replay.level

    @property
    def players(self) -> dict[str, str]:
        """Who sat where; functions are called ``human``, as people are in replays."""
        return self.replay.players

    @property
    def turns(self) -> list[dict[str, Any]]:
        """What was chosen in each turn, by seat; nothing while the game moves by itself."""
        return self.replay.turns

    @property
    def states(self) -> list[State]:
        """All positions, the start first: one more than there are turns."""
        return self.replay.states

    @property
    def outcome(self) -> dict[str, Any] | None:
        """The result: a ``headline``, and for each seat in ``places`` its ``rank``, ``score`` and ``ending``."""
        return self.replay.outcome

    def review(self) -> Review:
        """What every move cost; see :meth:`Replay.review`."""
        return self.replay.review()

    def insight(
        self, turn: int, planner: str | None = None, *, seat: str | None = None, budget: str = "20000w"
    ) -> dict[str, Any]:
        """What a planner thinks of the position after ``turn`` turns; see :meth:`Replay.insight`."""
        return self.replay.insight(turn, planner, seat=seat, budget=budget)

    def _repr_html_(self) -> str:
        return self.replay.html()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the replay file; see :meth:`Replay.save`."""
        self.replay.save(path)


class _Asked:
    """A function or a bot at a seat."""

    def __init__(self, referee: Referee, seat: str, player: Callable[[Turn], Any]) -> None:
        self.referee = referee
        self.seat = seat
        self.player = player
        self.is_ready = not isinstance(player, Bot)
        self.plan: Iterator[Any] | None = None
        """What is left of a solution that counts as a whole."""

    def choose(self) -> None:
        """Asks for an action and takes it."""
        question = self.referee.question(self.seat)
        if self.plan is None:
            action = self._ask(question)
            if question["whole_answer"] and isinstance(self.player, Bot):
                if not isinstance(action, list):
                    given = reprlib.repr(action)
                    raise Error(f"turn {question['turn']}, {self.seat}: {given} is not the list of all actions")
                self.plan = iter(action)
        if self.plan is not None:
            try:
                action = next(self.plan)
            except StopIteration:
                self.referee.close(self.seat, "unsolved")
                return
        try:
            self.referee.choose(self.seat, action)
        except Error as error:
            raise Error(f"turn {question['turn']}, {self.seat}: {reprlib.repr(action)}: {error}") from None

    def _ask(self, question: dict[str, Any]) -> Any:
        default = question["default"]
        if isinstance(self.player, Bot):
            if not self.is_ready:
                told = self.referee.start(self.seat)
                self.player.prepare(Start(**{name: told[name] for name in ("game", "seat", "seats", "level", "seed")}))
                self.is_ready = True
            if question["whole_answer"]:
                default = [default]
        return self.player(
            Turn(
                seat=self.seat,
                number=question["turn"],
                observation=question["observation"],
                actions=question.get("actions"),
                default=default,
            )
        )


def check_player(seat: str, player: Any) -> None:
    """Refuses what is no player of any game."""
    if not isinstance(player, str) and not callable(player):
        given = reprlib.repr(player)
        raise Error(f"{seat}: a player is the name of a planner, program:COMMAND or a function, not {given}")


def conduct(
    level: Level,
    seats: Mapping[str, Player],
    budget: str,
    seed: int,
    failed: Callable[[Referee, str, Exception], None],
) -> Referee:
    """Plays a match to its end. ``failed`` is told what a function raises, and raises it or ends the match."""
    for seat, player in seats.items():
        check_player(seat, player)
    named = {seat: None if callable(player) else player for seat, player in seats.items()}
    referee = Referee(level, named, budget, seed)
    people = {seat: _Asked(referee, seat, player) for seat, player in seats.items() if callable(player)}
    while to_choose := referee.run():
        for seat in to_choose:
            try:
                people[seat].choose()
            except Exception as why:
                failed(referee, seat, why)
                break
    return referee


def _pass_on(referee: Referee, seat: str, why: Exception) -> None:
    raise why


def play(
    level: Level | str | os.PathLike[str],
    seats: Mapping[str, Player],
    *,
    budget: str = "20000w",
    seed: int = 1,
) -> Match:
    """Plays a match.

    ``seats`` says who plays each seat, by its name: a planner, ``program:COMMAND`` for a program that speaks Outwit's
    protocol, or a function or a :class:`Bot` that is called with a :class:`Turn` and returns an action. A program is
    started only because you name it here.

    ``budget`` is what planners and programs may spend: work such as ``20000w`` or time such as ``500ms`` per turn, or
    ``5s+100ms`` for the match. With work, the match is the same on every machine. A planner may have a budget of its
    own, as in ``best@500w``. Functions take the time they need, and what they raise ends the match.

    >>> def first(turn):
    ...     return turn.actions[0]
    >>> match = play("racetrack/tiny", {"car1": "optimal", "car2": first})
    >>> match.outcome["headline"]
    'car1 won in 9.62 turns'
    """
    level = level if isinstance(level, Level) else Level.open(level)
    if not isinstance(seats, Mapping):
        raise Error(f"seats is a dict from seat names to players; the names are {', '.join(level.seats)}")
    referee = conduct(level, seats, budget, seed, _pass_on)
    return Match(referee.replay(), referee.stats())
