// How a process ends.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { waitFor } from "../support/wait-for.ts";

const SCRIPT = fileURLToPath(new URL("../support/shutdown-process.ts", import.meta.url));
/** Longer than any test may take. */
const FAR = 600_000;

type Ended = { lines: string[]; code: number | null; seconds: number };

async function run(
  boundMs: number,
  behaviour: string,
  signal?: (child: ChildProcess) => Promise<void> | void,
): Promise<Ended> {
  const child = spawn(process.execPath, [SCRIPT, String(boundMs), behaviour], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  const ended = once(child, "close");
  await waitFor("the process", () => out.includes("up"));
  const startedAt = performance.now();
  await signal?.(child);
  const [code] = (await ended) as [number | null];
  return { lines: out.trim().split("\n"), code, seconds: (performance.now() - startedAt) / 1000 };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s closes the parts in reverse order and ends with code 0",
  async (signal) => {
    const { lines, code } = await run(FAR, "works", (child) => void child.kill(signal));
    expect([lines, code]).toEqual([["up", "http", "worker", "database"], 0]);
  },
);

test("a part that fails does not keep the next ones open", async () => {
  const { lines, code } = await run(FAR, "fails", (child) => void child.kill("SIGTERM"));
  expect([lines, code]).toEqual([["up", "http", "worker", "database"], 0]);
});

test("a part that hangs is given up after the bound, with code 1", async () => {
  const { lines, code } = await run(300, "hangs", (child) => void child.kill("SIGTERM"));
  expect([lines, code]).toEqual([["up", "http", "worker"], 1]);
});

test("a second Ctrl-C ends it at once; one that npm hands on within the second does not", async () => {
  const { code, seconds } = await run(FAR, "hangs", async (child) => {
    child.kill("SIGINT");
    child.kill("SIGINT");
    await delay(100);
    child.kill("SIGINT");
    // A person takes a moment to press it again.
    while (child.exitCode === null) {
      await delay(50);
      child.kill("SIGINT");
    }
  });
  expect(code).toBe(1);
  expect(seconds).toBeGreaterThan(1);
});

test("an error that nobody caught closes the parts too, with code 1", async () => {
  const { lines, code } = await run(FAR, "bug");
  expect([lines, code]).toEqual([["up", "http", "worker", "database"], 1]);
});

test("a part that is lost for good ends the process in order, with code 1", async () => {
  const { lines, code } = await run(FAR, "told");
  expect([lines.toSorted(), code]).toEqual([["database", "http", "up", "worker"], 1]);
});

test("a part that cannot close for want of what was lost does not hold up the end", async () => {
  const { lines, code } = await run(FAR, "lost");
  expect([lines, code]).toEqual([["up", "http", "worker"], 1]);
});
