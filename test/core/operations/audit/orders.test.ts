// The audit of orders: each planted fault is found, and a correct shop has none.
import { beforeAll, expect, test } from "vitest";
import { NO_WORK } from "../../../../core/base/work/rules.ts";
import { grantLicence } from "../../../../core/shop/memberships/licences.ts";
import { refundOrder } from "../../../../core/shop/orders/refunds.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import {
  buy,
  FREE,
  ICONS,
  ICONS_FOR_CLIENTS,
  newBuyer,
  place,
  placeAndGo,
  SMALL_PACK,
  useShop,
} from "../../shop/orders/shop-fixture.ts";

let accountId: string;
let icons: OrderDoc;
let credits: OrderDoc;
let refunded: OrderDoc;
let open: OrderDoc;

const world = useShop({ clock: createFakeClock("2026-05-01T12:00:00Z") });
const { app } = world;
beforeAll(async () => {
  ({ accountId } = await newBuyer(app));
  // An operator granted it before there were orders.
  await grantLicence(app, accountId, { productSlug: "plus-icons", kind: "client", source: "grant" });
  icons = await buy(app, accountId, ICONS, 1900);
  credits = await buy(app, accountId, SMALL_PACK, 500);
  refunded = await buy(app, accountId, ICONS_FOR_CLIENTS, 8000);
  await refundOrder(app, refunded._id, "Mistake.");
  await place(app, accountId, FREE, 0);
  open = await placeAndGo(app, accountId, SMALL_PACK, 500);
});

/** Changes a stored document, audits, and restores it. */
async function findingsWith(name: string, filter: object, update: object): Promise<string[]> {
  const collection = app.mongo.db.collection(name);
  const before = await collection.findOne(filter);
  if (!before) throw new Error(`nothing to change in ${name}`);
  await collection.updateOne(filter, update);
  const findings = await auditFindings(app);
  await collection.replaceOne({ _id: before._id }, before);
  return findings;
}

test("a correct shop has no findings", async () => {
  expect(await auditFindings(app)).toEqual([]);
});

test("[SHOP-07] the audit finds a licence without an order", async () => {
  const [ofOrder] = [{ order_id: icons._id }];
  expect(await findingsWith("licences", ofOrder, { $set: { order_id: "ord_NONE" } })).toEqual([
    `order ${icons._id}: was fulfilled and has no licence`,
    expect.stringMatching(/^licence lic_.*: its order ord_NONE is not there$/),
  ]);
  expect(await findingsWith("licences", ofOrder, { $unset: { order_id: "" } })).toContainEqual(
    expect.stringMatching(/was bought, and neither by an order nor given by an operator$/),
  );
});

test("a bought licence older than orders, or from an operator, is no finding", async () => {
  const given = await grantLicence(app, accountId, {
    productSlug: "icons",
    kind: "client",
    source: "purchase",
  });
  expect(await auditFindings(app)).toEqual([]);
  const long = new Date("2020-01-01T00:00:00Z");
  await app.mongo.db
    .collection("licences")
    .updateOne({ _id: given._id as never }, { $unset: { order_id: "" }, $set: { granted_at: long } });
  expect(await auditFindings(app)).toEqual([]);
});

test("the audit finds an order that is paid and not fulfilled", async () => {
  const wrong = await findingsWith("orders", { _id: open._id }, { $set: { state: "paid" } });
  expect(wrong).toEqual([`order ${open._id}: is paid and not fulfilled`]);
});

test("the audit finds a wrong total, and an upgrade of a refunded licence", async () => {
  const where = { _id: refunded._id };
  const cheaper = await findingsWith("orders", where, { $set: { "reductions.0.cents": 1000 } });
  expect(cheaper).toContain(`order ${refunded._id}: costs 8000 cents, and its items less 1000 come to 8900`);
  const other = await findingsWith("orders", where, { $set: { "reductions.0.order_id": "ord_NONE" } });
  expect(other).toEqual([
    `order ${refunded._id}: upgrades the licence of order ord_NONE, which is not there`,
  ]);
  const base = await findingsWith("orders", where, {
    $set: { state: "fulfilled", "reductions.0.order_id": open._id, "reductions.0.cents": 400 },
  });
  expect(base).toContain(`order ${refunded._id}: upgrades the licence of order ${open._id}, which is placed`);
});

test("the audit finds an order fulfilled without a payment, or for another amount", async () => {
  const where = { _id: `scripted:pay_${icons._id}` };
  expect(await findingsWith("payments", where, { $set: { ref: "other" } })).toContainEqual(
    `order ${icons._id}: was fulfilled without a payment`,
  );
  expect(await findingsWith("payments", where, { $set: { amount_cents: 1 } })).toEqual([
    `order ${icons._id}: costs 1900 cents and 1 were paid`,
  ]);
});

test("the audit finds a missing refund and an unjustified one", async () => {
  const where = { _id: `scripted:pay_${refunded._id}` };
  const kept = await findingsWith("payments", where, { $set: { state: "kept", work: NO_WORK } });
  expect(kept).toContainEqual(`order ${refunded._id}: is refunded, and its payment is kept`);
  expect(await findingsWith("payments", where, { $set: { work: NO_WORK } })).toEqual([
    `payment ${where._id}: is to_give_back and is not due`,
  ]);
  const back = { _id: `scripted:pay_${icons._id}` };
  expect(await findingsWith("payments", back, { $set: { state: "given_back" } })).toEqual([
    `payment ${back._id}: was refunded, and the order ${icons._id} is fulfilled`,
  ]);
});

test("the audit finds an order that was paid twice without a refund", async () => {
  const second = { _id: `scripted:second_${icons._id}` as never };
  const { _id, ...first } = (await app.mongo.db
    .collection("payments")
    .findOne({ _id: `scripted:pay_${icons._id}` as never })) ?? { _id: "" };
  await app.mongo.db.collection("payments").insertOne({ ...second, ...first, ref: `second_${icons._id}` });
  expect(await auditFindings(app)).toContain(
    `order ${icons._id}: was paid 2 times and not refunded: ${String(_id)}, ${String(second._id)}`,
  );
  await app.mongo.db.collection("payments").deleteOne(second);
});

test("the audit finds a payable checkout that no open order names", async () => {
  const ref = open.provider_ref ?? "";
  const where = { _id: open._id };
  const [made] = open.checkouts_made ?? [];
  const stored = (checkouts_made: object[], state = "placed") => ({
    $set: { checkouts_made, state, provider_ref: null },
  });
  expect(await findingsWith("orders", where, stored([{ ...made, ref: "co_other" }]))).toEqual([
    `checkout ${ref}: can be paid, and the order ${open._id} does not name it`,
  ]);
  expect(await findingsWith("orders", where, stored([{ ...made, state: "closed" }], "cancelled"))).toEqual([
    `checkout ${ref}: can be paid, and the order ${open._id} says that it is closed`,
  ]);
  // The provider's response is not stored yet, and will be queried.
  expect(await findingsWith("orders", where, stored([{ ...made, ref: null }]))).toEqual([]);
  expect(await findingsWith("orders", where, { $set: { work: NO_WORK } })).toEqual([
    `order ${open._id}: has a checkout that can be paid, and no check of it with the provider is due`,
  ]);
  expect(
    await findingsWith("orders", where, stored([made ?? {}, { ...made, number: 2, ref: "co_2" }])),
  ).toEqual([`order ${open._id}: has 2 checkouts that can be paid`]);
});

test("the audit reports checkouts that the provider does not list as unchecked", async () => {
  world.provider.isAway = true;
  expect(await auditFindings(app)).toEqual([expect.stringContaining("checkouts: were not checked")]);
  world.provider.isAway = false;
});

test("the audit finds a licence that stays live after its refund", async () => {
  const wrong = await findingsWith(
    "licences",
    { order_id: refunded._id },
    { $set: { revoked_at: null, kind: "x" } },
  );
  expect(wrong).toContainEqual(expect.stringMatching(/is refunded, and its licence .* is live$/));
});

test("the audit finds credits that differ from their order's", async () => {
  expect(await findingsWith("orders", { _id: credits._id }, { $set: { credits_taken_back: 7 } })).toEqual([
    `order ${credits._id}: its entries come to 500 credits in place of 493`,
  ]);
});

test("the audit finds a ledger entry whose order is missing", async () => {
  const orders = app.mongo.db.collection("orders");
  const doc = await orders.findOne({ _id: credits._id as never });
  await orders.deleteOne({ _id: credits._id as never });
  const wrong = await auditFindings(app);
  if (doc) await orders.insertOne(doc);
  expect(wrong).toContainEqual(
    expect.stringMatching(/^ledger entry led_.*: is of an order that is not there$/),
  );
  expect(wrong).toContainEqual(expect.stringMatching(/^payment .* is not one of the account$/));
});

test("the audit finds a gap in the receipt numbers, and a duplicate", async () => {
  expect(
    await findingsWith("orders", { _id: icons._id }, { $set: { receipt_number: credits.receipt_number } }),
  ).toEqual(["receipts of 2026: 3 were counted, and orders have 2"]);
  expect(await findingsWith("receipt_numbers", { _id: "2026" }, { $set: { last: 4 } })).toEqual([
    "receipts of 2026: 4 were counted, and orders have 3",
  ]);
});
