"""Bots are the same players in matches here and as programs."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import players
import pytest

import outwit

FILE = Path(players.__file__)


def as_program(bot: str) -> str:
    """The command of a bot."""
    return shlex.join([sys.executable, str(FILE), bot])


@pytest.mark.parametrize("game", outwit.games())
def test_a_bot_plays_all_games_in_both_ways(game: str) -> None:
    level = outwit.Level.open(outwit.levels(game)[0])
    count = {"mnk": 2, "cops": 2}.get(game, 1)
    here: dict[str, outwit.Player] = {seat: players.Least() for seat in level.seats[:count]}
    there: dict[str, outwit.Player] = dict.fromkeys(here, f"program:{as_program('least')}")
    match = outwit.play(level, there, budget="20s")
    assert match.outcome == outwit.play(level, here, budget="20s").outcome
    for stats in match.stats.values():
        conduct = {name: stats[name] for name in ("overruns", "illegal", "silent", "broken", "fault", "panic")}
        assert conduct == {"overruns": 0, "illegal": 0, "silent": 0, "broken": 0, "fault": None, "panic": None}
    assert "turn 1" in match.replay.text and '"Least"' in match.replay.text


@pytest.mark.parametrize("game", outwit.games())
def test_the_program_finds_it_ready(game: str, program: str) -> None:
    command = [program, "try", as_program("least"), "--game", game, "--states", "10", "--matches", "1"]
    tried = subprocess.run([*command, "--budget", "20s"], capture_output=True, text=True)
    assert tried.returncode == 0 and "It is ready to play." in tried.stdout, tried.stdout + tried.stderr


def test_better_and_better_actions() -> None:
    class Improving(outwit.Bot):
        def choose(self, turn: outwit.Turn) -> Any:
            yield from turn.actions or []

    match = outwit.play("mnk/3x3x3", {"x": Improving(), "o": players.first})
    assert match.turns[0]["x"] == {"Place": {"x": 2, "y": 2}}
    # Its program never stops by itself: what counts is the last action within the time.
    better = f"program:{as_program('better')}"
    match = outwit.play("mnk/3x3x3", {"x": better, "o": players.first}, budget="50ms")
    assert match.outcome and match.stats["x"]["illegal"] == 0 and match.stats["x"]["fault"] is None


def test_a_solution_counts_as_a_whole() -> None:
    level = outwit.Level.open("pukoban/01-first-push")
    moves = outwit.play(level, {"player": "best"}).turns

    class Solver(outwit.Bot):
        def choose(self, turn: outwit.Turn) -> Any:
            assert isinstance(turn.default, list) and len(turn.default) == 1
            return [step["player"] for step in moves]

    match = outwit.play(level, {"player": Solver()})
    assert match.turns == moves
    moves = moves[:-1]
    match = outwit.play(level, {"player": Solver()})
    assert match.outcome and match.outcome["places"][0]["ending"] == "unsolved"


def test_what_is_no_choice_is_refused() -> None:
    class Silent(outwit.Bot):
        def choose(self, turn: outwit.Turn) -> Any:
            yield from ()

    with pytest.raises(outwit.Error, match="turn 0, x: Silent yielded no action"):
        outwit.play("mnk/3x3x3", {"x": Silent(), "o": players.first})
    with pytest.raises(NotImplementedError, match="Bot needs a method choose"):
        outwit.play("mnk/3x3x3", {"x": outwit.Bot(), "o": players.first})
    with pytest.raises(outwit.Error, match="turn 0, player: 'l' is not the list of all actions"):
        solver = type("Solver", (outwit.Bot,), {"choose": lambda self, turn: "l"})()
        outwit.play("pukoban/01-first-push", {"player": solver})
