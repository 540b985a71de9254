// Stored files: all are read before the program starts; what it changes is written in the background.

import { dismiss, isNoticeShown, notify } from "./notice.js";

const NAME = "outwit";
/** Milliseconds in which the browser opens its storage, or there is none. */
const PATIENCE = 10_000;
/** Milliseconds until what could not be written is tried again. */
const RETRY = 30_000;

/** All files of the program as { bytes, time }, by path. */
export const files = new Map();
/** The paths of those that are not stored as they are here. */
const unwritten = new Set();
let database = null;
/** Settled when all that was begun has been written or has failed. */
let writing = Promise.resolve();
let isDue = false;
/** Nothing more may be written: another tab has the files, or others take their place. */
let isOver = false;
/** The browser has deleted all that was stored, and nobody has said yet that it be stored again. */
let isCleared = false;
let hasAsked = false;
/** Runs while something could not be stored. */
let timer = null;

function settled(asked) {
  return new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

/** Done when a transaction is complete; `change` is given the stored files. */
function written(change) {
  return new Promise((done, failed) => {
    const transaction = database.transaction("files", "readwrite");
    transaction.oncomplete = done;
    transaction.onabort = () => failed(transaction.error ?? new Error("the browser gave up"));
    change(transaction.objectStore("files"));
  });
}

async function open() {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("files");
  const late = new Promise((_, failed) => setTimeout(() => failed(new Error("it does not answer")), PATIENCE));
  const opened = await Promise.race([settled(opening), late]);
  opened.onclose = openAgain;
  opened.onversionchange = () => {
    opened.close();
    openAgain();
  };
  return opened;
}

/** Reads what the browser has stored. Without storage the program runs, but nothing is kept. */
export async function readStored() {
  try {
    const opened = await open();
    const all = opened.transaction("files").objectStore("files");
    const [paths, contents] = await Promise.all([settled(all.getAllKeys()), settled(all.getAll())]);
    paths.forEach((path, at) => files.set(path, contents[at]));
    database = opened;
  } catch (error) {
    console.warn(error);
    // What cannot be read must not be overwritten either.
    isOver = true;
    notify(`The browser's storage cannot be used (${error.message}). Nothing that you do is kept when this page is ` +
      "closed, unless you save it as a file.", { "Save all data": saveAll });
  }
}

/** The browser has closed the storage: because somebody deleted the data of the site, or by a mistake of its own. */
async function openAgain(isRepeated = false) {
  database = null;
  try {
    const opened = await open();
    const count = await settled(opened.transaction("files").objectStore("files").count());
    database = opened;
    if (count > 0 || files.size === 0) {
      await writeStored();
      return;
    }
    isCleared = true;
    notify("The browser has deleted everything that Outwit had stored. It is all still here until this page is " +
      "closed.", { "Store it again": storeAgain, "Save all data": saveAll });
  } catch (error) {
    tell(error, isRepeated);
  }
}

function storeAgain() {
  isCleared = false;
  for (const path of files.keys()) {
    unwritten.add(path);
  }
  dismiss();
  return writeStored();
}

/** Says that something could not be stored, and tries again. Whoever has dismissed that hears it of new changes only. */
function tell(error, isRepeated) {
  console.warn(error);
  if (!isRepeated || isNoticeShown()) {
    const why = error.name === "QuotaExceededError" ? "the browser has no room left for it" : error.message;
    notify(`Your latest changes are not stored: ${why}. They last until this page is closed.`, {
      "Try again": () => retry(),
      "Save all data": saveAll,
    });
  }
  clearTimeout(timer);
  timer = setTimeout(() => retry(true), RETRY);
}

function retry(isRepeated) {
  return database ? writeStored(isRepeated) : openAgain(isRepeated);
}

async function write(isRepeated) {
  if (isOver || isCleared || !database || unwritten.size === 0) {
    return;
  }
  const paths = [...unwritten];
  unwritten.clear();
  try {
    await written((stored) => {
      for (const path of paths) {
        const file = files.get(path);
        file ? stored.put(file, path) : stored.delete(path);
      }
    });
    if (timer && !isCleared) {
      clearTimeout(timer);
      timer = null;
      dismiss();
    }
    askToKeep().catch(console.warn);
  } catch (error) {
    paths.forEach((path) => unwritten.add(path));
    tell(error, isRepeated);
  }
}

/** Writes what waits; done when that is over, with whether everything is stored. */
export async function writeStored(isRepeated = false) {
  isDue = false;
  writing = Promise.all([writing, write(isRepeated)]);
  await writing;
  return unwritten.size === 0 && !isCleared;
}

/** Stores nothing more from now on, but what waits if that may still be written. */
export async function closeStored(mayWrite) {
  if (mayWrite) {
    await writeStored();
  }
  isOver = true;
}

/** Asks that the browser delete nothing when it runs out of room; some ask the person, who should know why. */
async function askToKeep() {
  if (!hasAsked && navigator.userActivation?.hasBeenActive && navigator.storage?.persist) {
    hasAsked = true;
    (await navigator.storage.persisted()) || (await navigator.storage.persist());
  }
}

/** Stores a file, or removes it if there is none. */
export function change(path, file) {
  file ? files.set(path, file) : files.delete(path);
  unwritten.add(path);
  if (!isDue) {
    isDue = true;
    setTimeout(writeStored, 0);
  }
}

// All files as one: JSON with a line for each of them, so that it may be larger than the longest string.

const FORMAT = "outwit-data 1";
const HEAD = `{"format":"${FORMAT}","files":[`;
const TAIL = "]}";
/** Bytes that are encoded at a time: a call may have only so many arguments. */
const PIECE = 0x8000;

function base64(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    letters += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(letters);
}

/** Lets the browser save a file. */
export function download(name, parts) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function saveAll() {
  const lines = [...files].map(([path, { bytes, time }], at) => {
    const line = JSON.stringify({ path, time, content: base64(bytes) });
    return at > 0 ? `,\n${line}` : line;
  });
  const day = new Date().toISOString().slice(0, 10);
  download(`outwit-${day}.json`, [`${HEAD}\n`, ...lines, `\n${TAIL}\n`]);
}

async function* linesOf(file) {
  let rest = "";
  const pieces = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    const lines = (rest + piece.value).split("\n");
    rest = lines.pop();
    yield* lines;
  }
  yield rest;
}

/** What is in a file of `saveAll`, by path. */
async function unpacked(file) {
  const isOurs = (await file.slice(0, HEAD.length).text()) === HEAD;
  if (!isOurs) {
    throw new Error("it holds no data of Outwit");
  }
  const all = new Map();
  let isWhole = false;
  for await (const line of linesOf(file)) {
    isWhole ||= line === TAIL;
    if (line === HEAD || line === TAIL || line === "") {
      continue;
    }
    try {
      const { path, time, content } = JSON.parse(line.replace(/,$/, ""));
      if (typeof path !== "string" || path === "" || !Number.isFinite(time)) {
        throw new TypeError("no path or no time");
      }
      all.set(path, { time, bytes: Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)) });
    } catch (error) {
      console.warn(error);
      throw new Error(`a part of it is wrong (file ${all.size + 1})`);
    }
  }
  if (!isWhole) {
    throw new Error("its end is missing");
  }
  return all;
}

/** Puts back what is in a file of `saveAll`, and loads the page again; nothing is changed if a part of it is wrong. */
export async function restore(file) {
  try {
    if (!database) {
      throw new Error("the browser's storage cannot be used");
    }
    const all = await unpacked(file);
    if (!window.confirm("Replace everything that is stored here by what is in the file?")) {
      return;
    }
    isOver = true;
    await writing;
    await written((stored) => {
      stored.clear();
      all.forEach((value, path) => stored.put(value, path));
    });
  } catch (error) {
    console.warn(error);
    isOver = !database;
    const why = error.name === "QuotaExceededError" ? "the browser has no room for it" : error.message;
    window.alert(`${file.name} was not restored: ${why}. Nothing has changed.`);
    return;
  }
  location.reload();
}
