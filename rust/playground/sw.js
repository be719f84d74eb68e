// Keeps the page, so that it works without a network. FILES and VERSION are put in by scripts/package/playground.sh.

const FILES = [];
const VERSION = "";

self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
    event.waitUntil(dropOld().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
    if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) {
        event.respondWith(answer(event.request));
    }
});

async function dropOld() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("gdscene-") && name !== VERSION).map((name) => caches.delete(name)));
}

// From what is kept: all files of one version belong together.
async function answer(request) {
    const cache = await caches.open(VERSION);
    return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
