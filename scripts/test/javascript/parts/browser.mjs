// The package in a browser gives what it gives in Node.
//
//     node browser.mjs CHROMIUM PAGE FOLDER     where PAGE holds the bundle, and FOLDER the files to check

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import * as gdscene from "gdscene";
import { chromium } from "playwright-core";

import { check, run, same } from "./checks.mjs";
import { serve } from "./server.mjs";

const [program, page, folder] = process.argv.slice(2);

await run(async () => {
    const { address, close } = await serve(page);
    const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
    const tab = await browser.newPage();
    await tab.goto(address);
    await tab.waitForFunction(() => globalThis.gdscene !== undefined);
    same("version", await tab.evaluate(() => gdscene.version), gdscene.version);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const entry of files) {
        const text = readFileSync(path.join(entry.parentPath ?? entry.path, entry.name), "utf8");
        if (text.length < 300_000) {
            const found = await tab.evaluate(([text, path]) => JSON.stringify([gdscene.check(text, { path }), gdscene.fix(text, { path }).text]), [text, entry.name]);
            same(`${entry.name} in Chromium`, found, JSON.stringify([gdscene.check(text, { path: entry.name }), gdscene.fix(text, { path: entry.name }).text]));
        }
    }
    check("there were files", files.length > 0);
    await browser.close();
    await close();
});
