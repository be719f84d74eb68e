// Files of values in Godot's binary format, as `gdscene variant dump` lists them.

import * as path from "node:path";
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

import { findProgram, run } from "./program";

export const VIEW_TYPE = "gdscene.variant";
const MAX_OUTPUT = 1 << 20;

/** How the values lie in a file. */
const FORMS = [
    { name: "one value (var_to_bytes)", args: [] },
    { name: "values with their lengths (store_var)", args: ["--framed"] },
    { name: "values with their lengths, big endian", args: ["--framed=big"] },
    { name: "one value of Godot 3", args: ["--dialect", "godot3"] },
    { name: "values of Godot 3 with their lengths", args: ["--framed", "--dialect", "godot3"] },
];

export class VariantPreview implements vscode.CustomReadonlyEditorProvider {
    constructor(private readonly extensionFolder: string) {}

    openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
        return { uri, dispose: () => undefined };
    }

    resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
        const { uri } = document;
        panel.webview.options = { enableScripts: true };
        let chosen: number | undefined;
        let last = 0;
        const show = async () => {
            const asked = ++last;
            const html = await this.page(uri, chosen);
            if (asked === last) {
                panel.webview.html = html;
            }
        };
        const folder = vscode.Uri.file(path.dirname(uri.fsPath));
        const watcher = vscode.workspace.createFileSystemWatcher(
            new vscode.RelativePattern(folder, path.basename(uri.fsPath).replace(/[[\]{}*?]/g, "?")),
        );
        watcher.onDidChange(show);
        watcher.onDidCreate(show);
        panel.webview.onDidReceiveMessage((message: { form: number }) => {
            chosen = message.form;
            void show();
        });
        panel.onDidDispose(() => {
            last += 1;
            watcher.dispose();
        });
        void show();
    }

    private async page(uri: vscode.Uri, chosen: number | undefined): Promise<string> {
        try {
            const program = await findProgram(this.extensionFolder);
            const { form, text } = await listing(program, uri.fsPath, chosen);
            return html(form, text);
        } catch (error) {
            return html(chosen ?? 0, (error as Error).message);
        }
    }
}

/** In the form that was chosen, or else in the first one in which all bytes are values. */
async function listing(program: string, file: string, chosen: number | undefined) {
    const forms = chosen === undefined ? FORMS.keys() : [chosen];
    let first: { form: number; text: string } | undefined;
    for (const form of forms) {
        const args = ["variant", "dump", ...(FORMS[form]?.args ?? []), "--", file];
        const { status, output, errors, isCut } = await run(program, args, MAX_OUTPUT);
        const text = output + errors + (isCut ? "\n… the listing is longer than what is shown here" : "");
        first ??= { form, text };
        if (status === 0) {
            return { form, text };
        }
    }
    return first ?? { form: 0, text: "" };
}

function html(form: number, text: string): string {
    const nonce = randomBytes(16).toString("hex");
    const options = FORMS.map(
        ({ name }, index) =>
            `<option value="${index}"${index === form ? " selected" : ""}>${escaped(name)}</option>`,
    );
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
    content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>Godot Variants</title>
<style nonce="${nonce}">
pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); tab-size: 4 }
select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background) }
</style>
</head>
<body>
<label>The file holds <select id="form">${options.join("")}</select></label>
<pre>${escaped(text)}</pre>
<script nonce="${nonce}">
const host = acquireVsCodeApi();
document.getElementById("form").addEventListener("change", (event) => {
    host.postMessage({ form: Number(event.target.value) });
});
</script>
</body>
</html>`;
}

function escaped(text: string): string {
    const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
    return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
