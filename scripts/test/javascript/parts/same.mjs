// The package's command and interface give what the native program gives, for all files of a folder.
//
//     node same.mjs NATIVE FOLDER     where FOLDER is copied, since some commands write

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import * as gdscene from "gdscene";

import { check, run, same } from "./checks.mjs";

const [native, folder] = process.argv.slice(2).map((place) => path.resolve(place));
const packed = path.resolve("node_modules/.bin/gdscene");
const ALONE = ["--no-project", "--no-config"];

await run(() => {
    for (const options of [[], ["--each"], ["--all"], ["--output", "concise"], ["--output", "concise", "--sort", "file"], ["--severity", "error"], ["--fail-on", "never"],
        ["--output", "json", "--all"], ["--output", "jsonl", "--all-rules"], ["--output", "json", "--target", "4.6", "--all"],
        ["--output", "json", "--select", "REF,STY", "--ignore", "REF007"], ["--color", "always"]]) {
        sameOutput(["check", ...options, "."], ALONE);
    }
    for (const options of [["--check"], ["--check", "--output", "json"], ["--check", "--output", "full"], ["--check", "--target", "4.2"], ["--check", "--target", "3.5"]]) {
        sameOutput(["format", ...options, "."], []);
    }
    sameOutput(["fix", "--dry-run", "."], ALONE);
    sameFiles(["fix", "."], ALONE);
    sameFiles(["fix", "--unsafe", "--force-escn", "."], ALONE);
    sameFiles(["format", "."], []);
    fromStandardInput();
    sameData();
});

// The same on standard output and standard error, and the same exit status.
function sameOutput(args, more, places = [folder, folder]) {
    const expected = answer(native, [...args, ...more], places[0]);
    const found = answer(packed, args, places[1]);
    const name = `gdscene ${args.join(" ")}`;
    same(name, found.stdout, expected.stdout);
    same(`${name}: standard error`, found.stderr, expected.stderr);
    same(`${name}: exit status`, found.status, expected.status);
}

function answer(program, args, cwd, input = "") {
    const { stdout, stderr, status, error } = spawnSync(program, args, { cwd, input, encoding: "utf8", maxBuffer: 1 << 30 });
    if (error) {
        throw error;
    }
    return { stdout, stderr, status: String(status) };
}

// The same in all files, too.
function sameFiles(args, more) {
    const copies = ["native", "packed"].map((name) => `${folder}-${name}`);
    for (const copy of copies) {
        rmSync(copy, { recursive: true, force: true });
        cpSync(folder, copy, { recursive: true });
    }
    sameOutput(args, more, copies);
    const [one, other] = copies.map(files);
    same(`gdscene ${args.join(" ")}: files`, other.join("\n"), one.join("\n"));
    const differing = one.filter((file) => !readFileSync(path.join(copies[0], file)).equals(readFileSync(path.join(copies[1], file))));
    check(`gdscene ${args.join(" ")}: what is in ${one.length} files`, differing.length === 0 && one.length > 0, differing.join("\n"));
    copies.forEach((copy) => rmSync(copy, { recursive: true }));
}

function fromStandardInput() {
    const texts = ['[gd_scene format=3]\n[node name="A" type="Node"]\nvisible = True\n', "", "[node"];
    for (const input of texts) {
        for (const args of [["check", "-"], ["fix", "-"], ["format", "-"]]) {
            const more = args[0] === "format" ? [] : ALONE;
            same(`gdscene ${args.join(" ")} of ${JSON.stringify(input.slice(0, 12))}`, answer(packed, args, folder, input), answer(native, [...args, ...more], folder, input));
        }
    }
}

// What the interface gives for each file, one by one.
function sameData() {
    const { stdout } = answer(native, ["check", "--output", "json", "--all", ".", ...ALONE], folder);
    const expected = Map.groupBy?.(JSON.parse(stdout), ({ path: place }) => place) ?? grouped(JSON.parse(stdout));
    for (const file of files(folder)) {
        const bytes = new Uint8Array(readFileSync(path.join(folder, file)));
        same(`check() of ${file}`, gdscene.check(bytes, { path: file }), expected.get(file) ?? []);
        const parsed = gdscene.parse(bytes);
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        const inText = gdscene.check(text, { path: file });
        if (!text.includes("\ufffd")) {
            const slices = (expected.get(file) ?? []).map(({ start, end }) => Buffer.from(bytes.subarray(start, end)).toString());
            same(`places in the string of ${file}`, inText.map(({ start, end }) => text.slice(start, end)), slices);
        }
        check(`parse() of ${file}`, parsed.sections.length >= parsed.nodes.length);
    }
    for (const file of files(folder).filter((_, number) => number % 10 === 0)) {
        const { root, nodes, ...parsed } = gdscene.parse(new Uint8Array(readFileSync(path.join(folder, file))));
        if (!gdscene.check("", { path: file }) || /\.(godot|import|cfg|gdextension)$/.test(file)) {
            continue;
        }
        const plain = JSON.parse(answer(native, ["parse", "--json", file], folder).stdout);
        same(`parse() of ${file} and gdscene parse`, { ...parsed, path: file }, plain);
    }
}

function grouped(found) {
    const groups = new Map();
    for (const one of found) {
        groups.set(one.path, [...(groups.get(one.path) ?? []), one]);
    }
    return groups;
}

function files(place) {
    return readdirSync(place, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(place, path.join(entry.parentPath ?? entry.path, entry.name)))
        .sort();
}
