// The list of references that a lens of the server stands for: only the editor has a window to show it in.
import * as vscode from "vscode";

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Location {
  readonly uri: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

export async function showReferences(uri: string, position: Position, locations: readonly Location[]): Promise<void> {
  const at = (position: Position) => new vscode.Position(position.line, position.character);
  const found = locations.map(({ uri, range }) => new vscode.Location(vscode.Uri.parse(uri), new vscode.Range(at(range.start), at(range.end))));
  await vscode.commands.executeCommand("editor.action.showReferences", vscode.Uri.parse(uri), at(position), found);
}
