// All functions are synchronous: the module has loaded the library once it is imported.
//
// A text is a string or bytes. `start` and `end` in what comes back count in the unit of what was given, so that
// `text.slice(start, end)` or `bytes.subarray(start, end)` is the place; ends are excluded. Lines and columns count from 1,
// columns in characters.

/** The version of the crates that the package was built from. */
export const version: string;

/** Reports what the rules for single files find, by place. */
export function check(text: string | Uint8Array, options?: CheckOptions): Finding[];

/** Applies the safe fixes, until none is left; with `unsafe` those too after which Godot may load something else. */
export function fix<T extends string | Uint8Array>(text: T, options?: FixOptions): Fixed<Text<T>>;

/**
 * Writes a text as Godot saves it. Settings files stay as they are.
 *
 * @throws {FormatRefusal} if Godot would refuse or misread the text, or it should be left alone
 */
export function format<T extends string | Uint8Array>(text: T, options?: FormatOptions): Formatted<Text<T>>;

/** Reads a text, as far as it can be read. */
export function parse(text: string | Uint8Array, options?: { path?: string }): ParsedFile;

/** Lists the values in bytes that `var_to_bytes` or `store_var` wrote. */
export function inspect(bytes: Uint8Array, options?: InspectOptions): Inspected;

/** Applies one fix to the text that it was found in. */
export function applyFix<T extends string | Uint8Array>(text: T, fix: Fix): Text<T>;

/** The rules that `check` knows, by code. */
export function rules(): Rule[];

/** What comes back is what was given: a string or bytes. */
export type Text<T> = T extends string ? string : Uint8Array;

export type Severity = "error" | "warning" | "info";

export interface CheckOptions {
    /** The file's path or name, by which settings files are known; nothing is read. */
    path?: string;
    /** The version of Godot that the file is for: `"3.x"`, `"3.1"` to `"4.8"`. */
    target?: string;
    /** In files that are not trusted, every way to run code is an error. */
    profile?: "trusted" | "untrusted";
    /** Only these rules: codes, names, groups such as `"REF"`, `"DEFAULT"`, `"ALL"`. */
    select?: string[];
    /** Not these rules. The more exact of both wins. */
    ignore?: string[];
    /** Also the rules that are off by default. */
    allRules?: boolean;
}

export interface FixOptions extends CheckOptions {
    unsafe?: boolean;
}

export interface FormatOptions {
    path?: string;
    /** The version of Godot whose form to write; without it the header of the file decides. */
    target?: string;
    /** Also format `.escn` files. */
    forceEscn?: boolean;
}

export interface InspectOptions {
    /** The generation of the format. */
    dialect?: "godot4" | "godot4.3" | "godot4.0" | "godot3" | "godot2" | "docs3.0" | "docs4.2";
    /** Any number of values, each after its length in this order of bytes, as `store_var` writes them. */
    framed?: "little" | "big";
    /** So many rows at most. */
    maxRows?: number;
}

export interface Place {
    start: number;
    end: number;
    line: number;
    column: number;
}

/** As an object of `gdscene check --output json`. */
export interface Finding extends Place {
    /** Such as `REF007`. */
    code: string;
    /** Such as `unused-ext-resource`. */
    name: string;
    severity: Severity;
    message: string;
    /** What happens in Godot because of it. */
    consequence: string | null;
    /** What to do about it. */
    help: string | null;
    /** Other places in the file that belong to it. */
    labels: (Place & { text: string })[];
    fix: Fix | null;
    /** As it was given, or empty. */
    path: string;
}

export interface Fix {
    title: string;
    /** `safe`: Godot loads the same as before; `display-only`: a person has to complete it. */
    applicability: "safe" | "unsafe" | "display-only";
    /** By place; they do not overlap. */
    edits: (Place & { replacement: string })[];
}

export interface Fixed<T> {
    text: T;
    is_changed: boolean;
    /** How many fixes were applied. */
    applied: number;
    /** How many are left because they touch what others changed. */
    postponed: number;
    /** How many more errors can be seen than before. */
    uncovered: number;
    /** What is found in the new text. */
    left: Finding[];
}

export interface Formatted<T> {
    text: T;
    is_changed: boolean;
}

export class FormatRefusal extends Error {
    /** Where, and why; nothing if the file is left alone. */
    finding: Finding | null;
}

/** As the object of `gdscene parse`, and with nodes. */
export interface ParsedFile {
    path: string;
    comments: (Place & { text: string })[];
    sections: Section[];
    /** How many there are; `check` lists them. */
    syntax_errors: number;
    /** In the order of the text. */
    nodes: SceneNode[];
    /** The node without a parent. */
    root: SceneNode | null;
}

/** A tag, whose place this is, with the properties below it. */
export interface Section extends Place {
    /** Such as `node`. */
    tag: string;
    /** Values are as they are written. */
    fields: (Place & { name: string; value: string })[];
    properties: (Place & { key: string; value: string })[];
}

export interface SceneNode {
    name: string;
    /** From the root, which is `.` itself. */
    path: string;
    /** Its class. Instances and nodes of inherited scenes have none here. */
    type?: string;
    groups?: string[];
    /** The path of the scene that it is an instance of. */
    instance?: string;
    /** The path of its script. */
    script?: string;
    /** Whether it has a unique name in the scene (`%Name`). */
    is_unique?: boolean;
    /** The place of its section in `sections`. */
    section: number;
    /** The place of its parent in `nodes`. */
    parent: number | null;
    children: SceneNode[];
}

export interface Inspected {
    /** Whether all bytes are values. */
    is_valid: boolean;
    /** How many rows are left out because of `maxRows`. */
    left_out: number;
    /** As the objects of `gdscene variant dump --json`, in the order of the bytes. */
    rows: ValueRow[];
    /** Those of the outermost values, with the others below them. */
    values: ValueRow[];
}

export interface ValueRow {
    kind: "value" | "property_name" | "length" | "trailing" | "error";
    offset: number;
    /** In bytes; of a container without its content. */
    size: number;
    /** In hexadecimal digits. */
    bytes?: string;
    /** How many containers it is in. */
    depth?: number;
    /** In its containers, such as `[1]["pos"]`. */
    path?: string;
    type?: string;
    /** In a few words. */
    value?: string;
    error?: { code: string; message: string; offset: number };
    /** Of a length: what it says, and how many of the bytes are there. */
    length?: number;
    available?: number;
    children: ValueRow[];
}

export interface Rule {
    code: string;
    name: string;
    severity: Severity;
    is_on_by_default: boolean;
    /** Whether some of its findings come with a fix. */
    has_fix: boolean;
    /** Markdown, with examples. */
    docs: string;
}
