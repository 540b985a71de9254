// Tests: games, levels and replays on the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { Player } from "./player.mjs";

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

const NEW_LEVEL = "Shift+N";
const SAVE_REPLAY = "Shift+F";

async function newLevel(player) {
  await player.press(NEW_LEVEL);
  await player.rest(1500);
  await player.press("Enter");
  await player.rest(2500);
}

export const tests = {
  async "a race is driven over the finish by keys"(stage) {
    const player = await Player.begin(stage, "race");
    await player.open("#play=racetrack/tiny&car1=human&seed=1");
    await player.screen("Match");
    for (const key of RACE) {
      await player.press(key);
      await player.rest(600);
    }
    // What was best is kept with its path.
    await player.stored(/^outwit\/ghosts\//, /./);
    await player.picture("race");
    player.end();
  },

  async "a level of Pukoban is solved by clicks"(stage) {
    const player = await Player.begin(stage, "pukoban");
    await player.open("#play=pukoban/01-first-push");
    await player.screen("Match");
    await player.picture("pukoban");
    for (const [x, y] of PUSHES) {
      await player.click(x, y);
      await player.rest(1500);
    }
    await player.stored(/^outwit\/results.ron$/, /pukoban/);
    await player.picture("pukoban-solved");
    player.end();
  },

  async "a pursuit is watched to its end"(stage) {
    const player = await Player.begin(stage, "pursuit");
    await player.open("#play=cops/tiny&thief=runner&cops=chasers&budget=2000w&seed=2");
    await player.screen("Match");
    await player.picture("pursuit");
    // Matches are kept by themselves when they end.
    await player.stored(/^outwit\/replays\/recent\/.*cops/, /headline:\s*"(caught|escaped) in tick \d+"/);
    await player.picture("pursuit-over");
    player.end();
  },

  async "a drawn track is there after a reload and opens from a link"(stage) {
    const player = await Player.begin(stage, "editor");
    await player.open();
    await player.screen("Outwit");
    await player.editor();
    await player.picture("editor");
    await newLevel(player);
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
    await player.write("Ada's first ring", 30);
    await player.press("Enter");
    const [path, drawn] = await player.stored(/^outwit\/levels\/racetrack\//, /Ada.{1,2}s first ring/);
    assert.match(drawn, /S\.+F/);

    await player.reload();
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
    player.end();
    const other = await Player.begin(stage, "shared link");
    const packed = deflateSync(drawn).toString("base64url");
    await other.open(`#level=1~${packed}&name=Ada%27s%20ring&car1=optimal&seed=3`);
    await other.screen("Match");
    await other.rest(12_000);
    await other.picture("shared-link");
    await other.press(SAVE_REPLAY);
    await other.stored(/^outwit\/replays\/racetrack/, /Ada.{1,2}s first ring/);
    other.end();
  },

  async "a finger opens the keyboard of the screen, and what it writes is there"(stage) {
    if (stage.browserName === "firefox") {
      return "it emulates no screen to touch";
    }
    const player = await Player.begin(stage, "keyboard", { touch: true });
    await player.open();
    await player.screen("Outwit");
    await player.editor();
    await newLevel(player);
    await player.turnReader();
    const keyboard = () => player.page.evaluate(() => document.activeElement.id);
    for (let tries = 0; tries < 5 && (await keyboard()) !== "egui_text_agent"; tries++) {
      const { x, y, width, height } = await (await player.control("Name")).boundingBox();
      await player.page.touchscreen.tap(x + width / 2, y + height / 2);
      await player.rest(1500);
    }
    assert.equal(await keyboard(), "egui_text_agent");
    await player.write(": bend é 4", 120);
    await player.page.keyboard.press("Backspace");
    await player.write("5", 120);
    await player.picture("keyboard");
    await player.stored(/^outwit\/drafts\//, /bend é 5/);
    player.end();
  },

  async "planners play the same matches as on the desktop"(stage) {
    const desktop = process.env.OUTWIT;
    if (!desktop) {
      return "OUTWIT does not name the program";
    }
    const player = await Player.begin(stage, "matches");
    await player.open();
    await player.screen("Outwit");
    for (const [game, level] of MATCHES) {
      const command = ["match", game, level, "--games", "2", "--seed", "11", "--budget", "2000w", "--replays", game];
      await player.command(...command);
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
    player.end();
  },
};
