// /connect in a real browser: text to copy, and a tool call with the person's own key.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assistants, libraries } from "../../gateway/site/connect/assistants.ts";
import { createCustomer } from "../support/app.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";
import { cookiesOf } from "./support/forms.ts";
import { signInAs } from "./support/sign-in.ts";

let browser: SiteBrowser;
let url: string;
let key: string;

const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  ({ key } = await createCustomer(service.app));
  // The service's own URL, whose pages the tool endpoint allows.
  url = service.url.replace("127.0.0.1", "localhost");
  browser = await openBrowser(url);
});
afterAll(() => browser.close());

test("the connect page is accessible, and has the URL and configuration to copy", async () => {
  await browser.visit("/connect", {}, async ({ page, expectGoodInEveryLight }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    expect(await page.locator("#generation-address").textContent()).toBe(`${url}/api/mcp`);
    expect(await page.locator("#member-address").textContent()).toBe(`${url}/api/member/mcp`);
    await page.getByRole("radio", { name: "Cursor" }).check();
    await page.getByRole("button", { name: "Copy the configuration for Cursor" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = JSON.parse((await page.evaluate("navigator.clipboard.readText()")) as string) as unknown;
    expect(copied).toMatchObject({ mcpServers: { atelier: { url: `${url}/api/mcp` } } });
    await expectGoodInEveryLight("connect");
  });
});

test("the connect page matches the documentation for each assistant", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/connect.md", import.meta.url)), "utf8");
  const endpoint = "https://HOST/api/mcp";
  for (const { name, code } of [...assistants(endpoint, "https://HOST/mcp"), ...libraries(endpoint)]) {
    const [, section = ""] = page.split(`## ${name}\n`);
    expect(section, name).toContain(`\n${code}\n\`\`\``);
  }
});

test("the connect page has a panel for each assistant", () => {
  const styles = readFileSync(
    fileURLToPath(new URL("../../gateway/site/connect/connect.css", import.meta.url)),
    "utf8",
  );
  for (const { slug } of assistants("https://HOST/api/mcp", "https://HOST/mcp"))
    expect(styles).toContain(`.connect__clients:has([value="${slug}"]:checked) [data-client="${slug}"]`);
});

test("[SITE-06] the connect page calls a tool with the person's key, which stays in the page's memory", async () => {
  await browser.visit("/connect", {}, async ({ page, expectAccessible, screenshot }) => {
    await page.getByLabel("Your key").fill(key);
    await page.getByRole("button", { name: "Show its tools" }).click();
    await page.getByLabel("Tool", { exact: true }).selectOption("list_models");
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByText(/^HTTP 200 after/).waitFor();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.filter({ hasText: '"picture"' }).waitFor();
    await page.getByLabel("Tool", { exact: true }).selectOption("connect_generate");
    const given = JSON.parse(await page.getByLabel("Arguments, as JSON").inputValue()) as object;
    expect(given).toMatchObject({ modality: "image", wait_seconds: 30 });
    await page.getByLabel("Arguments, as JSON").fill(JSON.stringify({ ...given, model_slug: "picture" }));
    await page.getByRole("button", { name: "Call", exact: true }).click();
    const made = page.getByRole("img", { name: "What the tool made" });
    await made.waitFor();
    const file = await page.request.get((await made.getAttribute("src")) ?? "");
    expect([file.status(), file.headers()["content-type"]]).toEqual([200, "image/png"]);
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

test("the connect page shows the endpoint's refusal of a key and of arguments", async () => {
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
    // Another key would show other tools.
    await page.getByLabel("Your key").press("End");
    await page.getByLabel("Your key").press("x");
    expect(await page.getByLabel("Tool", { exact: true }).count()).toBe(0);
  });
});

test("the connect page is complete without scripts", async () => {
  await browser.visit("/connect", { scripts: false }, async ({ page }) => {
    expect(await page.getByText("Calling the tools from this page takes JavaScript").isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: /Copy/ }).count()).toBe(0);
    expect(await page.getByText("claude mcp add").isVisible()).toBe(false);
    await page.getByRole("radio", { name: "Claude Code" }).check();
    expect(await page.getByText("claude mcp add").isVisible()).toBe(true);
    await page.goto("/connect?client=goose");
    expect(await page.getByText("type: streamable_http").isVisible()).toBe(true);
    await page.getByText("Pydantic AI", { exact: true }).click();
    expect(await page.getByText("MCPToolset(").isVisible()).toBe(true);
  });
});

test("the connect page's tabs work by keyboard", async () => {
  await browser.visit("/connect", { scripts: false }, async ({ page }) => {
    await page.getByRole("radio", { name: "Claude", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByText("No authentication").isVisible()).toBe(true);
    await page.keyboard.press("ArrowRight");
    expect(await page.getByText("claude mcp add").isVisible()).toBe(true);
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("link", { name: "Add to Cursor" }).isVisible()).toBe(true);
  });
});

test("installation links match the page, and contain no key", () => {
  const endpoint = "https://example.com/api/mcp";
  const links = assistants(endpoint, "atl_gen_secret").map(
    ({ slug, add }) => [slug, add?.href ?? ""] as const,
  );
  for (const [, href] of links) expect(decodeURIComponent(href)).not.toContain("atl_gen_secret");
  const [cursor, vsCode] = ["cursor", "vs-code"].map(
    (wanted) => links.find(([slug]) => slug === wanted)?.[1] ?? "",
  );
  const { searchParams } = new URL(cursor ?? "");
  expect(searchParams.get("name")).toBe("atelier");
  const added = Buffer.from(searchParams.get("config") ?? "", "base64").toString("utf8");
  const shown =
    assistants(endpoint, "https://catalog.example/mcp").find(({ slug }) => slug === "cursor")?.code ?? "";
  expect((JSON.parse(shown) as { mcpServers: { atelier: object } }).mcpServers.atelier).toEqual(
    JSON.parse(added),
  );
  expect(vsCode).toMatch(/^vscode:mcp\/install\?/);
  expect(JSON.parse(decodeURIComponent((vsCode ?? "").split("?")[1] ?? ""))).toMatchObject({
    name: "atelier",
    type: "http",
    url: endpoint,
    inputs: [{ id: "atelier-key", password: true }],
  });
  expect(decodeURIComponent(cursor ?? "")).not.toContain("atl_gen_secret");
});

describe("a signed-in person on the connect page", () => {
  test("creates a key: it is filled in for each assistant and the trial, once, and is in no URL", async () => {
    const person = await signInAs(service, "assistant@example.com");
    await service.core.admin.SetPlan({ account: "assistant@example.com", plan: "pro" });
    const refused = await person.call("/connect/key", {
      method: "POST",
      body: new URLSearchParams({
        client: "claude-code",
        max_credits: "120",
        confirm_above: "many",
      }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([refused.status, refused.text.match(/aria-invalid="true"/g)?.length]).toEqual([400, 1]);
    expect(refused.text).toContain('value="120"');
    const options = { cookies: cookiesOf(person, url) };
    await browser.visit("/connect", options, async ({ page, expectGoodInEveryLight }) => {
      await page.getByRole("radio", { name: "Claude Code" }).check();
      await page.getByLabel("Monthly limit").fill("120");
      await page.getByLabel("Ask me above").fill("10");
      await page.getByRole("button", { name: "Create key" }).click();
      const secret = (await page.locator("#secret").textContent()) ?? "";
      expect(secret).toMatch(/^atl_gen_/);
      expect(page.url()).not.toContain(secret);
      expect(await page.getByRole("radio", { name: "Claude Code" }).isChecked()).toBe(true);
      expect(await page.locator("#code-claude-code").textContent()).toContain(`Bearer ${secret}"`);
      for (const link of await page.locator("a").all())
        expect(decodeURIComponent((await link.getAttribute("href")) ?? "")).not.toContain(secret);
      await expectGoodInEveryLight("connect-key");
      await page.getByRole("button", { name: "Show its tools" }).click();
      await page.getByLabel("Tool", { exact: true }).waitFor();
      await page.goto("/connect");
      expect(await page.content()).not.toContain(secret);
      const keys = await person.call("/account/keys");
      expect(keys.text).toContain("0 of 120 credits this month");
    });
  });
});
