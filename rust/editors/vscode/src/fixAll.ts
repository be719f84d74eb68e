// All safe fixes of the file in the active editor.

import * as vscode from "vscode";

const KIND = vscode.CodeActionKind.SourceFixAll.append("gdscene");

export async function fixAll(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) {
        return;
    }
    const end = document.lineAt(document.lineCount - 1).range.end;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        new vscode.Range(new vscode.Position(0, 0), end),
        KIND.value,
    );
    const edit = actions.find((action) => action.kind && KIND.contains(action.kind))?.edit;
    if (edit === undefined) {
        vscode.window.setStatusBarMessage("gdscene: there is nothing that can be fixed safely", 4000);
    } else if (!(await vscode.workspace.applyEdit(edit))) {
        void vscode.window.showWarningMessage("gdscene: the fixes were not applied: the text has changed meanwhile.");
    }
}
