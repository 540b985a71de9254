"""Environments of PettingZoo for the games of two players and more.

:class:`KInRow` and :class:`Race` are played turn by turn, :class:`CopsAndRobber` by both sides at the same time.

>>> from outwit.zoo import CopsAndRobber, KInRow
>>> env = KInRow("mnk/3x3x3")
>>> env.reset(seed=1)
>>> env.step(4)
>>> env.agent_selection, env.observe("o")["observation"].shape
('o', (2, 3, 3))

The names of the planes stand in ``env.planes``. ``env.state_now`` is the position as an :class:`outwit.State`.
"""

from __future__ import annotations

import reprlib
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from ._outwit import Batch, Error, State
from .envs import Source, _level, _number, _observation_space


class _Played:
    """A match that is played by numbers."""

    render_mode: str | None

    def _open(self, level: Source, game: str, seats: int | None, render_mode: str | None) -> None:
        self.level = _level(level, game)
        self.render_mode = render_mode
        self._batch = Batch(self.level, 1, seats=seats, threads=1)
        self.possible_agents = self._batch.seats
        self.agents: list[str] = []
        self.planes = tuple(self._batch.plane_names)
        """What each plane of an observation shows."""
        self.dice = np.random.default_rng()
        self._batch.reset(1)
        self._begun()

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            if seed < 0:
                raise Error(f"seed is a whole number from 0 on, not {seed}")
            self.dice = np.random.default_rng(seed)
        self._batch.reset(int(self.dice.integers(2**32)))
        self._begun()

    def _begun(self) -> None:
        self._state = self.level.start(int(self._batch.seeds[0]), len(self.possible_agents))
        self._actions: list[Any] = []

    def _play(self, action: Any) -> None:
        self._batch.step(action)
        self._actions.append(action)

    @property
    def state_now(self) -> State:
        """The position, with the whole episode behind it."""
        for action in self._actions:
            self._state = self._stepped(self._state, action)
        self._actions = []
        return self._state

    def _stepped(self, state: State, action: Any) -> State:
        raise NotImplementedError

    def render(self) -> Any:
        """The board as text, one character per cell, or as pixels."""
        if self.render_mode == "ansi":
            return self.state_now.board
        return self.state_now.pixels() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Nothing is left open."""


class _TurnByTurn(_Played, AECEnv):  # type: ignore[misc]
    """A game in which one seat chooses at a time."""

    def __init__(self, level: Source, game: str, seats: int | None, render_mode: str | None) -> None:
        super().__init__()
        self._open(level, game, seats, render_mode)
        self._choices = self._batch.choices[0][0]
        seen = dict(_observation_space(self._batch).spaces)
        observed = {
            "observation": seen.pop("planes"),
            "action_mask": spaces.Box(0, 1, (self._choices,), np.int8),
            **seen,
        }
        self.observation_spaces = {agent: spaces.Dict(observed) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self._choices) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins another match. The seed decides all that is random in it."""
        self._begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._mover()

    def step(self, action: int | None) -> None:
        """Plays the turn of the selected agent."""
        if not self.agents:
            raise Error("no match is running: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise Error(f"{agent} has to choose: give an action")
        number = _number(action, self._choices)
        if not self._batch.masks[0, number]:
            raise Error(f"{agent}: the action {number} is not legal now; the action_mask shows those that are")
        self._cumulative_rewards[agent] = 0.0
        self._play(number)
        rewards = self._batch.rewards[0]
        self.rewards = {agent: float(rewards[self.possible_agents.index(agent)]) for agent in self.agents}
        if self._batch.is_over[0]:
            self.terminations = dict.fromkeys(self.agents, True)
            after = self.agents.index(agent) + 1
            self.agent_selection = self.agents[after % len(self.agents)]
        else:
            self.agent_selection = self._mover()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees, and what it may choose if it is its turn."""
        planes, numbers = self._batch.observe(0, agent)
        is_mover = not self._batch.is_over[0] and agent == self._mover()
        mask = self._batch.masks[0].copy() if is_mover else np.zeros(self._choices, np.int8)
        seen: dict[str, NDArray[Any]] = {"observation": planes, "action_mask": mask}
        return seen | {"numbers": numbers} if self._batch.number_ranges else seen

    def _mover(self) -> str:
        mover: str = self.possible_agents[self._batch.movers[0]]
        return mover


class KInRow(_TurnByTurn):
    """k in a row.

    An action is a cell, counted row by row, or one of the last three: to keep or swap the stones, or to place two more,
    where the level has such an opening. An observation has the ``observation``, two planes of rows and columns with the
    agent's own stones and those of the other, and the ``action_mask``. The reward at the end is 1, 0 or -1.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "outwit/KInRow-v0",
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 1,
        "is_parallelizable": False,
    }
    _others: ClassVar = ["Keep", "Swap", "TwoMore"]

    def __init__(self, level: Source = "mnk/3x3x3", *, render_mode: str | None = None) -> None:
        super().__init__(level, "mnk", None, render_mode)

    def _stepped(self, state: State, action: Any) -> State:
        columns = len(self.level.map[0])
        cells = columns * len(self.level.map)
        if action >= cells:
            return state.step(self._others[action - cells])
        return state.step({"Place": {"x": action % columns, "y": action // columns}})


class Race(_TurnByTurn):
    """Racetrack with several cars, which move one after the other.

    An action is an acceleration, from (-1,-1) row by row to (1,1). An observation has the ``observation``, the planes
    of the track, of the agent's own car and of the others; the ``numbers``, its velocity in cells per turn and the
    gates that it has passed; and the ``action_mask``. Rewards add up to minus the time of a car, and -1000 is the
    reward for a race that ends without a finish.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "outwit/Race-v0",
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
        "is_parallelizable": False,
    }

    def __init__(self, level: Source = "racetrack/first-lap", *, cars: int = 2, render_mode: str | None = None) -> None:
        super().__init__(level, "racetrack", cars, render_mode)

    def _stepped(self, state: State, action: Any) -> State:
        return state.step({"x": action % 3 - 1, "y": action // 3 - 1})


class CopsAndRobber(_Played, ParallelEnv):  # type: ignore[misc]
    """Cops and robber: the thief and the cops plan at the same time, until an exit is reached or the thief is caught.

    An action has a number for each step of each piece, one cop after the other: stay, right, down, left, up. Both see
    the same planes. The reward at the end is the payoff of the pursuit; what one side gets, the other loses. After
    ``max_cycles`` plans, if that is given, the match is truncated.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "outwit/CopsAndRobber-v0",
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self, level: Source = "cops/default", *, max_cycles: int | None = None, render_mode: str | None = None
    ) -> None:
        if max_cycles is not None and max_cycles < 1:
            raise Error(f"max_cycles is at least 1, not {max_cycles}")
        self._open(level, "cops", None, render_mode)
        self.max_cycles = max_cycles
        self._cycles = 0
        planes = spaces.Box(0, 1, self._batch.planes.shape[1:], np.uint8)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(self.possible_agents, planes)
        self._choices = dict(zip(self.possible_agents, self._batch.choices, strict=True))
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.MultiDiscrete(choices) for agent, choices in self._choices.items()
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the actions of an agent."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.uint8]], dict[str, dict[str, Any]]]:
        """Begins another match. The seed decides all that is random in it."""
        self._begin(seed)
        self._cycles = 0
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, NDArray[np.int64]]
    ) -> tuple[
        dict[str, NDArray[np.uint8]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Both carry out their plans, while walls and gates move."""
        agents = self.agents
        if not agents:
            raise Error("no match is running: call reset()")
        missing = [agent for agent in agents if agent not in actions]
        if missing:
            raise Error(f"the actions of {', '.join(missing)} are missing: give a dict of the actions of all agents")
        self._play([number for agent in agents for number in self._numbers(agent, actions[agent])])
        self._cycles += 1
        over = bool(self._batch.is_over[0])
        cut = not over and self._cycles == self.max_cycles
        rewards = {agent: float(reward) for agent, reward in zip(agents, self._batch.rewards[0], strict=True)}
        self.agents = [] if over or cut else agents
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        return self._observations(), rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    def _numbers(self, agent: str, action: Any) -> list[int]:
        """The action of an agent, step by step."""
        choices = self._choices[agent]
        if np.shape(action) != (len(choices),):
            raise Error(f"{agent}: an action has {len(choices)} numbers, not {reprlib.repr(action)}")
        return [_number(step, most) for step, most in zip(action, choices, strict=True)]

    def _observations(self) -> dict[str, NDArray[np.uint8]]:
        return {agent: self._batch.planes[0].copy() for agent in self.possible_agents}

    def _stepped(self, state: State, action: Any) -> State:
        k = self.level.rules["k"]
        steps = "".join(".RDLU"[step] for step in action)
        plans = [steps[start : start + k] for start in range(0, len(steps), k)]
        state = state.step({"thief": plans[:1], "cops": plans[1:]})
        while not state.is_over and not state.to_move:
            state = state.step()
        return state
