// The package's interface gives what the native program gives, for all files of a folder.
//
//     node same.mjs NATIVE FOLDER     where FOLDER is copied, since some commands write

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import * as gdscene from "gdscene";

import { check, run, same } from "./checks.mjs";

const [native, folder] = process.argv.slice(2).map((place) => path.resolve(place));
const ALONE = ["--no-project", "--no-config"];

await run(() => {
    sameFindings([], {});
    sameFindings(["--all-rules", "--target", "4.6"], { allRules: true, target: "4.6" });
    sameFindings(["--select", "REF,STY", "--ignore", "REF007"], { select: ["REF", "STY"], ignore: ["REF007"] });
    sameDocuments();
    sameTexts(["fix", "--all", "--force-escn", ...ALONE], (bytes, file) => gdscene.fix(bytes, { path: file }).text);
    sameTexts(["fix", "--all", "--force-escn", "--unsafe", ...ALONE], (bytes, file) => gdscene.fix(bytes, { path: file, unsafe: true }).text);
    sameTexts(["format"], (bytes, file) => formatted(bytes, { path: file }));
    sameTexts(["format", "--target", "3.5", "--force-escn"], (bytes, file) => formatted(bytes, { path: file, target: "3.5", forceEscn: true }));
});

function answer(args, cwd) {
    const { stdout, error } = spawnSync(native, args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
    if (error) {
        throw error;
    }
    return stdout;
}

// What is found in each file, as bytes, and at the same places in strings.
function sameFindings(args, options) {
    const expected = Object.groupBy(JSON.parse(answer(["check", "--output", "json", "--all", ...args, ".", ...ALONE], folder)), ({ path: place }) => place);
    for (const file of files(folder)) {
        const bytes = read(folder, file);
        const found = gdscene.check(bytes, { path: file, ...options });
        same(`check() of ${file} ${args.join(" ")}`, found, expected[file] ?? []);
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        if (!text.includes("\ufffd")) {
            const slices = found.map(({ start, end }) => Buffer.from(bytes.subarray(start, end)).toString());
            same(`places in the string of ${file}`, gdscene.check(text, { path: file, ...options }).map(({ start, end }) => text.slice(start, end)), slices);
        }
    }
}

function sameDocuments() {
    for (const file of files(folder)) {
        const { root, nodes, ...parsed } = gdscene.parse(read(folder, file));
        check(`parse() of ${file}`, parsed.sections.length >= nodes.length);
        if (/\.(tscn|tres|escn)$/.test(file)) {
            same(`parse() of ${file} and gdscene parse`, { ...parsed, path: file }, JSON.parse(answer(["parse", "--json", file], folder)));
        }
    }
}

// The native program writes what `change` gives.
function sameTexts(args, change) {
    const copy = `${folder}-native`;
    rmSync(copy, { recursive: true, force: true });
    cpSync(folder, copy, { recursive: true });
    answer([...args, "."], copy);
    const all = files(folder);
    same(`gdscene ${args.join(" ")}: files`, files(copy), all);
    const changed = new Map(all.map((file) => [file, Buffer.from(change(read(folder, file), file))]));
    const differing = all.filter((file) => !changed.get(file).equals(read(copy, file)));
    check(`gdscene ${args.join(" ")}: what is in ${all.length} files`, differing.length === 0, differing.join("\n"));
    check(`gdscene ${args.join(" ")} changes some`, all.some((file) => !changed.get(file).equals(read(folder, file))));
    rmSync(copy, { recursive: true });
}

// A file that is refused stays as it is.
function formatted(bytes, options) {
    try {
        return gdscene.format(bytes, options).text;
    } catch (error) {
        if (error instanceof gdscene.FormatRefusal) {
            return bytes;
        }
        throw error;
    }
}

function read(place, file) {
    return new Uint8Array(readFileSync(path.join(place, file)));
}

function files(place) {
    return readdirSync(place, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(place, path.join(entry.parentPath ?? entry.path, entry.name)))
        .sort();
}
