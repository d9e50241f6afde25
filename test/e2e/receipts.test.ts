// A job's signed receipt is the same string on each surface, and any JWS library verifies it with the published keys.
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { expect, test } from "vitest";
import { logs } from "../../core/identity/log/store.ts";
import { writeLog } from "../../core/identity/log/write-log.ts";
import type { LogProofResource } from "../../proto/resources/log-proof.ts";
import { type ReceiptPayload, receiptPayloadSchema } from "../../proto/resources/receipt.ts";
import { startReceiver } from "../core/studio/webhooks/receiver.ts";
import { createCustomer } from "../support/app.ts";
import { naiveRoot, openCheckpoint, rootOfProof } from "../support/naive-log.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const service = sharedByTests(() => startWholeService());

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
