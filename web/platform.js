// The page's side of crates/core/src/platform/browser: fibers in place of threads, and files.

import { Reader } from "./reader.js";
import { change, download, files, restore, saveAll } from "./storage.js";

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

// Stored files.

const stored = [];

function bytes(address, size) {
  return new Uint8Array(wasm.memory.buffer, address, size);
}

function text(address, size) {
  return new TextDecoder().decode(bytes(address, size));
}

export function stored_files() {
  stored.push(...[...files].map(([path, file]) => ({ path: new TextEncoder().encode(path), ...file })));
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
  change(text(path, pathSize), { bytes: bytes(content, size).slice(), time });
}

export function remove_file(path, pathSize) {
  change(text(path, pathSize), null);
}

export function download_file(name, nameSize, content, size) {
  download(text(name, nameSize), [bytes(content, size).slice()]);
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
  awaken();
}

/** Lets a frame come: the window rests until something happens to it. */
function awaken() {
  const key = { key: "Unidentified", bubbles: true };
  document.getElementById("game").dispatchEvent(new KeyboardEvent("keyup", key));
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

export function open_address(address, size) {
  window.open(text(address, size), "_blank", "noopener");
}

let fonts = [];

/** Hands the program fonts for letters that its own lack. */
export function giveFonts(files) {
  fonts = files.map((file) => new Uint8Array(file));
  awaken();
}

export function font_count() {
  return fonts.length;
}

export function font_size(index) {
  return fonts[index].length;
}

export function font_copy(index, address) {
  bytes(address, fonts[index].length).set(fonts[index]);
}

export function is_touched() {
  return Number(matchMedia("(pointer: coarse)").matches);
}

const reader = new Reader(document.getElementById("elements"), document.getElementById("game"), awaken);

export function is_read() {
  return Number(reader.isHeard);
}

export function show_elements(address, size) {
  reader.show(JSON.parse(text(address, size)));
}

let request;

export function next_request() {
  request = reader.requests.shift();
  return request?.kind ?? 0;
}

export function request_element() {
  return request.element;
}

export function request_number() {
  return request.number;
}

let showDepth = () => {};

/** `show` is told how many screens lie behind the one that is shown. */
export function onDepth(show) {
  showDepth = show;
}

export function show_depth(screens) {
  showDepth(screens);
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

export function save_all_files() {
  saveAll();
}

export function restore_all_files() {
  ask(".json", false, ([file]) => restore(file));
}
