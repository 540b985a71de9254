"""Levels: opened, refused and solved."""

from __future__ import annotations

import copy
import os
import pickle
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import outwit


def test_all_levels_can_be_opened_and_saved(tmp_path: Path) -> None:
    for id in outwit.levels():
        level = outwit.Level.open(id)
        assert id.startswith(f"{level.game}/")
        file = tmp_path / "level.ron"
        level.save(file)
        for same in outwit.Level.open(file), outwit.Level.open(level.text):
            assert (same.game, same.map, same.rules) == (
                level.game,
                level.map,
                level.rules,
            )


def test_levels_can_be_sent_to_other_processes() -> None:
    level = outwit.Level.open("cops/tiny")
    for same in pickle.loads(pickle.dumps(level)), copy.deepcopy(level):
        assert (same.text, same.id) == (level.text, "cops/tiny")
    assert copy.copy(level) is copy.deepcopy(level) is level


def test_foreign_formats_are_read(tmp_path: Path) -> None:
    text = "#####\n#@$.#\n#####\n"
    file = tmp_path / "easy.xsb"
    file.write_text(text)
    for level in outwit.Level.open(file), outwit.Level.open(text):
        assert (level.game, level.solve().value) == ("pukoban", 1.0)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("racetrack/hairpin", "did you mean 'racetrack/hairpins'"),
        ("nothing.ron", "there is no level or file 'nothing.ron'"),
        ("(\n", "not a level"),
        ('(format: "mnk 1", name: "?", map: ["..",\n ".z"])', "'z'"),
        ("a\0b", "a\0b"),
        ("-", "-: this is not a regular file"),
        ("x" * 300, f"there is no level or file '{'x' * 60}…'"),
        ("x" * 10**7, f"'{'x' * 60}…' is too long for an id or a path: the text of a level has several lines"),
    ],
)
def test_what_is_no_level_is_refused_with_a_reason(source: str, why: str) -> None:
    begun = time.monotonic()
    with pytest.raises(outwit.Error) as refused:
        outwit.Level.open(source)
    assert why in str(refused.value) and len(str(refused.value)) < 400
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(os.name != "posix", reason="there are no such pipes elsewhere")
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(outwit.Error, match="pipe: this is not a regular file"):
        outwit.Level.open(pipe)
    with pytest.raises(outwit.Error, match="pipe: this is not a file"):
        outwit.Replay.open(pipe)


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("seed", lambda level: level.start(-1)),
        ("seed", lambda level: level.start(2**64)),
        ("seats", lambda level: level.start(seats=-2)),
        ("memory", lambda level: level.solve(memory=-1)),
        ("seed", lambda level: level.solve(seed=-1)),
        ("side", lambda level: level.start().pixels(-1)),
    ],
)
def test_numbers_out_of_range_are_named(name: str, work: Any) -> None:
    with pytest.raises(outwit.Error, match=f"^{name} is a whole number from 0 to "):
        work(outwit.Level.open("pukoban/01-first-push"))


def test_problems_name_file_and_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.ron"
    file.write_text('(format: "mnk 1",\n name: "?",\n map: 7)')
    with pytest.raises(outwit.Error, match=r"bad\.ron:3:\d+: "):
        outwit.Level.open(file)


def test_solutions_say_what_is_known() -> None:
    solution = outwit.Level.open("racetrack/tiny").solve()
    assert solution.proved and solution.value and solution.unit == "turns"
    assert solution.line and solution.message in repr(solution)
    with pytest.raises(outwit.Error, match="start is a cell of the map"):
        outwit.Level.open("racetrack/tiny").solve(start=(2**40, 0))
    level = outwit.Level.open("pukoban/01-first-push")
    assert level.solve().moves and level.solve("astar-h1", budget="1w").value is None
    with pytest.raises(outwit.Error, match="racetrack/tiny: .*0,0"):
        outwit.Level.open("racetrack/tiny").solve(start=(0, 0))
    with pytest.raises(outwit.Error, match="not a budget"):
        level.solve(budget="soon")


@pytest.mark.parametrize(
    "name",
    ["pukoban/01-first-push", "stealth/01-way-in", "stealth/18-first-fog", "mnk/7x7x4", *outwit.levels("mnk")[:9]],
)
def test_solutions_can_be_played(name: str) -> None:
    level = outwit.Level.open(name)
    solution = level.solve(budget="2s")
    assert (solution.actions is None) == (solution.moves is None)
    state = level.start()
    for action in solution.actions or []:
        state = state.step(action)
    assert state.turn or not solution.actions
    if level.game in ("pukoban", "stealth"):
        assert state.outcome and state.outcome["places"][0]["score"] == solution.value
    assert pickle.loads(pickle.dumps(solution)) == copy.deepcopy(solution) == solution


def test_the_version_is_that_of_the_package() -> None:
    assert outwit.__version__ == metadata.version("outwit")


def test_games_and_planners() -> None:
    assert outwit.games() == ["racetrack", "cops", "pukoban", "stealth", "mnk"]
    assert set(outwit.planners("cops", "thief")) != set(outwit.planners("cops", "cops"))
    with pytest.raises(outwit.Error, match="choose from thief, cops"):
        outwit.planners("cops", "robber")
    with pytest.raises(outwit.Error, match="no game 'chess'"):
        outwit.levels("chess")
