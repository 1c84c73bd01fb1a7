// Runs the `kitsoki` program for what is no business of the language server: graphs and expansions.
import { execFile } from "node:child_process";
import * as path from "node:path";

/** What a run gave. Status 1 means findings: there is output all the same. */
export interface Run {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

const LARGEST = 64 * 1024 * 1024;

/** Runs the program in a folder. Arguments are never seen by a shell. */
export function run(program: string, args: readonly string[], folder: string): Promise<Run> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: LARGEST, timeout: 30_000, windowsHide: true };
    execFile(program, [...args], options, (error, out, err) => {
      if (error === null) {
        resolve({ status: 0, out, err });
      } else if (typeof error.code === "number") {
        resolve({ status: error.code, out, err });
      } else {
        reject(new Error(startFailure(program, error)));
      }
    });
  });
}

/** Why the program did not run, and what to do. */
export function startFailure(program: string, error: { code?: unknown; message: string }): string {
  // The language client tells it in words only.
  if (error.code === "ENOENT" || /\bENOENT\b/.test(error.message)) {
    const what = path.isAbsolute(program) ? `There is no program ${program}.` : `No program ${program} is in PATH.`;
    return `${what} Install kitsoki, or name it in the setting kitsoki.server.path.`;
  }
  return `${program} cannot be run: ${error.message}`;
}

/** A word for the shell of a terminal, quoted when it needs to be. */
export function shellWord(word: string, windows: boolean): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) {
    return word;
  }
  return windows ? `'${word.replaceAll("'", "''")}'` : `'${word.replaceAll("'", "'\\''")}'`;
}
