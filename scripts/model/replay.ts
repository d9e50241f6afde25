// Replays traces of the model, with this code or with a changed copy of it, as `npm test` does.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";

const TEST = "test/faults/interleavings.test.ts";
const NOT_COPIED: ReadonlySet<string> = new Set(["node_modules", ".cache", ".git", ".data", "artifacts"]);

type First = { readonly trace: number; readonly what: string };

/** `isTable`: whether the audit's table of paths is that of the traces. */
type Replayed = { readonly found: { replay?: First; audit?: First }; readonly isTable: boolean };

/** A text in a file, and what takes its place. */
export type Patch = readonly [file: string, from: string, to: string];

export async function replay(root: string, traces: string): Promise<Replayed> {
  const args = [
    join(root, "node_modules/.bin/vitest"),
    "run",
    TEST,
    "-t",
    "of the model",
    "--reporter=verbose",
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    // oxlint-disable-next-line node/no-process-env -- the test has this command's settings
    env: { ...process.env, ATELIER_MODEL_TRACES: traces, NO_COLOR: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const out = await text(child.stdout);
  const [, line] = /^replayed: (.*)$/m.exec(out) ?? [];
  if (line === undefined) throw new Error(`The replay did not run:\n${out}`);
  return { ...(JSON.parse(line) as Pick<Replayed, "found">), isTable: /✓.*the table of the audit/.test(out) };
}

/** Does something with a copy of the code in which these texts are replaced. Throws if a file does not have its text once. */
export async function withCopy<T>(
  root: string,
  patches: readonly Patch[],
  work: (copy: string) => Promise<T>,
): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), "atelier-model-"));
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    for (const name of ["node_modules", ".cache"]) symlinkSync(join(root, name), join(copy, name));
    for (const [file, from, to] of patches) {
      const path = join(copy, file);
      writeFileSync(path, replaceOnce(readFileSync(path, "utf8"), from, to));
    }
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

export function replaceOnce(whole: string, from: string, to: string): string {
  const parts = whole.split(from);
  if (parts.length !== 2) throw new Error(`The text "${from}" is there ${parts.length - 1} times, not once.`);
  return parts.join(to);
}
