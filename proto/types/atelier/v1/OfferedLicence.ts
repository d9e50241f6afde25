// Original file: atelier/v1/catalog.proto

import type { OfferedSaleInput as _atelier_v1_OfferedSaleInput, OfferedSale as _atelier_v1_OfferedSale } from '../../atelier/v1/OfferedSale.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Prices in US cents.
 */
export interface OfferedLicenceInput {
  /**
   * standard or client.
   */
  'licence'?: (string);
  /**
   * At this moment.
   */
  'price_cents'?: (number | string | Long);
  /**
   * Without any sale.
   */
  'list_price_cents'?: (number | string | Long);
  /**
   * The sale that is on or to come.
   */
  'sale'?: (_atelier_v1_OfferedSaleInput | null);
  '_sale'?: "sale";
}

/**
 * Prices in US cents.
 */
export interface OfferedLicence {
  /**
   * standard or client.
   */
  'licence': (string);
  /**
   * At this moment.
   */
  'price_cents': (number);
  /**
   * Without any sale.
   */
  'list_price_cents': (number);
  /**
   * The sale that is on or to come.
   */
  'sale'?: (_atelier_v1_OfferedSale | null);
}
