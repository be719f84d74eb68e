// The command in odd folders and with odd arguments: as the native program, where that has the same.
//
//     node command.mjs NATIVE FOLDER     where FOLDER is empty

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { check, run, same } from "./checks.mjs";

const [native, folder] = process.argv.slice(2).map((place) => path.resolve(place));
const packed = path.resolve("node_modules/.bin/gdscene");
const SCENE = '[gd_scene format=3]\n\n[node name="A" type="Node"]\nvisible = True\n';
const ALONE = ["--no-project", "--no-config"];

await run(() => {
    foldersAsNative();
    patterns();
    usage();
    writing();
    pipes();
});

function answer(program, args, cwd = folder, input = "") {
    const { stdout, stderr, status } = spawnSync(program, args, { cwd, input, encoding: "utf8" });
    return { stdout, stderr, status };
}

function sameAs(name, args, more = ALONE, cwd = folder) {
    same(name, answer(packed, args, cwd), answer(native, [...args, ...more], cwd));
}

// What is left out, and what is not.
function foldersAsNative() {
    const put = (name, text = SCENE) => {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        writeFileSync(path.join(folder, name), text);
    };
    spawnSync("git", ["init", "--quiet", folder]);
    put(".gitignore", "/built/\n*.tmp.tscn\n!kept.tmp.tscn\nlogs/*\n!logs/keep.tscn\n");
    for (const name of ["a.tscn", "B.TSCN", "built/a.tscn", "x.tmp.tscn", "kept.tmp.tscn", "logs/a.tscn", "logs/keep.tscn", ".hidden/a.tscn",
        "sub/ignored/a.tscn", "sub/ignored/.gdignore", "sub/a b.tres", "sub/ü.escn", "sub-2/a.tscn", "sub/z.txt", "deep/own/skipped.tscn", "deep/own/seen.tscn"]) {
        put(name);
    }
    put("deep/own/.gitignore", "skipped.tscn\n");
    put("deep/project.godot", "config_version=5\n");
    put("plugin.cfg", "[plugin]\nname=\"a\n");
    symlinkSync("a.tscn", path.join(folder, "link.tscn"));
    symlinkSync("sub", path.join(folder, "linked"));
    for (const place of [".", "sub", "built", "sub/ignored", "deep/own", "logs", "./a.tscn", "link.tscn", "linked", ".hidden"]) {
        sameAs(`check ${place}`, ["check", "--output", "json", "--all", place]);
    }
    sameAs("several paths, each file once", ["check", "--output", "concise", "a.tscn", "sub", ".", "a.tscn"]);
    sameAs("a file that does not exist", ["check", "a.tscn", "nothing.tscn"]);
    mkdirSync(path.join(folder, "empty"));
    sameAs("an empty folder", ["check", "empty"]);
    sameAs("untrusted files: none is left out but links", ["check", "--profile", "untrusted", "--output", "json", "sub"]);
    sameAs("a format in a folder", ["format", "--check", "sub", "deep"], []);
}

function patterns() {
    const paths = (pattern) => {
        const { stdout, status } = answer(packed, ["check", "--output", "jsonl", "--select", "SYN013", pattern]);
        return [status, [...new Set(stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line).path))]];
    };
    same("a pattern", paths("sub*/*.t{res,scn}"), [1, ["sub/a b.tres", "sub-2/a.tscn"]]);
    same("a pattern for folders below", paths("deep/**/*.tscn"), [1, ["deep/own/seen.tscn", "deep/own/skipped.tscn"]]);
    same("one that nothing matches", paths("*.none"), [2, []]);
}

function usage() {
    for (const args of [["--help"], ["help"], ["check", "--help"], ["fix", "--help"], ["format", "-h"], ["--version"]]) {
        const { stdout, stderr, status } = answer(packed, args);
        check(args.join(" "), status === 0 && stdout.length > 10 && stderr === "", stderr);
    }
    check("the help says what needs the native program", answer(packed, ["--help"]).stdout.includes("native program"));
    for (const args of [[], ["chek", "."], ["check"], ["check", "--no-such-option", "."], ["check", "--output", "xml", "."], ["check", "--severity", "bad", "."],
        ["check", "--select", "REF01", "."], ["check", "--target", "9.9", "."], ["format", "--target", "x", "."], ["fix", "--select", "RES001", "."], ["check", "--profile", "x", "."]]) {
        const { stdout, stderr, status } = answer(packed, args);
        check(`wrong: ${args.join(" ")}`, status === 2 && stdout === "" && stderr.startsWith("gdscene: ") && !stderr.includes("    at "), `${status} ${stderr}`);
    }
}

// Files are replaced as a whole, with their permissions, behind their links.
function writing() {
    const file = path.join(folder, "a.tscn");
    chmodSync(file, 0o640);
    const { stdout } = answer(packed, ["fix", "link.tscn"]);
    same("fix through a link", stdout, "link.tscn: 1 fix\n1 fix applied in 1 file; nothing left\n");
    check("the file is fixed", readFileSync(file, "utf8").includes("visible = true"));
    same("its permissions", statSync(file).mode & 0o777, 0o640);
    check("the link stays", readdirSync(folder, { withFileTypes: true }).find(({ name }) => name === "link.tscn").isSymbolicLink());
    const before = readFileSync(file);
    same("nothing to do", answer(packed, ["fix", "a.tscn"]).stdout, "0 fixes applied in 0 files; nothing left\n");
    answer(packed, ["fix", "--dry-run", "sub"]);
    check("a dry run writes nothing", readFileSync(path.join(folder, "sub/a b.tres"), "utf8") === SCENE && readFileSync(file).equals(before));
    same("nothing is left beside", readdirSync(folder).filter((name) => name.includes(".tmp") && !name.endsWith(".tmp.tscn")), []);
}

function pipes() {
    const head = spawnSync("bash", ["-c", `'${packed}' check --output jsonl --all . | head -n 1`], { cwd: folder, encoding: "utf8" });
    check("a reader that goes", head.status === 0 && head.stderr === "" && head.stdout.startsWith("{"), head.stderr);
    const through = spawnSync("bash", ["-c", `'${packed}' check <(printf '[gd_scene')`], { cwd: folder, encoding: "utf8" });
    check("a pipe as a file", through.status === 1, through.stdout + through.stderr);
    const endless = spawnSync("bash", ["-c", `ulimit -t 20; '${packed}' check --output jsonl /dev/zero`], { cwd: folder, encoding: "utf8", timeout: 60_000 });
    check("a device without end", endless.status === 2, `${endless.status} ${endless.stderr}`);
}
