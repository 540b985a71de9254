// The page's side of crates/core/src/platform/browser: fibers in place of threads, and stored files.

/** Milliseconds that fibers may take before input and frames come again. */
const SLICE = 8;

let wasm;
let fail = console.error;
let runFiber;

/** Begins to serve a program, once its module is there. `onFailure` is told what ends it. */
export function attach(exports, onFailure) {
  wasm = exports;
  fail = onFailure;
  runFiber = WebAssembly.promising(wasm.fiber_run);
}

/** Whether this browser can suspend a running program. */
export const canSuspend = "Suspending" in WebAssembly && "promising" in WebAssembly;

// Fibers. Each has a stack of its own, so the stack pointer changes whenever one begins or goes on.

const ready = [];
const waiting = new Set();
const frames = new MessageChannel();
let isScheduled = false;
let current = null;
let ownStack;
let sliceEnd = 0;

frames.port1.onmessage = async () => {
  isScheduled = false;
  sliceEnd = performance.now() + SLICE;
  while (ready.length > 0 && performance.now() < sliceEnd) {
    await goOn(ready.shift());
  }
  schedule();
};

function schedule() {
  if (!isScheduled && ready.length > 0) {
    isScheduled = true;
    frames.port2.postMessage(0);
  }
}

/** Lets a fiber run; done when it waits or has ended. */
function goOn(fiber) {
  return new Promise((rests) => {
    fiber.rests = rests;
    ownStack = wasm.__stack_pointer.value;
    wasm.__stack_pointer.value = fiber.stack;
    current = fiber;
    if (fiber.resume) {
      fiber.resume(sliceEnd);
    } else {
      runFiber(fiber.id, sliceEnd).then(leave, (error) => {
        leave();
        fail(error);
      });
    }
  });
}

function leave() {
  const fiber = current;
  current = null;
  wasm.__stack_pointer.value = ownStack;
  fiber.rests();
}

function wake(fiber) {
  if (waiting.delete(fiber)) {
    clearTimeout(fiber.timer);
    ready.push(fiber);
    schedule();
  }
}

export function fiber_start(id, stack) {
  ready.push({ id, stack });
  schedule();
}

function pause(milliseconds) {
  const fiber = current;
  return new Promise((resume) => {
    fiber.stack = wasm.__stack_pointer.value;
    fiber.resume = resume;
    if (milliseconds === 0) {
      ready.push(fiber);
    } else {
      waiting.add(fiber);
      if (milliseconds > 0) {
        fiber.timer = setTimeout(() => wake(fiber), milliseconds);
      }
    }
    leave();
  });
}

export const fiber_pause = canSuspend ? new WebAssembly.Suspending(pause) : pause;

export function fiber_news() {
  for (const fiber of [...waiting]) {
    wake(fiber);
  }
}

export function milliseconds() {
  return performance.now();
}

// Stored files: all are read before the program starts; what it changes is written in the background.

let database = null;
let stored = [];
const changed = new Map();

function request(asked) {
  return new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

/** Reads what the browser has stored. Without storage the program runs, but nothing is kept. */
export async function readStored() {
  const opening = indexedDB.open("outwit", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("files");
  database = await request(opening);
  const files = database.transaction("files").objectStore("files");
  const [paths, contents] = await Promise.all([request(files.getAllKeys()), request(files.getAll())]);
  stored = paths.map((path, at) => ({ path: new TextEncoder().encode(path), ...contents[at] }));
}

/** Writes what waits. */
export function writeStored() {
  if (!database || changed.size === 0) {
    return;
  }
  const files = database.transaction("files", "readwrite").objectStore("files");
  for (const [path, content] of changed) {
    if (content) {
      files.put(content, path);
    } else {
      files.delete(path);
    }
  }
  changed.clear();
}

function note(path, content) {
  if (changed.size === 0) {
    setTimeout(writeStored, 0);
  }
  changed.set(path, content);
}

function bytes(address, size) {
  return new Uint8Array(wasm.memory.buffer, address, size);
}

function text(address, size) {
  return new TextDecoder().decode(bytes(address, size));
}

export function stored_files() {
  return stored.length;
}

export function stored_path_size(index) {
  return stored[index].path.length;
}

export function stored_size(index) {
  return stored[index].bytes.length;
}

export function stored_time(index) {
  return stored[index].time;
}

export function stored_copy(index, path, content) {
  const file = stored[index];
  bytes(path, file.path.length).set(file.path);
  bytes(content, file.bytes.length).set(file.bytes);
}

export function store_file(path, pathSize, content, size, time) {
  note(text(path, pathSize), { bytes: bytes(content, size).slice(), time });
}

export function download_file(name, nameSize, content, size) {
  save(text(name, nameSize), bytes(content, size).slice());
}

function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export function remove_file(path, pathSize) {
  note(text(path, pathSize), null);
}

// Files that are chosen or dropped.

const chosen = [];

/** Larger files are nothing of ours. */
const MOST_BYTES = 64 << 20;

/** Takes files that were chosen or dropped. */
export async function receive(list) {
  for (const file of [...list].filter((file) => file.size <= MOST_BYTES)) {
    const content = new Uint8Array(await file.arrayBuffer());
    chosen.push({ name: new TextEncoder().encode(file.name), content });
  }
  // The window rests until something happens to it.
  const at = { clientX: innerWidth / 2, clientY: innerHeight / 2, bubbles: true };
  document.getElementById("game").dispatchEvent(new PointerEvent("pointermove", at));
}

function ask(accept, multiple, use) {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", accept, multiple });
  input.onchange = () => use(input.files).catch(fail);
  input.click();
}

export function choose_files() {
  ask("", true, receive);
}

export function chosen_name_size() {
  return chosen[0]?.name.length ?? 0;
}

export function chosen_size() {
  return chosen[0]?.content.length ?? 0;
}

export function chosen_copy(name, content) {
  const file = chosen.shift();
  bytes(name, file.name.length).set(file.name);
  bytes(content, file.content.length).set(file.content);
}

const address = new TextEncoder().encode(globalThis.location?.href.split("#")[0] ?? "");

export function address_size() {
  return address.length;
}

export function address_copy(text) {
  bytes(text, address.length).set(address);
}

export function show_title(address, size) {
  document.title = text(address, size);
}

/** What the program said last before it gave up. */
export let lastPanic = "";

export function note_panic(address, size) {
  lastPanic = text(address, size);
  console.error(lastPanic);
}

// A sub-command of the command line.

let command = null;

/** Runs a sub-command, given word by word; done with what it printed and whether it succeeded. */
export function runCommand(begin, words) {
  if (command) {
    return Promise.reject(new Error("A command is still running."));
  }
  return new Promise((done) => {
    command = { text: "", done };
    begin(words);
  });
}

export function print_text(address, size) {
  if (command) {
    command.text += text(address, size);
  }
}

export function command_ended(succeeded) {
  const { text, done } = command;
  command = null;
  done({ text, succeeded: Boolean(succeeded) });
}

// All stored files as one.

const FORMAT = "outwit-data 1";

export async function save_all_files() {
  writeStored();
  const files = database.transaction("files").objectStore("files");
  const [paths, contents] = await Promise.all([request(files.getAllKeys()), request(files.getAll())]);
  const all = paths.map((path, at) => {
    const { bytes: content, time } = contents[at];
    return { path, time, content: btoa(Array.from(content, (byte) => String.fromCharCode(byte)).join("")) };
  });
  const day = new Date().toISOString().slice(0, 10);
  save(`outwit-${day}.json`, JSON.stringify({ format: FORMAT, files: all }));
}

/** Puts back the files in a text; nothing is changed if a part of it is wrong. */
async function restore([file]) {
  const problem = (what) => window.alert(`${file.name} was not restored: ${what}.`);
  if (file.size > MOST_BYTES) {
    return problem("it is too large");
  }
  let all;
  try {
    const data = JSON.parse(await file.text());
    if (data.format !== FORMAT || !Array.isArray(data.files)) {
      return problem("it holds no data of Outwit");
    }
    all = data.files.map(({ path, time, content }) => {
      const isOurs = typeof path === "string" && path.startsWith("outwit/") && !path.split("/").includes("..");
      if (!isOurs || !Number.isFinite(time)) {
        throw new Error("a part of it is wrong");
      }
      return { path, value: { time, bytes: Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)) } };
    });
  } catch {
    return problem("a part of it is missing or wrong");
  }
  if (!window.confirm("Replace everything that is stored here by what is in the file?")) {
    return;
  }
  changed.clear();
  const writing = database.transaction("files", "readwrite");
  const files = writing.objectStore("files");
  files.clear();
  all.forEach(({ path, value }) => files.put(value, path));
  await new Promise((done, failed) => {
    writing.oncomplete = done;
    writing.onerror = () => failed(writing.error);
  });
  location.reload();
}

export function restore_all_files() {
  ask(".json", false, restore);
}
