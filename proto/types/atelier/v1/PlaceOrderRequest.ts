// Original file: atelier/v1/orders.proto

import type { WantedProductInput as _atelier_v1_WantedProductInput, WantedProduct as _atelier_v1_WantedProduct } from '../../atelier/v1/WantedProduct.ts';
import type { WantedPackInput as _atelier_v1_WantedPackInput, WantedPack as _atelier_v1_WantedPack } from '../../atelier/v1/WantedPack.ts';
import type { Long } from '@grpc/proto-loader';

export interface PlaceOrderRequestInput {
  'idempotency_key'?: (string);
  /**
   * The price that the person saw.
   */
  'expected_cents'?: (number | string | Long);
  'product'?: (_atelier_v1_WantedProductInput | null);
  'pack'?: (_atelier_v1_WantedPackInput | null);
  'wanted'?: "product"|"pack";
}

export interface PlaceOrderRequest {
  'idempotency_key': (string);
  /**
   * The price that the person saw.
   */
  'expected_cents': (number);
  'product'?: (_atelier_v1_WantedProduct | null);
  'pack'?: (_atelier_v1_WantedPack | null);
}
