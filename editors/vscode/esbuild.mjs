// Bundles the extension (for the editor's Node) and the script of the graph view (for its webview); with --tests the tests.
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const common = { bundle: true, sourcemap: false, logLevel: "warning", target: "es2022" };

if (process.argv.includes("--tests")) {
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: "out/test",
    outExtension: { ".js": ".cjs" },
    platform: "node",
    format: "cjs",
    alias: { vscode: "./test/vscode.ts", "vscode-languageclient/node": "./test/client.ts" },
  });
} else {
  const minify = !process.argv.includes("--debug");
  await build({
    ...common,
    minify,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    format: "cjs",
    external: ["vscode"],
  });
  await build({
    ...common,
    minify,
    entryPoints: ["src/graph/view.ts"],
    outfile: "dist/graph.js",
    platform: "browser",
    format: "iife",
  });
}
