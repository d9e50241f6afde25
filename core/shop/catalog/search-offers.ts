// What can be bought among the products that match: the index knows words and shelves, and each product found is asked whether it is for sale
// and at which price.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { MAX_PAGE_SIZE, searchWords } from "../../../proto/resources/product.ts";
import type { FindOffersReplyInput } from "../../../proto/types/atelier/v1/FindOffersReply.ts";
import type { FindOffersRequest } from "../../../proto/types/atelier/v1/FindOffersRequest.ts";
import type { ProductOfferInput } from "../../../proto/types/atelier/v1/ProductOffer.ts";
import type { SearchOffersReplyInput } from "../../../proto/types/atelier/v1/SearchOffersReply.ts";
import type { SearchOffersRequest } from "../../../proto/types/atelier/v1/SearchOffersRequest.ts";
import type { Catalog } from "./catalog.ts";
import type { PageQuery } from "./index/catalog-index.ts";
import { isPricedWithin, offerOf } from "./offers.ts";
import { toWords } from "./query.ts";
import { renderFound } from "./render-slots.ts";
import type { View } from "./view.ts";

const MAX_CATEGORIES = 50;
const MAX_FOUND = 100;
/** Products of one look at the index. */
const WINDOW = 50;
/** After so many products an answer is given, however few of them fit: who asks goes on with the next one. */
const MAX_LOOKED_AT = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const cents = z.number().int().min(0);
const searchSchema = z.object({
  search: searchWords,
  categories: z.array(z.string()).max(MAX_CATEGORIES),
  min_cents: cents.nullish(),
  max_cents: cents.nullish(),
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(MAX_PAGE_SIZE),
});
const findSchema = z.object({ products: z.array(z.string()).max(MAX_FOUND) });

/** Throws invalid_request and catalog_unavailable. */
export async function searchOffers(
  catalog: Catalog,
  request: SearchOffersRequest,
): Promise<SearchOffersReplyInput> {
  const { search, categories, min_cents, max_cents, offset, limit } = parseRequest(searchSchema, request);
  const [minCents, maxCents] = [min_cents ?? 0, max_cents ?? Number.POSITIVE_INFINITY];
  const words = toWords(search);
  const offers: ProductOfferInput[] = [];
  let at = offset;
  let total = Number.POSITIVE_INFINITY;
  while (offers.length < limit && at < Math.min(total, offset + MAX_LOOKED_AT)) {
    const found = await lookAt(catalog, (view) => {
      const page = view.index.search({ ...queryOf(view, words, categories), offset: at });
      return { slots: page.slots, total: page.total };
    });
    total = found.total;
    // All of them were taken away meanwhile.
    if (found.offers.length === 0) return { offers, next_offset: 0 };
    for (const offer of found.offers) {
      if (offers.length === limit) break;
      at += 1;
      if (offer && isPricedWithin(offer, minCents, maxCents)) offers.push(offer);
    }
  }
  return { offers, next_offset: at < total ? at : 0 };
}

/** What is not public, not for everybody or not for sale is left out. Throws invalid_request and catalog_unavailable. */
export async function findOffers(
  catalog: Catalog,
  request: FindOffersRequest,
): Promise<FindOffersReplyInput> {
  const { products } = parseRequest(findSchema, request);
  const { offers } = await lookAt(catalog, ({ index }) => {
    const slots = products.map((name) => (UUID.test(name) ? index.findId(name) : index.findSlug(name)));
    return { slots: [...new Set(slots)].filter((slot) => slot >= 0), total: 0 };
  });
  return { offers: offers.filter((offer) => offer !== undefined) };
}

/** The products that `ask` finds, in their order, as offers; undefined in the place of one that is not for sale. */
async function lookAt(
  catalog: Catalog,
  ask: (view: View) => { slots: readonly number[]; total: number },
): Promise<{ offers: (ProductOfferInput | undefined)[]; total: number }> {
  const { takesPayments, app } = catalog;
  const { answer, products } = await renderFound(catalog, (view) => {
    const { slots, total } = ask(view);
    return { slots, answer: { total, names: view.names, nowMs: app.clock.now().getTime() } };
  });
  const context = { ...answer, takesPayments };
  return { offers: products.map((product) => offerOf(product, context)), total: answer.total };
}

/** Those that may be for sale, the most popular first; of a shelf without words the featured ones. */
function queryOf({ names }: View, words: readonly string[] | null, categories: readonly string[]): PageQuery {
  return {
    words,
    category: null,
    subcategory: null,
    shelves: categories.map((slug) => ({
      field: names.categories.get(slug)?.parent ? "subcategory" : "category",
      slug,
    })),
    pricingTier: null,
    tags: [],
    statuses: ["published", "featured", "beta"],
    sort: words?.length === 0 ? "featured" : "popular",
    offset: 0,
    limit: WINDOW,
    facets: [],
  };
}
