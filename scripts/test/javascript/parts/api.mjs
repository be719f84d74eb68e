// The interface of the installed package, as its documentation describes it.

import { readFileSync } from "node:fs";

import * as gdscene from "gdscene";

import { check, run, same, thrown } from "./checks.mjs";

const SCENE = '[gd_scene format=3]\n\n[node name="Wörld 🌍" type="Node2D"]\nposition = Vector2(1.50, 2)\nvisible = True\n\n'
    + '[node name="B" type="Sprite2D" parent="." groups=["a", "b"]]\nscript = ExtResource("1")\n';
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

await run(() => {
    findings();
    offsets();
    rulesAndOptions();
    fixes();
    formats();
    parses();
    values();
    wrongCalls();
    hostile();
    examplesOfRules();
});

function findings() {
    const [bool, id] = gdscene.check(SCENE, { path: "res://a.tscn" });
    same("code", [bool.code, id.code], ["SYN013", "REF001"]);
    same("keys", Object.keys(id), ["code", "column", "consequence", "end", "fix", "help", "labels", "line", "message", "name", "path", "severity", "start"]);
    same("place", [bool.line, bool.column, bool.path, bool.severity], [5, 11, "res://a.tscn", "error"]);
    same("nothing in the empty text of no kind", gdscene.check("").map(({ severity }) => severity).filter((one) => one === "info"), []);
    same("a script", gdscene.check("extends Node", { path: "a.gd" }), []);
    same("a settings file", gdscene.check('a="x\n', { path: "project.godot" })[0].name, "unterminated");
}

function offsets() {
    for (const text of [SCENE, SCENE.replaceAll("\n", "\r\n")]) {
        const bytes = encoder.encode(text);
        const inText = gdscene.check(text);
        const inBytes = gdscene.check(bytes);
        same("slices of strings and bytes", inText.map(({ start, end }) => text.slice(start, end)), inBytes.map(({ start, end }) => decoder.decode(bytes.subarray(start, end))));
        const [one, other] = [inText, inBytes].map((all) => all.find(({ code }) => code === "SYN013"));
        check("they count differently", one.start < other.start);
        same("edits too", one.fix.edits.map(({ start, end }) => text.slice(start, end)), ["True"]);
    }
    const broken = Uint8Array.of(...encoder.encode('[gd_scene format=3]\n[node name="'), 0xff, ...encoder.encode('" type="Node"]\n'));
    check("bytes that are not UTF-8", gdscene.check(broken).some(({ name }) => name === "invalid-utf8"));
    check("a half of a pair of surrogates", Array.isArray(gdscene.check(`${SCENE}x = "\ud800"\n`)));
}

function rulesAndOptions() {
    const codes = (options) => gdscene.check(SCENE, options).map(({ code }) => code);
    same("select", codes({ select: ["REF"] }), ["REF001"]);
    same("ignore", codes({ ignore: ["undefined-ext-id"] }).includes("REF001"), false);
    same("the more exact wins", codes({ select: ["REF001"], ignore: ["REF"] }), ["REF001"]);
    check("all rules", gdscene.check(SCENE, { allRules: true }).length >= codes({}).length);
    check("untrusted", gdscene.check(SCENE, { profile: "untrusted" }).some(({ code }) => code.startsWith("SEC")));
    const rules = gdscene.rules();
    check("rules", rules.length > 100 && rules.every(({ code, name, docs }) => /^[A-Z]+\d+$/.test(code) && name && docs.startsWith("## What it does")), rules.length);
    same("version", gdscene.version, JSON.parse(readFileSync("node_modules/gdscene/package.json", "utf8")).version);
}

function fixes() {
    const fixed = gdscene.fix(SCENE);
    check("fixed", fixed.is_changed && fixed.applied === 1 && fixed.text.includes("visible = true"));
    same("what is left", fixed.left.map(({ code }) => code), ["REF001"]);
    const bytes = gdscene.fix(encoder.encode(SCENE));
    check("bytes come back as bytes", bytes.text instanceof Uint8Array);
    same("and are the same", decoder.decode(bytes.text), fixed.text);
    const one = gdscene.check(SCENE)[0];
    same("one fix", gdscene.applyFix(SCENE, one.fix), fixed.text);
    same("one fix in bytes", decoder.decode(gdscene.applyFix(encoder.encode(SCENE), gdscene.check(encoder.encode(SCENE))[0].fix)), fixed.text);
    const clean = gdscene.fix("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
    check("nothing to fix", !clean.is_changed && clean.applied === 0);
    const duplicate = '[gd_scene format=3]\n\n[node name="A" type="Node"]\nx = 1\nx = 2\n';
    check("unsafe fixes only if asked for", gdscene.fix(duplicate, { unsafe: true }).applied >= gdscene.fix(duplicate).applied);
}

function formats() {
    const text = '[gd_scene format=3]\r\n[node type = "Node2D" name="é"]\r\nposition=Vector2( 1.50,2 )';
    const formatted = gdscene.format(text);
    same("formatted", formatted.text, '[gd_scene format=3]\n\n[node name="é" type="Node2D"]\nposition = Vector2(1.5, 2)\n');
    same("and again", gdscene.format(formatted.text), { text: formatted.text, is_changed: false });
    same("Godot 3", gdscene.format(text.replace("format=3", "format=2"), { target: "3.5" }).text.includes("Vector2( 1.5, 2 )"), true);
    same("a settings file stays", gdscene.format("a = 1", { path: "plugin.cfg" }), { text: "a = 1", is_changed: false });
    const refusal = thrown(() => gdscene.format('[gd_scene format=3]\n[node name="é" x=(]\n'));
    check("a refusal", refusal instanceof gdscene.FormatRefusal && refusal instanceof Error && refusal.finding.line === 2, refusal);
    same(".escn", thrown(() => gdscene.format(text, { path: "a.escn" }))?.name, "FormatRefusal");
    check(".escn, forced", gdscene.format(text, { path: "a.escn", forceEscn: true }).is_changed);
}

function parses() {
    const file = gdscene.parse(SCENE);
    same("sections", file.sections.map(({ tag }) => tag), ["gd_scene", "node", "node"]);
    same("values", file.sections[1].properties.map(({ key, value }) => [key, value]), [["position", "Vector2(1.50, 2)"], ["visible", "True"]]);
    same("the tree", [file.root.name, file.root.children.map(({ name, path, groups, type }) => [name, path, groups, type])], ["Wörld 🌍", [["B", "B", ["a", "b"], "Sprite2D"]]]);
    same("places", SCENE.slice(file.sections[2].start, file.sections[2].end), '[node name="B" type="Sprite2D" parent="." groups=["a", "b"]]');
    same("errors", file.syntax_errors, 1);
    const instance = gdscene.parse('[ext_resource type="PackedScene" path="res://b.tscn" id="1"]\n[node name="A" instance=ExtResource("1")]\n[node name="C" parent="X/Y"]\nunique_name_in_owner = true\n');
    same("instances", [instance.root.instance, instance.nodes[1].parent, instance.nodes[1].path, instance.nodes[1].is_unique], ["res://b.tscn", null, "X/Y/C", true]);
    same("the empty text", gdscene.parse("").root, null);
}

function values() {
    const bytes = Uint8Array.of(28, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 104, 105, 0, 0);
    const { rows, values, is_valid: isValid } = gdscene.inspect(bytes);
    check("valid", isValid);
    same("rows", rows.map(({ type, value, offset, size }) => [type, value, offset, size]), [["Array", "2 elements", 0, 8], ["int", "7", 8, 8], ["String", '"hi"', 16, 12]]);
    same("as a tree", [values.length, values[0].children.map(({ path }) => path)], [1, ["[0]", "[1]"]]);
    const cut = gdscene.inspect(bytes.subarray(0, 24));
    same("broken bytes", [cut.is_valid, cut.rows.at(-1).kind, cut.rows.at(-1).error.code], [false, "error", "unexpected_end"]);
    const framed = gdscene.inspect(Uint8Array.of(8, 0, 0, 0, ...bytes.subarray(8, 16)), { framed: "little" });
    same("framed", framed.rows.map(({ kind }) => kind), ["length", "value"]);
    same("limited", [gdscene.inspect(bytes, { maxRows: 1 }).rows.length, gdscene.inspect(bytes, { maxRows: 1 }).left_out], [1, 2]);
    same("Godot 3", gdscene.inspect(Uint8Array.of(2, 0, 0, 0, 7, 0, 0, 0), { dialect: "godot3" }).rows[0].value, "7");
}

function wrongCalls() {
    const message = (work) => thrown(work)?.message ?? "nothing is thrown";
    same("no text", thrown(() => gdscene.check(7))?.name, "TypeError");
    same("no bytes", thrown(() => gdscene.inspect("00"))?.name, "TypeError");
    check("an unknown option", message(() => gdscene.check("", { selct: [] })).includes("`selct`"), message(() => gdscene.check("", { selct: [] })));
    check("an unknown rule", message(() => gdscene.check("", { select: ["REF01"] })).includes("did you mean `REF001`?"));
    check("a rule of projects", message(() => gdscene.check("", { select: ["RES001"] })).includes("native program"));
    check("an unknown version", message(() => gdscene.check("", { target: "9.9" })).includes("9.9"));
    check("an unknown profile", message(() => gdscene.check("", { profile: "x" })).includes("untrusted"));
    check("an unknown dialect", message(() => gdscene.inspect(new Uint8Array(), { dialect: "x" })).includes("godot4"));
    check("an unknown order", message(() => gdscene.inspect(new Uint8Array(), { framed: "x" })).includes("little"));
    check("a wrong type", message(() => gdscene.check("", { select: [7] })).includes("options"));
}

// Deep and long texts, which may take no stack and no minutes.
function hostile() {
    const start = process.cpuUsage().user;
    const deep = `[gd_scene format=3]\n[node name="A" type="Node"]\nx = ${"[".repeat(100_000)}${"]".repeat(100_000)}\n`;
    check("a deep value", gdscene.check(deep).some(({ name }) => name === "nesting-too-deep"));
    check("a deep value, formatted", thrown(() => gdscene.format(deep)) instanceof gdscene.FormatRefusal);
    const nodes = Array.from({ length: 20_000 }, (_, number) => `[node name="N${number}" type="Node" parent="."]\nposition = Vector2(${number}, 1)\n`);
    const large = `[gd_scene format=3]\n\n[node name="A" type="Node"]\n\n${nodes.join("\n")}`;
    check("a large scene", gdscene.parse(large).root.children.length === 20_000);
    check("its findings", Array.isArray(gdscene.check(large)) && !gdscene.format(large).is_changed);
    const chain = Array.from({ length: 3000 }, (_, number) => `[node name="N" type="Node"${number === 0 ? "" : ` parent="${number === 1 ? "." : "N/".repeat(number - 2) + "N"}"`}]`);
    check("a deep scene", gdscene.parse(`[gd_scene format=3]\n${chain.join("\n")}\n`).nodes.length === 3000);
    const bytes = new Uint8Array(400_000);
    for (let place = 0; place < bytes.length; place += 8) {
        bytes.set([28, 0, 0, 0, 1, 0, 0, 0], place);
    }
    same("a deep value of bytes", gdscene.inspect(bytes).rows.at(-1).kind, "error");
    const seconds = (process.cpuUsage().user - start) / 1e6;
    check("all of that in less than 20 s of the processor", seconds < 20, seconds);
}

// Each rule finds its own example.
function examplesOfRules() {
    for (const { code, docs } of gdscene.rules()) {
        const example = docs.split("## Example\n")[1]?.split("\n## ")[0].split("```tscn\n")[1]?.split("```")[0];
        if (example === undefined) {
            continue;
        }
        const targets = [undefined, "4.6", "4.2"];
        check(`example of ${code}`, targets.some((target) => gdscene.check(example, { allRules: true, target }).some((found) => found.code === code)));
    }
}
