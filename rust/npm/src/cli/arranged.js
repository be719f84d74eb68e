// Findings for people, in the order that was asked for, and with equal ones together.

import { printable } from "./output.js";

// So many places are named besides the first one.
const MAX_PLACES = 3;
const WORST_FIRST = ["error", "warning", "info"];

export function arranged(findings, format, order, isGrouped) {
    let groups = findings.map((found) => ({ first: found, all: [found] }));
    if (isGrouped) {
        groups = [...grouped(findings).values()];
    }
    if (order === "severity") {
        const rank = (group) => WORST_FIRST.indexOf(group.first.severity);
        groups.sort((one, other) => rank(one) - rank(other));
    }
    const gap = format === "full" ? "\n" : "";
    return groups.map((group) => group.first.texts[format] + others(group) + gap).join("");
}

// By everything that a text says of a finding, but for the places.
function grouped(findings) {
    const groups = new Map();
    for (const found of findings) {
        const { code, severity, message, consequence, help, fix } = found;
        const key = JSON.stringify([code, severity, message, consequence, help, fix?.applicability, fix?.title]);
        const group = groups.get(key);
        if (group === undefined) {
            groups.set(key, { first: found, all: [found] });
        } else {
            group.all.push(found);
        }
    }
    return groups;
}

// `and in 12 more places of 3 files: a.tscn:3:1, …`
function others({ all }) {
    const more = all.length - 1;
    if (more === 0) {
        return "";
    }
    const named = all.slice(1, 1 + MAX_PLACES).map(({ path, line, column }) => `${printable(path)}:${line}:${column}`);
    const rest = more > named.length ? ", …; --each shows all" : "";
    const fileCount = new Set(all.map(({ path }) => path)).size;
    const files = fileCount > 1 && more > named.length ? ` of ${fileCount} files` : "";
    return `and in ${more} more place${more === 1 ? "" : "s"}${files}: ${named.join(", ")}${rest}\n`;
}
