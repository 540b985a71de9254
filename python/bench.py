"""Steps per second of Outwit's environments beside others': python bench.py [SECONDS]

All figures are of one core, in processor time, in one run: rounds of all environments follow one another, and the
median of the rounds is shown. Actions are legal ones, drawn beforehand or by the mask. Those of others are measured
where they are installed: `pip install 'pettingzoo[classic]' gym-sokoban`.
"""

from __future__ import annotations

import contextlib
import io
import resource
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

# The installed package, not the sources beside this file.
sys.path.pop(0)
import outwit  # noqa: E402
import outwit.envs  # noqa: E402
import outwit.zoo  # noqa: E402

ROUNDS = 5
BATCHES = ["racetrack/first-lap", "pukoban/01-first-push", "mnk/3x3x3", "mnk/7x7x4", "cops/tiny", "cops/default"]
COPIES = 1000

Steps = Callable[[], int]
"""Plays some steps, and says how many."""


def batch(level: str) -> Steps:
    """Many copies at once. The actions are drawn outside of the measured time, legal ones where that can be known."""
    played = outwit.Batch(outwit.Level.open(level), COPIES, threads=1)
    played.reset(1)
    dice = np.random.default_rng(1)
    flat = [choices for seat in played.choices for choices in seat]

    def drawn() -> Any:
        if len(flat) == 1:
            # The legal choice with the largest of random numbers, in each row.
            return (dice.random(played.masks.shape) * played.masks).argmax(axis=1)
        return np.stack([dice.integers(choices, size=COPIES) for choices in flat], axis=1)

    def steps() -> int:
        spent = 0.0
        for _ in range(20):
            actions = drawn()
            begun = time.process_time()
            played.step(actions)
            spent += time.process_time() - begun
        SPENT.append(spent)
        return 20 * COPIES

    return steps


SPENT: list[float] = []
"""The time of the last steps, where not all of it counts."""


def gym(name: str, level: str) -> Steps:
    """One environment of Gymnasium, as `gymnasium.make` makes it."""
    env: Any = gymnasium.make(name, level=level)
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(env.action_space.n, size=1000)

    def steps() -> int:
        for action in actions:
            if env.step(action)[2]:
                env.reset()
        return len(actions)

    return steps


def zoo(make: Callable[[], Any]) -> Steps:
    """One environment of PettingZoo that is played turn by turn."""
    env = make()
    dice = np.random.default_rng(1)

    def steps() -> int:
        played = 0
        while played < 200:
            env.reset(seed=1)
            for _ in env.agent_iter():
                observation, _, over, cut, _ = env.last()
                if over or cut:
                    break
                env.step(int(dice.choice(np.flatnonzero(observation["action_mask"]))))
                played += 1
        return played

    return steps


def others() -> dict[str, Callable[[], Steps]]:
    """The environments of others, as far as they are installed."""

    def classic(name: str) -> Steps:
        import importlib

        return zoo(lambda: importlib.import_module(f"pettingzoo.classic.{name}").env())

    def sokoban() -> Steps:
        import gym as old  # type: ignore[import-not-found]
        import gym_sokoban  # type: ignore[import-not-found]  # noqa: F401

        env = old.make("Sokoban-small-v0").unwrapped
        env.reset()
        actions = np.random.default_rng(1).integers(9, size=200)

        def steps() -> int:
            for action in actions:
                if env.step(int(action), observation_mode="tiny_rgb_array")[2]:
                    env.reset()
            return len(actions)

        return steps

    return {
        "PettingZoo tictactoe": lambda: classic("tictactoe_v3"),
        "PettingZoo connect_four": lambda: classic("connect_four_v3"),
        "gym-sokoban": sokoban,
    }


def measured(steps: Steps, seconds: float) -> float:
    """Steps per second of processor time."""
    done, spent = 0, 0.0
    while spent < seconds:
        SPENT.clear()
        begun = time.process_time()
        done += steps()
        spent += SPENT[0] if SPENT else time.process_time() - begun
    return done / spent


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.4
    wanted: dict[str, Callable[[], Steps]] = {f"batch {level}": lambda level=level: batch(level) for level in BATCHES}
    wanted |= {
        "Gymnasium Racetrack": lambda: gym("outwit/Racetrack-v0", "racetrack/first-lap"),
        "Gymnasium Pukoban": lambda: gym("outwit/Pukoban-v0", "pukoban/01-first-push"),
        "PettingZoo KInRow 3x3x3": lambda: zoo(outwit.zoo.KInRow),
        "PettingZoo KInRow 7x7x4": lambda: zoo(lambda: outwit.zoo.KInRow("mnk/7x7x4")),
    }
    found: dict[str, Steps] = {}
    for name, make in (wanted | others()).items():
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                found[name] = make()
        except Exception as why:
            print(f"{name}: not measured: {type(why).__name__}: {why}")
    figures: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(ROUNDS):
        for name, steps in found.items():
            figures[name].append(measured(steps, seconds))
    print(f"{'steps per second on one core':32} {'median':>12} {'least':>12} {'most':>12}")
    for name, rates in figures.items():
        print(f"{name:32} {statistics.median(rates):12,.0f} {min(rates):12,.0f} {max(rates):12,.0f}")
    for level in BATCHES:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        played = outwit.Batch(outwit.Level.open(level), 10_000, threads=1)
        played.reset(1)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        size = sum(getattr(played, name).nbytes for name in ("planes", "numbers", "masks", "rewards"))
        print(f"10,000 copies of {level}: {size / 2**20:.0f} MiB of arrays, {used / 2**10:.0f} MiB more in all at most")


if __name__ == "__main__":
    main()
