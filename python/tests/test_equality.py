"""Matches that Python steps through are those that the program plays."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import random_match

import outwit

MATCHES = int(os.environ.get("OUTWIT_MATCHES", "50"))
"""Random matches for each game."""
TURNS = 300
"""Matches that are longer stop here."""


@pytest.mark.parametrize("game", outwit.games())
def test_random_matches_end_as_the_program_says(game: str, program: str, tmp_path: Path) -> None:
    levels = [outwit.Level.open(level) for level in outwit.levels(game)]
    for seed in range(MATCHES):
        state = random_match(levels[seed % len(levels)], seed, TURNS)
        replay = state.replay()
        assert replay.digest == state.digest
        assert replay.outcome == state.outcome
        recorded = re.search(r"digest:(\d+)", replay.text)
        assert recorded and int(recorded[1]) == state.digest
        file = tmp_path / "match.ron"
        replay.save(file)
        command = [program, "replay", str(file), "--json"]
        said = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        assert said["faithful"] and said["turns"] == state.turn
        assert said["outcome"] == state.outcome


@pytest.mark.parametrize("game", outwit.games())
def test_the_referee_plays_the_same_turns(game: str) -> None:
    levels = [outwit.Level.open(level) for level in outwit.levels(game)]
    played = 0
    for seed in range(MATCHES):
        level = levels[seed % len(levels)]
        last = random_match(level, seed, TURNS)
        if not last.is_over:
            continue
        turns = last.replay().turns

        def again(turn: outwit.Turn, turns: list[dict[str, Any]] = turns) -> Any:
            return turns[turn.number][turn.seat]

        seats: dict[str, outwit.Player] = dict.fromkeys(last.seats, again)
        match = outwit.play(level, seats, seed=seed)
        assert match.turns == turns
        assert match.replay.digest == last.digest
        assert match.outcome == last.outcome
        played += 1
    assert played > 0
