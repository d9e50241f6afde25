// Original file: atelier/v1/tickets.proto


export interface CloseTicketRequestInput {
  'ticket_id'?: (string);
}

export interface CloseTicketRequest {
  'ticket_id': (string);
}
