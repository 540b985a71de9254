# Cops and robber: the thief runs to a gate, or away from all cops; cops wait at the gates, or go where it would hide.
import json, random, sys

def say(**message): print(json.dumps(message), flush=True)
def routes(x, y):  # breadth-first search: the letters of a shortest way to each cell
    found, queue = {(x, y): ""}, [(x, y)]
    for x, y in queue:  # the queue grows while we walk along it
        for letter, near in zip("RDLU", [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]):
            if near in floor and near not in found:
                found[near] = found[x, y] + letter
                queue.append(near)
    return found
def way_out(gate, ways):  # when the thief can be through a gate that keeps its pace, from where, and the letters
    for time in range(1, 100):
        place = gate["place"] + round(rules["p_gate_move"] * time) * (1 if gate["clockwise"] else -1)
        for front, letter in (border + border)[place % len(border):][:rules["gate_width"]]:
            if front in ways and len(ways[front]) < time: return time, front, ways[front].ljust(time - 1, ".") + letter

for message in map(json.loads, sys.stdin):
    if message["type"] == "start":
        board, rules, dice = message["level"]["map"], message["level"]["rules"], random.Random(message["seed"])
        right, end = len(board[0]) - 1, len(board) - 1  # the border: cells in front of it, and the letters to step out
        border = [((x, 1), "U") for x in range(right)] + [((right - 1, y), "R") for y in range(end)]
        border += [((right - x, end - 1), "D") for x in range(right)] + [((1, end - y), "L") for y in range(end)]
        say(type="ready", protocol=1, name="Python pursuit", keep_alive=True)
    if message["type"] == "turn":
        now, seat, turn = message["observation"]["now"], message["observation"]["seat"], message["turn"]
        floor = {(x, y) for y, row in enumerate(board) for x, tile in enumerate(row) if tile not in "=G#"}
        for (x, y), stands in [(wall["cell"].values(), wall["standing"]) for wall in now["walls"]]:
            floor -= {(x + i * (not stands), y + i * stands) for i in range(rules["wall_length"])}
        thief, *cops = [routes(*cell.values()) for cell in [now["thief"], *now["cops"]]]
        far = {cell: min(len(cop.get(cell, 999 * "?")) for cop in cops) for cell in thief}
        hideout = max(thief, key=lambda cell: (len(thief[cell]) < far[cell], far[cell], dice.random()))
        exits = sorted(filter(None, [way_out(gate, thief) for gate in now["gates"]]))
        run = next((way for time, front, way in exits if time <= far[front]), thief[hideout])
        posts = [[front for _, front, _ in exits if len(cop.get(front, "")) == far[front]] for cop in cops]
        plans = [cop.get((post + [hideout])[0], "") for cop, post in zip(cops, posts)] if seat else [run]
        say(type="insight", turn=turn, heat=dict(label="Cops in", cells=[(dict(zip("xy", c)), far[c]) for c in far]))
        if exits: say(type="note", turn=turn, text=f"The thief could be out in {exits[0][0]} ticks.")
        say(type="action", turn=turn, action=[plan[:rules["k"]] for plan in plans])
