// Original file: atelier/v1/orders.proto


export interface DemoCheckoutRequestInput {
  'ref'?: (string);
}

export interface DemoCheckoutRequest {
  'ref': (string);
}
