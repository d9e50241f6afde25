import { describe, expect, test } from "vitest";
import { MEMBER_TOOLSET_WITH_API } from "../../../mcp/member/tools.ts";
import { newForEachTest } from "../../support/shared.ts";
import { AT } from "../core-in-memory.ts";
import { type TestEndpoint, textOf } from "../endpoint-server.ts";
import { PICTURE } from "../messages.ts";
import { LICENCE, PRODUCT, startMemberEndpoint } from "./member-endpoint.ts";

const endpoint = newForEachTest(() => startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" }));

const call: TestEndpoint["call"] = (...how) => endpoint.call(...how);

describe("the list of member tools", () => {
  test("marks every tool as read-only, except those that create jobs", () => {
    const { tools } = MEMBER_TOOLSET_WITH_API.listing;
    const writers = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writers.map(({ name }) => name)).toEqual(["connect_generate", "run_workflow"]);
  });
});

describe("get_membership", () => {
  test("returns tier, period and plan", async () => {
    const result = await call("get_membership");
    expect(result).toEqual({
      content: [
        {
          type: "text",
          text: `Membership: Plus, active, from ${AT} until 2027-01-02T03:04:05.000Z.\nProducts only for members can be bought with it.\nPlan: Pro; 5 jobs at a time; 5000 credits a month; generation through tools is included.`,
        },
      ],
      structuredContent: {
        status: "active",
        tier: "plus",
        current_period_end: "2027-01-02T03:04:05.000Z",
        plus_products: true,
        plan: "pro",
        plan_includes_api: true,
        concurrency: 5,
        monthly_credits: 5000,
      },
    });
  });
});

describe("search_catalog", () => {
  test("passes its arguments to core, and shows each product in a line", async () => {
    const result = await call("search_catalog", {
      search: "icons",
      category: "icons",
      subcategory: "line-icons",
      pricing_tier: "standard",
      tag: ["svg"],
      status: ["featured", "beta"],
      sort: "rating",
      page: 1,
      page_size: 3,
      facets: ["category"],
    });
    expect(endpoint.core.calls.at(-1)).toMatchObject({
      method: "catalog.ListProducts",
      request: {
        search: "icons",
        category: "icons",
        subcategory: "line-icons",
        pricing_tier: "standard",
        tags: ["svg"],
        statuses: ["featured", "beta"],
        sort: "rating",
        page: 1,
        page_size: 3,
        facets: ["category"],
      },
    });
    expect(textOf(result)).toBe(
      "1 product matches. Page 1 of 1:\nharbour-icons: Harbour Icons. 640 line icons. $39.50 (on sale, else $49), client licence $149; rated 4.7 of 5 by 212.\ncategory: icons (1)",
    );
    expect(result.structuredContent).toEqual({
      products: [
        {
          slug: "harbour-icons",
          name: "Harbour Icons",
          status: "featured",
          effective_price: 39.5,
          plus_only: false,
          url: "http://atelier.test/products/harbour-icons",
        },
      ],
      total: 1,
      total_pages: 1,
      page: 1,
      facets: { category: [{ value: "icons", count: 1 }] },
    });
  });

  test("without arguments shows the featured products", async () => {
    await call("search_catalog");
    expect(endpoint.core.calls.at(-1)?.request).toMatchObject({
      search: "",
      sort: "featured",
      page: 1,
      page_size: 8,
    });
  });

  test("gives advice when it finds nothing, and names the last page past the end", async () => {
    expect(textOf(await call("search_catalog", { page: 9 }))).toMatch(
      /^Page 9 is past the end: 1 page has all 1\./,
    );
    endpoint.products.clear();
    const result = await call("search_catalog", { category: "boats" });
    expect(textOf(result)).toBe("No product matches.\nNo product has this category.");
    expect(result.structuredContent).toMatchObject({
      products: [],
      total: 0,
      hint: "No product has this category.",
    });
  });
});

describe("get_product", () => {
  test("returns what helps to decide about one product", async () => {
    const result = await call("get_product", { slug: "harbour-icons" });
    expect(result.structuredContent).toEqual({
      slug: "harbour-icons",
      name: "Harbour Icons",
      status: "featured",
      tagline: "640 line icons",
      description: "Icons on a 24 pixel grid.",
      price_regular: 49,
      client_price_usd: 149,
      effective_price: 39.5,
      plus_only: false,
      category: "icons",
      tags: ["dashboard", "svg"],
      url: "http://atelier.test/products/harbour-icons",
    });
    expect(textOf(result)).toBe(
      [
        "harbour-icons: Harbour Icons. 640 line icons. $39.50 (on sale, else $49), client licence $149; rated 4.7 of 5 by 212.",
        "Icons on a 24 pixel grid.",
        "Category: icons / line-icons.",
        "Tags: dashboard, svg.",
        "Demo: https://example.com/demos/harbour-icons",
        "Page: http://atelier.test/products/harbour-icons",
      ].join("\n"),
    );
  });

  test("of an unknown product names the search tool", async () => {
    const result = await call("get_product", { slug: "no-such" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^No public product has this slug\.\nWhat to do: Call search_catalog and use a slug that it shows\.\nCode: product_not_found\./,
    );
  });

  test("of a product with few fields is still in whole sentences", async () => {
    const bare = {
      tagline: null,
      description: null,
      price_regular: null,
      effective_price: null,
      client_price_usd: null,
      demo_url: null,
      category: null,
      subcategory: null,
      tags: [],
      rating_average: null,
      rating_count: 0,
    };
    endpoint.products.set("bare", {
      ...PRODUCT,
      ...bare,
      slug: "bare",
      status: "coming_soon",
      plus_only: true,
    });
    expect(textOf(await call("get_product", { slug: "bare" }))).toBe(
      "bare: Harbour Icons. no price yet; coming soon, not for sale yet; only for members.\nPage: http://atelier.test/products/harbour-icons",
    );
  });
});

describe("get_purchase_link", () => {
  test("[MEM-03] returns the confirmation page with the price, and buys nothing", async () => {
    const result = await call("get_purchase_link", { slug: "harbour-icons" });
    const url = "http://atelier.test/products/harbour-icons#buy";
    expect(result).toEqual({
      content: [
        {
          type: "text",
          text: `Harbour Icons, standard licence: $39.50.\nOnly the user can buy it: give them this page, where they confirm.\nPage: ${url}`,
        },
        {
          type: "resource_link",
          uri: url,
          name: "harbour-icons",
          title: "Buy Harbour Icons",
          mimeType: "text/html",
        },
      ],
      structuredContent: {
        url,
        slug: "harbour-icons",
        name: "Harbour Icons",
        licence: "standard",
        price_usd: 39.5,
        purchasable: true,
      },
    });
    expect(endpoint.core.calls.map(({ method }) => method)).toEqual([
      "memberships.Authenticate",
      "catalog.GetProduct",
      "orders.QuoteProduct",
    ]);
  });

  test("names the member's own price, as the page does", async () => {
    endpoint.quoted["standard"] = { off: 790 };
    const result = await call("get_purchase_link", { slug: "harbour-icons" });
    expect(textOf(result)).toContain("standard licence: $31.60 for this member, instead of $39.50.\nOnly");
    expect(result.structuredContent).toMatchObject({ price_usd: 31.6, purchasable: true });
  });

  test("supports the client licence, and reports when there is none", async () => {
    const client = await call("get_purchase_link", { slug: "harbour-icons", licence: "client" });
    expect(client.structuredContent).toMatchObject({ licence: "client", price_usd: 149 });
    endpoint.products.set("plain", { ...PRODUCT, slug: "plain", client_price_usd: null });
    const refused = await call("get_purchase_link", { slug: "plain", licence: "client" });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain(
      "Harbour Icons has no client licence.\nlicence must be standard.\nWhat to do: Call get_purchase_link again with licence standard.",
    );
  });

  test("of a product without a price reports it", async () => {
    endpoint.products.set("other", { ...PRODUCT, effective_price: null, slug: "other" });
    const result = await call("get_purchase_link", { slug: "other" });
    expect(result.structuredContent).toMatchObject({ price_usd: null, purchasable: false });
    expect(textOf(result)).toContain("no price yet.\nIt is not for sale yet; the page will say when it is.");
  });

  test("[SHOP-05] of a product that the member cannot buy now says why", async () => {
    const why = "Harbour Icons is not for sale yet.";
    endpoint.quoted["standard"] = { refusal: "not_for_sale", why };
    const result = await call("get_purchase_link", { slug: "harbour-icons" });
    expect(result.structuredContent).toMatchObject({ price_usd: 39.5, purchasable: false });
    expect(textOf(result)).toContain(`standard licence: $39.50.\n${why}\nPage: `);
  });

  test("of a product that the member's licence covers is refused", async () => {
    endpoint.quoted["client"] = { refusal: "already_owned", why: "You already have the client licence." };
    const refused = await call("get_purchase_link", { slug: "harbour-icons", licence: "client" });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain("You already have the client licence.");
    expect(textOf(refused)).toContain("Code: already_owned");
  });

  test("of an unknown product names the search tool", async () => {
    expect(textOf(await call("get_purchase_link", { slug: "no-such" }))).toContain("Call search_catalog");
  });
});

describe("list_licences", () => {
  test("returns the member's licences", async () => {
    const revoked = {
      ...LICENCE,
      licence_id: "lic_2",
      kind: "client",
      source: "grant",
      status: "revoked",
      revoked_at: AT,
    };
    endpoint.licences.push(revoked);
    const result = await call("list_licences", { limit: 2 });
    expect(endpoint.core.calls.at(-1)).toMatchObject({
      method: "memberships.ListLicences",
      request: { limit: 2, cursor: "" },
    });
    expect(textOf(result)).toBe(
      `harbour-icons: Harbour Icons, standard licence, bought on ${AT}, active.\nharbour-icons: Harbour Icons, client licence, given by support on ${AT}, revoked on ${AT}.`,
    );
    const { product_slug, product_name, granted_at } = LICENCE;
    const both = { product_slug, product_name, granted_at };
    expect(result.structuredContent).toEqual({
      licences: [
        { ...both, kind: "standard", source: "purchase", status: "active" },
        { ...both, kind: "client", source: "grant", status: "revoked" },
      ],
      next_cursor: null,
    });
  });

  test("reports an empty list", async () => {
    endpoint.licences.length = 0;
    expect(textOf(await call("list_licences"))).toBe("No licence yet.");
  });
});

test("tools shared with the generation endpoint call core for the member, with source member", async () => {
  const made = await call("connect_generate", PICTURE);
  expect(made.structuredContent).toMatchObject({ job_id: "job_1", state: "reserved" });
  expect((await call("get_job", { job_id: "job_1" })).structuredContent).toMatchObject({ job_id: "job_1" });
  expect((await call("list_jobs")).structuredContent).toMatchObject({ jobs: [{ job_id: "job_1" }] });
  expect((await call("get_credits")).structuredContent).toMatchObject({ available: 90 });
  expect((await call("list_ledger")).structuredContent).toMatchObject({
    entries: [{ seq: 3 }, { seq: 2 }, { seq: 1 }],
  });
  expect((await call("list_models")).structuredContent).toMatchObject({
    models: [{ model_slug: "canvas-one" }],
  });
  expect(
    endpoint.core.calls.every(
      ({ options }) => options.caller?.kind === "key" && options.caller.source === "member",
    ),
  ).toBe(true);
});
