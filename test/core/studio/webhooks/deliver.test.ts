import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { waitFor } from "../../../support/wait-for.ts";
import {
  clearCallbacks,
  findDelivery,
  jobRecord,
  queueEnds,
  startDeliverer,
  waitForAttempts,
} from "./fixtures.ts";
import { answerWith, startReceiver, startTcpServer, receiver } from "./receiver.ts";

const START = "2026-01-01T00:00:00.000Z";
const clock = createFakeClock(START);
const { app } = useTestApp({ clock });
beforeEach(async () => {
  clock.set(START);
  await clearCallbacks(app);
});

async function queueEnd(url: string): Promise<string> {
  const [jobId] = await queueEnds(app, url);
  return jobId ?? "";
}

describe("a webhook delivery", () => {
  test("is attempted seven times on the schedule, then given up", async () => {
    const { url, received } = await receiver(answerWith(500));
    const jobId = await queueEnd(url);
    const deliverer = startDeliverer(app);
    for (const [i, seconds] of [5, 30, 120, 600, 3600, 21_600].entries()) {
      const { next_attempt_at, status } = await waitForAttempts(app, jobId, i + 1);
      expect([status, next_attempt_at]).toEqual([
        "pending",
        new Date(clock.now().getTime() + seconds * 1000),
      ]);
      clock.advance(seconds * 1000);
      deliverer.wake();
    }
    const { status, next_attempt_at, attempts } = await waitForAttempts(app, jobId, 7);
    expect([status, next_attempt_at]).toEqual(["failed", null]);
    expect(attempts.map(({ number, http_status, error }) => [number, http_status, error])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((number) => [number, 500, "HTTP 500"]),
    );
    expect(received).toHaveLength(7);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1);
  });

  test.each([
    ["in seconds", "90"],
    ["with a date", "Thu, 01 Jan 2026 00:01:30 GMT"],
  ])("waits as long as Retry-After says %s", async (_form, header) => {
    const { url } = await receiver(answerWith(429, { "retry-after": header }));
    const jobId = await queueEnd(url);
    startDeliverer(app);
    expect(await waitForAttempts(app, jobId, 1)).toMatchObject({
      status: "pending",
      next_attempt_at: new Date("2026-01-01T00:01:30.000Z"),
    });
  });

  test("succeeds with a 2xx whose body never ends, without waiting for it", async () => {
    const { url } = await receiver((response) => response.writeHead(200).write("…"));
    const jobId = await queueEnd(url);
    startDeliverer(app);
    const [attempt] = (await waitForAttempts(app, jobId, 1)).attempts;
    expect(attempt).toMatchObject({ http_status: 200, error: null });
    expect(attempt?.duration_ms).toBeLessThan(5000);
  });

  test("reads little of an endless response and stores none of it", async () => {
    let sent = 0;
    const { url } = await receiver((response) => {
      const part = Buffer.alloc(64 * 1024, "x");
      const pump = () => {
        while (!response.destroyed && response.write(part)) sent += part.length;
      };
      response.on("drain", pump);
      response.writeHead(500);
      pump();
    });
    const jobId = await queueEnd(url);
    startDeliverer(app);
    const doc = await waitForAttempts(app, jobId, 1);
    expect(doc.attempts).toMatchObject([{ http_status: 500, error: "HTTP 500" }]);
    expect(JSON.stringify(doc)).not.toContain("xx");
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  test("describes in plain words why there was no response", async () => {
    const silent = await receiver(() => {});
    const dead = await startReceiver();
    await dead.close();
    const rude = await startTcpServer((socket) => socket.once("data", () => socket.end("SSH-2.0-rude\r\n")));
    onTestFinished(() => rude.close());
    const closing = await startTcpServer((socket) => socket.destroy());
    onTestFinished(() => closing.close());
    const cases: [string, string][] = [
      [dead.url, "no connection"],
      [rude.url, "no valid HTTP answer"],
      [closing.url, "no connection"],
      [rude.url.replace("http:", "https:"), "no secure connection"],
      ["https://10.0.0.1/", "refused address"],
      ["https://inside.test/", "refused address"],
      ["https://nothing.test/", "name not found"],
      // Its first address answers without TLS, and the second does not listen: the error is that of the first.
      [`https://several.test:${new URL(rude.url).port}/`, "no secure connection"],
    ];
    const jobIds = await Promise.all(cases.map(([url]) => queueEnd(url)));
    const deliverer = startDeliverer(app, {
      resolve: async (name) =>
        ({ "inside.test": ["192.168.1.1"], "several.test": ["127.0.0.1", "127.0.0.9"] })[name] ?? [],
    });
    const errors = await Promise.all(
      jobIds.map(async (jobId) => (await waitForAttempts(app, jobId, 1)).attempts[0]?.error),
    );
    expect(errors).toEqual(cases.map(([, error]) => error));
    // Its own deliverer is hasty: on a busy machine the others take longer than that.
    await deliverer.stop();
    const jobId = await queueEnd(silent.url);
    startDeliverer(app, { attemptTimeoutMs: 300 });
    expect((await waitForAttempts(app, jobId, 1)).attempts).toMatchObject([{ error: "timed out" }]);
  });

  test("is checked against the current settings, not only those at acceptance", async () => {
    const production: App = { ...app, config: { ...app.config, profile: "production" } };
    const asked: string[] = [];
    const jobId = await queueEnd("http://accepted-long-ago.test/");
    startDeliverer(production, {
      resolve: async (name) => {
        asked.push(name);
        return [];
      },
    });
    expect((await waitForAttempts(app, jobId, 1)).attempts).toMatchObject([{ error: "refused address" }]);
    expect(asked).toEqual([]);
  });

  test("counts as attempted when its job cannot be read, and affects no other", async () => {
    const { url } = await receiver();
    const broken = await queueEnd(url);
    const sound = await queueEnd(url);
    startDeliverer(app, {
      loadJob: async (_accountId, jobId) => {
        if (jobId === broken) throw new Error("a bug with a host name in it");
        return { job: jobRecord(jobId) };
      },
    });
    expect((await waitForAttempts(app, broken, 1)).attempts).toMatchObject([
      { error: "job record not available" },
    ]);
    expect(await waitForAttempts(app, sound, 1)).toMatchObject({ status: "delivered" });
  });
});

describe("a deliverer that stops", () => {
  test("lets attempts in flight finish", async () => {
    let answerNow: (() => void) | undefined;
    const { url, received } = await receiver((response) => {
      answerNow = () => response.writeHead(204).end();
    });
    const jobId = await queueEnd(url);
    const deliverer = startDeliverer(app);
    await waitFor("the request", () => received.length === 1);
    const stopped = deliverer.stop();
    answerNow?.();
    await stopped;
    expect(await findDelivery(app, jobId)).toMatchObject({ status: "delivered", attempt_count: 1 });
  });

  test("releases unfinished deliveries, so that the next one attempts them immediately", async () => {
    const { url, received } = await receiver((response, number) => {
      if (number > 1) response.writeHead(204).end();
    });
    const jobId = await queueEnd(url);
    const hasty: App = { ...app, config: { ...app.config, drainMs: 20 } };
    const deliverer = startDeliverer(hasty);
    await waitFor("the request", () => received.length === 1);
    await deliverer.stop();
    expect(await findDelivery(app, jobId)).toMatchObject({
      status: "pending",
      lease: null,
      next_attempt_at: clock.now(),
      attempt_count: 0,
    });
    startDeliverer(app);
    expect(await waitForAttempts(app, jobId, 1)).toMatchObject({ status: "delivered" });
  });
});
