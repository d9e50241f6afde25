// The library on the website: licences, downloads, and no access for others.
import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { seedDemoCatalog } from "../../core/shop/catalog/demo/seed.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf, sendForm } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

let ada: Browser;
let eve: Browser;
let newcomer: Browser;
const bytes = randomBytes(700_000);
const sha256 = createHash("sha256").update(bytes).digest("hex");
let fileId: string;

const service = sharedByTests(() => startWholeService({ env: { ATELIER_DEMO_PRODUCTS: "60" } }));
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  await seedDemoCatalog(service.app);
  ada = await signInAs(service, "ada@example.com");
  eve = await signInAs(service, "eve@example.com");
  newcomer = await signInAs(service, "newcomer@example.com");
  for (const slug of ["own-icons", "own-fonts"]) {
    const json = JSON.stringify({ slug, name: `The ${slug}`, status: "published", price_regular_cents: 900 });
    await service.core.catalogAdmin.ImportProducts({ rows: [{ line: 1, json }] });
  }
  fileId = await addFile("own-icons", bytes, "icons.bin", "1.2");
  await grant(ada, "own-icons");
  await grant(eve, "own-fonts");
});

async function addFile(slug: string, content: Uint8Array, name: string, version: string): Promise<string> {
  async function* parts() {
    const hash = createHash("sha256").update(content).digest("hex");
    yield { headline: { product_slug: slug, name, version, bytes: content.length, sha256: hash } };
    for (let at = 0; at < content.length; at += 200_000) yield { data: content.subarray(at, at + 200_000) };
  }
  const { file } = await service.core.admin.AddProductFile(parts());
  return file?.file_id ?? "";
}

async function grant(to: Browser, slug: string, kind = "standard"): Promise<string> {
  const wanted = { account: to.accountId, product_slug: slug, kind, source: "grant" };
  return (await service.core.admin.GrantLicence(wanted)).licence_id ?? "";
}

function download(path: string, who?: Browser, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(service.url + path, {
    headers: { ...(who && { cookie: who.cookie }), accept: "*/*", ...headers },
    redirect: "manual",
  });
}

/** Presses "Copy a link" on the page. */
async function copyLink(who: Browser, id: string): Promise<{ path: string; expires: number }> {
  const { text } = await sendForm(who, `/library/files/${id}/link`);
  const path = /\/library\/linked\/[^"<\s]+/.exec(text)?.[0].replaceAll("&amp;", "&") ?? "";
  return { path, expires: Number(new URL(path, service.url).searchParams.get("expires")) };
}

const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe("a file of the library", () => {
  test("is sent whole with type and hash, or in ranges", async () => {
    const path = `/library/files/${fileId}`;
    const whole = await download(path, ada);
    expect(whole.status).toBe(200);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": 'attachment; filename="icons.bin"',
      "content-length": String(bytes.length),
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      etag: `"${sha256}"`,
      "repr-digest": `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`,
    });
    expect((await bodyOf(whole)).equals(bytes)).toBe(true);

    const part = await download(path, ada, { range: "bytes=300000-" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 300000-699999/700000"]);
    expect((await bodyOf(part)).equals(bytes.subarray(300_000))).toBe(true);
    const changed = await download(path, ada, { range: "bytes=0-9", "if-range": '"another"' });
    expect([changed.status, (await bodyOf(changed)).length]).toEqual([200, bytes.length]);
    const nowhere = await download(path, ada, { range: "bytes=700000-" });
    expect([nowhere.status, nowhere.headers.get("content-range")]).toEqual([416, "bytes */700000"]);
    expect((await download(path, ada, { "if-none-match": `"${sha256}"` })).status).toBe(304);
  });

  test("opens by a link without a sign-in, until the licence is revoked", async () => {
    const { path, expires } = await copyLink(ada, fileId);
    const leftMs = expires * 1000 - Date.now();
    expect(leftMs).toBeGreaterThan(8 * 60_000);
    expect(leftMs).toBeLessThanOrEqual(10 * 60_000 + 2_000);
    const linked = await download(path, undefined, { range: "bytes=0-99" });
    expect(linked.status).toBe(206);
    expect((await bodyOf(linked)).equals(bytes.subarray(0, 100))).toBe(true);
    expect((await download(path.replace(fileId, "fil_other"))).status).toBe(404);
    expect((await download(path.replace(/signature=.{4}/, "signature=AAAA"))).status).toBe(404);
    expect((await download(path.replace(/account=\w+/, `account=${eve.accountId}`))).status).toBe(404);
    expect((await download(path.split("?")[0] ?? "")).status).toBe(404);

    const lent = await addFile("own-fonts", bytes, "fonts.bin", "1");
    const lentLicence = await grant(newcomer, "own-fonts");
    const { path: lentPath } = await copyLink(newcomer, lent);
    expect((await bodyOf(await download(lentPath))).length).toBe(bytes.length);
    await service.core.admin.RevokeLicence({ licence_id: lentLicence });
    expect((await download(lentPath)).status).toBe(404);
  });
});

describe("the library page", () => {
  test.each([true, false])("downloads and offers a link to copy, scripts: %s", async (scripts) => {
    await browser.visit("/library", { cookies: cookiesOf(ada), scripts }, async ({ page }) => {
      const card = page.locator("section.licence").filter({ hasText: "The own-icons" });
      expect(await card.locator(".file .note").first().textContent()).toContain("Version 1.2, 700 kB");
      const waiting = page.waitForEvent("download");
      await card.getByRole("link", { name: "Download" }).click();
      const saved = await waiting;
      expect(saved.suggestedFilename()).toBe("icons.bin");
      const hash = createHash("sha256");
      for await (const piece of await saved.createReadStream()) hash.update(piece as Buffer);
      expect(hash.digest("hex")).toBe(sha256);

      await card.getByRole("button", { name: "Temporary link to icons.bin" }).click();
      const url = (await page.textContent("#file-link")) ?? "";
      expect(url).toContain(`/library/linked/${fileId}?account=${ada.accountId}`);
      expect(await page.getByRole("button", { name: "Copy the link" }).isVisible()).toBe(scripts);
      await page.goto("/library/downloads");
      const cells = page.locator("tbody tr").first().locator("th, td");
      expect((await cells.allTextContents()).slice(0, 3)).toEqual(["icons.bin", "1.2", "The own-icons"]);
    });
  });

  test("shows licences with files and terms, and revoked ones without, in every colour scheme", async () => {
    const revoked = await signInAs(service, "grace@example.com");
    await grant(revoked, "own-icons", "client");
    const gone = await grant(revoked, "own-fonts");
    await service.core.admin.RevokeLicence({ licence_id: gone });
    await browser.visit("/library", { cookies: cookiesOf(revoked) }, async (visit) => {
      const { page } = visit;
      expect(await page.locator("section.licence").count()).toBe(2);
      expect(await page.locator("section.licence").first().textContent()).toContain(
        "so its files are no longer here",
      );
      await page.getByRole("button", { name: "Temporary link to icons.bin" }).click();
      await visit.expectGoodInEveryLight("library");
      const covers = page.locator(".licence img");
      expect(await covers.evaluateAll((all) => all.map((one) => one.getAttribute("src")))).toEqual([
        "/covers/own-fonts.svg",
        "/covers/own-icons.svg",
      ]);
      const search = page.getByRole("searchbox", { name: "Search your library" });
      for (const [words, found] of [
        ["ICON own", ["The own-icons"]],
        ["o.n", []],
      ] as const) {
        await search.fill(words);
        await page.getByRole("button", { name: "Search", exact: true }).click();
        await page.waitForURL((url) => url.searchParams.get("search") === words);
        expect(await page.locator(".licence__name a").allTextContents()).toEqual(found);
      }
      expect(await page.textContent(".empty")).toContain("“o.n”");
      await visit.expectGoodInEveryLight("library-search");
      await page.getByRole("link", { name: "Show everything" }).click();
      await page.getByRole("link", { name: "All terms of the client licence" }).click();
      expect(page.url()).toBe(`${service.url}/licences/client?version=1`);
      await visit.expectGoodInEveryLight("licence-terms");
    });
  });

  test("has no cover of a product that is not public any more, and no link to its page", async () => {
    const heir = await signInAs(service, "heir@example.com");
    const row = { slug: "old-icons", name: "Old icons", price_regular_cents: 900 };
    const put = (status: string) =>
      service.core.catalogAdmin.ImportProducts({
        rows: [{ line: 1, json: JSON.stringify({ ...row, status }) }],
      });
    await put("published");
    await grant(heir, "old-icons");
    const shown = (await heir.call("/library")).text;
    expect(shown).toContain('src="/covers/old-icons.svg"');
    expect(shown).toContain('href="/products/old-icons"');
    await put("draft");
    const withdrawn = (await heir.call("/library")).text;
    expect(withdrawn).toContain("It is not sold any more; your licence stays.");
    const membership = (await heir.call("/account/membership")).text;
    for (const page of [withdrawn, membership]) {
      expect(page).toContain("Old icons");
      expect(page).not.toMatch(/\/(?:covers|products)\/old-icons/);
    }
  });

  test("gives advice when empty, and shows an empty download log", async () => {
    const beginner = await signInAs(service, "beginner@example.com");
    await browser.visit("/library", { cookies: cookiesOf(beginner) }, async (visit) => {
      expect(await visit.page.textContent(".empty")).toContain("Everything you buy");
      await visit.expectGoodInEveryLight("library-empty");
      await visit.page.getByRole("link", { name: "Downloads" }).click();
      expect(await visit.page.textContent(".empty")).toContain("No downloads yet");
      await visit.page.locator(".account-menu summary").click();
      expect(await visit.page.getByRole("link", { name: "Library", exact: true }).getAttribute("href")).toBe(
        "/library",
      );
    });
  });

  test("has a ZIP for a product of the demonstration catalog", async () => {
    const product = await service.app.mongo.db
      .collection<{ slug: string }>("products")
      .findOne({ status: "published", plus_only: false, download_key: { $type: "string" } });
    const slug = product?.slug ?? "";
    await grant(newcomer, slug);
    const { licences } = await service.core.library.ListLibrary({}, callOf(newcomer));
    const [file] = licences.find(({ product_slug }) => product_slug === slug)?.files ?? [];
    const zip = await bodyOf(await download(`/library/files/${file?.file_id}`, newcomer));
    expect(zip.length).toBe(file?.bytes);
    expect(zip.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
  });
});

describe("licence terms", () => {
  test("are on the product's page, and complete on public pages", async () => {
    const page = await (await download("/products/own-icons")).text();
    expect(page).toContain("For your own projects, private and commercial");
    expect(page).toContain('href="/licences/standard"');
    for (const kind of ["standard", "client"]) {
      const terms = await download(`/licences/${kind}`);
      expect([terms.status, (await terms.text()).includes("Version 1.")]).toEqual([200, true]);
    }
    expect((await download("/licences/standard?version=99")).status).toBe(404);
    expect((await download("/licences/other")).status).toBe(404);
  });
});
