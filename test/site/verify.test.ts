// /verify in a real browser: a file that is chosen is hashed there, and without a script its digest is pasted.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCustomer } from "../support/app.ts";
import { SMALL_OUTPUT } from "../support/providers.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";

let service: WholeService;
let browser: SiteBrowser;
const digest = createHash("sha256").update(SMALL_OUTPUT.bytes).digest("hex");

beforeAll(async () => {
  service = await startWholeService();
  const { key } = await createCustomer(service.app);
  const { body } = await service.generate(key);
  await service.waitForEnd(key, body.result.job_id);
  browser = await openBrowser(service.url.replace("127.0.0.1", "localhost"));
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

test("tells of a file that is chosen whether it was made here, and sends its digest alone", async () => {
  await browser.visit("/verify", {}, async ({ page, expectGoodInEveryLight }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${request.postData() ?? ""}`));
    const choose = async (bytes: Uint8Array) => {
      await page.setInputFiles("#file", { name: "a.png", mimeType: "image/png", buffer: Buffer.from(bytes) });
      await page.waitForURL(/sha256=/);
    };
    await choose(SMALL_OUTPUT.bytes);
    await page.getByText("Made here", { exact: true }).waitFor();
    expect(page.url()).toContain(digest);
    await expectGoodInEveryLight("verify-made");
    await choose(new Uint8Array([1, 2, 3]));
    await page.getByText("Not known here").waitFor();
    expect(asked.every((request) => request === "GET ")).toBe(true);
  });
});

test("needs no script, and says what is no digest", async () => {
  await browser.visit("/verify", { scripts: false }, async ({ page }) => {
    await page.fill("#sha256", digest);
    await page.getByRole("button", { name: "Look it up" }).click();
    await page.getByText("Made here", { exact: true }).waitFor();
  });
  const wrong = await service.call("/verify?sha256=%3Cb%3E");
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("This is no SHA-256");
  expect(wrong.text).not.toContain("<b>");
});
