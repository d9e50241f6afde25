// A database that commits once in 100 ms, like a replica set whose new primary depends on heartbeats: requests at a steady rate are all
// accepted.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { quantile } from "../../../../bench/support/stats.ts";
import { plans } from "../../../../core/identity/accounts/store.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { createAcceptQueue } from "../../../../core/studio/jobs/accept-queue.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";

const COMMIT_EVERY_MS = 100;
/** So small that the rate is far above one batch per interval: 80 a second. */
const MAX_BATCH = 8;
const PER_SECOND = 400;
const SECONDS = 4;
/** With a constant batch size the last request would wait for 16 s. */
const DEADLINE_MS = 12_000;

/** An App that commits transactions at a fixed interval. */
function committingEvery<Own extends App>(app: Own, ms: number): Own {
  const { client } = app.mongo;
  const startSession = () => {
    const session = client.startSession();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      await sleep(ms - (performance.now() % ms));
      return commit();
    };
    return session;
  };
  const slow = Object.create(client, { startSession: { value: startSession } }) as typeof client;
  return { ...app, mongo: { ...app.mongo, client: slow } };
}

const testApp = useTestApp();
beforeAll(() => plans(testApp.app.mongo.db).updateOne({ _id: "studio" }, { $set: { concurrency: 1_000 } }));

test("[JOB-38] batches grow while commits are slow, so that no request is refused at one batch per commit", async () => {
  const { caller } = await createCustomer(testApp.app, { plan: "studio", credits: 1_000_000 });
  const accept = createAcceptQueue(committingEvery(testApp.app, COMMIT_EVERY_MS), MAX_BATCH);
  const beganMs = performance.now();
  const took: number[] = [];
  const asked: Promise<string>[] = [];
  const one = async (): Promise<string> => {
    const fromMs = performance.now();
    const patience = { untilMs: fromMs + DEADLINE_MS, signal: AbortSignal.timeout(DEADLINE_MS) };
    const answer = await accept(askFor(caller), patience).then(
      () => "accepted",
      (error: { code?: string; message: string }) => error.code ?? error.message,
    );
    took.push(performance.now() - fromMs);
    return answer;
  };
  while (asked.length < PER_SECOND * SECONDS) {
    const due = Math.min(PER_SECOND * SECONDS, ((performance.now() - beganMs) / 1000) * PER_SECOND);
    while (asked.length < due) asked.push(one());
    await sleep(5);
  }
  const lastAskedMs = performance.now();
  const answers = await Promise.all(asked);
  console.log(
    `${PER_SECOND} a second for ${SECONDS} s, batches of ${MAX_BATCH}, a commit each ${COMMIT_EVERY_MS} ms: ` +
      `${answers.filter((answer) => answer === "accepted").length} of ${answers.length} accepted, ` +
      `p99 ${quantile(took, 0.99).toFixed(0)} ms, backlog gone after ${(performance.now() - lastAskedMs).toFixed(0)} ms`,
  );
  expect(answers.filter((answer) => answer !== "accepted")).toEqual([]);
});
