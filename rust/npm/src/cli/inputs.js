// From the paths on the command line to the files to work on.

import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import createIgnore from "ignore";
import { glob, isDynamicPattern } from "tinyglobby";

import { complain } from "./output.js";

export const STDIN = "-";

// The files that `paths` stand for, each once, in the order of `paths` and then by name, and how many paths cannot be worked on.
export async function inputs(paths, profile) {
    const all = new Set();
    const problems = [];
    for (const given of paths) {
        try {
            for (const file of await filesOf(given, profile === "untrusted")) {
                all.add(file);
            }
        } catch (error) {
            problems.push({ path: given, reason: reasonOf(error) });
        }
    }
    for (const { path: place, reason } of problems) {
        complain(`${place}: ${reason}`);
    }
    return { files: [...all], problemCount: problems.length };
}

// Why something cannot be read or written, without the path that stands before it.
export function reasonOf(error) {
    const reasons = {
        ENOENT: "No such file or directory (os error 2)",
        EACCES: "Permission denied (os error 13)",
        EISDIR: "is a folder",
    };
    return reasons[error.code] ?? error.message;
}

// Whether Godot reads a file of this name as settings.
export function isSettingsFile(file) {
    const name = path.basename(file);
    return SETTINGS.includes(name) || [".import", ".gdextension"].includes(path.extname(name));
}

const SETTINGS = ["project.godot", "override.cfg", "plugin.cfg", "export_presets.cfg"];
const SCENES = [".tscn", ".tres", ".escn"];

async function filesOf(given, takesAll) {
    if (given === STDIN) {
        return [STDIN];
    }
    const found = statSync(given, { throwIfNoEntry: false });
    if (found?.isDirectory()) {
        return filesIn(given, takesAll);
    }
    if (found !== undefined || !isDynamicPattern(given)) {
        statSync(given);
        return [given];
    }
    const matches = await glob(given.replaceAll("\\", "/"), { dot: false, expandDirectories: false });
    if (matches.length === 0) {
        throw new Error("no file matches this pattern");
    }
    return byName(matches.map(plain));
}

// The files below a folder, as the native program chooses them: what Godot's editor sees, without what git ignores and without
// links. A folder that is named is looked into even if git ignores it. Whatever untrusted files say of that, none of them is left out.
function filesIn(folder, takesAll) {
    const found = [];
    const open = [{ place: folder, rules: takesAll ? [] : rulesAbove(folder).filter((rule) => !isIgnored([rule], folder, true)), isFirst: true }];
    while (open.length > 0) {
        const { place, rules, isFirst } = open.pop();
        let entries;
        try {
            entries = readdirSync(place, { withFileTypes: true });
        } catch (error) {
            complain(`${place}: ${reasonOf(error)}`);
            continue;
        }
        if (!takesAll && !isFirst && entries.some((entry) => entry.name === ".gdignore")) {
            continue;
        }
        const own = !takesAll && entries.some((entry) => entry.name === ".gitignore") ? [...rules, ruleOf(place)] : rules;
        for (const entry of entries) {
            const inside = path.join(place, entry.name);
            if ((!takesAll && entry.name.startsWith(".")) || isIgnored(own, inside, entry.isDirectory())) {
                continue;
            }
            if (entry.isDirectory()) {
                open.push({ place: inside, rules: own, isFirst: false });
            } else if (entry.isFile() && (SCENES.includes(path.extname(entry.name).toLowerCase()) || isSettingsFile(inside))) {
                found.push(plain(inside));
            }
        }
    }
    if (found.length === 0) {
        throw new Error("no scene, resource or settings file in this folder");
    }
    return byName(found);
}

// What the .gitignore files above a folder say, up to the root of its repository.
function rulesAbove(folder) {
    const rules = [];
    let place = path.resolve(folder);
    if (exists(path.join(place, ".git"))) {
        return rules;
    }
    while (path.dirname(place) !== place) {
        place = path.dirname(place);
        if (exists(path.join(place, ".gitignore"))) {
            rules.unshift(ruleOf(place));
        }
        if (exists(path.join(place, ".git"))) {
            return rules;
        }
    }
    return []; // in no repository
}

function ruleOf(folder) {
    const patterns = createIgnore().add(readFileSync(path.join(folder, ".gitignore"), "utf8"));
    return { folder: path.resolve(folder), patterns };
}

// The innermost file that says something about the path decides.
function isIgnored(rules, place, isFolder) {
    for (const { folder, patterns } of rules.toReversed()) {
        const below = path.relative(folder, path.resolve(place)).split(path.sep).join("/") + (isFolder ? "/" : "");
        const { ignored, unignored } = patterns.test(below);
        if (ignored || unignored) {
            return ignored;
        }
    }
    return false;
}

function exists(place) {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

function byName(files) {
    const key = (file) => Buffer.from(file.replaceAll(path.sep, "\0"));
    return files.map((file) => [key(file), file]).sort(([one], [other]) => one.compare(other)).map(([, file]) => file);
}

// The path without `./` in front.
function plain(file) {
    return path.normalize(file);
}
