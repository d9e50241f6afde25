// Finds a backup on the disk and proves that it is what was written: the manifest by its own digest, every file by the manifest's.
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { StartupError } from "../../../runtime/process/startup-error.ts";
import { checkFile, damaged, readCompressed } from "./disk.ts";
import {
  finishedBackups,
  type Manifest,
  MANIFEST,
  MANIFEST_SUM,
  manifestSchema,
  OBJECT_FOLDER,
  type ObjectEntry,
  PARTIAL,
} from "./rules.ts";

export type FoundBackup = { readonly path: string; readonly manifest: Manifest };

/** `folder` is a backup, or contains backups: then the newest. Throws a one-line StartupError if there is none that can be read. */
export async function findBackup(folder: string): Promise<FoundBackup> {
  const entries = await readdir(folder).catch(() => {
    throw new StartupError(`There is no folder ${folder}.`);
  });
  if (folder.replace(/\/+$/, "").endsWith(PARTIAL)) throw damaged(folder, "was never finished");
  if (entries.includes(MANIFEST)) return { path: folder, manifest: await readManifest(folder) };
  const [newest] = finishedBackups(entries);
  if (newest === undefined) throw new StartupError(`The folder ${folder} is no backup, and holds none.`);
  const path = join(folder, newest);
  return { path, manifest: await readManifest(path) };
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const read = (name: string) =>
    readFile(join(folder, name), "utf8").catch(() => {
      throw damaged(join(folder, name), "is missing");
    });
  const [text, sum] = [await read(MANIFEST), await read(MANIFEST_SUM)];
  if (sum.split(" ")[0] !== createHash("sha256").update(text).digest("hex"))
    throw damaged(path, "is not what was written: its SHA-256 is another one");
  const format: unknown = (JSON.parse(text) as { format?: unknown }).format;
  const parsed = manifestSchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new StartupError(
    `${path} is of a format (${String(format)}) that this version of Atelier does not know. Restore it with a newer one.`,
  );
}

/** Reads everything. `onFile` is called for each file that is correct. */
export async function checkBackup(
  { path, manifest }: FoundBackup,
  onFile: (file: string) => void = () => {},
): Promise<void> {
  const { collections, objects } = manifest;
  const files = [...collections, ...(objects ? [objects] : [])];
  // A missing or truncated file is reported before hours of reading.
  for (const { file, stored_bytes } of files) {
    const found = await stat(join(path, file)).catch(() => undefined);
    if (found?.size !== stored_bytes)
      throw damaged(join(path, file), found ? "is cut off or was added to" : "is missing");
  }
  for (const one of files) {
    await checkFile(join(path, one.file), one);
    onFile(one.file);
  }
  for await (const { key, bytes, sha256, copied } of listObjects({ path, manifest }))
    if (copied) await checkFile(join(path, OBJECT_FOLDER, key), { stored_bytes: bytes, sha256 });
}

/** The files of the object store that the backup names. */
export async function* listObjects({ path, manifest }: FoundBackup): AsyncGenerator<ObjectEntry> {
  if (!manifest.objects) return;
  const lines = createInterface({ input: Readable.from(readCompressed(join(path, manifest.objects.file))) });
  for await (const line of lines) yield JSON.parse(line) as ObjectEntry;
}
