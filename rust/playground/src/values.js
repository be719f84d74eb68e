// Binary values: their bytes, and what they are.

import { ask } from "./client.js";
import { byId, element } from "./dom.js";
import { TreeView } from "./treeview.js";

// [{"name": "Ada", "pos": Vector3(1, 2, 3)}, true], as var_to_bytes writes it.
const EXAMPLE = "1c000000 02000000 1b000000 02000000 04000000 04000000 6e616d65 04000000 03000000 41646100 04000000 03000000 "
    + "706f7300 09000000 0000803f 00000040 00004040 01000000 01000000";
// So many bytes and rows are shown.
const MAX_BYTES = 32_768;
const MAX_ROWS = 4000;
const ROW = 16;

export class Values {
    #panel;
    #input;
    #note;
    #hex;
    #rows;
    #bytes = new Uint8Array();
    #listed = [];
    #tree = null;
    #file = null;
    #turn = 0;

    constructor(panel) {
        this.#panel = panel;
    }

    // Makes the view when it is first looked at.
    show() {
        if (this.#panel.childElementCount > 0) {
            return;
        }
        const file = element("input", { type: "file", hidden: true, "aria-label": "File with values", onchange: () => this.#read(file.files[0]) });
        this.#input = element("textarea", { "aria-label": "Bytes: hexadecimal, base64 or decimal", spellcheck: "false", placeholder: "1c000000 02000000 …, base64, or PackedByteArray(28, 0, …)", oninput: () => { this.#file = null; this.#list(); } }, EXAMPLE);
        this.#note = element("p", { class: "note", role: "status" });
        this.#hex = element("div", { class: "hex", tabindex: 0, role: "group", "aria-label": "Bytes", onclick: (event) => this.#choose(event.target.dataset.byte) });
        this.#rows = element("div", { class: "rows" });
        const options = (list) => list.map(([value, text]) => element("option", { value }, text));
        this.#panel.replaceChildren(element("div", { class: "values" },
            element("div", { class: "bar" },
                element("label", {}, "Format ", element("select", { id: "dialect", onchange: () => this.#list() }, ...options([["godot4", "Godot 4"], ["godot3", "Godot 3"], ["godot2", "Godot 2"]]))),
                element("label", {}, "Lengths ", element("select", { id: "framed", onchange: () => this.#list() }, ...options([["", "none (var_to_bytes)"], ["little", "little-endian (store_var)"], ["big", "big-endian"]]))),
                element("button", { type: "button", onclick: () => file.click() }, "Open…"), file),
            this.#input, this.#note,
            element("div", { class: "split" }, this.#hex, this.#rows)));
        this.#list();
    }

    async #read(file) {
        if (file !== undefined) {
            this.#file = new Uint8Array(await file.arrayBuffer());
            this.#input.value = "";
            this.#input.placeholder = `${file.name}, ${this.#file.length} bytes`;
            this.#list();
        }
    }

    async #list() {
        const turn = ++this.#turn;
        try {
            const bytes = this.#file ?? bytesOf(this.#input.value);
            const options = { dialect: byId("dialect").value, framed: byId("framed").value || undefined, maxRows: MAX_ROWS };
            const { answer } = await ask("inspect", bytes, options);
            if (turn === this.#turn) {
                this.#bytes = bytes;
                this.#draw(answer);
            }
        } catch (error) {
            if (turn === this.#turn) {
                this.#tell(error.message, true);
                this.#hex.replaceChildren();
                this.#rows.replaceChildren();
            }
        }
    }

    #draw({ rows, is_valid: isValid, left_out: leftOut }) {
        this.#listed = rows;
        const more = leftOut > 0 ? `, the first ${rows.length} of ${rows.length + leftOut} rows` : "";
        const valid = isValid ? "all bytes are values" : "some bytes are not a value";
        this.#tell(this.#bytes.length === 0 ? "Paste bytes, or open a file." : `${this.#bytes.length} bytes, ${valid}${more}`, !isValid && this.#bytes.length > 0);
        const items = this.#bytes.length === 0 ? [] : rows.map((row, index) => item(row, rows[index + 1], index));
        this.#hex.replaceChildren(...hexLines(this.#bytes));
        this.#rows.replaceChildren();
        if (items.length > 0) {
            this.#tree = new TreeView("Values", items, { onChoose: (index) => this.#mark(index, true), onSelect: (index) => this.#mark(index, false) });
            this.#rows.append(this.#tree.root);
        }
    }

    // Shows the bytes of a row.
    #mark(index, scrolls) {
        const { offset, size } = this.#listed[index];
        for (const one of this.#hex.querySelectorAll(".on")) {
            one.classList.remove("on");
        }
        for (let byte = offset; byte < Math.min(offset + size, MAX_BYTES); byte++) {
            this.#hex.querySelector(`[data-byte="${byte}"]`)?.classList.add("on");
        }
        const first = this.#hex.querySelector(".on");
        first?.scrollIntoView({ block: scrolls ? "center" : "nearest" });
    }

    // Shows the row of a byte.
    #choose(byte) {
        const place = Number(byte);
        const index = this.#listed.findLastIndex(({ offset, size }) => offset <= place && place < offset + size);
        if (byte !== undefined && index !== -1) {
            this.#tree.select(index);
        }
    }

    #tell(text, isBad) {
        this.#note.textContent = text;
        this.#note.classList.toggle("bad", isBad);
    }
}

// The bytes that a text writes down: hexadecimal digits, decimal numbers with commas, or base64.
export function bytesOf(text) {
    const inner = text.trim().replace(/^PackedByteArray\s*\(|^\[|\)\s*$|\]\s*$/g, "").trim();
    if (/^\d+(\s*,\s*\d+)+\s*,?$/.test(inner)) {
        const numbers = inner.split(",").map((part) => part.trim()).filter((part) => part !== "").map(Number);
        if (numbers.some((number) => number > 255)) {
            throw new Error("a number is larger than a byte, which has 255 at most");
        }
        return Uint8Array.from(numbers);
    }
    const digits = inner.replace(/0x|[\s,]/gi, "");
    if (/^[0-9a-f]*$/i.test(digits)) {
        if (digits.length % 2 === 1) {
            throw new Error("the number of hexadecimal digits is odd");
        }
        return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    }
    try {
        const packed = inner.replace(/["\s]/g, "").replaceAll("-", "+").replaceAll("_", "/");
        return Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    } catch {
        throw new Error("this is neither hexadecimal digits, nor numbers from 0 to 255, nor base64");
    }
}

function item(row, next, index) {
    const level = row.depth ?? 0;
    const step = level > 0 ? /(\[[^[\]]*\]|\.[^.[\]]*)$/.exec(row.path ?? "")?.[0] ?? "" : "";
    const name = step === "" ? [] : [["more", `${step} `]];
    const what = {
        value: () => [["type", row.type], ["", row.value === "" ? "" : ` ${row.value}`]],
        property_name: () => [["more", "property "], ["", row.value]],
        length: () => [["more", "length "], ["", `${row.length} bytes${row.available < row.length ? `, of which ${row.available} are there` : ""}`]],
        trailing: () => [["bad", `${row.size} bytes behind the value`]],
        error: () => [["bad", `${row.error.message} (at byte ${row.error.offset})`]],
    };
    const at = ["more", `  @${row.offset}`];
    return { level, parts: [...name, ...what[row.kind](), at], hasChildren: (next?.depth ?? 0) > level, isOpen: level < 6, value: index };
}

function hexLines(bytes) {
    const lines = [];
    for (let start = 0; start < Math.min(bytes.length, MAX_BYTES); start += ROW) {
        const cells = [...bytes.subarray(start, start + ROW)];
        const hex = cells.map((byte, index) => element("span", { "data-byte": start + index }, `${byte.toString(16).padStart(2, "0")} `));
        const text = cells.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
        // A byte takes as much as three characters.
        const gap = "   ".repeat(ROW - cells.length);
        lines.push(element("div", {},
            element("span", { class: "offset" }, `${start.toString(16).padStart(6, "0")}  `), ...hex,
            element("span", { class: "offset" }, `${gap} ${text}`)));
    }
    if (bytes.length > MAX_BYTES) {
        lines.push(element("div", { class: "offset" }, `… and ${bytes.length - MAX_BYTES} bytes more`));
    }
    return lines;
}
