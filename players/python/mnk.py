# Plays k in a row: looks at every place for a row, and takes the cell that matters most to those still open.
import json, math, random, sys

def say(**message):
    print(json.dumps(message), flush=True)

def places(width, height, k):  # every place for k in a row, as a list of cell numbers
    for cell in range(width * height):
        for dx, dy in (1, 0), (0, 1), (1, 1), (-1, 1):
            if 0 <= cell % width + (k - 1) * dx < width and cell // width + (k - 1) * dy < height:
                yield [cell + i * (dx + dy * width) for i in range(k)]

def values(stones, mine):  # how much each empty cell matters to the player of the stones `mine`
    value = [0 if stone else dice.random() for stone in stones]
    for row in rows:
        in_row = [stones[cell] for cell in row]
        own, empty = in_row.count(mine), in_row.count(None)
        if own == 0 or own + empty == len(row):  # only one side can still fill it
            weight = 8.0 ** (len(row) - empty) * (1.5 if own else 1)
            if empty == 1:  # whoever comes first, so winning is better than blocking, and both beat all else
                weight = 1e200 if own else 1e100
            for cell in row:
                value[cell] += weight if stones[cell] is None else 0
    return value

for message in map(json.loads, sys.stdin):
    if message["type"] == "start":
        board, dice = message["level"]["map"], random.Random(message["seed"])
        rows = list(places(len(board[0]), len(board), message["level"]["rules"]["k"]))
        cells = [{"x": x, "y": y} for y in range(len(board)) for x in range(len(board[0]))]
        say(type="ready", protocol=1, name="Python rows", keep_alive=True)
    if message["type"] == "turn":
        seen, turn, action = message["observation"], message["turn"], dice.choice(message["actions"])
        if seen["phase"] == "Play":  # else it is a swap opening, where anything listed will do
            value = values(seen["stones"], seen["to_move"])
            action = {"Place": cells[value.index(max(value))]}
            heat = [[cell, math.log(1 + v)] for cell, v in zip(cells, value) if v]
            say(type="insight", turn=turn, heat={"label": "What matters", "cells": heat})
            if max(value) > 1e99: say(type="note", turn=turn, text="There I win, or you do.")
        say(type="action", turn=turn, action=action)
