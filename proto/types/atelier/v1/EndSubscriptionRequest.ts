// Original file: atelier/v1/admin.proto


export interface EndSubscriptionRequestInput {
  'subscription_id'?: (string);
  /**
   * What the person is told.
   */
  'note'?: (string);
}

export interface EndSubscriptionRequest {
  'subscription_id': (string);
  /**
   * What the person is told.
   */
  'note': (string);
}
