// Original file: atelier/v1/orders.proto


export interface OrderEventInput {
  'seq'?: (number);
  'type'?: (string);
  'at'?: (string);
  'note'?: (string);
  '_note'?: "note";
}

export interface OrderEvent {
  'seq': (number);
  'type': (string);
  'at': (string);
  'note'?: (string);
}
