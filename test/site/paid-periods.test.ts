// What is paid by the period, with either provider, while time moves on: each page and each mail names amount, period and end.
import { describe, expect, inject, test } from "vitest";
import { openAccount } from "../../core/identity/credits/open-account.ts";
import type { OrderDoc } from "../../core/shop/orders/store.ts";
import { localTimes } from "../../runtime/local-times.ts";
import { subscriptionOf } from "../core/shop/orders/shop-fixture.ts";
import { readHtml, readText, startMailServer } from "../support/mail-server.ts";
import { sharedByTests } from "../support/shared.ts";
import { startStripeDouble } from "../support/stripe/server.ts";
import { SECRET_KEY, signed, WEBHOOK_SECRETS } from "../support/stripe/world.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { NARROW, openBrowser, type SiteBrowser, type Visit, type VisitOptions } from "./support/browser.ts";
import { cookiesOf, sendForm } from "./support/forms.ts";
import { type Browser, signInAs } from "./support/sign-in.ts";
import { wordsOf } from "./support/words.ts";

const isThorough = inject("isThorough");
const { day } = localTimes("UTC");
const NO_BROWSER: Pick<SiteBrowser, "close"> & {
  visit(path: string, options: VisitOptions, look: (visit: Visit) => Promise<void>): Promise<void>;
} = { visit: async () => {}, close: async () => {} };

const mail = sharedByTests(() => startMailServer());
const stripe = sharedByTests(() => startStripeDouble(SECRET_KEY));

describe.each(["demo", "stripe"] as const)("what is paid by the period with %s", (seller) => {
  const service = sharedByTests(() =>
    startWholeService({
      env: {
        ATELIER_SMTP_URL: mail.url,
        ...(seller === "stripe" && {
          ATELIER_PAYMENTS: "stripe",
          ATELIER_STRIPE_SECRET_KEY: SECRET_KEY,
          ATELIER_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRETS.join(","),
          ATELIER_STRIPE_API_BASE: stripe.baseUrl,
        }),
      },
    }),
  );
  const browser = sharedByTests(async () => (isThorough ? openBrowser(service.url) : NO_BROWSER));

  /** Signed in again: a session may end with a period. */
  const person = (email: string) => signInAs(service, email);
  const paid = (who: Browser) => subscriptionOf(service.app, who.accountId);
  const becomes = (who: Browser, state: string) =>
    waitFor(`a subscription that is ${state}`, async () => (await paid(who)).state === state);

  let told = 0;
  /** Stripe sends its events; the demo provider's are sent by the worker. */
  async function deliver(): Promise<void> {
    for (const event of stripe.bank.events.slice(told)) {
      const { body, headers } = signed(event, { at: service.app.clock.now() });
      expect(
        (await service.call("/webhooks/payments/stripe", { method: "POST", body, headers })).status,
      ).toBe(200);
    }
    told = stripe.bank.events.length;
  }

  /** Pays at the provider, with a card that later declines if asked. Returns the path of the order. */
  async function buy(who: Browser, wanted: Record<string, string>, laterDeclines = false): Promise<string> {
    const { expected_cents = "" } = wanted;
    const placed = await sendForm(who, "/checkout", { idempotency_key: who.accountId, ...wanted });
    const checkout = placed.headers.get("location") ?? "";
    const leaving = await sendForm(who, `${checkout}/pay`, { expected_cents });
    if (seller === "demo") {
      const action = laterDeclines ? "pay_once" : "pay";
      await sendForm(who, leaving.headers.get("location") ?? "", { action, delivery: "once" });
    } else {
      stripe.bank.isDeclining = false;
      stripe.bank.clock.now = Math.floor(service.app.clock.now().getTime() / 1000);
      stripe.bank.pay((leaving.headers.get("refresh") ?? "").split("/").at(-1) ?? "");
      stripe.bank.isDeclining = laterDeclines;
      await deliver();
    }
    await becomes(who, "active");
    return checkout.replace("/checkout", "/account/orders");
  }

  /** The end of the paid period comes, at the provider too. */
  async function periodEnds(who: Browser): Promise<void> {
    const { period_end, provider_ref } = await paid(who);
    if (seller === "stripe") stripe.bank.renew(provider_ref);
    service.travel(period_end.getTime() - service.app.clock.now().getTime() + 1_000);
    await deliver();
  }

  /** The pages that show it after this step, with words on each; in the long form, as they look. */
  async function shows(
    who: Browser,
    step: string,
    pages: Readonly<Record<string, readonly string[]>>,
  ): Promise<void> {
    for (const [path, words] of Object.entries(pages)) {
      const { status, text } = await who.call(path, { headers: { accept: "text/html" } });
      expect(status, path).toBe(200);
      const said = wordsOf(text.replaceAll(/(<time\b[^>]*) title="[^"]*"/g, "$1")).join(" ");
      for (const each of words) expect(said, `${path} after it is ${step}`).toContain(each);
      const name = path.replace(/ord_\w+/, "order").replaceAll("/", "-");
      await look(path, `${seller}-${step}${name}`, { cookies: cookiesOf(who) });
    }
  }

  async function look(path: string, name: string, options: VisitOptions): Promise<void> {
    await browser.visit(path, options, (visit) => visit.expectGoodInEveryLight(`periods/${name}`));
  }

  /** By a mail with this subject and these words. */
  async function isMailed(
    email: string,
    step: string,
    subject: RegExp,
    ...words: readonly string[]
  ): Promise<void> {
    const subjectOf = (raw: string) =>
      /^subject: (.*)$/im.exec(raw.replaceAll(/\r\n[ \t]+/g, " "))?.[1] ?? "";
    const { raw } = await waitFor(`a mail ${subject.source} with ${words.join(", ")}`, () =>
      mail.received.find(
        ({ to, raw }) =>
          to.includes(email) &&
          subject.test(subjectOf(raw)) &&
          words.every((each) => readText(raw).includes(each)),
      ),
    );
    // A mail has no landmarks, which the program that shows it has.
    await browser.visit("/", { shown: readHtml(raw) }, async ({ page, expectAccessible, screenshot }) => {
      for (const width of [1280, NARROW]) {
        await page.setViewportSize({ width, height: 900 });
        await expectAccessible("colours");
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        await screenshot(`periods/${seller}-${step}-mail-${width}`);
      }
    });
  }

  test("a month is sold, cancelled, resumed and renewed", async () => {
    const email = `monthly-${seller}@example.com`;
    await openAccount(service.app, { email, name: "Ada", plan: "free" });
    let ada = await person(email);
    const order = await buy(ada, { plan: "pro", expected_cents: "2900" });
    const first = await paid(ada);
    const [start, end] = [day(first.period_start), day(first.period_end)];
    const period = `Period ${start} to ${end}`;
    const next = `Next charge $29 on ${end}, until you cancel`;
    const none = "Next charge none: it ends then";
    const goesOn = { "/account/plan": ["Price $29 a month", `Paid until ${end}`, next] };
    await shows(ada, "sold", {
      ...goesOn,
      [order]: ["$29 a month", period, next],
      [`${order}/invoice`]: ["29.00 USD", period],
      "/account/orders": [`until ${end}`, "$29"],
    });
    const renews = `It renews on ${end} for $29, and every month after that until you cancel.`;
    await isMailed(email, "sold", /^Your receipt/, "29.00 USD", `${start} to ${end}`, renews);

    await sendForm(ada, "/account/plan/cancel");
    await shows(ada, "cancelled", {
      "/account/plan": ["Price $29 a month", `Paid until ${end}`, none, "Keep it for $29 a month"],
      [order]: [`It’s yours until ${end}`, "$29 a month", period, none],
    });
    const stays = `It stays yours until ${end}, and nothing more is charged.`;
    await isMailed(email, "cancelled", /^Your Pro plan ends on/, "$29 a month", stays);

    await sendForm(ada, "/account/plan/resume");
    await shows(ada, "resumed", { ...goesOn, [order]: ["$29 a month", period, next] });
    const charged = `The next charge is $29 a month on ${end}`;
    await isMailed(email, "resumed", /^Your Pro plan continues/, charged);

    await periodEnds(ada);
    await waitFor("the next period", async () => (await paid(ada)).period_end > first.period_end);
    ada = await person(email);
    const after = day((await paid(ada)).period_end);
    const { text } = await ada.call("/account/orders", { headers: { accept: "text/html" } });
    const renewal = /\/account\/orders\/ord_\w+/.exec(text)?.[0] ?? "";
    const nextAfter = `Next charge $29 on ${after}, until you cancel`;
    await shows(ada, "renewed", {
      "/account/plan": ["Price $29 a month", `Paid until ${after}`, nextAfter],
      "/account/orders": [`until ${after}`, `until ${end}`],
      [renewal]: ["It’s yours", "Renewed", "$29 a month", `Period ${end} to ${after}`, nextAfter],
      [order]: ["The time this paid for is over", "$29 a month", period],
    });
    expect((await ada.call(order, { headers: { accept: "text/html" } })).text).not.toContain("Next charge");
    const again = `It renews on ${after} for $29, and every month`;
    await isMailed(email, "renewed", /^Your receipt/, "29.00 USD", `${end} to ${after}`, again);
    expect(await service.audit()).toEqual([]);
  });

  test("a month is sold, and changed ten days later", async () => {
    const email = `changed-${seller}@example.com`;
    await openAccount(service.app, { email, name: "Ida", plan: "free" });
    await buy(await person(email), { plan: "pro", expected_cents: "2900" });
    service.travel(10 * 86_400_000);
    stripe.bank.clock.now = Math.floor(service.app.clock.now().getTime() / 1000);
    const ida = await person(email);
    const studio = { what: "studio", interval: "month", expected_cents: "9900" };
    await sendForm(ida, "/account/plan/change", studio);
    await deliver();
    const { _id } = await waitFor("the order of the change", () =>
      service.app.mongo.db
        .collection<OrderDoc>("orders")
        .findOne({ account_id: ida.accountId, "subscription.about": "change", state: "fulfilled" }),
    );
    const end = day((await paid(ida)).period_end);
    const order = `/account/orders/${_id}`;
    const next = `Next charge $99 on ${end}, until you cancel`;
    await shows(ida, "changed", { [order]: ["It’s yours", "Changed", `to ${end}`, next] });
    const page = await ida.call(order, { headers: { accept: "text/html" } });
    expect(wordsOf(page.text).join(" ")).not.toContain("a month");
    await isMailed(
      email,
      "changed",
      /^Your receipt/,
      "Change to Studio plan",
      `It renews on ${end}, and every`,
    );
    expect(await service.audit()).toEqual([]);
  });

  test("a year is sold, and its renewal fails", async () => {
    const email = `yearly-${seller}@example.com`;
    await openAccount(service.app, { email, name: "Eve", plan: "free" });
    let eve = await person(email);
    const order = await buy(eve, { tier: "plus", interval: "year", expected_cents: "15000" }, true);
    const { period_start, period_end } = await paid(eve);
    const end = day(period_end);
    const period = `Period ${day(period_start)} to ${end}`;
    const next = `Next charge $150 on ${end}, until you cancel`;
    await shows(eve, "sold", {
      "/account/membership": ["Price $150 a year", `Paid until ${end}`, next],
      [order]: ["$150 a year", period, next],
    });
    const renews = `It renews on ${end} for $150, and every year after that until you cancel.`;
    await isMailed(email, "sold-yearly", /^Your receipt/, "150.00 USD", renews);

    await periodEnds(eve);
    await becomes(eve, "past_due");
    eve = await person(email);
    const grace = day((await paid(eve)).grace_until ?? new Date(0));
    const ends = `Ends on, unless it is paid ${grace}`;
    await shows(eve, "failed", {
      "/account/membership": [
        `Paid until ${end}`,
        ends,
        `$150 a year could not be charged. You keep Plus membership until ${grace}`,
      ],
      [order]: ["The next payment is missing", "$150 a year", period, ends],
    });
    const membership = await eve.call("/account/membership", { headers: { accept: "text/html" } });
    expect(wordsOf(membership.text).filter((word) => /^active$/i.test(word))).toEqual([]);
    const failed = `The payment of $150 a year for your Plus membership, which was due on ${end}`;
    await isMailed(email, "failed", /did not go through$/, failed, `You keep it until ${grace}`);
    expect(await service.audit()).toEqual([]);
  });
});
