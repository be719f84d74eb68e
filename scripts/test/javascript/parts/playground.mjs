// The playground in Chromium, as a person uses it, mostly by keys.
//
//     node playground.mjs CHROMIUM PAGE PICTURES

import { writeFileSync } from "node:fs";
import path from "node:path";

import { chromium } from "playwright-core";

import { check, run, same } from "./checks.mjs";
import { serve } from "./server.mjs";

const [program, folder, pictures] = process.argv.slice(2);
const BROKEN = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\nvisible = True\nposition = Vector2(1.50, 2)\n\n[node name="Ché 🌍" type="Sprite2D" parent="."]\n';

let browser;
let server;

await run(async () => {
    server = await serve(folder);
    browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
    for (const part of [start, typing, fixing, formatting, tree, values, sharing, rules, large, keys, looks, narrow, offline]) {
        await part();
    }
    await browser.close();
    await server.close();
});

// A page that is ready, which may load nothing from elsewhere and log no error.
async function open(hash = "", options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.address.slice(0, -1) });
    const page = await context.newPage();
    page.problems = [];
    page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("request", (request) => request.url().startsWith(server.address) || request.url().startsWith("data:") || page.problems.push(`asked for ${request.url()}`));
    await page.goto(server.address + hash);
    await checked(page);
    return page;
}

async function close(name, page) {
    same(`${name}: no error, nothing from elsewhere`, page.problems, []);
    await page.context().close();
}

// Waits until what is there is checked.
async function checked(page) {
    await page.waitForFunction(() => document.body.dataset.checked !== undefined && /checked in/.test(document.getElementById("status").textContent), null, { timeout: 60_000 });
    await page.waitForTimeout(350);
}

async function write(page, text) {
    await page.locator("#text").fill(text);
    await page.waitForFunction(() => /checked in/.test(document.getElementById("status").textContent));
    await page.waitForTimeout(500);
}

function text(page) {
    return page.locator("#text").inputValue();
}

function picture(page, name) {
    return page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

async function start() {
    const page = await open();
    check("the first text has findings", await page.locator(".findings li").count() >= 3);
    check("they are marked in the text", await page.locator(".layer .mark").count() >= 3);
    check("and beside the lines", await page.locator(".gutter [data-severity=error]").count() >= 1);
    await picture(page, "start");
    await close("start", page);
}

async function typing() {
    const page = await open();
    await page.locator("#text").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type('[gd_scene format=3]\n\n[node name="A" type="Node"]\nx = Vector2(1', { delay: 5 });
    const unterminated = page.locator(".findings .go", { hasText: "unterminated construct" });
    check("what is typed is checked", await unterminated.waitFor({ timeout: 10_000 }).then(() => true, () => false));
    await page.keyboard.type(", 2)\n");
    await page.locator(".empty strong").waitFor();
    check("and nothing is found once it is right", true);
    await close("typing", page);
}

async function fixing() {
    const page = await open();
    await write(page, BROKEN);
    await page.locator("#text").focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("F8");
    same("F8 selects the place", await page.evaluate(() => { const area = document.getElementById("text"); return area.value.slice(area.selectionStart, area.selectionEnd); }), "True");
    await page.keyboard.press("Control+.");
    await page.waitForFunction(() => document.getElementById("text").value.includes("visible = true"));
    check("Ctrl+. fixes it", true);
    await page.keyboard.press("Control+Z");
    check("the browser's undo takes it back", (await text(page)).includes("visible = True"));
    await page.waitForTimeout(600);
    await page.keyboard.press("Control+Shift+.");
    await page.waitForFunction(() => document.getElementById("text").value.includes("visible = true"));
    check("Ctrl+Shift+. fixes all", true);
    await page.waitForTimeout(300);
    await write(page, BROKEN);
    // By Tab alone: from the editor to the tabs, then into the list.
    await page.locator("#tab-findings").focus();
    await page.keyboard.press("Tab");
    const names = [];
    for (let press = 0; press < 6; press++) {
        names.push(await page.evaluate(() => document.activeElement.className));
        if (names.at(-1).split(" ").includes("fix")) {
            break;
        }
        await page.keyboard.press("Tab");
    }
    check("a fix is reached by Tab", names.at(-1)?.includes("fix"), names.join(", "));
    check("the focus is seen", await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle) !== "none");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("text").value.includes("visible = true"));
    check("and applied by Enter", true);
    await write(page, BROKEN);
    await page.locator(".findings .go").first().focus();
    await page.keyboard.press("Enter");
    same("Enter on a finding goes to its place", await page.evaluate(() => [document.activeElement.id, document.activeElement.selectionStart]), ["text", BROKEN.indexOf("True")]);
    await write(page, BROKEN.replace("True", "true").replace("Main\"", "Main\" foo=1"));
    await page.locator("#fix-all").isEnabled();
    await close("fixing", page);
}

async function formatting() {
    const page = await open();
    await write(page, BROKEN);
    await page.locator("#tab-formatted").click();
    await page.locator("#formatted .note.bad").waitFor();
    check("a text that Godot refuses is not formatted", (await page.locator("#formatted").textContent()).includes("Not formatted"));
    await write(page, BROKEN.replace("True", "true"));
    await page.locator("#formatted pre").waitFor();
    check("the formatted text is shown", (await page.locator("#formatted pre").textContent()).includes("Vector2(1.5, 2)"));
    check("with what differs", (await page.locator("#formatted .added").first().textContent()).includes("1.5"));
    await picture(page, "formatted");
    await page.locator("#formatted button").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("text").value.includes("Vector2(1.5, 2)"));
    check("and applied", true);
    await page.keyboard.press("Control+Z");
    check("undo takes it back", (await text(page)).includes("1.50"));
    await page.keyboard.press("Alt+Shift+F");
    await page.waitForFunction(() => document.getElementById("text").value.includes("Vector2(1.5, 2)"));
    check("Alt+Shift+F formats, too", true);
    await close("formatting", page);
}

async function tree() {
    const page = await open();
    await write(page, `${BROKEN}\n[node name="Deep" type="Node" parent="Ché 🌍"]\n\n[connection signal="ready" from="." to="Deep" method="_on"]\n`);
    await page.locator("#tab-tree").click();
    await page.locator("[role=treeitem]").first().waitFor();
    const items = () => page.locator("[role=treeitem]").allTextContents();
    check("nodes and connections", (await items()).some((item) => item.includes("Deep")) && (await items()).some((item) => item.includes("Connections")), await items());
    same("levels", await page.locator("[role=treeitem]").evaluateAll((all) => all.slice(0, 3).map((one) => one.ariaLevel)), ["1", "2", "3"]);
    await picture(page, "tree");
    await page.locator("[role=treeitem]").first().focus();
    await page.keyboard.press("ArrowLeft");
    check("the left arrow closes", !(await items()).some((item) => item.includes("Deep Node")));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    check("Enter goes to the node", await page.evaluate(() => document.getElementById("text").value.slice(document.getElementById("text").selectionStart).startsWith('[node name="Ché 🌍"')));
    await close("tree", page);
}

async function values() {
    const page = await open();
    await page.locator("#tab-values").click();
    await page.locator("#values [role=treeitem]").first().waitFor();
    const items = () => page.locator("#values [role=treeitem]").allTextContents();
    check("the example is listed", (await items()).some((item) => item.includes("Vector3") && item.includes("1, 2, 3")), await items());
    check("and valid", (await page.locator("#values .note").textContent()).includes("all bytes are values"));
    await page.locator("#values [role=treeitem]", { hasText: "Vector3" }).click();
    same("the bytes of a value are marked", await page.locator("#values .hex .on").count(), 16);
    await picture(page, "binary");
    await page.locator("#values .hex [data-byte='0']").click();
    check("the value of a byte is selected", (await page.locator("#values [aria-selected=true]").textContent()).includes("Array"));
    const area = page.locator("#values textarea");
    const shows = async (what, bytes, part) => {
        await area.fill(bytes);
        await page.waitForTimeout(400);
        check(what, `${await items()} ${await page.locator("#values .note").textContent()}`.includes(part), `${await items()} ${await page.locator("#values .note").textContent()}`);
    };
    await shows("hexadecimal digits", "02000000 07000000", "int 7");
    await shows("base64", "AgAAAAcAAAA=", "int 7");
    await shows("decimal numbers", "PackedByteArray(2, 0, 0, 0, 9, 0, 0, 0)", "int 9");
    await shows("broken bytes", "02000000 07", "some bytes are not a value");
    await shows("what is none of them", "¿?", "neither");
    await shows("an odd number of digits", "020", "odd");
    await page.locator("#framed").selectOption("little");
    await shows("framed values", "08000000 02000000 07000000 08000000 02000000 08000000", "int 8");
    await page.locator("#framed").selectOption("");
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.locator("#values button", { hasText: "Open" }).click()]);
    const file = path.join(pictures, "value.bin");
    writeFileSync(file, Buffer.from("0200000011000000", "hex"));
    await chooser.setFiles(file);
    await page.waitForTimeout(400);
    check("a file", (await items()).some((item) => item.includes("int 17")), await items());
    await close("values", page);
}

async function sharing() {
    const page = await open();
    await write(page, BROKEN);
    await page.locator("#path").fill("res://levels/a.tscn");
    await page.locator("#target").selectOption("4.5");
    await page.locator("#share").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.startsWith("#text="));
    const address = await page.evaluate(() => location.href);
    same("the link is in the clipboard", await page.evaluate(() => navigator.clipboard.readText()), address);
    const asked = server.asked.length;
    const other = await open(new URL(address).hash);
    same("the text comes back", await text(other), BROKEN);
    same("and what was chosen", [await other.locator("#path").inputValue(), await other.locator("#target").inputValue()], ["res://levels/a.tscn", "4.5"]);
    check("no server has seen it", server.asked.slice(asked).every((one) => one.length < 40), server.asked.slice(asked));
    await close("the other page", other);
    const damaged = await open("#text=AAAA!");
    check("a damaged link", (await damaged.locator("#text").inputValue()).includes("[gd_scene"));
    await close("a damaged link", damaged);
    await close("sharing", page);
}

// Each rule's example is opened by its link, and the rule finds it.
async function rules() {
    const page = await open();
    await page.locator("#tab-rules").click();
    const codes = await page.locator("#rules [data-code]").evaluateAll((all) => all.map((one) => one.dataset.code));
    check("all rules are listed", codes.length > 100, codes.length);
    await page.locator("#rules [data-code=TREE001]").click();
    check("what a rule says is shown", (await page.locator("#rules article").textContent()).includes("Reports a node whose parent"));
    await picture(page, "rules");
    await page.locator("#rules input").fill("no such words");
    same("a search", await page.locator("#rules [data-code]").count(), 0);
    await page.locator("#rules input").fill("bone");
    check("a search that finds", await page.locator("#rules [data-code]").count() > 0);
    await page.locator("#rules input").fill("");
    for (const code of codes) {
        await page.evaluate((code) => document.querySelector(`[data-code=${code}]`).click(), code);
        if (await page.locator("#rules article button", { hasText: "Open this example" }).count() === 0) {
            continue;
        }
        await page.evaluate((code) => void (location.hash = `#rule=${code}`), code);
        const finding = page.locator(".findings .meta a", { hasText: `${code} ` }).first();
        check(`the example of ${code}`, await finding.waitFor({ timeout: 10_000, state: "attached" }).then(() => true, () => false), await page.locator("#findings").textContent());
    }
    await close("rules", page);
}

// 2 MB: the page goes on answering while they are checked.
async function large() {
    const page = await open();
    const node = (number) => `[node name="Node${number}" type="Node2D" parent="."]\nposition = Vector2(${number}, ${number}.50)\nvisible = True\n\n`;
    const scene = `[gd_scene format=3]\n\n[node name="Root" type="Node2D"]\n\n${Array.from({ length: 24_000 }, (_, number) => node(number)).join("")}`;
    check("2 MB", scene.length > 2_000_000, scene.length);
    const longest = await page.evaluate(async (scene) => {
        const area = document.getElementById("text");
        let longest = 0;
        let last = performance.now();
        let isDone = false;
        const beat = () => {
            longest = Math.max(longest, performance.now() - last);
            last = performance.now();
            isDone || setTimeout(beat, 0);
        };
        area.value = scene;
        area.dispatchEvent(new Event("input"));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
        last = performance.now();
        beat();
        delete document.body.dataset.checked;
        while (document.body.dataset.checked === undefined) {
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        isDone = true;
        return longest;
    }, scene);
    check("no pause is longer than 1.5 s", longest < 1500, longest);
    check("as much is found as the parser lists", /^10000 errors/.test(await page.locator("#status").textContent()), await page.locator("#status").textContent());
    console.log(`    2 MB: the longest pause was ${Math.round(longest)} ms; ${await page.locator("#status").textContent()}`);
    await page.locator("#fix-all").click();
    await page.waitForFunction(() => !document.getElementById("text").value.includes("= True"), null, { timeout: 60_000 });
    check("all is fixed", true);
    await page.locator("#tab-tree").click();
    await page.locator("[role=treeitem]").first().waitFor({ timeout: 30_000 });
    check("the tree of a large scene", await page.locator("[role=treeitem]").count() > 1000);
    await close("large", page);
}

async function keys() {
    const page = await open();
    await page.locator("#tab-findings").focus();
    await page.keyboard.press("ArrowRight");
    same("arrows change the view", await page.evaluate(() => document.activeElement.id), "tab-formatted");
    await page.keyboard.press("End");
    same("End goes to the last one", await page.locator("[role=tab][aria-selected=true]").getAttribute("id"), "tab-rules");
    await page.keyboard.press("Alt+3");
    same("Alt+3", await page.locator("[role=tab][aria-selected=true]").getAttribute("id"), "tab-tree");
    same("one panel is shown", await page.locator("[role=tabpanel]:visible").count(), 1);
    await page.locator("#text").focus();
    const before = await text(page);
    await page.keyboard.press("Tab");
    same("Tab leaves the editor, and writes nothing", [await page.evaluate(() => document.activeElement.id !== "text"), await text(page) === before], [true, true]);
    await page.locator("#keys").click();
    check("the keys are listed", await page.locator("#keys-dialog").isVisible());
    await picture(page, "keys");
    await page.keyboard.press("Escape");
    check("Escape closes the list", !await page.locator("#keys-dialog").isVisible());
    const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea")].filter((one) =>
        !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length || one.title)).map((one) => one.outerHTML));
    same("everything has a name", unnamed, []);
    await close("keys", page);
}

// Light and dark, and the contrast of texts in both.
async function looks() {
    const backs = [];
    for (const colorScheme of ["light", "dark"]) {
        const page = await open("", { colorScheme });
        await page.locator("#text").focus();
        await page.keyboard.press("F8");
        await picture(page, colorScheme);
        backs.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        const poor = await page.evaluate(() => {
            const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            const rgba = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
            const light = ([r, g, b]) => [r, g, b].map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
            const back = (element) => { for (let one = element; one; one = one.parentElement) { const color = rgba(getComputedStyle(one).backgroundColor); if (color[3] > 200) return color; } return [255, 255, 255]; };
            const found = [];
            for (const element of document.querySelectorAll("body *")) {
                const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
                if (!own || element.closest("[hidden], dialog, textarea, noscript, .skip") || element.disabled || element.tagName === "OPTION") continue;
                const [one, other] = [light(rgba(getComputedStyle(element).color)), light(back(element))].sort((a, b) => b - a);
                const contrast = (one + 0.05) / (other + 0.05);
                if (contrast < 4.5) found.push(`${element.className || element.tagName} ${element.textContent.slice(0, 20)}: ${contrast.toFixed(2)}`);
            }
            return found;
        });
        same(`contrast of texts, ${colorScheme}`, poor, []);
        await close(colorScheme, page);
    }
    check("light and dark differ", backs[0] !== backs[1], backs);
}

async function narrow() {
    const page = await open("", { viewport: { width: 390, height: 800 } });
    check("nothing is cut off on a small screen", await page.evaluate(() => document.documentElement.scrollWidth <= 390), await page.evaluate(() => document.documentElement.scrollWidth));
    await picture(page, "narrow");
    await close("narrow", page);
}

async function offline() {
    const page = await open();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.context().setOffline(true);
    await server.close();
    await page.reload();
    await checked(page);
    check("it loads without a network", await page.locator(".findings li").count() >= 3);
    await write(page, BROKEN);
    check("and checks", await page.locator(".findings li").count() >= 1);
    same("no page error", page.problems.filter((problem) => !/ERR_/.test(problem)), []);
    await page.context().close();
}
