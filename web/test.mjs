// Plays the page in browsers: node test.mjs FOLDER [PICTURES]. `web/test` calls it.

import { resolve } from "node:path";
import { installed, open, BROWSERS } from "./browser.mjs";
import { tests as games } from "./tests/games.mjs";
import { tests as page } from "./tests/page.mjs";

const [folder, pictures] = process.argv.slice(2);
const wanted = Object.entries({ ...games, ...page }).filter(([name]) => new RegExp(process.env.ONLY ?? "").test(name));
const browsers = process.env.BROWSER ? [process.env.BROWSER] : installed();
for (const name of Object.keys(BROWSERS).filter((name) => !browsers.includes(name))) {
  console.log(`skipped ${name}: ${process.env.BROWSER ? "not wanted" : "not installed"}`);
}

let passed = 0;
let failed = 0;
let left = 0;
for (const browserName of browsers) {
  const root = resolve(folder);
  const stage = { ...(await open(root, browserName)), folder: root, browserName, pictures, players: [] };
  console.log(`${browserName}: ${await stage.browser.version()}`);
  for (const [name, test] of wanted) {
    const began = Date.now();
    try {
      const skipped = await test(stage);
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      console.log(skipped ? `skipped ${name}: ${skipped}` : `ok      ${name} (${seconds} s)`);
      if (skipped) {
        left += 1;
      } else {
        passed += 1;
      }
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack}`);
      for (const player of stage.players) {
        console.log(player.errors.join("\n"));
        await player.picture(`failed-${player.name}`).catch(console.log);
      }
    }
    // A page that is left open goes on drawing.
    await Promise.all(stage.players.splice(0).map((player) => player.context.close().catch(() => {})));
    Object.assign(stage.site, { root: stage.folder, caching: undefined });
  }
  await stage.end();
}
console.log(`${passed} passed, ${failed} failed, ${left} skipped`);
process.exit(failed || passed === 0 ? 1 : 0);
