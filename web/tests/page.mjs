// Tests: what is around the game, and what may happen to it.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Player } from "./player.mjs";

const MENU = "Outwit";

/** A copy of the page that a test may change. */
function copyOf(folder) {
  const copy = mkdtempSync(join(tmpdir(), "outwit-"));
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function edit(folder, name, change) {
  writeFileSync(join(folder, name), change(readFileSync(join(folder, name), "utf8")));
}

const scriptIn = (folder) => readdirSync(folder).find((name) => /^page-\w+\.js$/.test(name));

/** Makes the page in a folder another version, whose script has another name; returns that. */
function makeNewVersion(folder) {
  const old = scriptIn(folder);
  const name = "page-fedcba987654.js";
  renameSync(join(folder, old), join(folder, name));
  edit(folder, name, (text) => `${text}\n// Another version.\n`);
  edit(folder, "index.html", (text) => text.replaceAll(old, name));
  const version = 'VERSION = "fedcba987654"';
  edit(folder, "offline.js", (text) => text.replaceAll(old, name).replace(/VERSION = "\w+"/, version));
  return name;
}

const scriptOf = (player) =>
  player.page.evaluate(() => document.querySelector("script[type=module]").src.split("/").at(-1));

/** Whether the page is kept for when there is no network. */
const isKept = async () => Boolean((await navigator.serviceWorker.ready).active && (await caches.keys()).length);

export const tests = {
  async "the page comes up without a network"(stage) {
    const player = await Player.begin(stage, "offline");
    await player.open();
    await player.until(isKept);
    const { port } = stage.server.address();
    stage.server.close();
    stage.server.closeAllConnections();
    await player.reload();
    await player.started();
    await player.screen(MENU);
    await player.picture("offline");
    stage.server.listen(port, "127.0.0.1");
    await once(stage.server, "listening");
    player.end();
  },

  async "a screen reader hears what the game shows, and uses it"(stage) {
    const player = await Player.begin(stage, "reader");
    await player.open();
    await player.screen(MENU);
    const count = () => document.querySelectorAll("#elements *").length;
    assert.equal(await player.page.evaluate(count), 0, "nobody listens");
    await player.turnReader();
    const card = await player.control("Pukoban");
    if (stage.browserName === "chromium") {
      const found = await player.page.accessibility.snapshot({ root: card });
      assert.deepEqual([found.role, found.name], ["button", "Pukoban"]);
    }
    await card.evaluate((card) => card.click());
    await player.screen("Set-up");
    await player.control("Search");
    await player.picture("reader-setup");

    // What the keyboard has is told, and the keys stay with the game.
    await player.press("Tab");
    const focused = () => {
      const { activeElement } = document;
      const named = document.getElementById(activeElement.getAttribute("aria-activedescendant"));
      return activeElement.id === "game" && named !== null;
    };
    await player.until(focused);
    if (stage.browserName === "chromium") {
      const whole = await player.page.accessibility.snapshot({ interestingOnly: false });
      const all = (node) => [node, ...(node.children ?? []).flatMap(all)];
      const roles = all(whole).map((node) => node.role);
      assert.ok(roles.includes("application") && roles.includes("button"), roles.join());
    }

    // It is remembered, and says the board and what happens on it.
    await player.goTo("?again#play=pukoban/01-first-push");
    await player.started();
    await player.screen("Match");
    const says = (words) => document.getElementById("elements").textContent.includes(words);
    await player.until(says, "Row 1: ");
    const live = (words) =>
      [...document.querySelectorAll("#elements [aria-live]")].some((it) => it.textContent.includes(words));
    await player.until(live, "Your turn");
    const isElsewhere = (before) => {
      const lines = [...document.querySelectorAll("#elements span")].map((it) => it.textContent);
      const worker = lines.find((line) => line.startsWith("Worker"));
      return worker !== before && worker;
    };
    const before = await player.until(isElsewhere, "");
    await player.press("ArrowRight");
    await player.until(isElsewhere, before);

    await player.turnReader();
    await player.until(() => document.querySelectorAll("#elements *").length === 0);
    await player.rest(1500);
    await player.turnReader();
    await player.until(says, "Row 1: ");
    player.end();
  },

  async "a new version comes to who has the one before, wherever the server lets browsers remember files"(stage) {
    const next = copyOf(stage.folder);
    const script = makeNewVersion(next);
    stage.site.caching = "max-age=3600";
    const player = await Player.begin(stage, "update");
    await player.open();
    await player.until(isKept);
    await player.page.evaluate(() => caches.open("another project"));

    stage.site.root = next;
    await player.reload();
    await player.started();
    await player.until(async () => {
      const ours = (await caches.keys()).filter((name) => name.startsWith("outwit "));
      return ours.length === 1 && ours[0].endsWith("fedcba987654");
    });
    await player.reload();
    await player.started();
    assert.equal(await scriptOf(player), script);
    assert.ok((await player.page.evaluate(() => caches.keys())).includes("another project"));
    rmSync(next, { recursive: true });
    player.end();
  },

  async "a script that does not come is named, and loaded again"(stage) {
    const broken = copyOf(stage.folder);
    for (const stem of ["page", "storage", "outwit"]) {
      const name = readdirSync(broken).find((name) => new RegExp(`^${stem}-\\w+\\.(js|wasm\\.xz)$`).test(name));
      rmSync(join(broken, name));
      stage.site.root = broken;
      const player = await Player.begin(stage, `no ${stem}`);
      await player.goTo();
      await player.covered("could not be loaded");
      cpSync(join(stage.folder, name), join(broken, name));
      await player.choose("Reload");
      await player.started();
      await player.page.close();
    }
    rmSync(broken, { recursive: true });
  },

  async "one tab at a time plays, and nothing of either is lost"(stage) {
    const one = await Player.begin(stage, "first tab");
    await one.open();
    await one.screen(MENU);
    const two = await Player.begin(stage, "second tab", { context: one.context });
    await two.goTo();
    await two.covered("open in another tab");
    await two.picture("second-tab");
    // What waits to be written when the second tab asks is there.
    await one.command("convert", "racetrack/tiny", "one.ron");
    await two.choose("Play here instead");
    await two.started();
    await one.covered("open in another tab");
    await two.command("check", "one.ron");
    await two.command("convert", "racetrack/islands", "two.ron");
    await two.stored(/^two\.ron$/);
    // The first one goes on by itself when the second is closed.
    await two.page.close();
    await one.started();
    await one.command("check", "one.ron", "two.ron");
    one.end();
    two.end();
  },

  async "a tab that does not answer loses the files to the one that asks"(stage) {
    const one = await Player.begin(stage, "silent tab");
    await one.open();
    const two = await Player.begin(stage, "asking tab", { context: one.context });
    await two.goTo();
    await two.covered("open in another tab");
    await one.page.evaluate(() => setTimeout(() => {
      const end = Date.now() + 12_000;
      while (Date.now() < end);
    }));
    await two.choose("Play here instead");
    await two.started();
    await one.covered("open in another tab");
    one.end();
    two.end();
  },

  async "a full storage is told at once, and what could not be stored is stored once there is room"(stage) {
    const player = await Player.begin(stage, "full");
    await player.open();
    await player.screen(MENU);
    await player.page.evaluate(() => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function () {
        this.transaction.abort();
      };
      window.makeRoom = () => (IDBObjectStore.prototype.put = put);
    });
    await player.command("convert", "racetrack/tiny", "one.ron");
    await player.told("not stored");
    await player.picture("full");
    assert.deepEqual(await player.files(), {});
    await player.page.evaluate(() => window.makeRoom());
    await player.choose("Try again");
    await player.stored(/^one\.ron$/);
    await player.until(() => document.getElementById("notice")?.hidden);
    player.end();
  },

  async "the browser's own limit is told as such"(stage) {
    if (stage.browserName === "firefox") {
      return "it sets no limit for one page";
    }
    const player = await Player.begin(stage, "quota");
    await player.open();
    await player.screen(MENU);
    const session = await player.page.createCDPSession();
    await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(stage.address).origin, quotaSize: 1 });
    await player.command("convert", "racetrack/tiny", "one.ron");
    await player.told("no room");
    player.end();
  },

  async "a browser without storage lets one play, and says that nothing is kept"(stage) {
    const player = await Player.begin(stage, "blocked");
    await player.page.evaluateOnNewDocument(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("not allowed here", "SecurityError");
      };
    });
    await player.open();
    await player.told("not allowed here");
    await player.command("convert", "racetrack/tiny", "one.ron");
    assert.match(await saved(player), /"one.ron"/);
    await player.picture("blocked");
    await player.choose("Dismiss");
    player.end();
  },

  async "data that is deleted while it runs is told, and stored again if one wants"(stage) {
    const player = await Player.begin(stage, "wiped");
    await player.open();
    await player.screen(MENU);
    await player.command("convert", "racetrack/tiny", "one.ron");
    await player.stored(/^one\.ron$/);
    await player.page.evaluate(() => {
      indexedDB.deleteDatabase("outwit");
    });
    await player.told("has deleted everything");
    await player.command("convert", "racetrack/islands", "two.ron");
    await player.rest(500);
    assert.deepEqual(await player.files(), {});
    await player.picture("wiped");
    await player.choose("Store it again");
    await player.stored(/^one\.ron$/);
    await player.stored(/^two\.ron$/);
    player.end();
  },

  async "what is saved as one file is restored from it, however large"(stage) {
    const player = await Player.begin(stage, "restore");
    await player.open();
    await player.screen(MENU);
    await player.command("convert", "racetrack/tiny", "one.ron");
    // More than a function may have as arguments, with all bytes that there are.
    await player.storage((storage) => {
      const bytes = Uint8Array.from({ length: 5 << 17 }, (_, at) => at * 7);
      storage.change("large.bin", { bytes, time: 1 });
    });
    const [, track] = await player.stored(/^one\.ron$/);
    const text = await saved(player);

    const other = await Player.begin(stage, "restored");
    const said = [];
    other.page.on("dialog", (dialog) => {
      said.push(dialog.message());
      dialog.accept();
    });
    await other.open();
    await other.screen(MENU);
    const restore = (text) => other.storage((storage, text) => storage.restore(new File([text], "data.json")), text);
    for (const [wrong, why] of [
      ["{}", "holds no data of Outwit"],
      [text.slice(0, text.length / 2), "a part of it is wrong"],
      [text.replace(/\n\]\}\n$/, ""), "its end is missing"],
    ]) {
      await restore(wrong);
      assert.match(said.pop(), new RegExp(`data.json was not restored: .*${why}.*Nothing has changed`));
    }
    await other.page.evaluate(() => (window.isOld = true));
    // The page may be loaded again before the call can answer.
    await restore(text).catch(() => {});
    await other.until(() => !window.isOld);
    const [, again] = await other.stored(/^one\.ron$/);
    assert.equal(again, track);
    await other.started();
    const sum = await other.storage(({ files }) => files.get("large.bin").bytes.reduce((sum, byte) => sum + byte));
    assert.equal(sum, ((5 << 17) / 256) * (255 * 128));
    player.end();
    other.end();
  },

  async "a lost graphics context ends in a reload, after which the match goes on"(stage) {
    const player = await Player.begin(stage, "context");
    await player.open("#play=pukoban/01-first-push");
    await player.screen("Match");
    await player.press("ArrowUp", "ArrowDown", "ArrowUp");
    const [path] = await player.stored(/^outwit\/unfinished\//);
    await player.page.evaluate(() => {
      document.getElementById("game").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
    });
    await player.covered("has reset the graphics");
    await player.covered("What you saved is kept");
    await player.picture("context");
    player.errors.length = 0;
    await player.choose("Reload");
    await player.started();
    await player.screen("Match");
    await player.picture("context-again");
    const before = (await player.files())[path].match(/turn/g).length;
    await player.press("ArrowDown");
    await player.stored(new RegExp(`^${path}$`));
    assert.equal((await player.files())[path].match(/turn/g).length, before);
    player.end();
  },

  async "errors of others are no end of the game, one of its own is"(stage) {
    const player = await Player.begin(stage, "errors");
    await player.open();
    await player.screen(MENU);
    const tell = (error) =>
      player.page.evaluate(({ filename, message, isOfProgram }) => {
        const error = isOfProgram ? new WebAssembly.RuntimeError(message) : new TypeError(message);
        window.dispatchEvent(new ErrorEvent("error", { message, filename, error: filename && error }));
      }, error);
    await tell({ message: "ResizeObserver loop completed with undelivered notifications." });
    await tell({ message: "no such thing", filename: "moz-extension://0/content.js" });
    await player.rest(500);
    assert.ok(await player.page.evaluate(() => document.getElementById("cover").hidden));
    await tell({ message: "unreachable", filename: `${stage.address}outwit.wasm`, isOfProgram: true });
    await player.covered("because of a mistake in it");
    await player.covered("What you saved is kept");
  },

  async "Back leaves a screen before it leaves the page"(stage) {
    const player = await Player.begin(stage, "back");
    await player.open();
    await player.screen(MENU);
    await player.page.evaluate(() => (window.isSame = true));
    const back = () => player.page.evaluate(() => history.back());
    await player.editor();
    await back();
    await player.screen(MENU);
    // Esc takes the entry away as well.
    await player.editor();
    await player.press("Escape");
    await player.screen(MENU);
    assert.equal(await player.page.evaluate(() => history.state?.depth ?? 0), 0);
    assert.ok(await player.page.evaluate(() => window.isSame));

    await player.page.evaluate(() => (location.hash = "play=racetrack/tiny&car1=human&seed=1"));
    await player.screen("Match");
    await back();
    await player.screen("Set-up");
    await back();
    await player.screen(MENU);
    player.end();
  },

  async "keys are kept from the browser by their letters, and its own are left to it"(stage) {
    const player = await Player.begin(stage, "keys");
    await player.open();
    const held = (chords) =>
      player.page.evaluate(
        (chords) =>
          chords.filter((chord) => {
            const names = chord.split("+");
            const event = new KeyboardEvent("keydown", {
              key: names.at(-1), ctrlKey: names.includes("Control"), shiftKey: names.includes("Shift"),
              // On a keyboard where other letters are printed.
              code: "KeyX", bubbles: true, cancelable: true,
            });
            return !document.body.dispatchEvent(event);
          }),
        chords,
      );
    const withShift = ["S", "Z", "L"].map((letter) => `Control+Shift+${letter}`);
    const ours = ["ArrowUp", " ", "/", "Control+s", "Control+S", ...withShift];
    assert.deepEqual(await held(ours), ours);
    const theirs = ["n", "r", "t", "w", "q", "l", "p"].map((letter) => `Control+${letter}`);
    assert.deepEqual(await held([...theirs, "Control+Shift+I", "Control+Shift+C", "F12", "x"]), []);
    player.end();
  },

  async "the licences lie beside the page, and strange addresses find nothing"(stage) {
    const status = async (path) => (await fetch(new URL(path, stage.address))).status;
    const list = await (await fetch(new URL("licences/", stage.address))).text();
    const names = [...list.matchAll(/href="([^"]+)"/g)].map(([, name]) => name);
    assert.ok(names.length >= 5);
    for (const name of names) {
      assert.equal(await status(`licences/${name}`), 200);
    }
    assert.equal(await status("manual/"), 200);
    for (const path of ["/%ff", "/%", "/%00", "/..%2f..%2fetc/passwd", "/nothing"]) {
      assert.equal(await status(path), 404, path);
    }
    assert.equal(await status("/"), 200);
  },

  async "a broken link says what is wrong"(stage) {
    const player = await Player.begin(stage, "broken link");
    await player.open("#replay=1~abc");
    await player.screen(MENU);
    await player.picture("broken-link");
    player.end();
  },
};

/** The text of the file in which the page saves all data. */
async function saved(player) {
  return player.storage(async (storage) => {
    let text;
    const give = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      text = blob.text();
      return give.call(URL, blob);
    };
    storage.saveAll();
    URL.createObjectURL = give;
    return text;
  });
}
