// The settings of the extension, read in one place.
import * as vscode from "vscode";

export interface Settings {
  /** The program. */
  readonly program: string;
  /** Arguments behind `lsp`. */
  readonly serverArguments: readonly string[];
  /** Offer to run flows. */
  readonly flowLens: boolean;
  /** Show everything in the graph. */
  readonly graphAll: boolean;
}

export function settings(): Settings {
  const all = vscode.workspace.getConfiguration("kitsoki");
  return {
    program: all.get<string>("server.path")?.trim() || "kitsoki",
    serverArguments: all.get<string[]>("server.arguments") ?? [],
    flowLens: all.get<boolean>("flows.lens") ?? true,
    graphAll: all.get<boolean>("graph.all") ?? false,
  };
}

/** Whether a change of the configuration needs another server. */
export function restarts(change: vscode.ConfigurationChangeEvent): boolean {
  return change.affectsConfiguration("kitsoki.server");
}
