// How long the page takes from its address to the menu: node web/start.mjs [FOLDER [MEGABITS]], by default target/web
// at 8 Mbit/s, in Chromium, three times with nothing kept from before. Use a build without --quick, and an otherwise
// idle machine.

import { open, started } from "./browser.mjs";

const [folder = "target/web", megabits = "8"] = process.argv.slice(2);
const speed = (Number(megabits) * 1e6) / 8;
const { address, browser, end } = await open(folder);
for (let run = 0; run < 3; run++) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.emulateNetworkConditions({ download: speed, upload: speed, latency: 40 });
  const network = await page.createCDPSession();
  await network.send("Network.enable");
  let bytes = 0;
  network.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  const began = performance.now();
  const since = () => ((performance.now() - began) / 1000).toFixed(1);
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("Starting"));
  const loaded = since();
  await started(page);
  await page.waitForFunction(() => document.title === "Outwit");
  console.log(`${(bytes / 1e6).toFixed(2)} MB, loaded after ${loaded} s, started after ${since()} s`);
  await context.close();
}
await end();
