// Opens a shipped story in VS Code's own editor in headless Chromium, breaks it and mends it with the server's fix; and draws the
// graph view. KITSOKI names the program; CHROMIUM a browser when it is not `chromium`. Screenshots are left in `shots`.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { WebSocketServer } from "ws";
import { page } from "./dist/page.mjs";

const program = process.env.KITSOKI;
assert.ok(program, "KITSOKI names the kitsoki program");
const here = import.meta.dirname;
const stories = path.resolve(here, "../../../stories");
const work = realpathSync(mkdtempSync(path.join(tmpdir(), "kitsoki-browser-")));
const story = path.join(work, "cloak");
const shots = path.join(here, "shots");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".ttf": "font/ttf", ".svg": "image/svg+xml" };

/** The page, files of the story, and the extension's script of the graph view. */
const http = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const named = url.pathname === "/file" ? path.resolve(url.searchParams.get("path") ?? "") : path.join(here, "dist", url.pathname === "/" ? "index.html" : url.pathname);
  const pages = new Map([["/graph", graphPage], ["/graph.js", () => readFileSync(path.join(here, "../dist/graph.js"))]]);
  const made = pages.get(url.pathname);
  if (made === undefined && ![work, path.join(here, "dist")].some((folder) => named.startsWith(folder + path.sep))) {
    response.writeHead(404).end();
    return;
  }
  try {
    const type = made === undefined ? TYPES[path.extname(named)] : TYPES[path.extname(url.pathname)] ?? "text/html";
    const body = made === undefined ? readFileSync(named) : made();
    response.writeHead(200, { "Content-Type": type ?? "text/plain; charset=utf-8" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});

/** One server for each connection; frames on its streams, bare messages on the socket. */
function bridge(socket) {
  const server = spawn(program, ["lsp"], { cwd: story });
  let rest = Buffer.alloc(0);
  socket.on("message", (data) => server.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${data.length}\r\n\r\n`), data])));
  socket.on("close", () => server.kill());
  server.stdout.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const end = rest.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(rest.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || rest.length < end + 4 + length) {
        return;
      }
      socket.send(rest.subarray(end + 4, end + 4 + length).toString());
      rest = rest.subarray(end + 4 + length);
    }
  });
}

/** The page of the graph view as the extension makes it; what the script says to the extension is kept. */
function graphPage() {
  return page("/graph.js", "'self'", "n0nce");
}

let browser;
let address;

before(async () => {
  cpSync(path.join(stories, "cloak"), story, { recursive: true });
  mkdirSync(shots, { recursive: true });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${http.address().port}`;
  new WebSocketServer({ server: http, path: "/server" }).on("connection", bridge);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
});

after(async () => {
  await browser?.close();
  http.close();
  http.closeAllConnections();
  rmSync(work, { recursive: true });
});

test("a broken target gets its squiggle and its fix", { timeout: 120_000 }, async () => {
  const tab = await browser.newPage({ viewport: { width: 1100, height: 760 } });
  const said = [];
  tab.on("console", (message) => said.push(message.text()));
  tab.on("pageerror", (error) => said.push(String(error)));
  const file = path.join(story, "rooms", "foyer.yaml");
  await tab.goto(`${address}/?file=${encodeURIComponent(file)}&folder=${encodeURIComponent(story)}`);
  await tab.waitForSelector("body[data-ready=yes]", { timeout: 60_000 }).catch((error) => {
    throw new Error(`${error}\n${said.join("\n")}`);
  });
  const before = await tab.evaluate(() => globalThis.editor.getValue());
  assert.match(before, /target: cloakroom/);
  assert.equal(await tab.locator(".squiggly-error").count(), 0);

  // Selected like a search does, typed like a person does.
  await tab.evaluate(() => {
    const { editor } = globalThis;
    const found = editor.getModel().findMatches("target: (cloakroom)", false, true, true, null, true)[0];
    const { endLineNumber: line, endColumn: column } = found.range;
    editor.setSelection({ startLineNumber: line, startColumn: column - "cloakroom".length, endLineNumber: line, endColumn: column });
    editor.revealLineInCenter(line);
    editor.focus();
  });
  await tab.keyboard.type("claokroom");
  await tab.locator(".squiggly-error").first().waitFor({ timeout: 20_000 });
  await tab.screenshot({ path: path.join(shots, "finding.png") });

  await tab.keyboard.press("Control+.");
  const fix = tab.locator(".action-widget .monaco-list-row", { hasText: "cloakroom" }).first();
  await fix.waitFor({ timeout: 20_000 });
  await tab.screenshot({ path: path.join(shots, "fix.png") });
  assert.match((await fix.getAttribute("class")) ?? "", /focused/, "the fix is what Enter takes");
  await tab.keyboard.press("Enter");
  await tab.waitForFunction((text) => globalThis.editor.getValue() === text, before, { timeout: 20_000 });
  await tab.locator(".squiggly-error").first().waitFor({ state: "detached", timeout: 20_000 });
  await tab.screenshot({ path: path.join(shots, "mended.png") });
  await tab.close();
});

test("the graph of a story is drawn, and its rooms lead to their places", { timeout: 60_000 }, async () => {
  const tab = await browser.newPage({ viewport: { width: 1100, height: 760 } });
  const refused = [];
  tab.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  // The editor's side of the view; the page's own policy lets no script of a test in, so it comes before the page.
  await tab.addInitScript(() => {
    globalThis.said = [];
    globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => globalThis.said.push(message) });
  });
  await tab.goto(`${address}/graph`);
  await tab.waitForFunction(() => globalThis.said.some((message) => message.kind === "ready"));

  const { graph } = JSON.parse(execFileSync(program, ["graph", path.join(story, "app.yaml"), "--format", "json"], { encoding: "utf8" }));
  const nasty = "<img src=x onerror=document.title='run'>";
  const shown = { ...graph, title: nasty, nodes: [...graph.nodes, { path: nasty, kind: "unknown" }] };
  await tab.evaluate((graph) => globalThis.postMessage({ kind: "graph", graph, note: "" }, "*"), shown);
  await tab.locator(".node").first().waitFor();
  const frames = new Set(shown.nodes.map((node) => node.parent).filter((parent) => parent !== undefined));
  assert.equal(await tab.locator("#graph").getAttribute("data-rooms"), `${shown.nodes.length - frames.size}`);
  assert.equal(await tab.locator("h1").textContent(), nasty, "a title is text");
  assert.equal(await tab.locator("img").count(), 0);
  assert.notEqual(await tab.title(), "run");

  await tab.locator(".node", { hasText: "cloakroom" }).click();
  const opened = await tab.evaluate(() => globalThis.said.find((message) => message.kind === "open"));
  assert.deepEqual(opened.place, graph.nodes.find((node) => node.path === "cloakroom").place);
  await tab.screenshot({ path: path.join(shots, "graph.png") });
  assert.deepEqual(refused.filter((text) => !/favicon|404/.test(text)), [], "nothing of the page is refused by its own policy");
  await tab.close();
});
