// Reads files, and writes them as a whole or not at all.

import { randomUUID } from "node:crypto";
import {
    closeSync, fchmodSync, fsyncSync, openSync, readSync, realpathSync, renameSync, statSync, unlinkSync, writeSync,
} from "node:fs";
import path from "node:path";

import { STDIN } from "./inputs.js";

const MAX_SIZE = 512 * 1024 * 1024;
const TOO_LARGE = `has more than ${MAX_SIZE} bytes, which is more than is read of one file`;

// The name in messages and results.
export function nameOf(input) {
    return input === STDIN ? "<stdin>" : input;
}

export function read(input) {
    if (input === STDIN) {
        return readUpTo(0, Infinity);
    }
    const found = statSync(input);
    if (found.isDirectory()) {
        throw new Error("is a folder");
    }
    if (found.size > MAX_SIZE) {
        throw new Error(TOO_LARGE);
    }
    const file = openSync(input, "r");
    try {
        return readUpTo(file, MAX_SIZE);
    } finally {
        closeSync(file);
    }
}

// Reads a file, pipe or device to its end, which some do not have.
function readUpTo(file, most) {
    const chunks = [];
    let length = 0;
    for (;;) {
        const chunk = Buffer.allocUnsafe(1 << 20);
        const size = readChunk(file, chunk);
        if (size === 0) {
            return new Uint8Array(Buffer.concat(chunks, length));
        }
        length += size;
        if (length > most) {
            throw new Error(TOO_LARGE);
        }
        chunks.push(chunk.subarray(0, size));
    }
}

function readChunk(file, chunk) {
    for (;;) {
        try {
            return readSync(file, chunk);
        } catch (error) {
            if (error.code === "EOF") {
                return 0; // how Windows tells of the end of a pipe
            }
            if (error.code !== "EAGAIN") {
                throw error;
            }
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10); // a pipe into which nothing was written yet
        }
    }
}

// Replaces the content of a file, and keeps its permissions. The new text is written to a file beside it, which then takes its
// name, so that there is always either the old file or the new one. A symbolic link stays a link.
export function replace(file, bytes) {
    const place = realpathSync(file);
    // Renaming would get around the protection of a file that must not be written. Root may open such a file.
    const { mode } = statSync(place);
    if ((mode & 0o222) === 0) {
        throw new Error("the file is read-only");
    }
    closeSync(openSync(place, "r+"));
    const beside = path.join(path.dirname(place), `.gdscene-${randomUUID()}.tmp`);
    const made = openSync(beside, "wx", 0o600);
    try {
        writeAll(made, bytes);
        fchmodSync(made, mode & 0o7777);
        fsyncSync(made);
        closeSync(made);
        renameSync(beside, place);
    } catch (error) {
        unlinkSync(beside);
        throw error;
    }
}

function writeAll(file, bytes) {
    for (let written = 0; written < bytes.length; ) {
        written += writeSync(file, bytes, written);
    }
}
