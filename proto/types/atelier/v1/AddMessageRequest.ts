// Original file: atelier/v1/tickets.proto


export interface AddMessageRequestInput {
  'ticket_id'?: (string);
  'text'?: (string);
  'form_key'?: (string);
}

export interface AddMessageRequest {
  'ticket_id': (string);
  'text': (string);
  'form_key': (string);
}
