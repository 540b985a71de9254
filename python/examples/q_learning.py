"""Tabular Q-learning on a small race, until it drives as well as the exact solver.

The value of an action is minus the time that it takes to the finish. All values begin at 0, better than they can be, so
whatever was not tried looks good, and learning needs no other exploration than a few random actions.
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import outwit

RACE = """(
    format: "racetrack 1",
    name: "Round the corner",
    map: [
        "##########",
        "#S.......#",
        "#........#",
        "######...#",
        "#F.......#",
        "#F.......#",
        "##########",
    ],
)"""
EPISODES = 3000
LONGEST = 60
CRASH = -100.0
"""What leaving the track costs."""
RATE, RANDOM = 0.5, 0.05
"""How far a value moves towards what was seen, and how often an action is random."""

Key = tuple[int, ...]


def seen(state: outwit.State) -> tuple[Key, float]:
    """Where the car is and how fast, and the time that it has taken."""
    if state.outcome:
        time = state.outcome["places"][0]["score"]
        return (), -CRASH if time is None else time
    car = state.to_dict()["cars"][0]
    return (*car["cell"].values(), *car["velocity"].values(), car["progress"]), car["turns"]


def learn(seed: int = 1) -> tuple[list[float], float]:
    """Learns, and returns the time of the best known drive every 100 episodes, and the time of perfect play."""
    level = outwit.Level.open(RACE)
    optimum = level.solve().value
    assert optimum is not None
    start = level.start()
    actions: list[Any] = [{"x": x, "y": y} for y in (-1, 0, 1) for x in (-1, 0, 1)]
    legal = [action for action in actions if start.is_legal(action)]
    values: defaultdict[Key, list[float]] = defaultdict(lambda: [0.0] * len(legal))
    dice = random.Random(seed)

    def episode(explores: bool) -> float:
        state, (key, time) = start, seen(start)
        while key and state.turn < LONGEST:
            best = max(range(len(legal)), key=values[key].__getitem__)
            choice = dice.randrange(len(legal)) if explores and dice.random() < RANDOM else best
            state = state.step(legal[choice])
            after, later = seen(state)
            if explores:
                target = time - later + (max(values[after]) if after else 0.0)
                values[key][choice] += RATE * (target - values[key][choice])
            key, time = after, later
        return time

    curve = []
    for number in range(1, EPISODES + 1):
        episode(explores=True)
        if number % 100 == 0:
            curve.append(episode(explores=False))
    return curve, optimum


if __name__ == "__main__":
    curve, optimum = learn()
    for number, time in enumerate(curve, 1):
        print(f"{100 * number:>5} episodes  {time:>6.2f} turns, {time - optimum:.2f} more than perfect play")
