// The editor: a text area, so that keys, screen readers, undo and search are the browser's, over a layer that shows the visible
// lines with colours and marks.

import { element } from "./dom.js";
import { spans } from "./syntax.js";

const ROW = 20;
const PADDING = 8;
// A line that is longer is shown by the text area itself, without colours and marks.
const MAX_COLUMNS = 3000;
const RANKS = { error: 3, warning: 2, info: 1 };

export class Editor {
    #area;
    #pane;
    #layer;
    #gutter;
    #starts = [0];
    #marks = [];
    #worst = new Map();
    #isDrawn = false;

    // `onChange()` is called after each change, `onMove()` when the cursor has moved, `onMark(mark)` for a click beside a line.
    constructor(root, { onChange, onMove, onMark }) {
        this.#area = root.querySelector("textarea");
        this.#pane = root.querySelector(".pane");
        this.#layer = root.querySelector(".layer");
        this.#gutter = root.querySelector(".gutter");
        this.#area.addEventListener("input", () => {
            this.#marks = [];
            this.#worst.clear();
            this.#read();
            onChange();
        });
        this.#area.addEventListener("scroll", () => this.#draw());
        document.addEventListener("selectionchange", () => {
            if (document.activeElement === this.#area) {
                this.#draw();
                onMove();
            }
        });
        this.#gutter.addEventListener("click", (event) => {
            const line = Number(event.target.dataset.line);
            const mark = this.#marks.find((one) => this.lineOf(one.start) === line);
            if (mark !== undefined) {
                onMark(mark);
            }
        });
        new ResizeObserver(() => this.#draw()).observe(root);
        this.#read();
    }

    get text() {
        return this.#area.value;
    }

    get cursor() {
        return this.#area.selectionStart;
    }

    // Puts another text in, as one step of the browser's undo. Where it does not differ, nothing moves.
    set(text) {
        const old = this.text;
        let start = 0;
        while (start < old.length && start < text.length && old[start] === text[start]) {
            start += 1;
        }
        let end = 0;
        while (end < old.length - start && end < text.length - start && old.at(-1 - end) === text.at(-1 - end)) {
            end += 1;
        }
        if (old !== text) {
            this.#replace(start, old.length - end, text.slice(start, text.length - end));
        }
    }

    // Opens a text that has nothing to do with the one before.
    open(text) {
        this.#area.value = text;
        this.#area.setSelectionRange(0, 0);
        this.#area.scrollTo(0, 0);
        this.#area.dispatchEvent(new Event("input"));
    }

    setMarks(marks) {
        this.#marks = marks;
        this.#worst.clear();
        for (const { start, severity } of marks) {
            const line = this.lineOf(start);
            if ((RANKS[this.#worst.get(line)] ?? 0) < RANKS[severity]) {
                this.#worst.set(line, severity);
            }
        }
        this.#draw();
    }

    // Selects a place and shows it.
    goTo(start, end) {
        const line = this.lineOf(start);
        this.#area.focus({ preventScroll: true });
        this.#area.setSelectionRange(start, Math.min(end, this.#endOf(line)));
        const top = line * ROW - this.#area.clientHeight / 3;
        const column = start - this.#starts[line];
        this.#area.scrollTo(Math.max(0, (column - 40) * 7.8), Math.max(0, top));
        this.#pane.closest(".editor").scrollIntoView({ block: "nearest" });
        this.#draw();
    }

    focus() {
        this.#area.focus();
    }

    // The line of a place, from 0.
    lineOf(offset) {
        let [low, high] = [0, this.#starts.length];
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (this.#starts[middle] <= offset) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    // Line and column of a place, from 1.
    positionOf(offset) {
        const line = this.lineOf(offset);
        return { line: line + 1, column: offset - this.#starts[line] + 1 };
    }

    #replace(start, end, text) {
        this.#area.focus({ preventScroll: true });
        const { scrollTop, scrollLeft } = this.#area;
        this.#area.setSelectionRange(start, end);
        // The one way to change a text so that the browser's undo knows it; for large texts it takes minutes.
        const isKnown = text.length + end - start < 200_000
            && document.execCommand(text === "" ? "delete" : "insertText", false, text);
        if (!isKnown) {
            this.#area.setRangeText(text, start, end, "start");
            this.#area.dispatchEvent(new Event("input"));
        }
        this.#area.scrollTo(scrollLeft, scrollTop);
    }

    #read() {
        const text = this.text;
        const starts = [0];
        for (let place = text.indexOf("\n"); place !== -1; place = text.indexOf("\n", place + 1)) {
            starts.push(place + 1);
        }
        this.#starts = starts;
        this.#draw();
    }

    #endOf(line) {
        return line + 1 < this.#starts.length ? this.#starts[line + 1] - 1 : this.text.length;
    }

    #draw() {
        if (!this.#isDrawn) {
            this.#isDrawn = true;
            requestAnimationFrame(() => {
                this.#isDrawn = false;
                this.#drawNow();
            });
        }
    }

    #drawNow() {
        const { scrollTop, scrollLeft, clientHeight } = this.#area;
        const first = Math.max(0, Math.floor((scrollTop - PADDING) / ROW));
        const last = Math.min(this.#starts.length - 1, first + Math.ceil(clientHeight / ROW) + 1);
        const [text, current] = [this.text, this.lineOf(this.cursor)];
        const [lines, numbers] = [[], []];
        let isPlain = false;
        for (let line = first; line <= last; line++) {
            const top = `${line * ROW + PADDING - scrollTop}px`;
            const [start, end] = [this.#starts[line], this.#endOf(line)];
            isPlain ||= end - start > MAX_COLUMNS;
            const row = element("div", {}, ...this.#parts(text, start, Math.min(end, start + MAX_COLUMNS)));
            row.style.transform = `translate(${-scrollLeft}px, ${top})`;
            lines.push(row);
            const severity = this.#worst.get(line);
            const number = element("div", { "data-line": line, "data-severity": severity, class: line === current ? "current" : null }, String(line + 1));
            number.style.cssText = `position: absolute; right: 0; left: 0; top: ${top}`;
            numbers.push(number);
        }
        this.#pane.classList.toggle("plain", isPlain);
        this.#layer.replaceChildren(...lines);
        this.#gutter.replaceChildren(...numbers);
        this.#gutter.style.width = `${34 + 9 * Math.max(2, String(this.#starts.length).length)}px`;
    }

    // A line with the colours of its words and the marks of findings.
    #parts(text, start, end) {
        const source = text.slice(start, end);
        const found = this.#marks.filter((mark) => mark.start <= end && mark.end >= start);
        const marks = found.map((mark) => {
            const from = Math.max(mark.start - start, 0);
            // What has no width is shown as one character wide.
            return { from, to: Math.max(Math.min(mark.end - start, source.length), from + 1), severity: mark.severity };
        }).filter(({ from, to }) => from < to && from <= source.length);
        marks.sort((one, other) => RANKS[other.severity] - RANKS[one.severity]);
        const words = spans(source);
        const edges = new Set([0, source.length]);
        for (const { from, to } of [...words, ...marks]) {
            edges.add(Math.min(from, source.length)).add(Math.min(to, source.length));
        }
        const sorted = [...edges].sort((one, other) => one - other);
        const parts = [];
        for (let index = 0; index + 1 < sorted.length; index++) {
            const [from, to] = [sorted[index], sorted[index + 1]];
            const word = words.find((one) => one.from <= from && one.to >= to);
            const mark = marks.find((one) => one.from <= from && one.to >= to);
            const names = [word && `s-${word.kind}`, mark && `mark m-${mark.severity}`].filter(Boolean).join(" ");
            parts.push(element("span", { class: names || null }, source.slice(from, to)));
        }
        const behind = marks.find((one) => one.to > source.length && one.from >= source.length);
        if (behind !== undefined) {
            parts.push(element("span", { class: `mark m-${behind.severity}` }, "\u00a0"));
        }
        return parts;
    }
}
