// Puts the page together: node web/bundle.mjs BUILT OUT. Names of files that change carry a digest of their content, so
// that no browser mixes old files with new ones.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [built, out] = process.argv.slice(2);
const web = dirname(fileURLToPath(import.meta.url));
const source = (name) => readFileSync(join(web, name), "utf8");
const digest = (content) => createHash("sha256").update(content).digest("hex").slice(0, 12);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const written = [];
function write(name, content) {
  writeFileSync(join(out, name), content);
  written.push(name);
  return name;
}
function writeHashed(stem, ending, content) {
  return write(`${stem}-${digest(content)}${ending}`, content);
}
/** Replaces what stands in a text exactly once. */
function replaced(text, old, by) {
  if (text.split(old).length !== 2) {
    throw new Error(`'${old}' is not there exactly once`);
  }
  return text.replace(old, () => by);
}

// gzip, which browsers unpack themselves, takes two fifths more.
const program = execFileSync("zstd", ["--ultra", "-22", "--stdout", "--quiet", join(built, "outwit_bg.wasm")], {
  maxBuffer: 1 << 28,
});
const moduleName = writeHashed("outwit", ".wasm.zst", program);
const unpacker = writeHashed("fzstd", ".js", source("node_modules/fzstd/esm/index.mjs"));
write("fzstd-licence.txt", source("node_modules/fzstd/LICENSE"));
const platform = writeHashed("platform", ".js", source("platform.js"));
// Only where the file is fetched from: the program itself calls the module by its first name.
const glue = readFileSync(join(built, "outwit.js"), "utf8").replaceAll('from "./platform.js"', `from "./${platform}"`);
const glueName = writeHashed("outwit", ".js", glue);

let page = source("page.js");
page = replaced(page, "./outwit.js", `./${glueName}`);
page = replaced(page, "./platform.js", `./${platform}`);
page = replaced(page, "const COMPRESSED_SIZE = 0", `const COMPRESSED_SIZE = ${program.length}`);
page = replaced(page, "./outwit_bg.wasm.zst", `./${moduleName}`);
page = replaced(page, "./node_modules/fzstd/esm/index.mjs", `./${unpacker}`);
const pageName = writeHashed("page", ".js", page);
const styleName = writeHashed("page", ".css", source("page.css"));

write("icon.svg", readFileSync(join(web, "../assets/icon.svg")));
write("picture.png", readFileSync(join(web, "../docs/manual/src/pictures/analysis.png")));
write("manifest.webmanifest", source("manifest.webmanifest"));
let index = source("index.html");
index = replaced(index, '"page.js"', `"${pageName}"`);
index = replaced(index, '"page.css"', `"${styleName}"`);
write("index.html", index);

const version = digest(written.map((name) => name + digest(readFileSync(join(out, name)))).join());
let offline = source("offline.js");
offline = replaced(offline, "const FILES = []", `const FILES = ${JSON.stringify(["./", ...written])}`);
offline = replaced(offline, 'const VERSION = ""', `const VERSION = "outwit-${version}"`);
writeFileSync(join(out, "offline.js"), offline);

let total = 0;
for (const name of readdirSync(out).sort()) {
  const { size } = statSync(join(out, name));
  total += size;
  console.log(`${String(size).padStart(10)}  ${name}`);
}
console.log(`${String(total).padStart(10)}  in all`);
