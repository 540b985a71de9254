"""Players as Python objects, in matches here and in the protocol for programs."""

from __future__ import annotations

import json
import operator
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from ._outwit import Error

PROTOCOL = 1
"""The version of the protocol that bots speak."""


@dataclass(frozen=True)
class Start:
    """What a bot is told before its first turn, the same as a program in the protocol."""

    game: str
    """The id of the game."""
    seat: str
    """The seat it plays."""
    seats: list[str]
    """All seats, in their order."""
    level: dict[str, Any]
    """The level: its ``map``, its ``rules`` and what it is called."""
    seed: int
    """A number for random choices of its own; in another match it is another one."""
    budget: dict[str, int] = field(default_factory=dict)
    """How much time there is, as in the protocol; empty without a clock."""


@dataclass(frozen=True)
class Turn:
    """What a player is asked in its turn, the same as a program in the protocol."""

    seat: str
    """The seat it plays."""
    number: int
    """How many turns were played, those of other seats included."""
    observation: Any
    """What the seat knows."""
    actions: list[Any] | None
    """All legal actions; ``None`` where there are too many to list."""
    default: Any
    """A legal action that does as little as possible."""
    ms: int | None = None
    """Time for the turn in milliseconds; of the time for a match, all that is left. ``None`` without a clock."""
    bank_ms: int | None = None
    """What all turns together may still take beyond that; ``None`` without a clock."""
    _say: Callable[[dict[str, Any]], None] | None = field(default=None, repr=False, compare=False)

    def note(self, text: str) -> None:
        """Shows a sentence beside the board while a program of this player plays; elsewhere nobody sees it."""
        self._tell({"type": "note", "text": text})

    def insight(self, **picture: Any) -> None:
        """Draws what a program of this player thinks: ``heat``, ``paths``, ``marks``, ``arrows``, ``numbers``,
        ``counters`` and ``line``, each in the form of the protocol. Elsewhere nobody sees it.
        """
        self._tell({"type": "insight"} | picture)

    def _tell(self, message: dict[str, Any]) -> None:
        if self._say is not None:
            self._say(message | {"turn": self.number})


class Bot:
    """A player of your own. It takes a seat in :func:`play` and in :func:`tournament`, and as a program of its own.

    >>> class Corners(Bot):
    ...     def choose(self, turn):
    ...         return turn.actions[-1]
    >>> play("mnk/3x3x3", {"x": "best", "o": Corners()}).outcome["headline"]
    'X won: 3 in a row'

    In a file of its own that ends with ``Corners().run()``, it is a program that every command of Outwit takes as
    ``program:python3 corners.py``.
    """

    name: str = ""
    """What it is called as a program; without a name, what its class is called."""
    author: str = ""
    """Who made it."""
    keep_alive: bool = False
    """Whether the program plays one match after another; :meth:`prepare` begins each."""

    def prepare(self, start: Start) -> None:
        """Called before the first turn of each match, with time to build tables: 10 s as a program."""

    def choose(self, turn: Turn) -> Any:
        """The action for a turn. In a game whose solution counts as a whole, such as Pukoban, the list of all actions.

        It may also yield actions, each better than the one before. When the time of the turn is over, the last one is
        played. Without a clock, where ``turn.ms`` is ``None``, it has to come to an end by itself.
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method choose(self, turn)")

    def __call__(self, turn: Turn) -> Any:
        """The action for a turn, the last one if there are several."""
        return [action for action, _ in self._actions(turn)][-1]

    def run(self) -> None:
        """Plays as a program: reads the protocol from standard input and writes it to standard output.

        Standard error is the log. What is printed goes there too.
        """
        # Another descriptor for the protocol, so that nothing else that writes to standard output breaks it.
        output = os.dup(1)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        with open(output, "w", encoding="utf-8", newline="\n") as protocol:

            def say(message: dict[str, Any]) -> None:
                # Whole numbers of NumPy are numbers too.
                protocol.write(json.dumps(message, allow_nan=False, default=operator.index) + "\n")
                protocol.flush()

            self._converse(sys.stdin.buffer, say)

    def _converse(self, lines: Iterable[bytes], say: Callable[[dict[str, Any]], None]) -> None:
        seat = ""
        for line in lines:
            message = json.loads(line)
            kind = message.get("type")
            if kind == "start":
                known = {name: message[name] for name in ("game", "seat", "seats", "level", "seed", "budget")}
                start = Start(**known)
                seat = start.seat
                self.prepare(start)
                say(
                    {
                        "type": "ready",
                        "protocol": PROTOCOL,
                        "name": self.name or type(self).__name__,
                        "author": self.author,
                        "keep_alive": self.keep_alive,
                    }
                )
            elif kind == "turn":
                self._answer(
                    Turn(
                        seat=seat,
                        number=message["turn"],
                        observation=message["observation"],
                        actions=message.get("actions"),
                        default=message["default"],
                        ms=message.get("ms"),
                        bank_ms=message.get("bank_ms"),
                        _say=say,
                    )
                )
            elif kind != "end":
                print(f"a message of the unknown type {kind!r} was ignored", file=sys.stderr)

    def _answer(self, turn: Turn) -> None:
        end = None if turn.ms is None else time.monotonic() + turn.ms / 1000
        sent = False
        for action, more in self._actions(turn):
            if sent and end is not None and time.monotonic() > end:
                # The turn has ended with what was sent.
                return
            turn._tell({"type": "action", "action": action} | ({"more": True} if more else {}))
            sent = True

    def _actions(self, turn: Turn) -> Generator[tuple[Any, bool], None, None]:
        """Better and better actions, each with whether another one may follow."""
        answer = self.choose(turn)
        if not isinstance(answer, Generator):
            yield answer, False
            return
        found = False
        for action in answer:
            found = True
            yield action, True
        if not found:
            raise Error(f"turn {turn.number}, {turn.seat}: {type(self).__name__} yielded no action")
        yield action, False
