"""Environments pass the checks of Gymnasium and PettingZoo, and lead to the results of the games."""

from __future__ import annotations

import copy
import doctest
import warnings
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.utils.conversions import parallel_to_aec

import outwit
import outwit.envs
import outwit.zoo

ONE_PLAYER = [
    (f"outwit/{name}-v0", level)
    for name in ("Racetrack", "Pukoban", "Stealth")
    for level in outwit.levels(name.lower())[::4]
]
CHOICES = [
    "racetrack/tiny",
    "pukoban/01-first-push",
    "stealth/01-way-in",
    "stealth/16-sentries",
    "stealth/18-first-fog",
]


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
@pytest.mark.parametrize(("name", "level"), ONE_PLAYER)
def test_gymnasium_accepts_them(name: str, level: str, mode: str) -> None:
    env = gymnasium.make(name, level=level, render_mode=mode)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("level", CHOICES)
def test_masks_show_what_is_legal(level: str) -> None:
    name = outwit.Level.open(level).game.capitalize()
    env: Any = gymnasium.make(f"outwit/{name}-v0", level=level).unwrapped
    for seed in range(5):
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        for _ in range(200):
            assert info["action_mask"].any()
            observation, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
            assert observation in env.observation_space
            if over:
                break
        assert env.state.is_over == over and (not over or not info["action_mask"].any())


@pytest.mark.parametrize("name", ["Racetrack", "Pukoban"])
def test_illegal_actions_count_as_the_documentation_says(name: str) -> None:
    level = {"Racetrack": "racetrack/speed-limit", "Pukoban": "pukoban/01-first-push"}[name]
    level = level if level in outwit.levels() else outwit.levels(name.lower())[0]
    env: Any = gymnasium.make(f"outwit/{name}-v0", level=level).unwrapped
    env.reset(seed=3)
    env.action_space.seed(3)
    total = 0.0
    for _ in range(300):
        _, reward, over, _, _ = env.step(env.action_space.sample())
        total += reward
        if over:
            break
    # The position that the rules alone lead to is the one that was seen.
    assert env.state.board == env.render() if env.render_mode else env.state.board
    assert total < 0


def perfect_rewards(level: str, seat: str, reward: str) -> tuple[outwit.Match, list[float]]:
    """The rewards of the strongest planner's actions."""
    opened = outwit.Level.open(level)
    planner = {"racetrack": "optimal", "pukoban": "best"}[opened.game]
    env: Any = gymnasium.make(f"outwit/{opened.game.capitalize()}-v0", level=opened, reward=reward).unwrapped
    env.reset(seed=1)
    match = outwit.play(opened, {seat: planner}, seed=int(env._batch.seeds[0]))
    turns = [turn[seat] for turn in match.turns]
    if opened.game == "racetrack":
        actions = [3 * (turn["y"] + 1) + turn["x"] + 1 for turn in turns]
    else:
        actions = ["lrud<>^v".index(turn) for turn in turns]
    rewards = [env.step(action)[1] for action in actions]
    assert env.state.is_over and env.state.digest == match.replay.digest
    return match, rewards


def test_the_optimum_is_the_best_return() -> None:
    match, rewards = perfect_rewards("pukoban/01-first-push", "player", "result")
    assert sum(rewards) == -(match.level.solve().value or 0)
    match, rewards = perfect_rewards("racetrack/tiny", "car1", "result")
    assert match.outcome and sum(rewards) == pytest.approx(-match.outcome["places"][0]["score"], abs=1e-9)


def test_loss_is_what_a_turn_costs() -> None:
    match, rewards = perfect_rewards("racetrack/tiny", "car1", "loss")
    assert rewards == pytest.approx([0.0] * len(rewards), abs=1e-9)
    # No turn wins anything, and the one that throws the race away costs what that costs.
    lost = 0
    for seed in range(60):
        wild: Any = gymnasium.make("outwit/Racetrack-v0", level="racetrack/tiny", reward="loss").unwrapped
        wild.reset(seed=seed)
        wild.action_space.seed(seed)
        rewards, over = [], False
        while not over:
            _, reward, over, _, _ = wild.step(wild.action_space.sample())
            rewards.append(reward)
        assert max(rewards) < 1e-9
        lost += min(rewards) < -900
    assert lost > 50
    # A car that does nothing in its first turn loses exactly that turn.
    env: Any = gymnasium.make("outwit/Racetrack-v0", level="racetrack/tiny", reward="loss").unwrapped
    env.reset(seed=1)
    assert env.step(4)[1] == pytest.approx(-1.0, abs=1e-9)
    with pytest.raises(outwit.Error, match="Pukoban does not know what each position is worth"):
        gymnasium.make("outwit/Pukoban-v0", reward="loss")
    with pytest.raises(outwit.Error, match="choose from result, progress, loss"):
        gymnasium.make("outwit/Racetrack-v0", reward="fame")


def steps_to(rows: list[str], goals: str, walls: str) -> dict[tuple[int, int], int]:
    """The steps from each cell to the nearest goal, in eight directions, by breadth-first search."""
    found = {(x, y): 0 for y, row in enumerate(rows) for x, tile in enumerate(row) if tile in goals}
    queue = list(found)
    for x, y in queue:
        for near in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            inside = 0 <= near[1] < len(rows) and 0 <= near[0] < len(rows[near[1]])
            if inside and rows[near[1]][near[0]] not in walls and near not in found:
                found[near] = found[x, y] + 1
                queue.append(near)
    return found


def test_progress_is_how_much_nearer_a_turn_has_come() -> None:
    level = outwit.Level.open("racetrack/tiny")
    assert level.rules["laps"] == 1 and not any(tile.isdigit() for row in level.map for tile in row)
    far = steps_to(level.map, "F", "#")
    nearer = 0
    for seed in range(20):
        plain: Any
        shaped: Any
        plain, shaped = (
            gymnasium.make("outwit/Racetrack-v0", level=level, reward=reward).unwrapped
            for reward in ("result", "progress")
        )
        plain.reset(seed=seed), shaped.reset(seed=seed)
        shaped.action_space.seed(seed)
        for _ in range(100):
            before, action = shaped.state.to_dict()["cars"][0]["cell"], shaped.action_space.sample()
            (_, result, over, _, _), (_, reward, _, _, _) = plain.step(action), shaped.step(action)
            after = shaped.state.to_dict()["cars"][0]["cell"]
            still = 0 if over else far[after["x"], after["y"]]
            assert reward - result == far[before["x"], before["y"]] - still
            nearer += reward > result
            if over:
                break
    assert nearer > 30


def test_progress_in_pukoban_adds_up_to_the_start() -> None:
    for level in ("pukoban/01-first-push", outwit.levels("pukoban")[10]):
        match, rewards = perfect_rewards(level, "player", "progress")
        _, plain = perfect_rewards(level, "player", "result")
        once = sum(rewards) - sum(plain)
        # A single box needs at least as many moves as the map says; steps without moving a box earn nothing.
        assert 0 < once <= len(match.turns)
        assert {reward - result for reward, result in zip(rewards, plain, strict=True)} <= {-1.0, 0.0, 1.0}
    with pytest.raises(outwit.Error, match="one car alone"):
        outwit.Batch(outwit.Level.open("racetrack/tiny"), 1, seats=2, reward="progress")
    with pytest.raises(outwit.Error, match="k in a row does not know how far"):
        outwit.Batch(outwit.Level.open("mnk/3x3x3"), 1, reward="progress")


@pytest.mark.parametrize("name", ["Racetrack", "Pukoban", "Stealth", "RaceAgainst"])
def test_an_array_shows_what_the_dictionary_does(name: str) -> None:
    inner: Any = gymnasium.make(f"outwit/{name}-v0").unwrapped
    env: Any = outwit.envs.ArrayObservation(inner)
    with warnings.catch_warnings():
        # Gymnasium would rather have no wrapper around what it checks.
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version")
        check_env(env, skip_render_check=True)
    array, _ = env.reset(seed=1)
    seen, _ = inner.reset(seed=1)
    numbers = seen.get("numbers", [])
    for action in (8, 7, 8, 5) if name.startswith("Race") else (0, 1, 2, 3):
        assert array.shape == (len(inner.planes) + len(numbers), *seen["planes"].shape[1:])
        assert (array[: len(inner.planes)] == seen["planes"]).all()
        assert all((plane == number).all() for plane, number in zip(array[len(inner.planes) :], numbers, strict=True))
        state = inner.np_random.bit_generator.state
        array, _, over, _, _ = env.step(action)
        seen, numbers = inner._observation(), inner._observation().get("numbers", [])
        assert inner.np_random.bit_generator.state == state
        if over:
            break


@pytest.mark.parametrize("level", outwit.levels("racetrack")[:5])
def test_gymnasium_accepts_races_against_planners(level: str) -> None:
    options: dict[str, Any] = {"level": level, "opponents": ["rival", "greedy"], "budget": "20w"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("outwit/RaceAgainst-v0", render_mode="ansi", **options).unwrapped)


def test_races_against_planners_are_those_of_the_rules() -> None:
    env: Any = gymnasium.make("outwit/RaceAgainst-v0", level="racetrack/tiny", opponents=["optimal"], budget="200w")
    _, info = env.reset(seed=5)
    env.action_space.seed(5)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        total += reward
    state = env.unwrapped.state
    assert state.is_over and info["places"] == state.outcome["places"] and info["places"][1]["rank"] == 1
    assert state.replay(["me", "optimal"]).outcome == state.outcome and total < 0
    with pytest.raises(outwit.Error, match="name an opponent"):
        gymnasium.make("outwit/RaceAgainst-v0", opponents=[])


@pytest.mark.parametrize("name", ["Racetrack", "Pukoban", "Stealth", "RaceAgainst"])
def test_what_is_no_action_is_refused_before_it_is_played(name: str) -> None:
    env: Any = gymnasium.make(f"outwit/{name}-v0").unwrapped
    env.reset(seed=1)
    before = env._observation()
    for action in -1, 99, 1.5, None, "l", np.array([1]), np.float64(1):
        with pytest.raises(outwit.Error, match="an action is a whole number from 0 to "):
            env.step(action)
    assert all((env._observation()[part] == before[part]).all() for part in before) and env.state.turn == 0
    for whole in np.int64(1), np.array(1), 1:
        env.reset()
        env.step(whole)


@pytest.mark.parametrize(
    ("name", "actions"), [("Racetrack", [5, 3, 4]), ("Pukoban", [2, 0, 3]), ("Stealth", [0, 0, 0])]
)
def test_environments_can_be_copied(name: str, actions: list[int]) -> None:
    env: Any = gymnasium.make(f"outwit/{name}-v0")
    dice, over = np.random.default_rng(4), False
    env.reset(seed=4)
    for action in actions:
        *_, info = env.step(action)
    same = copy.deepcopy(env)
    before = env.unwrapped._observation()
    while not over:
        seen, reward, over, _, info = same.step(dice.choice(np.flatnonzero(info["action_mask"])))
    assert all((env.unwrapped._observation()[part] == before[part]).all() for part in before)
    assert same.unwrapped.state.is_over and not env.unwrapped.state.is_over
    assert (same.reset()[0]["planes"] == env.reset()[0]["planes"]).all()
    agents = outwit.zoo.KInRow("mnk/3x3x3")
    agents.reset(seed=1)
    agents.step(4)
    copied = copy.deepcopy(agents)
    agents.step(0)
    assert copied.state_now == agents.state_now.previous
    with pytest.raises(outwit.Error, match="search from its state instead, with state.step"):
        copy.deepcopy(gymnasium.make("outwit/RaceAgainst-v0", budget="20w"))
    with pytest.raises(outwit.Error, match="a batch of 3 matches cannot be copied"):
        copy.deepcopy(gymnasium.make_vec("outwit/Racetrack-v0", num_envs=3))


def test_what_makes_no_sense_is_refused() -> None:
    for name in "Racetrack", "Pukoban", "Stealth", "RaceAgainst":
        with pytest.raises(outwit.Error, match="there is no level or file ''"):
            gymnasium.make(f"outwit/{name}-v0", level="")
    with pytest.raises(outwit.Error, match="there is no level or file ''"):
        gymnasium.make_vec("outwit/Racetrack-v0", num_envs=2, level="")
    for max_cycles in 0, -1:
        with pytest.raises(outwit.Error, match="max_cycles is at least 1"):
            outwit.zoo.CopsAndRobber(max_cycles=max_cycles)
    agents = outwit.zoo.KInRow("mnk/3x3x3")
    with pytest.raises(outwit.Error, match="no match is running: call reset"):
        agents.step(4)
    with pytest.raises(outwit.Error, match="seed is a whole number from 0 on, not -1"):
        agents.reset(seed=-1)
    agents.reset()
    for action in -1, 12, 1.5:
        with pytest.raises(outwit.Error, match="an action is a whole number from 0 to 11, not "):
            agents.step(action)  # type: ignore[arg-type]
    env: Any = outwit.zoo.CopsAndRobber("cops/tiny")
    with pytest.raises(outwit.Error, match="no match is running: call reset"):
        env.step({})
    env.reset(seed=1)
    plans = {agent: env.action_space(agent).sample() for agent in env.agents}
    for wrong, why in [
        ({}, "the actions of thief, cops are missing"),
        ({"thief": plans["thief"]}, "the actions of cops are missing"),
        (plans | {"thief": plans["thief"][:-1]}, "thief: an action has 3 numbers"),
        (plans | {"thief": [0, 1, 5]}, "an action is a whole number from 0 to 4, not 5"),
        (plans | {"thief": 0.5 * plans["thief"]}, "an action is a whole number from 0 to 4, not "),
    ]:
        with pytest.raises(outwit.Error, match=why):
            env.step(wrong)
    env.step(plans)


def test_an_episode_that_is_over_does_not_go_on() -> None:
    env: Any = gymnasium.make("outwit/Stealth-v0", level="stealth/01-way-in").unwrapped
    env.reset(seed=1)
    env.step(4)
    with pytest.raises(outwit.Error, match="call reset"):
        env.step(4)


@pytest.mark.parametrize(("name", "level"), [("Racetrack", "racetrack/tiny"), ("Pukoban", "pukoban/01-first-push")])
def test_copies_play_as_one_does(name: str, level: str) -> None:
    envs: Any = gymnasium.make_vec(f"outwit/{name}-v0", num_envs=300, level=level)
    observations, infos = envs.reset(seed=7)
    assert observations in envs.observation_space
    alone: Any = gymnasium.make(f"outwit/{name}-v0", level=level).unwrapped
    alone.reset(seed=0)
    dice = np.random.default_rng(5)
    begun = envs.unwrapped.batch.seeds.copy()
    assert begun.tolist() == list(range(7, 307))
    watched = 299
    alone._batch.reset(int(begun[watched]))
    for _ in range(60):
        actions = dice.integers(envs.single_action_space.n, size=300)
        was_over = bool(alone._batch.is_over[0])
        observations, rewards, over, truncated, infos = envs.step(actions)
        assert not truncated.any() and rewards.shape == over.shape == (300,)
        if was_over:
            assert rewards[watched] == 0
            break
        seen, reward, ended, _, info = alone.step(actions[watched])
        assert (reward, ended) == (rewards[watched], over[watched])
        assert (info["action_mask"] == infos["action_mask"][watched]).all()
        for part in seen:
            assert (seen[part] == observations[part][watched]).all()


@pytest.mark.parametrize("level", ["mnk/3x3x3", "mnk/4x3x3", "mnk/7x7x4", "mnk/6x5x4", outwit.levels("mnk")[-1]])
def test_pettingzoo_accepts_k_in_a_row(level: str) -> None:
    env = outwit.zoo.KInRow(level, render_mode="ansi")
    api_test(env, num_cycles=200)
    seed_test(lambda: outwit.zoo.KInRow(level), num_cycles=50)
    render_test(lambda render_mode: outwit.zoo.KInRow(level, render_mode=render_mode), RENDERED)


@pytest.mark.parametrize("level", outwit.levels("racetrack")[:5])
def test_pettingzoo_accepts_races(level: str) -> None:
    api_test(outwit.zoo.Race(level, cars=2, render_mode="ansi"), num_cycles=200)
    seed_test(lambda: outwit.zoo.Race(level, cars=2), num_cycles=50)
    render_test(lambda render_mode: outwit.zoo.Race(level, render_mode=render_mode), RENDERED)


@pytest.mark.parametrize("level", ["cops/tiny", "cops/default", "cops/corridors", "cops/four-gates", "cops/no-exit"])
def test_pettingzoo_accepts_cops_and_robber(level: str) -> None:
    level = level if level in outwit.levels() else outwit.levels("cops")[-1]
    parallel_api_test(outwit.zoo.CopsAndRobber(level, render_mode="ansi"), num_cycles=200)
    parallel_seed_test(lambda: outwit.zoo.CopsAndRobber(level), num_cycles=50)
    render_test(lambda render_mode: parallel_to_aec(outwit.zoo.CopsAndRobber(level, render_mode=render_mode)), RENDERED)


FAR_APART = """(
    format: "cops 1", name: "Far apart", author: "Outwit", about: "They cannot meet in four plans.",
    rules: (cops: 1, gates: 0, walls: 0, k: 3, ticks: 100),
    map: ["{border}", "=T{free}.=", "=.{free}C=", "=.{free}.=", "{border}"],
)
""".format(border="=" * 42, free="." * 38)


def test_matches_are_truncated() -> None:
    level = outwit.Level.open(FAR_APART)

    def parallel_env(max_cycles: int) -> outwit.zoo.CopsAndRobber:
        return outwit.zoo.CopsAndRobber(level, max_cycles=max_cycles)

    def env(max_cycles: int) -> Any:
        return parallel_to_aec(parallel_env(max_cycles))

    max_cycles_test(SimpleNamespace(parallel_env=parallel_env, env=env))


RENDERED = {
    "ansi": lambda picture: isinstance(picture, str),
    "rgb_array": lambda picture: isinstance(picture, np.ndarray) and picture.ndim == 3,
}


def test_seeds_decide_the_pursuit() -> None:
    def played(seed: int) -> list[Any]:
        env = outwit.zoo.CopsAndRobber("cops/tiny")
        observations, _ = env.reset(seed=seed)
        seen = [observations["thief"]]
        for agent in env.possible_agents:
            env.action_space(agent).seed(seed)
        while env.agents:
            actions = {agent: env.action_space(agent).sample() for agent in env.agents}
            observations, rewards, _, _, _ = env.step(actions)
            assert env.agents or sum(rewards.values()) == 0
            seen.append(observations["thief"])
        return seen

    assert all(np.array_equal(a, b) for a, b in zip(played(3), played(3), strict=True))
    assert not np.array_equal(played(3)[0], played(4)[0])


def test_what_is_played_by_numbers_is_what_the_rules_play() -> None:
    """The position that the rules lead to, from the same seed by the same actions, is the one of the arrays."""
    for level in outwit.levels("cops"):
        env = outwit.zoo.CopsAndRobber(level)
        env.reset(seed=2)
        for agent in env.possible_agents:
            env.action_space(agent).seed(2)
        rewards: dict[str, float] = {}
        while env.agents:
            _, rewards, _, _, _ = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
            assert symbols(env) == env.state_now.board
        places = env.state_now.outcome and env.state_now.outcome["places"]
        assert places and list(rewards.values()) == [place["score"] for place in places]
    for make, level in [(outwit.zoo.KInRow, level) for level in outwit.levels("mnk")] + [
        (outwit.zoo.Race, level) for level in outwit.levels("racetrack")
    ]:
        env = make(level)
        env.reset(seed=2)
        for _ in range(60):
            agent = env.agent_selection
            env.action_space(agent).seed(len(level))
            mask = env.observe(agent)["action_mask"]
            env.step(env.action_space(agent).sample(mask))
            assert env.state_now.is_over == bool(env._batch.is_over[0])
            if env.state_now.is_over:
                break
            assert env.state_now.to_move == [env.agent_selection]


def symbols(env: Any) -> str:
    """The board of an environment, by the symbols that its state uses."""
    top = dict(zip(env.planes, "=#|GCT", strict=True))
    rows = np.full(env._batch.planes.shape[2:], ".")
    for plane, symbol in zip(env._batch.planes[0], top.values(), strict=True):
        rows[plane == 1] = symbol
    return "\n".join("".join(row) for row in rows)


def test_illegal_actions_are_refused_turn_by_turn() -> None:
    env = outwit.zoo.KInRow("mnk/3x3x3")
    env.reset()
    env.step(4)
    for action in 4, 9:
        with pytest.raises(outwit.Error, match="o: the action .* is not legal"):
            env.step(action)
    assert env.agent_selection == "o"


def test_a_level_of_another_game_is_refused() -> None:
    for make in outwit.envs.Racetrack, outwit.zoo.KInRow, outwit.zoo.CopsAndRobber, outwit.zoo.Race:
        with pytest.raises(outwit.Error, match="is a level of stealth"):
            make("stealth/01-way-in")


def test_their_examples_run() -> None:
    for module in outwit.envs, outwit.zoo:
        results = doctest.testmod(module)
        assert results.failed == 0 and results.attempted >= 3
