"""A tournament on a Dask cluster: here one of this machine, elsewhere ``Client("scheduler:8786")``."""

from __future__ import annotations

from typing import Any

from distributed import Client, LocalCluster

import outwit


def last(turn: outwit.Turn) -> Any:
    """A player of one's own. Dask sends it to its workers."""
    return turn.actions[-1] if turn.actions else turn.default


def play(seeds: range) -> outwit.Tournament:
    """Plays the tournament on a cluster of two processes."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        return outwit.tournament(
            ["racetrack/tiny", "racetrack/first-lap"],
            {"greedy": "greedy", "optimal": "optimal", "last": last},
            seeds=seeds,
            budget="1000w",
            executor=client.get_executor(),
        )


if __name__ == "__main__":
    result = play(range(1, 11))
    for row in result.standings:
        print(f"{row['place']}. {row['player']:<8} {row['rating']:.0f} ± {row['ci95']:.0f}, {row['points']} points")
    result.to_csv("games.csv")
