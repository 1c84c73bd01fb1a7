import assert from "node:assert/strict";
import { test } from "node:test";
import { isFlow, isManifest, roomAt } from "../src/story.ts";
import { folderGlob, storyFolder } from "../src/stories.ts";

test("a manifest is known by its shape", () => {
  for (const text of [
    "app: { id: a }\nroot: x\n",
    "\uFEFFapp:\r\n  # the id\r\n  id: a\r\nstates: {}\r\n",
    "# first\napp: &a\n  id: a\nimports: {}\n",
    "app: # the app\n  id: a\ninclude: ['rooms/*.yaml']\n",
  ]) {
    assert.equal(isManifest(text), true, text);
  }
});

test("an app.yaml of another tool is left alone", () => {
  for (const text of [
    "",
    "app: name\nroot: x\n",
    "app: ../app.yaml\ntest_kind: flow\nroot: x\n",
    "kind: Deployment\napp: { id: a }\nstates: {}\n",
    "states: {}\nroot: x\n",
    "runtime: python39\nhandlers:\n  - url: /\n    script: auto\n",
    "  app: { id: a }\n  root: x\n",
    "app:\nroot: x\n",
    "services:\n  app:\n    image: x\nroot: y\n",
  ]) {
    assert.equal(isManifest(text), false, text);
  }
});

test("a flow is known by its kind", () => {
  assert.equal(isFlow("test_kind: flow\napp: ../app.yaml\n"), true);
  assert.equal(isFlow("# a\ntest_kind: 'flow' # b\n"), true);
  assert.equal(isFlow("test_kind: intents\n"), false);
  assert.equal(isFlow("turns:\n  test_kind: flow\n"), false);
});

test("the room at a line is the innermost one", () => {
  const text = ["app: { id: a }", "states:", "  bar:", "    states:", "      dark:", "        on:", "          go: [{ target: x }]", "  \"the hall\":", "    view: x", "world:", "  states: {}"].join("\n");
  assert.equal(roomAt(text, 0), undefined);
  assert.equal(roomAt(text, 2), "bar");
  assert.equal(roomAt(text, 6), "bar.dark");
  assert.equal(roomAt(text, 8), "the hall");
  assert.equal(roomAt(text, 10), undefined);
});

const files = (all: Record<string, string>) => ({
  read: async (file: string) => all[file],
  roots: () => ["/work"],
});

test("a room file belongs to the story above it", async () => {
  const story = files({ "/work/s/app.yaml": "app: { id: a }\nroot: x\n" });
  assert.equal(await storyFolder(story, "/work/s/rooms/deep/a.yaml", "states: {}"), "/work/s");
  assert.equal(await storyFolder(story, "/work/s/other.yaml", "a: 1"), "/work/s");
  assert.equal(await storyFolder(story, "/work/t/a.yaml", "states: {}"), undefined);
  assert.equal(await storyFolder(story, "/work/t/main.yaml", "app: { id: a }\nroot: x\n"), "/work/t");
});

test("the folder of another tool's app.yaml is no story", async () => {
  const other = files({ "/work/s/app.yaml": "runtime: python39\n" });
  assert.equal(await storyFolder(other, "/work/s/app.yaml", "runtime: python39\n"), undefined);
  assert.equal(await storyFolder(other, "/work/s/rooms/a.yaml", "states: {}"), undefined);
});

test("nobody looks above the open folder", async () => {
  const above = files({ "/app.yaml": "app: { id: a }\nroot: x\n" });
  assert.equal(await storyFolder(above, "/work/s/a.yaml", "states: {}"), undefined);
});

test("a folder's name is no glob", () => {
  assert.equal(folderGlob("/work/s"), "/work/s/**/*.{yaml,yml}");
  assert.equal(folderGlob("/w[1]/{a}*"), "/w[[]1[]]/[{]a[}][*]/**/*.{yaml,yml}");
});
