"""Grid games with their rules, planners, solvers and reviews.

A level is opened by its id, by the path of a file, or from the text of one:

>>> import outwit
>>> level = outwit.Level.open("mnk/3x3x3")
>>> level.solve().message
'with perfect play it is a draw: proved'

You can choose all actions yourself:

>>> state = level.start()
>>> state = state.step(state.actions()[4])
>>> state.to_move
['o']

Or let planners and functions of your own play:

>>> match = outwit.play(level, {"x": "best", "o": lambda turn: turn.actions[0]})
>>> match.outcome["headline"]
'X won: 3 in a row'
"""

from ._bot import Bot, Start, Turn
from ._outwit import (
    Batch,
    Error,
    Level,
    Replay,
    State,
    __version__,
    games,
    levels,
    planners,
    tiles,
)
from ._play import Match, Player, play
from ._review import Review
from ._solution import Solution
from ._tournament import Game, Tournament, tournament

__all__ = [
    "Batch",
    "Bot",
    "Error",
    "Game",
    "Level",
    "Match",
    "Player",
    "Replay",
    "Review",
    "Solution",
    "Start",
    "State",
    "Tournament",
    "Turn",
    "__version__",
    "games",
    "levels",
    "planners",
    "play",
    "tiles",
    "tournament",
]
