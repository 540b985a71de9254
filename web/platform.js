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

export function remove_file(path, pathSize) {
  note(text(path, pathSize), null);
}
