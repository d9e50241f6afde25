// Original file: atelier/v1/tickets.proto


export interface OpenTicketRequestInput {
  'subject'?: (string);
  /**
   * order, licence, member_key, generation or other.
   */
  'kind'?: (string);
  /**
   * The order or job that it is about: one of the account's own.
   */
  'about'?: (string);
  'text'?: (string);
  /**
   * What makes a repeat of the request known. Empty: it cannot be repeated.
   */
  'form_key'?: (string);
  '_about'?: "about";
}

export interface OpenTicketRequest {
  'subject': (string);
  /**
   * order, licence, member_key, generation or other.
   */
  'kind': (string);
  /**
   * The order or job that it is about: one of the account's own.
   */
  'about'?: (string);
  'text': (string);
  /**
   * What makes a repeat of the request known. Empty: it cannot be repeated.
   */
  'form_key': (string);
}
