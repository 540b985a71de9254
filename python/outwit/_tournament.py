"""Tournaments between planners, programs and Python functions, on this machine or on many."""

from __future__ import annotations

import copy
import itertools
import os
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

from ._bot import Bot
from ._outwit import Error, Level, Referee, Replay, csv, standings
from ._outwit import check_player as check_planner
from ._play import Player, check_player, conduct
from ._progress import Bar

TRIES = 3
"""How often a game is begun before it counts as not played."""
MOST_GAMES = 1_000_000
"""More games than this are surely a typo."""


class Executor(Protocol):
    """What has the interface of ``concurrent.futures.Executor``, as far as a tournament needs it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Plans a call, and returns a future with the methods ``result`` and ``cancel``."""


@dataclass(frozen=True)
class Game:
    """A game of a tournament."""

    level: str
    """The name of its level."""
    seed: int
    """Its seed."""
    players: dict[str, str]
    """The names of the players, by seat."""
    outcome: dict[str, Any] | None
    """The result, as in :attr:`Match.outcome`; ``None`` if it was broken off or not played."""
    turns: int
    """How many turns were played."""
    digest: int
    """That of the last position; see :attr:`State.digest`."""
    stats: dict[str, dict[str, Any]] = field(repr=False)
    """How each seat behaved, as in :attr:`Match.stats`. The ``fault`` of a function is what it raised."""
    not_played: str | None
    """Why no worker has played it; ``None`` if one has."""
    text: str = field(repr=False)
    """The text of its replay file; empty if it was not played."""
    level_id: str = field(repr=False)
    """The id of its level; empty if that was read from a text."""

    @property
    def replay(self) -> Replay:
        """The game as a replay."""
        if self.not_played is not None:
            raise Error(f"the game on {self.level} with seed {self.seed} was not played: {self.not_played}")
        return Replay._read(self.text, self.level_id)

    @property
    def places(self) -> list[dict[str, Any]]:
        """The ``rank``, ``score`` and ``ending`` of each seat."""
        if self.outcome is not None:
            places: list[dict[str, Any]] = self.outcome["places"]
            return places
        rank, ending = (1, "unfinished") if self.not_played is None else (None, "not played")
        return [{"rank": rank, "score": None, "ending": ending} for _ in self.players]


@dataclass(frozen=True, repr=False)
class Tournament:
    """The games of a tournament and what they add up to. All tables are lists of flat dictionaries."""

    games: list[Game]
    """All games, by level, seed and line-up."""
    standings: list[dict[str, Any]]
    """How each player did, the best first: its ``place``, its ``rating`` with half the width ``ci95`` of the 95 %
    interval, ``points``, ``games``, comparisons ``won``, ``drawn`` and ``lost``, turns that were ``late``, ``illegal``
    actions, and the games in which it ``failed``.

    A comparison is a game that two players played together, or, where each plays alone, their games on the same level
    and seed. Ratings are on the scale of Elo, by the model of Bradley and Terry, and account for seats. Where all games
    of a line-up are equal, one of them is rated.
    """
    means: list[dict[str, Any]]
    """What each player got on each seat of each level: the ``mean`` of its scores with half the width ``ci95`` of the
    95 % interval, over so many ``games``, ``without`` those in which it had no score.
    """

    def __repr__(self) -> str:
        players = ", ".join(str(standing["player"]) for standing in self.standings)
        return f"<Tournament of {len(self.games)} games: {players}>"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row for each seat of each game: ``level``, ``seed``, ``seat``, ``player``, ``turns``, ``rank``,
        ``score``, ``ending``, turns that were ``late``, ``illegal`` actions, units of ``work``, the ``fault`` that
        ended the game, and the ``digest`` of the last position. ``pandas.DataFrame(result.rows)`` is a data frame.

        Without budgets of time the rows are the same on every machine.
        """
        return [row for game in self.games for row in _rows(game)]

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Writes the rows as CSV to a file, or returns them as a text if there is no path."""
        text = csv(self.rows)
        if path is None:
            return text
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return None


def _rows(game: Game) -> Iterator[dict[str, Any]]:
    for (seat, player), place in zip(game.players.items(), game.places, strict=True):
        stats = game.stats.get(seat, {})
        yield {
            "level": game.level,
            "seed": game.seed,
            "seat": seat,
            "player": player,
            "turns": game.turns,
            "rank": place["rank"],
            "score": place["score"],
            "ending": place["ending"],
            "late": stats.get("overruns", 0),
            "illegal": stats.get("illegal", 0),
            "work": stats.get("work", 0),
            "fault": game.not_played or stats.get("fault") or stats.get("panic"),
            "digest": game.digest,
        }


@dataclass(frozen=True)
class _Task:
    """A game to be played."""

    level: Level
    name: str
    seed: int
    budget: str
    players: dict[str, str]
    seats: dict[str, Player]

    def not_played(self, why: BaseException) -> Game:
        """The game if no worker has played it."""
        return Game(self.name, self.seed, self.players, None, 0, 0, {}, _words(why), "", self.level.id)


def _words(why: BaseException) -> str:
    """An exception in one line."""
    return traceback.format_exception_only(type(why), why)[-1].strip()


def _fresh(player: Player) -> Player:
    """The player for one game: a bot remembers its match, and may play several at a time."""
    if not isinstance(player, Bot):
        return player
    try:
        return copy.deepcopy(player)
    except Exception as why:
        raise Error(f"{type(player).__name__} cannot be copied for each game: {why}") from why


def _play(task: _Task, attempt: int = 1) -> Game:
    """Plays a game, wherever this is called. Another attempt is another task for executors that know equal ones."""
    faults: dict[str, str] = {}

    def failed(referee: Referee, seat: str, why: Exception) -> None:
        faults[seat] = _words(why)
        referee.close(seat, "failed")

    seats = {seat: _fresh(player) for seat, player in task.seats.items()}
    referee = conduct(task.level, seats, task.budget, task.seed, failed)
    replay, stats = referee.replay(), referee.stats()
    for seat, fault in faults.items():
        stats[seat]["fault"] = fault
    turns = len(replay.states) - 1
    return Game(
        level=task.name,
        seed=task.seed,
        players=task.players,
        outcome=replay.outcome,
        turns=turns,
        digest=replay.digest,
        stats=stats,
        not_played=None,
        text=replay.text,
        level_id=task.level.id,
    )


def _play_alone(task: _Task, attempt: int, context: Any) -> Game:
    """Plays a game in a process of its own."""
    with ProcessPoolExecutor(1, context) as process:
        return process.submit(_play, task, attempt).result()


class _Workers:
    """An executor whose workers may die."""

    def __init__(self, executor: Executor, tasks: list[_Task]) -> None:
        self.executor = executor
        self.tasks = tasks
        self.spare: ThreadPoolExecutor | None = None
        self.futures: list[Any] = []

    def games(self) -> Iterator[Game]:
        """All games in their order."""
        try:
            for task in self.tasks:
                self.futures.append(self._submit(task, 1))
            for number, task in enumerate(self.tasks):
                yield self._result(number, task)
        finally:
            for future in self.futures:
                if future is not None:
                    future.cancel()
            if self.spare is not None:
                self.spare.shutdown()

    def _result(self, number: int, task: _Task) -> Game:
        attempt = 1
        while True:
            future = self.futures[number]
            try:
                if future is None:
                    raise BrokenExecutor
                game: Game = future.result()
                return game
            except Error:
                raise
            except BrokenExecutor as why:
                if self.spare is None:
                    # It takes all games with it, most of them innocent.
                    self._replace(number)
                    continue
                reason: Exception = why
            except Exception as why:
                if "pickle" in _words(why):
                    raise Error(
                        f"a player cannot be sent to another process; define it at the top level of a module: {why}"
                    ) from why
                reason = why
            if attempt == TRIES:
                return task.not_played(reason)
            attempt += 1
            self.futures[number] = self._submit(task, attempt)

    def _submit(self, task: _Task, attempt: int) -> Any:
        if self.spare is not None:
            return self.spare.submit(_play_alone, task, attempt, getattr(self.executor, "_mp_context", None))
        try:
            return self.executor.submit(_play, task, attempt)
        except BrokenExecutor:
            return None
        except RuntimeError as why:
            raise Error(f"the executor takes no games, so it may be closed: {why}") from why

    def _replace(self, first: int) -> None:
        """The executor is broken: the games from ``first`` on that are not played get a process each."""
        self.spare = ThreadPoolExecutor(getattr(self.executor, "_max_workers", os.cpu_count()))
        for number in range(first, len(self.tasks)):
            future = self.futures[number]
            if future is None or isinstance(future.exception(), BrokenExecutor):
                self.futures[number] = self._submit(self.tasks[number], 1)


def _named_levels(levels: Any) -> list[tuple[str, Level]]:
    """Levels by their names, which are all different, and of one game."""
    if isinstance(levels, (Level, str, os.PathLike)):
        levels = [levels]
    opened = [level if isinstance(level, Level) else Level.open(level) for level in levels]
    if not opened:
        raise Error("a tournament needs a level")
    named: dict[str, Level] = {}
    for level in opened:
        name = level.id or level.name
        if level.game != opened[0].game:
            raise Error(
                f"{name} is a level of {level.game}, {next(iter(named))} one of {opened[0].game}: choose one game"
            )
        if level.id and name in named:
            raise Error(f"two levels are called {name!r}")
        numbers = itertools.count(2)
        while name in named:
            # Texts may hold levels of the same title.
            name = f"{level.name} ({next(numbers)})"
        named[name] = level
    return list(named.items())


def _named_players(players: Mapping[str, Player] | Iterable[str]) -> dict[str, Player]:
    if isinstance(players, Mapping):
        return dict(players)
    names = [players] if isinstance(players, str) else list(players)
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        raise Error(f"{twice!r} takes part twice")
    return {name: name for name in names}


def _entrants(
    level: Level, players: dict[str, Player], seats: Mapping[str, Iterable[str]] | None
) -> dict[str, list[str]]:
    """The players of each seat, in the order of the game."""
    if seats is not None:
        chosen = {seat: [names] if isinstance(names, str) else list(names) for seat, names in seats.items()}
        for seat, names in chosen.items():
            if seat not in level.seats:
                raise Error(f"there is no seat {seat!r}; choose from {', '.join(level.seats)}")
            for number, name in enumerate(names):
                if name not in players:
                    raise Error(f"{seat}: there is no player {name!r}; choose from {', '.join(players)}")
                if name in names[:number]:
                    raise Error(f"{seat}: {name!r} is there twice")
                _check(level, seat, players[name])
        taken = max((number for number, seat in enumerate(level.seats, 1) if chosen.get(seat)), default=0)
        by_seat = {seat: chosen.get(seat, []) for seat in level.seats[:taken]}
        for seat, names in by_seat.items():
            if not names:
                raise Error(f"nobody takes the seat {seat}")
        return by_seat
    found: dict[str, list[str]] = {seat: [] for seat in level.seats[:2]}
    for name, player in players.items():
        refused = None
        for seat, names in found.items():
            try:
                _check(level, seat, player)
                names.append(name)
            except Error as why:
                refused = why
        if refused and not any(name in names for names in found.values()):
            raise refused
    return found


def _check(level: Level, seat: str, player: Player) -> None:
    check_player(seat, player)
    if isinstance(player, str):
        check_planner(level.game, seat, player)


def tournament(
    levels: Level | str | os.PathLike[str] | Iterable[Level | str | os.PathLike[str]],
    players: Mapping[str, Player] | Iterable[str],
    *,
    seats: Mapping[str, Iterable[str]] | None = None,
    seeds: Iterable[int] = range(1, 21),
    budget: str = "20000w",
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Tournament:
    """Plays all pairings of players on all levels and seeds.

    ``players`` are names of planners, or a dictionary from the names of players to planners, ``program:COMMAND``,
    functions and bots; see :func:`play`. Each takes all seats that it can, of the first two that the game has, so each
    pairing is played in both orders. ``seats`` says otherwise: the players of each seat, by their names. Nobody plays
    against itself. All line-ups play on the same ``seeds``, as in ``outwit match``, and begin as the level does.

    >>> def first(turn):
    ...     return turn.actions[0]
    >>> result = tournament("mnk/3x3x3", {"best": "best", "first": first}, seeds=range(1, 4))
    >>> [(row["player"], row["won"], row["lost"]) for row in result.standings]
    [('best', 6, 0), ('first', 0, 6)]

    ``executor`` plays games at the same time: anything with the interface of ``concurrent.futures``, such as a
    ``ProcessPoolExecutor``, or ``client.get_executor()`` of a Dask cluster. Without one, they are played one after the
    other, here. With budgets of work the result is the same. For processes, functions stand at the top level of a
    module.

    A player that raises loses its game, and the rows say why. A game whose worker dies is played again, at most three
    times; then it is not played, and counts for nobody.

    ``progress`` shows a bar of tqdm; without it, there is one in a terminal and in a notebook if tqdm is installed.
    """
    named = _named_levels(levels)
    entrants = _named_players(players)
    first = named[0][1]
    by_seat = _entrants(first, entrants, seats)
    line_ups = [names for names in itertools.product(*by_seat.values()) if len(set(names)) == len(names)]
    if not line_ups:
        raise Error(f"nobody can play: {', '.join(by_seat)} need different players")
    most = MOST_GAMES // (len(named) * len(line_ups))
    rounds = list(itertools.islice(seeds, most + 1))
    if len(rounds) > most:
        raise Error(f"more than {MOST_GAMES} games: give fewer seeds, levels or players")
    if not rounds or len(set(rounds)) < len(rounds):
        raise Error("a tournament needs seeds, each once")
    if executor is not None and (isinstance(executor, type) or not hasattr(executor, "submit")):
        raise Error(f"executor needs a method submit, as those of concurrent.futures have: {executor!r}")
    tasks = [
        _Task(
            level,
            name,
            seed,
            budget,
            dict(zip(by_seat, names, strict=True)),
            {seat: entrants[player] for seat, player in zip(by_seat, names, strict=True)},
        )
        for name, level in named
        for seed in rounds
        for names in line_ups
    ]
    played = map(_play, tasks) if executor is None else _Workers(executor, tasks).games()
    bar = Bar(progress, "games", len(tasks))
    games: list[Game] = []
    try:
        for game in played:
            games.append(game)
            bar.show(len(games))
    finally:
        bar.close()
    if all(game.not_played for game in games):
        raise Error(f"no game could be played: {games[0].not_played}")
    table, means = standings(
        first.game,
        list(entrants),
        list(by_seat.items()),
        [name for name, _ in named],
        len(rounds),
        [_finished(game, named, rounds) for game in games if game.not_played is None],
    )
    return Tournament(games, table, means)


def _finished(game: Game, named: list[tuple[str, Level]], rounds: list[int]) -> dict[str, Any]:
    """What the standings need of a game."""
    return {
        "level": [name for name, _ in named].index(game.level),
        "round": rounds.index(game.seed),
        "players": list(game.players.values()),
        "outcome": {"headline": "", "places": game.places},
        "turns": game.turns,
        "digest": game.digest,
        "stats": [
            {name: stats[name] for name in ("asked", "overruns", "illegal", "fault", "work")}
            for stats in game.stats.values()
        ],
    }
