// Files of the data folder that hold a secret.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Reads a secret file of the data folder; makes it, readable by its owner only, when it is not there. */
export function readOrCreate(path: string, make: () => string): string {
  if (!existsSync(path)) {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(path, make(), { mode: 0o600, flag: "wx" });
    } catch (error) {
      // Another process of ours made it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return readFileSync(path, "utf8");
}
