// Original file: atelier/v1/orders.proto

import type { WantedProductInput as _atelier_v1_WantedProductInput, WantedProduct as _atelier_v1_WantedProduct } from '../../atelier/v1/WantedProduct.ts';
import type { WantedPackInput as _atelier_v1_WantedPackInput, WantedPack as _atelier_v1_WantedPack } from '../../atelier/v1/WantedPack.ts';
import type { WantedPlanInput as _atelier_v1_WantedPlanInput, WantedPlan as _atelier_v1_WantedPlan } from '../../atelier/v1/WantedPlan.ts';
import type { WantedMembershipInput as _atelier_v1_WantedMembershipInput, WantedMembership as _atelier_v1_WantedMembership } from '../../atelier/v1/WantedMembership.ts';
import type { Long } from '@grpc/proto-loader';

export interface PlaceOrderRequestInput {
  'idempotency_key'?: (string);
  /**
   * The price that the person saw.
   */
  'expected_cents'?: (number | string | Long);
  'product'?: (_atelier_v1_WantedProductInput | null);
  'pack'?: (_atelier_v1_WantedPackInput | null);
  'plan'?: (_atelier_v1_WantedPlanInput | null);
  'membership'?: (_atelier_v1_WantedMembershipInput | null);
  'wanted'?: "product"|"pack"|"plan"|"membership";
}

export interface PlaceOrderRequest {
  'idempotency_key': (string);
  /**
   * The price that the person saw.
   */
  'expected_cents': (number);
  'product'?: (_atelier_v1_WantedProduct | null);
  'pack'?: (_atelier_v1_WantedPack | null);
  'plan'?: (_atelier_v1_WantedPlan | null);
  'membership'?: (_atelier_v1_WantedMembership | null);
}
