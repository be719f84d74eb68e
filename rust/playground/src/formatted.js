// The text as Godot would save it.

import { element, prose } from "./dom.js";

// So many characters are shown.
const MAX_SHOWN = 200_000;

export function showFormatted(panel, { text, is_changed: isChanged }, original, onApply) {
    const apply = element("button", { type: "button", class: "primary", disabled: !isChanged, onclick: onApply }, "Apply");
    const note = isChanged ? "So Godot would save it. Lines that differ are marked." : "The text is as Godot would save it.";
    const known = new Set(original.split("\n"));
    const shown = text.slice(0, MAX_SHOWN);
    const lines = isChanged
        ? shown.split("\n").flatMap((line) => [known.has(line) ? line : element("span", { class: "added" }, line), "\n"])
        : [shown];
    const more = text.length > MAX_SHOWN ? [element("em", { class: "quiet" }, `… and ${text.length - MAX_SHOWN} characters more`)] : [];
    panel.replaceChildren(element("div", { class: "sheet" },
        element("div", { class: "bar" }, apply, element("span", { class: "quiet" }, note)),
        element("pre", { tabindex: 0, "aria-label": "Formatted text" }, ...lines, ...more)));
}

export function showRefusal(panel, error, onGo) {
    const go = error.finding && element("button", { type: "button", onclick: () => onGo(error.finding) }, `Go to line ${error.finding.line}`);
    panel.replaceChildren(element("p", { class: "note bad" }, "Not formatted: ", ...prose(error.message)), ...(go ? [element("div", { class: "empty" }, go)] : []));
}
