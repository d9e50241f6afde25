// Original file: atelier/v1/catalog.proto

import type { ProductInput as _atelier_v1_ProductInput, Product as _atelier_v1_Product } from '../../atelier/v1/Product.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListProductsReplyInput {
  /**
   * UTF-8 JSON, fields in this order, no white space:
   * {"data":[P,…],"catalogProducts":[P,…],"count":n,"total":n,"total_pages":n,"page":n}
   * then, when asked for, "facets":{"category":[{"value":"icons","count":12},…],…} in the order of the request, most frequent value
   * first, at most 250 values each, and, when total is 0, "hint":"…" that says which parameter left nothing.
   * P is a product; its fields in this order, always all present, null where there is no value:
   * id name slug status tagline description price_regular client_price_usd effective_price pricing_tier plus_only demo_url
   * cover_image_url category subcategory tags rating_average rating_count published_at updated_at url
   */
  'body'?: (Buffer | Uint8Array | string);
  /**
   * See CatalogState. The body is what every core answers for this query at this revision.
   */
  'revision'?: (string);
  'version'?: (number | string | Long);
  'total'?: (number | string | Long);
  'total_pages'?: (number | string | Long);
  /**
   * When a sale of a product in this body begins or ends next; the body must not be sent from then on. Empty: never. RFC 3339.
   */
  'expires_at'?: (string);
  /**
   * Only when typed was asked for.
   */
  'products'?: (_atelier_v1_ProductInput)[];
}

export interface ListProductsReply {
  /**
   * UTF-8 JSON, fields in this order, no white space:
   * {"data":[P,…],"catalogProducts":[P,…],"count":n,"total":n,"total_pages":n,"page":n}
   * then, when asked for, "facets":{"category":[{"value":"icons","count":12},…],…} in the order of the request, most frequent value
   * first, at most 250 values each, and, when total is 0, "hint":"…" that says which parameter left nothing.
   * P is a product; its fields in this order, always all present, null where there is no value:
   * id name slug status tagline description price_regular client_price_usd effective_price pricing_tier plus_only demo_url
   * cover_image_url category subcategory tags rating_average rating_count published_at updated_at url
   */
  'body': (Buffer);
  /**
   * See CatalogState. The body is what every core answers for this query at this revision.
   */
  'revision': (string);
  'version': (number);
  'total': (number);
  'total_pages': (number);
  /**
   * When a sale of a product in this body begins or ends next; the body must not be sent from then on. Empty: never. RFC 3339.
   */
  'expires_at': (string);
  /**
   * Only when typed was asked for.
   */
  'products': (_atelier_v1_Product)[];
}
