// What the commands print.

export const CLEAN = 0;
export const FINDINGS = 1;
export const FAILURE = 2;

// A command line that cannot be carried out.
export class UsageError extends Error {}

// Writes to standard output, and waits until it is taken.
export function write(text) {
    return new Promise((resolve) => process.stdout.write(text, resolve));
}

// Tells of something on standard error.
export function complain(message) {
    process.stderr.write(`gdscene: ${printable(message)}\n`);
}

// The text on one line, with escapes in the place of characters that control a terminal.
export function printable(text) {
    return text.replace(CONTROLS, (character) => ESCAPES[character] ?? `\\u{${character.codePointAt(0).toString(16)}}`);
}

// `1 file`, `2 files`.
export function counted(count, noun) {
    return `${count} ${noun}${count === 1 ? "" : noun.endsWith("x") ? "es" : "s"}`;
}

// One of the values that an option may have.
export function choice(name, value, known) {
    if (!known.includes(value)) {
        throw new UsageError(`\`${value}\` is not a value of --${name}; there are ${known.join(", ")}`);
    }
    return value;
}

export function isColored(when) {
    return when === "always" || (when === "auto" && process.stdout.isTTY === true && !process.env.NO_COLOR);
}

const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const ESCAPES = { "\t": "\\t", "\r": "\\r", "\n": "\\n" };
