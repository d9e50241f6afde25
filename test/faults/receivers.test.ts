// Slow, dead, redirecting and inside webhook endpoints on the whole service: they delay no other work, and no inside address is reached.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { DeliveryResource } from "../../proto/resources/callback.ts";
import { newServiceKey, trustedKey } from "../../runtime/keys/service-token.ts";
import {
  type Answer,
  answerWith,
  type Receiver,
  startReceiver,
  receiver,
} from "../core/studio/webhooks/receiver.ts";
import { createCustomer } from "../support/app.ts";
import { expectRefusal, PICTURE } from "../support/http-calls.ts";
import { expectPrompt } from "../support/prompt.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService, type WholeServiceOptions } from "../support/whole-service.ts";

const PROMPT_SECONDS = 5;

async function begin(options: WholeServiceOptions): Promise<WholeService> {
  const service = await startWholeService(options);
  onTestFinished(() => service.close());
  return service;
}

async function logOf(service: WholeService, key: string, jobId: string): Promise<DeliveryResource[]> {
  const { body } = await service.call<{ result: { data: DeliveryResource[] } }>(
    `/api/jobs/${jobId}/callbacks`,
    { key },
  );
  return body.result.data;
}

test("[CALL-08] slow, dead, failing and redirecting endpoints delay no job and no other delivery", async () => {
  const service = await begin({});
  const inside = await receiver();
  const never: Answer = () => {};
  const trouble = await Promise.all([
    ...Array.from({ length: 6 }, () => receiver(never)),
    receiver((response) => setTimeout(() => response.writeHead(204).end(), 8_000).unref()),
    receiver(answerWith(500)),
    receiver(answerWith(302, { location: inside.url })),
    receiver(answerWith(308, { location: inside.url })),
  ]);
  const dead = await receiver();
  await dead.close();
  const noisy = await createCustomer(service.app, { plan: "studio", credits: 10_000 });
  const quiet = await createCustomer(service.app, { plan: "studio", credits: 10_000 });
  const urls = [...trouble, dead].map(({ url }) => url);
  const made = await Promise.all(
    Array.from({ length: 110 }, (_, i) =>
      service.generate(noisy.key, { callback_url: urls[i % urls.length] }),
    ),
  );
  await waitFor("the troubled receivers to be busy", () =>
    trouble.every(({ received }) => received.length > 0),
  );

  const healthy = await receiver();
  const from = performance.now();
  const job = await service.make(quiet.key, { callback_url: healthy.url });
  await waitFor("the healthy receiver to be called", () => healthy.received.length === 1);
  const seconds = (performance.now() - from) / 1000;
  console.log(
    `a job and its callback took ${seconds.toFixed(2)} s beside 110 jobs with receivers in trouble`,
  );
  expect(job.state).toBe("completed");
  expectPrompt(seconds, PROMPT_SECONDS);

  // The faulty endpoints' own jobs have ended long ago, and their logs say what happened.
  const ends = await Promise.all(made.map(({ body }) => service.waitForEnd(noisy.key, body.result.job_id)));
  expect(ends.every(({ state }) => state === "completed")).toBe(true);
  const redirected = made[urls.indexOf(trouble[8]?.url ?? "")]?.body.result.job_id ?? "";
  const attempts = await waitFor(
    "the redirect to be in the log",
    async () => (await logOf(service, noisy.key, redirected))[0]?.attempts,
  );
  expect(attempts[0]).toMatchObject({
    number: 1,
    http_status: 302,
    error: "HTTP 302: redirects are not followed",
  });
  expect(inside.connections()).toBe(0);
  expect(service.errors).toEqual([]);
});

describe("in production", () => {
  const privateKey = newServiceKey();
  const { jwk } = trustedKey(privateKey, "gateway");
  const PRODUCTION = {
    NODE_ENV: "production",
    ATELIER_ALLOW_INSECURE: "rate_limits_off",
    ATELIER_CONTENT_CREDENTIALS: "off",
    ATELIER_SECRET: randomBytes(32).toString("base64"),
    ATELIER_SERVICE_KEY: privateKey,
    ATELIER_SERVICE_TRUSTED_KEYS: JSON.stringify({ keys: [{ ...jwk, name: "gateway" }] }),
    ATELIER_BASE_URL: "https://atelier.example",
    MONGODB_URI: "given to openApp by the test itself",
  };
  let service: WholeService;
  let inside: Receiver;
  let key: string;
  beforeAll(async () => {
    service = await startWholeService({ env: PRODUCTION });
    inside = await startReceiver();
    ({ key } = await createCustomer(service.app));
  });
  afterAll(async () => {
    await service.close();
    await inside.close();
  });

  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "localhost",
    "LOCALHOST.",
    "anything.localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "224.0.0.1",
  ])("[CALL-02] a callback_url of %s is refused before the job is created", async (host) => {
    const refusal = { message: "The callback_url is not an address on the public internet." };
    const answer = await service.generate(key, { callback_url: `https://${host}:${inside.port}/hook` });
    expectRefusal(answer, "callback_url_refused", refusal);
    const tool = await service.tool(key, "connect_generate", {
      ...PICTURE,
      callback_url: `https://${host}/hook`,
    });
    expect(tool).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Code: callback_url_refused.") }],
    });
  });

  test("[CALL-03] http, and ports of other protocols, are refused", async () => {
    for (const [url, reason] of [
      [`http://127.0.0.1:${inside.port}/`, "is not an address on the public internet"],
      ["http://example.com/", "does not start with https://"],
      ["https://example.com:25/", "has a port that may not be used"],
    ] as const)
      expectRefusal(await service.generate(key, { callback_url: url }), "callback_url_refused", {
        message: `The callback_url ${reason}.`,
      });
  });

  test("[CALL-09] an inside address that was accepted under other settings is not called either", async () => {
    // The development profile accepts loopback addresses; no deliverer runs yet.
    const loose = await begin({ worker: false });
    const customer = await createCustomer(loose.app);
    const answer = await loose.generate(customer.key, { callback_url: inside.url });
    expect(answer.status).toBe(202);
    await begin({ env: { ...PRODUCTION, ATELIER_MONGO_DATABASE: loose.config.mongoDatabase } });
    const jobId = answer.body.result.job_id;
    await loose.waitForEnd(customer.key, jobId);
    const log = await waitFor("an attempt", async () => {
      const [delivery] = await logOf(loose, customer.key, jobId);
      return delivery && delivery.attempts.length > 0 && delivery;
    });
    expect(log.attempts[0]).toMatchObject({ number: 1, http_status: null, error: expect.any(String) });
    expect(log.attempts[0]?.error).not.toMatch(/127|ECONN/);
    expect(log.status).toBe("pending");
  });

  test("no request reached an inside address", () => {
    expect(inside.connections()).toBe(0);
    expect(service.errors).toEqual([]);
  });
});
