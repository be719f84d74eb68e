// The command of the installed package does what the native program does, byte for byte; and what it says where that is not there.
//
//     node command.mjs NATIVE FOLDER ALONE
//
// FOLDER has files; in the folder ALONE, the package is installed without the one of a platform.

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import { check, run, same } from "./checks.mjs";

const [native, folder, alone] = process.argv.slice(2).map((place) => path.resolve(place));
const packed = path.resolve("node_modules/.bin/gdscene");
const platform = `${process.platform}-${process.arch}`;

await run(async () => {
    outputs();
    pipes();
    await signals();
    noProgram();
});

function answer(program, args, { cwd = folder, input = "" } = {}) {
    const { stdout, stderr, status, signal } = spawnSync(program, args, { cwd, input, encoding: "latin1", maxBuffer: 1 << 30 });
    return { status, signal, stderr, stdout };
}

function outputs() {
    const [file] = readdirSync(path.join(folder, "1"));
    const statuses = new Set();
    for (const args of [["check", "."], ["check", "--output", "json", "--all", "--no-project", "."], ["check", "--color", "always", "1"], ["fix", "--dry-run", "."],
        ["format", "--check", "."], ["parse", "--json", `1/${file}`], ["rules"], ["--version"], ["--help"], [], ["chek", "."], ["check", "nothing.tscn"],
        ["check", "a b", '"quoted"', "$HOME", "%PATH%", "*.tscn", "ü", "", "--", "--all"]]) {
        const expected = answer(native, args);
        same(`gdscene ${args.join(" ")}`, answer(packed, args), expected);
        statuses.add(expected.status);
    }
    same("they had all exit statuses", [...statuses].sort(), [0, 1, 2]);
    for (const input of ['[gd_scene format=3]\n[node name="A" type="Node"]\nvisible = True\n', "", "[node"]) {
        for (const command of ["check", "fix", "format"]) {
            same(`gdscene ${command} - of ${JSON.stringify(input.slice(0, 12))}`, answer(packed, [command, "-"], { input }), answer(native, [command, "-"], { input }));
        }
    }
    // What npm itself has to say goes to standard error.
    const shown = ({ status, stdout }) => ({ status, stdout });
    const args = ["check", "--output", "concise", folder];
    same("npx gdscene", shown(answer("npx", ["--offline", "gdscene", ...args], { cwd: process.cwd() })), shown(answer(native, args, { cwd: process.cwd() })));
}

function pipes() {
    const shell = (program, script) => answer("bash", ["-c", script, "bash", program]);
    for (const script of ['"$1" check --output jsonl --all . | head -n 1', "\"$1\" check <(printf '[gd_scene')", 'yes "[node" | head -c 1000000 | "$1" check -']) {
        const shown = ({ stdout, ...rest }) => ({ ...rest, stdout: stdout.replaceAll(/\/dev\/fd\/\d+/g, "FD") });
        same(script, shown(shell(packed, script)), shown(shell(native, script)));
    }
}

// A signal that only the launcher gets reaches the program, and the launcher ends as the program did.
async function signals() {
    for (const session of [watch, server]) {
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
            const [found, expected] = [await ended(session, packed, signal), await ended(session, native, signal)];
            same(`${session.name}, ${signal}`, { status: found.status, signal: found.signal }, { status: expected.status, signal: expected.signal });
            check(`${session.name}, ${signal}: the program has ended, too`, found.children.length === 1 && !found.children.some(isRunning), found.children);
        }
    }
    const { signal } = await ended(server, packed, "SIGKILL", ([program]) => program);
    same("a program that is killed", signal, "SIGKILL");
}

// Starts a session, sends a signal once it has answered, and waits for its end.
async function ended(session, program, signal, target = (_, pid) => pid) {
    const { args, input } = session();
    const started = spawn(program, args, { cwd: path.join(folder, "1"), stdio: ["pipe", "pipe", "inherit"] });
    const end = new Promise((resolve) => started.on("exit", (status, signal) => resolve({ status, signal })));
    started.stdin.write(input);
    await new Promise((resolve) => started.stdout.once("data", resolve));
    started.stdout.resume();
    const children = readFileSync(`/proc/${started.pid}/task/${started.pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    process.kill(target(children, started.pid), signal);
    const late = setTimeout(20_000, { status: "still running", signal: null }, { ref: false });
    const outcome = await Promise.race([end, late]);
    started.kill("SIGKILL");
    return { ...outcome, children };
}

function watch() {
    return { args: ["check", "--watch", "--all", "."], input: "" };
}

function server() {
    const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } });
    return { args: ["lsp"], input: `Content-Length: ${request.length}\r\n\r\n${request}` };
}

function isRunning(pid) {
    try {
        process.kill(pid, 0);
        return true;
    } catch {
        return false;
    }
}

function noProgram() {
    const { version } = JSON.parse(readFileSync("node_modules/gdscene/package.json", "utf8"));
    const says = (name, { status, stdout, stderr }, texts) => {
        const isThere = texts.every((text) => stderr.includes(text));
        check(name, status === 2 && stdout === "" && stderr.startsWith("gdscene: ") && !stderr.includes("    at ") && isThere, `${status} ${stderr}`);
    };
    const ways = ["cargo install --locked gdscene", "pip install gdscene-cli", "/releases"];
    const bare = path.join(alone, "node_modules/.bin/gdscene");
    says("a package that is missing", answer(bare, ["check", "."]), [`@gdscene/${platform}`, `npm install --include=optional gdscene@${version}`, ...ways]);
    const other = 'data:text/javascript,Object.defineProperty(process, "arch", { value: "s390x" })';
    says("a platform without a program", answer(process.execPath, ["--import", other, packed, "check"]), [`${process.platform}-s390x`, platform, ...ways]);
    const use = 'import("gdscene").then(({ check }) => console.log(check("[node").length))';
    check("the interface needs no program", Number(answer(process.execPath, ["-e", use], { cwd: alone }).stdout) > 0);
    const program = createRequire(import.meta.url).resolve(`@gdscene/${platform}/gdscene`);
    chmodSync(program, 0o644);
    says("a program that cannot be started", answer(packed, ["check", "."]), [program, "EACCES"]);
    chmodSync(program, 0o755);
}
