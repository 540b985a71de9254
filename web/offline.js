// Keeps the page for when there is no network. web/build writes the names of all files and their digest.

const FILES = [];
const VERSION = "";
/** The script that the page of this version names. */
const SCRIPT = "";

/** Caches of this page only: other pages of the origin have theirs. */
const OURS = `outwit ${self.registration.scope} `;
const CACHE = OURS + VERSION;

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(CACHE);
    // What the browser remembers may be older than this file, unless the name carries the digest: those files the page has
    // just loaded, and they are not loaded again.
    const mode = (file) => (/-[0-9a-f]{12}\./.test(file) ? "force-cache" : "no-cache");
    await cache.addAll(FILES.map((file) => new Request(file, { cache: mode(file) })));
    const index = await (await cache.match("./")).text();
    if (!index.includes(SCRIPT)) {
      await caches.delete(CACHE);
      throw new Error("the server has another version of the page; trying again on the next visit");
    }
  };
  event.waitUntil(fill());
});

// A page of the version before may still be loading its files, so it says when it has them all.
self.addEventListener("message", (event) => {
  if (event.data === "take over") {
    event.waitUntil(self.skipWaiting());
  }
});

self.addEventListener("activate", (event) => {
  const clear = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clear());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(self.registration.scope)) {
    return;
  }
  const answer = async () => {
    const cache = await caches.open(CACHE);
    const kept = await cache.match(event.request, { ignoreSearch: true });
    return kept ?? fetch(event.request);
  };
  event.respondWith(answer());
});
