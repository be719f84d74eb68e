// `gdscene format`

import path from "node:path";
import { statSync } from "node:fs";

import * as core from "../core.js";
import { arranged } from "./arranged.js";
import { nameOf, read, replace } from "./files.js";
import { inputs, reasonOf, STDIN } from "./inputs.js";
import { choice, CLEAN, complain, counted, FAILURE, FINDINGS, printable, write } from "./output.js";

export const FORMAT_HELP = `Write scenes and resources as Godot saves them. Godot reads the same as before; files that it saved do not change.

Usage: gdscene format [OPTIONS] PATH...

Options:
      --check              write nothing; list the files that would change
      --output FORMAT      with --check: concise (default), full, json, jsonl
      --target VERSION     the version of Godot whose format to write: auto (default: from the project.godot above each file,
                           unless the file's header shows that another version saved it), 3.x, 3.1 to 3.6, 4.0 to 4.7
      --force-escn         also format .escn files

\`-\` reads standard input and writes to standard output.

Exit status: 0 all files are formatted now, 1 files would change (with --check), 2 wrong usage, or a file that cannot be
read, formatted or written.
`;

export const FORMAT_OPTIONS = {
    check: { type: "boolean" },
    output: { type: "string", default: "concise" },
    target: { type: "string", default: "auto" },
    "force-escn": { type: "boolean" },
};

export async function format(paths, values) {
    const output = choice("output", values.output, ["full", "concise", "json", "jsonl"]);
    const target = values.target === "auto" ? undefined : values.target;
    try {
        core.format(new Uint8Array(), { target });
    } catch (error) {
        complain(error.message);
        return FAILURE;
    }
    const { files, problemCount } = await inputs(paths);
    const run = { values, target, findings: [], sum: { same: 0, changed: 0, leftAlone: 0, failed: problemCount } };
    for (const file of files) {
        try {
            await formatFile(file, run);
        } catch (error) {
            run.sum.failed += 1;
            complain(`${nameOf(file)}: ${reasonOf(error)}`);
        }
    }
    const isDry = values.check ?? false;
    const last = `${summary(run.sum, isDry)}\n`;
    if (isDry) {
        await write(report(run.findings, output, last));
    } else if (!files.includes(STDIN)) {
        await write(last);
    }
    return run.sum.failed > 0 ? FAILURE : isDry && run.sum.changed > 0 ? FINDINGS : CLEAN;
}

async function formatFile(file, { values, target, findings, sum }) {
    const bytes = read(file);
    const name = nameOf(file);
    const formatted = core.format(bytes, {
        path: name,
        target,
        projectTarget: target === undefined && file !== STDIN ? versionOf(file) : undefined,
        forceEscn: values["force-escn"] ?? false,
        withTexts: values.check ?? false,
    });
    if (formatted.is_left_alone) {
        sum.leftAlone += 1;
    } else if (formatted.is_refused) {
        sum.failed += 1;
        if (values.check) {
            findings.push(formatted.finding);
        } else {
            const { line, column } = formatted.finding;
            const place = formatted.has_place ? `${line}:${column}: ` : "";
            complain(`${name}: ${place}not formatted: ${formatted.reason}`);
        }
    } else if (values.check) {
        sum[formatted.text === undefined ? "same" : "changed"] += 1;
        findings.push(...(formatted.finding ? [formatted.finding] : []));
    } else if (file === STDIN) {
        sum[formatted.text === undefined ? "same" : "changed"] += 1;
        await write(formatted.text ?? bytes);
    } else if (formatted.text === undefined) {
        sum.same += 1;
    } else {
        replace(file, formatted.text);
        sum.changed += 1;
        await write(`${printable(name)}: formatted\n`);
    }
}

function report(findings, output, last) {
    const lines = findings.map(({ texts, ...found }) => JSON.stringify(found));
    switch (output) {
        case "json":
            return lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`;
        case "jsonl":
            return lines.map((line) => `${line}\n`).join("");
        default:
            return arranged(findings, output, "file", false) + last;
    }
}

function summary({ same, changed, leftAlone, failed }, isDry) {
    const parts = [`${counted(changed, "file")} ${isDry ? "would be " : ""}formatted, ${same} left as is`];
    if (leftAlone > 0) {
        parts.push(`${counted(leftAlone, ".escn file")} left alone, see --force-escn`);
    }
    if (failed > 0) {
        parts.push(`${counted(failed, "path")} not formatted`);
    }
    return parts.join("; ");
}

const versions = new Map();

// The version of Godot in the nearest `project.godot` upwards.
function versionOf(file) {
    const folder = path.dirname(path.resolve(file));
    if (!versions.has(folder)) {
        versions.set(folder, search(folder));
    }
    return versions.get(folder);
}

function search(folder) {
    for (let place = folder; ; place = path.dirname(place)) {
        const project = path.join(place, "project.godot");
        if (statSync(project, { throwIfNoEntry: false })?.isFile()) {
            return core.projectVersion(read(project));
        }
        if (path.dirname(place) === place) {
            return undefined;
        }
    }
}
