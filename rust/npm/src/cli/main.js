// The command `gdscene`, as far as it goes without projects.

import { parseArgs } from "node:util";

import { version } from "../core.js";
import { CHECK_HELP, CHECK_OPTIONS, check } from "./check.js";
import { FIX_HELP, FIX_OPTIONS, fix } from "./fix.js";
import { FORMAT_HELP, FORMAT_OPTIONS, format } from "./format.js";
import { complain, FAILURE, UsageError, write } from "./output.js";

const HELP = `Checks, repairs and formats Godot's text scenes and resources (.tscn, .tres, .escn) without the engine.

Usage: gdscene COMMAND [OPTIONS] PATH...

Commands:
  check    report errors and warnings
  fix      repair what check reports
  format   write files as Godot saves them; --check lists those that are not

Paths are files, folders and patterns such as "levels/**/*.tscn"; \`-\` is standard input. In folders, all .tscn, .tres and
.escn files and settings files (project.godot and the like) are meant, except in hidden folders, in folders with a .gdignore
file, and what .gitignore names.

Options:
  -h, --help       print this, or with a command its options
  -V, --version    print the version

Each file is checked alone, by the rules for single files. What needs more than one file is in the native program
\`gdscene\` only: whether files, uids, nodes of instances, classes, properties, signals, methods and scripts exist (the rules
RES, SCR, most of TREE and SIG, and some of PERF and MIG), gdscene.toml, baselines, fixes of several files,
and all other commands.

Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage or a file that cannot be read.
`;

const COMMANDS = {
    check: { run: check, options: CHECK_OPTIONS, help: CHECK_HELP },
    fix: { run: fix, options: FIX_OPTIONS, help: FIX_HELP },
    format: { run: format, options: FORMAT_OPTIONS, help: FORMAT_HELP },
};

// Runs a command line, and returns the exit status.
export async function main(args) {
    endQuietlyWithPipe();
    const [name, ...rest] = args;
    if (name === "-h" || name === "--help" || name === "help") {
        await write(HELP);
        return 0;
    }
    if (name === "-V" || name === "--version") {
        await write(`gdscene ${version}\n`);
        return 0;
    }
    try {
        return await run(name, rest);
    } catch (error) {
        if (error instanceof UsageError || error.code?.startsWith?.("ERR_PARSE_ARGS")) {
            complain(`${error.message}; see gdscene --help`);
            return FAILURE;
        }
        throw error;
    }
}

async function run(name, args) {
    if (name === undefined) {
        throw new UsageError("a command is missing");
    }
    if (!Object.hasOwn(COMMANDS, name)) {
        throw new UsageError(`\`${name}\` is not a command here; there are ${Object.keys(COMMANDS).join(", ")}`);
    }
    const command = COMMANDS[name];
    const options = { ...command.options, help: { type: "boolean", short: "h" } };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (values.help) {
        await write(command.help);
        return 0;
    }
    if (positionals.length === 0) {
        throw new UsageError("a path is missing");
    }
    return command.run(positionals, values);
}

// A reader that closes the pipe (`| head`) is not an error.
function endQuietlyWithPipe() {
    process.stdout.on("error", (error) => {
        if (error.code !== "EPIPE") {
            complain(`cannot write: ${error.message}`);
            process.exitCode = FAILURE;
        }
        process.exit();
    });
}
