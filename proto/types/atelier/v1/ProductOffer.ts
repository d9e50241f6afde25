// Original file: atelier/v1/catalog.proto

import type { ProductInput as _atelier_v1_ProductInput, Product as _atelier_v1_Product } from '../../atelier/v1/Product.ts';
import type { OfferedLicenceInput as _atelier_v1_OfferedLicenceInput, OfferedLicence as _atelier_v1_OfferedLicence } from '../../atelier/v1/OfferedLicence.ts';

/**
 * A product that anybody with an account can buy at this moment, without a membership.
 */
export interface ProductOfferInput {
  'product'?: (_atelier_v1_ProductInput | null);
  /**
   * Those that can be bought, the standard one first; never empty.
   */
  'licences'?: (_atelier_v1_OfferedLicenceInput)[];
  /**
   * Names of its category and subcategory; empty where it has none.
   */
  'category_name'?: (string);
  'subcategory_name'?: (string);
}

/**
 * A product that anybody with an account can buy at this moment, without a membership.
 */
export interface ProductOffer {
  'product': (_atelier_v1_Product | null);
  /**
   * Those that can be bought, the standard one first; never empty.
   */
  'licences': (_atelier_v1_OfferedLicence)[];
  /**
   * Names of its category and subcategory; empty where it has none.
   */
  'category_name': (string);
  'subcategory_name': (string);
}
