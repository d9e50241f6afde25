// Signing out in a real browser leaves nothing for the next person.
import { expect, test } from "vitest";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf } from "./support/forms.ts";
import { signInAs } from "./support/sign-in.ts";

const DRAFT = "a surprise for Bob";

const service = sharedByTests(() => startWholeService({ worker: false }));
const browser = sharedByTests(() => openBrowser(service.url));

async function twoCookies(email: string) {
  const own = cookiesOf(await signInAs(service, email), service.url);
  return [...own, { name: "neighbour", value: "stays", url: service.url }];
}

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
