// The language client: one server for all stories of a window. It sees only files that lie in the folder of a story; when
// another story is opened it is started again with that folder, too.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, RevealOutputChannelOn, type ServerOptions } from "vscode-languageclient/node";
import type { Expanded, PlaceInFile } from "./expansion.ts";
import { startFailure } from "./program.ts";
import { settings } from "./settings.ts";
import { folderGlob } from "./stories.ts";

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly folders = new Set<string>();
  /** What is being started or stopped; everything waits for it, so that there is never a second server. */
  private busy: Promise<void> = Promise.resolve();
  readonly output: vscode.LogOutputChannel;

  constructor() {
    this.output = vscode.window.createOutputChannel("kitsoki", { log: true });
  }

  /** Makes the server see a story; starts it for the first one. */
  see(folder: string): Promise<void> {
    if (this.folders.has(folder)) {
      return this.busy;
    }
    this.folders.add(folder);
    return this.restart();
  }

  /** Starts the server anew, when there is a story. */
  restart(): Promise<void> {
    this.busy = this.busy.then(async () => {
      await this.stop();
      if (this.folders.size > 0) {
        await this.start();
      }
    });
    return this.busy;
  }

  /** Whether a story has been opened: without one there is nothing to serve. */
  get hasStories(): boolean {
    return this.folders.size > 0;
  }

  /** Whether the server offers lenses, so that the extension need not. */
  get hasLenses(): boolean {
    return this.client?.initializeResult?.capabilities.codeLensProvider !== undefined;
  }

  /** Whether the server shows what macros and imports become. */
  get hasExpansions(): boolean {
    return this.client?.initializeResult?.capabilities.executeCommandProvider?.commands.includes("kitsoki.expand") ?? false;
  }

  /** What macros and imports made of a place. */
  async expand(place: PlaceInFile): Promise<Expanded> {
    if (this.client === undefined) {
      throw new Error("The language server does not run.");
    }
    const params = { command: "kitsoki.expand", arguments: [place] };
    return this.client.sendRequest<Expanded>("workspace/executeCommand", params);
  }

  private async start(): Promise<void> {
    const { program, serverArguments } = settings();
    const server: ServerOptions = { command: program, args: ["lsp", ...serverArguments] };
    const options: LanguageClientOptions = {
      documentSelector: [...this.folders].map((folder) => ({ scheme: "file", language: "yaml", pattern: folderGlob(folder) })),
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      synchronize: { configurationSection: "kitsoki" },
      middleware: {
        // The setting is about every lens that runs flows, whoever makes it.
        async provideCodeLenses(document, token, next) {
          const lenses = await next(document, token);
          return settings().flowLens ? lenses : lenses?.filter((lens) => lens.command?.command !== "kitsoki.runFlow");
        },
      },
    };
    const client = new LanguageClient("kitsoki", "kitsoki", server, options);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      await tell(startFailure(program, error as Error));
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    // A server that has ended cannot be stopped.
    await client?.dispose().catch(() => undefined);
  }

  dispose(): void {
    this.folders.clear();
    void this.restart();
    this.output.dispose();
  }
}

async function tell(message: string): Promise<void> {
  const setting = "Open the setting";
  // Not waited for: the window may stay open for hours.
  void vscode.window.showErrorMessage(message, setting).then((choice) => {
    if (choice === setting) {
      void vscode.commands.executeCommand("workbench.action.openSettings", "kitsoki.server.path");
    }
  });
}
