// Solves Pukoban by breadth-first search: all positions that one step leads to, then those of two steps, and so on.
const say = message => console.log(JSON.stringify(message));
let tiles, width, goals, steps; // the map is in one row, and a cell is its number there
const number = ({ x, y }) => x + y * width;
const solved = ([, ...boxes]) => boxes.filter(box => ".*+".includes(tiles[box])).length;

function search(start, deadline) { // a position lists the cell of the player and those of the boxes
  const found = new Map([[start.join(), [start, ""]]]); // the positions, and the letters of the steps to each of them
  let best = [start, ""];
  for (const [position, way] of found.values()) { // what we add meanwhile comes up later
    if (solved(position) > solved(best[0])) best = [position, way];
    if (solved(best[0]) === goals || Date.now() > deadline || found.size > 1e6) break; // or the memory could run out
    for (const [letter, step] of steps) {
      const [player, ...boxes] = position, pulls = "<>^v".includes(letter);
      const box = boxes.indexOf(player + (pulls ? -step : step)); // the one that moves as well
      if (box >= 0) boxes[box] += step;
      else if (pulls) continue;
      const after = [player + step, ...boxes.sort((a, b) => a - b)], key = after.join();
      if (new Set(after).size < after.length || after.some(cell => (tiles[cell] ?? "#") === "#")) continue;
      if (!found.has(key)) found.set(key, [after, way + letter]);
    }
  }
  return [best[1], [...found.values()]];
}
require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const { type, turn, seed, level, observation, default: atLeast, ms = 10000, bank_ms: bank } = JSON.parse(line);
  if (type === "start") {
    [tiles, width] = [level.map.join("#"), level.map[0].length + 1];
    goals = [...tiles].filter(tile => ".*+".includes(tile)).length;
    const letters = level.rules.moves === "push" ? "lrud" : "lrud<>^v"; // with these signs it pulls
    steps = [...letters].map((letter, i) => [letter, [-1, 1, -width, width][i % 4]]);
    for (let i = seed % 8; i > 0; i--) steps.push(steps.shift()); // so that the seed chooses among equal solutions
    say({ type: "ready", protocol: 1, name: "Node mover", keep_alive: true });
  } else if (type === "turn") {
    const [way, found] = search([observation.player, ...observation.boxes].map(number), Date.now() + (ms + bank) * 0.7);
    const heat = new Map(found.reverse().map(([[c], way]) => [c, [{ x: c % width, y: (c / width) | 0 }, way.length]]));
    say({ type: "insight", turn, heat: { label: "Steps to get there", cells: [...heat.values()] } });
    say({ type: "note", turn, text: `I saw ${found.length} positions.` });
    say({ type: "action", turn, action: way ? [...way] : atLeast });
  }
});
