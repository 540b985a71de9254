"""Pictures: well-formed, of the right size, and with everything that is there."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from html import escape

import numpy as np
import pytest
from conftest import random_match

import outwit
from outwit._review import _result

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("game", outwit.games())
def test_positions_show_themselves(game: str) -> None:
    for name in outwit.levels(game)[::5]:
        level = outwit.Level.open(name)
        state = random_match(level, 3, 12)
        drawing = ElementTree.fromstring(state.svg())
        rows, columns = len(level.map), max(map(len, level.map))
        assert drawing.get("viewBox") == f"0 0 {columns} {rows}"
        symbols = {symbol.get("id") for symbol in drawing.iter(f"{SVG}symbol")}
        used = {(use.get("href") or "")[1:] for use in drawing.iter(f"{SVG}use")}
        assert used and used <= symbols
        assert len(state.board.splitlines()) == rows
        pixels = state.pixels(4)
        assert pixels.shape == (4 * rows, 4 * columns, 3) and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 1


@pytest.mark.parametrize("game", outwit.games())
def test_matches_show_themselves_with_a_slider(game: str) -> None:
    replay = random_match(outwit.Level.open(outwit.levels(game)[0]), 4, 30).replay(None)
    page = replay.html()
    ElementTree.fromstring(page.replace("&nbsp;", " "))
    assert page.count("<g data-turn=") == len(replay.states)
    assert page == replay._repr_html_() and 'type="range"' in page
    # So that the arrow keys move the slider and not the selection of cells.
    assert 'data-lm-suppress-shortcuts="true"' in page
    # What is left of the page where a notebook is not trusted.
    hidden, sentence = page.split("</style>")[0], page.split("</style>")[1]
    assert hidden.endswith(".outwit-untrusted{display:none}")
    assert sentence.startswith('<p class="outwit-untrusted">The board is shown once')


def test_long_matches_are_thinned_out_but_end_at_their_end() -> None:
    state = outwit.Level.open("pukoban/01-first-push").start()
    while state.turn < 2000 and not state.is_over:
        state = state.step("l" if state.is_legal("l") else "r")
    page = state.replay().html()
    assert page.count("<g data-turn=") <= 602 and f'data-turn="{state.turn}"' in page


def test_names_cannot_break_out() -> None:
    replay = outwit.Level.open("mnk/3x3x3").start().replay(["<script>alert(1)</script>", '"&'])
    assert "<script" not in replay.html()
    ElementTree.fromstring(replay.html())


def test_reviews_show_themselves() -> None:
    match = outwit.play("mnk/3x3x3", {"x": "best", "o": lambda turn: turn.default})
    review = match.review()
    chart = ElementTree.fromstring(review.svg())
    bars = list(chart.iter(f"{SVG}rect"))
    made = [move for seat in review["seats"].values() for move in seat["moves"]]
    assert len(bars) == sum(move["cost"] != 0 for move in made) > 0
    assert dict(review) == review and isinstance(review, outwit.Review)


def test_reviews_say_what_is_known() -> None:
    chart = outwit.play("racetrack/tiny", {"car1": "optimal"}).review().svg()
    assert "no move cost anything" in chart and "with perfect play" in chart and "<rect" not in chart
    pursuit = outwit.play("cops/tiny", {"thief": "random", "cops": "random"}, budget="50w").review()
    seats = pursuit["seats"].values()
    assert all(escape(str(seat["summary"])) in pursuit.svg() for seat in seats if seat["summary"] is not None)
    assert any(seat["summary"] is not None for seat in seats)
    unknown = {"summary": None, "reached": 3.0, "perfect": None}
    assert _result(unknown, "ticks") == "3 ticks; perfect play is not known"


@pytest.mark.parametrize("side", [0, 129, 10**9])
def test_pixels_have_a_size(side: int) -> None:
    with pytest.raises(outwit.Error, match="1 to 128 pixels"):
        outwit.Level.open("mnk/3x3x3").start().pixels(side)
