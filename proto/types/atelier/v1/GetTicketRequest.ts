// Original file: atelier/v1/tickets.proto


export interface GetTicketRequestInput {
  'ticket_id'?: (string);
}

export interface GetTicketRequest {
  'ticket_id': (string);
}
