"""A* of one's own on Pukoban, and a heat map of the cells whose states it expanded."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from typing import Any

import outwit

Cell = tuple[int, int]


def places(state: outwit.State) -> tuple[Cell, frozenset[Cell]]:
    """Where the worker is, and where the boxes are."""
    known: dict[str, Any] = state.observe()
    player, *boxes = [(cell["x"], cell["y"]) for cell in (known["player"], *known["boxes"])]
    return player, frozenset(boxes)


def search(level: outwit.Level) -> tuple[list[str], Counter[Cell]]:
    """The steps of a shortest solution, and how many states with the worker in a cell were expanded."""
    goals = [(x, y) for y, row in enumerate(level.map) for x, tile in enumerate(row) if tile in ".*+"]

    def estimate(boxes: frozenset[Cell]) -> int:
        # A step moves one box by one cell, so each box takes at least its distance to the next goal.
        return sum(min(abs(x - u) + abs(y - v) for u, v in goals) for x, y in boxes)

    start, order = level.start(), itertools.count()
    frontier = [(estimate(places(start)[1]), next(order), start)]
    known = {places(start): 0}
    expanded: Counter[Cell] = Counter()
    while frontier:
        _, _, state = heapq.heappop(frontier)
        if state.is_over:
            return [turn["player"] for turn in state.replay().turns], expanded
        key = places(state)
        if known[key] < state.turn:
            continue
        expanded[key[0]] += 1
        for step in filter(state.is_legal, "lrud<>^v"):
            child = state.step(step)
            after = places(child)
            if child.turn < known.get(after, child.turn + 1):
                known[after] = child.turn
                heapq.heappush(frontier, (child.turn + estimate(after[1]), next(order), child))
    raise ValueError(f"{level} has no solution")


def heat_map(level: outwit.Level, expanded: Counter[Cell]) -> str:
    """The map with a digit in each cell where states were expanded, 9 for the most."""
    most = max(expanded.values())
    heat = {cell: str(9 * count // most) for cell, count in expanded.items()}
    return "\n".join(
        "".join(heat.get((x, y), "#" if tile == "#" else " ") for x, tile in enumerate(row))
        for y, row in enumerate(level.map)
    )


if __name__ == "__main__":
    level = outwit.Level.open("pukoban/03-both-at-once")
    steps, expanded = search(level)
    print(f"{len(steps)} steps, {''.join(steps)}; {expanded.total()} states expanded")
    print(f"the solver: {level.solve().message}")
    print(heat_map(level, expanded))
