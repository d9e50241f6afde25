// Rates counted in a real Redis by several processes, and requests while it is away.
import { expect, onTestFinished, test } from "vitest";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { connectSharedCounters } from "../../edge/http/shared-counters.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { startOwnRedis } from "../support/redis.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { expectPrompt } from "../support/thorough.ts";
import { waitFor } from "../support/wait-for.ts";

const QUOTA = 3;
/** An upper limit for an immediate response on a busy machine, well below the wait for a silent Redis. */
const AT_ONCE_MS = 500;

type Line = { level: number; msg: string; fault?: string };

/** A busy machine may need longer than the second that Redis has in the service. */
const PATIENT = { answerMs: 60_000 };

/** Counts as one process does. */
async function startProcess(url: string, times: { answerMs?: number } = PATIENT) {
  const lines: string[] = [];
  const log = createLog("info", "test", { write: (line) => void lines.push(line) });
  const metrics = createMetrics();
  const shared = await connectSharedCounters(url, { log, metrics, ...times });
  onTestFinished(() => shared.close());
  const limits = createRateLimits(loadConfig({ ATELIER_RATE_API: String(QUOTA) }), metrics, { shared });
  return {
    limits,
    lines,
    logged: () => lines.map((line) => JSON.parse(line) as Line),
    /** What is left after counting one more, or "refused". */
    count: async (subject = "somebody") => {
      const { headers, refusal } = await limits.count("api", subject);
      return refusal ? "refused" : Number(/;r=(\d+);/.exec(headers["ratelimit"] ?? "")?.[1]);
    },
    fallbacks: async () =>
      (await metrics.registry.getSingleMetric("atelier_rate_fallbacks_total")?.get())?.values[0]?.value ?? 0,
  };
}

test("[LIM-03] processes with one Redis share one limit", async () => {
  const { url } = await startOwnRedis();
  const [one, other] = [await startProcess(url), await startProcess(url)];
  expect([await one.count(), await other.count(), await one.count()]).toEqual([2, 1, 0]);
  expect([await one.count(), await other.count()]).toEqual(["refused", "refused"]);
  expect(await other.count("somebody else")).toBe(2);
  const { headers, refusal } = await other.limits.count("api", "somebody");
  const wait = refusal?.retryAfterSeconds ?? 0;
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect(headers).toEqual({ "ratelimit-policy": `"api";q=${QUOTA};w=60`, ratelimit: `"api";r=0;t=${wait}` });
  expect([...one.logged(), ...other.logged()]).toEqual([]);
  expect(await one.fallbacks()).toBe(0);
});

test("[LIM-04] while Redis is away each process counts alone, logs it once, and recovers automatically", async () => {
  const { port } = await startOwnRedis();
  const way = await startTcpProxy(port);
  onTestFinished(() => way.cut());
  const url = `redis://127.0.0.1:${way.port}`;
  const [one, other] = [await startProcess(url), await startProcess(url)];
  expect([await one.count(), await other.count()]).toEqual([2, 1]);

  await way.cut();
  const before = performance.now();
  const together = await Promise.all([one.count(), one.count(), one.count(), one.count()]);
  expect(together.toSorted()).toEqual([0, 1, 2, "refused"]);
  expect(await other.count()).toBe(2);
  expectPrompt(performance.now() - before, AT_ONCE_MS);
  expect((await one.limits.count("api", "somebody")).refusal).toBeDefined();
  expect(one.logged()).toEqual([
    expect.objectContaining({ level: 40, msg: expect.stringContaining("Redis is unavailable") }),
  ]);
  expect(await one.fallbacks()).toBe(5);

  await way.restore();
  await waitFor("Redis to be back", async () => {
    await one.count("somebody else");
    return one.logged().length === 2;
  });
  expect(one.logged()[1]).toMatchObject({ level: 30, msg: expect.stringContaining("Redis is back") });
  expect(await one.count()).toBe(0);
});

test("[LIM-04] a Redis that hangs delays its waiting callers for a second, and no later ones", async () => {
  const { port } = await startOwnRedis();
  const way = await startTcpProxy(port);
  onTestFinished(() => way.cut());
  const one = await startProcess(`redis://127.0.0.1:${way.port}`, {});
  const fallsBack = async () => {
    const before = await one.fallbacks();
    await one.count("somebody else");
    return (await one.fallbacks()) > before;
  };
  await waitFor("Redis to count", async () => !(await fallsBack()));
  one.lines.length = 0;

  way.blackHole();
  const before = performance.now();
  expect(await Promise.all([one.count(), one.limits.release("api", "somebody else")])).toMatchObject([
    2,
    undefined,
  ]);
  expectPrompt(performance.now() - before, 5_000);
  const after = performance.now();
  expect([await one.count(), await one.count()]).toEqual([1, 0]);
  expectPrompt(performance.now() - after, AT_ONCE_MS);

  await way.restore();
  await waitFor("Redis to be back", async () => {
    await one.count("somebody else");
    return one.logged().length === 2;
  });
});

test("a process that starts without Redis runs, and uses it when it comes", async () => {
  const port = await freePort();
  const one = await startProcess(`redis://127.0.0.1:${port}`);
  expect(await one.count()).toBe(2);
  expect(one.logged()).toMatchObject([{ level: 40, fault: expect.stringContaining("ECONNREFUSED") }]);
  await startOwnRedis({ port });
  await waitFor("Redis to be found", async () => {
    await one.count("somebody else");
    return one.logged().length === 2;
  });
  expect(await one.count()).toBe(2);
});

test("a Redis that refuses writes is logged once, and a returned permit is returned locally", async () => {
  const { url } = await startOwnRedis({ maxMemoryBytes: 1 });
  const one = await startProcess(url);
  for (const left of [2, 1, 0]) expect(await one.count()).toBe(left);
  expect(await one.count()).toBe("refused");
  for (let i = 0; i < 2; i++) await one.limits.release("api", "somebody");
  expect(await one.count()).toBe(0);
  expect(one.logged()).toMatchObject([{ level: 40, fault: expect.stringContaining("OOM") }]);
});

test("the password in the URL opens Redis; a wrong one is never logged", async () => {
  const { port } = await startOwnRedis({ password: "the-right-one" });
  const right = await startProcess(`redis://:the-right-one@127.0.0.1:${port}`);
  expect(await right.count()).toBe(2);
  expect(right.lines).toEqual([]);
  const wrong = await startProcess(`redis://:the-wrong-one@127.0.0.1:${port}`);
  expect(await wrong.count()).toBe(2);
  expect(wrong.logged()).toMatchObject([{ level: 40, fault: expect.stringContaining("WRONGPASS") }]);
  expect(wrong.lines.join("")).not.toContain("the-wrong-one");
});
