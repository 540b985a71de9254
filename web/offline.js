// Keeps the page for when there is no network. web/build writes the names of all files and their digest.

const FILES = [];
const VERSION = "";

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(VERSION);
    await cache.addAll(FILES);
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const clear = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clear());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) {
    return;
  }
  const answer = async () => {
    const cache = await caches.open(VERSION);
    const kept = await cache.match(event.request, { ignoreSearch: true });
    return kept ?? fetch(event.request);
  };
  event.respondWith(answer());
});
