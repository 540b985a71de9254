"""Tournaments: their pairings, their results, and workers that die."""

from __future__ import annotations

import csv
import itertools
import multiprocessing
import os
import pickle
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import distributed
import players
import pytest

import outwit

LEVELS = ["mnk/3x3x3", "mnk/4x3x3"]
ENTRANTS: dict[str, outwit.Player] = {
    "best": "best",
    "hasty": "best@40w",
    "first": players.first,
    "broken": players.raises,
    "cheat": players.cheats,
    "bot": players.Least(),
}


def threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(4)


def processes() -> ProcessPoolExecutor:
    # A fork could copy a lock that a thread of another test holds.
    return ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


@contextmanager
def dask() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


@pytest.fixture(scope="module")
def played() -> outwit.Tournament:
    return outwit.tournament(LEVELS, ENTRANTS, seeds=[3, 1], budget="500w")


@pytest.mark.parametrize("workers", [threads, processes, dask])
def test_the_result_is_the_same_everywhere(workers: Callable[[], Any], played: outwit.Tournament) -> None:
    with workers() as executor:
        result = outwit.tournament(LEVELS, ENTRANTS, seeds=[3, 1], budget="500w", executor=executor)
    assert result.to_csv() == played.to_csv()
    assert (result.standings, result.means) == (played.standings, played.means)
    assert [game.text for game in result.games] == [game.text for game in played.games]


def test_all_pairings_in_both_orders(played: outwit.Tournament) -> None:
    pairs = [(one, other) for one in ENTRANTS for other in ENTRANTS if one != other]
    games = [(level, seed, *pair) for level in LEVELS for seed in (3, 1) for pair in pairs]
    assert [(game.level, game.seed, *game.players.values()) for game in played.games] == games
    assert len(played.rows) == 2 * len(games)
    assert all(standing["games"] == 40 for standing in played.standings)
    assert played.standings[0]["player"] == "best"
    assert {(mean["level"], mean["seat"]) for mean in played.means} == {
        (level, seat) for level in LEVELS for seat in ("x", "o")
    }


def test_who_raises_loses_its_game_only(played: outwit.Tournament) -> None:
    faults = {(row["player"], row["fault"]) for row in played.rows if row["fault"]}
    assert {player for player, _ in faults} == {"broken", "cheat"}
    assert ("broken", "KeyError: 'mine'") in faults
    cheat = next(fault for player, fault in faults if player == "cheat")
    assert cheat.startswith("outwit.Error: turn ") and "'x': 99" in cheat
    for row in played.rows:
        assert (row["ending"] == "failed") == bool(row["fault"])
        assert not row["fault"] or row["rank"] == 2
    failed = {standing["player"]: standing["failed"] for standing in played.standings}
    assert failed["cheat"] >= 20 and failed["broken"] > 0 and failed["best"] == 0
    game = next(game for game in played.games if "cheat" in game.players.values())
    assert game.outcome == game.replay.outcome and game.replay.digest == game.digest


def test_the_table_is_written(played: outwit.Tournament, tmp_path: Path) -> None:
    assert played.to_csv(tmp_path / "games.csv") is None
    text = (tmp_path / "games.csv").read_bytes().decode()
    assert text == played.to_csv()
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["player"] for row in rows] == [row["player"] for row in played.rows]
    assert list(rows[0]) == list(played.rows[0])
    assert pickle.loads(pickle.dumps(played)).rows == played.rows


@pytest.mark.parametrize(
    ("level", "seats"),
    [
        ("mnk/3x3x3", {"x": ["best", "novice"], "o": ["novice", "best"]}),
        ("cops/tiny", {"thief": ["runner", "evader"], "cops": ["chasers", "pack"]}),
        ("racetrack/tiny", {"car1": ["greedy", "optimal"], "car2": ["greedy", "optimal"]}),
        ("stealth/01-way-in", {"thief": ["genetic", "exact"]}),
    ],
)
def test_the_program_plays_the_same_games(
    level: str, seats: dict[str, list[str]], program: str, tmp_path: Path
) -> None:
    game = level.split("/")[0]
    named = dict.fromkeys(name for names in seats.values() for name in names)
    result = outwit.tournament(level, list(named), seats=seats, seeds=range(5, 8), budget="300w")
    file = tmp_path / "games.csv"
    command = [program, "match", game, level, "--games", "3", "--seed", "5", "--budget", "300w", "--openings", "none"]
    for seat, names in seats.items():
        command += ["--seat", f"{seat}={','.join(names)}"]
    subprocess.run([*command, "--games-csv", str(file)], check=True, capture_output=True)
    figures = {"score": "payoff", "ending": "ending", "work": "work"}

    def text(value: Any) -> str:
        return "" if value is None else str(value)

    said = {
        (row["seed"], *(row[seat] for seat in seats)): [
            row["turns"],
            *(row[f"{seat}_{figure}"] for seat in seats for figure in figures.values()),
        ]
        for row in csv.DictReader(file.read_text().splitlines())
    }
    assert len(result.games) >= 6
    for number, played in enumerate(result.games):
        rows = result.rows[len(seats) * number : len(seats) * (number + 1)]
        found = [str(played.turns), *(text(row[figure]) for row in rows for figure in figures)]
        assert found == said[(str(played.seed), *played.players.values())]


def test_those_who_play_alone_are_compared() -> None:
    level = outwit.Level.open("pukoban/01-first-push")

    def idle(turn: outwit.Turn) -> Any:
        raise RuntimeError("no idea")

    result = outwit.tournament(level, {"best": "best", "idle": idle}, seeds=[1, 2])
    assert [(row["player"], row["won"], row["failed"]) for row in result.standings] == [("best", 2, 0), ("idle", 0, 2)]


def test_a_lost_worker_costs_only_its_own_games(tmp_path: Path) -> None:
    def entrants(player: outwit.Player) -> dict[str, outwit.Player]:
        return {"best": "best@100w", "first": players.first, "mortal": player}

    with processes() as executor:
        mortal = players.DiesOnce(tmp_path / "processes")
        result = outwit.tournament(LEVELS[0], entrants(mortal), seeds=[1], executor=executor)
    wanted = outwit.tournament(LEVELS[0], entrants(players.first), seeds=[1])
    assert result.to_csv() == wanted.to_csv()
    with processes() as executor:
        result = outwit.tournament(LEVELS[0], entrants(players.deadly), seeds=[1], executor=executor)
    for game, same in zip(result.games, wanted.games, strict=True):
        assert bool(game.not_played) == ("mortal" in game.players.values())
        assert game.not_played or game.text == same.text
    rows = [row for row in result.rows if row["ending"] == "not played"]
    assert len(rows) == 8 and all("BrokenProcessPool" in row["fault"] and row["rank"] is None for row in rows)
    standings = {standing["player"]: standing for standing in result.standings}
    assert standings["mortal"]["games"] == 0 and standings["mortal"]["rating"] is None
    assert standings["best"]["games"] == 2
    lost = next(game for game in result.games if game.not_played)
    with pytest.raises(outwit.Error, match="the game on mnk/3x3x3 with seed 1 was not played: "):
        _ = lost.replay


def test_a_lost_worker_of_dask_costs_nothing(tmp_path: Path) -> None:
    mortal = players.DiesOnce(tmp_path / "dask")
    with dask() as executor:
        result = outwit.tournament(LEVELS[0], {"best": "best", "mortal": mortal}, seeds=[1], executor=executor)
    assert mortal.marker.exists()
    assert result.to_csv() == outwit.tournament(LEVELS[0], {"best": "best", "mortal": mortal}, seeds=[1]).to_csv()


class Flaky:
    """An executor that loses every other call."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        if self.calls % 2:
            future.set_exception(CancelledError("the worker was taken away"))
        else:
            future.set_result(fn(*args))
        return future


def test_any_executor_will_do() -> None:
    flaky = Flaky()
    result = outwit.tournament(LEVELS[0], ["best", "novice"], seeds=[1, 2], budget="100w", executor=flaky)
    assert result.to_csv() == outwit.tournament(LEVELS[0], ["best", "novice"], seeds=[1, 2], budget="100w").to_csv()
    assert flaky.calls > 4


@pytest.mark.parametrize(
    ("levels", "entrants", "options", "why"),
    [
        ([], ["best", "novice"], {}, "needs a level"),
        (["mnk/3x3x3", "cops/tiny"], ["best"], {}, "cops/tiny is a level of cops, mnk/3x3x3 one of mnk"),
        (["mnk/3x3x3"] * 2, ["best"], {}, "two levels are called 'mnk/3x3x3'"),
        ("mnk/3x3x3", ["best"], {}, "nobody can play: x, o need different players"),
        ("mnk/3x3x3", ["best", "best"], {}, "'best' takes part twice"),
        ("mnk/3x3x3", ["best", "nobody"], {}, "nobody"),
        ("mnk/3x3x3", {"a": 3, "b": "best"}, {}, "not 3"),
        ("mnk/3x3x3", ["best", "novice"], {"seeds": []}, "needs seeds, each once"),
        ("mnk/3x3x3", ["best", "novice"], {"seeds": [1, 1]}, "needs seeds, each once"),
        ("mnk/3x3x3", ["best", "novice"], {"seeds": range(10**6)}, "more than 1000000 games"),
        ("mnk/3x3x3", ["best", "novice"], {"seeds": itertools.count()}, "more than 1000000 games"),
        ("mnk/3x3x3", ["best", "novice"], {"seeds": [-1]}, "seed is a whole number from 0"),
        ("mnk/3x3x3", ["best", "novice"], {"executor": 4}, "executor needs a method submit"),
        ("mnk/3x3x3", ["best", "novice"], {"executor": ThreadPoolExecutor}, "executor needs a method submit"),
        ("mnk/3x3x3", ["best", "novice"], {"budget": "lots"}, "'lots'"),
        ("mnk/3x3x3", ["best", "novice"], {"seats": {"z": ["best"]}}, "no seat 'z'; choose from x, o"),
        ("mnk/3x3x3", ["best", "novice"], {"seats": {"o": ["best"]}}, "nobody takes the seat x"),
        ("mnk/3x3x3", ["best"], {"seats": {"x": ["you"]}}, "x: there is no player 'you'; choose from best"),
        ("mnk/3x3x3", ["best"], {"seats": {"x": ["best", "best"]}}, "x: 'best' is there twice"),
        ("cops/tiny", ["runner", "pack"], {"seats": {"thief": ["pack"], "cops": ["runner"]}}, "pack"),
        ("mnk/3x3x3", ["best", "program:/nothing/here"], {"budget": "500ms"}, "/nothing/here"),
    ],
)
def test_what_cannot_be_played_is_refused(levels: Any, entrants: Any, options: dict[str, Any], why: str) -> None:
    with pytest.raises(outwit.Error) as refused:
        outwit.tournament(levels, entrants, **options)
    assert why in str(refused.value)


def test_a_closed_executor_is_named() -> None:
    executor = threads()
    executor.shutdown()
    with pytest.raises(outwit.Error, match="the executor takes no games, so it may be closed: "):
        outwit.tournament(LEVELS[0], ["best", "novice"], executor=executor)


def test_levels_from_texts_are_numbered() -> None:
    level = outwit.Level.open(outwit.Level.open(LEVELS[0]).text)
    result = outwit.tournament([level, level, LEVELS[1]], ["best", "novice"], seeds=[1], budget="100w")
    names = [level.name, f"{level.name} (2)", LEVELS[1]]
    assert list(dict.fromkeys(game.level for game in result.games)) == names
    assert [result.games[at].replay.level.id for at in (0, -1)] == ["", LEVELS[1]]


def test_functions_that_cannot_be_sent_are_named() -> None:
    with processes() as executor, pytest.raises(outwit.Error, match="define it at the top level of a module"):
        outwit.tournament(LEVELS[0], {"best": "best", "mine": lambda turn: turn.default}, executor=executor)


def test_if_no_game_is_played_there_is_no_result() -> None:
    with processes() as executor, pytest.raises(outwit.Error, match="no game could be played: .*BrokenProcessPool"):
        outwit.tournament(LEVELS[0], {"best": "best", "deadly": players.deadly}, seeds=[1], executor=executor)


def test_a_program_that_ends_loses_its_game_only() -> None:
    command = shlex.join([sys.executable, "-c", "pass"])
    entrants: dict[str, outwit.Player] = {"first": players.first, "ends": f"program:{command}"}
    result = outwit.tournament(LEVELS[0], entrants, seeds=[1], budget="20s")
    assert [(row["player"], row["ending"], bool(row["fault"])) for row in result.rows] == [
        ("first", "won", False),
        ("ends", "failed", True),
        ("ends", "failed", True),
        ("first", "won", False),
    ]


def test_each_game_has_a_bot_of_its_own() -> None:
    class Shared(outwit.Bot):
        def __init__(self) -> None:
            self.lock = threading.Lock()

    with pytest.raises(outwit.Error, match="Shared cannot be copied for each game"):
        outwit.tournament(LEVELS[0], {"shared": Shared(), "best": "best"})


def slow(turn: outwit.Turn) -> Any:
    time.sleep(0.2)
    return turn.default


@pytest.mark.skipif(os.name != "posix", reason="the test sends a signal of Unix")
@pytest.mark.parametrize("workers", [None, threads])
def test_a_tournament_can_be_interrupted(workers: Callable[[], Any] | None) -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    entrants: dict[str, outwit.Player] = {"slow": slow, "first": players.first}
    executor = workers() if workers else None
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        outwit.tournament(LEVELS[0], entrants, seeds=range(1000), executor=executor)
    if executor:
        executor.shutdown()
