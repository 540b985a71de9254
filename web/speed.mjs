// How much longer planners take in the browser: OUTWIT=PROGRAM node web/speed.mjs [FOLDER], by default target/web.
// `outwit bench` runs in both, one game after the other; only times that both measure well are compared. Use a release
// build, and an otherwise idle machine.

import { execFileSync } from "node:child_process";
import { open, started } from "./browser.mjs";

const desktop = process.env.OUTWIT;
if (!desktop) {
  throw new Error("OUTWIT must name the program");
}
/** Shorter times are noise. */
const LEAST = 0.05;
const BENCHES = [
  ["racetrack"],
  ["cops"],
  ["pukoban", "--seconds", "3", "--planner", "astar-h1", "--planner", "bidirectional"],
  ["stealth"],
  ["mnk", "--search", "--budget", "20000w"],
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
    } else if (command[0] === "mnk") {
      const row = /^all +[\d.]+ +[\d.]+ +\d+ +([\d.]+)/.exec(line);
      row && found.set("search", Number(row[1]));
    }
  }
  return found;
}

const { address, browser, end } = await open(process.argv[2] ?? "target/web");
const page = await browser.newPage();
const began = performance.now();
await page.goto(address);
await started(page);
console.log(`from the click to the menu: ${((performance.now() - began) / 1000).toFixed(1)} s`);
await page.waitForTimeout(3000);
for (const command of BENCHES) {
  const words = ["bench", ...command];
  const here = times(execFileSync(desktop, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }), command);
  const { text, succeeded } = await page.evaluate((words) => window.outwit(...words), words);
  if (!succeeded) {
    throw new Error(text);
  }
  const there = times(text, command);
  const ratios = [...here].filter(([name, time]) => time >= LEAST && there.get(name) >= LEAST)
    .map(([name, time]) => there.get(name) / time);
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  const sorted = ratios.sort((a, b) => a - b);
  const spread = [sorted[0], sorted.at(-1)].map((ratio) => ratio?.toFixed(2)).join(" to ");
  console.log(`${command[0]}: ${mean.toFixed(2)} times as long (${ratios.length} measures, ${spread})`);
}
await end();
