// Original file: atelier/v1/orders.proto

import type { CreditPackInput as _atelier_v1_CreditPackInput, CreditPack as _atelier_v1_CreditPack } from '../../atelier/v1/CreditPack.ts';

export interface ShopInput {
  /**
   * Name of the payment provider that takes new orders; empty where nothing that costs money can be bought.
   */
  'payments'?: (string);
  /**
   * Those that are sold, the smallest first.
   */
  'packs'?: (_atelier_v1_CreditPackInput)[];
}

export interface Shop {
  /**
   * Name of the payment provider that takes new orders; empty where nothing that costs money can be bought.
   */
  'payments': (string);
  /**
   * Those that are sold, the smallest first.
   */
  'packs': (_atelier_v1_CreditPack)[];
}
