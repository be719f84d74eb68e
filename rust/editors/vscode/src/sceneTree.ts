// The nodes, resources and connections of the file in the active editor, as the server tells them.

import * as vscode from "vscode";

const PAUSE = 300;

/** A symbol, or a group of them. */
interface Item {
    label: string;
    detail: string;
    icon: string;
    symbol: vscode.DocumentSymbol | undefined;
    parent: Item | undefined;
    children: Item[];
}

const ICONS = new Map<vscode.SymbolKind, string>([
    [vscode.SymbolKind.Object, "symbol-class"],
    [vscode.SymbolKind.File, "file"],
    [vscode.SymbolKind.Struct, "symbol-structure"],
    [vscode.SymbolKind.Event, "symbol-event"],
    [vscode.SymbolKind.Module, "symbol-namespace"],
]);

/** The groups that follow the nodes. */
const GROUPS = [
    { label: "Resources", icon: "library", kinds: [vscode.SymbolKind.File, vscode.SymbolKind.Struct] },
    { label: "Connections", icon: "plug", kinds: [vscode.SymbolKind.Event] },
];

export class SceneTree implements vscode.TreeDataProvider<Item>, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChangeTreeData = this.changed.event;
    private readonly view: vscode.TreeView<Item>;
    private readonly subscriptions: vscode.Disposable[];
    private roots: Item[] = [];
    private document: vscode.TextDocument | undefined;
    private timer: NodeJS.Timeout | undefined;
    private run = 0;

    constructor(private readonly languages: readonly string[]) {
        this.view = vscode.window.createTreeView("gdscene.sceneTree", {
            treeDataProvider: this,
            showCollapseAll: true,
        });
        this.subscriptions = [
            this.view,
            this.changed,
            this.view.onDidChangeVisibility(() => this.refreshSoon()),
            vscode.window.onDidChangeActiveTextEditor(() => this.refreshSoon()),
            vscode.workspace.onDidChangeTextDocument((event) => {
                if (event.document === this.document) {
                    this.refreshSoon();
                }
            }),
            vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor)),
        ];
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.subscriptions.forEach((subscription) => subscription.dispose());
    }

    /** Asks the server when nothing has happened for a while. */
    refreshSoon(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.refresh(), PAUSE);
    }

    private async refresh(): Promise<void> {
        const run = ++this.run;
        const document = vscode.window.activeTextEditor?.document;
        const isOurs = document !== undefined && this.languages.includes(document.languageId);
        await vscode.commands.executeCommand("setContext", "gdscene.isOpen", isOurs);
        const symbols = isOurs
            ? await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
                  "vscode.executeDocumentSymbolProvider",
                  document.uri,
              )
            : [];
        if (run !== this.run) {
            return;
        }
        this.document = isOurs ? document : undefined;
        this.roots = grouped((symbols ?? []).map((symbol) => item(symbol, undefined)));
        this.view.description = isOurs ? vscode.workspace.asRelativePath(document.uri) : undefined;
        this.changed.fire();
    }

    private follow(editor: vscode.TextEditor): void {
        const isWanted = vscode.workspace.getConfiguration("gdscene").get("sceneTree.followCursor", true);
        if (!isWanted || !this.view.visible || editor.document !== this.document) {
            return;
        }
        const found = at(this.roots, editor.selection.active);
        if (found !== undefined && found !== this.view.selection[0]) {
            void this.view.reveal(found, { select: true, focus: false });
        }
    }

    getChildren(parent?: Item): Item[] {
        return parent === undefined ? this.roots : parent.children;
    }

    getParent(item: Item): Item | undefined {
        return item.parent;
    }

    getTreeItem(item: Item): vscode.TreeItem {
        const isNode = item.symbol?.kind === vscode.SymbolKind.Object;
        const state = item.children.length === 0 ? "None" : isNode ? "Expanded" : "Collapsed";
        const shown = new vscode.TreeItem(item.label, vscode.TreeItemCollapsibleState[state]);
        shown.description = item.detail;
        shown.iconPath = new vscode.ThemeIcon(item.icon);
        if (item.symbol !== undefined && this.document !== undefined) {
            shown.tooltip = `${item.label} ${item.detail}`.trim();
            shown.command = {
                title: "Go to Text",
                command: "vscode.open",
                arguments: [this.document.uri, { selection: item.symbol.selectionRange, preserveFocus: true }],
            };
        }
        return shown;
    }
}

function item(symbol: vscode.DocumentSymbol, parent: Item | undefined): Item {
    const icon = ICONS.get(symbol.kind) ?? "symbol-field";
    const made: Item = { label: symbol.name, detail: symbol.detail, icon, symbol, parent, children: [] };
    made.children = symbol.children.map((child) => item(child, made));
    return made;
}

/** Nodes stay at the top; where there are some, all else is put into groups below them. */
function grouped(items: Item[]): Item[] {
    if (!items.some((item) => item.symbol?.kind === vscode.SymbolKind.Object)) {
        return items;
    }
    const kinds = GROUPS.map((group) => {
        const isOfGroup = (item: Item) => item.symbol !== undefined && group.kinds.includes(item.symbol.kind);
        const children = items.filter(isOfGroup);
        const detail = String(children.length);
        const made: Item = { label: group.label, detail, icon: group.icon, symbol: undefined, parent: undefined, children };
        children.forEach((child) => (child.parent = made));
        return made;
    });
    const nodes = items.filter((item) => !kinds.some((group) => group.children.includes(item)));
    return [...nodes, ...kinds.filter((group) => group.children.length > 0)];
}

/** The innermost item whose text has the place in it: a node's text does not hold that of its children. */
function at(items: Item[], place: vscode.Position): Item | undefined {
    let best: Item | undefined;
    for (const item of items) {
        if (item.symbol?.range.contains(place)) {
            best = item;
        }
        best = at(item.children, place) ?? best;
    }
    return best;
}
