"""Positions: stepped through, and what they refuse."""

from __future__ import annotations

import copy
import math
import pickle
import sys
from typing import Any

import pytest
from conftest import random_match

import outwit


def test_a_position_never_changes() -> None:
    start = outwit.Level.open("mnk/3x3x3").start()
    before = start.to_dict()
    children = [start.step(action) for action in start.actions() or []]
    assert len({child.digest for child in children}) == 9
    assert start.to_dict() == before and start.turn == 0
    child = children[4]
    assert child.previous and child.previous.digest == start.digest
    assert child.last_actions == {"x": {"Place": {"x": 1, "y": 1}}}
    assert child.replay(["me", "you"]).players == {"x": "me", "o": "you"}


@pytest.mark.parametrize("game", outwit.games())
def test_equal_positions_are_equal(game: str) -> None:
    level = outwit.Level.open(outwit.levels(game)[0])
    state = random_match(level, 3, 12)
    assert copy.copy(state) is copy.deepcopy(state) is state
    for same in pickle.loads(pickle.dumps(state)), state.replay().states[-1], random_match(level, 3, 12):
        assert same == state and hash(same) == hash(state) and same in {state}
        assert (same.turn, same.level.id) == (state.turn, level.id)
    assert state != state.previous and state != level.start(3) and state != "state"


def test_equal_positions_are_of_the_same_level_but_have_any_past() -> None:
    one = other = start = outwit.Level.open("mnk/4x3x3").start()
    for x, y in (0, 0), (1, 2), (2, 0), (3, 2):
        one = one.step({"Place": {"x": x, "y": y}})
    for x, y in (2, 0), (1, 2), (0, 0), (3, 2):
        other = other.step({"Place": {"x": x, "y": y}})
    assert one == other and hash(one) == hash(other) and one.previous != other.previous
    easy = outwit.Level.open(start.level.text.replace("k: 3", "k: 2"))
    assert easy.rules != start.level.rules
    assert easy.start().digest == start.digest and easy.start() != start


def test_refusals_name_the_problem() -> None:
    state = outwit.Level.open("mnk/3x3x3").start()
    with pytest.raises(outwit.Error, match="no seat 'z'; choose from x, o"):
        state.step({"x": "Keep", "z": "Keep"})
    with pytest.raises(outwit.Error, match="more than 64 bits"):
        state.step({"Place": {"x": 2**70, "y": 0}})
    with pytest.raises(outwit.Error, match=r"expected struct Cell, in \{'Place': 3\}"):
        state.step({"Place": 3})
    last = outwit.play("mnk/3x3x3", {"x": "best", "o": lambda turn: turn.default}).states[-1]
    for actions in {"Place": {"x": 0, "y": 0}}, {"x": "Keep"}, None:
        with pytest.raises(outwit.Error, match="the match is over: X won: 3 in a row"):
            last.step(actions)


def test_both_forms_of_a_step() -> None:
    start = outwit.Level.open("mnk/3x3x3").start()
    action = start.default_action()
    assert start.step(action).digest == start.step({"x": action}).digest


def test_all_choose_at_the_same_time() -> None:
    start = outwit.Level.open("cops/tiny").start(seed=5)
    assert start.to_move == ["thief", "cops"]
    after = start.step({"cops": ["RRR", ""], "thief": ["L"]})
    assert after.last_actions == {"thief": ["L.."], "cops": ["RRR", "..."]}
    assert after.to_move == [] and after.step().turn == 2
    with pytest.raises(outwit.Error, match="needs an action of: thief, cops"):
        start.step({"cops": ["RRR"]})
    with pytest.raises(outwit.Error, match="give a dict with the actions of thief, cops"):
        start.step(["RRR"])
    with pytest.raises(outwit.Error, match="name a seat: thief, cops"):
        start.observe()


def test_seeds_decide() -> None:
    level = outwit.Level.open("racetrack/tiny")
    starts = {level.start(seed, 2).digest for seed in range(20)}
    assert 1 < len(starts) < 20
    assert level.start(3, 2).digest == level.start(3, 2).digest


def cyclic() -> list[Any]:
    loop: list[Any] = []
    loop.append(loop)
    return loop


@pytest.mark.parametrize(
    "action",
    [
        {"Place": {"x": 7, "y": 0}},
        {"Place": {"x": -1, "y": 2**40}},
        {"Place": {"x": 2**70, "y": 0}},
        {"Place": {"x": 0.5, "y": 0}},
        {"Place": {"x": math.nan, "y": 0}},
        {"Place": {"x": True, "y": 0}},
        {1: 2},
        {"x": {"Place": {"x": 0, "y": 0}}, "o": "Keep"},
        {"z": "Keep"},
        "Swap",
        "\ud800",
        b"Keep",
        object(),
        cyclic(),
        [[]] * 3,
        None,
    ],
    ids=repr,
)
def test_what_is_no_action_is_refused(action: Any) -> None:
    start = outwit.Level.open("mnk/3x3x3").start()
    with pytest.raises(ValueError):
        start.step(action)
    assert start.turn == 0


def test_questions_that_make_no_sense_are_refused() -> None:
    level = outwit.Level.open("mnk/3x3x3")
    for seats in 0, 1, 3, 1000:
        with pytest.raises(outwit.Error):
            level.start(seats=seats)
    start = level.start()
    with pytest.raises(outwit.Error, match="no seat 'z'; choose from x, o"):
        start.observe("z")
    with pytest.raises(outwit.Error, match="o does not choose now"):
        start.default_action("o")
    assert start.actions("o") == [] and not start.is_legal(start.default_action(), "o")
    with pytest.raises(outwit.Error, match="1 players for 2 seats"):
        start.replay(["alone"])


def test_a_long_match_is_dropped_without_a_deep_stack() -> None:
    level = outwit.Level.open("pukoban/01-first-push")
    state = level.start()
    while not state.is_over:
        state = state.step("l" if state.is_legal("l") else "r")
    assert state.turn > sys.getrecursionlimit()
    assert state.outcome and state.outcome["places"][0]["ending"] == "out of steps"
