import path from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  build: { outDir: "dist", target: "esnext", chunkSizeWarningLimit: 20000, sourcemap: false },
  // Paths and folders of the extension's own modules: the file names of a test are those of POSIX.
  resolve: { alias: { "node:path": path.resolve(import.meta.dirname, "posix-path.ts") }, dedupe: ["vscode"] },
  worker: { format: "es" },
});
