"""The examples do what they say."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

import outwit

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def example(name: str) -> dict[str, Any]:
    """What an example defines."""
    return runpy.run_path(str(EXAMPLES / name))


def test_learning_reaches_the_optimum() -> None:
    curve, optimum = example("q_learning.py")["learn"](seed=1)
    assert curve[0] > optimum and curve[-5:] == [optimum] * 5


@pytest.mark.parametrize("name", ["pukoban/01-first-push", "pukoban/03-both-at-once", "pukoban/07-cupboard"])
def test_the_search_finds_a_shortest_solution(name: str) -> None:
    a_star = example("a_star.py")
    level = outwit.Level.open(name)
    steps, expanded = a_star["search"](level)
    assert len(steps) == level.solve().value
    picture = a_star["heat_map"](level, expanded).split("\n")
    assert [len(row) for row in picture] == [len(row) for row in level.map]
    assert "9" in "".join(picture) and "#" in picture[0]


def test_a_cluster_plays_the_tournament() -> None:
    result = example("dask_tournament.py")["play"](range(1, 3))
    assert [row["player"] for row in result.standings] == ["optimal", "greedy", "last"]
    assert len(result.games) == 2 * 2 * 6 and not any(row["fault"] for row in result.rows)


def test_the_notebook_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(EXAMPLES / "first-steps.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "its outputs are not cleared"
    nbclient.NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = "\n".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    for words in ("optimum: 10 turns", "car1 won", "would choose", "1. optimal"):
        assert words in said, said
