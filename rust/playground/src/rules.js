// The documentation of the rules, and their examples.

import { element } from "./dom.js";
import { markdown } from "./markdown.js";

// The text of a rule's example; nothing if it has none.
export function exampleOf(rule, heading = "Example") {
    const section = rule.docs.split(`## ${heading}\n`)[1]?.split("\n## ")[0];
    return section?.split("```tscn\n")[1]?.split("```")[0];
}

export class Rules {
    #panel;
    #rules;
    #list;
    #article;
    #onExample;

    // `onExample(rule, heading)` is called to open an example.
    constructor(panel, rules, onExample) {
        this.#panel = panel;
        this.#rules = rules;
        this.#onExample = onExample;
        const search = element("input", { type: "search", placeholder: "Search rules", "aria-label": "Search rules", oninput: () => this.#filter(search.value) });
        this.#list = element("ul", { "aria-label": "Rules" });
        this.#article = element("article", { tabindex: 0, "aria-label": "Documentation of the rule" });
        this.#panel.replaceChildren(element("div", { class: "rules" }, element("div", { class: "list" }, search, this.#list), this.#article));
        this.#filter("");
        this.#article.append(element("p", { class: "quiet" }, `${rules.length} rules for single files. Choose one to read what it reports and why.`));
    }

    find(code) {
        return this.#rules.find((rule) => rule.code === code.toUpperCase() || rule.name === code.toLowerCase());
    }

    show(rule) {
        for (const button of this.#list.querySelectorAll("button")) {
            const isCurrent = button.dataset.code === rule.code;
            button.setAttribute("aria-current", String(isCurrent));
            if (isCurrent) {
                button.scrollIntoView({ block: "nearest" });
            }
        }
        const facts = [rule.severity, rule.is_on_by_default ? "on by default" : "off by default", rule.has_fix ? "has fixes" : "no fixes"];
        const open = (heading) => element("button", { type: "button", onclick: () => this.#onExample(rule, heading) }, heading === "Example" ? "Open this example" : "Open this text");
        this.#article.replaceChildren(
            element("h2", {}, `${rule.code} ${rule.name}`),
            element("p", { class: "quiet" }, facts.join(" · ")),
            ...markdown(rule.docs, (heading) => open(heading)));
        this.#article.scrollTo(0, 0);
    }

    #filter(words) {
        const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== "");
        const found = this.#rules.filter(({ code, name, docs }) => wanted.every((word) => `${code} ${name} ${docs}`.toLowerCase().includes(word)));
        const row = (rule) => element("li", {}, element("button", { type: "button", "data-code": rule.code, onclick: () => this.show(rule) }, element("b", {}, rule.code), rule.name));
        this.#list.replaceChildren(...found.map(row));
    }
}
