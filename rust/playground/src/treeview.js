// A tree that one opens, closes and walks through by keys (WAI-ARIA's pattern for trees). Rows are made for what is open.

import { element } from "./dom.js";

// So many rows are made at once.
const MAX_ROWS = 1500;

export class TreeView {
    #list;
    #items;
    #open = new Set();
    #rows = [];
    #current = 0;
    #onChoose;

    // `items` are in the order of the tree: {level, parts, hasChildren, isGroup, isOpen, value}.
    constructor(label, items, { onChoose, onSelect = () => {} }) {
        this.#items = items;
        this.#onChoose = onChoose;
        this.onSelect = onSelect;
        for (const [index, item] of items.entries()) {
            if (item.isOpen) {
                this.#open.add(index);
            }
        }
        this.#list = element("ul", { class: "tree", role: "tree", "aria-label": label, onkeydown: (event) => this.#onKey(event) });
        this.#build();
    }

    get root() {
        return this.#list;
    }

    // Selects the item with this value and shows it.
    select(value) {
        const row = this.#rows.findIndex((index) => this.#items[index].value === value);
        if (row !== -1) {
            this.#focus(row, false);
        }
    }

    #build() {
        this.#rows = [];
        let closed = Infinity;
        let left = 0;
        for (const [index, item] of this.#items.entries()) {
            if (item.level > closed) {
                continue;
            }
            closed = item.hasChildren && !this.#open.has(index) ? item.level : Infinity;
            if (this.#rows.length < MAX_ROWS) {
                this.#rows.push(index);
            } else {
                left += 1;
            }
        }
        const rows = this.#rows.map((index, row) => this.#row(index, row));
        this.#list.replaceChildren(...rows);
        if (left > 0) {
            this.#list.append(element("li", { role: "none", class: "more" }, `and ${left} more; close something to see them`));
        }
    }

    #row(index, row) {
        const { level, parts, hasChildren, isGroup } = this.#items[index];
        const isOpen = this.#open.has(index);
        const twist = element("span", { class: "twist", "aria-hidden": "true" }, hasChildren ? (isOpen ? "▾" : "▸") : "");
        const made = element("li", {
            role: "treeitem",
            "aria-level": level + 1,
            "aria-expanded": hasChildren ? String(isOpen) : null,
            "aria-selected": String(row === this.#current),
            class: isGroup ? "group" : null,
            tabindex: row === this.#current ? 0 : -1,
            onclick: (event) => {
                this.#focus(row, true);
                if (hasChildren && (event.target === twist || isGroup)) {
                    this.#toggle(row);
                } else {
                    this.#onChoose(this.#items[index].value);
                }
            },
        }, twist, ...parts.map(([name, text]) => element("span", { class: name || null }, text)));
        made.style.setProperty("--level", Math.min(level, 40));
        return made;
    }

    #toggle(row) {
        const index = this.#rows[row];
        if (!this.#items[index].hasChildren) {
            return;
        }
        if (!this.#open.delete(index)) {
            this.#open.add(index);
        }
        this.#build();
        this.#focus(row, true);
    }

    #focus(row, takesFocus) {
        const old = this.#list.children[this.#current];
        old?.setAttribute("aria-selected", "false");
        old?.setAttribute("tabindex", "-1");
        this.#current = Math.max(0, Math.min(row, this.#rows.length - 1));
        const now = this.#list.children[this.#current];
        now.setAttribute("aria-selected", "true");
        now.setAttribute("tabindex", "0");
        now.scrollIntoView({ block: "nearest" });
        if (takesFocus) {
            now.focus();
        }
        this.onSelect(this.#items[this.#rows[this.#current]].value);
    }

    #onKey(event) {
        const [row, index] = [this.#current, this.#rows[this.#current]];
        const { level, hasChildren } = this.#items[index];
        const isOpen = this.#open.has(index);
        const above = () => {
            for (let other = row - 1; other >= 0; other--) {
                if (this.#items[this.#rows[other]].level < level) {
                    return other;
                }
            }
            return row;
        };
        const keys = {
            ArrowDown: () => this.#focus(row + 1, true),
            ArrowUp: () => this.#focus(row - 1, true),
            Home: () => this.#focus(0, true),
            End: () => this.#focus(this.#rows.length - 1, true),
            ArrowRight: () => (hasChildren && !isOpen ? this.#toggle(row) : this.#focus(hasChildren ? row + 1 : row, true)),
            ArrowLeft: () => (hasChildren && isOpen ? this.#toggle(row) : this.#focus(above(), true)),
            Enter: () => this.#onChoose(this.#items[index].value),
            " ": () => this.#toggle(row),
        };
        if (Object.hasOwn(keys, event.key) && !event.altKey && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            keys[event.key]();
        }
    }
}
