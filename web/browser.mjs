// The page on the loopback address, and browsers to open it in.

import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { serve } from "./serve.mjs";

/** How each browser draws without a graphics card; Firefox does so only on a screen. */
export const BROWSERS = {
  chromium: {
    browser: "chrome",
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Through Mesa: its llvmpipe draws a frame in a sixth of the time that the browser's own SwiftShader takes.
    args: ["--no-sandbox", "--use-angle=gl-egl", "--ignore-gpu-blocklist"],
  },
  firefox: {
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: false,
    extraPrefsFirefox: { "webgl.force-enabled": true },
  },
};

/** Those that are installed. */
export function installed() {
  return Object.keys(BROWSERS).filter((name) => existsSync(BROWSERS[name].executablePath));
}

/** Serves a folder and starts a browser; `end` ends both. `site` says what is served, and may change. */
export async function open(folder, name = "chromium") {
  const site = { root: folder };
  const server = await serve(site, 0);
  const browser = await puppeteer.launch({ protocolTimeout: 300_000, ...BROWSERS[name] });
  const end = async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, site, server, browser, end };
}

/**
 * Waits until the page shows the game. While a page is replaced, its elements are gone for a moment, and a condition
 * that throws then is never asked again.
 */
export function started(page) {
  return page.waitForFunction(() => document.getElementById("cover")?.hidden, { timeout: 90_000 });
}
