import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type ServiceProcess, startEntry } from "../../scripts/testbed/processes.ts";
import { waitFor } from "../support/wait-for.ts";

/** Longer than any test may take. */
const FAR = 600_000;

type Ended = { lines: string[]; log: string; code: number | null; seconds: number };

async function run(
  boundMs: number,
  behaviour: string,
  signal?: (child: ServiceProcess) => Promise<void>,
): Promise<Ended> {
  const child = startEntry("test/support/shutdown-process.ts", {}, { args: [String(boundMs), behaviour] });
  await waitFor("the process", () => child.stdout().includes("up"));
  const startedAt = performance.now();
  await signal?.(child);
  const code = await child.ended;
  const lines = child.stdout().trim().split("\n");
  return { lines, log: child.stderr(), code, seconds: (performance.now() - startedAt) / 1000 };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s closes the parts in reverse order and exits with 0",
  async (signal) => {
    const { lines, code } = await run(FAR, "works", (child) => child.signal(signal));
    expect([lines, code]).toEqual([["up", "http", "worker", "database"], 0]);
  },
);

test("a failing part does not keep the next ones open", async () => {
  const { lines, code } = await run(FAR, "fails", (child) => child.signal("SIGTERM"));
  expect([lines, code]).toEqual([["up", "http", "worker", "database"], 0]);
});

test("a hanging part is named and given up after the limit, with exit code 1", async () => {
  const { lines, log, code } = await run(300, "hangs", (child) => child.signal("SIGTERM"));
  expect([lines, code]).toEqual([["up", "http", "worker"], 1]);
  expect(log).toContain("worker did not close within 300 ms; exiting anyway");
});

test("a second Ctrl-C ends the process immediately; one that npm forwards within the second does not", async () => {
  const { code, seconds } = await run(FAR, "hangs", async (child) => {
    await child.signal("SIGINT");
    await child.signal("SIGINT");
    await delay(100);
    await child.signal("SIGINT");
    // A person needs a moment to press it again.
    while (child.isRunning()) {
      await delay(50);
      await child.signal("SIGINT");
    }
  });
  expect(code).toBe(1);
  expect(seconds).toBeGreaterThan(1);
});

test("an uncaught error closes the parts too, with exit code 1", async () => {
  const { lines, code } = await run(FAR, "bug");
  expect([lines, code]).toEqual([["up", "http", "worker", "database"], 1]);
});

test("the permanent loss of a part stops the process in order, with exit code 1", async () => {
  const { lines, code } = await run(FAR, "told");
  expect([lines.toSorted(), code]).toEqual([["database", "http", "up", "worker"], 1]);
});

test("a part that needs the lost one does not delay the end", async () => {
  const { lines, code } = await run(FAR, "lost");
  expect([lines, code]).toEqual([["up", "http", "worker"], 1]);
});
