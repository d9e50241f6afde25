// Original file: atelier/v1/subscriptions.proto


export interface SubscriptionRequestInput {
  /**
   * plan or membership.
   */
  'kind'?: (string);
}

export interface SubscriptionRequest {
  /**
   * plan or membership.
   */
  'kind': (string);
}
