// /verify in a real browser: a file's Content Credentials are checked with its form, with and without scripts, and a hash is computed in
// the browser.
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCustomer } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { flipped, makeTestIssuer, signFile, wholeFiles } from "../support/signed-files.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";

let service: WholeService;
let browser: SiteBrowser;
let made: Buffer;
let plain: Buffer;
const pngOf = (bytes: Buffer) => ({ name: "a.png", mimeType: "image/png", buffer: bytes });
const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

beforeAll(async () => {
  plain = (await wholeFiles()).get("image/png") ?? Buffer.alloc(0);
  const answer = () => [{ bytes: plain, mimeType: "image/png", width: 32, height: 16 }];
  service = await startWholeService({
    provider: createScriptedProvider({ answer }),
    env: { ATELIER_CONTENT_CREDENTIALS: "on" },
  });
  const { key } = await createCustomer(service.app);
  const { body } = await service.generate(key);
  const { outputs } = await service.waitForEnd(key, body.result.job_id);
  made = Buffer.from(await (await fetch(String(outputs[0]?.url))).arrayBuffer());
  browser = await openBrowser(service.url.replace("127.0.0.1", "localhost"));
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

const OUTCOMES: readonly (readonly [string, string, () => Promise<Buffer>])[] = [
  ["verify-holds", "The credentials hold", async () => made],
  ["verify-altered", "The credentials do not hold", async () => flipped(made)],
  ["verify-none", "No Content Credentials", async () => plain],
  [
    "verify-other-issuer",
    "Signed by another issuer",
    async () => {
      const { engine } = service.app.credentials;
      const stranger = await makeTestIssuer();
      const input = { title: "holiday.png", relationship: "parentOf" as const, mimeType: "image/png" };
      return signFile(engine, stranger, {
        bytes: plain,
        mimeType: "image/png",
        ingredients: [{ ...input, bytes: made }],
      });
    },
  ],
];

for (const scripts of [true, false])
  test.each(OUTCOMES)(
    `the verify page shows %s ${scripts ? "with" : "without"} scripts: %s`,
    async (name, title, file) => {
      await browser.visit("/verify", { scripts }, async ({ page, expectGoodInEveryLight }) => {
        await page.setInputFiles("#file", pngOf(await file()));
        await page.getByRole("button", { name: "Check the file" }).click();
        const shown = page.getByText(title, { exact: true });
        await shown.waitFor();
        expect(await shown.count()).toBe(1);
        if (scripts) await expectGoodInEveryLight(name);
      });
    },
  );

/** What a browser does when a person drops a file. */
const drop = (page: Page, name: string, bytes: string) =>
  page.evaluate(`(() => {
    const carried = new DataTransfer();
    carried.items.add(new File([${bytes}], ${JSON.stringify(name)}));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
  })()`);

test("the verify page accepts a file dropped anywhere", async () => {
  await browser.visit("/verify", {}, async ({ page }) => {
    await drop(page, "a.png", `Uint8Array.from(atob("${made.toString("base64")}"), (c) => c.charCodeAt(0))`);
    await page.getByText("The credentials hold", { exact: true }).waitFor();
    const madeHere = page.getByText("Made here", { exact: true });
    await madeHere.waitFor();
    expect(await madeHere.isVisible()).toBe(true);
  });
});

test("the verify page refuses a file that is too large before sending it", async () => {
  await browser.visit("/verify", {}, async ({ page }) => {
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.method()));
    await drop(page, "film.mp4", "new Uint8Array(129 * 2 ** 20)");
    await page.getByText("film.mp4 has 129 MiB; a file may have at most 128 MiB.").waitFor();
    expect(sent).toEqual([]);
  });
});

test("the verify page hashes a file in the browser, and sends only the hash", async () => {
  await browser.visit("/verify", {}, async ({ page, expectGoodInEveryLight }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${request.postData() ?? ""}`));
    const choose = async (bytes: Buffer) => {
      await page.locator("details.card").evaluate((details) => details.setAttribute("open", ""));
      await page.setInputFiles("#local-file", pngOf(bytes));
      await page.waitForURL(new RegExp(digestOf(bytes)));
    };
    await choose(made);
    await page.getByText("Made here", { exact: true }).waitFor();
    await expectGoodInEveryLight("verify-made");
    await choose(Buffer.from([1, 2, 3]));
    await page.getByText("Not known here").waitFor();
    expect(asked.every((request) => request === "GET ")).toBe(true);
  });
});

test("the verify page looks up a hash without scripts, and reports an invalid one", async () => {
  await browser.visit("/verify", { scripts: false }, async ({ page }) => {
    await page.getByText("Look up a fingerprint").click();
    await page.fill("#sha256", digestOf(made));
    await page.getByRole("button", { name: "Look it up" }).click();
    await page.getByText("Made here", { exact: true }).waitFor();
  });
  const wrong = await service.call("/verify?sha256=%3Cb%3E");
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("This is no SHA-256");
  expect(wrong.text).not.toContain("<b>");
});
