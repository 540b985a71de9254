# Sneaks to the goal: Dijkstra's search for the cheapest path past the guards; in the fog again before every step.
import heapq, json, math, random, sys

def say(**message): print(json.dumps(message), flush=True)
def factor(guard, cell):  # by how much a guard raises the cost of a cell: nothing from afar, nor through a wall
    dx, dy = cell[0] - guard[0], cell[1] - guard[1]
    far = max(abs(dx), abs(dy))
    line = [(int(i * dx / far + (dx > 0) - 0.5), int(i * dy / far + (dy > 0) - 0.5)) for i in range(far)]
    return 1 if far > 4 or any(tiles[guard[0] + x, guard[1] + y] == "#" for x, y in line) else (8 - far) / 3

def search(walked, patrols):  # the cheapest path to the goal, the cells that were walked included, and its letters
    queue, done, period = [(0, "", walked)], set(), math.lcm(*map(len, patrols))
    while queue:
        cost, letters, path = heapq.heappop(queue)
        (x, y), moves = path[-1], len(path)  # so many moves after the next one
        if tiles[x, y] == "Y": return path, letters
        if (x, y, moves % period) in done: continue
        done.add((x, y, moves % period))
        before, after = [[loop[time % len(loop)] for loop in patrols] for time in (moves - 1, moves)]
        for letter, near in zip("udlr", [(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]):
            is_free = tiles.get(near, "#") not in "#Z" and near not in path + after
            if is_free and (near, (x, y)) not in zip(before, after):  # nor does it change places with a guard
                price = {"X": 3, "T": 4.5, "O": 0}.get(tiles[near], 1.5)
                price *= math.prod(factor(guard, near) for guard in still + after)
                heapq.heappush(queue, (cost + price, letters + letter, path + [near]))
    return walked, ""  # no way leads to the goal, so it stops here

for message in map(json.loads, sys.stdin):
    if message["type"] == "start":
        level, dice = message["level"], random.Random(message["seed"])
        say(type="ready", protocol=1, name="Python sneak", keep_alive=True)
    if message["type"] == "turn":
        seen, turn, house = message["observation"], message["turn"], (message["observation"]["known"] or level)["map"]
        tiles = {(x, y): tile for y, row in enumerate(house) for x, tile in enumerate(row)}
        still = [cell for cell in tiles if tiles[cell] == "Z"]
        walked = [tuple(cell.values()) for cell in seen["path"]]
        path, letters = search(walked, [[tuple(cell.values()) for cell in loop] for loop in seen["patrols"]])
        say(type="insight", turn=turn, paths=[{"cells": [{"x": x, "y": y} for x, y in path]}])
        say(type="note", turn=turn, text=dice.choice(["Quietly now.", "Did you hear that?", "Keep to the wall."]))
        say(type="action", turn=turn, action=letters[:1] if seen["known"] else letters)
