# Solves Pukoban by breadth-first search: all positions that one step leads to, then those of two steps, and so on.
import json, random, sys, time

def say(**message): print(json.dumps(message), flush=True)
def steps(player, boxes):  # all legal steps: the letter, and where the player and the boxes are then
    for letter, (dx, dy) in directions:
        ahead, beyond, behind = [(player[0] + i * dx, player[1] + i * dy) for i in (1, 2, -1)]
        if ahead in boxes:
            if letter in "lrud" and beyond in floor and beyond not in boxes:
                yield letter, (ahead, boxes - {ahead} | {beyond})  # a push
        elif ahead in floor and letter in "lrud": yield letter, (ahead, boxes)
        elif ahead in floor and behind in boxes:
            yield letter, (ahead, boxes - {behind} | {player})  # a pull

def search(start, deadline):  # the best position that it finds, and the letters of the steps to each position
    ways, queue = {start: ""}, [start]
    for position in queue:  # the queue grows while we walk along it
        if goals <= position[1] or time.monotonic() > deadline: break
        for letter, after in steps(*position):
            if after not in ways:
                ways[after] = ways[position] + letter
                queue.append(after)
    return max(queue, key=lambda position: len(goals & position[1])), ways

for message in map(json.loads, sys.stdin):
    if message["type"] == "start":
        tiles = {(x, y): tile for y, row in enumerate(message["level"]["map"]) for x, tile in enumerate(row)}
        floor, goals = [{cell for cell in tiles if tiles[cell] in kind} for kind in ("-_ .$*@+", ".*+")]
        letters = "lrud" if message["level"]["rules"].get("moves") == "push" else "lrud<>^v"
        directions, dice = list(zip(letters, 2 * [(-1, 0), (1, 0), (0, -1), (0, 1)])), random.Random(message["seed"])
        dice.shuffle(directions)  # so that the dice choose among solutions of the same length
        say(type="ready", protocol=1, name="Python mover", keep_alive=True)
    if message["type"] == "turn":
        seen, seconds = message["observation"], (message.get("ms", 10000) + message["bank_ms"]) / 1000 - 0.2
        start = tuple(seen["player"].values()), frozenset(tuple(box.values()) for box in seen["boxes"])
        best, ways = search(start, time.monotonic() + seconds)
        first = {cell: len(way) for (cell, _), way in reversed(ways.items())}  # when the player can first be in a cell
        heat = {"label": "Steps to get there", "cells": [[{"x": x, "y": y}, first[x, y]] for x, y in first]}
        say(type="insight", turn=message["turn"], heat=heat)
        say(type="note", turn=message["turn"], text=f"I saw {len(ways)} positions.")
        say(type="action", turn=message["turn"], action=list(ways[best]) or message["default"])
