// Loaded before an entry (node --import): enables Node's compile cache, which includes stripped TypeScript. Plain JavaScript, so that Node
// loads it without stripping types.
import { mkdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";

// Next to the cached mongod, in a folder that only this user can write, because its contents are executed. NODE_COMPILE_CACHE overrides it.
if (getCompileCacheDir() === undefined) {
  const folder = fileURLToPath(new URL("../.cache/compiled", import.meta.url));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
    // For mongod's guard and other children.
    process.env.NODE_COMPILE_CACHE = folder;
  } catch {
    // The folder is not writable, so nothing is cached.
  }
}
