// Files in the data folder that hold a secret.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Reads a secret file in the data folder. If it does not exist, creates one that only its owner can read. */
export function readOrCreate(path: string, make: () => string): string {
  if (!existsSync(path)) {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(path, make(), { mode: 0o600, flag: "wx" });
    } catch (error) {
      // Another process created it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return readFileSync(path, "utf8");
}
