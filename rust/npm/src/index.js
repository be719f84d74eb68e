// What the package offers: index.d.ts describes it.

import * as core from "./core.js";
import { inString } from "./offsets.js";

export const version = core.version;

export function check(text, options = {}) {
    const { bytes, located } = input(text);
    return located(core.check(bytes, checkOptions(options)));
}

export function fix(text, options = {}) {
    const { bytes, isString } = input(text);
    const { unsafe = false, ...rest } = options;
    const { text: fixed, left, ...counts } = core.fix(bytes, checkOptions(rest), Boolean(unsafe));
    const after = output(fixed, text, isString);
    return { text: after, is_changed: fixed !== undefined, ...counts, left: input(after).located(left) };
}

export function format(text, options = {}) {
    const { bytes, isString, located } = input(text);
    const { path, target, forceEscn } = options;
    refuseUnknown(options, ["path", "target", "forceEscn"]);
    const { text: formatted, finding, reason } = core.format(bytes, { path, target, forceEscn });
    if (reason !== null) {
        throw new FormatRefusal(reason, finding && located(finding));
    }
    return { text: output(formatted, text, isString), is_changed: formatted !== undefined };
}

export class FormatRefusal extends Error {
    constructor(message, finding) {
        super(finding ? `${finding.line}:${finding.column}: ${message}` : message);
        this.name = "FormatRefusal";
        this.finding = finding ?? null;
    }
}

export function parse(text, options = {}) {
    const { bytes, located } = input(text);
    refuseUnknown(options, ["path"]);
    const file = located(core.parse(bytes, options.path ?? ""));
    return { ...file, root: withChildren(file.nodes) };
}

export function inspect(bytes, options = {}) {
    if (!(bytes instanceof Uint8Array)) {
        throw new TypeError("the bytes to inspect are a Uint8Array");
    }
    const { dialect, framed, maxRows } = options;
    refuseUnknown(options, ["dialect", "framed", "maxRows"]);
    const listed = core.listValues(bytes, { dialect, framed, maxRows });
    return { ...listed, values: nested(listed.rows) };
}

export function applyFix(text, fix) {
    const isString = typeof text === "string";
    const parts = [];
    let place = 0;
    for (const { start, end, replacement } of fix.edits) {
        parts.push(isString ? text.slice(place, start) : text.subarray(place, start));
        parts.push(isString ? replacement : encoder.encode(replacement));
        place = end;
    }
    parts.push(isString ? text.slice(place) : text.subarray(place));
    return isString ? parts.join("") : joined(parts);
}

export function rules() {
    return core.rules();
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

// The bytes of a text, and what brings offsets into the unit of the text.
function input(text) {
    if (typeof text === "string") {
        const bytes = encoder.encode(text);
        return { bytes, isString: true, located: (data) => inString(data, text, bytes.length) };
    }
    if (text instanceof Uint8Array) {
        return { bytes: text, isString: false, located: (data) => data };
    }
    throw new TypeError("the text is a string or a Uint8Array");
}

function output(changed, text, isString) {
    if (changed === undefined) {
        return text;
    }
    return isString ? decoder.decode(changed) : changed;
}

function checkOptions(options) {
    refuseUnknown(options, ["path", "target", "profile", "select", "ignore", "allRules"]);
    const { path, target, profile, select = [], ignore = [], allRules = false } = options;
    return { path, target, profile, select, ignore, allRules };
}

function refuseUnknown(options, known) {
    const unknown = Object.keys(options).find((key) => !known.includes(key));
    if (unknown !== undefined) {
        throw new TypeError(`unknown option \`${unknown}\`; there are \`${known.join("`, `")}\``);
    }
}

// Gives each node its children, and returns the root.
function withChildren(nodes) {
    for (const node of nodes) {
        node.children = [];
    }
    for (const node of nodes) {
        if (node.parent !== null) {
            nodes[node.parent].children.push(node);
        }
    }
    return nodes.find((node) => node.path === ".") ?? null;
}

// Rows below the rows of their containers, by their depth.
function nested(rows) {
    const outermost = [];
    const open = [];
    for (const row of rows) {
        row.children = [];
        const depth = row.depth ?? 0;
        open.length = Math.min(open.length, depth);
        (open.at(-1)?.children ?? outermost).push(row);
        open.push(row);
    }
    return outermost;
}

function joined(parts) {
    const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let place = 0;
    for (const part of parts) {
        bytes.set(part, place);
        place += part.length;
    }
    return bytes;
}
