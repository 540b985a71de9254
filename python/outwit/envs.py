"""Environments of Gymnasium for the games of one player. Importing this module registers them.

>>> import gymnasium
>>> import outwit.envs
>>> env = gymnasium.make("outwit/Pukoban-v0", level="pukoban/01-first-push")
>>> observation, info = env.reset(seed=1)
>>> observation["planes"].shape, env.action_space
((4, 6, 6), Discrete(8))

The observation is a dictionary. ``planes`` is an array of 0 and 1 with one plane for each name in
``env.unwrapped.planes``, as planes × rows × columns. Racetrack has ``numbers`` too, named in ``env.unwrapped.numbers``:
the velocity, in cells per turn, and the gates passed. ``info["action_mask"]`` has 1 for each legal action, and
``env.unwrapped.state`` is the position as an :class:`outwit.State`, with the whole episode behind it.

======================  ==============================================  ==========================================
environment             actions                                         reward
======================  ==============================================  ==========================================
``outwit/Racetrack-v0`` accelerations, from (-1,-1) row by row to (1,1)  minus the time: -1 per turn, less in the last;
                                                                        -1000 for a race that ends without a finish
``outwit/Pukoban-v0``   walks and pushes left, right, up and down, and  minus what counts, steps or box moves
                        then the pulls
``outwit/Stealth-v0``   ``u d l r``, and 4 to stop                      minus the fitness of the path at its end
======================  ==============================================  ==========================================

``outwit/RaceAgainst-v0`` is Racetrack against planners, with the same actions and rewards.

The return of an episode is minus its score, so the best possible one is what ``level.solve()`` says. With
``reward="loss"`` each reward in Racetrack is what the turn lost against perfect play, by the exact table of the track:
0 for a perfect turn. With ``reward="progress"`` a turn also earns what it has come nearer: in Racetrack by the steps of
the shortest way over the gates that are left, in Pukoban by the least sum of moves of all boxes to goals of their own.
What is best stays best, since an episode that ends at the goal earns the distance of its start once. An illegal action
counts as the default: a car brakes, a worker stays where it is for a reward of -1, a thief stops.

Many copies at once, without Python in between, over all cores:

>>> envs = gymnasium.make_vec("outwit/Racetrack-v0", num_envs=100, level="racetrack/tiny")
>>> observations, infos = envs.reset(seed=1)
>>> observations["planes"].shape, infos["action_mask"].shape
((100, 14, 10, 16), (100, 9))

``copy.deepcopy(env)`` copies an environment with its episode. ``RaceAgainst`` cannot be copied, because of its
planners. For searches ``env.unwrapped.state`` is quicker: it never changes, so it need not be copied.

A copy whose episode has ended begins the next one in the step after, as in Gymnasium's own vector environments.

Who wants one array instead of a dictionary wraps an environment: a plane full of its value for each of the numbers
follows the other planes.

>>> env = ArrayObservation(gymnasium.make("outwit/Racetrack-v0", level="racetrack/tiny"))
>>> env.reset(seed=1)[0].shape
(17, 10, 16)
>>> VectorArrayObservation(envs).reset(seed=1)[0].shape
(100, 17, 10, 16)
"""

from __future__ import annotations

import operator
import os
import reprlib
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorEnv, VectorObservationWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._outwit import Batch, Error, Level, Referee, State, tiles

Observation = dict[str, NDArray[Any]]
Source = Level | str | os.PathLike[str]


def _level(source: Source | None, game: str, first: str = "") -> Level:
    """The level of an environment; ``first`` if none is given."""
    source = first if source is None else source
    level = source if isinstance(source, Level) else Level.open(source)
    if level.game != game:
        raise Error(f"{level} is a level of {level.game}; this environment is for {game}")
    return level


def _number(action: Any, choices: int) -> int:
    """An action as a whole number, of NumPy too."""
    try:
        number = operator.index(action)
    except TypeError:
        number = -1
    if not 0 <= number < choices:
        raise Error(f"an action is a whole number from 0 to {choices - 1}, not {reprlib.repr(action)}")
    return number


def _observation_space(batch: Batch) -> Any:
    """What a seat sees of a match of a batch."""
    observed: dict[str, spaces.Space[Any]] = {"planes": spaces.Box(0, 1, batch.planes.shape[1:], np.uint8)}
    if batch.number_ranges:
        least, most = (np.array([number[at] for number in batch.number_ranges], np.int32) for at in (1, 2))
        observed["numbers"] = spaces.Box(least, most, dtype=np.int32)
    return spaces.Dict(observed)


def _observed(batch: Batch) -> Observation:
    """What was seen last, of all copies."""
    return {"planes": batch.planes, "numbers": batch.numbers} if batch.number_ranges else {"planes": batch.planes}


def _array_space(observed: Any) -> Any:
    """The space of what :func:`_as_array` returns."""
    least, most = ({name: getattr(space, end) for name, space in observed.items()} for end in ("low", "high"))
    return spaces.Box(_as_array(least), _as_array(most), dtype=np.float32)


def _as_array(observed: Observation) -> NDArray[np.float32]:
    """The planes, and one for each of the numbers."""
    planes = observed["planes"].astype(np.float32)
    numbers = observed.get("numbers")
    if numbers is None:
        return planes
    shape = (*numbers.shape, *planes.shape[-2:])
    filled = np.broadcast_to(numbers.astype(np.float32)[..., None, None], shape)
    return np.concatenate([planes, filled], axis=-3)


class ArrayObservation(gymnasium.ObservationWrapper[NDArray[np.float32], np.int64, Observation], RecordConstructorArgs):
    """Makes one array of the observations of an environment of this module: planes × rows × columns."""

    def __init__(self, env: gymnasium.Env[Observation, np.int64]) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.ObservationWrapper.__init__(self, env)
        self.observation_space = _array_space(env.observation_space)

    def observation(self, observation: Observation) -> NDArray[np.float32]:
        """The array for a dictionary."""
        return _as_array(observation)


class VectorArrayObservation(VectorObservationWrapper):
    """Makes one array of the observations of copies: copies × planes × rows × columns."""

    def __init__(self, env: VectorEnv[Observation, NDArray[Any], NDArray[Any]]) -> None:
        super().__init__(env)
        self.single_observation_space = _array_space(env.single_observation_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def observations(self, observations: Observation) -> NDArray[np.float32]:
        """The array for a dictionary."""
        return _as_array(observations)


class OnePlayer(gymnasium.Env[Observation, np.int64]):
    """What the environments have in common."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}
    game: ClassVar[str]
    first_level: ClassVar[str]
    planes: tuple[str, ...]
    """What each plane of the observation shows."""
    level: Level
    render_mode: str | None

    @property
    def state(self) -> State:
        """The position, with the whole episode behind it."""
        raise NotImplementedError

    def render(self) -> Any:
        """The board as text, one character per cell, or as pixels."""
        if self.render_mode is None:
            return None
        state = self._shown()
        return state.board if self.render_mode == "ansi" else state.pixels()

    def _shown(self) -> State:
        return self.state


class _Numbered(OnePlayer):
    """A game that is played by numbers."""

    def __init__(self, level: Source | None = None, *, render_mode: str | None = None, reward: str = "result") -> None:
        self.level = _level(level, self.game, self.first_level)
        self.render_mode = render_mode
        self._batch = Batch(self.level, 1, reward=reward, threads=1)
        self.planes = tuple(self._batch.plane_names)
        self.numbers = tuple(name for name, _, _ in self._batch.number_ranges)
        """What each number of the observation is."""
        self._choices = self._batch.choices[0][0]
        self.action_space = spaces.Discrete(self._choices)
        self.observation_space = _observation_space(self._batch)
        self._batch.reset(1)
        self._look()
        self._state = self.level.start(1)
        self._actions: list[int] = []

    def _look(self) -> None:
        """Keeps the arrays of the batch, which each step writes."""
        batch = self._batch
        self._seen = {name: array[0] for name, array in _observed(batch).items()}
        self._legal, self._rewards, self._is_over = batch.masks[0], batch.rewards[0], batch.is_over

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A copy looks at the arrays of its own batch.
        self.__dict__.update(state)
        self._look()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins another match. The seed decides all that is random in it."""
        super().reset(seed=seed, options=options)
        self._batch.reset(int(self.np_random.integers(2**32)))
        self._state = self.level.start(int(self._batch.seeds[0]))
        self._actions = []
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a turn."""
        if self._is_over[0]:
            raise Error("the episode is over: call reset()")
        number = _number(action, self._choices)
        self._batch.step(number)
        self._actions.append(number)
        over = bool(self._is_over[0])
        return self._observation(), float(self._rewards[0]), over, False, self._info()

    @property
    def state(self) -> State:
        """The position, with the whole episode behind it."""
        for action in self._actions:
            self._state = self._stepped(self._state, action)
        self._actions = []
        return self._state

    def _observation(self) -> Observation:
        return {name: array.copy() for name, array in self._seen.items()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._legal.copy()}

    @staticmethod
    def _stepped(state: State, action: int) -> State:
        """The state after an action, as the batch plays it."""
        raise NotImplementedError


class Racetrack(_Numbered):
    """A car alone on a track."""

    game = "racetrack"
    first_level = "racetrack/first-lap"

    @staticmethod
    def _stepped(state: State, action: int) -> State:
        choice = {"x": action % 3 - 1, "y": action // 3 - 1}
        return state.step(choice if state.is_legal(choice) else state.default_action())


class RaceAgainst(OnePlayer):
    """A car on a track against planners, or whoever else :func:`outwit.play` knows by name, each with ``budget``.

    The observation is that of :class:`Racetrack`, with one more plane for the other cars. When the episode ends, all
    cars have ended their races, and ``info["places"]`` says how, as in :attr:`outwit.State.outcome`.
    """

    game = "racetrack"
    first_level = "racetrack/first-lap"

    def __init__(
        self,
        level: Source | None = None,
        *,
        opponents: Sequence[str] = ("rival",),
        budget: str = "2000w",
        render_mode: str | None = None,
    ) -> None:
        if not opponents:
            raise Error("name an opponent; in Racetrack-v0 a car is alone")
        self.level = _level(level, self.game, self.first_level)
        self.render_mode = render_mode
        self.budget = budget
        self._players: dict[str, str | None] = {"car1": None}
        self._players |= {f"car{number}": name for number, name in enumerate(opponents, 2)}
        batch = Batch(self.level, 1, seats=len(self._players), threads=1)
        batch.reset(1)
        self.planes = tuple(batch.plane_names)
        self.action_space = spaces.Discrete(9)
        self.observation_space = _observation_space(batch)
        self._fixed = batch.planes[0, :-2].copy()
        self._begin(1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins another race. The seed draws the start cells, and decides what planners draw."""
        super().reset(seed=seed, options=options)
        self._begin(int(self.np_random.integers(2**32)))
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Drives, and then the others do."""
        if self._question is None:
            raise Error("the episode is over: call reset()")
        before = self._cars[0]["turns"]
        number = _number(action, 9)
        choice = {"x": number % 3 - 1, "y": number // 3 - 1}
        self._referee.choose("car1", choice if choice in self._question["actions"] else self._question["default"])
        self._go_on()
        car = self._cars[0]
        if self._question is not None:
            reward = float(before - car["turns"])
        elif "Finished" in car["standing"]:
            reward = before - self._places[0]["score"]
        else:
            reward = -1000.0
        return self._observation(), reward, self._question is None, False, self._info()

    @property
    def state(self) -> State:
        """The position, with the whole episode behind it."""
        return self._referee.replay().states[-1]

    def _begin(self, seed: int) -> None:
        self._referee = Referee(self.level, self._players, self.budget, seed)
        self._go_on()

    def _go_on(self) -> None:
        """Lets the others drive until it is this car's turn or the race is over."""
        self._places: list[dict[str, Any]] = []
        self._question = self._referee.question("car1") if self._referee.run() else None
        if self._question is not None:
            self._cars = self._question["observation"]["race"]["cars"]
        else:
            last = self.state
            self._cars, self._places = last.to_dict()["cars"], (last.outcome or {}).get("places", [])

    def _observation(self) -> Observation:
        moving = np.zeros((2, *self._fixed.shape[1:]), np.uint8)
        for number, car in enumerate(self._cars):
            x, y = car["cell"]["x"], car["cell"]["y"]
            # A car that has finished may stand beside the map.
            if 0 <= y < moving.shape[1] and 0 <= x < moving.shape[2]:
                moving[min(number, 1), y, x] = 1
        own = self._cars[0]
        numbers = np.array([own["velocity"]["x"], own["velocity"]["y"], own["progress"]], np.int32)
        return {"planes": np.concatenate([self._fixed, moving]), "numbers": numbers}

    def _info(self) -> dict[str, Any]:
        actions = self._question["actions"] if self._question else []
        legal = [{"x": number % 3 - 1, "y": number // 3 - 1} in actions for number in range(9)]
        return {"action_mask": np.array(legal, np.int8)} | ({"places": self._places} if self._places else {})


class Pukoban(_Numbered):
    """A puzzle of boxes that are pushed and pulled."""

    game = "pukoban"
    first_level = "pukoban/01-first-push"

    @staticmethod
    def _stepped(state: State, action: int) -> State:
        step = "lrud<>^v"[action]
        return state.step(step) if state.is_legal(step) else state


class Stealth(OnePlayer):
    """A thief's way past guards, chosen step by step.

    The planes are those of the tiles, as far as the thief knows the house, and then the path so far, the thief, the
    guards on patrol, and where they will be after the next move.
    """

    game = "stealth"
    first_level = "stealth/01-way-in"
    _moves: ClassVar = list("udlr")
    _ways: ClassVar = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}

    def __init__(self, level: Source | None = None, *, render_mode: str | None = None) -> None:
        self.level = _level(level, self.game, self.first_level)
        self.render_mode = render_mode
        self.rows, self.columns = len(self.level.map), max(map(len, self.level.map))
        self._tiles = tiles(self.game)
        self.planes = (*self._tiles.values(), "Path", "Thief", "Patrol", "Patrol next")
        self._still = self._of_tiles(self.level.map)
        self._path = ""
        self._foggy = self.level.rules["sight"] is not None
        self.action_space = spaces.Discrete(5)
        shape = (len(self.planes), self.rows, self.columns)
        observed: Any = spaces.Dict({"planes": spaces.Box(0, 1, shape, np.uint8)})
        self.observation_space = observed
        self._go_to(self.level.start())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins another path."""
        super().reset(seed=seed, options=options)
        self._go_to(self.level.start(int(self.np_random.integers(2**32))))
        return self._observation(), {"action_mask": self._mask()}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Goes on or stops."""
        if self.state.is_over:
            raise Error("the episode is over: call reset()")
        move = [*self._moves, ""][_number(action, 5)]
        move = move if self._can(move) else ""
        # Without fog the rules take a whole path at once.
        path = self._path + move
        is_stuck = not any(self._can(move + another) for another in self._moves)
        if self._foggy or not move or is_stuck:
            self._go_to(self.state.step(path))
        else:
            self._path = path
        outcome = self.state.outcome
        fitness = outcome["places"][0]["score"] if outcome else None
        reward = 0.0 if fitness is None else -fitness
        return self._observation(), reward, self.state.is_over, False, {"action_mask": self._mask()}

    @property
    def state(self) -> State:
        """The position; without fog, it is the start until the path ends."""
        return self._state

    def _shown(self) -> State:
        return self.state.step(self._path) if self._path else self.state

    def _go_to(self, state: State) -> None:
        self._state = state
        self._path = ""
        self._seen = state.observe("thief")

    def _can(self, moves: str) -> bool:
        return self.state.is_legal(self._path + moves, "thief")

    def _observation(self) -> Observation:
        seen = self._seen
        known = self._of_tiles(seen["known"]["map"]) if seen["known"] else self._still
        cells = list(seen["path"])
        for move in self._path:
            x, y = self._ways[move]
            cells.append({"x": cells[-1]["x"] + x, "y": cells[-1]["y"] + y})
        moves, patrols = len(cells) - 1, seen["patrols"]
        at = [[loop[(moves + later) % len(loop)] for loop in patrols] for later in (0, 1)]
        pieces = np.zeros((4, self.rows, self.columns), np.uint8)
        for plane, marked in zip(pieces, (cells, cells[-1:], *at), strict=True):
            for cell in marked:
                plane[cell["y"], cell["x"]] = 1
        return {"planes": np.concatenate([known, pieces])}

    def _of_tiles(self, rows: list[str]) -> NDArray[np.uint8]:
        """A plane for each tile of the game."""
        symbols = np.array([list(row.ljust(self.columns)) for row in rows])
        return np.stack([symbols == tile for tile in self._tiles]).astype(np.uint8)

    def _mask(self) -> NDArray[np.int8]:
        over = self.state.is_over
        return np.array([*(not over and self._can(move) for move in self._moves), not over], np.int8)


class Copies(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """Many copies of an environment that are played without Python in between, over ``threads`` cores; without a
    number, over all.

    What it returns is copied, unless ``copy=False``: then each step writes into the same arrays.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        env: type[_Numbered],
        num_envs: int,
        level: Source | None = None,
        *,
        reward: str = "result",
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise Error("copies of an environment are not rendered: render one of its own")
        self.level = _level(level, env.game, env.first_level)
        self.batch = Batch(self.level, num_envs, reward=reward, threads=threads)
        """The matches themselves."""
        self.num_envs = num_envs
        self.copy = copy
        self.single_observation_space = _observation_space(self.batch)
        self.single_action_space = spaces.Discrete(self.batch.choices[0][0])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._truncated = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins all matches: with this seed and those after it, or with a seed for each."""
        if seed is None:
            seed = int(self.np_random.integers(2**32))
        self.batch.reset(seed)
        return self._observations(), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays a turn of each match; one that was over begins again instead."""
        self.batch.step(actions)
        rewards, over = self._own(self.batch.rewards[:, 0]), self._own(self.batch.is_over)
        return self._observations(), rewards, over, self._own(self._truncated), self._infos()

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _observations(self) -> Observation:
        return {name: self._own(array) for name, array in _observed(self.batch).items()}

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._own(self.batch.masks)}


def racetracks(num_envs: int, **options: Any) -> Copies:
    """Many copies of :class:`Racetrack`, as ``gymnasium.make_vec`` makes them."""
    return Copies(Racetrack, num_envs, **options)


def pukobans(num_envs: int, **options: Any) -> Copies:
    """Many copies of :class:`Pukoban`, as ``gymnasium.make_vec`` makes them."""
    return Copies(Pukoban, num_envs, **options)


for _name, _copies in (
    ("Racetrack", "racetracks"),
    ("Pukoban", "pukobans"),
    ("Stealth", None),
    ("RaceAgainst", None),
):
    gymnasium.register(
        f"outwit/{_name}-v0",
        entry_point=f"outwit.envs:{_name}",
        vector_entry_point=f"outwit.envs:{_copies}" if _copies else None,
    )
