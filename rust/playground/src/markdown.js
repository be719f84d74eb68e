// The Markdown that the documentation of rules is written in: headings, paragraphs, lists, tables as they are, code.

import { element, prose } from "./dom.js";

export function markdown(text, onExample) {
    const parts = [];
    let heading = "";
    for (const [number, part] of text.split(/^```/m).entries()) {
        if (number % 2 === 1) {
            const code = part.slice(part.indexOf("\n") + 1);
            parts.push(element("pre", {}, element("code", {}, code)));
            if (part.startsWith("tscn") && onExample) {
                parts.push(onExample(heading, code));
            }
            continue;
        }
        for (const block of part.split(/\n\n+/)) {
            for (const [kind, lines] of pieces(block)) {
                if (kind === "heading") {
                    heading = lines[0].slice(3);
                    parts.push(element("h3", {}, heading));
                } else if (kind === "list") {
                    parts.push(element("ul", {}, ...lines.map((line) => element("li", {}, ...prose(line)))));
                } else {
                    parts.push(element("p", {}, ...prose(lines.join(" "))));
                }
            }
        }
    }
    return parts;
}

// The parts of a block, which may follow each other without an empty line.
function pieces(block) {
    const found = [];
    for (const line of block.split("\n").filter((line) => line.trim() !== "")) {
        const last = found.at(-1);
        if (line.startsWith("## ")) {
            found.push(["heading", [line]]);
        } else if (line.startsWith("- ")) {
            last?.[0] === "list" ? last[1].push(line.slice(2)) : found.push(["list", [line.slice(2)]]);
        } else if (last?.[0] === "list") {
            last[1].push(`${last[1].pop()} ${line.trim()}`);
        } else if (last?.[0] === "text") {
            last[1].push(line);
        } else {
            found.push(["text", [line]]);
        }
    }
    return found;
}
