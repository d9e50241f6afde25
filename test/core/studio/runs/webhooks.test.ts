// POST /webhooks/providers/{name}: providers report the end of calls, and others try to.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { webhookAddress } from "../../../../core/studio/runs/webhook-address.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { createCustomer } from "../../../support/app.ts";
import { documentedEntry } from "../../../support/queues/documented.ts";
import { type FalQueue, startFalQueue } from "../../../support/queues/fal.ts";
import { FAULTS, type QueuedRequest } from "../../../support/queues/queue.ts";
import { type ReplicateQueue, startReplicateQueue } from "../../../support/queues/replicate.ts";
import { startQueueService } from "../../../support/queues/service.ts";
import { waitFor } from "../../../support/wait-for.ts";
import type { WholeService } from "../../../support/whole-service.ts";

let fal: FalQueue;
let replicate: ReplicateQueue;
let service: WholeService;
let key: string;
let accountId: string;

beforeAll(async () => {
  [fal, replicate] = await Promise.all([startFalQueue(), startReplicateQueue()]);
  const { webhookSecret } = replicate;
  // So rarely that only a webhook ends a job while the test runs.
  const rarely = { pollAfterMs: 3_000_000 };
  service = await startQueueService({
    fal: { ...documentedEntry("fal", { fal: fal.origin }), ...rarely },
    replicate: { ...documentedEntry("replicate", { replicate: replicate.origin, webhookSecret }), ...rarely },
  });
  ({ key, accountId } = await createCustomer(service.app));
});
afterAll(async () => {
  await service.close();
  await Promise.all([fal.close(), replicate.close()]);
});

let prompts = 0;

type Begun = { jobId: string; prompt: string; asked: QueuedRequest; url: string };

/** A job and the provider's request for it. */
async function begin(name: "fal" | "replicate"): Promise<Begun> {
  const queue = name === "fal" ? fal : replicate;
  const prompt = `boat ${++prompts}`;
  const { body } = await service.generate(key, { model_slug: name, prompt });
  const asked = await waitFor("the call", () => queue.requestsOf(prompt)[0]);
  return { jobId: body.result.job_id, prompt, asked, url: asked.webhookUrl ?? "" };
}

const post = (url: string, body: string | Uint8Array, headers: Record<string, string>) =>
  fetch(url, { method: "POST", body: body as string, headers });

describe("a provider's webhook", () => {
  test("is refused so that it is sent again when its signature cannot be checked at the moment", async () => {
    const { jobId, asked, url } = await begin("fal");
    fal.fail("keys", FAULTS.hangUp());
    const body = JSON.stringify({ request_id: asked.id });
    expect((await post(url, body, fal.sign(body, asked.id))).status).toBe(503);
    await fal.move(asked, "made");
    expect(asked.told).toEqual([200]);
    expect(await service.waitForEnd(key, jobId)).toMatchObject({ state: "completed" });
  });

  test.each(["fal", "replicate"] as const)(
    "a provider's webhook of %s ends the job before the next poll",
    async (name) => {
      const { jobId, prompt, asked, url } = await begin(name);
      const queue = name === "fal" ? fal : replicate;
      expect(url).toMatch(
        `${service.url}/webhooks/providers/${name}?account=${accountId}&job=${jobId}&signature=`,
      );
      await queue.move(asked, "made");
      expect(asked.told).toEqual([200]);
      expect(await service.waitForEnd(key, jobId)).toMatchObject({ state: "completed" });
      expect(queue.requestsOf(prompt)).toHaveLength(1);
      // A repeated event for an ended job changes nothing.
      const body = JSON.stringify({ request_id: asked.id, id: asked.id });
      const headers = name === "fal" ? fal.sign(body, asked.id) : replicate.sign(body);
      expect((await post(url, body, headers)).status).toBe(200);
      expect(await service.audit()).toEqual([]);
      expect(service.errors).toEqual([]);
    },
  );

  test("a provider's webhook of a failure refunds the job", async () => {
    const { jobId, asked } = await begin("replicate");
    await replicate.move(asked, "failed", "NSFW content detected at /srv/secret");
    const job = await service.waitForEnd(key, jobId);
    expect(job).toMatchObject({ state: "failed", error: { code: "provider_refused" } });
    expect(JSON.stringify(job)).not.toContain("secret");
    expect(await service.audit()).toEqual([]);
  });

  test.each(["fal", "replicate"] as const)(
    "a provider's webhook of %s brings the handle of a call whose response was lost, and no second call is made",
    async (name) => {
      const queue = name === "fal" ? fal : replicate;
      queue.fail("submit", FAULTS.loses());
      const { jobId, prompt, asked } = await begin(name);
      await queue.move(asked, "made");
      expect(asked.told).toEqual([200]);
      expect(await service.waitForEnd(key, jobId)).toMatchObject({ state: "completed" });
      expect(queue.requestsOf(prompt)).toHaveLength(1);
      expect(await service.audit()).toEqual([]);
    },
  );

  test("[JOB-27] gets one response for any fault without a valid signature, and causes no query", async () => {
    const theirs = await begin("fal");
    const { jobId, asked, ...own } = await begin("replicate");
    const other = await createCustomer(service.app);
    const body = JSON.stringify({ id: asked.id });
    const url = new URL(own.url);
    const change = (name: string, value: string | undefined) => {
      const changed = new URL(url);
      if (value === undefined) changed.searchParams.delete(name);
      else changed.searchParams.set(name, value);
      return changed.href;
    };
    // Rejected webhooks leave the time of the next poll unchanged.
    const now = Math.floor(Date.now() / 1000);
    const signed = () => replicate.sign(body);
    const answers = await Promise.all([
      post(change("signature", "AAAA"), body, signed()),
      post(change("signature", undefined), body, signed()),
      post(change("job", "job_01M7Y4QV7ADJX9R6K9KK54TA4V"), body, signed()),
      post(change("account", other.accountId), body, signed()),
      post(change("account", "x".repeat(1000)), body, signed()),
      post(url.href.replace("providers/replicate", "providers/fal"), body, signed()),
      post(url.href.replace("providers/replicate", "providers/test"), body, signed()),
      post(url.href.replace("providers/replicate", "providers/nobody"), body, signed()),
      post(theirs.url, body, signed()),
      post(url.href, body, {}),
      post(url.href, `${body} `, signed()),
      post(url.href, body, replicate.sign(body, now - 301)),
      post(url.href, body, replicate.sign(body, now + 310)),
      post(url.href, "", replicate.sign("")),
      post(url.href, "{", replicate.sign("{")),
      post(url.href, "[".repeat(100_000), replicate.sign("[".repeat(100_000))),
    ]);
    const told = await Promise.all(
      answers.map(async (answer) => {
        const { request_id: _, ...rest } = (await answer.json()) as Record<string, unknown>;
        return { status: answer.status, ...rest };
      }),
    );
    expect(told[0]).toMatchObject({ status: 404, code: "not_found" });
    expect(told).toEqual(told.map(() => told[0]));
    expect([theirs.asked.asked.status, asked.asked.status]).toEqual([0, 0]);
    expect(service.errors).toEqual([]);
    // A valid one is still accepted, with any content type.
    expect((await post(url.href, body, { ...signed(), "content-type": "text/plain" })).status).toBe(200);
    await waitFor("it to be asked", () => asked.asked.status > 0);
    expect(await service.call(`/api/jobs/${jobId}`, { key })).toMatchObject({
      body: { result: { state: "running" } },
    });
  });

  test("a provider's webhook that is too large is not read, and unsigned ones are rate limited by address", async () => {
    const { asked, url } = await begin("replicate");
    expect((await post(url, "x".repeat(1024 * 1024 + 1), {})).status).toBe(413);
    const face = await service.openEdge({ ATELIER_RATE_LIMITS: "on" });
    const body = JSON.stringify({ id: asked.id });
    const statuses = async (count: number, headers: Record<string, string>) => {
      const sent = Array.from({ length: count }, () =>
        post(url.replace(service.url, face.url), body, headers),
      );
      return (await Promise.all(sent)).map(({ status }) => status);
    };
    expect(new Set(await statuses(30, replicate.sign(body)))).toEqual(new Set([200]));
    expect(new Set(await statuses(30, replicate.sign(body)))).toEqual(new Set([200]));
    expect((await statuses(65, {})).toSorted()).toEqual([...Array(60).fill(404), ...Array(5).fill(429)]);
    // Until the minute is over.
    expect(await statuses(1, replicate.sign(body))).toEqual([429]);
  });
});

test("providers get a webhook URL where they can reach one", () => {
  const address = (generationBaseUrl: string, env: Record<string, string> = {}) => {
    const own: Pick<App, "config" | "secrets" | "generationBaseUrl"> = {
      config: loadConfig(env),
      secrets: ["s"],
      generationBaseUrl,
    };
    return webhookAddress(own, { provider: "fal", accountId: "acc_1", jobId: "job_1" })?.split("?")[0];
  };
  const configured = (value: string) => ({ ATELIER_PROVIDER_WEBHOOK_URL: value });
  expect(address("http://localhost:8080")).toBeUndefined();
  expect(address("https://api.example")).toBe("https://api.example/webhooks/providers/fal");
  expect(address("https://api.example", configured("off"))).toBeUndefined();
  expect(address("http://localhost:8080", configured("https://tunnel.example/a/"))).toBe(
    "https://tunnel.example/a/webhooks/providers/fal",
  );
  expect(() => loadConfig(configured("on"))).toThrow(/ATELIER_PROVIDER_WEBHOOK_URL/);
});
