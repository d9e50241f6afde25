// Original file: atelier/v1/subscriptions.proto


export interface SubscriptionEventInput {
  'seq'?: (number);
  'type'?: (string);
  'at'?: (string);
  'note'?: (string);
  '_note'?: "note";
}

export interface SubscriptionEvent {
  'seq': (number);
  'type': (string);
  'at': (string);
  'note'?: (string);
}
