// Drives a car: tries all ways to steer for some turns, and takes the one that gets farthest and could brake then.
const say = message => console.log(JSON.stringify(message));
let rules, road, width, gates, toGate, moves, dice; // a cell is its number in `road`, the map in one row
function distances(gate) { // breadth-first search: how many cells it is to a gate, from everywhere on the road
  const found = new Map([...road.keys()].filter(cell => road[cell] === gate).map(cell => [cell, 0]));
  for (const [cell, far] of found) // what we add meanwhile comes up later
    for (const near of moves.map(([x, y]) => cell + x + y * width))
      if ((road[near] ?? "#") !== "#" && !found.has(near)) found.set(near, far + 1);
  return found;
}
function drive(cell, vx, vy, passed, turns) { // makes this move and the best ones: how far it is then, and all cells
  const landing = cell + vx + vy * width;
  for (let i = 0, j = 0, w = Math.abs(vx), h = Math.abs(vy); i < w || j < h; ) { // cell by cell along the line
    [i, j] = [i + ((2 * i + 1) * h <= (2 * j + 1) * w), j + ((2 * j + 1) * w <= (2 * i + 1) * h)];
    const tile = road[cell + i * Math.sign(vx) + j * Math.sign(vy) * width] ?? "#";
    if (tile === "#" || Math.hypot(vx, vy) > (rules.max_speed ?? 99)) return [Infinity]; // a crash, or not allowed
    if (tile === gates[passed] && ++passed === gates.length) return [-turns, landing]; // the sooner, the better
  }
  const left = 1000 * (gates.length - passed) + (toGate[passed] ??= distances(gates[passed])).get(landing);
  const tries = turns > 0 ? moves : vx || vy ? [[-Math.sign(vx), -Math.sign(vy)]] : []; // in the end it brakes
  const ways = tries.map(([ax, ay]) => drive(landing, vx + ax, vy + ay, passed, turns - 1));
  const [least, ...way] = ways.sort((a, b) => a[0] - b[0])[0] ?? [left];
  return [turns === 0 ? Math.max(least, left) : least, landing, ...way];
}
require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const { type, turn, seed, level, observation, actions } = JSON.parse(line);
  if (type === "start") {
    [rules, road, width, toGate, dice] = [level.rules, [...level.map.join("#")], level.map[0].length + 1, [], seed];
    moves = [-1, 0, 1].flatMap(x => [[x, -1], [x, 0], [x, 1]]).filter(([x, y]) => rules.steering === "nine" || x || y);
    gates = ([..."123456789"].filter(gate => road.includes(gate)).join("") + "F").repeat(rules.laps);
    say({ type: "ready", protocol: 1, name: "Node racer", keep_alive: true });
  } else if (type === "turn") {
    const { cell, velocity: { x: vx, y: vy }, progress } = observation.race.cars[observation.seat];
    const tried = actions.map(a => [drive(cell.x + cell.y * width, vx + a.x, vy + a.y, progress, 3), a]);
    const [[left, ...way], action] = tried.reverse().sort((a, b) => a[0][0] - b[0][0])[0];
    say({ type: "insight", turn, paths: [{ cells: [cell, ...way.map(c => ({ x: c % width, y: (c / width) | 0 }))] }] });
    if (left <= 0) say({ type: "note", turn, text: ["I can see the finish!", "Nearly there."][dice++ % 2] });
    say({ type: "action", turn, action });
  }
});
