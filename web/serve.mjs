#!/usr/bin/env node
// Serves the page on this machine: web/serve [FOLDER] [PORT], by default target/web and 8080.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".zst": "application/zstd",
};
const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "../target/web"));
const port = Number(process.argv[3] ?? 8080);

const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  let file = join(root, path);
  if (!file.startsWith(root)) {
    response.writeHead(403).end();
    return;
  }
  try {
    if (statSync(file).isDirectory()) {
      file = join(file, "index.html");
    }
    const { size } = statSync(file);
    response.writeHead(200, {
      "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
      "Content-Length": size,
      "Cache-Control": "no-cache",
    });
    createReadStream(file).pipe(response);
  } catch {
    response.writeHead(404).end("There is no such file.\n");
  }
});
server.listen(port, "127.0.0.1", () => {
  console.log(`Outwit is at http://127.0.0.1:${server.address().port}/`);
});
