// The graph view: a panel beside the editor that follows what is saved.
import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { run } from "../program.ts";
import { settings } from "../settings.ts";
import { type Graph, isFromView, type Place, readGraph, type ToView } from "./model.ts";
import { page } from "./page.ts";

export class GraphPanel {
  private static open = new Map<string, GraphPanel>();
  private graph: Graph | undefined;

  /** Shows the graph of a story; a panel that is open already comes to the front. */
  static async show(extension: vscode.Uri, manifest: string): Promise<void> {
    const known = GraphPanel.open.get(manifest);
    if (known !== undefined) {
      known.panel.reveal(undefined, true);
      return known.update();
    }
    const dist = vscode.Uri.joinPath(extension, "dist");
    const panel = vscode.window.createWebviewPanel(
      "kitsoki.graph",
      `Graph: ${path.basename(path.dirname(manifest))}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [dist], retainContextWhenHidden: true },
    );
    GraphPanel.open.set(manifest, new GraphPanel(panel, manifest, vscode.Uri.joinPath(dist, "graph.js")));
  }

  /** Draws every open graph anew. */
  static async refresh(): Promise<void> {
    await Promise.all([...GraphPanel.open.values()].map((panel) => panel.update()));
  }

  private constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly manifest: string,
    script: vscode.Uri,
  ) {
    panel.onDidDispose(() => GraphPanel.open.delete(manifest));
    panel.webview.onDidReceiveMessage(async (message: unknown) => {
      if (!isFromView(message)) {
        return;
      }
      if (message.kind === "ready") {
        await this.update();
      } else {
        await this.goTo(message.place);
      }
    });
    const nonce = randomBytes(16).toString("hex");
    panel.webview.html = page(panel.webview.asWebviewUri(script).toString(), panel.webview.cspSource, nonce);
  }

  private async update(): Promise<void> {
    await this.panel.webview.postMessage(await this.message());
  }

  private async message(): Promise<ToView> {
    const { program, graphAll } = settings();
    try {
      const args = ["graph", this.manifest, "--format", "json", ...(graphAll ? ["--all"] : [])];
      const { status, out, err } = await run(program, args, path.dirname(this.manifest));
      if (status > 1) {
        return { kind: "fault", message: err };
      }
      const graph = readGraph(out);
      if (typeof graph === "string") {
        return { kind: "fault", message: graph };
      }
      this.graph = graph;
      const note = status === 1 ? "The story has errors: the picture shows what could be read." : "";
      return { kind: "graph", graph, note };
    } catch (error) {
      return { kind: "fault", message: error instanceof Error ? error.message : String(error) };
    }
  }

  private async goTo(place: Place): Promise<void> {
    const folder = this.graph?.dir ?? path.dirname(this.manifest);
    const uri = vscode.Uri.file(path.resolve(folder, place.file));
    const at = new vscode.Position(Math.max(place.line - 1, 0), Math.max(place.column - 1, 0));
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
  }
}
