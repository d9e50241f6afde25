// The fault suite leaves no processes behind, frozen ones included, even when it is killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isAlive } from "../../runtime/process/alive.ts";

test("a frozen process ends when the suite that froze it is killed with -9", async () => {
  const file = fileURLToPath(new URL("frozen-child-process.ts", import.meta.url));
  const suite = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(suite.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  expect(isAlive(pid)).toBe(true);
  suite.kill("SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
});
