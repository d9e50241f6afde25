// Original file: atelier/v1/tickets.proto

import type { TicketMessageInput as _atelier_v1_TicketMessageInput, TicketMessage as _atelier_v1_TicketMessage } from '../../atelier/v1/TicketMessage.ts';
import type { TicketKeyInput as _atelier_v1_TicketKeyInput, TicketKey as _atelier_v1_TicketKey } from '../../atelier/v1/TicketKey.ts';

export interface TicketInput {
  'ticket_id'?: (string);
  'account_id'?: (string);
  'subject'?: (string);
  'kind'?: (string);
  'about'?: (string);
  'state'?: (string);
  'created_at'?: (string);
  'updated_at'?: (string);
  'message_count'?: (number);
  'messages'?: (_atelier_v1_TicketMessageInput)[];
  /**
   * Where support has put a member key on it.
   */
  'key'?: (_atelier_v1_TicketKeyInput | null);
  '_about'?: "about";
}

export interface Ticket {
  'ticket_id': (string);
  'account_id': (string);
  'subject': (string);
  'kind': (string);
  'about'?: (string);
  'state': (string);
  'created_at': (string);
  'updated_at': (string);
  'message_count': (number);
  'messages': (_atelier_v1_TicketMessage)[];
  /**
   * Where support has put a member key on it.
   */
  'key': (_atelier_v1_TicketKey | null);
}
