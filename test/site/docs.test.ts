// The docs: every page by its URL, search results, and the pages in a browser.
import { brotliCompressSync } from "node:zlib";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { ERROR_TABLE } from "../../proto/codes.ts";
import { serveGateway } from "../gateway/serve-gateway.ts";
import { sharedByTests } from "../support/shared.ts";
import { NARROW, openBrowser } from "./support/browser.ts";

const MOST_BYTES = 60_000;
/** Whether axe checks every page in every colour scheme. */
const isEvery = inject("isThorough");
const PAGE = { accept: "text/html" };

/** The body of each docs page, by path. */
const pages = new Map<string, string>();

const gateway = sharedByTests(() =>
  serveGateway({}, ({ answer }) => {
    answer("models.ListPlans", () => ({ plans: [] }));
    answer("models.ShowModels", () => ({ models: [] }));
    answer("orders.ListPacks", () => ({ packs: [] }));
    answer("orders.DescribeShop", () => ({ payments: "" }));
  }),
);
const browser = sharedByTests(() => openBrowser(gateway.url));
beforeAll(async () => {
  const wanted = ["/docs"];
  for (const path of wanted) {
    const { html, status } = await get(path);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
    pages.set(path, html);
    for (const target of linksOf(html))
      if (/^\/docs(\/|$)/.test(target) && !/^\/docs\/(search|api$)/.test(target) && !wanted.includes(target))
        wanted.push(target);
  }
});

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, { headers: { ...PAGE, ...headers }, redirect: "manual" });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const mainOf = (html: string) => html.slice(html.indexOf("<main"), html.indexOf("</main>"));
/** Paths without fragments that a page's main part links. */
const linksOf = (html: string) =>
  hrefsOf(html)
    .map((href) => href.split("#")[0] ?? "")
    .filter((path) => path.startsWith("/"));
const hrefsOf = (html: string) => [...mainOf(html).matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => href);
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);

describe("the docs pages", () => {
  test("have only valid links, down to the heading", async () => {
    expect(pages.size).toBeGreaterThan(25);
    const elsewhere = new Set<string>();
    for (const [path, html] of pages) {
      const ids = idsOf(html);
      expect(new Set(ids).size, `${path} has an id twice`).toBe(ids.length);
      for (const href of hrefsOf(html)) {
        if (href.startsWith("https:")) continue;
        const [target = "", anchor] = href.split("#");
        const page = target === "" ? html : pages.get(target);
        if (page === undefined) elsewhere.add(target);
        else if (anchor !== undefined) expect(idsOf(page), `${path} leads to ${href}`).toContain(anchor);
      }
    }
    for (const path of elsewhere) expect([200, 302, 303], path).toContain((await get(path)).status);
  });

  test("have a title, a summary, the next page and the current place", () => {
    for (const [path, html] of pages) {
      expect(html.match(/<h1>/g), path).toHaveLength(1);
      expect(html, path).toMatch(/<p class="lead">[^<]{10,}/);
      expect(html, path).not.toMatch(/undefined|\[object|```|atelier\.example/);
      // A template broken into lines loses the space at the break.
      const page = mainOf(html).replaceAll(/<pre[\s\S]*?<\/pre>/g, "");
      expect(page, path).not.toMatch(/[a-z,.:;]<(a|code|strong)\b|<\/(a|code|strong)>\w/);
      if (path !== "/docs") expect(html).toContain(`<a href="${path}" aria-current="page">`);
    }
    expect(pages.get("/docs/webhooks")).toContain('<a class="docs__prev" href="/docs/workflows" rel="prev">');
  });

  test("load nothing from elsewhere, and are small", async () => {
    const loaded = new Map<string, number>();
    for (const [path, html] of pages) {
      expect(html).not.toMatch(/<script(?![^>]* src="\/assets\/)| style=|<style|<iframe/);
      const files = [...html.matchAll(/ (?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file = ""]) => file);
      for (const file of files)
        if (!loaded.has(file)) loaded.set(file, brotliCompressSync((await get(file)).html).length);
      const bytes =
        brotliCompressSync(html).length +
        [...new Set(files)].reduce((sum, file) => sum + (loaded.get(file) ?? 0), 0);
      expect(bytes, path).toBeLessThan(MOST_BYTES);
    }
  });

  test("are cached for visitors, with a CSP that allows only the site's own files", async () => {
    const { headers } = await get("/docs/errors");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(headers.get("vary")).toBe("accept-encoding, cookie");
    expect(headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    const again = await get("/docs/errors", { "if-none-match": headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
  });

  test("are 404 when unknown", async () => {
    for (const path of ["/docs/nothing", "/docs/api/nothing", "/docs/contents.json"])
      expect((await get(path)).status, path).toBe(404);
  });
});

describe("generated docs", () => {
  test("have a row for each error code, and its old URL leads there", () => {
    const errors = pages.get("/docs/errors") ?? "";
    for (const [code, { http }] of Object.entries(ERROR_TABLE)) {
      const row = errors.slice(errors.indexOf(` id="${code}"`)).split("</dd>")[0] ?? "";
      expect(row, code).toContain(`>${http}<`);
      expect(pages.get("/docs")).toContain(`<a id="${code}" href="/docs/errors#${code}">`);
    }
  });

  test("have every operation with its parameters, and every schema", async () => {
    const document = JSON.parse((await get("/openapi.json")).html) as {
      paths: Record<
        string,
        Record<string, { operationId: string; tags: string[]; parameters?: { name: string }[] }>
      >;
      components: { schemas: object };
    };
    for (const [path, item] of Object.entries(document.paths))
      for (const { operationId, tags, parameters = [] } of Object.values(item)) {
        const page = pages.get(`/docs/api/${tags[0]?.toLowerCase()}`) ?? "";
        const section =
          page.slice(page.indexOf(`id="operation-${operationId}"`)).split("</section>")[0] ?? "";
        expect(section, operationId).toContain(`<code>${path}</code>`);
        for (const { name } of parameters) expect(section, operationId).toContain(`<code>${name}</code>`);
      }
    const ids = idsOf(pages.get("/docs/api/schemas") ?? "");
    for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(name);
  });

  test("use this installation's URLs in samples", () => {
    expect(pages.get("/docs/quickstart")).toContain("API=https://generate.example.com");
  });
});

test("a page opens with the tab that was chosen before", async () => {
  const open = (html: string) => /value="(\w+)" checked/.exec(html)?.[1];
  expect(open(pages.get("/docs/jobs") ?? "")).toBe("bash");
  expect(open((await get("/docs/jobs", { cookie: "a=b; docs_language=python" })).html)).toBe("python");
  expect(open((await get("/docs/jobs", { cookie: "docs_language=cobol" })).html)).toBe("bash");
});

describe("search in the docs", () => {
  const find = async (words: string) => {
    const { html } = await get(`/docs/search?q=${encodeURIComponent(words)}`);
    return [
      ...(html.split("docs-search__found")[1]?.split("</ol>")[0] ?? "").matchAll(/<li><a href="([^"]+)">/g),
    ].map(([, path]) => path);
  };

  test.each([
    ["verify signature", "/docs/webhooks#verify-the-signature"],
    ["idempotency key", "/docs/idempotency"],
    ["queue_full", "/docs/errors#queue_full"],
    ["cancel job", "/docs/api/jobs#operation-cancelJob"],
    ["replicate", "/docs/migrate-replicate"],
    ["pagination", "/docs/paging"],
    ["verify callback", "/docs/webhooks#verify-the-signature"],
    ["sse streaming", "/docs/jobs#watch-it-work"],
  ])("finds “%s” among the first results", async (words, path) => {
    expect((await find(words)).slice(0, 3)).toContain(path);
  });

  test.each([
    ["api key", "/docs/authentication"],
    ["how do I get an API key", "/docs/authentication"],
    ["pagination", "/docs/paging"],
    ["webhook", "/docs/webhooks"],
    ["refund", "/docs/credits#what-happens-to-the-credits-of-a-job"],
    ["idempotency", "/docs/idempotency"],
    ["rate limit", "/docs/limits"],
    ["price", "/docs/credits#what-a-credit-costs"],
    ["credits", "/docs/credits"],
    ["errors", "/docs/errors"],
  ])("finds for “%s” first what a reader wants first", async (words, path) => {
    expect((await find(words))[0]).toBe(path);
  });

  test("reports an empty result, and escapes the query", async () => {
    const { html } = await get(`/docs/search?q=${encodeURIComponent("<b>zebra")}`);
    expect(html).toContain("Nothing about “&lt;b>zebra”");
    expect(html).not.toContain("<b>");
    expect(await find("")).toEqual([]);
    // Names on Object.prototype.
    for (const word of ["constructor", "__proto__"])
      expect((await get(`/docs/search?q=${word}`)).status, word).toBe(200);
  });

  test("highlights the words", async () => {
    const { html } = await get("/docs/search?q=whsec");
    expect(html).toContain("<mark>whsec_</mark>");
  });
});

describe("the docs in a browser", () => {
  test("are accessible and fit any screen: one page of each kind, or all with `--mode thorough`", async () => {
    const some = ["/docs/webhooks", "/docs/api/callbacks"];
    await browser.visit("/docs/search?q=wait", { width: NARROW, scheme: "dark" }, async (visit) => {
      const { page, expectAccessible, expectGoodInEveryLight, screenshot } = visit;
      await expectAccessible();
      for (const path of isEvery ? pages.keys() : some) {
        await page.goto(path);
        const name = path.slice(1).replaceAll("/", "-");
        if (isEvery) await expectGoodInEveryLight(name);
        else {
          await expectAccessible();
          await screenshot(`${name}-narrow-dark`);
        }
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(NARROW);
      }
    });
  }, 600_000);

  test("switch all samples to the chosen language, also on the next page", async () => {
    await browser.visit("/docs/jobs", {}, async ({ page }) => {
      await page.getByRole("radio", { name: "Python" }).nth(1).check();
      expect(await page.locator(".code__panel[data-language=python]:visible").count()).toBeGreaterThan(2);
      expect(await page.locator(".code__panel[data-language=bash]:visible").count()).toBe(0);
      await page.getByRole("link", { name: "Next" }).click();
      expect(await page.getByRole("radio", { name: "Python", checked: true }).count()).toBeGreaterThan(0);
    });
  });

  test("have tabs that work by keyboard and without scripts", async () => {
    await browser.visit("/docs/models", { scripts: false }, async ({ page }) => {
      const samples = page.locator(".code--tabs").nth(1);
      await samples.getByRole("radio", { name: "curl" }).focus();
      await page.keyboard.press("ArrowRight");
      expect(await samples.locator("pre:visible").textContent()).toContain("await call(");
    });
  });
});
