// Only its owner can read the data folder. It is created private, and made private again if an earlier release or a copy left it open.
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "./startup-error.ts";

/**
 * Files that the service or the creation of a file system put there. A folder with anything else may belong to others, and its permissions
 * stay.
 */
const OURS =
  /^(compiled|content-credentials[-\d]*\.pem|mongo|mongo[.d].*|demo\.json.*|atelier\.log.*|secret|service[-.].*|lost\+found)$/;
const OTHERS = 0o077;

/** Makes new files of this process and its children readable by their owner only. */
export function keepNewFilesPrivate(): void {
  process.umask(OTHERS);
}

/** Throws a one-line StartupError if other users share the folder. */
export function closeDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if ((mode & OTHERS) === 0) return;
  const user = process.getuid?.();
  const entries = readdirSync(folder, { withFileTypes: true });
  const foreign = entries.find(({ name }) => !OURS.test(name));
  if (foreign || (user !== 0 && user !== uid)) {
    throw new StartupError(
      `The data folder ${folder} is open to other users and ${foreign ? `holds ${foreign.name}, which is not ours` : "belongs to another one"}. ` +
        "Set ATELIER_DATA_DIR to a folder of its own, or close it with chmod 700.",
    );
  }
  chmodSync(folder, 0o700);
  for (const entry of entries)
    if (entry.isFile() || entry.isDirectory())
      chmodSync(join(folder, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}
