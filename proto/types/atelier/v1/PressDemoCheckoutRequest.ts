// Original file: atelier/v1/orders.proto


export interface PressDemoCheckoutRequestInput {
  'ref'?: (string);
  /**
   * pay, pay_once (each renewal is declined) or decline.
   */
  'action'?: (string);
  /**
   * How its events are sent: once, twice, late or never.
   */
  'delivery'?: (string);
}

export interface PressDemoCheckoutRequest {
  'ref': (string);
  /**
   * pay, pay_once (each renewal is declined) or decline.
   */
  'action': (string);
  /**
   * How its events are sent: once, twice, late or never.
   */
  'delivery': (string);
}
