// Files that commands read and write. An unusable file is wrong usage, reported before core is called.
import { closeSync, openSync, realpathSync, statSync, writeSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { UsageError } from "./failure.ts";

/** Only for their owner: the files may contain costs, notes and keys. */
const OWNER_ONLY = 0o600;

/** A file, or standard input for "-". It is read only as fast as the reader asks. */
export async function openFile(path: string): Promise<Readable> {
  if (path === "-") return process.stdin;
  try {
    const handle = await open(path);
    const isFolder = (await handle.stat()).isDirectory();
    if (!isFolder) return handle.createReadStream();
    await handle.close();
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${reason(error)}`);
  }
  throw new UsageError(`${path} is a folder`);
}

/** A file that is written one JSON line at a time. `inputPath` is refused: it would be emptied before it is read. */
export function createReport(path: string, inputPath: string): { add(value: unknown): void; close(): void } {
  if (isSameFile(path, inputPath))
    throw new UsageError(`${path} is the file to read: save the report elsewhere`);
  let file: number;
  try {
    file = openSync(path, "w", OWNER_ONLY);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reason(error)}`);
  }
  return {
    add: (value) => writeSync(file, `${JSON.stringify(value)}\n`),
    close: () => closeSync(file),
  };
}

/** Writes a file, or replaces it. The file gets its name only once it is complete: if `work` fails, the earlier file stays. */
export async function replaceFile<T>(
  path: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const target = targetOf(path);
  const partial = target.isRegular ? `${target.path}.${process.pid}.partial` : target.path;
  let handle;
  try {
    handle = await open(partial, "w", OWNER_ONLY);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reason(error)}`);
  }
  try {
    const file = handle;
    const result = await work(async (text) => {
      await file.writeFile(text);
    });
    if (target.isRegular) await file.sync();
    await file.close();
    if (target.isRegular) await rename(partial, target.path);
    return result;
  } catch (error) {
    await handle.close();
    if (target.isRegular) await rm(partial, { force: true });
    throw error;
  }
}

/** Follows links; a device or a pipe is written directly. */
function targetOf(path: string): { path: string; isRegular: boolean } {
  const before = statSync(path, { throwIfNoEntry: false });
  if (before && !before.isFile()) return { path, isRegular: false };
  return { path: before ? realpathSync(path) : path, isRegular: true };
}

function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
