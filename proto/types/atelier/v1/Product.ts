// Original file: atelier/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

/**
 * A public product. Prices in USD.
 */
export interface ProductInput {
  'id'?: (string);
  'name'?: (string);
  'slug'?: (string);
  'status'?: (string);
  'tagline'?: (string);
  'description'?: (string);
  'price_regular'?: (number | string);
  'client_price_usd'?: (number | string);
  'effective_price'?: (number | string);
  'pricing_tier'?: (string);
  'plus_only'?: (boolean);
  'demo_url'?: (string);
  'cover_image_url'?: (string);
  'category'?: (string);
  'subcategory'?: (string);
  'tags'?: (string)[];
  'rating_average'?: (number | string);
  'rating_count'?: (number | string | Long);
  'published_at'?: (string);
  'updated_at'?: (string);
  'url'?: (string);
  '_tagline'?: "tagline";
  '_description'?: "description";
  '_price_regular'?: "price_regular";
  '_client_price_usd'?: "client_price_usd";
  '_effective_price'?: "effective_price";
  '_pricing_tier'?: "pricing_tier";
  '_demo_url'?: "demo_url";
  '_cover_image_url'?: "cover_image_url";
  '_category'?: "category";
  '_subcategory'?: "subcategory";
  '_rating_average'?: "rating_average";
  '_published_at'?: "published_at";
}

/**
 * A public product. Prices in USD.
 */
export interface Product {
  'id': (string);
  'name': (string);
  'slug': (string);
  'status': (string);
  'tagline'?: (string);
  'description'?: (string);
  'price_regular'?: (number);
  'client_price_usd'?: (number);
  'effective_price'?: (number);
  'pricing_tier'?: (string);
  'plus_only': (boolean);
  'demo_url'?: (string);
  'cover_image_url'?: (string);
  'category'?: (string);
  'subcategory'?: (string);
  'tags': (string)[];
  'rating_average'?: (number);
  'rating_count': (number);
  'published_at'?: (string);
  'updated_at': (string);
  'url': (string);
}
