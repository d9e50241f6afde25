// All deliveries of an account, and test events: over HTTP on the whole service, with an endpoint that checks its requests.
import { createHmac } from "node:crypto";
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { logs } from "../../core/identity/log/store.ts";
import { writeLog } from "../../core/identity/log/write-log.ts";
import { rotateCallbackSecret } from "../../core/studio/webhooks/secret.ts";
import { type DeliveryResource, testEventSchema } from "../../proto/resources/callback.ts";
import type { LogProofResource } from "../../proto/resources/log-proof.ts";
import { type ReceiptPayload, receiptPayloadSchema } from "../../proto/resources/receipt.ts";
import { answerWith, receiver, startReceiver } from "../core/studio/webhooks/receiver.ts";
import { createCustomer } from "../support/app.ts";
import { naiveRoot, openCheckpoint, rootOfProof } from "../support/naive-log.ts";
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

// A job's signed receipt is the same string on each surface, and any JWS library verifies it with the published keys.
type Read = { result: { receipt: string; payload: ReceiptPayload } };

test("the receipt is one string in REST, webhook and tool result, and matches the ledger", async () => {
  const { key } = await createCustomer(service.app);
  const receiver = await startReceiver();
  const job = await service.make(key, { prompt: "a secret prompt", callback_url: receiver.url });
  const path = `/api/jobs/${job.job_id}/receipt`;
  const read = (await service.call<Read>(path, { key })).body.result;
  expect((await service.call<Read>(path, { key })).body.result).toEqual(read);

  const jwks = (await service.call<JSONWebKeySet>("/.well-known/jwks.json")).body;
  const { payload, protectedHeader } = await compactVerify(read.receipt, createLocalJWKSet(jwks));
  expect(protectedHeader).toEqual({ alg: "EdDSA", typ: "atelier-receipt+jws", kid: jwks.keys[0]?.kid });
  const said: unknown = JSON.parse(new TextDecoder().decode(payload));
  expect(said).toEqual(read.payload);
  expect(receiptPayloadSchema.strict().parse(said)).toMatchObject({
    iss: service.app.generationBaseUrl,
    job_id: job.job_id,
    state: "completed",
    credits: { reserved: job.credits_reserved, captured: job.credits_charged, refunded: 0 },
    outputs: job.outputs.map(({ output_id, sha256 }) => ({ output_id, sha256 })),
  });
  const entries = (await service.ledger(key, job.job_id)).toReversed();
  expect(read.payload.entries).toEqual(
    entries.map(({ entry_id, seq, kind, hash }) => ({ entry_id, seq, kind, hash })),
  );
  expect(JSON.stringify(said)).not.toContain("secret");

  const delivered = await waitFor("the webhook", () => receiver.received[0]);
  await receiver.close();
  expect(JSON.parse(delivered.body.toString())).toMatchObject({ receipt: read.receipt });
  const result = await service.tool(key, "get_job", { job_id: job.job_id });
  expect(result).toMatchObject({ _meta: { "atelier/receipt": read.receipt } });

  const other = await createCustomer(service.app);
  expect((await service.call(path, { key: other.key })).status).toBe(404);
});

test("the public log contains the ledger, in tiles and entries that anyone reads", async () => {
  const { key } = await createCustomer(service.app);
  type Read = { result: { proof: LogProofResource | null } };
  const { proof, note } = await waitFor("a proof of the newest checkpoint", async () => {
    // Makes the next search due.
    await logs(service.app.mongo.db).updateMany({}, { $set: { "work.due_at": new Date(1) } });
    await writeLog(service.app);
    const { proof } = (await service.call<Read>("/api/credits/proof", { key })).body.result;
    const note = await (await fetch(`${service.url}/log/checkpoint`)).text();
    return proof?.checkpoint === note ? { proof, note } : undefined;
  });
  const { keys } = (await service.call<{ keys: { kid: string; x: string }[] }>("/.well-known/jwks.json"))
    .body;
  const { size, root } = openCheckpoint(note, keys);
  expect(rootOfProof(proof, size)).toBe(root);
  expect(proof.origin).toMatch(/^localhost:\d+\/log\/\w{26}$/);
  await waitFor("the balance to name the logged entry", async () => {
    const { logged_seq } = await service.read<{ logged_seq: number }>("/api/credits/balance", key);
    return logged_seq === proof.seq;
  });

  const read = async (path: string) => {
    const response = await fetch(`${service.url}/log/${path}`);
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const { response, bytes } = await read(`tile/entries/000.p/${size}`);
  expect(response.headers.get("cache-control")).toContain("immutable");
  const entries = Array.from({ length: size }, (_, at) => bytes.subarray(at * 34 + 2, (at + 1) * 34));
  expect(bytes.length).toBe(size * 34);
  expect(naiveRoot(entries).toString("base64")).toBe(root);
  expect((await read(`entries/000.p/${size}`)).bytes).toEqual(bytes);
  const leaves = entries.map((entry) => naiveRoot([entry]));
  expect((await read(`tile/0/000.p/${size}`)).bytes).toEqual(Buffer.concat(leaves));
  for (const path of [
    "tile/0/000",
    "tile/0/000.p/256",
    "tile/0/000.p/0",
    "tile/0/x000/000",
    "tile/64/000",
    "tile/00/000",
    "tile/0/00",
    "tile",
  ])
    expect((await read(path)).response.status, path).toBe(404);
});
