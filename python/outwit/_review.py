"""Reviews that notebooks show as a chart."""

from __future__ import annotations

from html import escape
from typing import Any

WIDTH, HEIGHT = 640, 90
"""Of the chart of a seat, in points."""
LEFT, TOP = 52, 26
PAPER, TEXT, LINES = "#fbfaf6", "#1b1b1f", "#b9b5a8"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
THROWN_AWAY = "#8a1c1c"


class Review(dict[str, Any]):
    """What every move of a match cost, as plain objects; see :meth:`Replay.review`. A notebook shows the costs as bars.

    >>> match = play("mnk/3x3x3", {"x": "best", "o": lambda turn: turn.actions[0]})
    >>> match.review().svg().startswith("<svg")
    True
    """

    def svg(self) -> str:
        """A chart in SVG: a bar for each move that cost something, from left to right; those that threw everything away
        reach the top."""
        seats: dict[str, dict[str, Any]] = self["seats"]
        step = TOP + HEIGHT + 14
        charts = [
            _chart(seat, review, str(self["unit"]), COLOURS[at % len(COLOURS)], at * step)
            for at, (seat, review) in enumerate(seats.items())
        ]
        width, height = LEFT + WIDTH + 12, len(charts) * step + 4
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'role="img" font-family="sans-serif" font-size="12" fill="{TEXT}"><title>What each move cost</title>'
            f'<path fill="{PAPER}" d="M0 0h{width}v{height}h-{width}z"/>{"".join(charts)}</svg>'
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def _result(review: dict[str, Any], unit: str) -> str:
    """What a seat reached, in words."""
    if review["summary"] is not None:
        return str(review["summary"])
    reached, perfect = review["reached"], review["perfect"]
    words = "nothing reached" if reached is None else f"{reached:.4g} {unit}"
    return (
        f"{words}; perfect play is not known" if perfect is None else f"{words}; with perfect play {perfect:.4g} {unit}"
    )


def _chart(seat: str, review: dict[str, Any], unit: str, colour: str, top: int) -> str:
    moves: list[dict[str, Any]] = review["moves"]
    costs = [move["cost"] for move in moves if move["cost"] is not None]
    most = max([*costs, 0]) or 1
    turns = max([move["turn"] for move in moves], default=0) + 1
    wide = min(WIDTH / turns, 24)
    floor = top + TOP + HEIGHT
    bars = []
    for move in moves:
        cost = move["cost"]
        if cost == 0:
            continue
        high = HEIGHT if cost is None else max(HEIGHT * cost / most, 1)
        said = "everything" if cost is None else f"{cost:.3g} {unit}"
        words = f"turn {move['turn']}: {said}. {move['note'] or ''}"
        fill = THROWN_AWAY if cost is None else colour
        bars.append(
            f'<rect x="{LEFT + wide * move["turn"]:.2f}" y="{floor - high:.2f}" width="{max(wide - 1, 0.5):.2f}" '
            f'height="{high:.2f}" fill="{fill}"><title>{escape(words)}</title></rect>'
        )
    title = f'<text x="8" y="{top + 17}">{escape(f"{seat}: {_result(review, unit)}")}</text>'
    if not bars:
        return f'{title}<text x="{LEFT}" y="{top + TOP + HEIGHT / 2}">no move cost anything</text>'
    return (
        f"{title}"
        f'<text x="{LEFT - 6}" y="{top + TOP + 10}" text-anchor="end">{most:.3g}</text>'
        f'<text x="{LEFT - 6}" y="{floor}" text-anchor="end">0</text>'
        f'<path stroke="{LINES}" d="M{LEFT} {floor + 0.5}h{WIDTH}"/>{"".join(bars)}'
    )
