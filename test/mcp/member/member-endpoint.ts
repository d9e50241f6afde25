// The member endpoint on a free port in front of a fake core with members, licences and two products.
import { AppError } from "../../../proto/codes.ts";
import type { CatalogProductResource } from "../../../proto/resources/product.ts";
import type { Licence } from "../../../proto/types/atelier/v1/Licence.ts";
import type { Membership } from "../../../proto/types/atelier/v1/Membership.ts";
import type { Answers } from "../../support/fake-core.ts";
import { AT } from "../core-in-memory.ts";
import { callerOf, type Post, send, startEndpoint, type TestEndpoint } from "../endpoint-server.ts";

const MEMBERSHIP: Membership = {
  account_id: "acc_1",
  status: "active",
  tier: "plus",
  tier_name: "Plus",
  started_at: AT,
  current_period_end: "2027-01-02T03:04:05.000Z",
  eligible: true,
  plus_products: true,
  plan: "pro",
  plan_name: "Pro",
  plan_includes_api: true,
  concurrency: 5,
  monthly_credits: 5000,
};

export const PRODUCT: CatalogProductResource = {
  id: "5f0c1c1e-7a86-4a53-9d5c-2b6f6a1f0e11",
  name: "Harbour Icons",
  slug: "harbour-icons",
  status: "featured",
  tagline: "640 line icons",
  description: "Icons on a 24 pixel grid.",
  price_regular: 49,
  client_price_usd: 149,
  effective_price: 39.5,
  pricing_tier: "standard",
  plus_only: false,
  demo_url: "https://example.com/demos/harbour-icons",
  cover_image_url: null,
  category: "icons",
  subcategory: "line-icons",
  tags: ["dashboard", "svg"],
  rating_average: 4.7,
  rating_count: 212,
  published_at: AT,
  updated_at: AT,
  url: "http://atelier.test/products/harbour-icons",
};

export const LICENCE: Licence = {
  licence_id: "lic_1",
  account_id: "acc_1",
  // For another product than the member's.
  product_id: "5f0c1c1e-7a86-4a53-9d5c-2b6f6a1f0e22",
  product_slug: PRODUCT.slug,
  product_name: PRODUCT.name,
  kind: "standard",
  source: "purchase",
  status: "active",
  granted_at: AT,
};

export type MemberEndpoint = TestEndpoint & {
  /** Each endpoint of the server, with its own kind of key. */
  posts: Record<"catalog" | "generation" | "member", Post>;
  /** By slug; a test adds and changes them. */
  products: Map<string, CatalogProductResource>;
  membership: Membership;
  licences: Licence[];
  /** By licence: what comes off its price in cents, or why it cannot be ordered. */
  quoted: Record<string, { off?: number; refusal?: string; why?: string }>;
};

export async function startMemberEndpoint(...how: Parameters<typeof startEndpoint>): Promise<MemberEndpoint> {
  const endpoint = await startEndpoint(...how);
  const { core, origin } = endpoint;
  const products = new Map([[PRODUCT.slug, PRODUCT]]);
  const membership = { ...MEMBERSHIP };
  const licences = [LICENCE];
  const quoted: MemberEndpoint["quoted"] = {};

  const answers: Answers = {
    "memberships.Authenticate": async (_request, options) => {
      core.checkKey(options);
      const { account_id, tier, plan, plan_includes_api } = membership;
      return { account_id, key_id: "key_1", tier, plan, plan_includes_api };
    },
    "memberships.GetMembership": async () => membership,
    "memberships.ListLicences": async ({ product_id: only }) => ({
      licences: licences.filter(({ product_id }) => !only || product_id === only),
      next_cursor: "",
      withdrawn_product_ids: [],
    }),
    "catalog.ListProducts": async ({ page, facets }) => {
      const total = products.size;
      const data = page === 1 ? [...products.values()] : [];
      const counted = { category: [{ value: "icons", count: total }] };
      return toBody({
        data,
        catalogProducts: data,
        count: total,
        total,
        total_pages: Math.min(total, 1),
        page,
        ...((facets as string[]).length > 0 && { facets: counted }),
        ...(total === 0 && { hint: "No product has this category." }),
      });
    },
    "catalog.GetProduct": async ({ slug }) => {
      const product = products.get(String(slug));
      if (!product) throw new AppError("product_not_found");
      return toBody({ data: product, catalogProduct: product });
    },
    "orders.QuoteProduct": async ({ product_slug }) => {
      const product = products.get(String(product_slug));
      if (!product) throw new AppError("product_not_found");
      const { effective_price: standard, client_price_usd: client } = product;
      const prices = Object.entries({ standard, client });
      return {
        quotes: prices.flatMap(([licence, usd]) => {
          if (usd === null) return [];
          const list_cents = usd * 100;
          const { refusal = "", why = "", off = 0 } = quoted[licence] ?? {};
          const cents = list_cents - off;
          const reductions = off > 0 ? [{ kind: "membership", cents: off, percent: 20 }] : [];
          return [{ licence, list_cents, cents, reductions, refusal, why }];
        }),
      };
    },
  };
  Object.assign(core.standing, answers);

  const url = `${origin}/api/member/mcp`;
  const addKey = (refusal?: AppError) => core.addKey(refusal, "mem");
  const key = addKey();
  const [generation, generationKey] = [`${origin}/api/mcp`, core.addKey()];
  const post: Post = (body, headers) => send(url, key, body, headers);
  return {
    ...endpoint,
    url,
    key,
    products,
    membership,
    licences,
    quoted,
    addKey,
    post,
    call: callerOf(post),
    posts: {
      catalog: (body, headers) => send(`${origin}/mcp`, "", body, { authorization: null, ...headers }),
      generation: (body, headers) => send(generation, generationKey, body, headers),
      member: post,
    },
  };
}

function toBody(document: object): { body: Buffer } {
  return { body: Buffer.from(JSON.stringify(document)) };
}
