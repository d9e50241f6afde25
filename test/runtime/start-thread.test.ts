// A thread keeps to its small nursery although V8 prefers the flag of the process, and that flag keeps its effect on the main thread.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("nursery-process.ts", import.meta.url));
const MIB = 1024 * 1024;

test("threads have a small nursery under --max-semi-space-size, and the main thread the one that it asks for", () => {
  const printed = execFileSync(process.execPath, ["--max-semi-space-size=16", PROGRAM], { encoding: "utf8" });
  const { main, thread } = JSON.parse(printed) as { main: number; thread: number };
  expect(thread).toBeLessThanOrEqual(4 * MIB);
  expect(main).toBeGreaterThan(16 * MIB);
});
