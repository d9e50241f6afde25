// The operator's console: what a word means, what is paused, and how long the queue is.
import { expect, test } from "vitest";
import { findKeysByHash } from "../../core/identity/accounts/store-keys.ts";
import { saveName } from "../../core/identity/accounts/store.ts";
import { grantLicence } from "../../core/shop/memberships/licences.ts";
import { startCheckout } from "../../core/shop/orders/checkout.ts";
import { placeOrder } from "../../core/shop/orders/place-order.ts";
import { orders } from "../../core/shop/orders/store.ts";
import { takeCheckout } from "../../core/shop/orders/take-event.ts";
import { findSubscriptions } from "../../core/shop/subscriptions/store.ts";
import { acceptJobs } from "../../core/studio/jobs/accept.ts";
import { claimJobs } from "../../core/studio/runs/claim.ts";
import { orderNumber } from "../../proto/resources/order.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { setProduct } from "../core/shop/orders/shop-fixture.ts";
import { acceptOne, askFor } from "../support/accept.ts";
import { createCustomer } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { useCli } from "./run-cli.ts";

const WHY = ["--reason", "the store is full", "--operator", "Grace"];

const { core, run, json } = useCli();

type Hit = { kind: string; id: string; account_id: string; what: string; next: string };

/** Creates a subscription of a new account. Returns its id. */
async function subscribed(): Promise<string> {
  const { app } = core;
  const { accountId } = await createCustomer(app, { plan: "free" });
  const wanted = { kind: "plan", plan: "pro" } as const;
  const placed = await placeOrder(app, accountId, { idempotencyKey: "plan", expectedCents: 2_900, wanted });
  const { order } = await startCheckout(app, accountId, { orderId: placed._id, expectedCents: 2_900 });
  const { demo } = app.payments;
  const ref = order.provider_ref ?? "";
  await demo?.press({ ref, accountId, action: "pay", delivery: "never" });
  if (demo) await takeCheckout(app, order, await demo.fetchCheckout(ref));
  const [subscription] = await findSubscriptions(app.mongo.db, accountId);
  return subscription?._id ?? "";
}

test("find resolves a word of any kind and names the next command, which works", async () => {
  const { app } = core;
  await setProduct(app, { slug: "free-icons", name: "Free Icons", price_regular_cents: 0 });
  const { accountId, key, caller } = await createCustomer(app);
  const { email } = await json<{ email: string }>("account", "show", accountId);
  await saveName(app.mongo.db, accountId, "Ada Lovelace");
  const keySha256 = hashApiKey(key);
  const keyId = (await findKeysByHash(app.mongo.db, [keySha256])).get(keySha256)?.key_id ?? "";
  const job = await acceptOne(app, caller, { callback_url: "http://127.0.0.1:1/callbacks" });
  await run("job", "cancel", job._id, ...WHY);
  const wanted = { kind: "product", slug: "free-icons", licence: "standard" } as const;
  const order = await placeOrder(app, accountId, { idempotencyKey: "form", expectedCents: 0, wanted });
  const licence = await grantLicence(app, accountId, {
    productSlug: "free-icons",
    kind: "client",
    source: "grant",
  });
  const { ticket_id: ticketId } = await core
    .client()
    .tickets.OpenTicket(
      { subject: "my secret", kind: "other", text: "my secret" },
      { caller: { kind: "account", accountId, source: "app" } },
    );
  const dlv = `${job._id.replace("job_", "dlv_")}_001`;
  const led = `${job._id.replace("job_", "led_")}_reserve`;
  const requestId = "req_of_this_test";
  await core.client().admin.PauseModel({ model_slug: "tune" }, { requestId });
  await core.client().admin.ResumeModel({ model_slug: "tune" });

  const { bulk_id: bulkId } = await json<{ bulk_id: string }>("jobs", "cancel", "--account", email);
  expect((await run("bulk", "show", bulkId)).stdout).toContain(`account ${accountId},`);
  const subscriptionId = await subscribed();
  const expected: readonly [word: string, kind: string, id: string][] = [
    [accountId, "account", accountId],
    [email, "account", accountId],
    [email.slice(0, -4).toUpperCase(), "account", accountId],
    ["LOVE", "account", accountId],
    [keyId, "key", keyId],
    [key, "key", keyId],
    [key.slice(-4), "key", keyId],
    [`atl_gen_…${key.slice(-4)}`, "key", keyId],
    [job._id, "job", job._id],
    [order._id, "order", order._id],
    [licence._id, "licence", licence._id],
    [ticketId, "ticket", ticketId],
    [dlv, "delivery", dlv],
    [led, "ledger entry", led],
    [bulkId, "bulk", bulkId],
    [subscriptionId, "subscription", subscriptionId],
    ["free-icons", "product", "free-icons"],
    ["picture", "model", "picture"],
    ["test", "provider", "test"],
    [requestId, "operator's act", expect.stringMatching(/^adm_/) as string],
  ];
  for (const [word, kind, id] of expected) {
    const hits = await json<Hit[]>("find", word);
    expect([word, hits.filter((hit) => hit.kind === kind).map((hit) => hit.id)]).toEqual([word, [id]]);
  }
  const all = (await Promise.all(expected.map(([word]) => json<Hit[]>("find", word)))).flat();
  expect(JSON.stringify(all)).not.toMatch(/my secret|a pier/);
  for (const next of new Set(all.map((hit) => hit.next)))
    expect([next, (await run(...next.split(" "))).exitCode]).toEqual([next, 0]);
});

test("find leads from the number of an order or its receipt to it, and exits with 1 for an unknown word", async () => {
  await subscribed();
  const paid = await orders(core.app.mongo.db).findOne({ receipt_number: { $type: "string" } });
  for (const number of [paid?.receipt_number ?? "", orderNumber(paid?._id ?? "")])
    expect(await json<Hit[]>("find", number)).toMatchObject([{ kind: "order", id: paid?._id }]);
  for (const word of ["job_01", "nobody@example.com", "2026-999999", "20260101-ZZZZZZ", "zzzz zzzz"]) {
    const { exitCode, stdout } = await run("find", word);
    expect([exitCode, stdout]).toEqual([1, `nothing is known as ${word}\n`]);
  }
  expect((await run("find", " ")).exitCode).toBe(1);
});

test("a paused queue shows who paused it, when and why; no job starts, and new jobs are accepted or refused as set", async () => {
  const { app } = core;
  const { caller } = await createCustomer(app);
  const claim = () => claimJobs(app, { worker: "w", limit: 9, leaseMs: 15_000 });
  expect((await run("status")).stdout).toMatch(/^queue +open[\s\S]*nothing is paused/);

  await run("queue", "pause", ...WHY);
  const waiting = await acceptOne(app, caller);
  expect(await claim()).toEqual([]);
  expect((await run("status")).stdout).toMatch(
    /^queue +paused: no waiting job starts; new requests are accepted and wait\nsince +\S+Z\nwaiting +1 job, the oldest for \d+ s\nrunning +no job/,
  );

  await run("queue", "pause", "--refuse", ...WHY);
  const [refused] = await acceptJobs(app, [askFor(caller)]);
  expect(refused).toMatchObject({ reason: { code: "service_unavailable", retryAfterSeconds: 30 } });
  await run("model", "pause", "tune", ...WHY);
  await run("provider", "pause", "test", ...WHY);
  const act = { operator: "Grace", reason: "the store is full", at: expect.stringMatching(/Z$/) };
  expect(await json("status")).toMatchObject({
    queue: { state: "closed", waiting: 1 },
    pauses: [
      { kind: "queue", name: "", ...act },
      { kind: "model", name: "tune", ...act },
      { kind: "provider", name: "test", ...act },
    ],
  });
  const { stdout } = await run("status");
  for (const end of ["queue resume", "model resume tune", "provider resume test"]) {
    expect(stdout).toContain(end);
    expect((await run(...end.split(" "), ...WHY)).exitCode).toBe(0);
  }
  expect(await json("status")).toMatchObject({ queue: { state: "open" }, pauses: [] });
  expect((await claim()).map(({ job }) => job._id)).toEqual([waiting._id]);
  expect(await json("audit-trail", "--target", "queue")).toMatchObject({
    entries: [
      { method: "ResumeQueue", outcome: "done", result: "open; 1 waiting, 0 running" },
      { method: "PauseQueue", detail: "new requests are refused", result: "closed; 1 waiting, 0 running" },
      { method: "PauseQueue", detail: "", result: "paused; 0 waiting, 0 running" },
    ],
  });
  expect(await auditFindings(app)).toEqual([]);
});
