// Original file: atelier/v1/orders.proto


export interface TakePaymentEventReplyInput {
  /**
   * What came of it, for the log.
   */
  'outcome'?: (string);
}

export interface TakePaymentEventReply {
  /**
   * What came of it, for the log.
   */
  'outcome': (string);
}
