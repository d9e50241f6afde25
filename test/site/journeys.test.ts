// People's ways through the website in a real browser: a visitor, a newcomer, a buyer, a subscriber, and the user of an assistant. With a
// mouse, and in the long form (`npm run browse`) with the keyboard alone, on a phone, and without scripts.
import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import { createLocalProvider } from "../../core/adapters/providers/local/provider.ts";
import { seedDemoCatalog } from "../../core/shop/catalog/demo/seed.ts";
import { seedModels } from "../../core/studio/models/seed.ts";
import { createLog } from "../../runtime/log/log.ts";
import { MCP_CLIENTS } from "../mcp/mcp-clients.ts";
import { readText, startMailServer } from "../support/mail-server.ts";
import { sharedByTests, useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { expectSteady, openBrowser, type Visit } from "./support/browser.ts";
import { type Hands, handsOf } from "./support/hands.ts";

const run = promisify(execFile);
const CLIENTS = fileURLToPath(new URL("../../clients", import.meta.url));
const WAYS = {
  "with a mouse": { hands: "mouse", scripts: true },
  "with the keyboard alone": { hands: "keyboard", scripts: true },
  "with a finger on a phone": { hands: "touch", scripts: true },
  "without scripts": { hands: "mouse", scripts: false },
} as const;
const WALKED = Object.keys(WAYS).slice(0, inject("isThorough") ? undefined : 1) as (keyof typeof WAYS)[];
const WAY_BOUND_MS = 10 * 60_000;
const WELCOME = "50 credits";
/** In credits: more than one sketch costs, and less than four. */
const ASKS_ABOVE = 5;

const folder = useFolder();

const mail = sharedByTests(() => startMailServer());
const local = sharedByTests(async () => createLocalProvider(createLog("error", "test")));
const service = sharedByTests(() =>
  startWholeService({
    providers: [local],
    env: { ATELIER_SMTP_URL: mail.url, ATELIER_DEMO_PRODUCTS: "60" },
  }),
);
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  await service.app.mongo.db.collection("models").deleteMany({ provider: "test" });
  await seedModels(service.app);
  await seedDemoCatalog(service.app);
});

type Newcomer = Visit & { readonly hands: Hands; readonly scripts: boolean };

test.each(WALKED)(
  "[SHOP-26] a newcomer follows the guide from the first mail to a member key, and gets a mail for each step: %s",
  async (name) => {
    const { hands: way, scripts } = WAYS[name];
    await browser.visit("/", { scripts, phone: way === "touch" }, async (visit) => {
      const newcomer = { ...visit, hands: handsOf(way, visit.page), scripts };
      const email = `${way}-${scripts}@example.com`;
      await signsIn(newcomer, email);
      await makesAPictureFromAnExample(newcomer);
      await makesAnotherOfIt(newcomer);
      await makesSomethingOfThePicture(newcomer);
      await makesAClipAndKeepsIt(newcomer);
      await takesAFreeProduct(newcomer);
      const key = await getsAKey(newcomer);
      await runsTheCode(newcomer, key);
      await approvesWhatItAsks(newcomer, key);
      await buysAndReviewsAProduct(newcomer);
      await subscribesCancelsAndKeepsIt(newcomer);
      await leavesThePlan(newcomer);
      await buysCredits(newcomer);
      await getsAMemberKey(newcomer);
      for (const [subject, text] of MAILS) await mailedTo(email, subject, text);
    });
    expect(await service.audit()).toEqual([]);
  },
  WAY_BOUND_MS,
);

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });
const link = (page: Page, name: string | RegExp) =>
  page.getByRole("link", { name, exact: typeof name === "string" });

async function signsIn(newcomer: Newcomer, email: string): Promise<void> {
  const { page, hands } = newcomer;
  await hands.press(link(page, "Sign in"));
  await givesTheirAddress(newcomer, email);
  await page.getByText(WELCOME).first().waitFor();
}

async function givesTheirAddress({ page, hands }: Pick<Newcomer, "page" | "hands">, email: string) {
  await hands.fill(page.getByLabel(/e-?mail/i), email);
  await hands.press(button(page, "Email me a code"));
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await hands.fill(page.getByLabel("Code"), await mail.codeFor(email));
  await hands.press(button(page, "Sign in"));
}

/** The form's page is also the work's page. */
async function makesAPictureFromAnExample({ page, hands, scripts, steadiness }: Newcomer): Promise<void> {
  await hands.press(main(page).getByRole("link", { name: "Generate" }));
  await page.waitForURL("**/generate");
  await hands.press(page.locator(".example").first());
  await page.waitForURL("**/generate?*");
  expect(await page.inputValue("#prompt")).not.toBe("");
  await hands.press(button(page, "Generate"));
  await workShown(page, "img");
  if (scripts) expectSteady("the page, while its work came,", await steadiness());
}

async function makesAnotherOfIt({ page, hands }: Newcomer): Promise<void> {
  const before = jobShown(page);
  await hands.press(button(page, /^Vary for \d+ credits$/));
  await waitFor("another job", () => jobShown(page) !== before);
  await workShown(page, "img");
}

async function makesSomethingOfThePicture({ page, hands }: Newcomer): Promise<void> {
  const before = jobShown(page);
  await hands.press(
    page
      .locator("#result")
      .getByRole("link", { name: /^Restyle/ })
      .first(),
  );
  await page.locator("#prompt").waitFor();
  await hands.fill(page.locator("#prompt"), "an ink drawing");
  await hands.press(button(page, "Generate"));
  await waitFor("another job", () => jobShown(page) !== before && jobShown(page) !== "");
  await workShown(page, "img");
}

async function makesAClipAndKeepsIt({ page, hands }: Newcomer): Promise<void> {
  await page.goto("/generate");
  await hands.press(link(page, "Video"));
  await hands.press(link(page, /^Atelier Loop/));
  await hands.fill(page.locator("#prompt"), "A sailing boat on a lake");
  await hands.fill(page.locator('[id="param.duration_seconds"]'), "1");
  await hands.press(button(page, "Generate"));
  await workShown(page, "video");
  const download = page
    .locator("#result")
    .getByRole("link", { name: /^Download/ })
    .first();
  const [saved] = await Promise.all([page.waitForEvent("download"), hands.press(download)]);
  expect(saved.suggestedFilename()).toMatch(/sailing-boat.*\.mp4$/);
  const path = folder("clip.mp4");
  await saved.saveAs(path);
  expect(readFileSync(path).subarray(4, 8).toString()).toBe("ftyp");
}

async function takesAFreeProduct(newcomer: Newcomer): Promise<void> {
  const { page, hands } = newcomer;
  const name = await findsAProduct(newcomer, 0);
  await hands.press(button(page, /for free/));
  await page.waitForURL("**/account/orders/ord_*");
  await hands.press(
    page
      .getByRole("main")
      .getByRole("link", { name: /library/ })
      .first(),
  );
  await page.getByRole("heading", { name }).waitFor();
}

/** By its name, which is returned. */
async function findsAProduct({ page, hands }: Newcomer, cents: number | object): Promise<string> {
  const wanted = { status: "published", plus_only: false, sale: null, price_regular_cents: cents };
  const found = await service.app.mongo.db.collection<{ name: string }>("products").findOne(wanted as object);
  const name = found?.name ?? "";
  await hands.press(main(page).getByRole("link", { name: "Products" }));
  await hands.fill(page.getByLabel("Search products"), name);
  await hands.press(button(page, "Search"));
  await hands.press(link(page, name));
  await page.getByRole("heading", { level: 1, name }).waitFor();
  return name;
}

async function buysAndReviewsAProduct(newcomer: Newcomer): Promise<void> {
  const { page, hands } = newcomer;
  const name = await findsAProduct(newcomer, { $gt: 0 });
  await hands.press(button(page, new RegExp(`^Buy for \\$[\\d.]+ ${name}, standard licence$`)));
  await pays(newcomer, /^Pay \$/);
  const download = page.getByRole("main").getByRole("link", { name: "Download", exact: true });
  const [saved] = await Promise.all([page.waitForEvent("download"), hands.press(download)]);
  expect(saved.suggestedFilename()).toMatch(/\.zip$/);
  await findsAProduct(newcomer, { $gt: 0 });
  await hands.pick(page.getByLabel("Stars"), "4 stars");
  const words = `Does what it says, ${randomUUID()}.`;
  await hands.fill(page.getByLabel("What others should know"), words);
  await hands.press(button(page, "Publish your review"));
  await page.locator(".reviews__text", { hasText: words }).waitFor();
}

/** From the checkout to the order. */
async function pays({ page, hands }: Newcomer, name: RegExp): Promise<void> {
  await hands.press(button(page, name));
  await page.waitForURL("**/payments/demo/*");
  await hands.press(button(page, /^Pay \$/));
  await page.getByText("It’s yours").waitFor();
}

async function subscribesCancelsAndKeepsIt(newcomer: Newcomer): Promise<void> {
  const { page, hands } = newcomer;
  await page.goto("/account/plan");
  await hands.press(button(page, "Join for $99 a month: Studio"));
  await page.getByText("until you cancel").first().waitFor();
  await pays(newcomer, /^Subscribe for \$/);
  await cancelsThePlan(newcomer);
  await hands.press(button(page, /^Keep it for \$/));
  await page.getByText("until you cancel").first().waitFor();
}

async function cancelsThePlan({ page, hands }: Newcomer): Promise<void> {
  await page.goto("/account/plan");
  await hands.press(page.locator("summary", { hasText: /^\s*Cancel…/ }));
  await hands.press(button(page, "Cancel"));
  await page.getByText("none: it ends then").waitFor();
}

async function leavesThePlan(newcomer: Newcomer): Promise<void> {
  const { page, hands } = newcomer;
  await cancelsThePlan(newcomer);
  await hands.press(button(page, "Demo: end the period now"));
  await waitFor("the free plan", async () => {
    await page.goto("/account/plan");
    return (await page.locator(".card--current", { hasText: "Free" }).count()) === 1;
  });
}

async function buysCredits(newcomer: Newcomer): Promise<void> {
  const { page, hands } = newcomer;
  await page.goto("/credits");
  await hands.press(link(page, "Buy credits"));
  await hands.press(button(page, "Buy for $5 500 credits"));
  await pays(newcomer, /^Pay \$/);
}

async function getsAMemberKey(newcomer: Newcomer): Promise<void> {
  const { page, hands } = newcomer;
  await page.goto("/account/membership");
  await hands.press(button(page, "Join for $15 a month: Plus by the month"));
  await pays(newcomer, /^Subscribe for \$/);
  await page.goto("/account/membership");
  await hands.press(link(page, "Ask for one"));
  await hands.fill(page.getByLabel("Subject"), "A key for my assistant");
  await hands.fill(page.getByLabel("Your message"), "It runs on my laptop.");
  await hands.press(button(page, "Send"));
  await page.waitForURL(/\/support\/tkt_\w+$/);
  const ticket_id = page.url().split("/").at(-1) ?? "";
  await service.core.admin.ProvisionTicketKey({ ticket_id, name: "assistant" });
  await page.reload();
  await hands.press(button(page, "Show the key"));
  const [, connect] = MCP_CLIENTS[2] ?? [];
  const secret = (await page.textContent("#secret")) ?? "";
  const client = await connect?.(`${service.url}/api/member/mcp`, secret);
  expect(await client?.call("get_membership", {})).toMatchObject({ structuredContent: { tier: "plus" } });
  await client?.close();
}

/** By subject, with a part of the text. */
const MAILS: readonly (readonly [subject: RegExp, text: string])[] = [
  [/is yours$/, "This is yours now:"],
  [/^Your receipt 20\d\d-\d{6} from Atelier$/, "standard licence"],
  [/^Your receipt/, "Studio plan"],
  [/^Your Studio plan ends on/, "nothing more is charged"],
  [/^Your Studio plan has ended$/, ""],
  [/^Your receipt/, "500 credits"],
  [/^Your receipt/, "Plus membership"],
  [/^Your ticket/, "member key is ready"],
];

async function mailedTo(email: string, subject: RegExp, text: string): Promise<void> {
  const subjectOf = (raw: string) => /^subject: (.*)$/im.exec(raw.replaceAll(/\r\n[ \t]+/g, " "))?.[1] ?? "";
  await waitFor(`a mail about ${subject.source} ${text}`, () =>
    mail.received.some(
      ({ to, raw }) => to.includes(email) && subject.test(subjectOf(raw)) && readText(raw).includes(text),
    ),
  );
}

/** An assistant asks for more than its key may spend; the user's yes starts it. */
async function approvesWhatItAsks({ page, hands }: Newcomer, key: string): Promise<void> {
  const asked = await service.generate(key, {
    model_slug: "atelier-vector",
    prompt: "a kite",
    params: { count: 4 },
  });
  const { confirm_url: url } = asked.body as unknown as { confirm_url: string };
  await page.goto(new URL(url).pathname);
  await hands.press(button(page, /^Yes, spend/));
  await page.getByText("It is being made.").waitFor();
  await hands.press(link(page, "See it"));
  await page.waitForURL("**/jobs/job_*");
}

/** The first plan excludes the API, and offers a trial of one that includes it. */
async function getsAKey({ page, hands }: Newcomer): Promise<string> {
  await page.goto("/generate");
  await hands.press(link(page, "Code"));
  await hands.press(link(page, /make a key|create a key/i));
  await page.waitForURL("**/account/keys*");
  await hands.press(button(page, "Start the trial"));
  await page.getByText(/^You try Pro until/).waitFor();
  await hands.fill(page.getByLabel("Name"), "laptop");
  await hands.fill(page.getByLabel("Ask me above"), String(ASKS_ABOVE));
  await hands.choose(page.getByLabel("Read and write"));
  await hands.press(button(page, /^(?:Create|Make the) key$/));
  await page.locator("#secret").waitFor();
  return (await page.textContent("#secret")) ?? "";
}

/** Each language of the Code tab, pasted unchanged. */
async function runsTheCode({ page, hands }: Newcomer, key: string): Promise<void> {
  await page.goto("/generate?model=atelier-vector");
  await hands.fill(page.locator("#prompt"), 'A fox\'s "den" in the snow, for $5');
  await hands.press(button(page, "Get the code"));
  // It follows the input a moment later.
  await page.locator("#code-curl", { hasText: "den" }).waitFor({ state: "attached" });
  const code = async (language: string) => {
    await hands.choose(page.getByRole("radio", { name: language, exact: true }));
    return (await page.textContent(`#code-${language.toLowerCase()}`)) ?? "";
  };
  const [curl, javascript, python] = [await code("curl"), await code("JavaScript"), await code("Python")];
  // The clients' folders stay unchanged.
  const env = { PATH: process.env["PATH"], ATELIER_KEY: key, PYTHONDONTWRITEBYTECODE: "1" };
  const cwd = mkdtempSync(folder("code-"));

  const { stdout } = await run("sh", ["-c", curl], { cwd, env });
  const { result } = JSON.parse(stdout) as { result: { state: string; prompt: string } };
  expect(result).toMatchObject({ state: "completed", prompt: 'A fox\'s "den" in the snow, for $5' });

  mkdirSync(join(cwd, "node_modules", "@atelier"), { recursive: true });
  symlinkSync(join(CLIENTS, "js"), join(cwd, "node_modules", "@atelier", "client"));
  writeFileSync(join(cwd, "make.mjs"), javascript);
  await expectPicture((await run(process.execPath, ["make.mjs"], { cwd, env })).stdout);

  if (!hasPython) return;
  writeFileSync(join(cwd, "make.py"), python);
  const withClient = { ...env, PYTHONPATH: join(CLIENTS, "python", "src") };
  await expectPicture((await run("python3", ["make.py"], { cwd, env: withClient })).stdout);
}

const hasPython = (() => {
  try {
    return execFileSync("python3", ["--version"], { encoding: "utf8" }).startsWith("Python 3");
  } catch {
    console.log("there is no python3 here: the code for Python was not run");
    return false;
  }
})();

/** The URL of the file in the program's output. */
async function expectPicture(printed: string): Promise<void> {
  const response = await fetch(printed.trim());
  expect(response.headers.get("content-type")).toBe("image/png");
  await response.body?.cancel();
}

function jobShown(page: Page): string {
  return new URL(page.url()).searchParams.get("job") ?? "";
}

async function workShown(page: Page, element: "img" | "video"): Promise<void> {
  await page.waitForURL(/\/generate\?.*job=job_/);
  await page.locator(`#result .media ${element}`).first().waitFor();
}
