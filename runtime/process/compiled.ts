// What Node has compiled of our code, TypeScript's types taken out, is kept for the next start, which takes half the time.
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { closeDataFolder, keepNewFilesPrivate } from "./private-folder.ts";

/**
 * In the data folder, which nobody else can write: what lies there is run. NODE_COMPILE_CACHE names another folder and is followed where it
 * is set.
 */
export function keepCompiled(dataDir: string): void {
  keepNewFilesPrivate();
  try {
    closeDataFolder(dataDir);
  } catch {
    // The start will say what is wrong with the folder.
    return;
  }
  enableCompileCache(join(dataDir, "compiled"));
}

/** Writes what is new to it: Node does so at its end, which a process that is killed does not have. */
export function flushCompiled(): void {
  flushCompileCache();
}
