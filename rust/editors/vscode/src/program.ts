// Where the program `gdscene` is: named by the setting, packed with the extension, or on the PATH.

import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

const NAME = process.platform === "win32" ? "gdscene.exe" : "gdscene";

/** Why there is no program to start: a sentence for the user. */
export class NoProgram extends Error {}

/** The program's path, after it was seen to have the command `lsp`. */
export async function findProgram(extensionFolder: string): Promise<string> {
    const found = await anyProgram(extensionFolder);
    const help = await run(found, ["lsp", "--help"]).catch((error: Error) => {
        throw new NoProgram(`\`${found}\` cannot be started: ${error.message}. Set gdscene.path to another program.`);
    });
    if (help.status !== 0) {
        throw new NoProgram(`\`${found}\` has no language server: it is too old, or not gdscene. Update it, or set gdscene.path.`);
    }
    return found;
}

async function anyProgram(extensionFolder: string): Promise<string> {
    const setting = vscode.workspace.getConfiguration("gdscene").get("path", "").trim();
    if (setting !== "") {
        const named = await withPath(setting.replace(/^~(?=\/|\\|$)/, homedir()));
        if (named === undefined) {
            throw new NoProgram(`The setting gdscene.path names \`${setting}\`, which is not a program. Correct it, or leave it empty.`);
        }
        return named;
    }
    const packed = path.join(extensionFolder, "bin", NAME);
    if (await isProgram(packed)) {
        return packed;
    }
    const onPath = await withPath(NAME);
    if (onPath === undefined) {
        const where = "The program gdscene is neither packed with this extension nor on the PATH.";
        throw new NoProgram(`${where} Install it (\`cargo install --path rust/gdscene\`), or set gdscene.path to its place.`);
    }
    return onPath;
}

/** A path as it is; a bare name is looked up on the PATH. */
async function withPath(name: string): Promise<string | undefined> {
    if (path.isAbsolute(name)) {
        return (await isProgram(name)) ? name : undefined;
    }
    // A path below the current folder would depend on where the editor was started.
    if (name !== path.basename(name)) {
        return undefined;
    }
    const names = process.platform === "win32" && path.extname(name) === "" ? [`${name}.exe`] : [name];
    for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
        for (const file of names.map((name) => path.join(folder, name))) {
            if (path.isAbsolute(file) && (await isProgram(file))) {
                return file;
            }
        }
    }
    return undefined;
}

async function isProgram(file: string): Promise<boolean> {
    return access(file, constants.X_OK).then(
        () => true,
        () => false,
    );
}

export interface Result {
    status: number;
    output: string;
    errors: string;
    /** Whether the output was longer than what is kept of it. */
    isCut: boolean;
}

/** Runs the program to its end. Fails only if it cannot be started. */
export function run(program: string, args: string[], maxOutput = 4 << 20): Promise<Result> {
    return new Promise((resolve, reject) => {
        const options = { maxBuffer: maxOutput, timeout: 60_000, windowsHide: true };
        execFile(program, args, options, (error, output, errors) => {
            const code: unknown = error?.code;
            const isCut = code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
            if (error !== null && typeof code !== "number" && !isCut) {
                reject(error);
            } else {
                resolve({ status: typeof code === "number" ? code : 0, output, errors, isCut });
            }
        });
    });
}
