// Original file: atelier/v1/orders.proto


export interface TakePaymentEventRequestInput {
  'provider'?: (string);
  'body'?: (Buffer | Uint8Array | string);
  /**
   * By lower-case name.
   */
  'headers'?: ({[key: string]: string});
}

export interface TakePaymentEventRequest {
  'provider': (string);
  'body': (Buffer);
  /**
   * By lower-case name.
   */
  'headers': ({[key: string]: string});
}
