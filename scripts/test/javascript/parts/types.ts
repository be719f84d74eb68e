// That the types fit the documentation: compiled, not run.

import { applyFix, check, fix, format, FormatRefusal, inspect, parse, rules, version } from "gdscene";
import type { Finding, SceneNode } from "gdscene";

const found: Finding[] = check("", { path: "a.tscn", target: "4.5", profile: "untrusted", select: ["REF"], ignore: [], allRules: true });
const fixed: string = fix("", { unsafe: true }).text;
const bytes: Uint8Array = format(new Uint8Array(), { forceEscn: true }).text;
const root: SceneNode | null = parse("").root;
const names: string[] = root?.children.map(({ name }) => name) ?? [];
const kinds = inspect(bytes, { framed: "big", dialect: "godot3", maxRows: 5 }).rows.map(({ kind }) => kind);
const first = found[0]?.fix;
const after: string = first ? applyFix(fixed, first) : version;
try {
    format(after);
} catch (error) {
    if (error instanceof FormatRefusal) {
        console.log(error.finding?.line, names, kinds, rules()[0]?.docs);
    }
}
// @ts-expect-error an option that does not exist
check("", { selct: [] });
// @ts-expect-error a text is a string or bytes
check(7);
