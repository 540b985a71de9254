"""The answer to a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, repr=False)
class Solution:
    """The answer to a level.

    >>> level = Level.open("pukoban/01-first-push")
    >>> solution = level.solve()
    >>> solution.moves, solution.actions
    ('ulDD', ['u', 'l', 'd', 'd'])
    >>> state = level.start()
    >>> for action in solution.actions:
    ...     state = state.step(action)
    >>> state.outcome["headline"]
    'Solved in 4 steps and 2 box moves'
    """

    value: float | None
    """The value of the level, such as its least number of turns; ``None`` if no solution is known."""
    unit: str
    """What the value counts."""
    proved: bool
    """Whether no better value exists."""
    line: list[tuple[int, int]]
    """The cells of the solution, each as ``(x, y)``."""
    moves: str | None
    """The solution in the game's notation of moves, if it has one."""
    actions: list[Any] | None
    """The solution as actions for :meth:`State.step`, from the start of the level on; ``None`` where it is no list of
    moves, as in Cops and robber and in Racetrack."""
    message: str
    """One sentence for people."""
    front: dict[str, Any] | None
    """Other solutions, where one measure can be had for another: ``measures``, ``points`` and whether it is
    ``complete``."""
    counters: dict[str, float]
    """What it took, such as states expanded."""

    def __repr__(self) -> str:
        return f"<Solution: {self.message}>"
