// Original file: atelier/v1/tickets.proto


export interface TicketKeyInput {
  'key_id'?: (string);
  /**
   * waiting, seen, or gone: nobody looked in time.
   */
  'state'?: (string);
  /**
   * Until when it can be looked at.
   */
  'until'?: (string);
}

export interface TicketKey {
  'key_id': (string);
  /**
   * waiting, seen, or gone: nobody looked in time.
   */
  'state': (string);
  /**
   * Until when it can be looked at.
   */
  'until': (string);
}
