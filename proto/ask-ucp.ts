// The three questions of the Universal Commerce Protocol's catalog, put to core and answered in its terms, for both surfaces that have them.
import type { z } from "zod";
import type { CallOptions, CoreClient } from "./client.ts";
import { asCatalogError } from "./catalog-unavailable.ts";
import { AppError } from "./codes.ts";
import {
  CURRENCY,
  GOOGLE_CATEGORY,
  licenceName,
  productOf,
  VARIANT_OPTION,
  variantIdOf,
} from "./resources/offer.ts";
import {
  pageLimitOf,
  type UcpGetProduct,
  type UcpLookup,
  type UcpMessage,
  type UcpProduct,
  type UcpSearch,
  type ucpDetailSchema,
  ucpEnvelope,
  type ucpFoundSchema,
  type ucpLookedUpSchema,
  ucpProduct,
} from "./resources/ucp.ts";
import type { ProductOffer } from "./types/atelier/v1/ProductOffer.ts";
import type { OfferedLicence } from "./types/atelier/v1/OfferedLicence.ts";

export type UcpContext = {
  readonly core: Pick<CoreClient, "catalog">;
  readonly call: CallOptions;
  /** Of the website, without a trailing slash. */
  readonly baseUrl: string;
};

type Filters = Pick<UcpSearch, "filters" | "context">;

/** Throws invalid_request and catalog_unavailable. */
export async function searchUcp(
  request: UcpSearch,
  { core, call, baseUrl }: UcpContext,
): Promise<z.output<typeof ucpFoundSchema>> {
  const { query = "", pagination } = request;
  const categories = categoriesOf(request);
  const price = priceBounds(request);
  if (query === "" && request.filters?.categories === undefined && request.filters?.price === undefined)
    throw invalid("query", "must say what is looked for, where filters do not");
  const { offers, next_offset } = await core.catalog
    .SearchOffers(
      {
        search: query,
        categories: [...(categories ?? [])],
        ...(price.min !== undefined && { min_cents: price.min }),
        ...(price.max !== undefined && { max_cents: price.max }),
        offset: offsetOf(pagination?.cursor),
        limit: pageLimitOf(request),
      },
      call,
    )
    .catch(asCatalogError);
  return {
    ucp: ucpEnvelope("search"),
    products: offers.map((offer) => ucpProduct(offer, offer.licences.filter(isWithin(price)), baseUrl)),
    pagination: {
      has_next_page: next_offset > 0,
      ...(next_offset > 0 && { cursor: Buffer.from(String(next_offset)).toString("base64url") }),
    },
    ...notesOf(price.notes),
  };
}

/** Throws catalog_unavailable. */
export async function lookUpUcp(
  { ids, ...filters }: UcpLookup,
  { core, call, baseUrl }: UcpContext,
): Promise<z.output<typeof ucpLookedUpSchema>> {
  const wanted = [...new Set(ids)];
  const products = [...new Set(wanted.map((id) => readId(id).product))];
  const { offers } = await core.catalog.FindOffers({ products }, call).catch(asCatalogError);
  const price = priceBounds(filters);
  const found = new Set<string>();
  const answered = offers.flatMap((offer): UcpProduct[] => {
    const licences = isOnShelf(offer, filters) ? offer.licences.filter(isWithin(price)) : [];
    const inputs = new Map<OfferedLicence, { id: string; match: string }[]>();
    for (const id of wanted) {
      const { product, licence } = readId(id);
      const { id: productId, slug } = productOf(offer);
      if (product !== productId && product !== slug) continue;
      const hit = licence === undefined ? licences[0] : licences.find((one) => one.licence === licence);
      if (!hit) continue;
      found.add(id);
      inputs.set(hit, [
        ...(inputs.get(hit) ?? []),
        { id, match: licence === undefined ? "featured" : "exact" },
      ]);
    }
    if (inputs.size === 0) return [];
    const shown = licences.filter((licence) => inputs.has(licence));
    const answer = ucpProduct(offer, shown, baseUrl);
    return [
      {
        ...answer,
        variants: answer.variants.map((variant, i) => {
          const licence = shown[i];
          return { ...variant, inputs: (licence && inputs.get(licence)) ?? [] };
        }),
      },
    ];
  });
  const missing = wanted
    .filter((id) => !found.has(id))
    .map((id): UcpMessage => ({ type: "info", code: "not_found", content: id }));
  return { ucp: ucpEnvelope("lookup"), products: answered, ...notesOf([...price.notes, ...missing]) };
}

/** Throws catalog_unavailable. */
export async function getUcpProduct(
  { id, selected = [], ...filters }: UcpGetProduct,
  { core, call, baseUrl }: UcpContext,
): Promise<z.output<typeof ucpDetailSchema>> {
  const { product, licence } = readId(id);
  const { offers } = await core.catalog.FindOffers({ products: [product] }, call).catch(asCatalogError);
  const [offer] = offers;
  const price = priceBounds(filters);
  const chosen = offer && isOnShelf(offer, filters) && chooseLicence(offer, licence, selected);
  if (!chosen || !isWithin(price)(chosen)) {
    return {
      ucp: ucpEnvelope("lookup", "error"),
      messages: [
        {
          type: "error",
          code: "not_found",
          content: `Nothing that can be bought is named ${JSON.stringify(id.toWellFormed())}.`,
          severity: "unrecoverable",
        },
      ],
      continue_url: `${baseUrl}/products`,
    };
  }
  const answer = ucpProduct(offer, [chosen], baseUrl);
  return {
    ucp: ucpEnvelope("lookup"),
    product: {
      ...answer,
      options: answer.options.map(({ name, values }) => ({
        name,
        values: values.map(({ label }) => ({ label, available: true, exists: true })),
      })),
      selected: [{ name: VARIANT_OPTION, label: licenceName(chosen.licence) }],
    },
    ...notesOf(price.notes),
  };
}

/** The variant's own; else what is selected, where there is such a licence; else the first one. */
function chooseLicence(
  { licences }: ProductOffer,
  named: string | undefined,
  selected: NonNullable<UcpGetProduct["selected"]>,
): OfferedLicence | undefined {
  if (named !== undefined) return licences.find(({ licence }) => licence === named);
  const wanted = selected.find(({ name }) => name.toLowerCase() === VARIANT_OPTION.toLowerCase());
  return licences.find(({ licence }) => licence === wanted?.label.toLowerCase()) ?? licences[0];
}

/** The id of a variant is that of its product and the licence; everything else names a product. */
function readId(id: string): { product: string; licence: string | undefined } {
  const [product = "", licence] = id.split(":");
  return licence !== undefined && variantIdOf(product, licence) === id
    ? { product, licence }
    : { product: id, licence: undefined };
}

type PriceBounds = { min?: number | undefined; max?: number | undefined; notes: UcpMessage[] };

function priceBounds({ filters, context }: Filters): PriceBounds {
  const { price } = filters ?? {};
  if (!price) return { notes: [] };
  const currency = context?.currency ?? CURRENCY;
  if (currency.toUpperCase() === CURRENCY) return { ...price, notes: [] };
  const content = `Prices are in ${CURRENCY}, so the price filter, which is in another currency, was not applied.`;
  return { notes: [{ type: "info", code: "price_filter_ignored", content }] };
}

function isWithin({ min = 0, max = Number.POSITIVE_INFINITY }: PriceBounds) {
  return ({ price_cents: cents }: OfferedLicence) => cents >= min && cents <= max;
}

/** Undefined where any will do: every product lies on Google's shelf. */
function categoriesOf({ filters }: Filters): readonly string[] | undefined {
  const categories = filters?.categories;
  return categories === undefined || categories.length === 0 || categories.includes(GOOGLE_CATEGORY)
    ? undefined
    : categories;
}

function isOnShelf(offer: ProductOffer, filters: Filters): boolean {
  const categories = categoriesOf(filters);
  const { category, subcategory } = productOf(offer);
  return (
    !categories || [category, subcategory].some((slug) => slug !== undefined && categories.includes(slug))
  );
}

function notesOf(messages: UcpMessage[]): { messages?: UcpMessage[] } {
  return messages.length === 0 ? {} : { messages };
}

function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const offset = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(offset))
    throw invalid("pagination.cursor", "must be the cursor of an answer");
  return offset;
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_request", { message: `${path} ${message}.`, issues: [{ path, message }] });
}
