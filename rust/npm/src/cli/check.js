// `gdscene check`

import * as core from "../core.js";
import { arranged } from "./arranged.js";
import { nameOf, read } from "./files.js";
import { inputs, isSettingsFile, reasonOf } from "./inputs.js";
import { choice, CLEAN, complain, counted, FAILURE, FINDINGS, isColored, write } from "./output.js";

export const CHECK_HELP = `Report errors and warnings in scenes and resources, each file alone.

Usage: gdscene check [OPTIONS] PATH...

Options:
      --output FORMAT      full (default), concise, json, jsonl; the objects are those of the native program
      --severity SEVERITY  show what is at least this bad: error, warning (default), info
      --all                show everything: the same as --severity info --each
      --sort ORDER         severity (default: errors first) or file, in the formats full and concise
      --each               in the format full, show each of several equal findings
      --fail-on SEVERITY   exit with 1 from this severity on: error, warning, info or never
      --select RULES       only these rules: codes, names, groups such as REF, DEFAULT, ALL, separated by commas
      --ignore RULES       not these rules; the more exact of --select and --ignore wins
      --all-rules          also the rules that are off by default
      --target VERSION     the version of Godot that the files are for: 3.x, 3.1 to 3.6, 4.0 to 4.7
      --profile PROFILE    trusted (default) or untrusted: every way to run code is an error
      --color WHEN         auto (default), always, never

Rules that need a project are in the native program only; \`gdscene --help\` says which.

Exit status: 0 nothing found, 1 errors or warnings found (--fail-on changes that), 2 wrong usage or a file that cannot be
read.
`;

export const RULE_OPTIONS = {
    select: { type: "string", multiple: true },
    ignore: { type: "string", multiple: true },
    "all-rules": { type: "boolean" },
    target: { type: "string" },
    profile: { type: "string" },
};

export const CHECK_OPTIONS = {
    ...RULE_OPTIONS,
    output: { type: "string", default: "full" },
    severity: { type: "string" },
    all: { type: "boolean" },
    sort: { type: "string", default: "severity" },
    each: { type: "boolean" },
    "fail-on": { type: "string" },
    color: { type: "string", default: "auto" },
};

export const SEVERITIES = ["info", "warning", "error"];

// What the library is asked for.
export function ruleOptions(values) {
    const list = (given = []) => given.flatMap((rules) => rules.split(",")).filter((rule) => rule !== "");
    const options = {
        select: list(values.select),
        ignore: list(values.ignore),
        allRules: values["all-rules"] ?? false,
        target: values.target,
        profile: values.profile,
    };
    // What is wrong with them is told once, and not for each file.
    core.check(new Uint8Array(), options);
    return options;
}

export async function check(paths, values) {
    const format = choice("output", values.output, ["full", "concise", "json", "jsonl"]);
    const order = choice("sort", values.sort, ["severity", "file"]);
    const view = viewOf(values);
    const options = optionsOrComplaint(values);
    if (options === null) {
        return FAILURE;
    }
    const { files, problemCount } = await inputs(paths, options.profile);
    const summary = new CheckSummary(view, problemCount);
    const withTexts = format === "full" || format === "concise";
    const color = isColored(choice("color", values.color, ["auto", "always", "never"]));
    const isGrouped = format === "full" && !values.each && !values.all;
    const all = [];
    for (const file of files) {
        try {
            const path = nameOf(file);
            const found = core.check(read(file), { ...options, path, withTexts, color: color && format === "full" });
            all.push(...summary.add(file, found));
        } catch (error) {
            summary.unread += 1;
            complain(`${nameOf(file)}: ${reasonOf(error)}`);
        }
    }
    if (format === "json") {
        await write(all.length === 0 ? "[]\n" : `[\n${all.map(line).join(",\n")}\n]\n`);
    } else if (format === "jsonl") {
        await write(all.map((found) => `${line(found)}\n`).join(""));
    } else {
        await write(arranged(all, format, order, isGrouped) + `${summary}\n`);
    }
    return summary.status();
}

// Nothing if something is wrong with the options, which was told then.
export function optionsOrComplaint(values) {
    try {
        return ruleOptions(values);
    } catch (error) {
        complain(error.message);
        return null;
    }
}

function line({ texts, ...found }) {
    return JSON.stringify(found);
}

// What is shown, and what makes the command fail.
function viewOf(values) {
    const isAskedFor = values.all || values["all-rules"] || (values.select ?? []).length > 0;
    const severity = values.severity ?? (isAskedFor ? "info" : "warning");
    const shown = rank(choice("severity", severity, SEVERITIES));
    const failing = values["fail-on"];
    if (failing === undefined) {
        return { shown, failing: Math.max(shown, rank("warning")) };
    }
    choice("fail-on", failing, [...SEVERITIES, "never"]);
    return { shown, failing: failing === "never" ? Infinity : rank(failing) };
}

function rank(severity) {
    return SEVERITIES.indexOf(severity);
}

class Tally {
    counts = { error: 0, warning: 0, info: 0 };
    fixable = 0;
    unsafeFixable = 0;

    add({ severity, fix }) {
        this.counts[severity] += 1;
        this.fixable += fix?.applicability === "safe" ? 1 : 0;
        this.unsafeFixable += fix?.applicability === "unsafe" ? 1 : 0;
    }

    from(least) {
        return SEVERITIES.slice(least).reduce((sum, severity) => sum + this.counts[severity], 0);
    }
}

// The last lines.
class CheckSummary {
    files = 0;
    settingsFiles = 0;
    shown = new Tally();
    hidden = new Tally();

    constructor(view, unread) {
        this.view = view;
        this.unread = unread;
    }

    // Adds a file, and returns what is shown of it.
    add(file, found) {
        this.files += 1;
        this.settingsFiles += isSettingsFile(file) ? 1 : 0;
        return found.filter((one) => {
            const isShown = rank(one.severity) >= this.view.shown;
            (isShown ? this.shown : this.hidden).add(one);
            return isShown;
        });
    }

    status() {
        if (this.unread > 0) {
            return FAILURE;
        }
        const { failing } = this.view;
        const isFailing = failing <= rank("error") && this.shown.from(failing) + this.hidden.from(failing) > 0;
        return isFailing ? FINDINGS : CLEAN;
    }

    toString() {
        const lines = [];
        const { fixable, unsafeFixable } = this.shown;
        if (fixable > 0) {
            const more = unsafeFixable > 0 ? `, ${unsafeFixable} more with --unsafe` : "";
            lines.push(`${fixable} can be fixed with \`gdscene fix\`${more}`);
        } else if (unsafeFixable > 0) {
            lines.push(`${unsafeFixable} can be fixed with \`gdscene fix --unsafe\``);
        }
        const hidden = this.hidden.from(0) > 0 ? ` (${this.#hidden()})` : "";
        const unread = this.unread > 0 ? `; ${counted(this.unread, "path")} not checked` : "";
        lines.push(`${this.#checked()} checked${this.#among()}: ${this.#shown()}${hidden}${unread}`);
        return lines.join("\n");
    }

    #checked() {
        const areAllSettings = this.settingsFiles === this.files && this.files > 0;
        return counted(this.files, areAllSettings ? "settings file" : "file");
    }

    #among() {
        const isSome = this.settingsFiles > 0 && this.settingsFiles < this.files;
        return isSome ? `, ${counted(this.settingsFiles, "settings file")} among them` : "";
    }

    #shown() {
        const { error, warning, info } = this.shown.counts;
        if (this.shown.from(0) === 0) {
            if (this.hidden.from(0) === 0) {
                return "nothing found";
            }
            return this.view.shown === rank("error") ? "no errors" : "no errors or warnings";
        }
        const parts = [counted(error, "error")];
        if (this.view.shown <= rank("warning")) {
            parts.push(counted(warning, "warning"));
        }
        if (info > 0) {
            parts.push(counted(info, "info"));
        }
        return parts.join(", ");
    }

    #hidden() {
        const { warning, info } = this.hidden.counts;
        const parts = [];
        if (warning > 0) {
            parts.push(counted(warning, "warning"));
        }
        if (info > 0) {
            parts.push(counted(info, "info"));
        }
        const { fixable } = this.hidden;
        const fixes = fixable > 0 ? `, \`gdscene fix\` fixes ${fixable} of them` : "";
        return `${parts.join(" and ")} hidden${fixes}; --all shows them`;
    }
}
