// Drives VS Code in a browser as a person would, and prints what it shows. Called by scripts/test/servers/vscode.sh:
//
//     node session.js BROWSER ADDRESS PROJECT PICTURES
//
// PROJECT is the folder that VS Code has open; pictures of the page go into the folder PICTURES.

const fs = require("node:fs");
const path = require("node:path");
const puppeteer = require("puppeteer-core");

const [browserPath, address, project, pictures] = process.argv.slice(2);
const PATIENCE = 40_000;

let passed = 0;
let failed = 0;

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const file = (name) => fs.readFileSync(path.join(project, name), "utf8");

function check(name, isRight, seen) {
    if (isRight) {
        passed += 1;
        console.log(`ok: ${name}`);
    } else {
        failed += 1;
        console.log(`FAIL: ${name}: ${JSON.stringify(seen, undefined, 1)}`);
    }
}

/** The last answer of `look`, which is the first that `isRight` accepts, if there is one in time. */
async function until(look, isRight, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (;;) {
        const seen = await look();
        if (isRight(seen) || Date.now() > end) {
            return seen;
        }
        await sleep(200);
    }
}

class Code {
    constructor(page) {
        this.page = page;
        this.count = 0;
    }

    async picture(name) {
        this.count += 1;
        await this.page.screenshot({ path: path.join(pictures, `${this.count}-${name}.png`) });
    }

    async keys(...keys) {
        for (const key of keys.slice(0, -1)) {
            await this.page.keyboard.down(key);
        }
        await this.page.keyboard.press(keys.at(-1));
        for (const key of keys.slice(0, -1).reverse()) {
            await this.page.keyboard.up(key);
        }
    }

    /** Types into the palette and takes the first entry. */
    async palette(text) {
        await this.keys("Control", "p");
        await this.page.waitForSelector(".quick-input-widget input", { visible: true });
        await this.page.keyboard.type(text, { delay: 15 });
        await sleep(1000);
        await this.page.keyboard.press("Enter");
        await sleep(1000);
    }

    texts(selector) {
        return this.page.$$eval(selector, (found) => found.map((one) => one.textContent.replaceAll("\u00a0", " ")));
    }

    async text() {
        return (await this.texts(".monaco-editor .view-line")).join("\n");
    }

    async problems() {
        await this.palette(">Problems: Focus on Problems View");
        return until(() => this.texts(".markers-panel .monaco-list-row"), (rows) => rows.length > 0);
    }

    /** Clicks the first element whose text has `text` in it. */
    async click(selector, text, options = {}) {
        await until(() => this.texts(selector), (texts) => texts.some((one) => one.includes(text)), 15_000);
        for (const element of await this.page.$$(selector)) {
            if ((await element.evaluate((one) => one.textContent.replaceAll("\u00a0", " "))).includes(text)) {
                await element.click(options);
                return true;
            }
        }
        return false;
    }
}

async function session(code) {
    await code.page.goto(address, { waitUntil: "load" });
    await code.page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 90_000 });
    await until(() => code.texts(".explorer-folders-view .monaco-list-row"), (rows) => rows.some((row) => row.includes("level.tscn")));

    // Problems: of the whole project first, then of the file that is open
    const whole = await code.problems();
    check("files that are not open are checked", whole.some((row) => row.includes("TREE013")), whole);
    await code.palette("level.tscn");
    await code.page.waitForSelector(".squiggly-error", { timeout: PATIENCE });
    check("a scene has its language", (await code.texts(".statusbar-item")).some((item) => item.includes("Godot Scene")), await code.texts(".statusbar-item"));
    const colors = await code.page.$$eval(".view-line span span", (spans) => new Set(spans.map((span) => span.className)).size);
    check("the text has colors", colors > 4, colors);
    const rows = await code.problems();
    for (const problem of ["TREE013", "SIG004", "STR015"]) {
        check(`${problem} is shown once`, rows.filter((row) => row.includes(problem)).length === 1, rows);
    }
    const counts = (await code.texts(".statusbar-item")).filter((item) => /^\s*1\s*1\s*1\s*$/.test(item));
    check("each problem counts once", counts.length === 1, await code.texts(".statusbar-item"));
    await code.palette(">Explorer: Focus on Godot Scene View");
    await sleep(2000);
    await code.picture("problems");

    // A quick fix
    await code.palette("level.tscn");
    await code.palette(":17:25");
    await code.keys("Control", ".");
    await code.page.waitForSelector(".action-widget .monaco-list-row", { visible: true, timeout: PATIENCE });
    await code.picture("quick-fix");
    check("a fix is offered", await code.click(".action-widget .monaco-list-row", "Write `Sprite2D`"), await code.texts(".action-widget .monaco-list-row"));
    const fixed = await until(() => code.text(), (text) => text.includes('name="Hat" type="Sprite2D"'));
    check("the fix is applied", fixed.includes('name="Hat" type="Sprite2D"'), fixed);

    // Completion, in a string
    await code.palette(":17:32");
    await code.keys("Backspace");
    await code.keys("Backspace");
    await code.page.keyboard.type("2");
    const offered = ".suggest-widget.visible .monaco-list-row";
    const words = await until(() => code.texts(offered), (rows) => rows.some((row) => row.includes("Sprite2D")));
    check("classes are offered", words.some((row) => row.includes("Sprite2D")), words);
    await code.picture("completion");
    await code.page.keyboard.press("Enter");
    const completed = await until(() => code.text(), (text) => text.includes('type="Sprite2D" parent'), 10_000);
    check("a class is completed", completed.includes('type="Sprite2D" parent'), completed);

    // A rename
    await code.palette(":11:14");
    await code.keys("F2");
    await code.page.waitForSelector(".rename-box input", { visible: true, timeout: PATIENCE });
    await sleep(500);
    await code.keys("Control", "a");
    await code.page.keyboard.type("Hero");
    await code.picture("rename");
    await code.page.keyboard.press("Enter");
    const renamed = await until(() => code.text(), (text) => text.includes('parent="Hero"'));
    check("a node is renamed", renamed.includes('parent="Hero"') && !renamed.includes('"Player"'), renamed);
    const script = await until(() => file("level.gd"), (text) => text.includes("$Hero/Shape"), 15_000);
    check("scripts follow", script.includes("$Hero/Shape") && !script.includes("Player"), script);

    // Fixes and formatting on save
    await code.keys("Control", "s");
    const saved = await until(() => file("level.tscn"), (text) => text.includes("position = Vector2(1, 2)"));
    check("the text is formatted on save", saved.includes("position = Vector2(1, 2)"), saved);
    check("safe fixes are applied on save", saved.split("[connection").length === 2, saved);

    // The tree
    await code.palette(">Explorer: Focus on Godot Scene View");
    const tree = '[id^="workbench.view"] .pane [aria-label="Godot Scene"] .monaco-list-row, .tree-explorer-viewlet-tree-view .monaco-list-row';
    const nodes = await until(() => code.texts(tree), (rows) => rows.some((row) => row.includes("Hero")));
    for (const node of ["Level", "Hero", "Shape", "Hat", "Resources", "Connections"]) {
        check(`the tree has ${node}`, nodes.some((row) => row.includes(node)), nodes);
    }
    await code.click(tree, "Hat");
    const place = await until(() => code.texts(".statusbar-item"), (items) => items.some((item) => item.includes("Ln 17")), 10_000);
    check("a click in the tree leads to the text", place.some((item) => item.includes("Ln 17")), place);
    await code.picture("tree");

    // Values
    await code.click(".explorer-folders-view .monaco-list-row", "values.dat", { button: "right" });
    await sleep(1000);
    await code.picture("menu");
    const entry = await code.page.$("::-p-aria([name=\"Show as Godot Variants\"])");
    check("the menu has the preview of values", entry !== null, null);
    await entry?.click();
    const listing = await until(() => framed(code.page), (text) => text.includes("Array"));
    check("values are listed", listing.includes("int 16639"), listing);
    await code.picture("values");

    // A file that moves
    const moved = ".explorer-folders-view .monaco-list-row";
    await code.click(moved, "level.gd");
    await code.keys("F2");
    await code.page.waitForSelector(".explorer-item-edited input", { visible: true, timeout: PATIENCE });
    await code.keys("Control", "a");
    await code.page.keyboard.type("main.gd");
    await code.page.keyboard.press("Enter");
    await sleep(2000);
    await code.picture("move");
    await code.click(".monaco-dialog-box .monaco-button", "OK");
    const follows = await until(() => file("level.tscn"), (text) => text.includes("res://main.gd"), 15_000);
    check("scenes follow a file that moves", follows.includes("res://main.gd"), follows);

    // The command for all safe fixes
    await code.palette("level.tscn");
    await code.palette(":1:22");
    await code.page.keyboard.type("7");
    await until(() => code.text(), (text) => text.includes("load_steps=73"));
    await code.palette(">gdscene: Apply All Safe Fixes to This File");
    const repaired = await until(() => code.text(), (text) => text.includes("load_steps=3"));
    check("the command applies safe fixes", repaired.includes("load_steps=3"), repaired);
    await code.keys("Control", "s");

    // Restarts
    fs.writeFileSync(path.join(project, "broken.tscn"), '[gd_scene format=3]\n\n[node name="A" type="Nod2D"]\n');
    await code.palette(">gdscene: Restart Server");
    const again = await until(() => code.problems(), (rows) => rows.some((row) => row.includes("Nod2D")));
    check("problems are shown after a restart", again.some((row) => row.includes("Nod2D")), again);
    await code.picture("restarted");

    // A setting that is wrong
    const settings = path.join(project, ".vscode");
    fs.mkdirSync(settings);
    fs.writeFileSync(path.join(settings, "settings.json"), JSON.stringify({ "gdscene.path": "/nowhere/gdscene" }));
    const told = await until(() => code.texts(".notification-list-item-message"), (all) => all.some((one) => one.includes("/nowhere/gdscene")));
    check("a wrong path is told", told.some((one) => one.includes("/nowhere/gdscene")), told);
    await code.picture("no-program");
}

/** The text in the frames of the page, one of which is that of the preview. */
async function framed(page) {
    let all = "";
    for (const frame of page.frames()) {
        all += await frame.evaluate(() => document.querySelector("pre")?.textContent ?? "").catch(() => "");
    }
    return all;
}

async function main() {
    const browser = await puppeteer.launch({
        executablePath: browserPath,
        headless: true,
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        defaultViewport: { width: 1400, height: 900 },
    });
    const code = new Code(await browser.newPage());
    try {
        await session(code);
    } catch (error) {
        await code.picture("failure").catch(() => undefined);
        check("the session runs to its end", false, String(error.stack ?? error));
    }
    await browser.close();
    console.log(`${passed} passed, ${failed} failed`);
}

void main();
