// The extension: it looks at every YAML document that is opened, and does something only when one belongs to a story.
import * as path from "node:path";
import * as vscode from "vscode";
import { Server } from "./client.ts";
import { FlowLenses, runFlows } from "./flows.ts";
import { GraphPanel } from "./graph/panel.ts";
import { Expansions, type PlaceInFile } from "./expansion.ts";
import { showReferences } from "./references.ts";
import { restarts } from "./settings.ts";
import { isFlow, isManifest } from "./story.ts";
import { type Files, storyFolder } from "./stories.ts";

const files: Files = {
  async read(file) {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.scheme === "file" && document.uri.fsPath === file);
    if (open !== undefined) {
      return open.getText();
    }
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.file(file)));
    } catch {
      return undefined;
    }
  },
  roots: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
};

/** The folder of the story that a document belongs to. */
export async function folderOf(document: vscode.TextDocument): Promise<string | undefined> {
  if (document.languageId !== "yaml" || document.uri.scheme !== "file") {
    return undefined;
  }
  return storyFolder(files, document.uri.fsPath, document.getText());
}

/** The manifest of the story that a document belongs to. */
async function manifestOf(document: vscode.TextDocument): Promise<string | undefined> {
  const folder = await folderOf(document);
  if (folder === undefined) {
    return undefined;
  }
  const own = document.uri.fsPath;
  return isManifest(document.getText()) ? own : path.join(folder, "app.yaml");
}

export function activate(context: vscode.ExtensionContext): void {
  const server = new Server();
  const expansions = new Expansions();
  context.subscriptions.push(server, expansions);

  const look = async (document: vscode.TextDocument) => {
    const folder = await folderOf(document);
    if (folder !== undefined) {
      await server.see(folder);
    }
  };
  const turnTo = async (editor: vscode.TextEditor | undefined) => {
    const document = editor?.document;
    const inStory = document !== undefined && (await folderOf(document)) !== undefined;
    const inFlow = inStory && isFlow(document.getText());
    await vscode.commands.executeCommand("setContext", "kitsoki.inStory", inStory);
    await vscode.commands.executeCommand("setContext", "kitsoki.inFlow", inFlow);
  };
  /** Runs a command on the story of the active editor. */
  const onStory = (what: (document: vscode.TextDocument, manifest: string) => Promise<void>) => async () => {
    const document = vscode.window.activeTextEditor?.document;
    const manifest = document === undefined ? undefined : await manifestOf(document);
    if (document === undefined || manifest === undefined) {
      void vscode.window.showInformationMessage("This file belongs to no story: a story is a folder with a manifest app.yaml.");
      return;
    }
    try {
      await what(document, manifest);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  };

  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidSaveTextDocument(async (document) => {
      await look(document);
      await turnTo(vscode.window.activeTextEditor);
      await GraphPanel.refresh();
    }),
    vscode.window.onDidChangeActiveTextEditor(turnTo),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (restarts(change)) {
        await server.restart();
      }
    }),
    vscode.commands.registerCommand("kitsoki.restart", async () => {
      await server.restart();
      if (!server.hasStories) {
        void vscode.window.showInformationMessage("No story is open: the language server starts with the first one.");
      }
    }),
    vscode.commands.registerCommand("kitsoki.showOutput", () => server.output.show()),
    vscode.commands.registerCommand(
      "kitsoki.showGraph",
      onStory((_, manifest) => GraphPanel.show(context.extensionUri, manifest)),
    ),
    vscode.commands.registerCommand(
      "kitsoki.expandMacro",
      onStory((document, manifest) => expansions.show(server, document, manifest)),
    ),
    // The server's lenses name the flows by their addresses; the button and the palette mean the active editor.
    vscode.commands.registerCommand("kitsoki.runFlow", async (...named: (vscode.Uri | string)[]) => {
      const uris = named.filter((uri) => uri instanceof vscode.Uri || typeof uri === "string").map((uri) => (typeof uri === "string" ? vscode.Uri.parse(uri) : uri));
      const active = vscode.window.activeTextEditor?.document.uri;
      const flows = (uris.length > 0 ? uris : active === undefined ? [] : [active]).map((uri) => uri.fsPath);
      const first = flows[0];
      const folder = first === undefined ? undefined : await storyFolder(files, first, "");
      if (folder === undefined) {
        void vscode.window.showInformationMessage("This flow lies in no folder of a story.");
        return;
      }
      await runFlows(path.join(folder, "app.yaml"), flows);
    }),
    vscode.commands.registerCommand("kitsoki.showExpansion", (place: PlaceInFile) => expansions.showPlace(server, place)),
    vscode.commands.registerCommand("kitsoki.showReferences", showReferences),
    vscode.languages.registerCodeLensProvider(
      { scheme: "file", language: "yaml" },
      new FlowLenses(() => server.hasLenses, folderOf),
    ),
  );
  for (const document of vscode.workspace.textDocuments) {
    void look(document);
  }
  void turnTo(vscode.window.activeTextEditor);
}

export function deactivate(): void {
  // What was subscribed is disposed of by the editor.
}
