// The shop: selection, the demo provider's page, waiting, orders and receipts; and the providers' events over HTTP.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoHeaders } from "../../core/adapters/payments/rules.ts";
import { fromMessage } from "../../proto/codec.ts";
import { orderNumber, orderSchema } from "../../proto/resources/order.ts";
import { setProduct } from "../core/shop/orders/shop-fixture.ts";
import { startMailServer } from "../support/mail-server.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { as, sendForm } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

let people = 0;
let forms = 0;

const mail = sharedByTests(() => startMailServer());
const service = sharedByTests(() => startWholeService({ env: { ATELIER_SMTP_URL: mail.url } }));
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  await setProduct(service.app, {
    slug: "icons",
    name: "Icons",
    price_regular_cents: 1950,
    client_price_cents: 9900,
  });
  await setProduct(service.app, {
    slug: "members",
    name: "Members",
    price_regular_cents: 2000,
    plus_only: true,
  });
  await setProduct(service.app, { slug: "gift", name: "Gift", price_regular_cents: 0 });
  await setProduct(service.app, { slug: "moving", name: "Moving", price_regular_cents: 1000 });
});
afterAll(async () => {
  expectNoFindings(await service.audit());
});

function expectNoFindings(findings: string[]): void {
  if (findings.length > 0) throw new Error(findings.join("\n"));
}

const newPerson = () => signInAs(service, `person-${(people += 1)}@example.com`);
const buy = (who: Browser, fields: Record<string, string>) =>
  sendForm(who, "/checkout", { product: "icons", licence: "standard", expected_cents: "1950", ...fields });
const locationOf = ({ headers }: { headers: Headers }) => headers.get("location") ?? "";

const orderOf = async (who: Browser, orderId: string) =>
  fromMessage(orderSchema, await service.core.orders.GetOrder({ order_id: orderId }, callOf(who)));

async function placed(who: Browser): Promise<string> {
  const answer = await buy(who, { idempotency_key: `key ${(forms += 1)}` });
  expect(answer.status).toBe(303);
  return locationOf(answer).replace("/checkout/", "");
}

/** Presses Pay on the checkout and returns the path of the demo provider's page. */
async function goToPay(who: Browser, orderId: string): Promise<string> {
  const answer = await sendForm(who, `/checkout/${orderId}/pay`, { expected_cents: "1950" });
  expect(answer.status).toBe(303);
  expect(locationOf(answer)).toMatch(/^\/payments\/demo\/demo_/);
  return locationOf(answer);
}

async function press(who: Browser, path: string, action: string, delivery = "once"): Promise<void> {
  const answer = await sendForm(who, path, { action, delivery });
  expect([answer.status, locationOf(answer)]).toEqual([303, expect.stringMatching(/\/return$/)]);
}

const becomes = (who: Browser, orderId: string, state: string) =>
  waitFor(`order ${state}`, async () => (await orderOf(who, orderId))["state"] === state);

describe("a customer without scripts", () => {
  test("is declined once, tries again, pays, and prints the invoice", async () => {
    const ada = await newPerson();
    await browser.visit("/products/icons", { ...as(ada), scripts: false }, async (visit) => {
      const { page } = visit;
      await page.getByRole("button", { name: "Buy for $19.50 Icons, standard licence" }).click();
      await page.waitForURL("**/checkout/ord_*");
      await page.getByRole("button", { name: "Pay $19.50" }).click();
      await page.waitForURL("**/payments/demo/*");
      await page.getByRole("button", { name: "Decline" }).click();
      await page.waitForURL("**/account/orders/ord_*");
      await page.getByText("The payment was declined.").first().waitFor();
      await page.getByRole("button", { name: "Try again for $19.50" }).click();
      await page.waitForURL("**/checkout/ord_*");
      await page.getByRole("button", { name: "Pay $19.50" }).click();
      await page.waitForURL("**/payments/demo/*");
      await page.getByRole("button", { name: "Pay $19.50" }).click();
      await page.waitForURL("**/account/orders/ord_*");
      await page.getByRole("link", { name: /^Invoice 20\d\d-\d{6}$/ }).click();
      await page.getByRole("heading", { level: 2, name: /^Invoice 20\d\d-\d{6}$/ }).waitFor();
      await visit.screenshot("shop-invoice");
      await page.emulateMedia({ media: "print" });
      await visit.screenshot("shop-invoice-printed");
      expect(await page.locator(".site-header").isVisible()).toBe(false);
      expect(await page.locator(".invoice").isVisible()).toBe(true);
    });
  });

  test("enters a discount code at the checkout, reads why another is refused, and pays the rest", async () => {
    const ada = await newPerson();
    await service.core.admin.CreateDiscountCode({ code: "SUMMER", percent: 20, max_uses: 5 });
    const path = `/checkout/${await placed(ada)}`;
    await browser.visit(path, { ...as(ada), expectedErrors: /400/ }, async (visit) => {
      const { page } = visit;
      const apply = async (code: string) => {
        await page.getByLabel("Discount code").fill(code);
        await page.getByRole("button", { name: "Apply the discount code" }).click();
      };
      await apply("winter");
      await page.getByText("There is no code WINTER.").waitFor();
      await visit.expectGoodInEveryLight("shop-code-refused");
      await apply("summer");
      await page.getByText("Code SUMMER, 20% off").waitFor();
      await visit.expectGoodInEveryLight("shop-code");
      await page.getByRole("button", { name: "Remove the code SUMMER" }).click();
      await page.getByRole("button", { name: "Pay $19.50" }).waitFor();
      await apply("Summer");
      await page.getByRole("button", { name: "Pay $15.60" }).click();
      await page.waitForURL("**/payments/demo/*");
      await page.getByRole("button", { name: "Pay $15.60" }).click();
      await page.waitForURL("**/account/orders/ord_*");
      expect(await page.getByText("Code SUMMER, 20% off").count()).toBeGreaterThan(0);
    });
  });

  test("buys a credit pack and sees all orders", async () => {
    const ada = await newPerson();
    await browser.visit("/credits/buy", { ...as(ada), scripts: false }, async ({ page }) => {
      await page.getByRole("button", { name: "Buy for $5 500 credits" }).click();
      await page.getByRole("button", { name: "Pay $5" }).click();
      await page.waitForURL("**/payments/demo/*");
      await page.getByRole("button", { name: "Pay $5" }).click();
      await page.waitForURL("**/account/orders/ord_*");
      await page.goto("/account/orders");
      expect(await page.locator("main").getByRole("link", { name: "500 credits" }).count()).toBe(1);
      await page.goto("/credits");
      const entry = page.locator(".ledger__row").filter({ hasText: "500 credits bought, order 20" });
      expect(await page.locator(".ledger").textContent()).not.toContain("ord_");
      await entry.locator("summary").click();
      await entry.getByRole("link", { name: "Open this order" }).click();
      await page.waitForURL("**/account/orders/ord_*");
    });
  });

  test("closes the payment page and cancels", async () => {
    const ada = await newPerson();
    const orderId = await placed(ada);
    const path = await goToPay(ada, orderId);
    await browser.visit(path, { ...as(ada), scripts: false }, async ({ page }) => {
      await page.getByRole("link", { name: "Close without paying" }).click();
      await page.getByRole("button", { name: "Cancel the order" }).click();
      await page.waitForURL(`**/account/orders/${orderId}`);
      expect(await page.getByText("It was cancelled before it was paid.").count()).toBeGreaterThan(0);
    });
  });
});

describe("the page of a product for sale", () => {
  const pageOf = async (who: Browser | undefined, path: string) =>
    (await (who?.call ?? service.call)(path, { headers: { accept: "text/html" } })).text;
  const paid = async (who: Browser, licence: "standard" | "client", cents: number) => {
    const sent = { licence, expected_cents: String(cents), idempotency_key: `key ${(forms += 1)}` };
    const orderId = locationOf(await buy(who, sent)).replace("/checkout/", "");
    const page = await sendForm(who, `/checkout/${orderId}/pay`, { expected_cents: String(cents) });
    await press(who, locationOf(page), "pay");
    await becomes(who, orderId, "fulfilled");
    return orderId;
  };

  test("shows its owner the licence with download, receipt and help, and sells the upgrade", async () => {
    const ada = await newPerson();
    const orderId = await paid(ada, "standard", 1950);
    const page = await pageOf(ada, "/products/icons");
    expect(page).toMatch(/You own this<\/strong>: Standard licence, since <time/);
    for (const href of [
      `/account/orders/${orderId}`,
      `/support/new?kind=licence&amp;about=${orderNumber(orderId)}`,
    ])
      expect(page).toContain(`href="${href}"`);
    expect(page).toMatch(/You have this licence.*Upgrade for \$79\.50/s);
    expect(page).not.toContain('name="licence" value="standard"');
    await paid(ada, "client", 7950);
    const after = await pageOf(ada, "/products/icons");
    expect(after).toContain("Client licence, since");
    expect(after).not.toContain('action="/checkout"');
  });

  test("says that a client licence covers the standard one, and does not sell it", async () => {
    const ada = await newPerson();
    await paid(ada, "client", 9900);
    const page = await pageOf(ada, "/products/icons");
    expect(page).toContain("Your client licence covers all of it.");
    expect(page).not.toContain('action="/checkout"');
  });

  test("for members asks others to join, and shows members their price", async () => {
    const join = /<a class="button button--primary" href="\/account\/membership"[^>]*>Join Plus to buy</;
    const ada = await newPerson();
    for (const who of [undefined, ada]) {
      const page = await pageOf(who, "/products/members");
      expect(page).toMatch(join);
      expect(page).not.toContain('action="/checkout"');
    }
    const until = "2999-01-01T00:00:00.000Z";
    await service.core.admin.SetMembership({ account: ada.accountId, tier: "plus", until });
    const own = await pageOf(ada, "/products/members");
    expect(own).toMatch(/\$16.*<s>.*\$20.*members’ price, 20% off/s);
    expect(own).toContain('name="expected_cents" value="1600"');
  });

  test("for members asks no one to join what is not sold", async () => {
    const ada = await newPerson();
    const setPrices = async (monthly_price_cents: number, yearly_price_cents: number) => {
      await service.core.admin.SetTierPrices({ tier: "plus", monthly_price_cents, yearly_price_cents });
      return {
        product: await pageOf(ada, "/products/members"),
        tiers: await pageOf(ada, "/account/membership"),
      };
    };
    const { tiers } = await setPrices(1_500, 0);
    expect(tiers).toMatch(/\$15 a month/);
    expect(tiers).not.toMatch(/>\s*0\s*</);
    expect(await setPrices(0, 0)).toMatchObject({ product: expect.not.stringContaining("Join Plus to buy") });
    expect((await setPrices(1_500, 15_000)).product).toContain("Join Plus to buy");
  });
});

describe("[SHOP-03] order forms", () => {
  test("pressed twice, and replayed, place one order", async () => {
    const ada = await newPerson();
    const press = () => buy(ada, { idempotency_key: "twice" });
    const answers = await Promise.all([press(), press()]);
    expect(new Set(answers.map(locationOf)).size).toBe(1);
    expect(locationOf(await press())).toBe(locationOf(answers[0] ?? (await press())));
    expect((await service.core.orders.ListOrders({}, callOf(ada))).orders).toHaveLength(1);
  });

  test("for free, pressed twice, lead to the order", async () => {
    const ada = await newPerson();
    await service.core.admin.CreateDiscountCode({ code: "ALL-OF-IT", percent: 100 });
    const orderId = await placed(ada);
    await service.core.orders.ApplyCode({ order_id: orderId, code: "all-of-it" }, callOf(ada));
    const press = () => sendForm(ada, `/checkout/${orderId}/pay`, { expected_cents: "0" });
    const answers = [...(await Promise.all([press(), press()])), await press()];
    expect(answers.map((answer) => [answer.status, locationOf(answer)])).toEqual(
      Array(3).fill([303, `/account/orders/${orderId}`]),
    );
  });

  test("of a page from before a code was applied name the price that it showed", async () => {
    const ada = await newPerson();
    await service.core.admin.CreateDiscountCode({ code: "IN-ANOTHER-TAB", off_cents: 500 });
    const orderId = await placed(ada);
    await service.core.orders.ApplyCode({ order_id: orderId, code: "in-another-tab" }, callOf(ada));
    const asked = await sendForm(ada, `/checkout/${orderId}/pay`, { expected_cents: "1950" });
    expect([asked.status, asked.text]).toEqual([
      409,
      expect.stringContaining("It was $19.50 and is $14.50 now"),
    ]);
  });

  test("after the membership has ended show the new price without what came off the old one", async () => {
    const ada = await newPerson();
    const account = ada.accountId;
    await service.core.admin.SetMembership({ account, tier: "plus", until: "2099-01-31T00:00:00Z" });
    await service.core.admin.CreateDiscountCode({ code: "FOR-MEMBERS-TOO", off_cents: 500 });
    const path = locationOf(
      await buy(ada, { expected_cents: "1560", idempotency_key: `key ${(forms += 1)}` }),
    );
    expect((await sendForm(ada, `${path}/code`, { code: "for-members-too" })).status).toBe(303);
    const unknown = await sendForm(ada, `${path}/code`, { code: "from-another-tab" });
    expect([unknown.status, unknown.text]).toEqual([
      400,
      expect.stringContaining("There is no code FROM-ANOTHER-TAB. FOR-MEMBERS-TOO still applies."),
    ]);
    await service.core.admin.EndMembership({ account });
    const { status, text } = await sendForm(ada, `${path}/pay`, { expected_cents: "1060" });
    expect([status, text]).toEqual([409, expect.stringContaining("It was $10.60 and is $14.50 now")]);
    expect(text).not.toContain("Members’ price");
    expect((await sendForm(ada, `${path}/pay`, { expected_cents: "1450" })).status).toBe(303);
  });

  test("order forms with an outdated price ask for confirmation", async () => {
    const ada = await newPerson();
    const changed = await buy(ada, { expected_cents: "100", idempotency_key: "old price" });
    expect([changed.status, changed.text]).toEqual([
      409,
      expect.stringContaining("It was $1 and is $19.50 now"),
    ]);
    expect((await buy(ada, { expected_cents: "" })).status).toBe(400);
    const answer = await sendForm(ada, "/checkout", {
      product: "moving",
      licence: "standard",
      expected_cents: "1000",
      idempotency_key: "moving",
    });
    await setProduct(service.app, { slug: "moving", price_regular_cents: 2500 });
    const pay = (cents: string) => sendForm(ada, `${locationOf(answer)}/pay`, { expected_cents: cents });
    const asked = await pay("1000");
    expect([asked.status, asked.text]).toEqual([409, expect.stringContaining("It was $10 and is $25 now")]);
    expect((await pay("2500")).status).toBe(303);
  });
});

describe("[SHOP-04] the return page", () => {
  test("ignores the browser's query and waits for the provider", async () => {
    const ada = await newPerson();
    const orderId = await placed(ada);
    const path = await goToPay(ada, orderId);
    const look = () =>
      ada.call(`/checkout/${orderId}/return?paid=1&looked=3`, { headers: { accept: "text/html" } });
    const waiting = await look();
    expect([waiting.status, waiting.headers.get("refresh")]).toEqual([
      200,
      `2; url=/checkout/${orderId}/return?looked=4`,
    ]);
    await press(ada, path, "pay");
    await becomes(ada, orderId, "fulfilled");
    expect(locationOf(await look())).toBe(`/account/orders/${orderId}`);
    const late = await ada.call(`/checkout/${orderId}/return?looked=30`, {
      headers: { accept: "text/html" },
    });
    expect(late.status).toBe(303);
  });

  test.each(["twice", "late", "never"])("shows the result though the event is sent %s", async (delivery) => {
    const ada = await newPerson();
    const orderId = await placed(ada);
    const path = await goToPay(ada, orderId);
    await press(ada, path, "pay", delivery);
    if (delivery !== "twice")
      // As if the first minute had passed, or the twenty seconds.
      await service.app.mongo.db.collection(delivery === "never" ? "orders" : "demo_events").updateMany({}, [
        {
          $set:
            delivery === "never"
              ? { "work.due_at": { $cond: [{ $eq: ["$_id", orderId] }, new Date(1), "$work.due_at"] } }
              : { "work.due_at": new Date(1) },
        },
      ]);
    await becomes(ada, orderId, "fulfilled");
    const { events } = await orderOf(ada, orderId);
    expect((events as { type: string }[]).map(({ type }) => type)).toEqual(["placed", "paid", "fulfilled"]);
  });
});

describe("[SHOP-04] POST /webhooks/payments/{provider}", () => {
  const body = JSON.stringify({
    id: "evt_x",
    at: "2026-01-01T00:00:00.000Z",
    news: { kind: "dispute_opened", paymentRef: "nothing" },
  });
  const send = (path: string, headers: Record<string, string>, sent = body) =>
    fetch(`${service.url}${path}`, { method: "POST", body: sent, headers });
  const signed = () => demoHeaders(body, service.app.secrets, service.app.clock.now());

  test("accepts a signed event of any type, once and again", async () => {
    for (const outcome of ["noted", "duplicate"]) {
      const answer = await send("/webhooks/payments/demo", { "content-type": "text/plain", ...signed() });
      expect([answer.status, await answer.json()]).toEqual([200, { ok: true, outcome }]);
    }
  });

  test("refuses a bad signature with 400, and an unknown provider with 404", async () => {
    const bad = await send("/webhooks/payments/demo", { "content-type": "application/json" });
    expect([bad.status, await bad.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_signature" }),
    ]);
    expect((await send("/webhooks/payments/demo", signed(), `${body} `)).status).toBe(400);
    expect((await send("/webhooks/payments/nobody", signed())).status).toBe(404);
    expect((await send("/webhooks/payments/demo", signed(), "x".repeat(600_000))).status).toBe(413);
  });

  test("accepts an event of more than 64 KiB, as providers send", async () => {
    const long = JSON.stringify({ ...JSON.parse(body), id: "evt_long", more: "x".repeat(100_000) });
    const headers = demoHeaders(long, service.app.secrets, service.app.clock.now());
    expect((await send("/webhooks/payments/demo", headers, long)).status).toBe(200);
  });
});

test("the receipt arrives at a real mail server, once", async () => {
  const ada = await newPerson();
  const orderId = await placed(ada);
  await press(ada, await goToPay(ada, orderId), "pay", "twice");
  await becomes(ada, orderId, "fulfilled");
  const about = () =>
    mail.received.filter(({ raw }) => raw.includes(`Message-ID: <${orderId}-order.receipt@atelier>`));
  await waitFor("the mail", async () => about().length > 0);
  expect(about()).toMatchObject([{ to: [`person-${people}@example.com`] }]);
  expect(about()[0]?.raw).toContain("Subject: Your receipt 20");
});

describe("[SHOP-05] an installation that takes no payments", () => {
  test("reports it on its pages and to programs, and delivers free products", async () => {
    const closed = await startWholeService({ env: { ATELIER_PAYMENTS: "none" } });
    await setProduct(closed.app, { slug: "icons", name: "Icons", price_regular_cents: 1950 });
    await setProduct(closed.app, { slug: "gift", name: "Gift", price_regular_cents: 0 });
    await waitFor("the catalog", async () => (await closed.call("/products/gift")).status === 200);
    const read = async (path: string) => (await closed.call(path, { headers: { accept: "text/html" } })).text;
    expect(await read("/products/icons")).toContain("Not for sale here yet");
    expect(await read("/products/icons")).toContain("https://schema.org/OutOfStock");
    expect(await read("/products/gift")).toContain("https://schema.org/InStock");
    expect(await read("/products/gift")).toContain("Sign in to get it for free");
    const ada = await signInAs(closed, "ada@example.com");
    const page = await ada.call("/credits/buy", { headers: { accept: "text/html" } });
    expect(page.text).toContain("Credits are not sold here");
    const refused = await sendForm(ada, "/checkout", {
      pack: "small",
      expected_cents: "500",
      idempotency_key: "a",
    });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("takes no payments")]);
    const gift = { product: "gift", licence: "standard", expected_cents: "0", idempotency_key: "b" };
    expect(locationOf(await sendForm(ada, "/checkout", gift))).toMatch(/^\/account\/orders\//);
    expect((await ada.call("/payments/demo/x")).status).toBe(404);
    await closed.close();
  });
});
