import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import type { Call } from "../../../../core/kernel/rpc.ts";
import { callbacksHandlers } from "../../../../core/studio/jobs/deliveries-rpc.ts";
import { queueDeliveries } from "../../../../core/studio/webhooks/queue.ts";
import { summariseDeliveries } from "../../../../core/studio/webhooks/resource.ts";
import { createTestEvents } from "../../../../core/studio/webhooks/test-event.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { fromMessage, fromMessages } from "../../../../proto/codec.ts";
import { deliverySchema } from "../../../../proto/resources/callback.ts";
import type { Delivery } from "../../../../proto/types/atelier/v1/Delivery.ts";
import type { ListDeliveriesReply } from "../../../../proto/types/atelier/v1/ListDeliveriesReply.ts";
import { acceptOne, cancelJob } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { clearCallbacks, queueEnds, startDeliverer } from "./fixtures.ts";
import { answerWith, type Receiver, startReceiver } from "./receiver.ts";

const clock = createFakeClock();
let customer: { accountId: string; caller: Caller };
const { app } = useTestApp({ clock });
beforeEach(async () => {
  await clearCallbacks(app);
  customer = await createCustomer(app);
});

async function receiver(status: number): Promise<Receiver> {
  const started = await startReceiver(answerWith(status));
  onTestFinished(() => started.close());
  return started;
}

async function accept(callbackUrl: string | null): Promise<string> {
  const change = { prompt: "a lighthouse", ...(callbackUrl !== null && { callback_url: callbackUrl }) };
  return (await acceptOne(app, customer.caller, change))._id;
}

/** A job that was cancelled before it ran. */
async function endedJob(callbackUrl: string | null): Promise<string> {
  const jobId = await accept(callbackUrl);
  await cancelJob(app, customer.accountId, jobId);
  return jobId;
}

const call = (caller = customer.caller): Call => ({
  caller,
  method: "",
  requestId: "r",
  address: "",
  signal: new AbortController().signal,
  untilMs: Infinity,
  service: "test",
  operatorContext: { operator: "", reason: "" },
});

async function list(jobId: string, caller?: Caller) {
  const reply = (await callbacksHandlers(app, createTestEvents(app)).ListDeliveries(
    { job_id: jobId },
    call(caller),
  )) as ListDeliveriesReply;
  return fromMessages(deliverySchema, reply.deliveries);
}

async function redeliver(jobId: string, caller?: Caller) {
  return fromMessage(
    deliverySchema,
    (await callbacksHandlers(app, createTestEvents(app)).Redeliver(
      { job_id: jobId },
      call(caller),
    )) as Delivery,
  );
}

describe("[CALL-06] the delivery log", () => {
  test("is empty for a job without callback_url", async () => {
    expect(await list(await endedJob(null))).toEqual([]);
  });

  test("the delivery log of another account's job looks like an unknown one", async () => {
    const jobId = await endedJob("http://localhost:9/");
    const { caller } = await createCustomer(app);
    const refusals = await Promise.all(
      [list(jobId, caller), list("job_unknown"), redeliver(jobId, caller), redeliver("job_unknown")].map(
        (asked) => asked.catch(({ code, message }) => `${code} ${message}`),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set(["job_not_found This account has no job with this id."]));
  });
});

describe("[CALL-06] a resend", () => {
  test("makes a pending delivery due immediately, and queues no other next to it", async () => {
    const { url, received } = await receiver(503);
    const jobId = await endedJob(url);
    startDeliverer(app);
    await expect.poll(async () => (await list(jobId))[0]?.attempts.length).toBe(1);
    const asked = await Promise.all([redeliver(jobId), redeliver(jobId), redeliver(jobId)]);
    for (const answer of asked) expect(answer).toMatchObject({ redelivery: 0, status: "pending" });
    await expect.poll(() => received.length).toBeGreaterThan(1);
    expect(await list(jobId)).toHaveLength(1);
  });

  test("is refused for a job that has not ended, and for one without callback_url", async () => {
    const running = await accept("http://localhost:9/");
    await expect(redeliver(running)).rejects.toMatchObject({ code: "job_not_ended" });
    await expect(redeliver(await endedJob(null))).rejects.toMatchObject({
      code: "invalid_request",
      message: "callback_url was not given when the job was created.",
      issues: [{ path: "callback_url", message: "was not given when the job was created" }],
    });
  });

  test("is refused after ten of one job, and after thirty a minute of one account", async () => {
    const end = () => app.mongo.db.collection("deliveries").updateMany({}, { $set: { status: "failed" } });
    const jobs = await Promise.all([1, 2, 3].map(() => endedJob("http://localhost:9/")));
    for (const jobId of jobs) {
      for (let i = 1; i <= 10; i++) {
        await end();
        expect((await redeliver(jobId)).redelivery).toBe(i);
      }
    }
    await expect(redeliver(jobs[0] ?? "")).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 60,
    });
    clock.advance(60_000);
    await end();
    await expect(redeliver(jobs[0] ?? "")).rejects.toMatchObject({
      code: "invalid_request",
      message: "job_id has been delivered again 10 times already.",
      issues: [{ path: "job_id", message: "has been delivered again 10 times already" }],
    });
    expect(await list(jobs[0] ?? "")).toHaveLength(11);
    expect(await redeliver(await endedJob("http://localhost:9/"))).toMatchObject({ redelivery: 0 });
  });
});

describe("the queue of deliveries", () => {
  test("refuses a second automatic delivery of the same end, and aborts its transaction", async () => {
    const jobId = await endedJob("http://localhost:9/");
    const [delivery] = await list(jobId);
    const { accountId } = customer;
    const again = {
      accountId,
      jobId,
      url: "http://localhost:9/",
      event: "job.failed",
      at: app.clock.now(),
    } as const;
    const other = { ...again, jobId: `${jobId}2` };
    await expect(inTx(app, (tx) => queueDeliveries(app, tx, [other, again]))).rejects.toMatchObject({
      code: 11_000,
    });
    expect(await list(jobId)).toEqual([delivery]);
    expect(await summariseDeliveries(app, accountId, [other.jobId])).toEqual(new Map());
  });

  test("summarizes the deliveries of many jobs in one query, and leaves out jobs without any", async () => {
    const jobIds = await queueEnds(app, "http://localhost:9/", 3, customer.accountId);
    await queueEnds(app, "http://localhost:9/", 1, "acc_other");
    expect(await summariseDeliveries(app, customer.accountId, [...jobIds, "job_none"])).toEqual(
      new Map(jobIds.map((jobId) => [jobId, { status: "pending", attempts: 0 }])),
    );
  });
});
