// How planners of the page compare with those of the desktop: OUTWIT=PROGRAM node web/speed.mjs [FOLDER], by default
// target/web. `outwit bench` runs in both, one game after the other, then matches are watched while their planners think
// with the default budget. Use a release build, and an otherwise idle machine.

import { execFileSync } from "node:child_process";
import { setTimeout as rest } from "node:timers/promises";
import { open, started } from "./browser.mjs";

const desktop = process.env.OUTWIT;
if (!desktop) {
  throw new Error("OUTWIT must name the program");
}
/** Shorter times are noise, and longer ones are given by the budget. */
const [LEAST, MOST] = [0.5, 490];
const BENCHES = [
  ["racetrack"],
  ["cops"],
  ["pukoban", "--seconds", "3", "--planner", "astar-h1", "--planner", "bidirectional"],
  ["stealth"],
  ["mnk", "--search", "--budget", "20000w"],
];

/** Matches whose planners think. */
const MATCHES = [
  "racetrack/harbour&car1=ace&car2=ace&car3=ace&seed=1",
  "cops/default&thief=schemer&cops=marshal&seed=1",
  "pukoban/37-the-estate&player=best&seed=1",
  "stealth/15-rounds&thief=genetic&seed=1",
  "mnk/gomoku&x=best&o=best&seed=1",
];

/** The milliseconds in what was printed, by what they measure. */
function times(text, command) {
  const found = new Map();
  for (const line of text.split("\n")) {
    const measure = /^ {2}(.+?) {2,}([\d.]+) ms$/.exec(line);
    if (measure) {
      found.set(measure[1], Number(measure[2]));
    } else if (command[0] === "pukoban") {
      const row = /^(pukoban\/\S+) +(\S+) +\d+ +([\d.]+)/.exec(line);
      row && found.set(`${row[1]} ${row[2]}`, Number(row[3]));
    }
  }
  return found;
}

/** How much longer each measure takes on the page, by the shorter time of two runs on each side. */
async function ratios(words, page) {
  const [here, there] = [new Map(), new Map()];
  const note = (known, text, whole) => {
    const found = times(text, words.slice(1));
    // Where no times are printed, that of all is measured.
    for (const [name, time] of found.size > 0 ? found : [["all", whole]]) {
      known.set(name, Math.min(time, known.get(name) ?? Infinity));
    }
  };
  for (let run = 0; run < 2; run++) {
    let began = performance.now();
    const text = execFileSync(desktop, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    note(here, text, performance.now() - began);
    began = performance.now();
    const shown = await page.evaluate((words) => window.outwit(...words), words);
    if (!shown.succeeded) {
      throw new Error(shown.text);
    }
    note(there, shown.text, performance.now() - began);
  }
  return [...here]
    .filter(([name, time]) => time >= LEAST && there.get(name) >= LEAST && (name === "all" || time <= MOST))
    .map(([name, time]) => there.get(name) / time)
    .sort((a, b) => a - b);
}

const middle = (sorted) => sorted[Math.floor(sorted.length / 2)] ?? NaN;

/** Times between frames and of long tasks of the page in so many milliseconds, the longest last. */
function frames(page, milliseconds) {
  return page.evaluate(async (milliseconds) => {
    const [gaps, tasks] = [[], []];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)))
      .observe({ entryTypes: ["longtask"] });
    const end = performance.now() + milliseconds;
    let before = performance.now();
    while (before < end) {
      await new Promise(requestAnimationFrame);
      gaps.push(performance.now() - before);
      before = performance.now();
    }
    return [gaps, tasks].map((times) => times.sort((a, b) => a - b));
  }, milliseconds);
}

const { address, browser, end } = await open(process.argv[2] ?? "target/web");
const page = await browser.newPage();
const began = performance.now();
await page.goto(address);
await started(page);
console.log(`from the click to the menu: ${((performance.now() - began) / 1000).toFixed(1)} s`);
await rest(3000);
for (const command of BENCHES) {
  const sorted = await ratios(["bench", ...command], page);
  const spread = [sorted[0], sorted.at(-1)].map((ratio) => ratio?.toFixed(2)).join(" to ");
  console.log(`${command[0]}: ${middle(sorted).toFixed(2)} times as long (median of ${sorted.length}, ${spread})`);
}
await page.close();
for (const link of MATCHES) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${address}#play=${link}`);
  await started(page);
  await rest(5000);
  const [gaps, tasks] = await frames(page, 15_000);
  const figures = [middle(gaps), gaps.at(-1), tasks.at(-1) ?? 0].map((time) => time.toFixed(0));
  console.log(`${link}: frames ${figures[0]} ms, longest ${figures[1]} ms; longest task ${figures[2]} ms`);
  await page.close();
}
await end();
