// Many parallel deliveries: several deliverers, crashed ones, and slow endpoints.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { findDueEndpoints, leaseDeliveries, recordAttempt } from "../../../../core/studio/webhooks/store.ts";
import { createTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import {
  clearCallbacks,
  findDelivery,
  queueEnds,
  startDeliverer,
  waitForAttempts,
  waitForStatus,
} from "./fixtures.ts";
import { type Answer, receiver } from "./receiver.ts";

const START = "2026-01-01T00:00:00.000Z";
const clock = createFakeClock(START);
let app: App;
// Ends the test without waiting for a dead endpoint.
const testApp = sharedByTests(() => createTestApp({ clock, env: { ATELIER_DRAIN_MS: "50" } }));
beforeAll(async () => {
  app = testApp.app;
});
beforeEach(async () => {
  clock.set(START);
  await clearCallbacks(app);
});

const never: Answer = () => {};
const anyHost = { afterHost: "", hosts: { without: [] }, maxHosts: 10, rowsEach: 4 };

async function takeAs(owner: string, until: Date) {
  const due = await findDueEndpoints(app.mongo.db, { ...anyHost, now: clock.now() });
  return leaseDeliveries(
    app.mongo.db,
    due.flatMap(({ ids }) => ids),
    { owner, until },
    clock.now(),
  );
}

describe("a dead endpoint", () => {
  test("a dead endpoint with thousands of due deliveries delays no other", async () => {
    const dead = await receiver(never);
    const healthy = await receiver();
    await queueEnds(app, dead.url, 3000);
    clock.advance(1000);
    const [jobId = ""] = await queueEnds(app, healthy.url);
    startDeliverer(app);
    // The dead one keeps its attempts open for 10 s; the test waits for none of them.
    expect(await waitForAttempts(app, jobId, 1, 5000)).toMatchObject({ status: "delivered" });
    // Its request may arrive after the other one was answered.
    await waitFor("the request to the dead endpoint", () => dead.received.length > 0);
    expect(dead.received).toHaveLength(1);
  });

  test("delays no other in large numbers either", async () => {
    const proven = await receiver();
    const [first = ""] = await queueEnds(app, proven.url);
    startDeliverer(app, { maxInFlight: 8 });
    await waitForAttempts(app, first, 1);
    const dead = await Promise.all(Array.from({ length: 20 }, () => receiver(never)));
    await Promise.all(dead.map(({ url }) => queueEnds(app, url, 20)));
    await waitFor(
      "the room for unknown receivers to be used up",
      () => dead.filter(({ received }) => received.length > 0).length === 6,
    );
    const [jobId = ""] = await queueEnds(app, proven.url);
    expect(await waitForAttempts(app, jobId, 1, 5000)).toMatchObject({ status: "delivered" });
    expect(Math.max(...dead.map((one) => one.mostAtOnce()))).toBe(1);
  });

  test("adds no cost per row to the search for due deliveries", async () => {
    await queueEnds(app, "https://dead.test/", 5000);
    await queueEnds(app, "https://z.test/", 1);
    const plan = await app.mongo.db
      .collection("deliveries")
      .aggregate([
        {
          $match: {
            host: { $gt: "", $nin: ["https://x.test"] },
            next_attempt_at: { $gt: new Date(0), $lte: clock.now() },
          },
        },
        { $sort: { host: 1, next_attempt_at: 1 } },
        { $group: { _id: "$host", oldest: { $first: "$next_attempt_at" } } },
      ])
      .explain("queryPlanner");
    expect(JSON.stringify(plan)).toContain("DISTINCT_SCAN");
    const due = await findDueEndpoints(app.mongo.db, { ...anyHost, now: clock.now() });
    expect(due.map(({ host, ids }) => `${host} ${ids.length}`)).toEqual([
      "https://dead.test 4",
      "https://z.test 1",
    ]);
  });
});

test("an endpoint gets at most four deliveries at a time, and all of them in the end", async () => {
  const held: (() => void)[] = [];
  const one = await receiver((response, number) => {
    const answer = () => response.writeHead(204).end();
    if (number === 1) answer();
    else held.push(answer);
  });
  await queueEnds(app, one.url, 30);
  startDeliverer(app);
  await waitFor("four requests at once", () => one.mostAtOnce() === 4);
  await waitFor("all requests", () => {
    for (const answer of held.splice(0)) answer();
    return one.received.length === 30;
  });
  await waitFor("the last answers", () => {
    for (const answer of held.splice(0)) answer();
    return app.mongo.db
      .collection("deliveries")
      .countDocuments({ status: "delivered" })
      .then((count) => count === 30);
  });
  expect(one.mostAtOnce()).toBe(4);
});

test("endpoints far apart in the list all get their turn", async () => {
  const receivers = await Promise.all(Array.from({ length: 12 }, () => receiver()));
  for (const { url } of receivers) await queueEnds(app, url, 5);
  startDeliverer(app, { maxInFlight: 3 });
  await waitForStatus(app, "delivered", 60);
  expect(receivers.map(({ received }) => received.length)).toEqual(receivers.map(() => 5));
});

test("two deliverers deliver everything once", async () => {
  const receivers = await Promise.all([receiver(), receiver(), receiver()]);
  for (const { url } of receivers) await queueEnds(app, url, 60);
  startDeliverer(app);
  startDeliverer(app);
  await waitForStatus(app, "delivered", 180);
  const ids = receivers.flatMap(({ received }) =>
    received.map(({ headers }) => headers["x-service-delivery"]),
  );
  expect(ids).toHaveLength(180);
  expect(new Set(ids).size).toBe(180);
});

describe("a deliverer that crashed", () => {
  test("leaves its deliveries to another one as soon as its lease has ended, and not before", async () => {
    const { url, received } = await receiver();
    const [jobId = ""] = await queueEnds(app, url);
    const until = new Date(clock.now().getTime() + 30_000);
    expect(await takeAs("crashed", until)).toHaveLength(1);
    const [control = ""] = await queueEnds(app, url);
    const deliverer = startDeliverer(app);
    await waitForAttempts(app, control, 1);
    expect(received).toHaveLength(1);
    expect((await findDelivery(app, jobId)).lease).toEqual({ owner: "crashed", until });
    clock.set(until);
    deliverer.wake();
    expect(await waitForAttempts(app, jobId, 1)).toMatchObject({ status: "delivered", attempt_count: 1 });
  });

  test("records nothing when it resumes after another one has its lease", async () => {
    const [jobId = ""] = await queueEnds(app, "https://example.com/");
    const [stale] = await takeAs("slow", clock.now());
    if (!stale) throw new Error("nothing was taken");
    await takeAs("fast", new Date(clock.now().getTime() + 30_000));
    const attempt = { number: 1, at: clock.now(), http_status: 204, duration_ms: 5, error: null };
    expect(
      await recordAttempt(app.mongo.db, stale, attempt, { status: "delivered", nextAttemptAt: null }),
    ).toBe(false);
    expect(await findDelivery(app, jobId)).toMatchObject({
      status: "pending",
      attempt_count: 0,
      lease: { owner: "fast" },
    });
  });
});
