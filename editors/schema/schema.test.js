// The JSON Schema of stories in a YAML language server, as editors without ours would use it. KITSOKI names the program.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const program = process.env.KITSOKI;
assert.ok(program, "KITSOKI names the kitsoki program");
const here = path.dirname(fileURLToPath(import.meta.url));
const stories = path.resolve(here, "../../stories");
const work = mkdtempSync(path.join(tmpdir(), "kitsoki-schema-"));
const schema = path.join(work, "story.schema.json");

/** A client of a language server: requests by number, diagnostics by address. */
class Client {
  #server = spawn(process.execPath, [path.join(here, "node_modules/yaml-language-server/bin/yaml-language-server"), "--stdio"]);
  #rest = Buffer.alloc(0);
  #number = 0;
  #answers = new Map();
  #published = new Map();

  constructor() {
    this.#server.stdout.on("data", (data) => this.#take(data));
  }

  #take(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const end = this.#rest.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(this.#rest.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || this.#rest.length < end + 4 + length) {
        return;
      }
      const message = JSON.parse(this.#rest.subarray(end + 4, end + 4 + length).toString());
      this.#rest = this.#rest.subarray(end + 4 + length);
      this.#hear(message);
    }
  }

  #hear(message) {
    if (message.method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = message.params;
      this.#published.get(uri)?.(diagnostics);
    } else if (message.method === "workspace/configuration") {
      const yaml = { schemas: { [pathToFileURL(schema).href]: "*.yaml" }, schemaStore: { enable: false }, validate: true, completion: true };
      const settings = { yaml };
      this.#send({ id: message.id, result: message.params.items.map((item) => settings[item.section] ?? {}) });
    } else if (message.method !== undefined && message.id !== undefined) {
      this.#send({ id: message.id, result: null });
    } else if (message.id !== undefined) {
      this.#answers.get(message.id)?.(message.result);
    }
  }

  #send(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  request(method, params) {
    const id = ++this.#number;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  /** Opens a text and waits for what the server says about it. */
  async open(name, text) {
    const uri = pathToFileURL(path.join(work, name)).href;
    const said = new Promise((resolve) => this.#published.set(uri, resolve));
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
    return { uri, diagnostics: await said };
  }

  stop() {
    this.#server.kill();
  }
}

const client = new Client();

before(async () => {
  writeFileSync(schema, execFileSync(program, ["schema"]));
  await client.request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(work).href,
    capabilities: { workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } } },
  });
  client.notify("initialized", {});
  client.notify("workspace/didChangeConfiguration", { settings: {} });
});

after(() => {
  client.stop();
  rmSync(work, { recursive: true });
});

test("nothing is said about shipped stories", async () => {
  let seen = 0;
  for (const story of readdirSync(stories)) {
    const folders = ["", "rooms"].map((folder) => path.join(stories, story, folder));
    for (const folder of folders) {
      let names = [];
      try {
        names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
      } catch {
        continue;
      }
      for (const name of names) {
        const { diagnostics } = await client.open(`${story}-${seen}-${name}`, readFileSync(path.join(folder, name), "utf8"));
        assert.deepEqual(diagnostics, [], `${story}/${name}`);
        seen += 1;
      }
    }
  }
  assert.ok(seen > 15, `${seen} files`);
});

test("a misspelt key is found, and its place", async () => {
  const { diagnostics } = await client.open("wrong.yaml", "app: { id: a }\nroot: pier\nstates:\n  pier:\n    veiw: Hello\n");
  assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
  assert.match(diagnostics[0].message, /veiw/);
  assert.equal(diagnostics[0].range.start.line, 4);
});

test("keys and words are offered, with what they are for", async () => {
  const { uri } = await client.open("half.yaml", "states:\n  pier:\n    \n");
  const keys = await client.request("textDocument/completion", { textDocument: { uri }, position: { line: 2, character: 4 } });
  const view = keys.items.find((item) => item.label === "view");
  assert.ok(view, keys.items.map((item) => item.label).join(" "));
  assert.match(JSON.stringify(view.documentation), /arrival/);
  const mode = await client.open("mode.yaml", "states:\n  pier:\n    write_mode: \n");
  const words = await client.request("textDocument/completion", { textDocument: { uri: mode.uri }, position: { line: 2, character: 16 } });
  assert.ok(words.items.some((item) => item.label === "read_only"), words.items.map((item) => item.label).join(" "));
});

test("a key says what it is for", async () => {
  const { uri } = await client.open("hover.yaml", "app: { id: a }\nroot: pier\n");
  const hover = await client.request("textDocument/hover", { textDocument: { uri }, position: { line: 1, character: 2 } });
  assert.match(JSON.stringify(hover?.contents), /story begins/);
});
