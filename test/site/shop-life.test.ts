// A customer's life in a real browser, from the first mail to the end of a plan: one person, one service, step by step.
import { strFromU8, unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { seedDemoCatalog } from "../../core/shop/catalog/demo/seed.ts";
import { runCliHere } from "../cli/run-cli.ts";
import { MCP_CLIENTS } from "../mcp/mcp-clients.ts";
import { readText, startMailServer } from "../support/mail-server.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser, type Visit, type VisitOptions } from "./support/browser.ts";

const SUPPORT = "support@example.com";
const EMAIL = "mira@example.com";
/** Payments and mails are processed by loops with a period of a second, on a busy machine. */
const EVENT_BOUND_MS = 30_000;
const PACK_CREDITS = 500;
const FREE_CREDITS = 50;
const PRO_CREDITS = 2_000;

/** The person's own key for REST. */
let key: string;
let cookies: NonNullable<VisitOptions["cookies"]> = [];

const mail = sharedByTests(() => startMailServer());
const service = sharedByTests(() =>
  startWholeService({
    env: { ATELIER_SMTP_URL: mail.url, ATELIER_DEMO_PRODUCTS: "120", ATELIER_SUPPORT_EMAIL: SUPPORT },
  }),
);
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(() => seedDemoCatalog(service.app));

type Product = { slug: string; name: string; client_price_cents: number | null };

/** A product that anyone can buy now, at its regular price. */
async function productThat(costs: object): Promise<Product> {
  const found = await service.app.mongo.db
    .collection<Product & { status: string; plus_only: boolean; sale: null }>("products")
    .findOne({ status: "published", plus_only: false, sale: null, ...costs });
  if (!found) throw new Error("the demonstration catalog has no such product");
  return found;
}

/** In the browser of the signed-in person. */
const visit = (path: string, work: (visit: Visit) => Promise<void>) => browser.visit(path, { cookies }, work);

/** Waits for the mail with this subject and this text. */
function mailAbout(subject: RegExp, what = "", to = EMAIL): Promise<string> {
  return waitFor(
    `a mail about ${subject.source} ${what}`,
    () =>
      mail.received
        .filter((one) => one.to.includes(to) && subject.test(subjectOf(one.raw)))
        .map(({ raw }) => readText(raw))
        .find((text) => text.includes(what)),
    EVENT_BOUND_MS,
  );
}

function subjectOf(raw: string): string {
  const [head = ""] = raw.split("\r\n\r\n");
  return /^subject: (.*)$/im.exec(head.replaceAll(/\r\n[ \t]+/g, " "))?.[1] ?? "";
}

/** Support's commands. */
async function support(...args: string[]): Promise<void> {
  const env = { ATELIER_CORE_ADDRESS: service.coreAddress, ATELIER_DATA_DIR: service.config.dataDir };
  expect(await runCliHere(env, ...args)).toMatchObject({ exitCode: 0, stderr: "" });
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const orderDone = (page: Page) => page.waitForURL("**/account/orders/ord_*", { timeout: EVENT_BOUND_MS });

/** From the checkout to the order, through the demo provider's page. */
async function pay(
  page: Page,
  action: "Pay" | "Decline",
  price: string,
  label = `Pay ${price}`,
): Promise<void> {
  await page.waitForURL("**/checkout/ord_*");
  await press(page, label);
  await page.waitForURL("**/payments/demo/*");
  await press(page, action === "Pay" ? `Pay ${price.replace(/ a .*/, "")}` : action);
  await orderDone(page);
}

const subscribe = (page: Page, price: string) => pay(page, "Pay", price, `Subscribe for ${price}`);

async function available(page: Page): Promise<number> {
  await page.goto("/credits");
  const shown = await page.locator(".amounts .tile__amount").first().textContent();
  return Number((shown ?? "").replaceAll(",", ""));
}

describe("[SHOP-26] a new customer", () => {
  test("signs in by mail and has 50 credits", async () => {
    await browser.visit("/sign-in", {}, async ({ page }) => {
      await page.getByLabel("Email address").fill(EMAIL);
      await press(page, "Email me a code");
      const link = new URL(await mail.linkFor(EMAIL));
      await page.goto(link.pathname + link.search);
      await press(page, "Sign in");
      await page.waitForURL("**/account");
      expect(await available(page)).toBe(FREE_CREDITS);
      cookies = await page.context().cookies();
    });
  });

  test("takes a free product and downloads its ZIP", async () => {
    const { slug, name } = await productThat({ price_regular_cents: 0 });
    await visit(`/products/${slug}`, async ({ page, screenshot }) => {
      await page.getByRole("button", { name: "Get it for free" }).click();
      await orderDone(page);
      await screenshot("life-free-order");
      await page.getByRole("link", { name: "your library" }).click();
      await page.getByRole("heading", { name }).waitFor();
      await screenshot("life-library");
      await page.getByText("Bought").waitFor();
      const coming = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download", exact: true }).click();
      const saved = await coming;
      expect(saved.suggestedFilename()).toBe(`${slug}.zip`);
      const parts: Buffer[] = [];
      for await (const part of await saved.createReadStream()) parts.push(part as Buffer);
      const files = unzipSync(Buffer.concat(parts));
      expect(strFromU8(files[`${slug}/README.txt`] ?? new Uint8Array())).toContain(name);
      expect(strFromU8(files[`${slug}/cover.svg`] ?? new Uint8Array())).toContain("<svg");
    });
    const told = await mailAbout(/is yours$/);
    expect(told).toContain(name);
    expect(told).not.toContain("receipt");
  });

  test("buys a client licence, is declined once and tries again", async () => {
    const {
      slug,
      name,
      client_price_cents: cents,
    } = await productThat({
      price_regular_cents: { $gt: 0 },
      client_price_cents: { $gt: 0 },
    });
    const price = `$${(cents ?? 0) / 100}`;
    await visit(`/products/${slug}`, async ({ page, screenshot }) => {
      await screenshot("life-product");
      await page.getByRole("button", { name: `Buy for ${price} ${name}, client licence` }).click();
      await page.waitForURL("**/checkout/ord_*");
      await screenshot("life-checkout");
      await pay(page, "Decline", price);
      await page.getByText("The payment was declined.").first().waitFor();
      await screenshot("life-declined");
      await press(page, `Try again for ${price}`);
      await pay(page, "Pay", price);
      await page.getByRole("link", { name: /^Invoice 20\d\d-\d{6}$/ }).click();
      await page.getByRole("heading", { level: 2, name: /^Invoice / }).waitFor();
      await screenshot("life-invoice");
      expect(await page.textContent(".invoice")).toContain(`${((cents ?? 0) / 100).toFixed(2)} USD`);
      await page.goto("/library");
      const card = page.locator("section.licence").filter({ hasText: name });
      await card.getByText("Client licence", { exact: true }).waitFor();
      await card.getByRole("link", { name: "Download", exact: true }).waitFor();
    });
    const receipt = await mailAbout(/^Your receipt 20\d\d-\d{6} from Atelier$/, `${name}, client licence`);
    expect(receipt).toContain(((cents ?? 0) / 100).toFixed(2));
  });

  test("buys a credit pack and spends it on the Generate page", async () => {
    await visit("/generate?model=clip", async ({ page, screenshot }) => {
      await page.fill('[id="param.duration_seconds"]', "60");
      await page.getByRole("link", { name: "buy credits" }).click();
      await page.waitForURL("**/credits/buy");
      await page.goto("/credits");
      await page.getByRole("link", { name: "Buy credits" }).click();
      await screenshot("life-packs");
      expect(await page.locator(".plans .note").allTextContents()).toEqual([
        "1¢ a credit",
        "0.91¢ a credit",
        "0.83¢ a credit",
      ]);
      await page.getByRole("button", { name: "Buy for $5 500 credits" }).click();
      await pay(page, "Pay", "$5");
      await page.getByText("It’s yours").waitFor();
      expect(await available(page)).toBe(FREE_CREDITS + PACK_CREDITS);
      await page.goto("/generate?model=picture");
      await page.fill("#prompt", "A lighthouse over a calm sea");
      const price = Number.parseInt((await page.textContent("#price")) ?? "", 10);
      await press(page, "Generate");
      await page.waitForURL("**/generate?job=job_*");
      await page.locator("#result .media img").waitFor();
      expect(await available(page)).toBe(FREE_CREDITS + PACK_CREDITS - price);
      await screenshot("life-credits");
    });
    expect(await mailAbout(/^Your receipt/, "500 credits")).toContain("5.00 USD");
  });

  test("joins Pro, makes a key, and uses it over REST", async () => {
    await visit("/account/plan", async ({ page, screenshot }) => {
      await screenshot("life-plans");
      const before = await available(page);
      await page.goto("/account/plan");
      await page.getByRole("button", { name: "Join for $29 a month: Pro" }).click();
      await subscribe(page, "$29 a month");
      await page.getByRole("link", { name: "your plan", exact: true }).click();
      await page.getByText("Next charge").waitFor();
      await screenshot("life-plan-joined");
      // The demo provider knows no cards.
      expect(await page.getByRole("button", { name: "Card and address" }).count()).toBe(0);
      // The current month is topped up to the plan's credits.
      expect(await available(page)).toBe(before + PRO_CREDITS - FREE_CREDITS);

      await page.goto("/account/keys");
      await page.getByLabel("Name").fill("server");
      await page.getByLabel("Read and write").check();
      await press(page, "Create key");
      key = (await page.textContent("#secret")) ?? "";
    });
    expect(await mailAbout(/^Your receipt/, "Pro plan")).toContain("29.00 USD");
    const { status, body } = await service.generate(key);
    expect(status).toBe(202);
    expect(await service.waitForEnd(key, body.result.job_id)).toMatchObject({ state: "completed" });
  });

  test("cancels, keeps Pro until the period's end, and lapses", async () => {
    await visit("/account/plan", async ({ page, screenshot }) => {
      await page.getByText("Cancel…").click();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("none: it ends then").waitFor();
      await screenshot("life-plan-cancelled");
      expect(await mailAbout(/^Your Pro plan ends on/)).toContain("nothing more is charged");
      expect((await service.generate(key)).status).toBe(202);

      await press(page, "Demo: end the period now");
      await mailAbout(/^Your Pro plan has ended$/);
      await page.goto("/account/plan");
      await page.locator(".card--current", { hasText: "Free" }).waitFor();
      expect((await service.generate(key)).body).toMatchObject({ code: "plan_excludes_api" });
    });
  });

  test("requests a member key by ticket, sees it once, and uses it with an MCP client", async () => {
    await visit("/account/membership", async ({ page, screenshot }) => {
      await page.getByRole("button", { name: "Join for $15 a month: Plus by the month" }).click();
      await subscribe(page, "$15 a month");
      await page.getByRole("link", { name: "your membership" }).click();
      await screenshot("life-membership");
      expect(await mailAbout(/^Your receipt/, "Plus membership")).toContain("15.00 USD");
      await page.getByRole("link", { name: "Ask for one" }).click();
      await page.getByLabel("Subject").fill("A key for my assistant");
      await page.getByLabel("Your message").fill("It runs on my laptop.");
      await press(page, "Send");
      await page.waitForURL(/\/support\/tkt_\w+$/);
      const ticketId = page.url().split("/").at(-1) ?? "";
      expect(await mailAbout(/^New ticket: A key for my assistant/, ticketId, SUPPORT)).toContain(EMAIL);

      await support("ticket", "provision-key", ticketId, "--name", "assistant");
      expect(await mailAbout(/^Your ticket/, "member key is ready")).toContain(`/support/${ticketId}`);
      await page.reload();
      await screenshot("life-ticket");
      await press(page, "Show the key");
      const memberKey = (await page.textContent("#secret")) ?? "";
      await page.goto(`/support/${ticketId}`);
      expect(await page.content()).not.toContain(memberKey);
      const [, connect] = MCP_CLIENTS[2] ?? [];
      const client = await connect?.(`${service.url}/api/member/mcp`, memberKey);
      expect(await client?.call("get_membership", {})).toMatchObject({ structuredContent: { tier: "plus" } });
      await client?.close();
    });
  });

  test("leaves a clean audit", async () => {
    expect(await service.audit()).toEqual([]);
  });
});
