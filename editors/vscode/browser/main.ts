// VS Code's editor and services in a page, with the language server behind a WebSocket. The address of the page names the file
// to open and the folder of its story; the page keeps nothing from the extension but the way it selects documents.
import "@codingame/monaco-vscode-yaml-default-extension";
import "@codingame/monaco-vscode-theme-defaults-default-extension";
import { EditorApp } from "monaco-languageclient/editorApp";
import { LanguageClientWrapper } from "monaco-languageclient/lcwrapper";
import { MonacoVscodeApiWrapper } from "monaco-languageclient/vscodeApiWrapper";
import { configureDefaultWorkerFactory } from "monaco-languageclient/workerFactory";
import * as vscode from "vscode";
import { folderGlob } from "../src/stories.ts";

const asked = new URLSearchParams(location.search);
const file = asked.get("file") ?? "";
const folder = asked.get("folder") ?? "";
const container = document.querySelector("#editor") as HTMLElement;

const api = new MonacoVscodeApiWrapper({
  $type: "extended",
  viewsConfig: { $type: "EditorService", htmlContainer: container },
  userConfiguration: {
    json: JSON.stringify({ "workbench.colorTheme": "Default Light Modern", "editor.minimap.enabled": false, "editor.lightbulb.enabled": "on" }),
  },
  monacoWorkerFactory: configureDefaultWorkerFactory,
});
await api.start();

const client = new LanguageClientWrapper({
  languageId: "yaml",
  connection: { options: { $type: "WebSocketUrl", url: `ws://${location.host}/server` } },
  clientOptions: {
    documentSelector: [{ scheme: "file", language: "yaml", pattern: folderGlob(folder) }],
    workspaceFolder: { index: 0, name: "story", uri: vscode.Uri.file(folder) },
  },
});
await client.start();

const text = await (await fetch(`/file?path=${encodeURIComponent(file)}`)).text();
const app = new EditorApp({ codeResources: { modified: { text, uri: vscode.Uri.file(file).toString(), enforceLanguageId: "yaml" } } });
await app.start(container);

// For the test: it selects and reads through the editor, and types and clicks like a person.
Object.assign(globalThis, { editor: app.getEditor() });
document.body.dataset["ready"] = "yes";
