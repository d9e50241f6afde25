// Limiters of several workers on one database: shared limits, permits without leaks, and a circuit breaker for each worker.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import {
  FIRST_PAUSE_MS,
  MIN_FAILURES,
  PROBE_LOST_MS,
} from "../../../../core/studio/limits/circuit-breakers.ts";
import { createLimiters, type Limiters } from "../../../../core/studio/limits/limiters.ts";
import type { Jobs } from "../../../../core/studio/limits/permits.ts";
import { listProviders, setLimits, setPaused } from "../../../../core/studio/limits/settings.ts";
import { findProvider } from "../../../../core/studio/limits/store.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const TARGET = { provider: "test", model: "flux" };

let app: App;
let clock = createFakeClock();
let ended: Set<string>;
let anyWaiting: boolean;

const testApp = useTestApp({ clock: { now: () => clock.now() } });

afterEach(() => {
  vi.restoreAllMocks();
});

beforeEach(async () => {
  clock = createFakeClock();
  // The circuit breaker library reads the time itself.
  vi.spyOn(Date, "now").mockImplementation(() => clock.now().getTime());
  await testApp.empty();
  ({ app } = testApp);
  ended = new Set();
  anyWaiting = false;
});

const jobs: Jobs = {
  findRunning: async (ids) => new Set(ids.filter((id) => !ended.has(id))),
  anyWaiting: async () => anyWaiting,
};
/** Each limiter is that of another process. */
const worker = (): Limiters => createLimiters(app, jobs);
const names = (count: number, prefix = "job") => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

async function enterAll(gates: readonly Limiters[], ids: readonly string[]): Promise<string[]> {
  const asked = await Promise.all(
    ids.map(async (id, i) => ((await gates[i % gates.length]?.enter(TARGET, id))?.may ? [id] : [])),
  );
  return asked.flat();
}

describe("limits of a provider", () => {
  test("[GATE-01] hold over all workers together, and a call that ends frees its permit", async () => {
    await setLimits(app, "test", { max_calls: 5 });
    const workers = [worker(), worker(), worker()];
    const ids = names(40);
    const admitted = await enterAll(workers, ids);
    expect(admitted).toHaveLength(5);
    expect(await enterAll(workers, names(9, "late"))).toEqual([]);
    // By any worker: the permit belongs to the job.
    for (const id of admitted.slice(0, 2)) expect(await workers[1]?.leave("test", id)).toBe(true);
    expect(await workers[1]?.leave("test", "nobody")).toBe(false);
    expect(await enterAll(workers, names(9, "later"))).toHaveLength(2);
    expect((await findProvider(app.mongo.db, "test"))?.places).toHaveLength(5);
  });

  test("free the permit of an ended job, also when its worker is gone", async () => {
    await setLimits(app, "test", { max_calls: 2 });
    expect(await enterAll([worker()], ["a", "b"])).toEqual(["a", "b"]);
    ended.add("a");
    expect(await enterAll([worker()], ["c", "d"])).toEqual(["c"]);
  });

  test("keep the permit of a job that another worker takes over", async () => {
    await setLimits(app, "test", { max_calls: 1 });
    expect(await enterAll([worker()], ["a"])).toEqual(["a"]);
    expect(await enterAll([worker()], ["a"])).toEqual(["a"]);
  });

  test("count calls per minute over all workers", async () => {
    await setLimits(app, "test", { max_calls_per_minute: 3 });
    expect(await enterAll([worker(), worker()], names(8))).toHaveLength(3);
    expect(await worker().enter(TARGET, "another")).toEqual({
      may: false,
      why: "room",
      untilMs: clock.now().getTime() + 61_000,
    });
    clock.advance(61_000);
    expect(await enterAll([worker(), worker()], names(8, "next"))).toHaveLength(3);
  });

  test("serve waiting jobs before new ones, which leave reserved permits alone", async () => {
    await setLimits(app, "test", { max_calls: 2 });
    const gates = worker();
    anyWaiting = true;
    expect(await gates.enter(TARGET, "new")).toMatchObject({ may: false, why: "room" });
    const waiting = names(3).map((job) => ({ job, model: "flux" }));
    expect(await gates.pick("test", waiting)).toEqual(["job-0", "job-1"]);
    // Two workers may poll at the same time.
    expect(await worker().pick("test", waiting)).toEqual(["job-0", "job-1"]);
    expect(await enterAll([gates], ["job-2", "job-1", "job-0"])).toEqual(["job-1", "job-0"]);
  });

  test("can be removed", async () => {
    await setLimits(app, "test", { max_calls: 1, max_calls_per_minute: 10 });
    expect(await enterAll([worker()], names(3))).toHaveLength(1);
    await setLimits(app, "test", { max_calls: null });
    expect((await listProviders(app))[0]).toMatchObject({ maxCalls: undefined, maxCallsPerMinute: 10 });
    expect(await enterAll([worker()], names(3))).toHaveLength(3);
  });

  test("[GATE-02] cost a job no database command at a provider without limits, pauses and failures", async () => {
    const commands: string[] = [];
    const watched = await watchCommands(testApp, ({ commandName }) => commands.push(commandName));
    const gates = createLimiters(watched.app, jobs);
    for (const id of names(20)) {
      await gates.enter(TARGET, id);
      await gates.ended(TARGET, id, "made");
      await gates.leave("test", id);
    }
    await watched.close();
    // At most, known settings are read again once a second.
    const own = commands.filter((name) => !["hello", "endSessions"].includes(name));
    expect(new Set(own)).toEqual(new Set(["find"]));
    expect(own.length).toBeLessThan(20);
  });
});

describe("pauses of a provider", () => {
  test("stop all calls until they end", async () => {
    await setPaused(app, "test", true);
    expect(await worker().enter(TARGET, "a")).toEqual({ may: false, why: "paused", untilMs: undefined });
    expect(await worker().pick("test", [{ job: "a", model: "flux" }])).toEqual([]);
    expect(await worker().closedModels("test")).toBe("all");
    await setPaused(app, "test", false);
    expect(await worker().enter(TARGET, "a")).toEqual({ may: true });
  });

  test("are refused for an unknown provider", async () => {
    await expect(setPaused(app, "nobody", true)).rejects.toMatchObject({ code: "not_found" });
    await expect(setLimits(app, "test", { max_calls: 1_001 })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "max_calls" }],
    });
  });
});

describe("circuit breakers", () => {
  const refused = (untilMs?: number) => ({ may: false, why: "failing", untilMs });
  const fail = async (gates: Limiters, job: string) => {
    expect(await gates.enter(TARGET, job)).toEqual({ may: true });
    await gates.ended(TARGET, job, "failed");
  };
  async function open(gates: Limiters): Promise<void> {
    for (const job of names(MIN_FAILURES)) await fail(gates, job);
  }
  async function halfOpen(gates: Limiters): Promise<void> {
    await open(gates);
    clock.advance(FIRST_PAUSE_MS);
  }
  const valuesOf = async (name: string) =>
    (await app.metrics.registry.getSingleMetric(`atelier_${name}`)?.get())?.values ?? [];

  test("[GATE-03] stop a worker's calls of a failing model; probes close them again, and each change is counted once", async () => {
    const gates = worker();
    await open(gates);
    const untilMs = clock.now().getTime() + FIRST_PAUSE_MS;
    expect(await gates.enter(TARGET, "a")).toEqual(refused(untilMs));
    expect(await gates.enter({ ...TARGET, model: "another" }, "a")).toEqual({ may: true });
    expect(await gates.closedModels("test")).toEqual(["flux"]);
    expect(await valuesOf("provider_breakers")).toEqual([{ labels: { ...TARGET, state: "open" }, value: 1 }]);
    clock.advance(FIRST_PAUSE_MS);
    expect(await gates.closedModels("test")).toEqual([]);
    expect(await enterAll([gates], names(6, "probe"))).toEqual(["probe-0", "probe-1"]);
    expect(await gates.enter(TARGET, "probe-0")).toEqual({ may: true });
    await gates.ended(TARGET, "somebody else", "failed");
    await gates.ended(TARGET, "probe-0", "made");
    expect(await gates.enter(TARGET, "a")).toEqual(refused());
    await gates.ended(TARGET, "probe-1", "made");
    expect(await enterAll([gates], names(6))).toHaveLength(6);
    expect(await valuesOf("provider_breakers")).toEqual([]);
    const changes = await valuesOf("provider_breaker_changes_total");
    expect(changes.map(({ labels, value }) => [labels["state"], value])).toEqual([
      ["open", 1],
      ["half_open", 1],
      ["closed", 1],
    ]);
  });

  test("are separate for each worker", async () => {
    await open(worker());
    expect(await worker().enter(TARGET, "a")).toEqual({ may: true });
  });

  test("stay open longer after a failed probe", async () => {
    const gates = worker();
    await halfOpen(gates);
    await fail(gates, "probe");
    expect(await gates.enter(TARGET, "a")).toEqual(refused(clock.now().getTime() + 2 * FIRST_PAUSE_MS));
  });

  test.each([
    ["half of the calls or more: it opens", MIN_FAILURES, false],
    ["less than half of the calls: it stays closed", MIN_FAILURES + 1, true],
  ])("%s", async (_what, made, may) => {
    const gates = worker();
    for (const job of names(made)) await gates.ended(TARGET, job, "made");
    for (const job of names(MIN_FAILURES)) await gates.ended(TARGET, job, "failed");
    expect((await gates.enter(TARGET, "a")).may).toBe(may);
  });

  test("forget failures after a minute", async () => {
    const gates = worker();
    for (const job of names(MIN_FAILURES - 1)) await fail(gates, job);
    clock.advance(60_000);
    await fail(gates, "later");
    expect(await gates.enter(TARGET, "a")).toEqual({ may: true });
  });

  test("ignore a call without information about the provider", async () => {
    const gates = worker();
    for (const job of names(20)) await gates.ended(TARGET, job, "neutral");
    for (const job of names(MIN_FAILURES)) await fail(gates, job);
    expect((await gates.enter(TARGET, "a")).may).toBe(false);
  });

  test("give the probe to another job when its job ends without a result, finds no permit, or is lost", async () => {
    const gates = worker();
    await halfOpen(gates);
    expect(await enterAll([gates], ["a", "b", "c"])).toEqual(["a", "b"]);
    await gates.ended(TARGET, "a", "neutral");
    expect(await enterAll([gates], ["c", "d"])).toEqual(["c"]);
    clock.advance(PROBE_LOST_MS);
    await setLimits(app, "test", { max_calls: 1 });
    expect(await enterAll([worker()], ["d"])).toEqual(["d"]);
    // Settings are read again after a second.
    await waitFor("the limit to be read", async () => {
      const entered = await gates.enter(TARGET, "e");
      return !entered.may && entered.why === "room";
    });
    await setLimits(app, "test", { max_calls: null });
    await waitFor("its end to be read", async () => (await gates.enter(TARGET, "f")).may);
    expect(await gates.enter(TARGET, "g")).toEqual({ may: true });
    expect(await gates.enter(TARGET, "h")).toEqual(refused());
  });

  test("admit as many waiting jobs as there are probes", async () => {
    const gates = worker();
    await halfOpen(gates);
    const waiting = names(6, "waiting").map((job, i) => ({ job, model: i === 1 ? "another" : "flux" }));
    expect(await gates.pick("test", waiting)).toEqual(["waiting-0", "waiting-1", "waiting-2"]);
  });
});
