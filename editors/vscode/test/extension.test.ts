import assert from "node:assert/strict";
import { test } from "node:test";
import { activate } from "../src/extension.ts";
import { between, missing, started, stopped } from "./client.ts";
import { Uri, record, window, workspace } from "./vscode.ts";

const document = (file: string, text: string, languageId = "yaml") => ({
  uri: Uri.file(file),
  languageId,
  isDirty: false,
  getText: () => text,
});

const open = async (opened: unknown) => {
  workspace.textDocuments.push(opened);
  await (record.listeners.get("open") as (d: unknown) => Promise<void>)(opened);
};
const turnTo = (active: unknown) => (record.listeners.get("editor") as (e: unknown) => Promise<void>)(active);

const STORY = "app: { id: a }\nroot: x\nstates: { x: { view: y } }\n";

test("the server starts with the first story, sees its folder only, and starts again for another one", async () => {
  activate({ subscriptions: [], extensionUri: Uri.file("/ext") } as never);
  await record.commands.get("kitsoki.restart")?.();
  assert.match(record.messages.at(-1) ?? "", /No story is open/);
  assert.equal(started.length, 0);
  await open(document("/work/other/app.yaml", "runtime: python39\n"));
  await open(document("/work/readme.md", STORY, "markdown"));
  assert.equal(started.length, 0, "nothing here is a story");

  record.settings.set("server.path", "/opt/kitsoki");
  await open(document("/work/one/app.yaml", STORY));
  assert.equal(started.length, 1);
  assert.equal(started[0]?.command, "/opt/kitsoki");
  assert.deepEqual(started[0]?.args, ["lsp"]);
  assert.deepEqual(
    started[0]?.documentSelector.map((s) => s.pattern),
    ["/work/one/**/*.{yaml,yml}"],
  );

  record.files.set("/work/one/app.yaml", STORY);
  await open(document("/work/one/rooms/a.yaml", "states: {}\n"));
  assert.equal(started.length, 1, "the same story");

  await open(document("/work/two/app.yaml", STORY));
  assert.equal(started.length, 2);
  assert.equal(stopped.length, 1, "never two servers");
  assert.equal(started[1]?.documentSelector.length, 2);
});

test("buttons are shown where they mean something", async () => {
  await turnTo({ document: document("/work/other/app.yaml", "runtime: python39\n") });
  assert.equal(record.contexts.get("kitsoki.inStory"), false);
  await turnTo({ document: document("/work/one/flows/a.yaml", "test_kind: flow\n") });
  assert.equal(record.contexts.get("kitsoki.inStory"), true);
  assert.equal(record.contexts.get("kitsoki.inFlow"), true);
  await turnTo(undefined);
  assert.equal(record.contexts.get("kitsoki.inFlow"), false);
});

test("a changed path of the server starts it again", async () => {
  const before = started.length;
  const change = record.listeners.get("configuration") as (c: unknown) => Promise<void>;
  await change({ affectsConfiguration: (name: string) => name === "editor.fontSize" });
  assert.equal(started.length, before);
  await change({ affectsConfiguration: (name: string) => name === "kitsoki.server" });
  assert.equal(started.length, before + 1);
});

test("a program that is missing is told with the way to its setting, and looked for again when that changes", async () => {
  const change = record.listeners.get("configuration") as (c: unknown) => Promise<void>;
  const settings = { affectsConfiguration: (name: string) => name === "kitsoki.server" };
  const before = started.length;
  missing.add("/opt/gone");
  record.settings.set("server.path", "/opt/gone");
  await change(settings);
  assert.match(record.messages.at(-1) ?? "", /no program \/opt\/gone\. Install kitsoki, or name it in the setting/);
  assert.deepEqual(record.executed.at(-1)?.slice(0, 2), ["workbench.action.openSettings", "kitsoki.server.path"]);
  assert.equal(started.length, before);
  record.settings.set("server.path", "/opt/kitsoki");
  await change(settings);
  assert.equal(started.length, before + 1);
});

test("the setting of the flow lens is about those of the server, too", async () => {
  const lenses = [{ command: { command: "kitsoki.runFlow" } }, { command: { command: "kitsoki.showReferences" } }, {}];
  const shown = async () => (await between.middleware?.provideCodeLenses(undefined, undefined, async () => lenses))?.length;
  assert.equal(await shown(), 3);
  record.settings.set("flows.lens", false);
  assert.equal(await shown(), 2);
  record.settings.delete("flows.lens");
});

test("flows run in a terminal that is used again", async () => {
  const run = record.commands.get("kitsoki.runFlow") as (...uris: unknown[]) => Promise<void>;
  await run(Uri.file("/work/one/flows/it's [here].yaml"));
  await run("file:///work/one/flows/b%20c.yaml", "file:///work/one/flows/d.yaml");
  assert.equal(record.terminals.length, 1);
  assert.deepEqual(record.terminals[0]?.sent, [
    "/opt/kitsoki test flows /work/one/app.yaml --flows '/work/one/flows/it'\\''s ?here?.yaml'",
    "/opt/kitsoki test flows /work/one/app.yaml --flows '/work/one/flows/b c.yaml' --flows /work/one/flows/d.yaml",
  ]);
  await run(Uri.file("/work/other/flows/b.yaml"));
  assert.match(record.messages.at(-1) ?? "", /no folder of a story/);
});

test("the references of a lens are shown by the editor", async () => {
  const show = record.commands.get("kitsoki.showReferences") as (...args: unknown[]) => Promise<void>;
  const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 4 } };
  await show("file:///work/one/app.yaml", { line: 0, character: 0 }, [{ uri: "file:///work/one/rooms/a.yaml", range }]);
  const [name, uri, , found] = record.executed.at(-1) ?? [];
  assert.equal(name, "editor.action.showReferences");
  assert.equal((uri as Uri).fsPath, "/work/one/app.yaml");
  assert.equal((found as { uri: Uri }[])[0]?.uri.fsPath, "/work/one/rooms/a.yaml");
});

test("commands of a story say so where there is none", async () => {
  window.activeTextEditor = { document: document("/work/other/app.yaml", "runtime: python39\n") };
  await record.commands.get("kitsoki.showGraph")?.();
  assert.match(record.messages.at(-1) ?? "", /belongs to no story/);
});
