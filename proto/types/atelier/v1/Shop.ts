// Original file: atelier/v1/orders.proto


export interface ShopInput {
  /**
   * Name of the payment provider that takes new orders; empty where nothing that costs money can be bought.
   */
  'payments'?: (string);
}

export interface Shop {
  /**
   * Name of the payment provider that takes new orders; empty where nothing that costs money can be bought.
   */
  'payments': (string);
}
