# Cops and robber: the thief runs to a gate or away from the cops; cops guard the gates and hunt the thief.
import json, random, sys

def say(**message): print(json.dumps(message), flush=True)
def routes(start):  # the letters of a shortest way around blocks and walls to each cell: breadth-first search
    found, queue = {start: ""}, [start]
    for x, y in queue:  # the queue grows while we walk along it
        for letter, (dx, dy) in steps:
            if (x + dx, y + dy) in floor and (x + dx, y + dy) not in found:
                found[x + dx, y + dy] = found[x, y] + letter
                queue.append((x + dx, y + dy))
    return found

def way_out(gate, mine):  # when the thief can leave through a gate, from where, and the letters, if the gate keeps its pace
    for time in range(1, 100):
        place = gate["place"] + round(rules["p_gate_move"] * time) * (1 if gate["clockwise"] else -1)
        for x, y in [border[(place + i) % len(border)] for i in range(rules["gate_width"])]:
            for letter, (dx, dy) in steps:
                if len(mine.get((x - dx, y - dy), 100 * ".")) < time:  # perhaps it has to wait in front of the gate
                    return time, (x - dx, y - dy), mine[x - dx, y - dy].ljust(time - 1, ".") + letter
    return 999, None, ""

for message in map(json.loads, sys.stdin):
    if message["type"] == "start":
        board, rules, dice = message["level"]["map"], message["level"]["rules"], random.Random(message["seed"])
        right, bottom = len(board[0]) - 1, len(board) - 1
        border = [(x, 0) for x in range(right)] + [(right, y) for y in range(bottom)]
        border += [(right - x, bottom) for x, _ in border[:right]] + [(0, bottom - y) for _, y in border[right:]]
        seat = message["seat"]
        steps = dice.sample([("R", (1, 0)), ("D", (0, 1)), ("L", (-1, 0)), ("U", (0, -1))], 4)
        say(type="ready", protocol=1, name="Python pursuit", keep_alive=True)
    if message["type"] == "turn":
        now = message["observation"]["now"]
        floor = {(x, y) for y, row in enumerate(board) for x, tile in enumerate(row) if tile not in "=G#"}
        for wall in now["walls"]:
            (x, y), is_standing = wall["cell"].values(), wall["standing"]
            floor -= {(x, y + i) if is_standing else (x + i, y) for i in range(rules["wall_length"])}
        thief, *cops = [tuple(cell.values()) for cell in [now["thief"], *now["cops"]]]
        mine, theirs = routes(thief), [routes(cop) for cop in cops]
        danger = {cell: min(len(ways.get(cell, 999 * ".")) for ways in theirs) for cell in mine}
        exits = sorted(way_out(gate, mine) for gate in now["gates"])
        far = max(mine, key=lambda cell: (len(mine[cell]) < danger[cell], danger[cell], dice.random()))
        if seat == "thief":
            safe = [way for time, front, way in exits if front and time <= danger[front]]
            plans = [(safe + [mine[far]])[0]]
        else:
            plans, free = [""] * len(cops), set(range(len(cops)))
            for post in ([front for _, front, _ in exits if front] + len(cops) * [thief, far])[:len(cops)]:
                cop = min(free, key=lambda cop: len(theirs[cop].get(post, 999 * ".")))
                plans[cop] = theirs[cop].get(post, "")
                free.remove(cop)
        say(type="action", turn=message["turn"], action=[plan[:rules["k"]] for plan in plans])
