// What VS Code calls: a thin client of `gdscene lsp`, a tree of the scene, and a view of files of values.

import * as vscode from "vscode";

import { fixAll } from "./fixAll";
import { SceneTree } from "./sceneTree";
import { Server } from "./server";
import { VIEW_TYPE, VariantPreview } from "./variantPreview";

const LANGUAGES = ["godot-scene", "godot-resource", "godot-settings"];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
    const folder = context.extensionUri.fsPath;
    const output = vscode.window.createOutputChannel("gdscene", { log: true });
    const running = new Server(folder, output);
    server = running;
    const tree = new SceneTree(LANGUAGES);
    const command = (name: string, run: (...args: never[]) => unknown) =>
        vscode.commands.registerCommand(`gdscene.${name}`, run);
    context.subscriptions.push(
        output,
        tree,
        running.onDidStart(() => tree.refreshSoon()),
        command("restartServer", () => running.restart()),
        command("fixAll", fixAll),
        command("showReferences", running.showReferences.bind(running)),
        command("showOutput", () => output.show()),
        command("previewVariant", previewVariant),
        vscode.window.registerCustomEditorProvider(VIEW_TYPE, new VariantPreview(folder)),
        vscode.workspace.onDidChangeConfiguration((event) => {
            if (event.affectsConfiguration("gdscene.path")) {
                void running.restart();
            }
        }),
        vscode.workspace.onDidGrantWorkspaceTrust(() => void running.restart()),
    );
    tree.refreshSoon();
    void running.restart();
}

export async function deactivate(): Promise<void> {
    await server?.stop();
}

/** Of the file that was clicked at, the active one, or one that is asked for. */
async function previewVariant(clicked?: vscode.Uri): Promise<void> {
    const active = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const shown = active instanceof vscode.TabInputText || active instanceof vscode.TabInputCustom ? active.uri : undefined;
    const file = clicked ?? shown ?? (await vscode.window.showOpenDialog({ title: "A file of values" }))?.[0];
    if (file !== undefined) {
        await vscode.commands.executeCommand("vscode.openWith", file, VIEW_TYPE);
    }
}
