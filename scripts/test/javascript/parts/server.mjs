// Serves the files of a folder to a browser, as any plain server does.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

// Starts on a free port, and gives the address and the paths that were asked for.
export async function serve(folder) {
    const asked = [];
    const server = createServer(async (request, response) => {
        const { pathname } = new URL(request.url, "http://localhost");
        asked.push(pathname);
        const file = path.join(folder, path.normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
        try {
            const content = await readFile(file);
            response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" }).end(content);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
    };
    return { address: `http://127.0.0.1:${server.address().port}/`, asked, close };
}
