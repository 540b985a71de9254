"""Batches: what they play is what the rules play, and what they refuse."""

from __future__ import annotations

import os
import subprocess
import sys
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from conftest import exit_code_after_fork

import outwit

LEVELS = [level for game in ("racetrack", "cops", "pukoban", "mnk") for level in outwit.levels(game)[:6]]


def cells(batch: outwit.Batch, copy: int, plane: str) -> set[tuple[int, int]]:
    """The marked cells of a plane, as (x, y)."""
    marked = batch.planes[copy, batch.plane_names.index(plane)]
    return {(int(x), int(y)) for y, x in zip(*np.nonzero(marked), strict=True)}


def spots(found: list[dict[str, int]]) -> set[tuple[int, int]]:
    return {(cell["x"], cell["y"]) for cell in found}


def stepped(state: outwit.State, numbers: list[int]) -> outwit.State:
    """A step of the rules, by what the documentation says of numbers."""
    level = state.level
    if state.game == "racetrack":
        return state.step({"x": numbers[0] % 3 - 1, "y": numbers[0] // 3 - 1})
    if state.game == "pukoban":
        return state.step("lrud<>^v"[numbers[0]])
    if state.game == "mnk":
        columns = len(level.map[0])
        if numbers[0] >= columns * len(level.map):
            return state.step(["Keep", "Swap", "TwoMore"][numbers[0] - columns * len(level.map)])
        return state.step({"Place": {"x": numbers[0] % columns, "y": numbers[0] // columns}})
    k = level.rules["k"]
    letters = "".join(".RDLU"[number] for number in numbers)
    plans = [letters[start : start + k] for start in range(0, len(letters), k)]
    state = state.step({"thief": plans[:1], "cops": plans[1:]})
    while not state.is_over and not state.to_move:
        state = state.step()
    return state


def agree(batch: outwit.Batch, copy: int, state: outwit.State) -> None:
    """Planes and numbers are what the document of the state says."""
    seen = state.to_dict()
    if state.game == "racetrack":
        car = seen["cars"][0]
        if not state.is_over:
            assert cells(batch, copy, "Car") == spots([car["cell"]])
        assert batch.numbers[copy].tolist() == [car["velocity"]["x"], car["velocity"]["y"], car["progress"]]
        assert cells(batch, copy, "Finish") == {
            (x, y) for y, row in enumerate(state.level.map) for x, tile in enumerate(row) if tile == "F"
        }
    elif state.game == "pukoban":
        assert cells(batch, copy, "Box") == spots(seen["boxes"])
        assert cells(batch, copy, "Player") == spots([seen["player"]])
    elif state.game == "mnk":
        mover = state.to_move[0] if state.to_move else batch.seats[batch.movers[copy]]
        own = "x" if (mover == "x") != seen["swapped"] else "o"
        columns = len(state.level.map[0])
        for plane, stone in ("Own stones", own), ("Stones of the other", "o" if own == "x" else "x"):
            held = {(at % columns, at // columns) for at, there in enumerate(seen["stones"]) if there == stone}
            assert cells(batch, copy, plane) == held
    else:
        now, rules = seen["position"], state.level.rules
        assert cells(batch, copy, "Thief") == spots([now["thief"]])
        assert cells(batch, copy, "Cop") == spots(now["cops"])
        walls = {
            (wall["cell"]["x"], wall["cell"]["y"] + along)
            if wall["standing"]
            else (wall["cell"]["x"] + along, wall["cell"]["y"])
            for wall in now["walls"]
            for along in range(rules["wall_length"])
        }
        assert cells(batch, copy, "Wall") == walls


@pytest.mark.parametrize("name", LEVELS)
def test_a_batch_plays_what_the_rules_play(name: str) -> None:
    level, copies = outwit.Level.open(name), 3
    batch = outwit.Batch(level, copies)
    batch.reset(11)
    dice = np.random.default_rng(1)
    states = [level.start(int(seed)) for seed in batch.seeds]
    for _ in range(40):
        actions = []
        for copy, state in enumerate(states):
            agree(batch, copy, state)
            assert bool(batch.is_over[copy]) == state.is_over
            numbers, begin = [], 0
            for choices in (choices for seat in batch.choices for choices in seat):
                legal = np.flatnonzero(batch.masks[copy, begin : begin + choices])
                numbers.append(int(dice.choice(legal)) if len(legal) else 0)
                begin += choices
            actions.append(numbers)
        was_over = batch.is_over.copy()
        batch.step(actions)
        for copy, numbers in enumerate(actions):
            if was_over[copy]:
                states[copy] = level.start(int(batch.seeds[copy]))
                assert batch.seeds[copy] != 11 + copy and not batch.rewards[copy].any()
                continue
            states[copy] = stepped(states[copy], numbers)
            outcome = states[copy].outcome
            if outcome and level.game == "cops":
                assert batch.rewards[copy].tolist() == [place["score"] for place in outcome["places"]]
            if outcome and level.game == "mnk":
                scores = [2 * place["score"] - 1 for place in outcome["places"]]
                assert batch.rewards[copy].tolist() == scores


def test_masks_say_what_is_legal() -> None:
    batch = outwit.Batch(outwit.Level.open("pukoban/01-first-push"), 1)
    batch.reset(1)
    state = outwit.Level.open("pukoban/01-first-push").start()
    assert batch.masks[0].tolist() == [state.is_legal(step) for step in "lrud<>^v"]


def test_threads_and_copies_change_nothing() -> None:
    level = outwit.Level.open("cops/tiny")
    batches = [outwit.Batch(level, 500, threads=threads) for threads in (1, 2, 5)]
    dice = np.random.default_rng(2)
    for batch in batches:
        batch.reset(3)
    for _ in range(30):
        actions = dice.integers(5, size=(500, sum(map(len, batches[0].choices))))
        for batch in batches:
            batch.step(actions)
        for name in "planes", "rewards", "is_over", "movers", "seeds", "masks":
            first, *others = (getattr(batch, name) for batch in batches)
            assert all(np.array_equal(first, other) for other in others), name


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ([0, 1, 2, 9], r"match 3, part 0: 9 is not one of the choices 0 to 8"),
        ([0, 1, 2, -1], "match 3"),
        ([0, 1, 2, 2**40], "match 3"),
        ([0, 1, 2], "3 numbers for 4 matches"),
        (7, "1 numbers for 4 matches"),
    ],
)
def test_what_is_no_action_is_refused(actions: Any, why: str) -> None:
    batch = outwit.Batch(outwit.Level.open("racetrack/tiny"), 4)
    batch.reset(1)
    before = batch.planes.copy()
    with pytest.raises(outwit.Error, match=why):
        batch.step(actions)
    assert (batch.planes == before).all()


def test_what_makes_no_sense_is_refused() -> None:
    level = outwit.Level.open("racetrack/tiny")
    batch = outwit.Batch(level, 2)
    with pytest.raises(outwit.Error, match="call reset"):
        batch.step([4, 4])
    with pytest.raises(outwit.Error, match="3 seeds for 2 matches"):
        batch.reset([1, 2, 3])
    batch.reset([1, 2])
    for actions in ([0.5, 1.5], ["a", "b"], [None, 1]):
        with pytest.raises(outwit.Error, match="actions are whole numbers"):
            batch.step(actions)
    with pytest.raises(outwit.Error, match="no seat 'car9'"):
        batch.observe(0, "car9")
    with pytest.raises(outwit.Error, match="only 2 matches"):
        batch.observe(2, "car1")
    for copies in 0, 10**9:
        with pytest.raises(outwit.Error):
            outwit.Batch(level, copies)
    with pytest.raises(outwit.Error, match="Stealth cannot be played by numbers"):
        outwit.Batch(outwit.Level.open("stealth/01-way-in"), 1)
    with pytest.raises(outwit.Error, match="one car alone"):
        outwit.Batch(level, 1, seats=2, reward="loss")


@pytest.mark.skipif(os.name != "posix", reason="only Unix forks")
def test_a_forked_process_has_threads_of_its_own() -> None:
    batch = outwit.Batch(outwit.Level.open("mnk/3x3x3"), 300, threads=2)
    batch.reset(1)
    batch.step([4] * 300)
    assert exit_code_after_fork(lambda: batch.step([0] * 300)) == 0
    batch.step([0] * 300)


def test_numbers_out_of_range_are_named() -> None:
    level = outwit.Level.open("mnk/3x3x3")
    batch = outwit.Batch(level, 5)
    for seed in -1, 2**64, [1, 2, 3, 4, -5], 0.5:
        with pytest.raises(outwit.Error, match="seed is a whole number from 0"):
            batch.reset(seed)  # type: ignore[arg-type]
    with pytest.raises(outwit.Error, match="seed is too large for 5 matches"):
        batch.reset(2**64 - 4)
    batch.reset(2**64 - 5)
    with pytest.raises(outwit.Error, match="copies is a whole number"):
        outwit.Batch(level, -1)
    with pytest.raises(outwit.Error, match="copy is a whole number"):
        batch.observe(-1, "x")
    for threads in 0, 10**9:
        with pytest.raises(outwit.Error, match="1 to 1024 threads"):
            outwit.Batch(level, 5, threads=threads)


def test_arrays_keep_their_size() -> None:
    batch = outwit.Batch(outwit.Level.open("mnk/3x3x3"), 2)
    batch.reset(1)
    for name in "planes", "numbers", "masks", "rewards", "is_over", "movers", "seeds":
        with pytest.raises(ValueError, match="does not own its data"):
            getattr(batch, name).resize((1,))
    owner: Any = batch.planes.base
    owner.resize((1,), refcheck=False)
    with pytest.raises(outwit.Error, match="was resized"):
        batch.step([0, 0])


@pytest.mark.parametrize("name", ["racetrack/tiny", "cops/tiny", "mnk/3x3x3"])
def test_a_single_match_can_be_copied(name: str) -> None:
    batch = outwit.Batch(outwit.Level.open(name), 1)
    parts = sum(map(len, batch.choices))
    assert len(deepcopy(batch)) == 1
    batch.reset(7)
    dice = np.random.default_rng(3)
    most = min(choices for seat in batch.choices for choices in seat)
    # More than one match: what counts is the present one.
    for _ in range(60):
        batch.step(dice.integers(most, size=parts))
    if batch.is_over[0]:
        batch.step([0] * parts)
    same = deepcopy(batch)
    before = batch.planes.copy()
    for part in "planes", "numbers", "masks", "movers", "seeds":
        assert (getattr(same, part) == getattr(batch, part)).all()
    while not same.is_over[0]:
        same.step(dice.integers(most, size=parts))
    assert (batch.planes == before).all() and not batch.is_over[0]
    with pytest.raises(outwit.Error, match="a batch of 2 matches cannot be copied"):
        deepcopy(outwit.Batch(outwit.Level.open(name), 2))


def test_numpy_may_be_missing() -> None:
    program = """
import sys
sys.modules["numpy"] = None
import outwit
level = outwit.Level.open("mnk/3x3x3")
for work in level.start().pixels, lambda: outwit.Batch(level, 1):
    try:
        work()
    except outwit.Error as why:
        assert "pip install numpy" in str(why), why
    else:
        raise AssertionError
"""
    # Elsewhere than beside the sources.
    subprocess.run([sys.executable, "-c", program], check=True, cwd=os.path.dirname(sys.executable))
