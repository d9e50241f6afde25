// The signed receipt of a job through each surface: the same string, which any JWS library verifies with the published keys.
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LedgerEntryResource } from "../../proto/resources/credits.ts";
import { type ReceiptPayload, receiptPayloadSchema } from "../../proto/resources/receipt.ts";
import { startReceiver } from "../core/studio/webhooks/receiver.ts";
import { createCustomer } from "../support/app.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

let service: WholeService;
beforeAll(async () => {
  service = await startWholeService();
});
afterAll(() => service.close());

type Read = { result: { receipt: string; payload: ReceiptPayload } };

test("the receipt of REST, of the webhook and of the tool result is one string, and names what the ledger says", async () => {
  const { key } = await createCustomer(service.app);
  const receiver = await startReceiver();
  const { body } = await service.generate(key, { prompt: "a secret prompt", callback_url: receiver.url });
  const job = await service.waitForEnd(key, body.result.job_id);
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
  const ledger = await service.call<{ result: { data: LedgerEntryResource[] } }>("/api/credits/ledger", {
    key,
  });
  const entries = ledger.body.result.data.filter(({ job_id }) => job_id === job.job_id).toReversed();
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
