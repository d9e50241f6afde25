// The frame and the shop in a real browser: the menu closes, Back stays on the site, and selections are visible in forced colours.
import { beforeAll, describe, expect, test } from "vitest";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf, sendForm } from "./support/forms.ts";
import { callOf, signInAs } from "./support/sign-in.ts";

const service = sharedByTests(() => startWholeService({ worker: false }));
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  await importRows(service.core, [
    row("harbour-icons", { name: "Harbour Icons", status: "featured", category: "icons", tags: ["svg"] }),
    row("slab-font", { name: "Slab Font", category: "fonts" }),
    row("plain-kit", { name: "Plain Kit", category: "kits" }),
  ]);
  await waitFor("the products", async () => (await service.call("/products")).text.includes("3 products"));
});

const cookies = async (email: string) => cookiesOf(await signInAs(service, email));

describe("[SITE-44] the account menu", () => {
  test("closes on Escape, on an outside press and on losing focus, and fits", async () => {
    await browser.visit("/products", { cookies: await cookies("ada@example.com") }, async (visit) => {
      const { page } = visit;
      const menu = page.locator("details.account-menu");
      const summary = menu.locator("summary");
      const isOpen = () => page.evaluate("document.querySelector('details.account-menu').open");
      await summary.click();
      expect(await isOpen()).toBe(true);
      await page.keyboard.press("Escape");
      expect(await isOpen()).toBe(false);
      expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
      await summary.click();
      await page.locator("h1").click();
      expect(await isOpen()).toBe(false);
      await summary.click();
      await page.locator("#search").focus();
      expect(await isOpen()).toBe(false);
      // A press that closes the menu does nothing else: the next press is for the link below.
      await summary.click();
      const below = page.getByRole("link", { name: "Harbour Icons" });
      await below.click();
      expect([await isOpen(), new URL(page.url()).pathname]).toEqual([false, "/products"]);
      await below.click();
      await page.waitForURL("**/products/harbour-icons");
      await page.goBack();
      await summary.click();
      await visit.expectGoodInEveryLight("frame-signed-in");
    });
  });
});

test("a page reports the account's time zone once, for the times in mails", async () => {
  await browser.visit("/products", { cookies: await cookies("zoe@example.com") }, async ({ page }) => {
    const zone = await page.evaluate<string>("Intl.DateTimeFormat().resolvedOptions().timeZone");
    const meta = page.locator('meta[name="time-zone"]');
    await waitFor("the time zone", async () => {
      await page.reload();
      return (await meta.getAttribute("content")) === zone;
    });
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    await page.reload();
    expect(sent.filter((url) => url.endsWith("/time-zone"))).toEqual([]);
  });
});

test("[SITE-47] the inbox's link counts what is new, and its page marks what it showed as read", async () => {
  const iris = await signInAs(service, "iris@example.com");
  const cookies = cookiesOf(iris);
  const asked = { subject: "Where is my kit?", kind: "other", text: "I cannot find it." };
  const { ticket_id } = await service.core.tickets.OpenTicket(asked, callOf(iris));
  const answer = () => service.core.admin.ReplyToTicket({ ticket_id, text: "In your library." });
  const open = async () => (await iris.call("/account/inbox", { headers: { accept: "text/html" } })).text;
  await answer();
  const until = /name="until" value="([^"]+)"/.exec(await open())?.[1] ?? "";
  // It comes after the page was made.
  await answer();
  expect((await sendForm(iris, "/account/inbox", { until })).status).toBe(303);
  expect(await open()).toContain('aria-label="Inbox, 1 new"');
  expect((await sendForm(iris, "/account/inbox", { until: "today" })).status).toBe(400);

  await browser.visit("/account/inbox", { cookies }, (visit) => visit.expectGoodInEveryLight("inbox"));
  await browser.visit("/products", { cookies, scripts: false, width: 360 }, async ({ page }) => {
    await page.getByRole("link", { name: "Inbox, 1 new" }).click();
    const unread = page.locator("tr", { hasText: /Support answered\s+New\s*Where is my kit\?/ });
    await unread.waitFor();
    // What each cell says is clear without the label of its column.
    expect(await page.evaluate(LABELS)).toEqual(["none", "none", "none"]);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
    expect(await unread.count()).toBe(0);
    await page.getByRole("link", { name: "Support answered" }).click();
    await page.waitForURL(`**/support/${ticket_id}`);
  });
});

describe("the navigation on a phone", () => {
  test.each([360, 390])("shows all of its links at %i pixels, without scrolling", async (width) => {
    for (const options of [{}, { cookies: await cookies("ada@example.com") }])
      await browser.visit("/products", { ...options, width }, async ({ page }) => {
        expect(await page.evaluate(CLIPPED_LINKS)).toEqual([]);
      });
  });
});

/** What precedes the cells of the first row. */
const LABELS = `[...document.querySelector("tbody tr").cells].map((cell) => getComputedStyle(cell, "::before").content)`;

/** Texts of links that overflow the navigation or the screen. */
const CLIPPED_LINKS = `(() => {
  const nav = document.querySelector(".site-nav");
  const box = nav.getBoundingClientRect();
  return [...nav.querySelectorAll("a")].filter((link) => link.offsetParent !== null).filter((link) => {
    const range = document.createRange();
    range.selectNodeContents(link);
    const { left, right } = range.getBoundingClientRect();
    return left < Math.max(0, box.left) || right > Math.min(innerWidth, box.right);
  }).map((link) => link.textContent);
})()`;

describe("[SITE-45] Back on /products", () => {
  test("restores earlier searches, filters and typed text", async () => {
    await browser.visit("/", {}, async ({ page }) => {
      await page.getByRole("link", { name: "Browse products" }).click();
      await page.waitForURL("**/products");
      const count = (text: string) => page.locator("#result-count", { hasText: text }).waitFor();
      await page.locator("#search").pressSequentially("harbour");
      await count("1 product");
      await page.waitForURL("**/products?search=harbour");
      await page.getByLabel("Sort by").selectOption("alphabetical");
      await page.waitForURL("**/products?search=harbour&sort=alphabetical");

      await page.goBack();
      await page.waitForURL("**/products?search=harbour");
      await waitFor("the order", async () => (await page.inputValue("#sort")) === "featured");
      await page.goBack();
      await page.waitForURL("**/products");
      await count("3 products");
      await waitFor("the words", async () => (await page.inputValue("#search")) === "");
      await page.goForward();
      await count("1 product");
      await waitFor("the words", async () => (await page.inputValue("#search")) === "harbour");

      await page.getByRole("link", { name: "Harbour Icons" }).click();
      await page.waitForURL("**/products/harbour-icons");
      await page.goBack();
      await page.waitForURL("**/products?search=harbour");
      await count("1 product");
      expect(await page.inputValue("#search")).toBe("harbour");
    });
  });
});

describe("[SITE-46] forced colours", () => {
  test("mark the current page and choices by more than colour", async () => {
    await browser.visit(
      "/products?category=icons",
      { cookies: await cookies("grace@example.com") },
      async (visit) => {
        const { page } = visit;
        await page.emulateMedia({ forcedColors: "active" });
        const style = (selector: string, property: string) =>
          page.evaluate(
            `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))["${property}"]`,
          );
        expect(await style(".site-nav a[aria-current]", "text-decoration-line")).toBe("underline");
        expect(await style(".filters a[aria-current]", "outline-style")).toBe("solid");
        expect(await style(".filters a:not([aria-current])", "outline-style")).toBe("none");
        expect(await style(".active-filters a", "border-top-style")).toBe("solid");
        await visit.screenshot("frame-forced-colours");
        await page.goto("/products/harbour-icons");
        expect(await style(".gallery__choices :checked + img", "outline-style")).toBe("solid");
        expect(await style(".gallery__choices input:not(:checked) + img", "outline-style")).toBe("none");
      },
    );
  });

  test("the pictures of a product can be chosen by keyboard and without scripts", async () => {
    await browser.visit("/products/harbour-icons", { scripts: false }, async ({ page }) => {
      expect(await page.getByRole("img", { name: "Cover of Harbour Icons" }).isVisible()).toBe(true);
      await page.getByRole("radio", { name: "Cover" }).focus();
      await page.keyboard.press("ArrowRight");
      expect(await page.getByRole("img", { name: "Another look of Harbour Icons" }).isVisible()).toBe(true);
      expect(await page.getByRole("img", { name: "Cover of Harbour Icons" }).isVisible()).toBe(false);
    });
  });
});

// Signing out in a real browser leaves nothing for the next person.
const DRAFT = "a surprise for Bob";

async function twoCookies(email: string) {
  const own = cookiesOf(await signInAs(service, email));
  return [...own, { name: "neighbour", value: "stays", url: service.url }];
}

test("a button that is pressed twice sends its form once, and again later", async () => {
  await browser.visit("/account", { cookies: await cookies("twice@example.com") }, async ({ page }) => {
    let sent = 0;
    const held = Promise.withResolvers<void>();
    await page.route("**/account/name", async (route) => {
      sent += 1;
      await held.promise;
      await route.continue();
    });
    const save = page.getByRole("button", { name: "Save the name" });
    // Below 100 ms Chromium itself counts two presses as one.
    await save.dblclick({ delay: 100, noWaitAfter: true });
    held.resolve();
    await page.getByText("Your name is saved.").waitFor();
    expect(sent).toBe(1);
    await save.click();
    await waitFor("the next page's form", () => sent === 2);
  });
});

test("signing out removes cached pages and drafts, and keeps other sites' and the browser's own data", async () => {
  const cookies = await twoCookies("ada@example.com");
  await browser.visit("/account", { cookies }, async ({ page }) => {
    await page.evaluate((draft) => {
      sessionStorage.setItem("draft", draft);
      localStorage.setItem("verified", "{}");
    }, DRAFT);
    await page.locator("details.account-menu summary").click();
    const answered = page.waitForResponse((response) => response.url().endsWith("/sign-out"));
    await page.getByRole("button", { name: "Sign out" }).click();
    expect((await (await answered).allHeaders())["clear-site-data"]).toBe('"cache"');
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.getItem("verified")])).toEqual([
      0,
      "{}",
    ]);
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["neighbour"]);
    await page.goBack();
    await page.waitForURL("**/sign-in?next=%2Faccount");
    expect(await page.content()).not.toContain("ada@example.com");
  });
});

test("signing out works without scripts", async () => {
  const cookies = await twoCookies("bob@example.com");
  await browser.visit("/account", { cookies, scripts: false }, async ({ page }) => {
    await page.locator("details.account-menu summary").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    await page.goBack();
    await page.waitForURL("**/sign-in?next=%2Faccount");
    expect(await page.content()).not.toContain("bob@example.com");
  });
});
