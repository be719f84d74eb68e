// The language server: started, restarted, ended.

import * as vscode from "vscode";
import {
    LanguageClient,
    type LanguageClientOptions,
    type Location,
    type Position,
    State,
    type StaticFeature,
} from "vscode-languageclient/node";

import { NoProgram, findProgram } from "./program";

/** Files by their names and not by their language: another extension may have named that otherwise. */
const FILES = [
    "**/*.{tscn,escn,tres,import,gdextension,gd}",
    "**/{project.godot,override.cfg,export_presets.cfg,plugin.cfg,gdscene.toml}",
];

/** Tells the server that its lenses may be clicked: `showReferences` in this extension shows the places. */
const SHOWS_REFERENCES: StaticFeature = {
    fillClientCapabilities(capabilities) {
        capabilities.experimental = { ...capabilities.experimental, commands: { commands: ["gdscene.showReferences"] } };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
};

export class Server {
    private client: LanguageClient | undefined;
    /** Starts and ends one after the other, however often they are asked for. */
    private queue: Promise<void> = Promise.resolve();
    private readonly started = new vscode.EventEmitter<void>();
    readonly onDidStart = this.started.event;

    constructor(
        private readonly extensionFolder: string,
        readonly output: vscode.LogOutputChannel,
    ) {}

    get isRunning(): boolean {
        return this.client?.state === State.Running;
    }

    restart(): Promise<void> {
        return this.after(async () => {
            await this.end();
            await this.start();
        });
    }

    stop(): Promise<void> {
        return this.after(() => this.end());
    }

    private after(step: () => Promise<void>): Promise<void> {
        this.queue = this.queue.then(step).catch((error: Error) => {
            this.output.error(error.message);
        });
        return this.queue;
    }

    /** Shows places that the server names, in its own form. */
    async showReferences(uri: string, position: Position, locations: Location[]): Promise<void> {
        const convert = this.client?.protocol2CodeConverter;
        if (convert !== undefined) {
            const places = locations.map((location) => convert.asLocation(location));
            const start = convert.asPosition(position);
            await vscode.commands.executeCommand("editor.action.showReferences", convert.asUri(uri), start, places);
        }
    }

    private async start(): Promise<void> {
        let program;
        try {
            program = await findProgram(this.extensionFolder);
        } catch (error) {
            if (!(error instanceof NoProgram)) {
                throw error;
            }
            this.output.error(error.message);
            void tellHowToGetIt(error.message);
            return;
        }
        this.output.info(`starting ${program} lsp`);
        const options: LanguageClientOptions = {
            documentSelector: FILES.map((pattern) => ({ scheme: "file", pattern })),
            outputChannel: this.output,
        };
        const client = new LanguageClient("gdscene", "gdscene", { command: program, args: ["lsp"] }, options);
        client.registerFeature(SHOWS_REFERENCES);
        this.client = client;
        await client.start();
        this.started.fire();
    }

    private async end(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        // One that failed to start, or has ended by itself, has nothing to be told.
        await client?.dispose().catch(() => undefined);
    }
}

async function tellHowToGetIt(reason: string): Promise<void> {
    const settings = "Open Settings";
    if ((await vscode.window.showErrorMessage(reason, settings)) === settings) {
        await vscode.commands.executeCommand("workbench.action.openSettings", "gdscene.path");
    }
}
