// Cops and robber: the thief runs to a gate, or away from all cops; cops wait at the gates, or go where it would hide.
const say = message => console.log(JSON.stringify(message));
let rules, board, width, border, dice; // the board is in one row, and a cell is its number there
const number = ({ x, y }) => x + y * width, place = cell => ({ x: cell % width, y: (cell / width) | 0 });
const roll = () => (dice = (16807 * dice) % 2147483647) / 2147483647; // a number between 0 and 1
function routes(starts, ground) { // breadth-first search: the letters of a shortest way to each cell
  const found = new Map(starts.map(cell => [cell, ""]));
  for (const [cell, way] of found) // what we add meanwhile comes up later
    for (const [letter, near] of [["R", cell + 1], ["D", cell + width], ["L", cell - 1], ["U", cell - width]])
      if (!"=G".includes(ground[cell]) && ground[near] !== "#" && !found.has(near)) found.set(near, way + letter);
  return found; // some ways end in the border, but none goes on from there
}
require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const { type, turn, seed, level, observation } = JSON.parse(line);
  if (type === "start") {
    [rules, board, width, dice] = [level.rules, level.map.join(""), level.map[0].length, 1 + (seed % 2147483646)];
    let cell = 0, w = width - 1, h = level.map.length - 1; // we walk along the border, clockwise
    border = [[1, w], [width, h], [-1, w], [-width, h]].flatMap(([d, n]) => Array(n).fill(d)).map(d => (cell += d) - d);
    say({ type: "ready", protocol: 1, name: "Node pursuit", keep_alive: true });
  } else if (type === "turn") {
    const { seat, now } = observation, ground = [...board];
    for (const { cell, standing } of now.walls)
      for (let i = 0; i < rules.wall_length; i++) ground[number(cell) + i * (standing ? width : 1)] = "#";
    const thief = routes([number(now.thief)], ground), nearest = routes(now.cops.map(number), ground);
    const far = c => nearest.get(c)?.length ?? 999, cells = [...thief.keys()].filter(c => !"=G".includes(board[c]));
    const safety = c => (thief.get(c).length < far(c) ? 1000 : 0) + far(c) + roll();
    const hideout = cells.map(cell => [safety(cell), cell]).sort((a, b) => b[0] - a[0])[0][1];
    const exits = now.gates.flatMap(gate => border.flatMap((cell, i) => { // when and where the thief can meet a gate
      const time = thief.get(cell)?.length, moved = Math.floor(time * rules.p_gate_move) * (gate.clockwise ? 1 : -1);
      return (i - gate.place - moved + 100 * border.length) % border.length < rules.gate_width ? [[time, cell]] : [];
    })).sort((a, b) => a[0] - b[0]);
    const suits = ways => ([time, cell]) => (seat === 0 ? time < far(cell) : ways.get(cell)?.length === far(cell));
    const plan = (ways, exit = exits.find(suits(ways)), way = ways.get(exit ? exit[1] : hideout) ?? "") =>
      way.padEnd(rules.k, exit ? way.at(-1) : ".").slice(0, rules.k); // if the gate comes late, it waits at the wall
    const action = seat === 0 ? [plan(thief)] : now.cops.map(cop => plan(routes([number(cop)], ground)));
    say({ type: "insight", turn, heat: { label: "Cops in", cells: cells.map(cell => [place(cell), far(cell)]) } });
    if (exits.length > 0) say({ type: "note", turn, text: `The thief could be out in ${exits[0][0]} ticks.` });
    say({ type: "action", turn, action });
  }
});
