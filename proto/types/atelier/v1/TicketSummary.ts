// Original file: atelier/v1/tickets.proto


export interface TicketSummaryInput {
  'ticket_id'?: (string);
  'account_id'?: (string);
  'subject'?: (string);
  'kind'?: (string);
  'about'?: (string);
  /**
   * open: support is to answer. answered: the person is. closed: nobody is.
   */
  'state'?: (string);
  'created_at'?: (string);
  'updated_at'?: (string);
  'message_count'?: (number);
  '_about'?: "about";
}

export interface TicketSummary {
  'ticket_id': (string);
  'account_id': (string);
  'subject': (string);
  'kind': (string);
  'about'?: (string);
  /**
   * open: support is to answer. answered: the person is. closed: nobody is.
   */
  'state': (string);
  'created_at': (string);
  'updated_at': (string);
  'message_count': (number);
}
