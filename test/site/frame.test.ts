// The frame of every page: header, footer and their links, and error pages.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorWords } from "../../gateway/site/layout/error-words.ts";
import { ERROR_TABLE } from "../../proto/codes.ts";
import { giveCredits } from "../support/credits.ts";
import { useFolder } from "../support/shared.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { type Browser, signInAs } from "./support/sign-in.ts";

const PAGE = { accept: "text/html" };
const OWN_TEXT =
  "# Our terms\n\nBe **kind**. See [the law](https://example.com/law) and [this](javascript:alert(1)).\n\n<b>Not markup</b>";

let service: WholeService;
let ada: Browser;
const texts = useFolder();

beforeAll(async () => {
  writeFileSync(texts("terms.md"), OWN_TEXT);
  service = await startWholeService({
    worker: false,
    env: { ATELIER_SITE_TEXTS_DIR: texts(), ATELIER_SUPPORT_EMAIL: "people@example.com" },
  });
  ada = await signInAs(service, "ada@example.com");
  await giveCredits(service.app, ada.accountId, 1_200);
});
afterAll(() => service.close());

const asStranger = async (path: string) => (await service.call(path, { headers: PAGE })).text;
const asAda = async (path: string) => (await ada.call(path, { headers: PAGE })).text;

/** Of the header. */
function linksOf(page: string): string[] {
  const header = page.slice(page.indexOf("<header"), page.indexOf("</header>"));
  return [...header.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
}

describe("[SITE-40] the header", () => {
  test.each([
    "/",
    "/products",
    "/connect",
    "/licences/standard",
    "/terms",
    "/status",
    "/credits",
    "/no-such-page",
  ])("the header of %s shows a signed-in person the balance with its link", async (path) => {
    const page = await asAda(path);
    const { available } = await service.core.credits.GetBalance(
      {},
      { caller: { kind: "account", accountId: ada.accountId, source: "app" } },
    );
    expect(page).toContain(`<span id="balance">${available.toLocaleString("en-US")} credits</span>`);
    expect(linksOf(page)).toEqual(expect.arrayContaining(["/generate", "/jobs", "/credits", "/library"]));
    expect(page).not.toContain(">Sign in<");
  });

  test("shows visitors the sign-in, and loads no account data", async () => {
    const page = await asStranger("/products");
    expect(linksOf(page)).toContain("/sign-in?next=%2Fproducts");
    expect(page).not.toContain("header.js");
    expect(page).not.toMatch(/\/assets\/header\./);
  });

  test("reloads the balance on the account's own pages", async () => {
    const { body } = await ada.call<{ result: { credits_available: number } }>("/account/api/me");
    expect(body.result.credits_available).toBeGreaterThanOrEqual(1_200);
  });
});

describe("[SITE-41] the footer", () => {
  test("links existing pages", async () => {
    const page = await asStranger("/");
    const footer = page.slice(page.indexOf("<footer"));
    const links = [...footer.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(links).toEqual(
      expect.arrayContaining(["/help", "/status", "/about", "/terms", "/privacy", "/licences"]),
    );
    for (const link of links) {
      const { status } = await service.call(link, { headers: PAGE });
      expect([200, 303], link).toContain(status);
    }
  });

  test("shows the operator's texts, escaped", async () => {
    const page = await asStranger("/terms");
    expect(page).toContain("<h1>Our terms</h1>");
    expect(page).toContain("Be <strong>kind</strong>.");
    expect(page).toContain('<a href="https://example.com/law">the law</a>');
    expect(page).not.toContain('href="javascript:');
    expect(page).toContain("&lt;b>Not markup");
    expect(page).not.toContain("demonstration text");
  });

  test("marks default texts as such", async () => {
    for (const path of ["/about", "/help", "/licences", "/privacy"])
      expect(await asStranger(path)).toContain("This is a demonstration text.");
    expect(await asStranger("/help")).toContain("mailto:people@example.com");
    expect(await asStranger("/licences")).toContain("Client licence");
  });
});

describe("[SITE-42] the status page", () => {
  test("reports each part", async () => {
    const page = await asStranger("/status");
    expect(page).toContain("Everything works");
    for (const part of ["Catalog", "Generation", "Queue", "Payments", "Sign-in"])
      expect(page).toContain(`<h2>${part}</h2>`);
  });

  test("is served without core, and reports what is down", async () => {
    const face = await service.openEdge({ ATELIER_CORE_ADDRESS: "127.0.0.1:1" });
    const { status, text } = await face.call("/status", { headers: PAGE });
    expect(status).toBe(200);
    expect(text).toContain("Catalog, Generation, Queue, Payments: not as it should be");
    expect(text.match(/Not working/g)).toHaveLength(4);
    // So is what needs nothing of core, for those who are signed in as well.
    for (const path of [
      "/docs",
      "/docs/errors",
      "/docs/search?q=key",
      "/help",
      "/licences/standard",
      "/verify",
      "/connect",
    ])
      expect((await ada.call(path, { headers: PAGE }, face)).status, path).toBe(200);
  });
});

describe("[SITE-43] texts of error pages", () => {
  const FOR_PROGRAMS =
    /\/api\/|GET |POST |\bissues\b|\b[a-z]+_[a-z_]+\b|\b[45]\d\d\b|header|JSON|parameter|field|endpoint|scope|byte|slug/;

  test.each(Object.keys(ERROR_TABLE))("for %s are in plain words", (code) => {
    const { title, what, next } = errorWords({ code, message: ERROR_TABLE[code as "internal"].message });
    for (const words of [title, what, next]) {
      expect(words).not.toMatch(FOR_PROGRAMS);
      expect(words.length).toBeGreaterThan(10);
    }
    expect(title).not.toMatch(/\.$/);
  });

  test("contain the numbers that matter", () => {
    const message = "This generation costs 40 credits and the account has 3 available.";
    expect(errorWords({ code: "insufficient_credits", message }).what).toBe(message);
  });

  test("of an unknown page offer links, and a number for support", async () => {
    const page = await asStranger("/products/no-such-thing");
    expect(page).toContain("We cannot find that product");
    expect(page).not.toContain('/api/catalog"');
    expect(page).toMatch(/mention this number:\s*<code>req_/);
  });
});
