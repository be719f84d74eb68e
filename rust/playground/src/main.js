// The page: what is typed is checked, and the view that is open shows what comes of it.

import { ask } from "./client.js";
import { byId } from "./dom.js";
import { Editor } from "./editor.js";
import { counts, showFindings } from "./findings.js";
import { showFormatted, showRefusal } from "./formatted.js";
import { exampleOf, Rules } from "./rules.js";
import { showScene } from "./scene.js";
import { dataOf, fragmentOf } from "./share.js";
import { Values } from "./values.js";

const VERSIONS = ["4.7", "4.6", "4.5", "4.4", "4.3", "4.2", "4.1", "4.0", "3.6", "3.5", "3.4", "3.3", "3.2", "3.1"];
const VIEWS = ["findings", "formatted", "tree", "values", "rules"];
// So many findings are marked in the text.
const MAX_MARKS = 2000;
const START = `[gd_scene load_steps=3 format=3 uid="uid://c8v5q2m1x3k7a"]

[ext_resource type="Script" path="res://player.gd" id="1_player"]
[ext_resource type="Texture2D" path="res://icon.svg" id="2_icon"]

[node name="Player" type="CharacterBody2D"]
position = Vector2(64, 1.50)
script = ExtResource("1_plyer")

[node name="Sprite" type="Sprite2D" parent="."]
visible = True
modulate = Color(1, 1, 1, 1

[node name="Label" type="Label" parent="Player/Hud"]
text = "Lives: 3"
`;

const editor = new Editor(document.querySelector(".editor"), {
    onChange: () => checkSoon(),
    onMove: () => showCursor(),
    onMark: (mark) => goTo(mark),
});
const values = new Values(byId("values"));
let rules = null;
let view = "findings";
// Of the text as it is: nothing while it is checked.
let findings = [];
let isChecking = false;
let isChanged = false;
let timer = null;

// --- Checks ---------------------------------------------------------------------------------------------

function options() {
    const given = { path: byId("path").value.trim() };
    if (byId("target").value !== "") {
        given.target = byId("target").value;
    }
    return given;
}

function checkOptions() {
    const profile = byId("untrusted").checked ? "untrusted" : "trusted";
    return { ...options(), allRules: byId("all-rules").checked, profile };
}

// Checks after a pause in typing; large texts take longer, and get a longer one.
function checkSoon() {
    findings = [];
    clearTimeout(timer);
    timer = setTimeout(check, editor.text.length > 500_000 ? 400 : 120);
}

async function check() {
    clearTimeout(timer);
    if (isChecking) {
        isChanged = true;
        return;
    }
    isChecking = true;
    isChanged = false;
    const text = editor.text;
    try {
        const { answer, time } = await ask("check", text, checkOptions());
        if (text === editor.text) {
            findings = answer;
            showFound(time);
        }
        await showView();
    } catch (error) {
        tell(`Not checked: ${error.message}`);
    }
    isChecking = false;
    document.body.dataset.checked = String(Number(document.body.dataset.checked ?? 0) + 1);
    if (isChanged || text !== editor.text) {
        check();
    }
}

function showFound(time) {
    editor.setMarks(findings.slice(0, MAX_MARKS));
    const fixes = (kinds) => findings.filter(({ fix }) => kinds.includes(fix?.applicability)).length;
    const [safe, all] = [fixes(["safe"]), fixes(["safe", "unsafe"])];
    byId("fix-all").disabled = safe === 0;
    byId("fix-all").textContent = safe === 0 ? "Fix all safe" : `Fix all safe (${safe})`;
    byId("fix-unsafe").disabled = all === safe;
    byId("fix-unsafe").textContent = all === safe ? "Fix all" : `Fix all (${all})`;
    byId("count").textContent = findings.length === 0 ? "" : String(findings.length);
    byId("count").dataset.severity = ["error", "warning", "info"].find((severity) => findings.some((found) => found.severity === severity)) ?? "";
    const size = editor.text.length > 100_000 ? `, ${(editor.text.length / 1e6).toFixed(1)} MB` : "";
    tell(`${counts(findings)} · checked in ${Math.max(1, Math.round(time))} ms${size}`);
    showFindings(byId("findings"), findings, { onGo: goTo, onFix: fixOne, onRule: showRule });
    showCursor();
}

function tell(text) {
    byId("status").textContent = text;
}

function showCursor() {
    const { line, column } = editor.positionOf(editor.cursor);
    byId("cursor").textContent = `line ${line}, column ${column}`;
    const here = findingAt(editor.cursor);
    for (const row of byId("findings").querySelectorAll("li")) {
        row.classList.toggle("current", findings[row.dataset.number] === here && here !== undefined);
    }
}

function findingAt(place) {
    const inside = findings.filter(({ start, end }) => start <= place && place <= end);
    return inside.sort((one, other) => one.end - one.start - (other.end - other.start))[0]
        ?? findings.find(({ start }) => editor.lineOf(start) === editor.lineOf(place));
}

function goTo({ start, end }) {
    editor.goTo(start, end);
    showCursor();
}

// --- What changes the text ------------------------------------------------------------------------------

function fixOne({ fix }) {
    const text = editor.text;
    let place = 0;
    let fixed = "";
    for (const { start, end, replacement } of fix.edits) {
        fixed += text.slice(place, start) + replacement;
        place = end;
    }
    change(fixed + text.slice(place), `Applied: ${fix.title}`);
}

async function fixAll(unsafe) {
    await carryOut(async (text) => {
        const { answer } = await ask("fix", text, { ...checkOptions(), unsafe });
        return [answer.text, `${answer.applied} ${answer.applied === 1 ? "fix" : "fixes"} applied`];
    });
}

async function format() {
    await carryOut(async (text) => {
        const { answer } = await ask("format", text, options());
        return [answer.text, answer.is_changed ? "Formatted" : "It was formatted already"];
    });
}

// Lets the library make a new text, which counts only if the text is still the same.
async function carryOut(make) {
    const text = editor.text;
    try {
        const [made, what] = await make(text);
        if (text === editor.text) {
            change(made, what);
        }
    } catch (error) {
        tell(error.name === "FormatRefusal" ? `Not formatted: ${error.message}` : error.message);
        if (error.finding) {
            goTo(error.finding);
        }
    }
}

async function change(text, what) {
    editor.set(text);
    await check();
    tell(`${what}. ${byId("status").textContent}`);
}

// --- Views ----------------------------------------------------------------------------------------------

async function showView() {
    const text = editor.text;
    const panel = byId(view);
    if (view === "formatted") {
        try {
            const { answer } = await ask("format", text, options());
            showFormatted(panel, answer, text, () => change(answer.text, "Formatted"));
        } catch (error) {
            showRefusal(panel, error, goTo);
        }
    } else if (view === "tree") {
        const { answer } = await ask("parse", text, { path: options().path });
        showScene(panel, answer, goTo);
    } else if (view === "values") {
        values.show();
    }
}

function choose(name) {
    view = name;
    for (const one of VIEWS) {
        const tab = byId(`tab-${one}`);
        tab.setAttribute("aria-selected", String(one === name));
        tab.tabIndex = one === name ? 0 : -1;
        byId(one).hidden = one !== name;
    }
    showView().catch((error) => tell(error.message));
}

function showRule(code) {
    const rule = rules?.find(code);
    if (rule === undefined) {
        tell(`\`${code}\` does not name a rule for single files`);
        return;
    }
    choose("rules");
    rules.show(rule);
}

// --- What is opened -------------------------------------------------------------------------------------

async function openExample(rule, heading = "Example") {
    const text = exampleOf(rule, heading);
    if (text === undefined) {
        tell(`${rule.code} has no example of one file`);
        return;
    }
    const bad = exampleOf(rule);
    const path = bad.includes("[gd_resource") ? "resource.tres" : "scene.tscn";
    const { answer } = await ask("settingsFor", rule.code, bad, path);
    byId("path").value = answer.path;
    byId("target").value = answer.target ?? "";
    byId("all-rules").checked = answer.allRules ?? false;
    byId("untrusted").checked = false;
    editor.open(text);
    history.replaceState(null, "", heading === "Example" ? `#rule=${rule.code}` : `#rule=${rule.code}&good`);
    choose("findings");
}

async function openFile(file) {
    if (file === undefined) {
        return;
    }
    byId("path").value = file.name;
    editor.open(await file.text());
    history.replaceState(null, "", location.pathname);
    editor.focus();
}

async function share() {
    const { path, target = "" } = options();
    const data = { text: editor.text, path, target, all: byId("all-rules").checked, untrusted: byId("untrusted").checked };
    const fragment = await fragmentOf(data);
    if (fragment === null) {
        tell("This text is too long for a link; send the file instead.");
        return;
    }
    history.replaceState(null, "", `#${fragment}`);
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    tell(copied ? "The link is copied; the text is in it, and on no server." : "The address of this page is the link; the text is in it.");
}

// What the address asks for; else the text that a newcomer sees.
async function openAddress() {
    const [name, ...rest] = location.hash.slice(1).split("=");
    const value = rest.join("=");
    if (name === "rule") {
        const [code, heading] = value.split("&");
        const rule = rules.find(decodeURIComponent(code));
        if (rule !== undefined) {
            await openExample(rule, heading === "good" ? "Use instead" : "Example");
            return;
        }
        editor.open(START);
        showRule(code);
        return;
    }
    if (name === "text") {
        try {
            const { text, path = "scene.tscn", target = "", all = false, untrusted = false } = await dataOf(value);
            byId("path").value = String(path);
            byId("target").value = VERSIONS.includes(target) ? target : "";
            byId("all-rules").checked = Boolean(all);
            byId("untrusted").checked = Boolean(untrusted);
            editor.open(text);
            return;
        } catch {
            editor.open(START);
            tell("The link is damaged: it does not hold a text.");
            return;
        }
    }
    editor.open(START);
}

// --- Keys -----------------------------------------------------------------------------------------------

function step(by) {
    const sorted = [...findings].sort((one, other) => one.start - other.start);
    if (sorted.length === 0) {
        return;
    }
    const place = editor.cursor;
    const next = by > 0 ? sorted.find(({ start }) => start > place) : sorted.findLast(({ start }) => start < place);
    const found = next ?? (by > 0 ? sorted[0] : sorted.at(-1));
    goTo(found);
    tell(`${found.severity} ${found.code}: ${found.message.replaceAll("`", "")}`);
}

function fixHere() {
    const found = findingAt(editor.cursor);
    if (found?.fix && found.fix.applicability !== "display-only") {
        fixOne(found);
    } else {
        tell("There is no fix at the cursor.");
    }
}

document.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    const named = [event.altKey && "Alt", control && "Ctrl", event.shiftKey && "Shift", event.code].filter(Boolean).join("+");
    const keys = {
        F8: () => step(1),
        "Shift+F8": () => step(-1),
        "Ctrl+Period": fixHere,
        "Ctrl+Shift+Period": () => fixAll(false),
        "Alt+Shift+KeyF": format,
    };
    for (const [number, name] of VIEWS.entries()) {
        keys[`Alt+Digit${number + 1}`] = () => {
            choose(name);
            byId(`tab-${name}`).focus();
        };
    }
    if (Object.hasOwn(keys, named)) {
        event.preventDefault();
        keys[named]();
    }
});

document.querySelector('[role="tablist"]').addEventListener("keydown", (event) => {
    const now = VIEWS.indexOf(view);
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: VIEWS.length - 1 }[event.key];
    if (next !== undefined) {
        event.preventDefault();
        const name = VIEWS[(next + VIEWS.length) % VIEWS.length];
        choose(name);
        byId(`tab-${name}`).focus();
    }
});

for (const name of VIEWS) {
    byId(`tab-${name}`).addEventListener("click", () => choose(name));
}
for (const id of ["path", "target", "all-rules", "untrusted"]) {
    byId(id).addEventListener("input", () => checkSoon());
}
byId("fix-all").addEventListener("click", () => fixAll(false));
byId("fix-unsafe").addEventListener("click", () => fixAll(true));
byId("format").addEventListener("click", format);
byId("open").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", () => openFile(byId("file").files[0]));
byId("share").addEventListener("click", share);
byId("keys").addEventListener("click", () => byId("keys-dialog").showModal());
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
    event.preventDefault();
    openFile(event.dataTransfer.files[0]);
});
window.addEventListener("hashchange", () => openAddress());

// --- Start ----------------------------------------------------------------------------------------------

for (const version of VERSIONS) {
    byId("target").append(new Option(version, version));
}
try {
    rules = new Rules(byId("rules"), (await ask("rules")).answer, openExample);
    byId("version").textContent = `Version ${(await ask("version")).answer}.`;
    await openAddress();
} catch (error) {
    tell(`The library cannot be loaded: ${error.message}`);
}
navigator.serviceWorker?.register("sw.js").catch(() => {}); // without it, all works but offline
