// Original file: atelier/v1/catalog.proto

import type { ProductInput as _atelier_v1_ProductInput, Product as _atelier_v1_Product } from '../../atelier/v1/Product.ts';
import type { Long } from '@grpc/proto-loader';

export interface GetProductReplyInput {
  /**
   * UTF-8 JSON: {"data":P,"catalogProduct":P} with P as in ListProductsReply.
   */
  'body'?: (Buffer | Uint8Array | string);
  'revision'?: (string);
  'version'?: (number | string | Long);
  /**
   * As in ListProductsReply.
   */
  'expires_at'?: (string);
  'product'?: (_atelier_v1_ProductInput | null);
}

export interface GetProductReply {
  /**
   * UTF-8 JSON: {"data":P,"catalogProduct":P} with P as in ListProductsReply.
   */
  'body': (Buffer);
  'revision': (string);
  'version': (number);
  /**
   * As in ListProductsReply.
   */
  'expires_at': (string);
  'product': (_atelier_v1_Product | null);
}
