// Original file: atelier/v1/orders.proto


export interface OrderRequestInput {
  'order_id'?: (string);
}

export interface OrderRequest {
  'order_id': (string);
}
