import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import { flowLine } from "../src/flows.ts";
import { label, layout } from "../src/graph/layout.ts";
import { type Graph, edgeText, isFromView, lines, readGraph } from "../src/graph/model.ts";
import { page } from "../src/graph/page.ts";
import { startFailure } from "../src/program.ts";

const graph: Graph = {
  id: "ferry",
  title: "<b>Ferry</b>",
  dir: "/s",
  root: 0,
  nodes: [
    { path: "pier", kind: "atomic" },
    { path: "deck", kind: "compound" },
    { path: "deck.bow", kind: "atomic", parent: 1, initial: true },
    { path: "end", kind: "atomic", terminal: true },
  ],
  edges: [
    { from: 0, to: 1, kind: "arc", label: "board", guard: "world.seats > 1" },
    { from: 0, to: 1, kind: "arc", label: "swim", default: true },
    { from: 1, to: 0, kind: "timeout", label: "5m" },
    { from: 1, to: 1, kind: "arc", label: "look", stays: true },
    { from: 2, to: 3, kind: "emit", label: "land" },
    { from: 0, to: 0, kind: "arc", label: "wait", stays: true },
  ],
};

test("the document of the program is checked", () => {
  assert.deepEqual(readGraph(JSON.stringify({ schema: 1, graph })), graph);
  assert.equal(typeof readGraph("no json"), "string");
  assert.equal(typeof readGraph(JSON.stringify({ schema: 2, graph })), "string");
  const nowhere = { ...graph, edges: [{ from: 0, to: 9, kind: "arc", label: "x" }] };
  assert.equal(typeof readGraph(JSON.stringify({ schema: 1, graph: nowhere })), "string");
  const own = { ...graph, nodes: [{ path: "a", kind: "atomic", parent: 0 }], edges: [] };
  assert.equal(typeof readGraph(JSON.stringify({ schema: 1, graph: own })), "string");
});

test("arcs between the same rooms share a line, what nobody asks for has its own", () => {
  const found = lines(graph);
  assert.equal(found.length, 5);
  assert.deepEqual(found[0]?.edges.map(edgeText), ["board [world.seats > 1]", "swim [otherwise]"]);
  assert.equal(found.filter((line) => line.dashed).length, 2);
});

test("every room has a place, and no two rooms overlap", () => {
  const drawing = layout(graph);
  const boxes = drawing.boxes.filter((box) => !box.frame);
  assert.equal(boxes.length, 4, "three rooms and the box that stands for the frame");
  for (const [at, a] of boxes.entries()) {
    for (const b of boxes.slice(at + 1)) {
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      assert.ok(apart, `${a.label} and ${b.label}`);
    }
  }
  assert.ok(drawing.routes.every((route) => route.points.length >= 2));
  const pier = boxes.find((box) => box.index === 0);
  const wait = drawing.routes.find((route) => route.line.from === 0 && route.line.to === 0);
  const side = (pier?.x ?? 0) + (pier?.width ?? 0);
  const near = (x: number | undefined) => Math.abs((x ?? 0) - side) < 0.01;
  assert.ok(near(wait?.points[0]?.x) && near(wait?.points.at(-1)?.x), "an arc that stays begins and ends at its room");
  assert.equal(label(graph, 2), "▶ bow");
});

test("the page holds no word of a story and runs only its own script", () => {
  const text = page("vscode-resource:/graph.js", "vscode-resource:", "n0nce");
  assert.match(text, /default-src 'none'; style-src 'nonce-n0nce'; script-src 'nonce-n0nce' vscode-resource:/);
  assert.equal(text.match(/<script/g)?.length, 1);
  assert.ok(!/unsafe|onclick|innerHTML/.test(text));
});

test("messages of the view are looked at before they are used", () => {
  assert.ok(isFromView({ kind: "ready" }));
  assert.ok(isFromView({ kind: "open", place: { file: "a.yaml", line: 1, column: 1 } }));
  for (const message of [undefined, null, 1, {}, { kind: "run" }, { kind: "open" }, { kind: "open", place: { file: 1, line: 1, column: 1 } }]) {
    assert.ok(!isFromView(message), JSON.stringify(message));
  }
});

test("words of a shell are quoted", () => {
  assert.equal(flowLine("kitsoki", "/a b/app.yaml", ["/$(x).yaml"], false), "kitsoki test flows '/a b/app.yaml' --flows '/$(x).yaml'");
  assert.equal(flowLine("C:\\k t\\kitsoki.exe", "app.yaml", ["a.yaml"], true), "& 'C:\\k t\\kitsoki.exe' test flows app.yaml --flows a.yaml");
});

test("a missing program is said with what to do", () => {
  assert.match(startFailure("kitsoki", { code: "ENOENT", message: "" }), /in PATH.*kitsoki\.server\.path/);
  const client = { message: "Launching server using command kitsoki failed. Error: spawn kitsoki ENOENT" };
  assert.match(startFailure("/opt/kitsoki", client), /no program \/opt\/kitsoki/);
});

const program = process.env["KITSOKI"];
test("the graphs of the shipped stories are laid out", { skip: program === undefined && "KITSOKI names no program" }, () => {
  const stories = path.resolve(process.cwd(), "../../stories");
  const names = readdirSync(stories);
  assert.ok(names.length >= 4);
  for (const name of names) {
    const out = execFileSync(program ?? "", ["graph", path.join(stories, name, "app.yaml"), "--format", "json"], { encoding: "utf8" });
    const found = readGraph(out);
    assert.ok(typeof found !== "string", name);
    const drawing = layout(found);
    assert.ok(drawing.boxes.length >= found.nodes.length, name);
    assert.ok(drawing.boxes.every((box) => Number.isFinite(box.x + box.y)), name);
  }
});
