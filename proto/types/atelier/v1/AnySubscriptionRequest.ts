// Original file: atelier/v1/admin.proto


export interface AnySubscriptionRequestInput {
  'subscription_id'?: (string);
}

export interface AnySubscriptionRequest {
  'subscription_id': (string);
}
