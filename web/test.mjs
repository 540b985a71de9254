// Plays the page in headless Chromium: node test.mjs FOLDER [PICTURES]. `web/test` calls it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { open, started } from "./browser.mjs";

const [folder, pictures] = process.argv.slice(2);
if (pictures) {
  mkdirSync(pictures, { recursive: true });
}
const { address, browser, end } = await open(folder);

/** What a browser says of itself, not of the page. */
const KNOWN = ["AudioContext was not allowed", "software rendering", "not loaded. GPU lacks", "TEXTURE_BINDING_ARRAY"];

const players = [];

class Player {
  static async begin(name, context) {
    const player = new Player();
    player.name = name;
    player.context = context ?? (await browser.newContext({ viewport: { width: 1280, height: 800 } }));
    player.page = await player.context.newPage();
    players.push(player);
    player.errors = [];
    player.page.on("pageerror", (error) => player.errors.push(String(error)));
    player.page.on("console", (message) => {
      const text = message.text();
      const isBad = message.type() === "error" || /ERROR|panicked/.test(text);
      if (isBad && !KNOWN.some((known) => text.includes(known))) {
        player.errors.push(text);
      }
    });
    return player;
  }

  async open(link = "") {
    await this.page.goto(address + link);
    await this.started();
  }

  async started() {
    await started(this.page);
  }

  /** Waits for a screen, which the title names. */
  async screen(name) {
    await this.page.waitForFunction((name) => document.title.startsWith(name), name, { timeout: 30_000 });
    await this.rest(1500);
  }

  async rest(milliseconds) {
    await this.page.waitForTimeout(milliseconds);
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key, { delay: 150 });
      await this.rest(250);
    }
  }

  async click(x, y) {
    await this.page.mouse.move(x, y);
    // A frame may take long here, and what is clicked is what the last one showed under the pointer.
    await this.rest(600);
    await this.page.mouse.click(x, y, { delay: 60 });
    await this.rest(400);
  }

  async editor() {
    await this.press("e");
    await this.screen("Editor");
  }

  async newLevel() {
    await this.press("Control+n");
    await this.rest(1500);
    await this.press("Enter");
    await this.rest(2500);
  }

  async drag(x, y, toX, toY) {
    await this.page.mouse.move(x, y);
    await this.rest(150);
    await this.page.mouse.down();
    await this.page.mouse.move(toX, toY, { steps: 10 });
    await this.rest(150);
    await this.page.mouse.up();
    await this.rest(400);
  }

  /** The stored files, as text, by their paths. */
  async files() {
    return this.page.evaluate(async () => {
      const wait = (asked) => new Promise((done) => (asked.onsuccess = () => done(asked.result)));
      const database = await wait(indexedDB.open("outwit", 1));
      const files = database.transaction("files").objectStore("files");
      const [paths, contents] = await Promise.all([wait(files.getAllKeys()), wait(files.getAll())]);
      database.close();
      return Object.fromEntries(paths.map((path, at) => [path, new TextDecoder().decode(contents[at].bytes)]));
    });
  }

  /** Waits until a file is stored whose path and text are these. */
  async stored(path, text) {
    for (let tries = 0; tries < 120; tries++) {
      const found = Object.entries(await this.files()).find(([name, there]) => path.test(name) && text.test(there));
      if (found) {
        return found;
      }
      await this.rest(500);
    }
    throw new Error(`${this.name}: no file ${path} with ${text}: ${Object.keys(await this.files())}`);
  }

  async picture(name) {
    if (pictures) {
      await this.page.screenshot({ path: join(pictures, `${name}.png`) });
    }
  }

  async end() {
    assert.deepEqual(this.errors, [], this.name);
  }
}

const tests = {
  async "a race is driven over the finish by keys"() {
    const player = await Player.begin("race");
    await player.open("#play=racetrack/tiny&car1=human&seed=1");
    await player.screen("Match");
    for (const key of RACE) {
      await player.press(key);
      await player.rest(600);
    }
    // What was best is kept with its path.
    await player.stored(/^outwit\/ghosts\//, /./);
    await player.picture("race");
    await player.end();
  },

  async "a level of Pukoban is solved by clicks"() {
    const player = await Player.begin("pukoban");
    await player.open("#play=pukoban/01-first-push");
    await player.screen("Match");
    await player.picture("pukoban");
    for (const [x, y] of PUSHES) {
      await player.click(x, y);
      await player.rest(1500);
    }
    await player.stored(/^outwit\/results.ron$/, /pukoban/);
    await player.picture("pukoban-solved");
    await player.end();
  },

  async "a pursuit is watched to its end"() {
    const player = await Player.begin("pursuit");
    await player.open("#play=cops/tiny&thief=runner&cops=chasers&budget=2000w&seed=2");
    await player.screen("Match");
    await player.picture("pursuit");
    // Matches are kept by themselves when they end.
    await player.stored(/^outwit\/replays\/recent\/.*cops/, /headline:\s*"(caught|escaped) in tick \d+"/);
    await player.picture("pursuit-over");
    await player.end();
  },

  async "a drawn track is there after a reload and opens from a link"() {
    const player = await Player.begin("editor");
    await player.open();
    await player.screen("Outwit");
    await player.editor();
    await player.picture("editor");
    await player.newLevel();
    await player.press("w");
    await player.drag(300, 400, 800, 400);
    await player.press("a");
    await player.click(300, 400);
    await player.press("z");
    await player.click(800, 400);
    await player.rest(2000);
    await player.picture("editor-drawn");
    await player.press("Control+s");
    await player.rest(1500);
    await player.press("Control+a");
    await player.page.keyboard.type("Ada's first ring", { delay: 30 });
    await player.press("Enter");
    const [path, drawn] = await player.stored(/^outwit\/levels\/racetrack\//, /Ada.{1,2}s first ring/);
    assert.match(drawn, /S\.+F/);

    await player.page.reload();
    await player.started();
    await player.screen("Outwit");
    await player.editor();
    await player.picture("editor-again");
    // The level that was saved stands first among the recent ones.
    await player.click(460, 510);
    await player.rest(1500);
    await player.press("w");
    await player.drag(300, 415, 800, 415);
    await player.press("Control+s");
    const widened = /S\.+F[^]*\.{10}/;
    await player.stored(new RegExp(`^${path}$`), widened);
    await player.picture("editor-widened");

    // It can be given away as a link.
    await player.end();
    const other = await Player.begin("shared link", await browser.newContext({ viewport: { width: 1280, height: 800 } }));
    const packed = deflateSync(drawn).toString("base64url");
    await other.open(`#level=1~${packed}&name=Ada%27s%20ring&car1=optimal&seed=3`);
    await other.screen("Match");
    await other.rest(12_000);
    await other.picture("shared-link");
    await other.press("F5");
    await other.stored(/^outwit\/replays\/racetrack/, /Ada.{1,2}s first ring/);
    await other.end();
  },

  async "a finger opens the keyboard of the screen, and what it writes is there"() {
    const touch = { viewport: { width: 1280, height: 800 }, hasTouch: true, isMobile: true };
    const player = await Player.begin("keyboard", await browser.newContext(touch));
    await player.open();
    await player.screen("Outwit");
    await player.editor();
    await player.newLevel();
    const keyboard = () => player.page.evaluate(() => document.activeElement.id);
    for (let tries = 0; tries < 5 && (await keyboard()) !== "egui_text_agent"; tries++) {
      await player.page.touchscreen.tap(1120, 274);
      await player.rest(1500);
    }
    assert.equal(await keyboard(), "egui_text_agent");
    await player.page.keyboard.type(": bend é 4", { delay: 120 });
    await player.page.keyboard.press("Backspace");
    await player.page.keyboard.type("5", { delay: 120 });
    await player.picture("keyboard");
    await player.stored(/^outwit\/drafts\//, /bend é 5/);
    await player.end();
  },

  async "planners play the same matches as on the desktop"() {
    const desktop = process.env.OUTWIT;
    if (!desktop) {
      return "OUTWIT does not name the program";
    }
    const player = await Player.begin("matches");
    await player.open();
    await player.screen("Outwit");
    for (const [game, level] of MATCHES) {
      const command = ["match", game, level, "--games", "2", "--seed", "11", "--budget", "2000w", "--replays", game];
      const { text, succeeded } = await player.page.evaluate((words) => window.outwit(...words), command);
      assert.ok(succeeded, text);
      const there = Object.entries(await player.files()).filter(([path]) => path.startsWith(`${game}/`));
      const folder = mkdtempSync(join(tmpdir(), "outwit-"));
      execFileSync(desktop, command, { cwd: folder, stdio: "pipe" });
      const here = readdirSync(join(folder, game)).sort();
      assert.deepEqual(there.map(([path]) => path.slice(game.length + 1)).sort(), here);
      assert.ok(here.length > 0);
      for (const [path, replay] of there) {
        assert.match(replay, /digest:\d+/);
        assert.equal(replay, readFileSync(join(folder, path), "utf8"), path);
      }
      rmSync(folder, { recursive: true });
      console.log(`        ${game}: ${here.length} matches`);
    }
    await player.end();
  },

  async "a broken link says what is wrong"() {
    const player = await Player.begin("broken link");
    await player.open("#replay=1~abc");
    await player.screen("Outwit");
    await player.picture("broken-link");
    await player.end();
  },

  async "the page comes up without a network"() {
    const player = await Player.begin("offline");
    await player.open();
    await player.page.evaluate(() => navigator.serviceWorker.ready);
    await player.rest(1000);
    await player.context.setOffline(true);
    await player.page.reload();
    await player.started();
    await player.screen("Outwit");
    await player.picture("offline");
    await player.end();
  },
};

/** The fastest way around, from the first place of the grid. */
const RACE = ["d", "d", "d", "z", "a", "z", "q", "a", "q", "a"];
/** The box, and the goal to which it is brought: on the picture of the board at 1280 by 800. */
const PUSHES = [[428, 325], [428, 540]];

const MATCHES = [
  ["racetrack", "first-lap"],
  ["cops", "duel"],
  ["pukoban", "04-dead-end"],
  ["stealth", "15-rounds"],
  ["mnk", "4x4x3"],
];

const wanted = Object.entries(tests).filter(([name]) => name.includes(process.env.ONLY ?? ""));
let failed = 0;
for (const [name, test] of wanted) {
  const began = Date.now();
  try {
    const skipped = await test();
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    console.log(skipped ? `skipped ${name}: ${skipped}` : `ok      ${name} (${seconds} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
    for (const player of players) {
      console.log(player.errors.join("\n"));
      await player.picture(`failed-${player.name}`);
    }
  }
  // A page that is left open goes on drawing.
  await Promise.all(players.splice(0).map((player) => player.context.close()));
}
await end();
console.log(`${wanted.length - failed} passed, ${failed} failed`);
process.exit(failed || wanted.length === 0 ? 1 : 0);
