// The page on the loopback address, and a headless Chromium to open it in.

import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** Serves a folder and starts the browser; `end` ends both. */
export async function open(folder) {
  const web = dirname(fileURLToPath(import.meta.url));
  const serve = [join(web, "serve.mjs"), folder, "0"];
  const server = spawn(process.execPath, serve, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found) => {
    server.stdout.on("data", (text) => found(/http:\S+/.exec(text)[0]));
  });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
  const end = async () => {
    await browser.close();
    server.kill();
  };
  return { address, browser, end };
}

/** Waits until the page shows the game. */
export function started(page) {
  return page.waitForFunction(() => document.getElementById("cover").hidden, null, { timeout: 60_000 });
}
