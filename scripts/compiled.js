// Loaded before an entry (node --import): what Node has compiled of the code, TypeScript's types taken out, is kept for the next process. Plain
// JavaScript, so that Node needs nothing that takes types out before it knows of what is kept.
import { mkdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";

// Beside the mongod that is run from there, in a folder that nobody else can write: what lies in it is run. NODE_COMPILE_CACHE names another
// one and is followed where it is set.
if (getCompileCacheDir() === undefined) {
  const folder = fileURLToPath(new URL("../.cache/compiled", import.meta.url));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
    // For mongod's guard and other children.
    process.env.NODE_COMPILE_CACHE = folder;
  } catch {
    // Nobody may write here, so nothing is kept.
  }
}
