// Somebody who plays the page in a browser.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { started } from "../browser.mjs";

/** What a browser says of itself, not of the page. */
const KNOWN = [
  "AudioContext was", "software rendering", "not loaded. GPU lacks", "TEXTURE_BINDING_ARRAY", "WebGL warning",
];
const SIZE = { width: 1280, height: 800 };
/** A screen for a finger. On a large one, a frame may take longer here than a tap may last, which is then a press. */
const TOUCH_SIZE = { width: 640, height: 400, hasTouch: true, isMobile: true };

export class Player {
  /** With a context of another player, both share what is stored. */
  static async begin(stage, name, { context, touch } = {}) {
    const player = new Player();
    Object.assign(player, { stage, name, errors: [] });
    player.context = context ?? (await stage.browser.createBrowserContext());
    player.page = await player.context.newPage();
    stage.players.push(player);
    await player.page.setViewport(touch ? TOUCH_SIZE : SIZE);
    player.page.on("pageerror", (error) => player.errors.push(String(error)));
    player.page.on("console", (message) => {
      const text = message.text();
      const isBad = message.type() === "error" || /ERROR|panicked/.test(text);
      if (isBad && !KNOWN.some((known) => text.includes(known))) {
        player.errors.push(text);
      }
    });
    await player.page.evaluateOnNewDocument(() => {
      addEventListener("securitypolicyviolation", (event) => {
        console.error(`refused by the page's policy: ${event.effectiveDirective} ${event.blockedURI}`);
      });
    });
    return player;
  }

  async open(link = "") {
    await this.goTo(link);
    await this.started();
  }

  async goTo(link = "") {
    await this.page.goto(this.stage.address + link, { waitUntil: "domcontentloaded" });
  }

  async reload() {
    await this.page.reload({ waitUntil: "domcontentloaded" });
  }

  async started() {
    await started(this.page);
  }

  /** Waits until this is so in the page, and returns what the condition said. */
  async until(condition, ...given) {
    const said = await this.page.waitForFunction(condition, { timeout: 60_000, polling: 200 }, ...given);
    return said.jsonValue();
  }

  /** Waits for a screen, which the title names. */
  async screen(name) {
    await this.until((name) => document.title.startsWith(name), name);
    await this.rest(1500);
  }

  /** Turns the words for screen readers on or off. */
  async turnReader() {
    await this.page.evaluate(() => document.getElementById("reader").click());
  }

  /** Waits for a control that a screen reader would find by this name. */
  async control(name) {
    const find = (name) => {
      const named = (it) => document.getElementById(it.getAttribute("aria-labelledby"))?.textContent;
      const said = (it) => named(it) ?? it.getAttribute("aria-label") ?? it.textContent;
      return [...document.querySelectorAll("#elements [tabindex]")].find((it) => said(it) === name) ?? null;
    };
    return this.page.waitForFunction(find, { timeout: 60_000, polling: 200 }, name);
  }

  /** Waits until the page says this instead of showing the game. */
  async covered(words) {
    const isSaid = (words) =>
      document.getElementById("cover")?.hidden === false &&
      document.getElementById("status").textContent.includes(words);
    await this.until(isSaid, words);
  }

  /** Waits for a message above the game. */
  async told(words) {
    const isTold = (words) => {
      const notice = document.getElementById("notice");
      return notice?.hidden === false && notice.textContent.includes(words);
    };
    await this.until(isTold, words);
  }

  /** Waits for a button around the game and chooses it. */
  async choose(words) {
    const isThere = (words) => [...document.querySelectorAll("button")].some((button) => button.textContent === words);
    await this.until(isThere, words);
    // Not while it waits: a button may load the page again, and a wait that it cuts short begins anew there.
    await this.page.evaluate((words) => {
      [...document.querySelectorAll("button")].find((button) => button.textContent === words).click();
    }, words);
  }

  async rest(milliseconds) {
    await new Promise((over) => setTimeout(over, milliseconds));
  }

  /** Presses keys one after the other: `d`, or `Control+s`. */
  async press(...chords) {
    const { keyboard } = this.page;
    for (const chord of chords) {
      const held = chord.split("+");
      const key = held.pop();
      for (const modifier of held) {
        await keyboard.down(modifier);
      }
      await keyboard.press(key, { delay: 150 });
      for (const modifier of held) {
        await keyboard.up(modifier);
      }
      await this.rest(250);
    }
  }

  async write(text, delay) {
    await this.page.keyboard.type(text, { delay });
  }

  async click(x, y) {
    await this.page.mouse.move(x, y);
    // A frame may take long here, and what is clicked is what the last one showed under the pointer.
    await this.rest(600);
    await this.page.mouse.click(x, y, { delay: 60 });
    await this.rest(400);
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

  async editor() {
    await this.press("e");
    await this.screen("Editor");
  }

  /** Runs a sub-command of the command line. */
  async command(...words) {
    const { text, succeeded } = await this.page.evaluate((words) => window.outwit(...words), words);
    assert.ok(succeeded, text);
    return text;
  }

  /** The stored files, as text, by their paths. */
  async files() {
    return this.page.evaluate(async () => {
      const wait = (asked) => new Promise((done) => (asked.onsuccess = () => done(asked.result)));
      const opening = indexedDB.open("outwit", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("files");
      const database = await wait(opening);
      const files = database.transaction("files").objectStore("files");
      const [paths, contents] = await Promise.all([wait(files.getAllKeys()), wait(files.getAll())]);
      database.close();
      return Object.fromEntries(paths.map((path, at) => [path, new TextDecoder().decode(contents[at].bytes)]));
    });
  }

  /** Waits until a file is stored whose path and text are these. */
  async stored(path, text = /./) {
    for (let tries = 0; tries < 120; tries++) {
      const found = Object.entries(await this.files()).find(([name, there]) => path.test(name) && text.test(there));
      if (found) {
        return found;
      }
      await this.rest(500);
    }
    throw new Error(`${this.name}: no file ${path} with ${text}: ${Object.keys(await this.files())}`);
  }

  /** Calls a function of the page's storage module. */
  async storage(use, ...given) {
    const source = await this.page.evaluate(
      () => performance.getEntriesByType("resource").map(({ name }) => name).find((name) => /storage-\w+\.js$/.test(name)),
    );
    const module = await this.page.evaluateHandle((source) => import(source), source);
    return this.page.evaluate(use, module, ...given);
  }

  async picture(name) {
    const { pictures, browserName } = this.stage;
    if (pictures) {
      const folder = join(pictures, browserName);
      mkdirSync(folder, { recursive: true });
      await this.page.screenshot({ path: join(folder, `${name}.png`) });
    }
  }

  end() {
    assert.deepEqual(this.errors, [], this.name);
  }
}
