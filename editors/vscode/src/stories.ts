// The stories of the open folders: which documents belong to one, and which manifest is theirs.
import * as path from "node:path";
import { isManifest } from "./story.ts";

/** What this module needs of the outside. */
export interface Files {
  /** The text of a file; `undefined` when there is none. */
  read(file: string): Promise<string | undefined>;
  /** The folders above which nobody looks for a manifest. */
  roots(): readonly string[];
}

/** The folder of the story that a file belongs to: the nearest folder above it with a manifest `app.yaml`. */
export async function storyFolder(files: Files, file: string, text: string): Promise<string | undefined> {
  if (isManifest(text)) {
    return path.dirname(file);
  }
  const roots = files.roots();
  let folder = path.dirname(file);
  for (let step = 0; step < 64; step += 1) {
    const manifest = await files.read(path.join(folder, "app.yaml"));
    if (manifest !== undefined && isManifest(manifest)) {
      return folder;
    }
    const above = path.dirname(folder);
    if (above === folder || roots.includes(folder)) {
      return undefined;
    }
    folder = above;
  }
  return undefined;
}

/** The glob that selects the YAML files of a folder, for VS Code's matcher: what has a meaning in a glob stands in brackets. */
export function folderGlob(folder: string): string {
  const escaped = folder.split(path.sep).join("/").replace(/[[\]{}*?!]/g, (c) => `[${c}]`);
  return `${escaped}/**/*.{yaml,yml}`;
}
