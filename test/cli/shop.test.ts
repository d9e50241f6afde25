// Orders and credit packs by the operator's commands.
import { beforeAll, expect, test } from "vitest";
import { getAccount } from "../../core/identity/accounts/get-account.ts";
import { startCheckout } from "../../core/shop/orders/checkout.ts";
import { placeOrder } from "../../core/shop/orders/place-order.ts";
import { takeCheckout } from "../../core/shop/orders/take-event.ts";
import { findSubscriptions } from "../../core/shop/subscriptions/store.ts";
import { setProduct } from "../core/shop/orders/shop-fixture.ts";
import { createCustomer } from "../support/app.ts";
import { useCli } from "./run-cli.ts";

const WHY = ["--reason", "ticket 9", "--operator", "Grace"];
let orderId: string;
let accountId: string;

const { core, run } = useCli();
beforeAll(async () => {
  await setProduct(core.app, { slug: "free-icons", name: "Free Icons", price_regular_cents: 0 });
  ({ accountId } = await createCustomer(core.app));
  const wanted = { kind: "product", slug: "free-icons", licence: "standard" } as const;
  const placed = await placeOrder(core.app, accountId, { idempotencyKey: "form", expectedCents: 0, wanted });
  orderId = placed._id;
});

test("order list filters by account and state", async () => {
  for (const args of [[], [accountId], ["--state", "fulfilled"]]) {
    const { stdout, exitCode } = await run("order", "list", ...args);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(orderId)]);
  }
  expect((await run("order", "list", "--state", "refunded")).stdout).toContain("0 orders");
  expect((await run("order", "list", "nobody@example.com")).exitCode).toBe(1);
});

test("order show prints the order's history, and order refund refunds once with an audit record", async () => {
  const { stdout } = await run("order", "show", orderId);
  expect(stdout).toContain("Free Icons, standard licence");
  expect(stdout).toMatch(/placed[\s\S]*paid[\s\S]*fulfilled/);
  const refunded = await run("order", "refund", orderId, "--note", "Wrong icons.", ...WHY);
  expect([refunded.exitCode, refunded.stdout]).toEqual([
    0,
    expect.stringContaining("refunded. Wrong icons."),
  ]);
  const again = await run("order", "refund", orderId, ...WHY);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("The order is refunded")]);
  const trail = await run("--json", "audit-trail", "--target", orderId);
  expect(trail.stdout).toMatch(/RefundOrder[\s\S]*order_conflict[\s\S]*RefundOrder[\s\S]*done/);
  expect((await run("order", "show", "ord_NONE")).stderr).toContain("no such order");
});

test("subscriptions are listed, shown, and ended once, with an audit record", async () => {
  const { app } = core;
  const wanted = { kind: "plan", plan: "pro" } as const;
  const form = { idempotencyKey: "plan", expectedCents: 2_900, wanted };
  const { accountId: buyer } = await createCustomer(app, { plan: "free" });
  const placed = await placeOrder(app, buyer, form);
  const { order } = await startCheckout(app, buyer, { orderId: placed._id, expectedCents: 2_900 });
  const { demo } = app.payments;
  const ref = order.provider_ref ?? "";
  await demo?.press({ ref, accountId: buyer, action: "pay", delivery: "never" });
  if (demo) await takeCheckout(app, order, await demo.fetchCheckout(ref));
  const [subscription] = await findSubscriptions(app.mongo.db, buyer);
  const id = subscription?._id ?? "";
  for (const args of [[], [buyer], ["--state", "active"]])
    expect((await run("subscription", "list", ...args)).stdout).toMatch(
      new RegExp(`${id} +${buyer} +active +Pro plan +29.00 USD a month`),
    );
  expect((await run("subscription", "list", "--state", "ended")).stdout).toContain("no subscriptions");
  expect((await run("subscription", "list", "--state", "odd")).exitCode).toBe(2);
  expect((await run("subscription", "show", id)).stdout).toMatch(/active[\s\S]*Pro plan[\s\S]*joined/);
  expect((await run("subscription", "show", "sub_NONE")).stderr).toContain("no such subscription");
  const ended = await run("subscription", "end", id, "--note", "As you asked.", ...WHY);
  expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringMatching(/: ended[\s\S]*As you asked\./)]);
  expect((await getAccount(app, buyer)).plan).toBe("free");
  const again = await run("subscription", "end", id, ...WHY);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("has ended already")]);
  const trail = await run("--json", "audit-trail", "--target", id);
  expect(trail.stdout).toMatch(/EndSubscription[\s\S]*order_conflict[\s\S]*EndSubscription[\s\S]*done/);
});

test("discount codes are added, listed with their uses, and ended", async () => {
  const added = await run(
    "code",
    "add",
    "summer-20",
    "--percent",
    "20",
    "--uses",
    "5",
    "--uses-each",
    "1",
    ...WHY,
  );
  expect([added.exitCode, added.stdout]).toEqual([
    0,
    expect.stringMatching(/SUMMER-20 +20% +all +never +0 of 5 +1/),
  ]);
  const both = await run("code", "add", "both", "--percent", "20", "--off", "500", ...WHY);
  expect([both.exitCode, both.stderr]).toEqual([
    1,
    "error: --percent or an amount must be given, and not both\n",
  ]);
  expect((await run("code", "add", "Summer-20", "--off", "5", ...WHY)).stderr).toContain("exists already");
  const past = await run("code", "add", "past", "--off", "5", "--expires", "2020-01-31", ...WHY);
  expect([past.exitCode, past.stderr]).toEqual([
    1,
    "error: --expires must be in the future, or be left out for a code without an end\n",
  ]);
  expect((await run("code", "end", "summer-20", ...WHY)).exitCode).toBe(0);
  const { stdout } = await run("code", "list");
  expect(stdout).toMatch(/SUMMER-20 +20% +all +20\d\d-\d\d-\d\dT/);
});

test("reviews are listed and hidden, with an audit record", async () => {
  const { accountId: author } = await createCustomer(core.app);
  await run("licence", "grant", author, "free-icons", ...WHY);
  const caller = { kind: "account", accountId: author, source: "app" } as const;
  const said = { product_slug: "free-icons", stars: 2, text: "Too\nfew.", name: "Ada" };
  const { review_id: id } = await core.client().library.PutReview(said, { caller });
  expect((await run("review", "list", "free-icons")).stdout).toMatch(
    new RegExp(`${id} +${author} +2 +no +20.* +Ada +Too few\\.`),
  );
  expect((await run("review", "hide", id, ...WHY)).stdout).toBe(`${id} of free-icons is hidden\n`);
  expect((await run("review", "list", "free-icons")).stdout).toMatch(/ +2 +yes /);
  expect((await run("review", "hide", id, "--undo", ...WHY)).stdout).toContain("is not hidden");
  expect((await run("review", "hide", "rev_none", ...WHY)).stderr).toContain("There is no such review.");
  const trail = await run("--json", "audit-trail", "--target", id);
  expect(trail.stdout).toMatch(/HideReview[\s\S]*"undo"[\s\S]*HideReview[\s\S]*done/);
});

test("packs are listed, changed and taken off sale", async () => {
  const { stdout } = await run("pack", "list");
  expect(stdout).toMatch(
    /small +500 +\$5\.00 +yes[\s\S]*medium +2,200 +\$20\.00[\s\S]*large +12,000 +\$100\.00/,
  );
  const set = await run("pack", "set", "small", "600", "550", "--not-sold", ...WHY);
  expect([set.exitCode, set.stdout]).toEqual([
    0,
    expect.stringContaining("small: 600 credits for $5.50, not sold"),
  ]);
  expect((await run("pack", "set", "Bad Name", "600", "550", ...WHY)).exitCode).toBe(1);
  const { packs } = await core.client().orders.ListPacks({});
  expect(packs.map(({ pack }) => pack)).toEqual(["medium", "large"]);
});
