// Original file: atelier/v1/tickets.proto


export interface TicketMessageInput {
  /**
   * person or support.
   */
  'from'?: (string);
  'text'?: (string);
  'at'?: (string);
}

export interface TicketMessage {
  /**
   * person or support.
   */
  'from': (string);
  'text': (string);
  'at': (string);
}
