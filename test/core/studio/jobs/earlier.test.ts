// Idempotency-Keys are usually taken for new ones without being read. Whatever the batch, and whichever tries that costs, each request gets
// the answer that its key and the credits left lead to.
import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { Clock } from "../../../../runtime/clock.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { ledgerOf } from "../../../support/credits.ts";

const testApp = useTestApp();
const PRICE = 10;

type Asked = { readonly key: string | null; readonly what: "a pier" | "a bay" | "no model" };

/** The number of the request that made the job, or the code of the refusal, for each request in order. */
function expectedOf(requests: readonly Asked[], credits: number): (number | string)[] {
  const made = new Map<string, { by: number; what: Asked["what"] }>();
  let left = credits;
  return requests.map(({ key, what }, n) => {
    const before = key === null ? undefined : made.get(key);
    if (before) return before.what === what ? before.by : "idempotency_mismatch";
    if (what === "no model") return "model_not_available";
    if (left < PRICE) return "insufficient_credits";
    left -= PRICE;
    if (key !== null) made.set(key, { by: n, what });
    return n;
  });
}

const asked = fc.record({
  key: fc.constantFrom(null, "1", "2", "3", "4"),
  what: fc.constantFrom<Asked["what"]>("a pier", "a pier", "a bay", "no model"),
});

test("[GEN-14] every request gets its key's job, in batches that take the keys for new and in batches that do not", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ batch: fc.array(asked, { minLength: 1, maxLength: 5 }), isNew: fc.boolean() }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.integer({ min: 1, max: 5 }),
      async (batches, jobs) => {
        const credits = jobs * PRICE;
        const { accountId, caller } = await createCustomer(testApp.app, { credits });
        const madeBy = new Map<string, number>();
        const answers: (number | string)[] = [];
        for (const { batch, isNew } of batches) {
          const results = await acceptJobs(
            isNew ? asNew().app : testApp.app,
            batch.map(({ key, what }) =>
              askFor(caller, what === "no model" ? { model_slug: "nowhere" } : { prompt: what }, key),
            ),
          );
          for (const result of results) {
            if (result.status === "rejected") {
              answers.push(result.reason instanceof AppError ? result.reason.code : String(result.reason));
              continue;
            }
            const { job, replayed } = result.value;
            expect(replayed).toBe(madeBy.has(job._id));
            if (!replayed) madeBy.set(job._id, answers.length);
            answers.push(madeBy.get(job._id) ?? "a job that no request made");
          }
        }
        expect(answers).toEqual(
          expectedOf(
            batches.flatMap(({ batch }) => batch),
            credits,
          ),
        );
        expect(await ledgerOf(testApp.app, accountId)).toHaveLength(1 + madeBy.size);
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
  expect(await auditFindings(testApp.app)).toEqual([]);
});

/** The app before it has found a used key, so that it takes keys for new. It counts the tries of its transactions. */
function asNew(clock: Clock = testApp.app.clock): { app: typeof testApp.app; tries: () => number } {
  const { app } = testApp;
  let tries = 0;
  const startSession = () => {
    tries += 1;
    return app.mongo.client.startSession();
  };
  const client = Object.create(app.mongo.client, { startSession: { value: startSession } });
  return { app: { ...app, clock, mongo: { ...app.mongo, client } }, tries: () => tries };
}

test("a batch with a used key costs one more try, and for a second batches read their keys first", async () => {
  const { caller } = await createCustomer(testApp.app, { credits: 100 });
  const clock = createFakeClock("2026-11-20T12:00:00Z");
  const { app, tries } = asNew(clock);
  const triesOf = async (...keys: string[]) => {
    const before = tries();
    await acceptJobs(
      app,
      keys.map((key) => askFor(caller, {}, key)),
    );
    return tries() - before;
  };
  expect(await triesOf("one", "two")).toBe(1);
  expect(await triesOf("two", "three")).toBe(2);
  expect(await triesOf("one", "three", "four")).toBe(1);
  clock.advance(1_000);
  expect(await triesOf("five")).toBe(1);
  expect(await triesOf("five")).toBe(2);
});
