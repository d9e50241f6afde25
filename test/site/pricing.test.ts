// /pricing for everyone, and its trial, on every page where a newcomer needs it.
import { beforeAll, expect, test } from "vitest";
import { seedModels } from "../../core/studio/models/seed.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf } from "./support/forms.ts";
import { signInAs } from "./support/sign-in.ts";

const service = sharedByTests(() => startWholeService());
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(() => seedModels(service.app));

test("the pricing page shows visitors plans, packs, what credits buy, refunds and expiry, and the trial", async () => {
  await browser.visit("/", {}, async ({ page, expectGoodInEveryLight }) => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pricing" }).click();
    await page.waitForURL("**/pricing");
    const main = (await page.locator("main").textContent()) ?? "";
    for (const said of [
      "$29 a month",
      "2,000 credits a month",
      "50 credits a month for free",
      "12,000 credits",
      "$100",
      "What 100 credits make",
      "25 images",
      "never expire",
      "within 14 days",
    ])
      expect(main.replaceAll(/\s+/g, " ")).toContain(said);
    expect(await page.locator(".benefits li > .icon").count()).toBe(
      await page.locator(".benefits li").count(),
    );
    expect(await page.getByRole("link", { name: "Sign in to start the trial" }).getAttribute("href")).toBe(
      "/sign-in?next=/pricing",
    );
    await expectGoodInEveryLight("pricing");
  });
});

test.each(["/pricing", "/account/keys", "/connect", "/account/plan"])(
  "the pricing page offers the trial on %s, which enables keys without scripts",
  async (path) => {
    const person = await signInAs(service, `tries-${path.replaceAll("/", "")}@example.com`);
    await browser.visit(path, { cookies: cookiesOf(person), scripts: false }, async ({ page }) => {
      await page.getByRole("button", { name: "Start the trial" }).click();
      await page.waitForURL("**/account/keys");
      expect(await page.getByText(/^You try Pro until/).isVisible()).toBe(true);
      await page.getByLabel("Name").fill("laptop");
      await page.getByRole("button", { name: "Create key" }).click();
      expect(await page.locator("#secret").textContent()).toMatch(/^atl_gen_/);
      await page.goto(path);
      expect(await page.getByRole("button", { name: "Start the trial" }).count()).toBe(0);
    });
  },
);

test("the pricing page offers someone who pays for a plan no start for free", async () => {
  const payer = await signInAs(service, "pays@example.com");
  await service.core.admin.SetPlan({ account: payer.accountId, plan: "pro" });
  const choices = async (cookie = "") => {
    const { text } = await service.call("/pricing", { headers: { accept: "text/html", cookie } });
    return [...text.matchAll(/>(Start for free|Choose \w+)</g)].map(([, label]) => label);
  };
  expect(await choices()).toEqual(["Start for free", "Choose Starter", "Choose Pro", "Choose Studio"]);
  expect(await choices(payer.cookie)).toEqual(["Choose Starter", "Choose Studio"]);
});

test("the pricing page tells a mailbox that its trial is used", async () => {
  const [first, second] = [
    await signInAs(service, "once@example.com"),
    await signInAs(service, "once+2@example.com"),
  ];
  await service.core.accounts.StartTrial(
    {},
    { caller: { kind: "account", accountId: first.accountId, source: "app" } },
  );
  await browser.visit(
    "/account/keys",
    { cookies: cookiesOf(second) },
    async ({ page, expectGoodInEveryLight }) => {
      expect(await page.getByText("Another account of your mailbox has had the trial.").isVisible()).toBe(
        true,
      );
      await expectGoodInEveryLight("keys-trial-used");
    },
  );
});
