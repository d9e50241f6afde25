// Original file: atelier/v1/admin.proto


export interface RefundOrderRequestInput {
  'order_id'?: (string);
  /**
   * What the buyer is told.
   */
  'note'?: (string);
}

export interface RefundOrderRequest {
  'order_id': (string);
  /**
   * What the buyer is told.
   */
  'note': (string);
}
