// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface ImportRowInput {
  /**
   * Line of the operator's file; findings name it.
   */
  'line'?: (number | string | Long);
  /**
   * One JSON object: slug (required), name (required for a new product), and any of id, status, tagline, description, price_regular_cents,
   * client_price_cents, sale {price_cents, starts_at, ends_at}, pricing_tier, plus_only, demo_url, cover_image_url, category,
   * subcategory, tags, rating_average, rating_count, popularity, featured_rank, home_order, published_at, cost_cents,
   * supplier_notes, download_key. A field that is absent keeps its value; null clears it. A new product is a draft unless it says otherwise.
   */
  'json'?: (string);
}

export interface ImportRow {
  /**
   * Line of the operator's file; findings name it.
   */
  'line': (number);
  /**
   * One JSON object: slug (required), name (required for a new product), and any of id, status, tagline, description, price_regular_cents,
   * client_price_cents, sale {price_cents, starts_at, ends_at}, pricing_tier, plus_only, demo_url, cover_image_url, category,
   * subcategory, tags, rating_average, rating_count, popularity, featured_rank, home_order, published_at, cost_cents,
   * supplier_notes, download_key. A field that is absent keeps its value; null clears it. A new product is a draft unless it says otherwise.
   */
  'json': (string);
}
