// Puts the page together: node web/bundle.mjs BUILT OUT [--quick]. Names of files that change carry a digest of their
// content, so that no browser mixes old files with new ones.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [built, out, quick] = process.argv.slice(2);
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

// gzip, which browsers unpack themselves, takes half as much more, and zstd an eighth. The instructions of WebAssembly
// have any length, so that no place in four bytes is like another one.
const filter = quick ? "preset=0" : "preset=9e,dict=16MiB,lc=4,pb=0";
const options = ["--check=crc32", `--lzma2=${filter}`, "--stdout", "--quiet"];
const program = execFileSync("xz", [...options, join(built, "outwit_bg.wasm")], {
  maxBuffer: 1 << 28,
});
const moduleName = writeHashed("outwit", ".wasm.xz", program);

/** Modules by the names that the sources have, each with all that it imports before it. */
const modules = new Map();
function writeModule(name, stem, content) {
  let text = content;
  for (const [imported, hashed] of modules) {
    // Only where a file is fetched from: the program itself calls its modules by their first names.
    text = text.replaceAll(`from "./${imported}"`, `from "./${hashed}"`);
  }
  modules.set(name, writeHashed(stem, ".js", text));
}
// A CommonJS module that needs no other one in a browser, as an ES module.
const unpacker = source("node_modules/xz-decompress/dist/package/xz-decompress.js");
writeModule("xz.js", "xz", [
  "const module = { exports: {} };",
  "const { exports } = module;",
  "const require = () => ({});",
  unpacker,
  "export const { XzReadableStream } = module.exports;\n",
].join("\n"));
for (const name of ["notice", "storage", "tabs", "reader", "platform"]) {
  writeModule(`${name}.js`, name, source(`${name}.js`));
}
writeModule("outwit.js", "outwit", readFileSync(join(built, "outwit.js"), "utf8"));
const fonts = [0, 1, 2, 3].map((number) => writeHashed("font", ".ttf", readFileSync(join(built, `font${number}.ttf`))));
let page = source("page.js");
page = replaced(page, "const FONTS = []", `const FONTS = ${JSON.stringify(fonts)}`);
page = replaced(page, "const COMPRESSED_SIZE = 0", `const COMPRESSED_SIZE = ${program.length}`);
page = replaced(page, "./outwit_bg.wasm.xz", `./${moduleName}`);
writeModule("page.js", "page", page);
const left = [...modules.values()].filter((name) => /from "\.\/[^-"]*"/.test(readFileSync(join(out, name), "utf8")));
if (left.length > 0) {
  throw new Error(`${left} import files that are not there`);
}
const pageName = modules.get("page.js");
const styleName = writeHashed("page", ".css", source("page.css"));

write("icon.svg", readFileSync(join(web, "../assets/icon.svg")));
write("picture.png", readFileSync(join(web, "../docs/manual/src/pictures/analysis.png")));
write("manifest.webmanifest", source("manifest.webmanifest"));
const guard = source("guard.js");
let index = source("index.html");
index = replaced(index, '"page.js"', `"${pageName}"`);
index = replaced(index, '"outwit_bg.wasm.xz"', `"${moduleName}"`);
// Who shows a link to others fetches the picture by its whole address.
const address = process.env.OUTWIT_ADDRESS ? new URL("./", process.env.OUTWIT_ADDRESS).href : "";
index = replaced(index, 'content="picture.png"', `content="${address.replaceAll('"', "%22")}picture.png"`);
index = replaced(index, '"page.css"', `"${styleName}"`);
index = replaced(index, '<script src="guard.js"></script>', `<script>${guard}</script>`);
index = replaced(index, "sha256-guard", `sha256-${createHash("sha256").update(guard).digest("base64")}`);
write("index.html", index);

const version = digest(written.map((name) => name + digest(readFileSync(join(out, name)))).join());
let offline = source("offline.js");
offline = replaced(offline, "const FILES = []", `const FILES = ${JSON.stringify(["./", ...written])}`);
offline = replaced(offline, 'const VERSION = ""', `const VERSION = "${version}"`);
offline = replaced(offline, 'const SCRIPT = ""', `const SCRIPT = "${pageName}"`);
writeFileSync(join(out, "offline.js"), offline);

/** A page that names files. */
function writeList(folder, title, names) {
  const items = names.map((name) => `<li><a href="${name}">${name}</a>`);
  const head = `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n<h1>${title}</h1>`;
  writeFileSync(join(out, folder, "index.html"), [head, "<ul>", ...items, "</ul>\n"].join("\n"));
}
mkdirSync(join(out, "licences"));
const licences = {
  "Outwit-MIT.txt": "../LICENSE-MIT",
  "Outwit-Apache-2.0.txt": "../LICENSE-APACHE",
  "fonts-OFL.txt": "../assets/fonts/OFL.txt",
  "third-party.txt": "../THIRD-PARTY.md",
};
for (const [name, file] of Object.entries(licences)) {
  cpSync(join(web, file), join(out, "licences", name));
}
// It comes without the text, and its first lines say whose it is; the text is that of every MIT licence.
const [owners] = /^\/\*!.*?\*\//s.exec(unpacker);
const permission = source("../LICENSE-MIT").replace(/^.*Copyright.*$/m, owners);
writeFileSync(join(out, "licences", "xz-decompress-MIT.txt"), permission);
writeList("licences", "Licences of Outwit", [...Object.keys(licences), "xz-decompress-MIT.txt"]);
cpSync(join(built, "manual"), join(out, "manual"), { recursive: true });
if (!existsSync(join(out, "manual", "index.html"))) {
  const texts = readdirSync(join(out, "manual"), { recursive: true }).filter((name) => name.endsWith(".md"));
  writeList("manual", "The manual of Outwit", texts.sort());
}

let total = 0;
for (const name of readdirSync(out).sort()) {
  const { size } = statSync(join(out, name));
  total += size;
  console.log(`${String(size).padStart(10)}  ${name}`);
}
console.log(`${String(total).padStart(10)}  in all`);
