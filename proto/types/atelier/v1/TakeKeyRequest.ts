// Original file: atelier/v1/tickets.proto


export interface TakeKeyRequestInput {
  'ticket_id'?: (string);
}

export interface TakeKeyRequest {
  'ticket_id': (string);
}
