// The form of a feed: text around a part for each purchasable product.
import type { ProductOffer } from "../../proto/types/atelier/v1/ProductOffer.ts";

export type Feed = {
  readonly contentType: string;
  readonly head: string;
  /** Empty where the feed has no place for the product. */
  readonly part: (offer: ProductOffer) => string;
  readonly tail: string;
};

export const SELLER = "Atelier";
