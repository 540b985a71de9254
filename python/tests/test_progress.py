"""Bars are there where somebody sees them, and nowhere else."""

from __future__ import annotations

import builtins
import io
import sys
from typing import Any

import pytest

import outwit
from outwit import _progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def work(progress: bool | None = None) -> None:
    outwit.tournament("mnk/3x3x3", ["best", "novice"], seeds=[1, 2], budget="100w", progress=progress)
    outwit.Level.open("pukoban/05-last-in-first-out").solve(progress=progress)


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in the place of standard error."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def test_a_bar_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    monkeypatch.setattr(_progress, "SHORT", 0)
    work()
    assert "4/4" in terminal.getvalue() and "games/s" in terminal.getvalue()


def test_no_bar_for_what_is_over_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    monkeypatch.setattr(_progress, "SHORT", 1e9)
    work()
    assert terminal.getvalue() == ""


def test_no_bar_without_a_terminal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "SHORT", 0)
    work()
    assert capfd.readouterr() == ("", "")
    work(progress=True)
    assert "4/4" in capfd.readouterr().err


def test_no_bar_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    monkeypatch.setattr(_progress, "SHORT", 0)
    work(progress=False)
    assert terminal.getvalue() == ""


def test_tqdm_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    known = builtins.__import__

    def without(name: str, *others: Any, **options: Any) -> Any:
        if name.startswith("tqdm"):
            raise ImportError(name)
        return known(name, *others, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    work(progress=True)
    assert terminal.getvalue() == ""


def test_the_states_of_a_search_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(_progress.Bar, "show", lambda self, done: seen.append(done))
    # As long as it takes until there is something to show.
    budget = 50_000
    while not any(seen):
        seen.clear()
        outwit.Level.open("pukoban/42-great-hall").solve(budget=f"{budget}w")
        budget *= 2
    assert seen == sorted(seen)
