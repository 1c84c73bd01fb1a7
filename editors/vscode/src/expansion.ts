// What imports and macros made of a room: a read-only document. The server makes it and knows which line of the source caused which
// of its lines; without a server it is the text of `kitsoki compile`.
import * as path from "node:path";
import * as vscode from "vscode";
import type { Server } from "./client.ts";
import { run } from "./program.ts";
import { settings } from "./settings.ts";
import { roomAt } from "./story.ts";

/** Documents of this extension; those of the server are `kitsoki-expanded`. */
const SCHEME = "kitsoki-expansion";
const SERVED = "kitsoki-expanded";

/** A place as the language server protocol names it. */
export interface PlaceInFile {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

/** The answer to `kitsoki.expand`. */
export interface Expanded {
  readonly uri: string;
  readonly line: number | null;
  readonly origins: readonly { readonly line: number; readonly location: { readonly uri: string; readonly range: { readonly start: { readonly line: number; readonly character: number } } } }[];
}

export class Expansions implements vscode.TextDocumentContentProvider, vscode.DefinitionProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registrations: vscode.Disposable[];
  private readonly expanded = new Map<string, Expanded>();
  readonly onDidChange = this.changed.event;

  constructor() {
    this.registrations = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerDefinitionProvider({ scheme: SERVED }, this),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const manifest = query.get("manifest") ?? "";
    const room = query.get("room") ?? "";
    const which = room === "" ? [] : ["--room", room];
    const args = ["compile", manifest, "--emit", "ir", "--format", "text", ...which];
    const { status, out, err } = await run(settings().program, args, path.dirname(manifest));
    return status === 0 ? out : `The story cannot be compiled:\n\n${err}`;
  }

  /** From a line of an expansion to the line of the source that caused it. */
  provideDefinition(document: vscode.TextDocument, position: vscode.Position): vscode.Location | undefined {
    const origin = this.expanded.get(document.uri.toString())?.origins.find(({ line }) => line === position.line);
    if (origin === undefined) {
      return undefined;
    }
    const { uri, range } = origin.location;
    return new vscode.Location(vscode.Uri.parse(uri), new vscode.Position(range.start.line, range.start.character));
  }

  /** Shows the room at the cursor beside the document, or the whole story when the cursor is in none. */
  async show(server: Server, document: vscode.TextDocument, manifest: string): Promise<void> {
    const position = vscode.window.activeTextEditor?.selection.active ?? new vscode.Position(0, 0);
    if (server.hasExpansions) {
      return this.showPlace(server, { textDocument: { uri: document.uri.toString() }, position: { line: position.line, character: position.character } });
    }
    const room = roomAt(document.getText(), position.line);
    const query = new URLSearchParams({ manifest, room: room ?? "" }).toString();
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${room ?? path.basename(path.dirname(manifest))}`, query });
    this.changed.fire(uri);
    await this.open(uri, undefined);
  }

  /** Shows what the server made of a place, at the line that the place caused. */
  async showPlace(server: Server, place: PlaceInFile): Promise<void> {
    const expanded = await server.expand(place);
    const uri = vscode.Uri.parse(expanded.uri);
    this.expanded.set(uri.toString(), expanded);
    await this.open(uri, expanded.line ?? undefined);
  }

  private async open(uri: vscode.Uri, line: number | undefined): Promise<void> {
    const shown = await vscode.workspace.openTextDocument(uri);
    const options: vscode.TextDocumentShowOptions = { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true };
    const selection = line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(shown, selection === undefined ? options : { ...options, selection });
  }

  dispose(): void {
    this.registrations.forEach((registration) => registration.dispose());
    this.changed.dispose();
  }
}
