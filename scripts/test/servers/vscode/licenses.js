// Prints the licences of the packages that the extension's bundle is made of. The current folder is the extension's.

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const listing = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], { encoding: "utf8" });
const folders = listing.trim().split("\n").slice(1).sort();
for (const folder of folders) {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = fs.readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (file === undefined) {
        throw new Error(`${name} has no text of its licence`);
    }
    const text = fs.readFileSync(path.join(folder, file), "utf8").trim();
    process.stdout.write(`${name} ${version}\nLicence: ${license}\n\n${text}\n\n${"-".repeat(80)}\n\n`);
}
