// Sneaks to the goal: Dijkstra's search for the cheapest path past the guards; in the fog again before every step.
const say = message => console.log(JSON.stringify(message));
let house, dice, width, tiles; // the map is in one row, and a cell is its number there
const number = ({ x, y }) => x + y * width, column = cell => cell % width, row = cell => Math.floor(cell / width);
const round = number => Math.sign(number) * Math.round(Math.abs(number)); // halves go away from zero
function factor(guard, cell) { // by how much a guard raises a cost: nothing from afar, nor through a wall
  const dx = column(cell) - column(guard), dy = row(cell) - row(guard), far = Math.max(Math.abs(dx), Math.abs(dy));
  const line = Array.from({ length: far }, (_, i) => guard + round((i * dx) / far) + round((i * dy) / far) * width);
  return far > 4 || line.some(cell => tiles[cell] === "#") ? 1 : (8 - far) / 3;
}
function search(start, patrols) { // the letters of the cheapest path to the goal, and its cells, the start included
  const queue = [[0, "", start]], done = new Set();
  while (queue.length > 0) {
    const [paid, letters, path] = queue.pop(), cell = path.at(-1), moves = path.length; // the cheapest is the last
    if (tiles[cell] === "Y") return [letters, path];
    const guards = patrols.map(loop => [loop[(moves - 1) % loop.length], loop[moves % loop.length]]); // then and now
    if (done.size === done.add([cell, ...guards].join()).size) continue; // it is no news, so it was here before
    for (const [letter, near] of [["u", cell - width], ["d", cell + width], ["l", cell - 1], ["r", cell + 1]]) {
      if ((tiles[near] ?? "#") === "#" || path.includes(near)) continue;
      if (guards.some(([before, after]) => after === near || (before === near && after === cell))) continue;
      const cost = paid + guards.reduce((all, [, at]) => all * factor(at, near), { X: 3, T: 4.5 }[tiles[near]] ?? 1.5);
      queue.splice(queue.findLastIndex(([other]) => other > cost) + 1, 0, [cost, letters + letter, [...path, near]]);
    }
  }
  return ["", start]; // no way leads to the goal, so it stops here
}
require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const { type, turn, seed, level, observation: { moves, path: walked, patrols, known } = {} } = JSON.parse(line);
  if (type === "start") {
    [house, dice, width] = [level, seed, level.map[0].length + 1];
    say({ type: "ready", protocol: 1, name: "Node sneak", keep_alive: true });
  } else if (type === "turn") {
    tiles = (known ?? house).map.join("#");
    const still = [...tiles.matchAll("Z")].map(({ index }) => [index]); // these guards walk a round of one cell
    const [letters, path] = search(walked.map(number), [...patrols.map(loop => loop.map(number)), ...still]);
    say({ type: "insight", turn, paths: [{ cells: path.slice(moves).map(c => ({ x: column(c), y: row(c) })) }] });
    say({ type: "note", turn, text: ["Quietly now.", "Did you hear that?", "Keep to the wall."][dice++ % 3] });
    say({ type: "action", turn, action: known ? letters.slice(0, 1) : letters });
  }
});
