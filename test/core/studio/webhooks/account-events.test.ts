// Events of an account: which are recorded when, how they reach the account's endpoints, and what becomes of an endpoint that fails.
import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { revokeKey } from "../../../../core/identity/accounts/change-key.ts";
import { setLowCredits } from "../../../../core/identity/accounts/change-settings.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { readEvents } from "../../../../core/kernel/events/record.ts";
import { listReceiptKeys } from "../../../../core/kernel/signing/receipts.ts";
import { refundOrder } from "../../../../core/shop/orders/refunds.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs, type RunOutcome } from "../../../../core/studio/runs/finalize.ts";
import {
  afterAttempt,
  DISABLED_AFTER_MS,
  wantsEvent,
} from "../../../../core/studio/webhooks/account-endpoint-rules.ts";
import {
  addEndpoint,
  changeEndpoint,
  resendEvent,
  watchEvents,
} from "../../../../core/studio/webhooks/account-endpoints.ts";
import { forwardEvents } from "../../../../core/studio/webhooks/deliver.ts";
import { type AccountEndpointDoc, findEndpoints } from "../../../../core/studio/webhooks/store-endpoints.ts";
import type { DeliveryDoc } from "../../../../core/studio/webhooks/store.ts";
import { createTestEvents } from "../../../../core/studio/webhooks/test-event.ts";
import { advanceWorkflow } from "../../../../core/studio/workflows/advance.ts";
import { cancelWorkflow } from "../../../../core/studio/workflows/cancel.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { ACCOUNT_EVENTS } from "../../../../proto/resources/callback.ts";
import { acceptOne, cancelJob } from "../../../support/accept.ts";
import { createCustomer } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { watchCommands } from "../../../support/watch-commands.ts";
import {
  buy,
  FREE,
  ICONS,
  paidEvent,
  place,
  placeAndGo,
  tell,
  useShop,
} from "../../shop/orders/shop-fixture.ts";
import { picture, run } from "../workflows/fixtures.ts";
import { startDeliverer } from "./fixtures.ts";
import { answerWith, receiver } from "./receiver.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const clock = createFakeClock("2026-11-01T00:00:00.000Z");
let accountId: string;
let caller: Caller;
const shop = useShop({ clock, env: { ATELIER_CALLBACK_ALLOW_PRIVATE: "1" } });
const { app } = shop;
beforeEach(async () => {
  ({ accountId, caller } = await createCustomer(app, { credits: 100 }));
  for (const name of ["deliveries", "account_events"]) await app.mongo.db.collection(name).deleteMany({});
});

const eventsOf = async (of = accountId, after = 0) => (await readEvents(app, of, { after, limit: 100 })).rows;
const namesOf = async () => (await eventsOf()).map(({ seq, event }) => `${seq} ${event}`);
const deliveries = () => app.mongo.db.collection<DeliveryDoc>("deliveries");

async function endJob(outcome: RunOutcome, ofWorkflow?: string): Promise<void> {
  const jobId = ofWorkflow ?? (await acceptOne(app, caller))._id;
  const claims = await claimJobs(app, { worker: "w", limit: 50, leaseMs: 60_000 });
  const claim = claims.find(({ job }) => job._id === jobId);
  if (!claim) throw new Error("the job was not claimed");
  await finalizeJobs(app, [{ claim, outcome, files: [] }]);
}
const COMPLETED: RunOutcome = { kind: "completed", outputs: [] };
const FAILED: RunOutcome = { kind: "failed", error: { code: "provider_failed", message: "No." } };
const complete = () => endJob(COMPLETED);

async function endWorkflow(outcome: RunOutcome | "cancelled"): Promise<void> {
  const { workflow } = await run(app, caller, { steps: [picture("a")] });
  const ref = { accountId, workflowId: workflow._id };
  if (outcome === "cancelled") {
    await cancelWorkflow(app, ref);
    return;
  }
  await endJob(outcome, workflow.steps[0]?.job_id);
  await advanceWorkflow(app, ref);
}

/** What each cause records, in order. */
const CAUSES: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
  ["a job that completes", complete, ["job.completed"]],
  ["a job that fails", () => endJob(FAILED), ["job.failed"]],
  [
    "a job that is cancelled before it starts",
    async () => cancelJob(app, accountId, (await acceptOne(app, caller))._id),
    ["job.cancelled"],
  ],
  ["a workflow that completes", () => endWorkflow(COMPLETED), ["job.completed", "workflow.completed"]],
  ["a workflow that fails", () => endWorkflow(FAILED), ["job.failed", "workflow.failed"]],
  ["a workflow that is cancelled", () => endWorkflow("cancelled"), ["job.cancelled", "workflow.cancelled"]],
  [
    "credits that become few",
    async () => {
      await setLowCredits(app, accountId, 95);
      await acceptOne(app, caller);
      await acceptOne(app, caller);
    },
    ["credits.low"],
  ],
  [
    "a key that is created, used up to 90% of its cap and revoked twice",
    async () => {
      const wanted = { name: "n", scope: "write", expiresAt: null, caps: { day: 11 } } as const;
      const { key } = await createKey(app, accountId, wanted);
      await acceptOne(app, { kind: "key", keySha256: key._id, source: "api" });
      for (const _again of [1, 2]) await revokeKey(app, accountId, key.key_id);
    },
    ["key.created", "key.limit", "key.revoked"],
  ],
  ["an order that costs nothing", () => place(app, accountId, FREE, 0), ["order.fulfilled"]],
  [
    "an order that is paid and refunded",
    async () => {
      const order = await buy(app, accountId);
      await refundOrder(app, order._id, "A wish.");
    },
    ["order.fulfilled", "order.refunded"],
  ],
  [
    "an order whose payment is disputed",
    async () => {
      const order = await buy(app, accountId);
      await tell(app, { kind: "dispute_opened", paymentRef: `pay_${order._id}` });
    },
    ["order.fulfilled", "order.disputed"],
  ],
  [
    "an order that is paid with another amount",
    async () => {
      const order = await placeAndGo(app, accountId, ICONS, 1900);
      await tell(app, paidEvent(app, order, { amountCents: 1 }));
    },
    ["order.refused"],
  ],
  [
    "a refused call",
    async () => {
      await refusalOf(acceptOne(app, caller, { params: { count: 9 } }));
      await refusalOf(revokeKey(app, accountId, "key_none"));
    },
    [],
  ],
];

describe("the events of an account", () => {
  test.each(CAUSES)("[EVT-01] [CALL-05] %s", async (_what, cause, expected) => {
    await watchEvents(app, accountId);
    await cause();
    expect(await namesOf()).toEqual(expected.map((event, i) => `${i + 1} ${event}`));
  });

  test("nothing is recorded for an account that asked for no events", async () => {
    await complete();
    await createKey(app, accountId, { name: "n", scope: "read", expiresAt: null });
    await place(app, accountId, FREE, 0);
    await watchEvents(app, accountId);
    expect(await namesOf()).toEqual([]);
  });

  test("a job of an account without events costs no command on its events", async () => {
    const seen: string[] = [];
    const watched = await watchCommands(shop, (started) => seen.push(JSON.stringify(started.command)));
    try {
      const job = await acceptOne(watched.app, caller);
      await cancelJob(watched.app, accountId, job._id);
    } finally {
      await watched.close();
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((command) => /event_counts|account_events/.test(command))).toEqual([]);
  });

  test("numbers have no gaps when many jobs end at the same time, and a cancelled try records nothing", async () => {
    await watchEvents(app, accountId);
    const jobs = await Promise.all(Array.from({ length: 8 }, () => acceptOne(app, caller)));
    await Promise.all(jobs.map(({ _id }) => cancelJob(app, accountId, _id)));
    const events = await eventsOf();
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(events.map(({ data }) => data["job_id"]))).toEqual(new Set(jobs.map(({ _id }) => _id)));
    expect(await eventsOf(accountId, 6)).toHaveLength(2);
  });
});

describe("an endpoint", () => {
  test.each([
    [["job.*"], ["job.completed", "job.failed", "job.cancelled"]],
    [
      ["credits.low", "key.*"],
      ["credits.low", "key.created", "key.revoked", "key.limit"],
    ],
  ] as const)("that asks for %j receives %j", (types, expected) => {
    expect(ACCOUNT_EVENTS.filter((event) => wantsEvent(types, event))).toEqual(expected);
  });

  test("[EVT-02] receives each event once, signed by its secret and by the published key, with the account and itself named", async () => {
    const { url, received } = await receiver();
    const { endpoint, secret = "" } = await addEndpoint(app, accountId, { url, events: ["job.*"] });
    await setLowCredits(app, accountId, 95);
    await complete();
    // Standard Webhooks compares the timestamp with the time of the machine.
    clock.set(new Date());
    expect(await forwardEvents(app), "two events wait for the deliverer").toBe(2);
    expect(await forwardEvents(app)).toBe(0);
    // The worker that forwarded them is gone before any attempt; another one delivers.
    startDeliverer(app);
    const [message] = await waitFor("a delivery", () => received.length > 0 && received);
    if (!message) throw new Error("nothing was received");
    const event = (await eventsOf()).find((one) => one.event === "job.completed");
    const body: unknown = new Webhook(secret).verify(message.body, message.headers);
    expect(body).toMatchObject({
      event: "job.completed",
      account_id: accountId,
      endpoint_id: endpoint._id,
      event_id: event?._id,
      seq: event?.seq,
      job: { job_id: event?.data["job_id"] },
    });
    expect(body).not.toHaveProperty("job.callback");
    const [key] = await listReceiptKeys(app);
    const publicKey = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: key?.x ?? "" },
      format: "jwk",
    });
    const signature = /v1a,(\S+)/.exec(message.headers["webhook-signature"] ?? "")?.[1] ?? "";
    const head = `${message.headers["webhook-id"]}.${message.headers["webhook-timestamp"]}.`;
    const isSigned = (bytes: Buffer) =>
      verify(null, Buffer.concat([Buffer.from(head), bytes]), publicKey, Buffer.from(signature, "base64"));
    expect(isSigned(message.body)).toBe(true);
    expect(isSigned(Buffer.from(message.body.toString().replace(accountId, "acc_of_another")))).toBe(false);

    const delivered = await waitFor("the attempt to be recorded", () =>
      deliveries().findOne({ status: "delivered" }),
    );
    await resendEvent(app, accountId, delivered._id);
    await waitFor("the resent one", () => received.length === 2);
    expect(received[1]?.headers["webhook-id"]).toBe(message.headers["webhook-id"]);
    const { accountId: other } = await createCustomer(app);
    expect(await refusalOf(resendEvent(app, other, delivered._id))).toMatchObject({ code: "not_found" });
  });

  test("a test event is signed with its secret and names it; another account cannot send one", async () => {
    const { url, received } = await receiver();
    const { endpoint, secret = "" } = await addEndpoint(app, accountId, { url, events: ["order.*"] });
    clock.set(new Date());
    const tests = createTestEvents(app);
    try {
      const to = { endpointId: endpoint._id };
      expect(await tests.send(accountId, to)).toMatchObject({ status: "delivered", event: "test" });
      const [message] = received;
      expect(new Webhook(secret).verify(message?.body ?? "", message?.headers ?? {})).toMatchObject({
        event: "test",
        account_id: accountId,
        endpoint_id: endpoint._id,
      });
      const { accountId: other } = await createCustomer(app);
      expect(await refusalOf(tests.send(other, to))).toMatchObject({ code: "not_found" });
    } finally {
      await tests.close();
    }
  });

  test.each([
    ["http://169.254.169.254/", ["job.*"], "callback_url_refused"],
    ["ftp://example.com/", ["job.*"], "callback_url_refused"],
    ["https://example.com/", ["job.begun"], "invalid_request"],
    ["https://example.com/", [], "invalid_request"],
    ["no address", ["job.*"], "invalid_request"],
  ])("%s with the events %j is refused", async (url, events, code) => {
    const production = { ...app, config: { ...app.config, callbackAllowPrivate: false } };
    expect(await refusalOf(addEndpoint(production, accountId, { url, events }))).toMatchObject({ code });
    expect(await findEndpoints(app.mongo.db, [accountId])).toEqual([]);
  });

  test("an account has at most 20, even if many are added at the same time", async () => {
    const add = () => addEndpoint(app, accountId, { url: "https://example.com/", events: ["job.*"] });
    const all = await Promise.allSettled(Array.from({ length: 23 }, add));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(await findEndpoints(app.mongo.db, [accountId])).toHaveLength(20);
  });

  test("[EVT-03] is disabled once it has failed for seven days, with one mail, until its owner enables it", async () => {
    const { url } = await receiver(answerWith(302, { location: "http://127.0.0.1:1/" }));
    const { endpoint } = await addEndpoint(app, accountId, { url, events: ["job.*"] });
    startDeliverer(app);
    const failOnce = async () => {
      await complete();
      await waitFor(
        "an attempt",
        async () => (await deliveries().countDocuments({ attempt_count: 1 })) === 1,
      );
      await deliveries().deleteMany({});
    };
    const shown = async () => (await findEndpoints(app.mongo.db, [accountId]))[0];
    await failOnce();
    const failing = await waitFor("the failure to be noted", async () => (await shown())?.failing_since);
    clock.advance(7 * DAY_MS);
    await failOnce();
    await waitFor("it to be disabled", async () => (await shown())?.disabled_at);
    expect(clock.now().getTime() - failing.getTime()).toBe(7 * DAY_MS);
    await complete();
    await waitFor("the event to be forwarded", async () => (await forwardEvents(app)) === 0);
    expect(await deliveries().countDocuments({ event_id: (await eventsOf()).at(-1)?._id ?? "" })).toBe(0);
    const mails = app.mongo.db.collection("mails").find({ account_id: accountId, kind: "webhook.disabled" });
    expect(await mails.toArray()).toHaveLength(1);
    await changeEndpoint(app, { accountId, endpointId: endpoint._id }, "enable");
    expect(await shown()).not.toHaveProperty("disabled_at");
  });

  test.each([
    ["a first failure begins the time", {}, false, 0, { failing_since: 0 }],
    ["a later failure keeps the beginning", { failing_since: 0 }, false, DISABLED_AFTER_MS - 1, undefined],
    [
      "a failure after seven days disables",
      { failing_since: 0 },
      false,
      DISABLED_AFTER_MS,
      { failing_since: 0, disabled_at: DISABLED_AFTER_MS },
    ],
    [
      "a disabled endpoint is disabled once",
      { failing_since: 0, disabled_at: 1 },
      false,
      DISABLED_AFTER_MS + 1,
      undefined,
    ],
    ["a success ends the time", { failing_since: 0 }, true, 5, {}],
    ["a success after a success changes nothing", {}, true, 5, undefined],
  ])("%s", (_what, before, isDelivered, at, after) => {
    const dated = (times: Record<string, number>) =>
      Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, new Date(ms)]));
    const endpoint = dated(before) as unknown as AccountEndpointDoc;
    expect(afterAttempt(endpoint, isDelivered, new Date(at))).toEqual(after && dated(after));
  });
});
