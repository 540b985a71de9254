#!/usr/bin/env node
// Serves the page on this machine: web/serve [FOLDER] [PORT], by default target/web and 8080.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".xz": "application/x-xz",
  ".ttf": "font/ttf",
};

/** The file that an address means in a folder; `null` if it means none, as `/%ff` does. */
function fileOf(root, url) {
  try {
    const path = normalize(`/${decodeURIComponent(url.split(/[?#]/)[0])}`);
    const file = join(root, path);
    return statSync(file).isDirectory() ? join(file, "index.html") : file;
  } catch {
    return null;
  }
}

/** Serves `site.root`, which may change, on a port of this machine; 0 takes a free one. */
export async function serve(site, port) {
  const server = createServer((request, response) => {
    const file = fileOf(site.root, request.url);
    const stats = file && statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) {
      response.writeHead(404).end("There is no such file.\n");
      return;
    }
    response.writeHead(200, {
      "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
      "Content-Length": stats.size,
      "Cache-Control": site.caching ?? "no-cache",
    });
    // A file that cannot be read ends the answer only.
    pipeline(createReadStream(file), response, () => {});
  });
  await new Promise((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", listening);
  });
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "../target/web"));
  const server = await serve({ root }, Number(process.argv[3] ?? 8080));
  console.log(`Outwit is at http://127.0.0.1:${server.address().port}/`);
}
