// Everything that can be bought, as a stream: only a few products are held at a time, however many there are.
import { AppError } from "../../../proto/codes.ts";
import type { ListOffersRequest } from "../../../proto/types/atelier/v1/ListOffersRequest.ts";
import type { OfferBatchInput } from "../../../proto/types/atelier/v1/OfferBatch.ts";
import type { ProductOfferInput } from "../../../proto/types/atelier/v1/ProductOffer.ts";
import type { Catalog } from "./catalog.ts";
import { offerOf } from "./offers.ts";
import { renderProduct } from "./product-json.ts";
import { readPublicProductsBetween } from "./store.ts";

const MAX_SHARDS = 1_000;
/** The most products of one message; they may have long descriptions. */
const BATCH = 50;
/** The number of different first eight digits of ids, by which shards are told apart. */
const HEADS = 2 ** 32;

/** Throws invalid_request and catalog_unavailable. */
export async function* listOffers(
  { app, live, baseUrl, takesPayments }: Catalog,
  { shard, shards }: ListOffersRequest,
): AsyncGenerator<OfferBatchInput> {
  if (shards < 1 || shards > MAX_SHARDS || shard < 1 || shard > shards) {
    const message = `must be from 1 to shards, and shards from 1 to ${MAX_SHARDS}`;
    throw new AppError("invalid_request", { issues: [{ path: "shard", message }] });
  }
  const { names } = await live.current();
  const head = { revision: live.state().revision, takes_payments: takesPayments };
  const nowMs = app.clock.now().getTime();
  yield { ...head, offers: [] };
  let offers: ProductOfferInput[] = [];
  for await (const product of readPublicProductsBetween(app.mongo.db, rangeOf(shard, shards))) {
    const rendered = renderProduct(product, baseUrl);
    const offer = rendered && offerOf(rendered, { nowMs, takesPayments, names });
    if (!offer) continue;
    offers.push(offer);
    if (offers.length < BATCH) continue;
    yield { ...head, offers };
    offers = [];
  }
  if (offers.length > 0) yield { ...head, offers };
}

/** Ids are uuids: from the first one on, up to but not including the second. */
function rangeOf(shard: number, shards: number): { from: string; to: string } {
  const edge = (number: number) =>
    Math.floor((HEADS * number) / shards)
      .toString(16)
      .padStart(8, "0");
  return { from: edge(shard - 1), to: shard === shards ? "g" : edge(shard) };
}
