// The list of findings.

import { element, prose } from "./dom.js";

// So many are listed.
const MAX_SHOWN = 300;
const ORDER = ["error", "warning", "info"];

export function counts(findings) {
    const named = ORDER.map((severity) => [findings.filter((found) => found.severity === severity).length, severity]);
    const parts = named.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}${count === 1 ? "" : "s"}`);
    return parts.join(", ") || "nothing found";
}

// Shows findings. `onGo(finding)`, `onFix(finding)` and `onRule(code)` are called for what is chosen.
export function showFindings(panel, findings, { onGo, onFix, onRule }) {
    if (findings.length === 0) {
        panel.replaceChildren(element("div", { class: "empty" }, element("strong", {}, "Nothing found"), "The rules for single files have nothing to say about this text."));
        return;
    }
    const rows = findings.slice(0, MAX_SHOWN).map((found, number) => row(found, number, { onGo, onFix, onRule }));
    const more = findings.length - rows.length;
    const note = more > 0 ? element("p", { class: "note" }, `and ${more} more`) : null;
    panel.replaceChildren(...[element("ol", { class: "findings" }, ...rows), note].filter(Boolean));
}

function row(found, number, { onGo, onFix, onRule }) {
    const { severity, code, name, message, line, column, consequence, help, fix } = found;
    const canApply = fix !== null && fix.applicability !== "display-only";
    return element("li", { "data-severity": severity, "data-number": number },
        element("button", { type: "button", class: "go", onclick: () => onGo(found) }, ...prose(message)),
        element("div", { class: "meta" },
            element("span", { class: severity }, severity),
            element("a", { href: `#rule=${code}`, title: "What the rule says", onclick: (event) => { event.preventDefault(); onRule(code); } }, `${code} ${name}`),
            element("span", {}, `line ${line}, column ${column}`)),
        consequence && element("p", { class: "so" }, "→ ", ...prose(consequence)),
        help && element("p", {}, ...prose(help)),
        fix && element(canApply ? "button" : "p", { type: canApply ? "button" : null, class: "fix", onclick: canApply ? () => onFix(found) : () => {} },
            canApply ? "Fix: " : "By hand: ", ...prose(fix.title),
            canApply ? element("span", { class: `badge ${fix.applicability}` }, fix.applicability) : null));
}
