// The library: bytes and options in, data out. Offsets count bytes here; index.js has what others use.

import * as wasm from "../wasm/wasm.js";
import { module } from "#module";

wasm.initSync({ module });

export const version = wasm.version();

export function check(bytes, options) {
    return call(() => JSON.parse(wasm.check(bytes, JSON.stringify(options))));
}

// What became of the bytes, with `text` only if they changed.
export function fix(bytes, options, withUnsafe) {
    return call(() => changed(wasm.fix(bytes, JSON.stringify(options), withUnsafe)));
}

export function format(bytes, options) {
    return call(() => changed(wasm.format(bytes, JSON.stringify(options))));
}

export function parse(bytes, path) {
    return call(() => JSON.parse(wasm.parse(bytes, path)));
}

export function listValues(bytes, options) {
    return call(() => JSON.parse(wasm.list_values(bytes, JSON.stringify(options))));
}

export function rules() {
    return call(() => JSON.parse(wasm.rules()));
}

function changed(outcome) {
    try {
        return { ...JSON.parse(outcome.answer), text: outcome.take_text() };
    } finally {
        outcome.free();
    }
}

// A library that stopped in the middle of a call has memory in an unknown state, so the next call gets a new one.
function call(work) {
    try {
        return work();
    } catch (error) {
        if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
            wasm.__wbg_reset_state();
            throw new Error("gdscene stopped on this input, which is a bug of it; please report the input", { cause: error });
        }
        throw error;
    }
}
