// /connect in a real browser: what it gives to copy, and calling the tools with one's own key.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assistants } from "../../gateway/site/connect/assistants.ts";
import { createCustomer } from "../support/app.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";

let service: WholeService;
let browser: SiteBrowser;
let url: string;
let key: string;

beforeAll(async () => {
  service = await startWholeService();
  ({ key } = await createCustomer(service.app));
  // The address that the service calls its own, which the tool endpoint allows pages of.
  url = service.url.replace("127.0.0.1", "localhost");
  browser = await openBrowser(url);
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

test("is for everyone, and gives the address and the configuration to copy", async () => {
  await browser.visit("/connect", {}, async ({ page, expectGoodInEveryLight }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    expect(await page.locator("#generation-address").textContent()).toBe(`${url}/api/mcp`);
    expect(await page.locator("#member-address").textContent()).toBe(`${url}/api/member/mcp`);
    await page.getByRole("button", { name: "Copy the configuration for Cursor" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = JSON.parse((await page.evaluate("navigator.clipboard.readText()")) as string) as unknown;
    expect(copied).toMatchObject({ mcpServers: { atelier: { url: `${url}/api/mcp` } } });
    await expectGoodInEveryLight("connect");
  });
});

test("says of each assistant what the documentation says", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/connect.md", import.meta.url)), "utf8");
  for (const { name, code } of assistants("https://HOST/api/mcp")) {
    const [, section = ""] = page.split(`## ${name}\n`);
    expect(section, name).toContain(`\n${code}\n\`\`\``);
  }
});

test("[SITE-06] calls a tool with the person's key, which stays in the memory of the page", async () => {
  await browser.visit("/connect", {}, async ({ page, expectAccessible, screenshot }) => {
    await page.getByLabel("Your key").fill(key);
    await page.getByRole("button", { name: "Show its tools" }).click();
    await page.getByLabel("Tool", { exact: true }).selectOption("list_models");
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByText(/^HTTP 200 after/).waitFor();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.filter({ hasText: '"picture"' }).waitFor();
    await page.getByLabel("Tool", { exact: true }).selectOption("connect_generate");
    expect(JSON.parse(await page.getByLabel("Arguments, as JSON").inputValue())).toMatchObject({
      modality: "image",
    });
    await expectAccessible();
    await screenshot("connect-tried");

    expect(page.url()).toBe(`${url}/connect`);
    expect(await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length")).toBe(
      0,
    );
    await page.reload();
    expect(await page.getByLabel("Your key").inputValue()).toBe("");
  });
});

test("shows what the endpoint says of a key that it refuses, and what is wrong with arguments", async () => {
  await browser.visit("/connect", { expectedErrors: /401/ }, async ({ page }) => {
    await page.getByLabel("Your key").fill("atl_gen_mistyped");
    await page.getByRole("button", { name: "Show its tools" }).click();
    await page.getByText(/^HTTP 401 after/).waitFor();
    expect(await page.getByRole("region", { name: "Answer" }).textContent()).toContain("invalid_key");
    expect(await page.getByLabel("Tool", { exact: true }).count()).toBe(0);

    await page.getByLabel("Your key").fill(key);
    await page.getByRole("button", { name: "Show its tools" }).click();
    await page.getByLabel("Arguments, as JSON").fill("[1");
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByText("The arguments are not a JSON object.").waitFor();
    // Of another key these would not be the tools.
    await page.getByLabel("Your key").press("End");
    await page.getByLabel("Your key").press("x");
    expect(await page.getByLabel("Tool", { exact: true }).count()).toBe(0);
  });
});

test("without scripts it still says all there is to say", async () => {
  await browser.visit("/connect", { scripts: false }, async ({ page }) => {
    expect(await page.getByText("Calling the tools from this page takes JavaScript").isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: /Copy/ }).count()).toBe(0);
    expect(await page.getByText("claude mcp add").isVisible()).toBe(true);
  });
});
