// Loads the game, shows how far that is, and says what to do where it cannot run.

import { Decompress } from "./node_modules/fzstd/esm/index.mjs";
import init, { command, start } from "./outwit.js";
import { attach, canSuspend, lastPanic, readStored, receive, runCommand, writeStored } from "./platform.js";

/** Bytes of the compressed module; written by web/build. */
const COMPRESSED_SIZE = 0;
const MODULE = "./outwit_bg.wasm.zst";

const cover = document.getElementById("cover");
const bar = document.getElementById("loaded");
const status = document.getElementById("status");
const canvas = document.getElementById("game");

/** Keys that the game uses and that scroll or leave the page otherwise. */
const OWN_KEYS = new Set([
  "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End",
  "Space", "Tab", "Backspace", "Slash", "Quote", "F1", "F2", "F5", "F6", "F8", "F9", "F11",
]);

/** The same, held together with Ctrl. */
const OWN_WITH_CTRL = new Set([
  "Delete", "KeyA", "KeyD", "KeyE", "KeyF", "KeyG", "KeyH", "KeyI", "KeyJ", "KeyK", "KeyO", "KeyS", "KeyY", "KeyZ",
]);

/** What this browser lacks, with what to do about it. */
function lacking() {
  if (!document.createElement("canvas").getContext("webgl2")) {
    return "This browser has no WebGL 2, which draws the game. Update the browser, or turn hardware acceleration " +
      "on in its settings; otherwise install Outwit on the computer.";
  }
  if (!canSuspend) {
    return "This browser cannot suspend a running program (JavaScript Promise Integration), so planners could not " +
      "think beside the game. Update the browser: Chrome and Edge can do it from version 137 on.";
  }
  return null;
}

function say(text) {
  cover.hidden = false;
  status.textContent = text;
}

let isOver = false;

function fail(error) {
  console.error(error);
  if (isOver) {
    return;
  }
  isOver = true;
  bar.hidden = true;
  const what = lastPanic || error.message || String(error);
  say(`Outwit has stopped because of a mistake in it. What you saved is kept.\n${what}`);
  const button = document.createElement("button");
  button.textContent = "Reload";
  button.onclick = () => location.reload();
  status.after(button);
}

/** The module, unpacked as it comes. */
async function fetchModule() {
  const response = await fetch(MODULE);
  if (!response.ok) {
    throw new Error(`The game cannot be loaded (${response.status}). Reload the page to try again.`);
  }
  let loaded = 0;
  let unpacker;
  const unpacking = new TransformStream({
    start(output) {
      unpacker = new Decompress((piece) => output.enqueue(piece));
    },
    transform(piece) {
      loaded += piece.length;
      bar.value = Math.min(loaded / COMPRESSED_SIZE, 1);
      const megabytes = (size) => (size / 1e6).toFixed(1);
      status.textContent = `Loading: ${megabytes(loaded)} of ${megabytes(COMPRESSED_SIZE)} MB`;
      unpacker.push(piece);
    },
  });
  return new Response(response.body.pipeThrough(unpacking), { headers: { "Content-Type": "application/wasm" } });
}

async function run() {
  const missing = lacking();
  if (missing) {
    bar.hidden = true;
    say(missing);
    return;
  }
  const [wasm] = await Promise.all([
    init({ module_or_path: fetchModule() }),
    readStored().catch((error) => {
      console.warn("The browser stores nothing here; levels and settings last until the page is closed.", error);
    }),
  ]);
  attach(wasm, fail);
  status.textContent = "Starting …";
  // The browser draws this before the program takes the thread.
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 0)));
  try {
    start(location.hash.slice(1));
  } catch (error) {
    // The window's loop leaves this way.
    if (!String(error).includes("Using exceptions for control flow")) {
      throw error;
    }
  }
  canvas.focus();
  cover.hidden = true;
}

// Browsers allow sound from the first key or touch on.
const sounds = [];
window.AudioContext = class extends window.AudioContext {
  constructor(...options) {
    super(...options);
    sounds.push(this);
  }
};
for (const gesture of ["keydown", "pointerup"]) {
  window.addEventListener(gesture, () => {
    const waiting = sounds.filter((sound) => sound.state === "suspended");
    waiting.forEach((sound) => sound.resume().catch(console.warn));
  }, { capture: true });
}

window.addEventListener("keydown", (event) => {
  const isCtrl = event.ctrlKey || event.metaKey;
  if (event.target !== typed && !event.altKey && (isCtrl ? OWN_WITH_CTRL : OWN_KEYS).has(event.code)) {
    event.preventDefault();
  }
}, { capture: true });

// What the keyboard of a screen writes, as keys for the game: it tells texts and not keys.
const typed = document.getElementById("egui_text_agent");
function pressKey(key, code = "") {
  for (const type of ["keydown", "keyup"]) {
    canvas.dispatchEvent(new KeyboardEvent(type, { key, code, bubbles: true, cancelable: true }));
  }
}
typed.addEventListener("beforeinput", (event) => {
  event.preventDefault();
  if (event.inputType === "insertLineBreak") {
    pressKey("Enter", "Enter");
  } else if (event.inputType === "deleteContentBackward") {
    pressKey("Backspace", "Backspace");
  }
  for (const letter of event.data ?? "") {
    pressKey(letter);
  }
});
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
window.addEventListener("dragover", (event) => event.preventDefault());
window.addEventListener("drop", (event) => {
  event.preventDefault();
  receive(event.dataTransfer.files).catch(fail);
});
window.addEventListener("pagehide", writeStored);
window.addEventListener("hashchange", () => location.reload());
window.addEventListener("error", (event) => {
  if (!String(event.message).includes("Using exceptions for control flow")) {
    fail(event.error ?? event.message);
  }
});

/** For the browser's console: `await outwit("solve", "racetrack", "tiny")`. */
window.outwit = (...words) => runCommand(command, words);

run().catch(fail);

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline.js").catch((error) => console.warn(error));
}
