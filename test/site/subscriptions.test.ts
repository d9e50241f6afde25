// Plans and memberships on the website: joined through checkout, changed with the difference shown, cancelled, resumed; without scripts.
import { expect, test } from "vitest";
import { openAccount } from "../../core/identity/credits/open-account.ts";
import { fromMessages } from "../../proto/codec.ts";
import { subscriptionSchema } from "../../proto/resources/subscription.ts";
import { monthsLater } from "../../runtime/months.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { sendForm } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

let people = 0;

const service = sharedByTests(() => startWholeService());

const newPerson = () => signInAs(service, `payer-${(people += 1)}@example.com`);

const newest = async (who: Browser) =>
  fromMessages(
    subscriptionSchema,
    (await service.core.subscriptions.ListSubscriptions({}, callOf(who))).subscriptions,
  )[0];

const becomes = (who: Browser, state: string) =>
  waitFor(`subscription ${state}`, async () => (await newest(who))?.state === state);

async function join(who: Browser, wanted: Record<string, string>): Promise<void> {
  const placed = await sendForm(who, "/checkout", { idempotency_key: "joins", ...wanted });
  const checkout = placed.headers.get("location") ?? "";
  const page = await sendForm(who, `${checkout}/pay`, { expected_cents: wanted["expected_cents"] ?? "" });
  await sendForm(who, page.headers.get("location") ?? "", { action: "pay", delivery: "once" });
  await becomes(who, "active");
}

const pageOf = async (who: Browser, path: string): Promise<string> =>
  (await fetch(`${service.url}${path}`, { headers: { cookie: who.cookie, accept: "text/html" } })).text();

test("a person without scripts joins Pro, changes with the difference shown, cancels and resumes", async () => {
  const ada = await newPerson();
  expect(await pageOf(ada, "/account/plan")).toContain('name="plan" value="pro"');
  await join(ada, { plan: "pro", expected_cents: "2900" });
  const own = await pageOf(ada, "/account/plan");
  expect(own).toMatch(/Next charge.*\$29 on <time.*until you cancel/s);
  expect(own).toContain("/account/plan/change?what=studio");
  expect(await pageOf(ada, "/account/plan/change?what=studio&interval=month")).toMatch(
    /Unused time of what you have[^$]*\$29.*Due now.*about \$70/s,
  );
  const studio = { what: "studio", interval: "month", expected_cents: "9900" };
  const dearer = await sendForm(ada, "/account/plan/change", { ...studio, expected_cents: "7900" });
  expect(dearer.status).toBe(409);
  expect(dearer.text).toMatch(/It was \$79 and is \$99 now.*name="expected_cents" value="9900"/s);
  expect((await sendForm(ada, "/account/plan/change", { ...studio, interval: "week" })).status).toBe(400);
  expect((await sendForm(ada, "/account/plan/change", studio)).status).toBe(303);
  expect(await newest(ada)).toMatchObject({ what: "studio", state: "active" });
  const again = await sendForm(ada, "/account/plan/change", studio);
  expect([again.status, again.headers.get("location")]).toEqual([303, "/account/plan"]);
  // Support cannot change a paid plan; a given one has no subscription.
  await expect(service.core.admin.SetPlan({ account: ada.accountId, plan: "free" })).rejects.toMatchObject({
    code: "order_conflict",
  });
  await sendForm(ada, "/account/plan/cancel", {});
  expect(await pageOf(ada, "/account/plan")).toMatch(
    /Paid until.*Next charge.*none: it ends then.*Keep it for \$99 a month/s,
  );
  await sendForm(ada, "/account/plan/resume", {});
  expect(await newest(ada)).toMatchObject({ what: "studio", state: "active" });
});

test("the checkout of a plan shows each charge, how it ends, and the credits it brings now", async () => {
  const email = "with-credits@example.com";
  await openAccount(service.app, { email, name: "Ada", plan: "free" });
  const ada = await signInAs(service, email);
  const wanted = { idempotency_key: "looks", plan: "pro", expected_cents: "2900" };
  const checkout = (await sendForm(ada, "/checkout", wanted)).headers.get("location") ?? "";
  const page = await pageOf(ada, checkout);
  const renews = monthsLater(new Date(), 1).toISOString().slice(0, 10);
  expect(page).toMatch(
    new RegExp(
      `Due today.*\\$29<.*Renews.*on <time datetime="${renews}T.*for \\$29, then every month,\\s+until you cancel`,
      "s",
    ),
  );
  expect(page).toContain("Subscribe for $29 a month");
  expect(page).toContain("2,000 a month; 1,950 of them now, because you already had 50 for this month");
  const demo =
    (await sendForm(ada, `${checkout}/pay`, { expected_cents: "2900" })).headers.get("location") ?? "";
  expect(await pageOf(ada, demo)).toContain("$29 now, and every month until you cancel");
  await sendForm(ada, demo, { action: "pay", delivery: "once" });
  await becomes(ada, "active");
  const order = await pageOf(ada, checkout.replace("/checkout", "/account/orders"));
  expect(order).toContain("Subscription started");
  const { available } = await service.core.credits.GetBalance({}, callOf(ada));
  expect(available).toBe(2_000);
});

test("a plan whose payment is disputed offers no change, and the refusal of one gives the reason", async () => {
  const ida = await newPerson();
  await join(ida, { plan: "pro", expected_cents: "2900" });
  await service.app.mongo.db
    .collection("subscriptions")
    .updateOne({ account_id: ida.accountId }, { $set: { suspended_at: new Date() } });
  const own = await pageOf(ida, "/account/plan");
  expect(own).toContain("On hold while a payment is disputed");
  expect(own).not.toContain("/account/plan/change?what=studio");
  const refused = await pageOf(ida, "/account/plan/change?what=studio&interval=month");
  expect(refused).toContain("It rests while a payment is disputed. Your orders, plan and membership");
  expect(refused).toContain("Your settings</a>");
});

test("a membership is joined by the year, and another person's or a replayed form changes nothing", async () => {
  const eve = await newPerson();
  await join(eve, { tier: "plus", interval: "year", expected_cents: "15000" });
  expect(await newest(eve)).toMatchObject({ kind: "membership", what: "plus", interval: "year" });
  // It lasts a day longer than the paid period, so that the payment can arrive: the page explains the two days.
  expect(await pageOf(eve, "/account/membership")).toMatch(
    /Active until.*a day for the next payment.*Next charge.*\$150 on/s,
  );
  // Support neither extends nor ends a paid membership.
  const byHand = { account: eve.accountId, tier: "plus", until: "2999-01-01T00:00:00.000Z" };
  for (const change of [
    () => service.core.admin.SetMembership(byHand),
    () => service.core.admin.EndMembership({ account: eve.accountId }),
  ])
    await expect(change()).rejects.toMatchObject({ code: "order_conflict" });
  const mallory = await newPerson();
  // As a second press after the end.
  for (const press of ["cancel", "resume", "drop-change"]) {
    const { status, headers } = await sendForm(mallory, `/account/membership/${press}`);
    expect([press, status, headers.get("location")]).toEqual([press, 303, "/account/membership"]);
  }
  expect(await newest(eve)).toMatchObject({ state: "active" });
  expect((await sendForm(eve, "/account/membership/cancel", {})).status).toBe(303);
  expect((await sendForm(eve, "/account/membership/cancel", {})).status).toBe(303);
  expect(await newest(eve)).toMatchObject({ state: "cancelling" });
  await sendForm(eve, "/account/membership/end-demo-period", {});
  await becomes(eve, "ended");
});

test("a plan that support has set is not offered again, and the free plan shows its price", async () => {
  const bob = await newPerson();
  expect(await pageOf(bob, "/account/plan")).toMatch(/Free<\/h2>.*\$0 a month.*Starter<\/h2>/s);
  await service.core.admin.SetPlan({ account: bob.accountId, plan: "pro" });
  const plans = await pageOf(bob, "/account/plan");
  expect(plans).not.toContain('name="plan" value="pro"');
  expect(plans).toContain("$29 a month");
  expect(plans).toContain('name="plan" value="studio"');
  const until = "2999-01-01T00:00:00.000Z";
  await service.core.admin.SetMembership({ account: bob.accountId, tier: "plus", until });
  expect(await pageOf(bob, "/account/membership")).not.toContain('name="tier" value="plus"');
  await service.core.admin.EndMembership({ account: bob.accountId });
  expect(await pageOf(bob, "/account/membership")).toContain('name="tier" value="plus"');
});
