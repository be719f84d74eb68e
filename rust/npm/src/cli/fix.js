// `gdscene fix`

import * as core from "../core.js";
import { optionsOrComplaint, RULE_OPTIONS } from "./check.js";
import { nameOf, read, replace } from "./files.js";
import { inputs, reasonOf, STDIN } from "./inputs.js";
import { CLEAN, complain, counted, FAILURE, FINDINGS, printable, write } from "./output.js";

export const FIX_HELP = `Repair what gdscene check reports, each file alone: after safe fixes Godot loads the same as before, unless it could
not load the file at all.

Usage: gdscene fix [OPTIONS] PATH...

Options:
      --unsafe             also apply fixes that may change what Godot loads
      --dry-run            write nothing; list the files that would change
      --force-escn         also fix .escn files
      --select RULES       only these rules; --ignore RULES, --all-rules, --target VERSION, --profile PROFILE as in check

\`-\` reads standard input and writes to standard output. Fixes that need a project, and those of several files, are in the
native program only.

Exit status: 0 nothing is left to report, 1 errors or warnings are left, or fixes would be applied (with --dry-run), 2 wrong
usage, or a file that cannot be read or written.
`;

export const FIX_OPTIONS = {
    ...RULE_OPTIONS,
    unsafe: { type: "boolean" },
    "dry-run": { type: "boolean" },
    "force-escn": { type: "boolean" },
};

export async function fix(paths, values) {
    const options = optionsOrComplaint(values);
    if (options === null) {
        return FAILURE;
    }
    const { files, problemCount } = await inputs(paths, options.profile);
    const isDry = values["dry-run"] ?? false;
    const isEscn = (file) => !values["force-escn"] && file.toLowerCase().endsWith(".escn");
    const sum = { files: 0, changed: 0, fixes: 0, left: 0, uncovered: 0, leftAlone: 0, failed: problemCount, isDry };
    for (const file of files) {
        if (isEscn(file)) {
            sum.leftAlone += 1;
            continue;
        }
        try {
            await fixFile(file, options, values, sum);
        } catch (error) {
            sum.failed += 1;
            complain(`${nameOf(file)}: ${reasonOf(error)}`);
        }
    }
    const last = `${summary(sum)}\n`;
    // Standard output is a text then, to which nothing is added.
    if (files.includes(STDIN)) {
        process.stderr.write(last);
    } else {
        await write(last);
    }
    return sum.failed > 0 ? FAILURE : sum.left > 0 || (isDry && sum.fixes > 0) ? FINDINGS : CLEAN;
}

async function fixFile(file, options, values, sum) {
    const bytes = read(file);
    const name = nameOf(file);
    const { text, applied, uncovered, left } = core.fix(bytes, { ...options, path: name }, values.unsafe ?? false);
    if (sum.isDry) {
        if (applied > 0) {
            await write(`${printable(name)}: ${counted(applied, "fix")} would be applied\n`);
        }
    } else if (file === STDIN) {
        await write(text ?? bytes);
    } else if (text !== undefined) {
        replace(file, text);
        await write(`${printable(name)}: ${counted(applied, "fix")}\n`);
    }
    sum.files += 1;
    sum.changed += applied > 0 ? 1 : 0;
    sum.fixes += applied;
    sum.left += left.filter(({ severity }) => severity !== "info").length;
    sum.uncovered += uncovered;
}

function summary({ files, changed, fixes, left, uncovered, leftAlone, failed, isDry }) {
    const parts = [];
    if (left > 0) {
        parts.push(`${counted(left, "finding")} left, see \`gdscene check\``);
    } else if (failed === 0) {
        parts.push("nothing left");
    } else {
        parts.push(`nothing left in ${counted(files, "file")} that could be fixed`);
    }
    if (uncovered > 0) {
        parts.push(`${counted(uncovered, "error")} more than before`);
    }
    if (leftAlone > 0) {
        parts.push(`${counted(leftAlone, ".escn file")} left alone, see --force-escn`);
    }
    if (failed > 0) {
        parts.push(`${counted(failed, "path")} not fixed`);
    }
    return `${counted(fixes, "fix")} ${isDry ? "would be " : ""}applied in ${counted(changed, "file")}; ${parts.join("; ")}`;
}
