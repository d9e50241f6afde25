// The catalog's pages from the database to a real browser: with and without scripts, in light, dark and narrow, and with hostile product
// texts.
import { createHash } from "node:crypto";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseListQuery } from "../../gateway/catalog/list-query.ts";
import { askList } from "../../gateway/site/catalog/ask-catalog.ts";
import { AppError } from "../../proto/codes.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { serveGateway } from "../gateway/serve-gateway.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";
import { cookiesOf, sendForm } from "./support/forms.ts";
import { type Browser as Person, callOf, signInAs } from "./support/sign-in.ts";

const ATTACK = `"><img src=x onerror="document.title='broken in'"><script>document.title='broken in'</script>`;
const LINKED_DATA_ATTACK = "</script><script>document.title='broken in'</script><!--";
const KITS = 26;
const TOTAL = KITS + 5;
const PAGE = { accept: "text/html" };

let browser: SiteBrowser;
let url: string;

const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  ({ url } = service);
  const { findings } = await importRows(service.core, [
    row("harbour-icons", {
      name: "Harbour Icons",
      status: "featured",
      featured_rank: 1,
      category: "icons",
      subcategory: "line-icons",
      tags: ["svg", "dashboard"],
      description: "Icons on a grid of 24 pixels.",
      price_regular_cents: 4950,
      client_price_cents: 14900,
      rating_average: 4.7,
      rating_count: 212,
      demo_url: "https://example.com/demo",
      home_order: 1,
    }),
    row("café-icons", { slug: "cafe-icons", name: "Café Icons", category: "icons", tags: ["svg"] }),
    row("slab-font", { name: "Slab Font", category: "fonts", plus_only: true, home_order: 2 }),
    row("soon-font", {
      name: "Soon Font",
      status: "coming_soon",
      category: "fonts",
      price_regular_cents: null,
    }),
    row("attack", {
      name: ATTACK,
      tagline: ATTACK,
      description: LINKED_DATA_ATTACK,
      category: "attacks",
      tags: ["svg"],
    }),
    ...Array.from({ length: KITS }, (_, i) =>
      row(`kit-${i}`, { name: `Kit ${i}`, category: "kits", tags: ["ui"] }),
    ),
    row("secret-lamp", { name: "Secret Lamp", status: "draft" }),
  ]);
  if (findings.length > 0) throw new Error(JSON.stringify(findings));
  await waitFor("the products", async () => (await text("/products")).includes(`${TOTAL} products`));
  browser = await openBrowser(url);
});
afterAll(() => browser.close());

async function text(path: string): Promise<string> {
  const response = await fetch(url + path, { headers: PAGE });
  return response.text();
}

describe("[SITE-02] without scripts the catalog", () => {
  test("supports search, filters, sorting, pages and the product page", async () => {
    await browser.visit("/products", { scripts: false }, async ({ page }) => {
      const count = page.locator("#result-count");
      expect(await count.textContent()).toBe(`${TOTAL} products, page 1 of 3`);
      await page.getByRole("link", { name: "Next" }).click();
      expect(await count.textContent()).toBe(`${TOTAL} products, page 2 of 3`);
      await page.getByRole("link", { name: "icons 2 products" }).click();
      expect(await count.textContent()).toBe("2 products");
      await page.getByLabel("Search products").fill("harbor");
      await page.getByLabel("Sort by").selectOption("alphabetical");
      await page.getByRole("button", { name: "Search" }).click();
      expect(await count.textContent()).toBe("1 product");
      expect(new URL(page.url()).search).toBe("?category=icons&search=harbor&sort=alphabetical");
      await page.getByRole("link", { name: "Harbour Icons" }).click();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Harbour Icons");
    });
  });

  test("filters by the price in dollars, as sold now, and names a range that is the wrong way round", async () => {
    await browser.visit("/products?category=icons", { scripts: false }, async ({ page }) => {
      const count = page.locator("#result-count");
      const asked = async (from: string, to: string) => {
        await page.getByLabel("From", { exact: true }).fill(from);
        await page.getByLabel("To", { exact: true }).fill(to);
        await page.getByRole("button", { name: "Apply" }).click();
      };
      await asked("49.50", "");
      expect(await count.textContent()).toBe("1 product");
      expect(new URL(page.url()).search).toBe("?category=icons&price_min=49.50&price_max=");
      await asked("", "49.49");
      expect(await page.getByRole("link", { name: "Harbour Icons" }).count()).toBe(0);
      await page.getByRole("link", { name: "Up to $49.49, remove" }).click();
      expect(await count.textContent()).toBe("2 products");
    });
    expect(await text("/products?price_min=50&price_max=10")).toContain("The highest price must be at least");
  });

  test("offers to remove each filter, and gives advice for an empty result", async () => {
    await browser.visit("/products?category=fonts&tag=svg", { scripts: false }, async ({ page }) => {
      expect(await page.getByText("No products match").isVisible()).toBe(true);
      await page.getByRole("link", { name: "svg, remove" }).click();
      expect(await page.locator("#result-count").textContent()).toBe("2 products");
    });
  });
});

test("results follow typing, are announced, and have a URL to share", async () => {
  await browser.visit("/products", {}, async ({ page }) => {
    await page.getByLabel("Search products").pressSequentially("harbo");
    await page
      .getByRole("status")
      .filter({ hasText: /^1 product$/ })
      .waitFor();
    expect(page.url()).toBe(`${url}/products?search=harbo`);
    expect(await page.title()).toBe("“harbo” in Products · Atelier");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    await page.getByLabel("Search products").fill("");
    await page
      .getByRole("status")
      .filter({ hasText: `${TOTAL} products` })
      .waitFor();
    expect(page.url()).toBe(`${url}/products`);
  });
});

test("results that fail to load keep the old ones, with a retry", async () => {
  await browser.visit("/products", { expectedErrors: /ERR_FAILED/ }, async ({ page }) => {
    await page.route("**/products?*", (route) => route.abort());
    await page.getByLabel("Search products").fill("harbour");
    await page.getByText("These results could not be loaded").waitFor();
    expect(await page.locator(".product-card").count()).toBe(12);
    await page.unroute("**/products?*");
    await page.getByRole("button", { name: "Search" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: /^1 product$/ })
      .waitFor();
  });
});

test("a list without products asks for no ratings", async () => {
  const ListRatings = () => expect.fail("ratings were asked for");
  const core = { ...service.core, library: { ...service.core.library, ListRatings } };
  const { page } = await askList(core, parseListQuery({ search: "qwertz" }), { caller: { kind: "none" } });
  expect(page.data).toEqual([]);
});

test("an unavailable catalog is a page that says when to retry", async () => {
  const gateway = await serveGateway({}, ({ fail }) => {
    for (const method of ["catalog.ListProducts", "catalog.GetProduct", "catalog.ListTaxonomy"] as const)
      fail(method, () => new AppError("service_unavailable", { retryAfterSeconds: 7 }));
  });
  for (const path of ["/", "/products", "/products/harbour-icons"]) {
    const response = await fetch(gateway.url + path, { headers: PAGE });
    expect(response.status).toBe(500);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.text()).toContain("Try again in 7 seconds.");
  }
  await gateway.close();
});

describe("[SITE-03] a product's page", () => {
  test("shows the price and the availability", async () => {
    const sale = await text("/products/harbour-icons");
    expect(sale).toContain("$49.50");
    expect(sale).toContain("$149");
    expect(sale).toContain('id="buy"');
    expect(sale).toContain("Sign in to buy");
    expect(await text("/products/slab-font")).toContain("Join Plus to buy");
    const soon = await text("/products/soon-font");
    expect(soon).toContain("Not on sale yet");
    expect(soon.slice(soon.indexOf('id="buy"'), soon.indexOf("About"))).not.toContain("$");
  });

  test("lists the files once there are any", async () => {
    expect(await text("/products/harbour-icons")).not.toContain("<dt>Format</dt>");
    for (const version of ["1.9", "1.10"]) {
      const drawings = Array.from({ length: 12 }, (_, i) => [`icons/harbour-${i}.svg`, strToU8("<svg/>")]);
      const content = zipSync({ ...Object.fromEntries(drawings), "README.txt": strToU8(version) });
      const sha256 = createHash("sha256").update(content).digest("hex");
      await service.core.admin.AddProductFile(
        (async function* () {
          const headline = {
            product_slug: "harbour-icons",
            name: "icons.zip",
            version,
            bytes: content.length,
            sha256,
          };
          yield { headline };
          yield { data: content };
        })(),
      );
    }
    const page = await waitFor("the files", async () => {
      const now = await text("/products/harbour-icons");
      return now.includes("<dd>1.10</dd>") && now;
    });
    expect(page).toMatch(/<dt>Format<\/dt>\s*<dd>ZIP<\/dd>/);
    expect(page).toMatch(/<dt>Sold by<\/dt>\s*<dd>Atelier<\/dd>/);
    expect(page).toMatch(/<dt>Refunds<\/dt>\s*<dd>[^<]*14 days after paying<\/dd>/);
    const file = page.slice(page.indexOf("What’s in icons.zip"), page.indexOf("product-facts"));
    expect(file).toMatch(/Version 1\.10, \d+ (B|kB), added .*, 13 files/s);
    expect(file.match(/<li>\s*<span>icons\/harbour-\d+\.svg<\/span>\s*<span>6 B<\/span>/g)).toHaveLength(12);
    expect(file).toMatch(/Earlier versions.*Version 1\.9/s);
    await browser.visit("/products/harbour-icons", {}, async (visit) => {
      await visit.page.getByText("More files").click();
      expect(await visit.page.getByText("README.txt").isVisible()).toBe(true);
      await visit.page.getByText("Earlier versions").click();
      await visit.expectGoodInEveryLight("product-files");
    });
  });

  test("explains its licences next to the choice", async () => {
    const page = await text("/products/harbour-icons");
    expect(page).toContain("Standard licence");
    expect(page).toContain("Work that you are paid to make for someone else needs a client licence.");
    expect(page).toContain("Similar products");
  });

  test("has matching data for search engines and link previews", async () => {
    const page = await text("/products/harbour-icons");
    const address = `http://localhost:${new URL(url).port}/products/harbour-icons`;
    expect(page).toContain(`<link rel="canonical" href="${address}"`);
    expect(page).toContain('<meta property="og:title" content="Harbour Icons"');
    const picture = `http://localhost:${new URL(url).port}/social/harbour-icons.png`;
    expect(page).toContain(`<meta property="og:image" content="${picture}"`);
    // The operator's imported rating is not what the page shows reviews for.
    expect(linkedData(page)).not.toHaveProperty("aggregateRating");
    expect(page).toContain("The 4.7 of 5 stars are from 212 ratings without words");
    expect(linkedData(page)).toMatchObject({
      "@type": "Product",
      name: "Harbour Icons",
      url: address,
      offers: { price: 49.5, priceCurrency: "USD", availability: "https://schema.org/InStock" },
    });
  });

  test.each(["secret-lamp", "no-such-product"])("%s is not found, whatever it is", async (slug) => {
    const response = await fetch(`${url}/products/${slug}`, { headers: PAGE });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).not.toContain("Secret");
  });
});

function linkedData(page: string): unknown {
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json);
}

test("[SHOP-34] a signed-in user asks for a mail about a product to come, and withdraws it, without scripts", async () => {
  const path = "/products/soon-font";
  expect(await text(path)).toContain("Sign in to be notified");
  const cookies = cookiesOf(await signInAs(service, "waiting@example.com"), url);
  await browser.visit(path, { cookies, scripts: false }, async ({ page }) => {
    await page.getByRole("button", { name: "Notify me", exact: true }).click();
    await page.getByText("You will get one mail").waitFor();
    await page.getByRole("button", { name: "Do not notify me" }).click();
    await page.getByRole("button", { name: "Notify me", exact: true }).waitFor();
  });
});

describe("[SHOP-33] reviews on a product's page", () => {
  const PATH = "/products/cafe-icons";
  const RIGHT_TO_LEFT = "שלום";

  async function ownerOf(slug: string, email: string): Promise<Person & { licenceId: string }> {
    const person = await signInAs(service, email);
    const wanted = { account: person.accountId, product_slug: slug, kind: "standard", source: "grant" };
    const { licence_id: licenceId } = await service.core.admin.GrantLicence(wanted);
    return { ...person, licenceId };
  }

  test("are written, changed and removed by an owner without scripts, and read by everyone as text", async () => {
    const owner = await ownerOf("cafe-icons", "review@example.com");
    const cookies = cookiesOf(owner, url);
    const refusing = { cookies, scripts: false, expectedErrors: /status of 400/ };
    await browser.visit(PATH, refusing, async ({ page }) => {
      const form = page.locator("#reviews form").filter({ has: page.getByLabel("Stars") });
      await page.getByLabel("What others should know").fill(ATTACK);
      await page.getByLabel("Your name").fill(RIGHT_TO_LEFT);
      await form.getByRole("button").click();
      await page.getByText("This must be 1 to 5 stars.").waitFor();
      await page.getByLabel("Stars").selectOption("4");
      await form.getByRole("button").click();
      await page.waitForURL(`**${PATH}#reviews`);
      const review = page.locator(".reviews li");
      expect(await review.textContent()).toContain("Verified owner");
      expect(await review.locator("bdi").textContent()).toBe(RIGHT_TO_LEFT);
      expect(await review.locator("[dir=auto]").textContent()).toBe(ATTACK);
    });
    const page = await waitFor("the review", async () => {
      const now = await text(PATH);
      return now.includes(RIGHT_TO_LEFT) && now;
    });
    expect(page).not.toContain("review@example.com");
    expect(linkedData(page)).toMatchObject({ aggregateRating: { ratingValue: 4, reviewCount: 1 } });
    await browser.visit(PATH, { cookies }, async (visit) => {
      expect(await visit.page.locator("main img[src='x'], main script").count()).toBe(0);
      await visit.expectGoodInEveryLight("product-reviews");
      await visit.page.getByRole("button", { name: "Remove your review" }).click();
      await visit.page.getByText("No reviews yet").waitFor();
    });
  });

  test("rate the product alike on cards and its page, in place of the catalog's rating", async () => {
    const [one, two] = [
      await ownerOf("harbour-icons", "one@example.com"),
      await ownerOf("harbour-icons", "two@example.com"),
    ];
    const review = { product_slug: "harbour-icons", text: "", name: "" };
    await service.core.library.PutReview({ ...review, stars: 2 }, callOf(one));
    await service.core.library.PutReview({ ...review, stars: 3 }, callOf(two));
    const onBoth = async () => {
      const found = ["/products/harbour-icons", "/products?search=harbour"].map(async (path) => {
        const { text: page } = await one.call(path, { headers: PAGE });
        const [, stars, count] = /class="rating"[^]*?<\/svg>([\d.]+)[^]*?\((\d+)/.exec(page) ?? [];
        return `${stars} of ${count}`;
      });
      return Promise.all(found);
    };
    expect(await onBoth()).toEqual(["2.5 of 2", "2.5 of 2"]);
    await service.core.admin.RevokeLicence({ licence_id: one.licenceId });
    expect(await onBoth()).toEqual(["3.0 of 1", "3.0 of 1"]);
    await service.core.admin.RevokeLicence({ licence_id: two.licenceId });
    expect(await onBoth()).toEqual(["4.7 of 212", "4.7 of 212"]);
  });

  test("are no form for someone without a licence, whose review is refused", async () => {
    const stranger = await signInAs(service, "no-owner@example.com");
    const { text: page } = await stranger.call(PATH, { headers: PAGE });
    expect(page).not.toContain('name="stars"');
    const refused = await sendForm(stranger, `${PATH}/review`, { stars: "5", text: "Mine." });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Only owners can review Café Icons");
    expect(refused.text).not.toContain('name="stars"');
  });

  test("give a page another ETag when they change, while the catalog stays as it is", async () => {
    const owner = await ownerOf("harbour-icons", "etag@example.com");
    const review = { product_slug: "harbour-icons", stars: 5, text: "Good.", name: "" };
    await service.core.library.PutReview(review, callOf(owner));
    const ask = async (at: string, etag = "") => {
      const headers = { ...PAGE, ...(etag && { "if-none-match": etag }) };
      const response = await fetch(`${at}/products/harbour-icons`, { headers });
      return {
        status: response.status,
        etag: response.headers.get("etag") ?? "",
        page: await response.text(),
      };
    };
    // Each gateway has a cache of its own.
    const [first, second] = [await service.openEdge({}), await service.openEdge({})];
    const before = await waitFor("the review", async () => {
      const now = await ask(first.url);
      return now.page.includes("Verified owner") && now;
    });
    await service.core.admin.RevokeLicence({ licence_id: owner.licenceId });
    const after = await ask(second.url, before.etag);
    expect(after.status).toBe(200);
    expect(after.page).not.toContain("Verified owner");
    await waitFor("an unchanged page", async () => (await ask(second.url, after.etag)).status === 304);
  });
});

test("cards show ratings where there are any, and Featured only where it is informative", async () => {
  const list = await text("/products?category=icons");
  expect(list).toContain('4.7<span class="aside-from-sight"> of 5</span>');
  expect(list.match(/class="rating"/g)).toHaveLength(1);
  const cards = (page: string) => page.slice(page.indexOf('class="product-grid'));
  // One of twelve is; of those two one is.
  expect(cards(await text("/products"))).toContain(">Featured</span>");
  expect(cards(list)).not.toContain(">Featured</span>");
});

describe("[SITE-04] text that looks like markup", () => {
  test("of a product is escaped, in the list, on its page and in its linked data", async () => {
    await browser.visit("/products/attack", {}, async ({ page }) => {
      expect(await page.title()).toBe(`${ATTACK} · Atelier`);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(ATTACK);
      expect(await page.locator("main img[src='x'], main script").count()).toBe(0);
    });
    await browser.visit("/products?category=attacks", {}, async ({ page }) => {
      expect(await page.getByRole("link", { name: ATTACK }).count()).toBe(1);
      expect(await page.locator("img[src='x']").count()).toBe(0);
    });
    expect(linkedData(await text("/products/attack"))).toMatchObject({ name: ATTACK, description: ATTACK });
  });

  test("of a search is escaped, when submitted and when typed", async () => {
    const path = `/products?search=${encodeURIComponent(ATTACK)}&category=${encodeURIComponent(ATTACK)}&tag=${encodeURIComponent(ATTACK)}`;
    await browser.visit(path, {}, async ({ page }) => {
      expect(await page.inputValue("#search")).toBe(ATTACK.toLowerCase());
      expect(await page.locator("img[src='x']").count()).toBe(0);
      expect(await page.title()).not.toBe("broken in");
    });
    await browser.visit("/products", {}, async ({ page }) => {
      await page.getByLabel("Search products").fill(ATTACK);
      await page
        .getByRole("status")
        .filter({ hasText: /^1 product$/ })
        .waitFor();
      expect(await page.locator("img[src='x']").count()).toBe(0);
    });
  });
});

describe("[SITE-05] caching of catalog pages", () => {
  test("lasts as long as the API's, with 304 for unchanged ones", async () => {
    const first = await fetch(`${url}/products?category=icons&sort=newest`, { headers: PAGE });
    expect(first.headers.get("cache-control")).toBe("public, max-age=30, stale-while-revalidate=300");
    expect(first.headers.get("vary")).toBe("accept-encoding, cookie");
    const etag = first.headers.get("etag") ?? "";
    const again = await fetch(`${url}/products?sort=newest&category=icons&page=1`, {
      headers: { ...PAGE, "if-none-match": etag },
    });
    expect(again.status).toBe(304);
    const api = await fetch(`${url}/api/catalog?category=icons`);
    expect(api.headers.get("etag")).not.toBe(etag);
  });

  test("keeps the page's CSP in both of two responses", async () => {
    for (let i = 0; i < 3; i++) {
      const response = await fetch(`${url}/products?tag=ui`, { headers: PAGE });
      expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("excludes pages of a signed-in person", async () => {
    const { cookie } = await signInAs(service, "ada@example.com");
    const mine = await fetch(`${url}/products?tag=ui`, { headers: { ...PAGE, cookie } });
    expect(mine.headers.get("cache-control")).toBe("private, no-store");
    expect(await mine.text()).toContain("ada@example.com");
    expect(await text("/products?tag=ui")).not.toContain("ada@example.com");
  });
});

test("a wrong query is a page that explains the error", async () => {
  const response = await fetch(`${url}/products?page=0&sort=cheapest`, { headers: PAGE });
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain("<li>The page number must be");
  expect(page).toContain("<li>The order must be");
  // The support number is random and may contain any digits.
  expect(page.replaceAll(/req_\w+/g, "")).not.toMatch(/issues|\/api\/|400/);
});
