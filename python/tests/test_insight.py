"""What planners think, in all games."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import outwit


@pytest.mark.parametrize("game", outwit.games())
def test_the_program_says_the_same(game: str, program: str, tmp_path: Path) -> None:
    level = outwit.Level.open(outwit.levels(game)[0])
    count = {"mnk": 2, "cops": 2}.get(game, 1)
    seats = {seat: next(iter(outwit.planners(game, seat))) for seat in level.seats[:count]}
    match = outwit.play(level, seats, budget="100w")
    match.save(tmp_path / "match.ron")
    seat = match.states[0].to_move[0]
    for planner in list(outwit.planners(game, seat))[-2:]:
        try:
            insight = match.insight(0, planner, seat=seat, budget="300w")
        except outwit.Error as why:
            # A planner whose strength is a number.
            assert planner in str(why)
            continue
        command = [program, "analyse", str(tmp_path / "match.ron"), "--turn", "0", "--planner", planner]
        command += ["--seat", seat, "--budget", "300w", "--json"]
        said = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        position, snapshots = said["position"], said["snapshots"]
        assert insight["algorithm"] == position["algorithm"] and insight["score"] == position["score"]
        assert [step["work"] for step in insight["snapshots"]] == [step["work"] for step in snapshots]
        assert [step["value"] for step in insight["snapshots"]] == [step["value"] for step in snapshots]
        last = insight["snapshots"][-1]
        assert match.states[0].is_legal(last["best"], seat) and last["words"]
        for name in ("heats", "paths", "marks", "arrows", "numbers", "series", "notes"):
            assert json.loads(json.dumps(last["insight"][name])) == snapshots[-1]["insight"][name]
        for candidate in last["insight"]["candidates"]:
            assert not candidate["line"] or match.states[0].is_legal(candidate["line"][0], seat)


def test_work_makes_the_answer() -> None:
    replay = outwit.Level.open("mnk/3x3x3").start().replay()
    insight = replay.insight(0, "best", budget="20000w")
    work = [step["work"] for step in insight["snapshots"]]
    assert work == sorted(set(work)) and insight["snapshots"][-1]["done"]
    assert insight == replay.insight(0, "best", budget="20000w")
    assert insight["snapshots"][-1]["insight"]["heats"][0]["cells"][0][0].keys() == {"x", "y"}


def test_the_first_that_is_to_move_thinks() -> None:
    replay = outwit.Level.open("cops/tiny").start().replay()
    assert replay.states[0].to_move[0] == replay.insight(0, budget="100w")["seat"] == "thief"
    assert replay.insight(0, "pack", budget="100w")["seat"] == "cops"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"turn": 1}, "there is no turn 1"),
        ({"turn": -1}, "turn is a whole number from 0 to 18446744073709551615, not -1"),
        ({"turn": 0, "planner": "nobody"}, "nobody"),
        ({"turn": 0, "seat": "z"}, "z"),
        ({"turn": 0, "budget": "lots"}, "'lots'"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, object], why: str) -> None:
    with pytest.raises(outwit.Error) as refused:
        outwit.Level.open("mnk/3x3x3").start().replay().insight(**options)  # type: ignore[arg-type]
    assert why in str(refused.value)
