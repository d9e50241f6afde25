// The API reference as people see it: it is a page of the website, if one without scripts.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, serveGateway } from "../gateway/serve-gateway.ts";
import { NARROW, openBrowser, type SiteBrowser } from "./support/browser.ts";

let gateway: Gateway;
let browser: SiteBrowser;

beforeAll(async () => {
  gateway = await serveGateway();
  browser = await openBrowser(gateway.url);
});
afterAll(async () => {
  await browser.close();
  await gateway.close();
});

test("is accessible, dark where the system is, and leads back to the website", async () => {
  await browser.visit("/docs", { scheme: "dark" }, async ({ page, expectAccessible }) => {
    // Long enough that looking at all of it once is what a test can afford.
    await expectAccessible();
    expect(await page.getByRole("link", { name: "Products" }).first().getAttribute("href")).toBe("/products");
  });
});

test("fits a narrow screen", async () => {
  await browser.visit("/docs", { width: NARROW }, async ({ page }) => {
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(NARROW);
  });
});
