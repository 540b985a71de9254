// Loads the game, shows how far that is, and says what to do where it cannot run.

import init, { command, start } from "./outwit.js";
import { attach, canSuspend, giveFonts, lastPanic, onDepth, receive, runCommand } from "./platform.js";
import { closeStored, readStored, saveAll, writeStored } from "./storage.js";
import { ownFiles } from "./tabs.js";
import { XzReadableStream } from "./xz.js";

/** Bytes of the compressed module; written by web/build. */
const COMPRESSED_SIZE = 0;
const MODULE = "./outwit_bg.wasm.xz";
/** Fonts for letters that the program's own lack; written by web/build. */
const FONTS = [];

const cover = document.getElementById("cover");
const bar = document.getElementById("loaded");
const status = document.getElementById("status");
const canvas = document.getElementById("game");

/** Keys that the game uses and that scroll or leave the page otherwise. */
const OWN_KEYS = new Set([
  "arrowup", "arrowdown", "arrowleft", "arrowright", "pageup", "pagedown", "home", "end",
  " ", "tab", "backspace", "/", "'", "f1", "f2", "f8", "f9", "f11",
]);

/** The same, held together with Ctrl: by what is printed on the key, as the shortcuts are. */
const OWN_WITH_CTRL = new Set(["delete", ..."adefghijkosyz"]);
const OWN_WITH_CTRL_AND_SHIFT = new Set("slz");

/** What this browser lacks, with what to do about it. */
function lacking() {
  if (!document.createElement("canvas").getContext("webgl2")) {
    return "This browser has no WebGL 2, which draws the game. Update the browser, or turn hardware acceleration " +
      "on in its settings; otherwise install Outwit on the computer.";
  }
  if (!canSuspend) {
    return "This browser cannot suspend a running program (JavaScript Promise Integration), so planners could not " +
      "think beside the game. Update the browser: Chrome and Edge can do it from version 137 on, Firefox from 153 " +
      "and Safari from 27.";
  }
  return null;
}

let isOver = false;

/** Ends the game; `why` says what has happened. */
async function stop(why) {
  if (isOver) {
    return;
  }
  isOver = true;
  showCover(why);
  if (await writeStored()) {
    showCover(`${why}\nWhat you saved is kept.`, { Reload: reloadFresh });
  } else {
    showCover(`${why}\nYour latest changes could not be stored: save all data as a file before you reload, and ` +
      "restore it in the settings.", { "Save all data": saveAll, Reload: reloadFresh });
  }
}

const isReset = () => canvas.getContext("webgl2")?.isContextLost();

function fail(error) {
  console.error(error);
  if (isReset()) {
    stop(RESET);
  } else {
    stop(`Outwit has stopped because of a mistake in it.\n${lastPanic || error.message || String(error)}`);
  }
}

const RESET = "The device has reset the graphics, as phones do while a page is in the background. Reload the page.";

/** The module, unpacked as it comes. */
async function fetchModule() {
  const response = await fetch(MODULE);
  if (!response.ok) {
    throw new Error(`the server answered ${response.status}.`);
  }
  let loaded = 0;
  const counting = new TransformStream({
    transform(piece, output) {
      loaded += piece.length;
      bar.value = Math.min(loaded / COMPRESSED_SIZE, 1);
      const megabytes = (size) => (size / 1e6).toFixed(1);
      status.textContent = `Loading: ${megabytes(loaded)} of ${megabytes(COMPRESSED_SIZE)} MB`;
      output.enqueue(piece);
    },
  });
  const module = new XzReadableStream(response.body.pipeThrough(counting));
  return new Response(module, { headers: { "Content-Type": "application/wasm" } });
}

async function run() {
  const missing = lacking();
  if (missing) {
    showCover(missing);
    return;
  }
  const askForFiles = (take) => {
    const play = () => {
      showCover("Waiting for the other tab …");
      take();
    };
    showCover("Outwit is open in another tab. Only one tab at a time can play, so that none overwrites what another " +
      "one stored.", { "Play here instead": play });
  };
  const leave = async (isTaken) => {
    await closeStored(!isTaken);
    location.reload();
  };
  await ownFiles(askForFiles, leave);
  showCover("Loading …");
  bar.hidden = false;
  const [wasm] = await Promise.all([init({ module_or_path: fetchModule() }), readStored()]);
  attach(wasm, fail);
  canvas.addEventListener("webglcontextlost", () => stop(RESET));
  onDepth(showDepth);
  status.textContent = "Starting …";
  // The browser draws this before the program takes the thread.
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 0)));
  try {
    start(location.hash.slice(1));
  } catch (error) {
    // The window's loop leaves this way.
    if (!String(error).includes("Using exceptions for control flow")) {
      fail(error);
      return;
    }
  }
  canvas.focus();
  cover.hidden = true;
  fetchFonts().catch(console.warn);
}

/** Fetches what only some letters need, once the game is there. */
async function fetchFonts() {
  giveFonts(await Promise.all(FONTS.map(async (name) => {
    const response = await fetch(name);
    if (!response.ok) {
      throw new Error(`The font ${name} did not come: the server answered ${response.status}.`);
    }
    return response.arrayBuffer();
  })));
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
  const withCtrl = event.shiftKey ? OWN_WITH_CTRL_AND_SHIFT : OWN_WITH_CTRL;
  const own = event.ctrlKey || event.metaKey ? withCtrl : OWN_KEYS;
  if (event.target !== typed && !event.altKey && own.has(event.key.toLowerCase())) {
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
// Each screen behind the one that is shown has an entry in the history, so that Back leaves a screen before the page.
let depth = 0;
let isGoing = false;
const entry = () => history.state?.depth ?? 0;

function showDepth(screens) {
  depth = screens;
  followDepth();
}

function followDepth() {
  if (isGoing) {
    return;
  }
  for (let next = entry() + 1; next <= depth; next++) {
    history.pushState({ depth: next }, "");
  }
  if (entry() > depth) {
    isGoing = true;
    history.go(depth - entry());
  }
}
window.addEventListener("popstate", () => {
  if (!isGoing && entry() < depth) {
    pressKey("Escape", "Escape");
    // The screen stays where something is to be closed or confirmed first.
    setTimeout(followDepth, 1000);
    return;
  }
  isGoing = false;
  followDepth();
});

window.addEventListener("pagehide", () => writeStored());
document.addEventListener("visibilitychange", () => writeStored());
window.addEventListener("hashchange", () => location.reload());

/** Whether an error is of this program, and not of an extension or of the browser itself. */
function isOwn({ error, filename }) {
  const isOurFile = filename?.startsWith(new URL("./", import.meta.url).href) && /\.(js|wasm)\b/.test(filename);
  return error instanceof WebAssembly.RuntimeError || (isOurFile && error instanceof Error);
}
window.addEventListener("error", (event) => {
  if (isOwn(event) && !event.message.includes("Using exceptions for control flow")) {
    fail(event.error);
  }
});
window.addEventListener("unhandledrejection", ({ reason }) => {
  if (reason instanceof WebAssembly.RuntimeError) {
    fail(reason);
  }
});

/** For the browser's console: `await outwit("solve", "racetrack", "tiny")`. */
window.outwit = (...words) => runCommand(command, words);

/** Keeps the page for when there is no network; a new version takes over once all of this one is loaded. */
async function keepOffline() {
  const registration = await navigator.serviceWorker.register("offline.js");
  const takeOver = () => registration.waiting?.postMessage("take over");
  registration.addEventListener("updatefound", () => {
    registration.installing.addEventListener("statechange", takeOver);
  });
  takeOver();
}

try {
  await run();
} catch (error) {
  console.error(error);
  showCover(`Outwit could not be loaded: ${error.message}`, { Reload: reloadFresh });
}
if ("serviceWorker" in navigator) {
  keepOffline().catch(console.warn);
}
