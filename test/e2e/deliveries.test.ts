// All deliveries of an account, and test events: over HTTP on the whole service, with an endpoint that checks its requests.
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { rotateCallbackSecret } from "../../core/studio/webhooks/secret.ts";
import { type DeliveryResource, testEventSchema } from "../../proto/resources/callback.ts";
import { answerWith, receiver } from "../core/studio/webhooks/receiver.ts";
import { createCustomer } from "../support/app.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

type Page = { result: { data: DeliveryResource[]; next_cursor: string | null } };

const service = sharedByTests(() => startWholeService());

const list = async (key: string, query = "") =>
  (await service.call<Page>(`/api/callbacks${query}`, { key })).body.result;
const sendTest = (key: string, callback_url: string) =>
  service.call<{ result: DeliveryResource }>("/api/callbacks/test", {
    key,
    method: "POST",
    body: { callback_url },
  });

async function deliver(key: string, url: string): Promise<string> {
  return (await service.make(key, { callback_url: url })).job_id;
}

describe("the deliveries of an account", () => {
  test("[DLV-01] [JOB-01] are listed with their attempts, newest job first, in pages and by status and job", async () => {
    const [good, gone] = [await receiver(), await receiver(answerWith(410))];
    const { key } = await createCustomer(service.app);
    const other = await createCustomer(service.app);
    await deliver(other.key, good.url);
    const jobs = [await deliver(key, good.url), await deliver(key, gone.url), await deliver(key, good.url)];
    const all = await waitFor("all of them to be delivered or given up", async () => {
      const { data } = await list(key);
      return data.length === 3 && data.every(({ status }) => status !== "pending") && data;
    });
    expect(all.map(({ job_id }) => job_id)).toEqual(jobs.toReversed());
    expect(all.map(({ status, attempts }) => [status, attempts[0]?.http_status])).toEqual([
      ["delivered", 204],
      ["failed", 410],
      ["delivered", 204],
    ]);
    const ofJob = await service.call<Page>(`/api/jobs/${jobs[1]}/callbacks`, { key });
    expect([all[1]]).toEqual(ofJob.body.result.data);
    expect(await service.read(`/api/jobs/${jobs[1]}`, key)).toMatchObject({
      callback: { url: gone.url, status: "failed", attempts: 1 },
    });

    expect((await list(key, "?status=failed")).data.map(({ job_id }) => job_id)).toEqual([jobs[1]]);
    expect((await list(key, "?status=pending")).data).toEqual([]);
    expect((await list(key, `?job_id=${jobs[0]}`)).data.map(({ job_id }) => job_id)).toEqual([jobs[0]]);
    for (const none of ["job_none", "job_", "job_.*", "%5E"])
      expect((await list(key, `?job_id=${none}`)).data, none).toEqual([]);
    const first = await list(key, "?limit=2");
    const second = await list(key, `?limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.next_cursor).toBeNull();
  });
});

describe("a test event", () => {
  test("[DLV-02] is sent immediately, signed like every webhook, and logged; the response shows what the endpoint answered", async () => {
    const { accountId, key } = await createCustomer(service.app);
    const { secret } = await rotateCallbackSecret(service.app, accountId);
    const good = await receiver((response) => response.writeHead(202).end("a secret of the receiver"));
    const before = await service.call("/api/credits/balance", { key });
    const answer = await sendTest(key, good.url);
    expect(answer.status).toBe(200);
    expect(answer.body.result).toMatchObject({
      job_id: null,
      event: "test",
      url: good.url,
      status: "delivered",
      next_attempt_at: null,
      redelivery: 0,
      attempts: [{ number: 1, http_status: 202, duration_ms: expect.any(Number), error: null }],
    });
    expect(answer.text).not.toContain("a secret of the receiver");

    const [message] = good.received;
    if (!message) throw new Error("nothing came");
    const { headers, body } = message;
    expect(testEventSchema.parse(JSON.parse(body.toString()))).toEqual({
      event: "test",
      delivery_id: answer.body.result.delivery_id,
      created_at: answer.body.result.created_at,
      job: null,
    });
    expect(headers["x-service-event"]).toBe("test");
    const hex = createHmac("sha256", secret).update(body).digest("hex");
    expect(headers["x-service-signature"]).toBe(`sha256=${hex}`);
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();

    expect((await list(key)).data).toEqual([answer.body.result]);
    expect((await service.call("/api/credits/balance", { key })).body).toEqual(before.body);
    expect((await list((await createCustomer(service.app)).key)).data).toEqual([]);
  });

  test("[DLV-03] a test event that fails is not retried, and shows why", async () => {
    const { key } = await createCustomer(service.app);
    const down = await receiver(answerWith(503));
    const failed = (await sendTest(key, down.url)).body.result;
    expect(failed).toMatchObject({ status: "failed", attempts: [{ http_status: 503, error: "HTTP 503" }] });
    await down.close();
    expect((await sendTest(key, down.url)).body.result.attempts).toMatchObject([
      { http_status: null, error: "no connection" },
    ]);
    const redirect = await receiver(answerWith(302, { location: "http://127.0.0.1:1/" }));
    expect((await sendTest(key, redirect.url)).body.result.attempts[0]?.http_status).toBe(302);
    expect((await list(key, "?status=failed")).data).toHaveLength(3);
    expect(down.received).toHaveLength(1);
  });

  test("[DLV-03] is not sent to an inside address, and at most 30 times a minute for each account", async () => {
    const { key } = await createCustomer(service.app);
    for (const url of ["https://10.0.0.1/", "https://169.254.169.254/", "ftp://example.com/"]) {
      const { status, text } = await sendTest(key, url);
      expect([status, JSON.parse(text)]).toEqual([
        422,
        expect.objectContaining({ code: "callback_url_refused" }),
      ]);
    }
    const good = await receiver();
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await sendTest(key, good.url)).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
    expect(good.received).toHaveLength(30);
  });
});
