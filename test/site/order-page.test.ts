// The rendered page of an order.
import { expect, test } from "vitest";
import { renderToStaticMarkup } from "../../gateway/site/design/markup.js";
import { invoiceView } from "../../gateway/site/shop/invoice-page.ts";
import { orderView } from "../../gateway/site/shop/orders-page.ts";
import type { OrderEventType, OrderResource, OrderState } from "../../proto/resources/order.ts";

const AT = "2026-05-01T12:00:00.000Z";
const ADA = {
  accountId: "acc_1",
  sessionId: "ses_1",
  email: "ada@example.com",
  name: "Ada",
  plan: "free",
  creditsAvailable: 0,
  inboxUnread: 0,
  timeZone: "",
  csrfToken: "token",
  fresh: true,
  issuedElsewhere: false,
};

function pageOf(
  amount_cents: number,
  state: OrderState,
  steps: readonly OrderEventType[],
  now = new Date(AT),
): string {
  return renderToStaticMarkup(orderView(ADA, orderOf(amount_cents, state, steps), { now }));
}

function orderOf(amount_cents: number, state: OrderState, steps: readonly OrderEventType[]): OrderResource {
  return {
    order_id: "ord_1",
    number: "20260501-000001",
    kind: "product",
    state,
    items: [
      {
        name: "Icons, standard licence",
        amount_cents,
        product_id: "prd_1",
        product_slug: "icons",
        licence: "standard",
        pack: null,
        credits: null,
        plan: null,
        tier: null,
        interval: null,
      },
    ],
    currency: "usd",
    reductions: [],
    amount_cents,
    tax_cents: 0,
    provider: amount_cents === 0 ? null : "stripe",
    receipt_number: amount_cents === 0 ? null : "2026-000001",
    reason: null,
    created_at: AT,
    paid_at: AT,
    expires_at: AT,
    events: steps.map((type, i) => ({ seq: i + 1, type, at: AT, note: null })),
    invoice: amount_cents === 0 ? null : { seller: "Atelier Ltd\n1 Quay", name: "", address: "", tax_id: "" },
    terms: null,
  };
}

const FULFILLED = ["placed", "paid", "fulfilled"] as const;
const REFUNDED = [...FULFILLED, "refunded"] as const;
const OF_MONEY = /payment|paid|refund|money|receipt|invoice/i;

test("its timeline has a column of notes only where a step has one", () => {
  const order = orderOf(900, "fulfilled", ["placed", "paid"]);
  const noted = { ...order, events: order.events.map((event) => ({ ...event, note: "by support" })) };
  const page = (one: OrderResource) => renderToStaticMarkup(orderView(ADA, one, { now: new Date(AT) }));
  expect([page(order).includes(">Note<"), page(noted).includes(">Note<")]).toEqual([false, true]);
});

test("[SHOP-31] a free order mentions no payment, also after it was revoked", () => {
  const had = pageOf(0, "fulfilled", FULFILLED);
  expect(had).toContain("Nothing to pay");
  expect(had).not.toMatch(OF_MONEY);
  const ended = pageOf(0, "refunded", REFUNDED);
  expect(ended).toContain("We have taken this back");
  expect(ended).not.toMatch(OF_MONEY);
});

test("a paid order shows its payment, invoice and refund", () => {
  const had = pageOf(1900, "fulfilled", FULFILLED);
  for (const words of ["Payment received", "Invoice 2026-000001"]) expect(had).toContain(words);
  const ended = pageOf(1900, "refunded", REFUNDED);
  for (const words of ["Refunded", "Your money is on its way back"]) expect(ended).toContain(words);
});

test("an invoice names both sides, escaped, and a refunded one has a credit note over the whole amount", () => {
  const order = { ...orderOf(1900, "fulfilled", FULFILLED), tax_cents: 361 };
  const seller = "Atelier Ltd\n1 Quay";
  const invoice = { seller, name: "<b>Ada & Co</b>", address: "2 Pier\nBristol", tax_id: "GB123" };
  const pageFor = (change: Partial<OrderResource>) =>
    renderToStaticMarkup(invoiceView(ADA, { ...order, invoice, ...change }));
  const had = pageFor({});
  for (const words of [
    "Invoice 2026-000001",
    "Atelier Ltd\n1 Quay",
    "Ada &amp; Co",
    "2 Pier\nBristol\nTax id GB123",
    "22.61 USD",
  ])
    expect(had).toContain(words);
  expect(had).not.toMatch(/Credit note|<b>/);
  const refunded = pageFor({ ...orderOf(1900, "refunded", REFUNDED), tax_cents: 361, invoice });
  for (const words of ["Credit note 2026-000001-C", "−22.61 USD", "−3.61 USD"])
    expect(refunded).toContain(words);
  expect(pageFor({ invoice: { ...invoice, name: "" } })).toContain("Ada\nada@example.com");
});

test("what came off the price of an order adds up above its other facts", () => {
  const none = { percent: null, off_cents: null, code: null, order_id: null };
  const order = orderOf(1500, "fulfilled", FULFILLED);
  const [item] = order.items;
  const reduced = {
    ...order,
    items: item ? [{ ...item, amount_cents: 1900 }] : [],
    reductions: [{ ...none, kind: "membership" as const, cents: 400, percent: 21 }],
  };
  const page = renderToStaticMarkup(orderView(ADA, reduced, { now: new Date(AT) }));
  const [, sum = ""] = /<dl class="facts facts--amounts">(.*?)<\/dl>/s.exec(page) ?? [];
  expect([...sum.matchAll(/<dd>([^<]*)</g)].map(([, amount]) => amount)).toEqual(["$19", "−$4", "$15"]);
  expect(pageOf(1900, "fulfilled", FULFILLED)).not.toContain("facts--amounts");
});

test("an order offers help with its number, and a refund for 14 days after payment", () => {
  const help =
    /href="\/support\/new\?kind=order&(?:amp;)?about=20260501-000001&(?:amp;)?subject=Order\+20260501-000001"/;
  const refund = /subject=Refund\+of\+order\+20260501-000001"[^>]*>Request a refund</;
  const paid = (now: string) => pageOf(1900, "fulfilled", FULFILLED, new Date(now));
  expect(paid("2026-05-15T11:59:59.999Z")).toMatch(help);
  expect(paid("2026-05-15T11:59:59.999Z")).toMatch(refund);
  for (const without of [
    paid("2026-05-15T12:00:00.000Z"),
    pageOf(1900, "refunded", REFUNDED),
    pageOf(0, "fulfilled", FULFILLED),
  ]) {
    expect(without).toMatch(help);
    expect(without).not.toMatch(refund);
  }
});
