"""Matches of planners, functions and programs."""

from __future__ import annotations

import os
import pickle
import shlex
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import exit_code_after_fork

import outwit

ROOT = Path(__file__).resolve().parents[2]


def first(turn: outwit.Turn) -> Any:
    assert turn.actions is None or turn.actions[0] == turn.default
    return turn.default


@pytest.mark.parametrize("game", outwit.games())
def test_planners_play_the_same_match_again(game: str, tmp_path: Path) -> None:
    level = outwit.Level.open(outwit.levels(game)[0])
    count = {"mnk": 2, "cops": 2}.get(game, 1)
    seats = {seat: next(iter(outwit.planners(game, seat))) for seat in level.seats[:count]}
    match = outwit.play(level, seats, budget="200w", seed=3)
    assert match.players == seats
    assert match.replay.text == outwit.play(level, seats, budget="200w", seed=3).replay.text
    match.save(tmp_path / "match.ron")
    again = outwit.Replay.open(tmp_path / "match.ron")
    assert (again.turns, again.outcome) == (match.turns, match.outcome)
    assert len(match.states) == len(match.turns) + 1
    assert pickle.loads(pickle.dumps(again)).text == again.text
    assert all(stats["panic"] is None for stats in match.stats.values())


@pytest.mark.parametrize("game", outwit.games())
def test_functions_play_all_games(game: str) -> None:
    level = outwit.Level.open(outwit.levels(game)[0])
    count = {"mnk": 2, "cops": 2}.get(game, 1)
    asked = []

    def player(turn: outwit.Turn) -> Any:
        asked.append(turn.seat)
        if len(asked) > 500:
            raise TimeoutError
        return turn.default

    try:
        match = outwit.play(level, dict.fromkeys(level.seats[:count], player))
        assert match.outcome and set(match.players.values()) == {"human"}
    except TimeoutError:
        assert game in ("pukoban", "racetrack"), "a match of the others ends by itself"
    assert set(asked) == set(level.seats[:count])


def test_the_exact_player_loses_nothing() -> None:
    match = outwit.play("racetrack/tiny", {"car1": "optimal"})
    review = match.review()
    assert review["unit"] == "turns" and review["better"] == "lower"
    assert sum(made["cost"] for made in review["seats"]["car1"]["moves"]) == 0
    match = outwit.play("mnk/3x3x3", {"x": first, "o": first})
    assert any(made["cost"] for made in match.review()["seats"]["o"]["moves"])


@pytest.mark.parametrize(
    ("seats", "options", "why"),
    [
        ({"x": first}, {}, "nobody sits at o"),
        ({}, {}, "nobody sits at x"),
        ({"x": first, "y": first}, {}, "unknown seat 'y'"),
        ({"x": None, "o": "best"}, {}, "x: a player is the name of a planner, program:COMMAND or a function, not None"),
        (["best", "best"], {}, "seats is a dict from seat names to players; the names are x, o"),
        ({"x": first, "o": "best"}, {"seed": -1}, "seed is a whole number from 0 to 18446744073709551615, not -1"),
        ({"x": first, "o": "bset"}, {}, "did you mean 'best'"),
        ({"x": first, "o": "best"}, {"budget": "lots"}, "'lots'"),
        ({"x": first, "o": "program:python3 -c pass"}, {}, "give it a time per turn"),
        (
            {"x": first, "o": "program:/nothing/here"},
            {"budget": "500ms"},
            "/nothing/here",
        ),
        ({"x": lambda turn: "Up", "o": first}, {}, "turn 0, x: 'Up'"),
        (
            {"x": lambda turn: {"Place": {"x": 9, "y": 9}}, "o": first},
            {},
            "turn 0, x: ",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(seats: Any, options: dict[str, Any], why: str) -> None:
    with pytest.raises(outwit.Error) as refused:
        outwit.play("mnk/3x3x3", seats, **options)
    assert why in str(refused.value)


@pytest.mark.skipif(os.name != "posix", reason="only Unix forks")
def test_a_forked_process_has_threads_of_its_own() -> None:
    match = outwit.play("cops/tiny", {"thief": "random", "cops": "random"}, budget="50w")
    match.review()
    assert exit_code_after_fork(match.review) == 0


def test_the_level_keeps_its_id() -> None:
    match = outwit.play("mnk/3x3x3", {"x": first, "o": first})
    assert match.level.id == match.states[-1].level.id == "mnk/3x3x3"
    assert pickle.loads(pickle.dumps(match)).level.id == "mnk/3x3x3"
    assert outwit.Replay.read(match.replay.text).level.id == ""


def test_what_a_function_raises_ends_the_match() -> None:
    def broken(turn: outwit.Turn) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        outwit.play("mnk/3x3x3", {"x": broken, "o": "best"})


def test_a_program_plays_because_it_was_named() -> None:
    command = shlex.join([sys.executable, str(ROOT / "players/python/mnk.py")])
    match = outwit.play("mnk/3x3x3", {"x": f"program:{command}", "o": first}, budget="2s")
    assert match.outcome and match.players["x"] == f"program:{command}"
    assert match.stats["x"]["fault"] is None and match.stats["x"]["illegal"] == 0


def test_other_threads_go_on_meanwhile() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    beside = threading.Thread(target=tick)
    beside.start()
    outwit.Level.open("pukoban/42-great-hall").solve(budget="500ms")
    outwit.play("stealth/18-first-fog", {"thief": "exact"}, budget="500ms")
    done.set()
    beside.join()
    assert ticks > 10


@pytest.mark.skipif(os.name != "posix", reason="the test sends a signal of Unix")
def test_long_work_can_be_interrupted() -> None:
    level = outwit.Level.open("pukoban/42-great-hall")
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        level.solve()
    assert time.monotonic() - began < 10
