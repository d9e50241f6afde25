// Original file: atelier/v1/admin.proto


export interface ReplyToTicketRequestInput {
  'ticket_id'?: (string);
  'text'?: (string);
}

export interface ReplyToTicketRequest {
  'ticket_id': (string);
  'text': (string);
}
