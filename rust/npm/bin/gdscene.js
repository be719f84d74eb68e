#!/usr/bin/env node
// Runs the native program from the package of this platform, as if it had been called itself.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";

// Wrong usage, and whatever else keeps the program from working, has this status there too.
const FAILURE = 2;
// What ends a program. On Windows, all programs of a console get it from there.
const SIGNALS = process.platform === "win32" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

const require = createRequire(import.meta.url);
const { version, optionalDependencies, repository } = require("../package.json");
const platform = `${process.platform}-${process.arch}`;
const platformPackage = `@gdscene/${platform}`;

const program = find();
if (program === null) {
    complain(missing());
} else {
    run(program);
}

function find() {
    try {
        return require.resolve(`${platformPackage}/gdscene${process.platform === "win32" ? ".exe" : ""}`);
    } catch {
        return null;
    }
}

function run(program) {
    const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
    child.on("error", (error) => complain(`${program} cannot be started: ${error.message}`));
    for (const signal of SIGNALS) {
        process.on(signal, () => process.platform === "win32" || child.kill(signal));
    }
    child.on("exit", (status, signal) => {
        process.exitCode = status ?? FAILURE;
        if (signal !== null) {
            process.removeAllListeners(signal);
            process.kill(process.pid, signal);
        }
    });
}

function missing() {
    const known = Object.keys(optionalDependencies);
    const reason = known.includes(platformPackage)
        ? `the package ${platformPackage}, which has the program, is not installed.
npm leaves it out with --omit=optional, and where node_modules or package-lock.json come from another system.
Remove both, and run: npm install --include=optional gdscene@${version}`
        : `npm has no program for ${platform}, only for ${known.map((name) => name.split("/")[1]).join(", ")}.`;
    return `${reason}
Other ways to install the program: cargo install --locked gdscene; pip install gdscene-cli; the archives of
${repository.url.replace(/^git\+|\.git$/g, "")}/releases`;
}

function complain(message) {
    process.stderr.write(`gdscene: ${message}\n`);
    process.exitCode = FAILURE;
}
