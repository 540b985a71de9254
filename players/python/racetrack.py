# Drives a car: tries all ways to steer for some turns, and takes the one that gets farthest and could brake then.
import json, math, random, sys

def say(**message): print(json.dumps(message), flush=True)
def distances(gate):  # breadth-first search: how many cells it is to a gate, from everywhere on the road
    found = {cell: 0 for cell in road if road[cell] == gate}
    for x, y in (queue := list(found)):  # the queue grows while we walk along it
        fresh = (road.keys() & {(x + dx, y + dy) for dx, dy in moves}).difference(found)
        found.update(dict.fromkeys(fresh, found[x, y] + 1))
        queue.extend(fresh)
    return found

def drive(x, y, vx, vy, passed, turns):  # makes this move and the best ones after it: how far it is then, and the way
    crossings = {(i + 0.5) / abs(vx) for i in range(abs(vx))} | {(i + 0.5) / abs(vy) for i in range(abs(vy))}
    for time in sorted(crossings):  # when the car enters another cell on its line from centre to centre
        tile = road.get((x + round(vx * (time + 1e-9)), y + round(vy * (time + 1e-9))))
        if not tile or math.hypot(vx, vy) > (rules["max_speed"] or 99): return math.inf, []  # a crash, or not allowed
        passed += tile == gates[passed]
        if passed == len(gates): return -turns, [(x + vx, y + vy)]  # the sooner, the better
    left = 1000 * (len(gates) - passed) + to_gate[gates[passed]][x + vx, y + vy]
    tries = moves if turns > 0 else {((vx < 0) - (vx > 0), (vy < 0) - (vy > 0))} - {(0, 0)}  # in the end it brakes
    far, way = min((drive(x + vx, y + vy, vx + ax, vy + ay, passed, turns - 1) for ax, ay in tries), default=(left, []))
    return max(far, left) if turns == 0 else far, [(x + vx, y + vy)] + way

for message in map(json.loads, sys.stdin):
    if message["type"] == "start":
        level, rules, dice = message["level"], message["level"]["rules"], random.Random(message["seed"])
        moves = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if rules["steering"] == "nine" or (x, y) != (0, 0)]
        road = {(x, y): tile for y, row in enumerate(level["map"]) for x, tile in enumerate(row) if tile != "#"}
        gates = ("".join(sorted(set(road.values()) - set(".SF"))) + "F") * rules["laps"]
        to_gate = {gate: distances(gate) for gate in gates}
        say(type="ready", protocol=1, name="Python racer", keep_alive=True)
    if message["type"] == "turn":
        car = message["observation"]["race"]["cars"][message["observation"]["seat"]]
        (x, y), (vx, vy) = car["cell"].values(), car["velocity"].values()
        ways = [(drive(x, y, vx + a["x"], vy + a["y"], car["progress"], 3), a) for a in message["actions"]]
        (far, way), action = min(ways, key=lambda way: (way[0][0], dice.random()))
        say(type="insight", turn=message["turn"], paths=[{"cells": [{"x": x, "y": y} for x, y in [(x, y)] + way]}])
        if far <= 0: say(type="note", turn=message["turn"], text="I can see the finish!")
        say(type="action", turn=message["turn"], action=action)
