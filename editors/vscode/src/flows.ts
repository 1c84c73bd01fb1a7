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

/** The line that runs a flow, for the shell of a terminal. */
export function flowLine(program: string, file: string, windows: boolean): string {
  const words = [program, "test", "flows", file].map((word) => shellWord(word, windows));
  // PowerShell takes a quoted word for a text unless it is called.
  return `${windows && words[0]?.startsWith("'") ? "& " : ""}${words.join(" ")}`;
}

/** Runs a flow in a terminal that is used again. */
export async function runFlow(file: string): Promise<void> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.fsPath === file);
  if (open?.isDirty === true) {
    await open.save();
  }
  const name = "kitsoki flows";
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath ?? path.dirname(file);
  const terminal =
    vscode.window.terminals.find((terminal) => terminal.name === name && terminal.exitStatus === undefined) ??
    vscode.window.createTerminal({ name, cwd: folder });
  terminal.show(true);
  terminal.sendText(flowLine(settings().program, file, process.platform === "win32"));
}
