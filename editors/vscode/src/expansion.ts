// What imports and macros made of a room: a read-only document with the text of `kitsoki compile`.
import * as path from "node:path";
import * as vscode from "vscode";
import { run } from "./program.ts";
import { settings } from "./settings.ts";
import { roomAt } from "./story.ts";

const SCHEME = "kitsoki-expansion";

export class Expansions implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.changed.event;

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const manifest = query.get("manifest") ?? "";
    const room = query.get("room") ?? "";
    const which = room === "" ? [] : ["--room", room];
    const args = ["compile", manifest, "--emit", "ir", "--format", "text", ...which];
    const { status, out, err } = await run(settings().program, args, path.dirname(manifest));
    return status === 0 ? out : `The story cannot be compiled:\n\n${err}`;
  }

  /** Shows the room at the cursor beside the document, or the whole story when the cursor is in none. */
  async show(document: vscode.TextDocument, manifest: string): Promise<void> {
    const line = vscode.window.activeTextEditor?.selection.active.line ?? 0;
    const room = roomAt(document.getText(), line);
    const query = new URLSearchParams({ manifest, room: room ?? "" }).toString();
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${room ?? path.basename(path.dirname(manifest))}`, query });
    this.changed.fire(uri);
    const shown = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
