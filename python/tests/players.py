"""Players that can be sent to other processes."""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import outwit


def first(turn: outwit.Turn) -> Any:
    """Does as little as possible."""
    return turn.default


def raises(turn: outwit.Turn) -> Any:
    """Fails in its second turn."""
    if turn.number > 1:
        raise KeyError("mine")
    return turn.default


def cheats(turn: outwit.Turn) -> Any:
    """Chooses what is illegal."""
    return {"Place": {"x": 99, "y": 0}}


def deadly(turn: outwit.Turn) -> Any:
    """Ends the process that it is in."""
    os._exit(1)


@dataclass
class DiesOnce:
    """Ends the process that it is in, but only once."""

    marker: Path

    def __call__(self, turn: outwit.Turn) -> Any:
        try:
            self.marker.touch(exist_ok=False)
        except FileExistsError:
            return turn.default
        os._exit(1)


class Whole:
    """A whole number as those of NumPy are."""

    def __index__(self) -> int:
        return 1


class Least(outwit.Bot):
    """Does as little as possible, and talks too much."""

    author = "Ada"

    def prepare(self, start: outwit.Start) -> None:
        self.seat = start.seat
        self.rows = len(start.level["map"])
        self.turns = 0

    def choose(self, turn: outwit.Turn) -> Any:
        print("this is not of the protocol")
        os.write(1, b"neither is this\n")
        assert (turn.seat, self.rows > 2) == (self.seat, True)
        self.turns += 1
        turn.note(f"turn {self.turns}")
        turn.insight(marks=[{"cell": {"x": Whole(), "y": 1}, "kind": "ring"}])
        return turn.default


class Better(outwit.Bot):
    """Yields all actions, and does not know when to stop."""

    keep_alive = True

    def choose(self, turn: outwit.Turn) -> Any:
        yield turn.default
        for action in itertools.cycle(turn.actions or []):
            time.sleep(0.001)
            yield action


if __name__ == "__main__":
    import sys

    bots: dict[str, outwit.Bot] = {"least": Least(), "better": Better()}
    bots[sys.argv[1]].run()
