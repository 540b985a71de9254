"""What the tests share: the program itself, and random players for all games."""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import outwit

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> str:
    """The program `outwit`, which `python/test` builds."""
    found = os.environ.get("OUTWIT_PROGRAM", str(ROOT / "target/debug/outwit"))
    assert Path(found).exists(), f"{found} is not there: run python/test, or set OUTWIT_PROGRAM"
    return found


def exit_code_after_fork(work: Callable[[], Any]) -> int | None:
    """How a forked process ends that does some work; ``None`` if it hangs."""
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join(60)
    child.kill()
    child.join()
    return None if child.exitcode == -9 else child.exitcode


def random_action(state: outwit.State, seat: str, dice: random.Random) -> Any:
    """A legal action, drawn at random."""
    actions = state.actions(seat)
    if actions is not None:
        return dice.choice(actions)
    return RANDOM[state.game](state, seat, dice)


def random_plans(state: outwit.State, seat: str, dice: random.Random) -> list[str]:
    """Plans for the thief or for each cop."""
    pieces = 1 if seat == "thief" else len(state.observe(seat)["now"]["cops"])
    length = state.level.rules["k"]
    return ["".join(dice.choices("RDLU.", k=length)) for _ in range(pieces)]


def random_step(state: outwit.State, seat: str, dice: random.Random) -> str:
    """A step of Pukoban."""
    return dice.choice([step for step in "lrud<>^v" if state.is_legal(step)])


def random_path(state: outwit.State, seat: str, dice: random.Random) -> str:
    """A path of Stealth; in the fog one move, or none."""
    length = 1 if state.level.rules["sight"] is not None else dice.randrange(20)
    path = ""
    for _ in range(length):
        moves = [move for move in "lrud" if state.is_legal(path + move)]
        if not moves:
            break
        path += dice.choice(moves)
    return path


RANDOM: dict[str, Callable[[outwit.State, str, random.Random], Any]] = {
    "cops": random_plans,
    "pukoban": random_step,
    "stealth": random_path,
}


def random_match(level: outwit.Level, seed: int, turns: int) -> outwit.State:
    """The last position of a match in which everybody chooses at random."""
    dice = random.Random(seed)
    seats = min(2, len(level.seats))
    state = level.start(seed, seats)
    while not state.is_over and state.turn < turns:
        state = state.step({seat: random_action(state, seat, dice) for seat in state.to_move})
    return state
