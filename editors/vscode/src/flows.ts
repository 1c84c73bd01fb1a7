// Flows: a lens above the first line of each, and a terminal that runs one.
import * as path from "node:path";
import * as vscode from "vscode";
import { shellWord } from "./program.ts";
import { settings } from "./settings.ts";
import { isFlow } from "./story.ts";

export class FlowLenses implements vscode.CodeLensProvider {
  constructor(
    private readonly served: () => boolean,
    private readonly folderOf: (document: vscode.TextDocument) => Promise<string | undefined>,
  ) {}

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (this.served() || !settings().flowLens || !isFlow(document.getText())) {
      return [];
    }
    if ((await this.folderOf(document)) === undefined) {
      return [];
    }
    const lens = new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
      title: "$(play) Run this flow",
      command: "kitsoki.runFlow",
      arguments: [document.uri],
    });
    return [lens];
  }
}

/** The line that runs flows of a story, for the shell of a terminal. */
export function flowLine(program: string, manifest: string, flows: readonly string[], windows: boolean): string {
  // `--flows` takes patterns: what has a meaning in one stands for any letter.
  const patterns = flows.map((file) => file.replaceAll(/[*?[\]{},]/g, "?"));
  const all = [program, "test", "flows", manifest, ...patterns.flatMap((pattern) => ["--flows", pattern])];
  const words = all.map((word) => shellWord(word, windows));
  // PowerShell takes a quoted word for a text unless it is called.
  return `${windows && words[0]?.startsWith("'") ? "& " : ""}${words.join(" ")}`;
}

/** Runs flows in a terminal that is used again. */
export async function runFlows(manifest: string, flows: readonly string[]): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && flows.includes(document.uri.fsPath)) {
      await document.save();
    }
  }
  const name = "kitsoki flows";
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(manifest))?.uri.fsPath ?? path.dirname(manifest);
  const terminal =
    vscode.window.terminals.find((terminal) => terminal.name === name && terminal.exitStatus === undefined) ??
    vscode.window.createTerminal({ name, cwd: folder });
  terminal.show(true);
  terminal.sendText(flowLine(settings().program, manifest, flows, process.platform === "win32"));
}
