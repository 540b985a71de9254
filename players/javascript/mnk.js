// Plays k in a row: looks at every place for a row, and takes the cell that matters most to those still open.
const say = message => console.log(JSON.stringify(message));
let cells, rows, dice;
const roll = () => (dice = (16807 * dice) % 2147483647) / 2147483647; // a number between 0 and 1

function places(width, height, k) { // every place for k in a row, as a list of cell numbers
  const directions = [[1, 0], [0, 1], [1, 1], [-1, 1]], isInside = (x, y) => x >= 0 && x < width && y < height;
  return cells.flatMap(({ x, y }, cell) => directions
    .filter(([dx, dy]) => isInside(x + (k - 1) * dx, y + (k - 1) * dy))
    .map(([dx, dy]) => Array.from({ length: k }, (_, i) => cell + i * (dx + dy * width))));
}
function values(stones, mine) { // how much each empty cell matters to the player of the stones `mine`
  const value = stones.map(stone => (stone ? 0 : roll()));
  for (const row of rows) {
    const empty = row.filter(cell => !stones[cell]), own = row.filter(cell => stones[cell] === mine).length;
    if (own > 0 && own + empty.length < row.length) continue; // nobody can fill it
    const wins = empty.length === 1; // whoever comes first, so winning is better than blocking, and both beat all else
    const weight = wins ? (own ? 1e200 : 1e100) : 8 ** (row.length - empty.length) * (own ? 1.5 : 1);
    for (const cell of empty) value[cell] += weight;
  }
  return value;
}

require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const { type, turn, seed, level, observation, actions } = JSON.parse(line);
  if (type === "start") {
    dice = 1 + (seed % 2147483646);
    cells = level.map.flatMap((row, y) => [...row].map((_, x) => ({ x, y })));
    rows = places(level.map[0].length, level.map.length, level.rules.k);
    say({ type: "ready", protocol: 1, name: "Node rows", keep_alive: true });
  } else if (type === "turn" && observation.phase !== "Play") {
    say({ type: "action", turn, action: actions[Math.floor(roll() * actions.length)] }); // anything in a swap opening
  } else if (type === "turn") {
    const value = values(observation.stones, observation.to_move), most = Math.max(...value);
    const heat = cells.map((cell, i) => [cell, Math.log1p(value[i])]).filter(([, worth]) => worth > 0);
    say({ type: "insight", turn, heat: { label: "What matters", cells: heat } });
    if (most > 1e99) say({ type: "note", turn, text: "There I win, or you do." });
    say({ type: "action", turn, action: { Place: cells[value.indexOf(most)] } });
  }
});
