// The browser checks must find planted faults.
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGE_HEADERS } from "../../gateway/site/layout/render-page.ts";
import { expectSteady, openBrowser, type SiteBrowser } from "./support/browser.ts";

const LATE_MS = 1_000;
const BODIES: Readonly<Record<string, string>> = {
  "/good": "<h1>Good</h1>",
  "/inline-script": "<h1>Script</h1><script>document.title = 'ran'</script>",
  "/inline-style": `<h1 style="color: red">Style</h1>`,
  "/elsewhere": `<h1>Elsewhere</h1><img alt="" src="https://elsewhere.invalid/a.png">`,
  "/missing": `<h1>Missing</h1><img alt="" src="/no-such-picture">`,
  "/pale": `<h1>Pale</h1><p><font color="#cccccc">hardly there</font></p>`,
  "/moving": `<h1>Moving</h1><img alt="" src="/late.svg"><p>That was higher up before the picture came.</p>`,
  "/wide": `<h1>Wide</h1><table width="2000"><tr><td>wide</td></tr></table>`,
};

let server: Server;
let browser: SiteBrowser;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/late.svg") return void sendLate(response);
    const body = BODIES[request.url ?? ""];
    const page = `<!doctype html><html lang="en"><head><title>Page</title><link rel="icon" href="data:,"></head><body><main>${body}</main></body></html>`;
    response.writeHead(body === undefined ? 404 : 200, PAGE_HEADERS).end(page);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  browser = await openBrowser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
/** After the page around it was painted. */
async function sendLate(response: ServerResponse): Promise<void> {
  await delay(LATE_MS);
  response.writeHead(200, { "content-type": "image/svg+xml" });
  response.end('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"/>');
}
afterAll(async () => {
  await browser.close();
  server.close();
});

test("the page checks pass a good page", async () => {
  const heading = await browser.visit("/good", {}, async ({ page, expectGoodInEveryLight }) => {
    await expectGoodInEveryLight("good");
    return page.locator("h1").textContent();
  });
  expect(heading).toBe("Good");
});

test.each([
  ["/inline-script", "script-src"],
  ["/inline-style", "style-src"],
  ["/elsewhere", "asked another origin"],
  ["/missing", "404"],
])("the page checks fail %s because of %s", async (path, reason) => {
  await expect(browser.visit(path, {}, async () => {})).rejects.toThrow(reason);
});

test("the page checks fail text with too little contrast", async () => {
  await expect(browser.visit("/pale", {}, ({ expectAccessible }) => expectAccessible())).rejects.toThrow(
    "color-contrast",
  );
});

test("the page checks report layout shifts", async () => {
  await browser.visit("/moving", {}, async ({ steadiness }) => {
    const seen = await steadiness();
    expect(seen).toMatchObject({ shifted: ["p"] });
    expect(() => expectSteady("it", seen)).toThrow(/^it moved by 0\.\d+: p$/);
  });
  await browser.visit("/good", {}, async ({ steadiness }) => expectSteady("it", await steadiness()));
});

test("the page checks fail a page that is wider than a narrow screen", async () => {
  const visit = browser.visit("/wide", {}, ({ expectGoodInEveryLight }) => expectGoodInEveryLight("wide"));
  await expect(visit).rejects.toThrow("width in");
});
