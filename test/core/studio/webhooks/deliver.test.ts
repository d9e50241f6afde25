import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { rotateCallbackSecret, switchCallbackSecret } from "../../../../core/studio/webhooks/secret.ts";
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
  test("carries the job without its callback_url, with both kinds of signature", async () => {
    const { secret } = await rotateCallbackSecret(app, "acc_1");
    const { url, received } = await receiver();
    const jobId = await queueEnd(`${url}?token=1`);
    // Standard Webhooks compares the timestamp with the machine's time.
    clock.set(new Date());
    startDeliverer(app);

    const {
      _id: deliveryId,
      status,
      attempts,
      lease,
      next_attempt_at,
    } = await waitForAttempts(app, jobId, 1);
    expect({ status, lease, next_attempt_at }).toEqual({
      status: "delivered",
      lease: null,
      next_attempt_at: null,
    });
    expect(attempts).toMatchObject([{ number: 1, http_status: 204, error: null }]);
    const [message] = received;
    if (!message) throw new Error("nothing was received");
    expect(message.path).toBe("/hook?token=1");
    const { callback: _callback, ...job } = jobRecord(jobId);
    expect(JSON.parse(message.body.toString())).toEqual({
      event: "job.completed",
      delivery_id: deliveryId,
      created_at: "2026-01-01T00:00:00.000Z",
      job,
    });
    expect(message.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-event": "job.completed",
      "x-service-delivery": deliveryId,
      "x-service-signature": `sha256=${createHmac("sha256", secret).update(message.body).digest("hex")}`,
    });
    expect(new Webhook(secret).verify(message.body, message.headers)).toHaveProperty(
      "delivery_id",
      deliveryId,
    );
  });

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

  test("is made as soon as a failing endpoint works again", async () => {
    const { url } = await receiver((response, number) =>
      response.writeHead(number === 1 ? 503 : 200).end("ok"),
    );
    const jobId = await queueEnd(url);
    startDeliverer(app);
    await waitForAttempts(app, jobId, 1);
    clock.advance(5000);
    expect(await waitForAttempts(app, jobId, 2)).toMatchObject({ status: "delivered" });
  });

  test("[CALL-10] stops at 410", async () => {
    const { url } = await receiver(answerWith(410));
    const jobId = await queueEnd(url);
    startDeliverer(app);
    expect(await waitForAttempts(app, jobId, 1)).toMatchObject({ status: "failed", next_attempt_at: null });
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

  test("[CALL-10] does not follow a redirect", async () => {
    const inside = await receiver();
    const { url } = await receiver(answerWith(307, { location: inside.url }));
    const jobId = await queueEnd(url);
    startDeliverer(app);
    expect((await waitForAttempts(app, jobId, 1)).attempts).toMatchObject([
      { http_status: 307, error: "HTTP 307: redirects are not followed" },
    ]);
    expect(inside.connections()).toBe(0);
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
      [silent.url, "timed out"],
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
    startDeliverer(app, {
      attemptTimeoutMs: 300,
      resolve: async (name) =>
        ({ "inside.test": ["192.168.1.1"], "several.test": ["127.0.0.1", "127.0.0.9"] })[name] ?? [],
    });
    const errors = await Promise.all(
      jobIds.map(async (jobId) => (await waitForAttempts(app, jobId, 1)).attempts[0]?.error),
    );
    expect(errors).toEqual(cases.map(([, error]) => error));
  });

  test("goes to no private address in production, as a literal or by name", async () => {
    const { port, connections } = await receiver();
    const production: App = { ...app, config: { ...app.config, profile: "production" } };
    const urls = [
      "http://127.0.0.1",
      "https://127.0.0.1",
      "https://localhost",
      "https://[::1]",
      "https://inside.test",
    ];
    const jobIds = await Promise.all(urls.map((url) => queueEnd(`${url}:${port}/`)));
    startDeliverer(production, { resolve: async () => ["127.0.0.1"] });
    for (const jobId of jobIds) {
      expect((await waitForAttempts(app, jobId, 1)).attempts).toMatchObject([
        { http_status: null, error: "refused address" },
      ]);
    }
    expect(connections()).toBe(0);
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

const plain = (secret: string, body: Uint8Array = Buffer.alloc(0)) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

describe("a rotation of the webhook secret", () => {
  test("[CALL-11] fails no endpoint: both signatures from the first step, the plain one changes with the second, and the old one ends a day later", async () => {
    clock.set(new Date());
    const old = await rotateCallbackSecret(app, "acc_1");
    expect(old).toMatchObject({ switchesAt: null, previousUntil: null });
    const renewed = await rotateCallbackSecret(app, "acc_1");
    const { url, received } = await receiver();
    const deliverer = startDeliverer(app);
    const next = async () => {
      const jobId = await queueEnd(url);
      deliverer.wake();
      await waitForAttempts(app, jobId, 1);
      const message = received.at(-1);
      if (!message) throw new Error("nothing arrived");
      const fits = ({ secret }: { secret: string }) => {
        try {
          new Webhook(secret).verify(message.body, message.headers);
          return true;
        } catch {
          return false;
        }
      };
      return { plain: message.headers["x-service-signature"], body: message.body, fits };
    };

    const created = await next();
    expect([created.fits(old), created.fits(renewed)]).toEqual([true, true]);
    expect(created.plain).toBe(plain(old.secret, created.body));

    await switchCallbackSecret(app, "acc_1");
    const switched = await next();
    expect([switched.fits(old), switched.fits(renewed)]).toEqual([true, true]);
    expect(switched.plain).toBe(plain(renewed.secret, switched.body));

    // Standard Webhooks compares the timestamp with the machine's time, so a delivery of a day later is only counted.
    clock.advance(24 * 60 * 60 * 1000);
    await next();
    expect(received.at(-1)?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  test("is immediate when the old secret was never shown", async () => {
    const { url, received } = await receiver();
    startDeliverer(app);
    await waitForAttempts(app, await queueEnd(url), 1);
    expect(received[0]?.headers["x-service-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect((await rotateCallbackSecret(app, "acc_1")).previousUntil).toBeNull();
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
