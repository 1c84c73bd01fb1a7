// Which texts are stories: decided by what stands in them, never by a file's name, so that an `app.yaml` of another tool is
// left alone. The same test as that of `kitsoki check FOLDER`.

const OTHER_KEYS = new Set(["root", "states", "include", "imports", "intents", "phases", "meta_modes"]);

/** The text behind the colon of a top-level line. */
interface Line {
  readonly key: string;
  readonly rest: string;
}

function topLevel(line: string): Line | undefined {
  const found = /^([A-Za-z_][A-Za-z0-9_]*)\s*:(?:\s+(.*)|)$/.exec(line);
  return found?.[1] === undefined ? undefined : { key: found[1], rest: found[2] ?? "" };
}

/** Whether a text is the manifest of a story: `app:` with a mapping, beside another key of a story, and no kind of its own. */
export function isManifest(text: string): boolean {
  let app = false;
  let other = false;
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    const found = topLevel(line);
    if (found === undefined) {
      continue;
    }
    if (found.key === "app") {
      const rest = found.rest.replace(/^&\S+\s*/, "").trimStart();
      const nested = () => {
        const next = lines.slice(index + 1).find((l) => l.trim() !== "" && !l.trimStart().startsWith("#"));
        return next !== undefined && /^[ \t]/.test(next);
      };
      app ||= rest.startsWith("{") || ((rest === "" || rest.startsWith("#")) && nested());
    } else if (OTHER_KEYS.has(found.key)) {
      other = true;
    } else if (found.key === "test_kind" || found.key === "kind") {
      return false;
    }
  }
  return app && other;
}

/** Whether a text is a flow: a test of a story. */
export function isFlow(text: string): boolean {
  return text.split(/\r\n|\r|\n/).some((line) => {
    const found = topLevel(line);
    return found?.key === "test_kind" && /^["']?flow["']?\s*(#.*)?$/.test(found.rest);
  });
}

/** The name of the room at a line of a text, when the line stands below `states:`; the path of nested rooms with dots. */
export function roomAt(text: string, line: number): string | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const path: { indent: number; name: string }[] = [];
  for (const current of lines.slice(0, line + 1)) {
    const found = /^( *)(?:"([^"]+)"|'([^']+)'|([^\s#"'][^:]*?))\s*:(?:\s|$)/.exec(current);
    if (found === null || current.trimStart().startsWith("- ")) {
      continue;
    }
    const indent = found[1]?.length ?? 0;
    while (path.length > 0 && (path.at(-1)?.indent ?? 0) >= indent) {
      path.pop();
    }
    path.push({ indent, name: found[2] ?? found[3] ?? found[4] ?? "" });
  }
  const names = path.map((step) => step.name);
  const rooms: string[] = [];
  for (let at = 0; names[at] === "states" && names[at + 1] !== undefined; at += 2) {
    rooms.push(names[at + 1] ?? "");
  }
  return rooms.length > 0 ? rooms.join(".") : undefined;
}
