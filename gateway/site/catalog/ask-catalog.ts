// What the pages about the catalog ask of core: the same operations as the API, put together for one page.
import type { CallOptions, CoreClient } from "../../../proto/client.ts";
import { fromMessages } from "../../../proto/codec.ts";
import { AppError, type ErrorCode } from "../../../proto/codes.ts";
import { type LibraryLicenceResource, libraryLicenceSchema } from "../../../proto/resources/library.ts";
import {
  type CatalogFacet,
  type CatalogPageResource,
  type CatalogProductResource,
  fromCatalogDetail,
  fromCatalogPage,
} from "../../../proto/resources/product.ts";
import type { FileFacts } from "../../../proto/types/atelier/v1/FileFacts.ts";
import type { LicenceQuote } from "../../../proto/types/atelier/v1/LicenceQuote.ts";
import type { ListProductsReply } from "../../../proto/types/atelier/v1/ListProductsReply.ts";
import type { ListReviewsReply } from "../../../proto/types/atelier/v1/ListReviewsReply.ts";
import type { ListTaxonomyReply } from "../../../proto/types/atelier/v1/ListTaxonomyReply.ts";
import type { Rating } from "../../../proto/types/atelier/v1/Rating.ts";
import { toExpiry } from "../../catalog/kept-answers.ts";
import { type ListQuery, parseListQuery, toListRequest } from "../../catalog/list-query.ts";
import { label } from "../design/format.ts";

const RELATED = 4;
/** One large, and eight that fill its rows. */
const SHOWCASE = 9;
/** A page does not wait longer for what it can do without. */
const ASIDE = { deadlineMs: 500 };
const WITHOUT_MS = 2_000;
/** Purchases, refunds and authors change reviews without a new revision of the catalog. */
const REVIEWS_MS = 10_000;
/** Browsers may show a list for as long anyway. */
const CARDS_MS = 360_000;
const NO_REVIEWS: ListReviewsReply = { count: 0, average: 0, newest: [], own: null };
const AWAY: ReadonlySet<ErrorCode> = new Set(["service_unavailable", "deadline_exceeded"]);

/** For how long an answer holds. */
export type Validity = { revision: string; expiresAtMs: number };

/** Names of categories and tags by slug. */
export type Names = { category(slug: string): string; tag(slug: string): string };

export type FacetValue = { value: string; label: string; count: number };
export type Facets = Record<Exclude<CatalogFacet, "pricing_tier">, readonly FacetValue[]>;

export type ListView = Validity & {
  query: ListQuery;
  page: CatalogPageResource;
  facets: Facets;
  names: Names;
};

/**
 * A page of the list with what it can be narrowed by. Category and status take one value each here, so their counts are those of the same
 * list without them: what choosing another value would show.
 */
export async function askList(core: CoreClient, query: ListQuery, call: CallOptions): Promise<ListView> {
  const list = (change: Partial<ListQuery>) =>
    core.catalog.ListProducts(toListRequest({ ...query, ...change }), call);
  const countsOnly = { page: 1, pageSize: 1 };
  const [shown, byCategory, byStatus, taxonomy] = await Promise.all([
    list({ facets: ["tag"] }),
    list({ ...countsOnly, category: "", subcategory: "", facets: ["category"] }),
    list({ ...countsOnly, statuses: [], facets: ["status"] }),
    core.catalog.ListTaxonomy({}, call),
  ]);
  const names = namesOf(taxonomy);
  const facet = (reply: ListProductsReply, name: CatalogFacet, toLabel: (value: string) => string) =>
    (fromCatalogPage(reply).facets?.[name] ?? []).map(({ value, count }) => ({
      value,
      count,
      label: toLabel(value),
    }));
  const page = fromCatalogPage(shown);
  const { products, untilMs } = await withRatings(core, page.data, call);
  return {
    query,
    page: { ...page, data: products },
    names,
    facets: {
      category: facet(byCategory, "category", names.category),
      tag: facet(shown, "tag", names.tag),
      status: facet(byStatus, "status", statusLabel),
    },
    ...validUntil(validityOf([shown, byCategory, byStatus, { ...taxonomy, expires_at: "" }]), untilMs),
  };
}

export type ProductView = Validity & {
  product: CatalogProductResource;
  related: readonly CatalogProductResource[];
  names: Names;
  files: readonly FileFacts[];
  reviews: ListReviewsReply;
};

/** Throws product_not_found. Related are the most popular of the same category. `own` is the call of the person who is signed in. */
export async function askProduct(
  core: CoreClient,
  slug: string,
  { call, own }: { call: CallOptions; own?: CallOptions | undefined },
): Promise<ProductView> {
  const found = await core.catalog.GetProduct({ slug }, call);
  const product = fromCatalogDetail(found);
  const ofItsKind = parseListQuery({
    ...(product.category !== null && { category: product.category }),
    sort: "popular",
    pageSize: String(RELATED + 1),
  });
  const asked = { product_slug: slug };
  const [list, taxonomy, { files, untilMs }, { untilMs: reviewsUntilMs, ...reviews }] = await Promise.all([
    core.catalog.ListProducts(toListRequest(ofItsKind), call),
    core.catalog.ListTaxonomy({}, call),
    askAside(core.library.DescribeFiles(asked, { ...call, ...ASIDE }), { files: [] }),
    // The form of an author must have what it would replace.
    askAside(
      core.library.ListReviews(asked, own ?? { ...call, ...ASIDE }),
      own ? undefined : NO_REVIEWS,
      REVIEWS_MS,
    ),
  ]);
  const others = fromCatalogPage(list).data.filter((other) => other.id !== product.id);
  const related = await withRatings(core, others.slice(0, RELATED), call);
  return {
    product: rated(product, reviews),
    related: related.products,
    files,
    reviews,
    names: namesOf(taxonomy),
    ...validUntil(
      validityOf([found, list, { ...taxonomy, expires_at: "" }]),
      untilMs,
      reviewsUntilMs,
      related.untilMs,
    ),
  };
}

/** What the product is to the person who is signed in: their live licences of it, and what each licence costs them. */
export type OwnerView = {
  owned: readonly LibraryLicenceResource[];
  quotes: readonly LicenceQuote[];
  /** Of a product to come: whether they get a mail once it is on sale. */
  isAlertWanted: boolean;
};

/** More licences of one product than an account can have alive. */
const MAX_OWNED = 20;

export async function askOwner(
  core: CoreClient,
  product: CatalogProductResource,
  call: CallOptions,
): Promise<OwnerView> {
  const { id, slug } = product;
  const [{ licences }, { quotes }, alert] = await Promise.all([
    core.library.ListLibrary({ product_id: id, limit: MAX_OWNED }, call),
    core.orders.QuoteProduct({ product_slug: slug }, call),
    isOnSale(product) ? undefined : core.library.GetProductAlert({ product_slug: slug }, call),
  ]);
  const owned = fromMessages(libraryLicenceSchema, licences).filter(({ status }) => status === "active");
  return { owned, quotes, isAlertWanted: alert?.wanted ?? false };
}

/** The membership with which members-only products are bought; undefined where none is sold. */
export async function askMembersTier(core: CoreClient, call: CallOptions): Promise<string | undefined> {
  const { tiers } = await core.memberships.ListTiers({}, call);
  return tiers.find(
    ({ plus_products, monthly_price_cents, yearly_price_cents }) =>
      plus_products && (monthly_price_cents ?? yearly_price_cents) !== undefined,
  )?.name;
}

/** What is in the database, while the catalog is in core's memory: without a database a product is shown without it, for a moment. */
function askAside<T extends object>(
  asked: Promise<T>,
  without: T | undefined,
  holdsMs = Number.POSITIVE_INFINITY,
): Promise<T & { untilMs: number }> {
  const nowMs = Date.now();
  return asked.then(
    (found) => ({ ...found, untilMs: nowMs + holdsMs }),
    (error: unknown) => {
      if (!without || !(error instanceof AppError) || !AWAY.has(error.code)) throw error;
      return { ...without, untilMs: nowMs + WITHOUT_MS };
    },
  );
}

/** Of owners, once they have written reviews; until then the one that the catalog has. */
function rated(
  product: CatalogProductResource,
  rating: Pick<Rating, "count" | "average"> | undefined,
): CatalogProductResource {
  if (!rating || rating.count === 0) return product;
  return { ...product, rating_average: rating.average, rating_count: rating.count };
}

async function withRatings(
  { library }: CoreClient,
  products: readonly CatalogProductResource[],
  call: CallOptions,
): Promise<{ products: CatalogProductResource[]; untilMs: number }> {
  const ids = products.map(({ id }) => id);
  if (ids.length === 0) return { products: [], untilMs: Date.now() + CARDS_MS };
  const { ratings, untilMs } = await askAside(
    library.ListRatings({ product_ids: ids }, { ...call, ...ASIDE }),
    { ratings: [] },
    CARDS_MS,
  );
  const byId = new Map(ratings.map((rating) => [rating.product_id, rating]));
  return { products: products.map((product) => rated(product, byId.get(product.id))), untilMs };
}

export type ShowcaseView = Validity & {
  products: readonly CatalogProductResource[];
  categories: readonly FacetValue[];
  total: number;
};

/** What the front page shows: the home showcase, or what is featured where no one has arranged one. */
export async function askShowcase(core: CoreClient, call: CallOptions): Promise<ShowcaseView> {
  const list = (sort: string) =>
    core.catalog.ListProducts(
      toListRequest(parseListQuery({ sort, pageSize: String(SHOWCASE), facets: "category" })),
      call,
    );
  const [home, featured, taxonomy] = await Promise.all([
    list("home"),
    list("featured"),
    core.catalog.ListTaxonomy({}, call),
  ]);
  const names = namesOf(taxonomy);
  const { total, facets, data } = fromCatalogPage(featured);
  const shown = home.total > 0 ? fromCatalogPage(home).data : data;
  const { products, untilMs } = await withRatings(core, shown, call);
  return {
    products,
    total,
    categories: (facets?.category ?? []).map(({ value, count }) => ({
      value,
      count,
      label: names.category(value),
    })),
    ...validUntil(validityOf([home, featured, { ...taxonomy, expires_at: "" }]), untilMs),
  };
}

function namesOf({ categories, tags }: ListTaxonomyReply): Names {
  const categoryNames = new Map(categories.map(({ slug, name }) => [slug, name]));
  const tagNames = new Map(tags.map(({ slug, name }) => [slug, name]));
  return {
    category: (slug) => categoryNames.get(slug) ?? slug,
    tag: (slug) => tagNames.get(slug) ?? slug,
  };
}

/** A page made of answers from different states is vouched for by none: it is sent once and not kept. */
function validityOf(replies: readonly { revision: string; expires_at: string }[]): Validity {
  const revisions = new Set(replies.map(({ revision }) => revision));
  const [revision = ""] = revisions;
  return {
    revision: revisions.size === 1 ? revision : "",
    expiresAtMs: Math.min(...replies.map(({ expires_at }) => toExpiry(expires_at))),
  };
}

function validUntil({ revision, expiresAtMs }: Validity, ...untilMs: number[]): Validity {
  return { revision, expiresAtMs: Math.min(expiresAtMs, ...untilMs) };
}

export function isOnSale({
  status,
  effective_price: now,
}: Pick<CatalogProductResource, "status" | "effective_price">): boolean {
  return status !== "coming_soon" && now !== null;
}

export function statusLabel(status: string): string {
  return status === "published" ? "Available" : label(status);
}

/** The product's own words, for pages that have nothing more to say. */
export function blurbOf({ name, tagline, description }: CatalogProductResource): string {
  return tagline ?? description ?? name;
}
