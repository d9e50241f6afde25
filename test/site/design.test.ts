// All components of pages on one page in a browser, and the formats of values.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadAssets } from "../../gateway/site/assets/assets.ts";
import { badge } from "../../gateway/site/design/badge.ts";
import { button, linkButton } from "../../gateway/site/design/button.ts";
import { copyButton } from "../../gateway/site/design/copy-button.ts";
import { checkbox, radioGroup, select, textArea, textField } from "../../gateway/site/design/field.ts";
import { count, credits, date, dateTime, label, money } from "../../gateway/site/design/format.ts";
import { icon } from "../../gateway/site/design/icon.ts";
import { html } from "../../gateway/site/design/markup.js";
import { emptyState, notice } from "../../gateway/site/design/notice.ts";
import { pager } from "../../gateway/site/design/pager.ts";
import { table } from "../../gateway/site/design/table.ts";
import { PAGE_HEADERS, renderDocument } from "../../gateway/site/layout/render-page.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";

const assets = loadAssets();
const SCRIPT = "<script>document.title = 'broken in'</script>";

const parts = html`<div class="stack stack--loose">
  <h1>Parts ${icon("star")}</h1>
  <div class="cluster">
    ${button({ label: "Primary" })} ${button({ label: "Quiet", kind: "quiet", type: "button" })}
    ${button({ label: "Danger", kind: "danger" })} ${linkButton({ href: "#parts", label: "Link" })}
  </div>
  <div class="cluster">
    ${(["neutral", "accent", "success", "warning", "danger"] as const).map((tone) => badge({ label: tone, tone }))}
  </div>
  <div class="cluster">
    <code id="secret">atl_gen_secret</code> ${copyButton({ of: "secret", what: "the key" })}
  </div>
  <form class="card stack">
    ${textField({ name: "name", label: "Name", required: true, hint: "As others see it.", value: SCRIPT })}
    ${textField({ name: "email", label: "Email", type: "email", error: "This is not an address.", autocomplete: "email" })}
    ${textArea({ name: "prompt", label: "Prompt", value: SCRIPT, maxLength: 4000 })}
    ${select({
      name: "scope",
      label: "Scope",
      value: "write",
      options: [
        { value: "read", label: "Read" },
        { value: "write", label: "Write" },
      ],
    })}
    ${radioGroup({
      name: "modality",
      label: "What to make",
      value: "image",
      error: "Choose one.",
      options: [
        { value: "image", label: "Image", hint: "A picture" },
        { value: "audio", label: "Audio" },
      ],
    })}
    ${checkbox({ name: "agree", label: "Members only", checked: true })}
  </form>
  ${(["info", "success", "warning", "danger"] as const).map((tone) => notice({ tone, title: tone, body: SCRIPT }))}
  ${table({
    caption: "Entries",
    columns: ["Entry", "Kind", { label: "Amount", isNumber: true }],
    rows: [
      ["1", "grant", "2,400"],
      ["2", SCRIPT, "-10"],
    ],
  })}
  ${pager({ page: 6, totalPages: 12, hrefOf: (page) => `?page=${page}` })}
  ${emptyState({ title: "Nothing yet", body: "What you make shows here.", action: linkButton({ href: "/generate", label: "Generate" }) })}
</div>`;

const person = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  csrfToken: "token",
  creditsAvailable: 1_240,
  inboxUnread: 0,
  timeZone: "",
};

let server: Server;
let browser: SiteBrowser;
beforeAll(async () => {
  const page = renderDocument(
    { title: SCRIPT, path: "/jobs", person, body: parts, scripts: ["copy.js"] },
    assets,
  );
  server = createServer((request, response) => {
    const asset = assets.find(request.url ?? "");
    if (asset) response.writeHead(200, { "content-type": asset.contentType }).end(asset.body);
    else response.writeHead(200, PAGE_HEADERS).end(page);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  browser = await openBrowser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await browser.close();
  server.close();
});

test("every component is accessible in light, dark and narrow, and fits", async () => {
  await browser.visit("/", {}, async ({ page, expectGoodInEveryLight }) => {
    await page.locator(".account-menu summary").click();
    await expectGoodInEveryLight("parts");
    expect(await page.locator("main .badge").first().textContent()).toBe("Neutral");
    expect(await page.evaluate("getComputedStyle(document.querySelector('#scope')).appearance")).toBe("none");
  });
});

test("text that looks like markup is escaped in titles, fields and cells", async () => {
  await browser.visit("/", {}, async ({ page }) => {
    expect(await page.title()).toBe(`${SCRIPT} · Atelier`);
    expect(await page.inputValue("#prompt")).toBe(SCRIPT);
    expect(await page.inputValue("#name")).toBe(SCRIPT);
    expect(await page.locator("td", { hasText: SCRIPT }).count()).toBe(1);
    expect(await page.locator("body script").count()).toBe(0);
  });
});

test("the skip link jumps past the navigation", async () => {
  await browser.visit("/", {}, async ({ page }) => {
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
  });
});

test("a copy button copies, and is absent without scripts", async () => {
  await browser.visit("/", {}, async ({ page }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the key" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("atl_gen_secret");
  });
  await browser.visit("/", { scripts: false }, async ({ page }) => {
    expect(await page.getByText("Copy").isVisible()).toBe(false);
  });
});

test("a pager shows the first, the last and the nearest pages, and nothing for a single page", () => {
  const shown = (page: number, totalPages: number) => {
    const text = renderDocument(
      { title: "", path: "/", body: pager({ page, totalPages, hrefOf: String }) ?? html`<p></p>` },
      assets,
    );
    return [...text.matchAll(/aria-label="Page (\d+)"|aria-hidden="true">(…)/g)]
      .map(([, number, gap]) => number ?? gap)
      .join(" ");
  };
  expect(shown(1, 1)).toBe("");
  expect(shown(1, 2)).toBe("1 2");
  expect(shown(1, 9)).toBe("1 2 … 9");
  expect(shown(3, 9)).toBe("1 2 3 4 … 9");
  expect(shown(4, 9)).toBe("1 2 3 4 5 … 9");
  expect(shown(5, 9)).toBe("1 … 4 5 6 … 9");
  expect(shown(7, 9)).toBe("1 … 6 7 8 9");
  expect(shown(9, 9)).toBe("1 … 8 9");
});

test("money, credits and times have one format", () => {
  expect([money(49), money(49.5), money(1234)]).toEqual(["$49", "$49.50", "$1,234"]);
  expect([credits(1), credits(2400), count(1_000_000)]).toEqual(["1 credit", "2,400 credits", "1,000,000"]);
  expect(date("2026-01-12T08:00:00.000Z")).toBe("12 January 2026");
  expect(dateTime("2026-01-12T08:05:00.000Z")).toBe("12 Jan 2026, 08:05 UTC");
  expect(label("component-kits")).toBe("Component kits");
});
