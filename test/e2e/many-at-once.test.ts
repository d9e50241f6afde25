// Hundreds of parallel requests over HTTP: credits are spent exactly, and one Idempotency-Key makes one job.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { plans } from "../../core/identity/accounts/store.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { findBrokenEntry, type LedgerEntryResource } from "../../proto/resources/credits.ts";
import { createCustomer } from "../support/app.ts";
import { expectRefusal } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const PRICE = 10;

// No worker: no job starts or ends, so that only accepts compete.
const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  // The queue's limit must not be the reason of a refusal.
  await plans(service.app.mongo.db).updateOne({ _id: "studio" }, { $set: { concurrency: 1000 } });
});

/** A slow machine sheds some of a burst with 503, for which nothing was done: these are sent again. */
async function generate(
  ...asked: Parameters<WholeService["generate"]>
): ReturnType<WholeService["generate"]> {
  const answer = await service.generate(...asked);
  if (answer.status !== 503) return answer;
  await sleep(1_000);
  return generate(...asked);
}

type Page = { result: { data: LedgerEntryResource[]; next_cursor: string | null } };

/** Oldest first, over all pages. */
async function wholeLedger(key: string, cursor = ""): Promise<LedgerEntryResource[]> {
  const { body } = await service.call<Page>(`/api/credits/ledger?limit=100&cursor=${cursor}`, { key });
  const { data, next_cursor } = body.result;
  return [...(next_cursor === null ? [] : await wholeLedger(key, next_cursor)), ...data.reverse()];
}

test("[LED-08] 500 parallel generate calls with credits for 200: 200 are accepted and 300 refused, and no entry is overdrawn", async () => {
  const { accountId, key } = await createCustomer(service.app, { plan: "studio", credits: 200 * PRICE });
  const answers = await Promise.all(Array.from({ length: 500 }, () => generate(key)));

  const accepted = answers.filter(({ status }) => status === 202);
  const refused = answers.filter(({ status }) => status !== 202);
  expect([accepted.length, refused.length]).toEqual([200, 300]);
  for (const answer of refused) {
    expectRefusal(answer, "insufficient_credits", {
      message: `This generation costs ${PRICE} credits and the account has 0 available.`,
      credits_required: PRICE,
      credits_available: 0,
    });
  }
  expect(new Set(accepted.map(({ body }) => body.result.job_id)).size).toBe(200);

  const entries = await wholeLedger(key);
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 201 }, (_, i) => i + 1));
  expect(entries.filter(({ balance_after, held_after }) => balance_after - held_after < 0)).toEqual([]);
  expect(new Set(entries.slice(1).map(({ job_id }) => job_id))).toEqual(
    new Set(accepted.map(({ body }) => body.result.job_id)),
  );
  expect(findBrokenEntry(entries)).toBeUndefined();
  const { body } = await service.call("/api/credits/balance", { key });
  expect(body["result"]).toMatchObject({ balance: 2000, held: 2000, available: 0, ledger_seq: 201 });
  expect(await jobs(service.app.mongo.db).countDocuments({ account_id: accountId })).toBe(200);
  expect(await service.audit()).toEqual([]);
  expect(service.errors).toEqual([]);
});

test("[GEN-14] 200 parallel calls with one Idempotency-Key make one job, and 199 of them are marked as replays", async () => {
  const { accountId, key } = await createCustomer(service.app, { plan: "studio" });
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => generate(key, {}, { "idempotency-key": "order-17" })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const replayed = answers.map(({ headers }) => headers.get("idempotency-replayed"));
  expect(replayed.filter((value) => value === "true")).toHaveLength(199);
  expect(replayed.filter((value) => value === null)).toHaveLength(1);
  expect(await jobs(service.app.mongo.db).countDocuments({ account_id: accountId })).toBe(1);
  expect(await wholeLedger(key)).toHaveLength(2);
  expect(await service.audit()).toEqual([]);
});
