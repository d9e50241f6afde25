// Original file: atelier/v1/tickets.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AddMessageRequestInput as _atelier_v1_AddMessageRequestInput, AddMessageRequest as _atelier_v1_AddMessageRequest } from '../../atelier/v1/AddMessageRequest.ts';
import type { CloseTicketRequestInput as _atelier_v1_CloseTicketRequestInput, CloseTicketRequest as _atelier_v1_CloseTicketRequest } from '../../atelier/v1/CloseTicketRequest.ts';
import type { GetTicketRequestInput as _atelier_v1_GetTicketRequestInput, GetTicketRequest as _atelier_v1_GetTicketRequest } from '../../atelier/v1/GetTicketRequest.ts';
import type { ListTicketsReplyInput as _atelier_v1_ListTicketsReplyInput, ListTicketsReply as _atelier_v1_ListTicketsReply } from '../../atelier/v1/ListTicketsReply.ts';
import type { ListTicketsRequestInput as _atelier_v1_ListTicketsRequestInput, ListTicketsRequest as _atelier_v1_ListTicketsRequest } from '../../atelier/v1/ListTicketsRequest.ts';
import type { OpenTicketRequestInput as _atelier_v1_OpenTicketRequestInput, OpenTicketRequest as _atelier_v1_OpenTicketRequest } from '../../atelier/v1/OpenTicketRequest.ts';
import type { TakeKeyRequestInput as _atelier_v1_TakeKeyRequestInput, TakeKeyRequest as _atelier_v1_TakeKeyRequest } from '../../atelier/v1/TakeKeyRequest.ts';
import type { TakenKeyInput as _atelier_v1_TakenKeyInput, TakenKey as _atelier_v1_TakenKey } from '../../atelier/v1/TakenKey.ts';
import type { TicketInput as _atelier_v1_TicketInput, Ticket as _atelier_v1_Ticket } from '../../atelier/v1/Ticket.ts';

/**
 * A person's questions to support. For the signed-in person only. A ticket of another account looks exactly like one that does not
 * exist: not_found.
 */
export interface TicketsClient extends grpc.Client {
  /**
   * Again with the same form_key adds nothing. ticket_closed.
   */
  AddMessage(argument: _atelier_v1_AddMessageRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  AddMessage(argument: _atelier_v1_AddMessageRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  AddMessage(argument: _atelier_v1_AddMessageRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  AddMessage(argument: _atelier_v1_AddMessageRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  /**
   * Again with the same form_key adds nothing. ticket_closed.
   */
  addMessage(argument: _atelier_v1_AddMessageRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  addMessage(argument: _atelier_v1_AddMessageRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  addMessage(argument: _atelier_v1_AddMessageRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  addMessage(argument: _atelier_v1_AddMessageRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  
  /**
   * Again changes nothing.
   */
  CloseTicket(argument: _atelier_v1_CloseTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  CloseTicket(argument: _atelier_v1_CloseTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  CloseTicket(argument: _atelier_v1_CloseTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  CloseTicket(argument: _atelier_v1_CloseTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  /**
   * Again changes nothing.
   */
  closeTicket(argument: _atelier_v1_CloseTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  closeTicket(argument: _atelier_v1_CloseTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  closeTicket(argument: _atelier_v1_CloseTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  closeTicket(argument: _atelier_v1_CloseTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  
  GetTicket(argument: _atelier_v1_GetTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  GetTicket(argument: _atelier_v1_GetTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  GetTicket(argument: _atelier_v1_GetTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  GetTicket(argument: _atelier_v1_GetTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  getTicket(argument: _atelier_v1_GetTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  getTicket(argument: _atelier_v1_GetTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  getTicket(argument: _atelier_v1_GetTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  getTicket(argument: _atelier_v1_GetTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  
  /**
   * The one that changed last first.
   */
  ListTickets(argument: _atelier_v1_ListTicketsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  ListTickets(argument: _atelier_v1_ListTicketsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  ListTickets(argument: _atelier_v1_ListTicketsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  ListTickets(argument: _atelier_v1_ListTicketsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  /**
   * The one that changed last first.
   */
  listTickets(argument: _atelier_v1_ListTicketsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  listTickets(argument: _atelier_v1_ListTicketsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  listTickets(argument: _atelier_v1_ListTicketsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  listTickets(argument: _atelier_v1_ListTicketsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  
  /**
   * Again with the same form_key answers the ticket that it made. rate_limited with too many tickets that are not closed.
   */
  OpenTicket(argument: _atelier_v1_OpenTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  OpenTicket(argument: _atelier_v1_OpenTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  OpenTicket(argument: _atelier_v1_OpenTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  OpenTicket(argument: _atelier_v1_OpenTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  /**
   * Again with the same form_key answers the ticket that it made. rate_limited with too many tickets that are not closed.
   */
  openTicket(argument: _atelier_v1_OpenTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  openTicket(argument: _atelier_v1_OpenTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  openTicket(argument: _atelier_v1_OpenTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  openTicket(argument: _atelier_v1_OpenTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  
  /**
   * The member key that support has put on the ticket, for this one time. not_found where there is none, or none any more.
   */
  TakeKey(argument: _atelier_v1_TakeKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakenKey>): grpc.ClientUnaryCall;
  TakeKey(argument: _atelier_v1_TakeKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_TakenKey>): grpc.ClientUnaryCall;
  TakeKey(argument: _atelier_v1_TakeKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakenKey>): grpc.ClientUnaryCall;
  TakeKey(argument: _atelier_v1_TakeKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_TakenKey>): grpc.ClientUnaryCall;
  /**
   * The member key that support has put on the ticket, for this one time. not_found where there is none, or none any more.
   */
  takeKey(argument: _atelier_v1_TakeKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakenKey>): grpc.ClientUnaryCall;
  takeKey(argument: _atelier_v1_TakeKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_TakenKey>): grpc.ClientUnaryCall;
  takeKey(argument: _atelier_v1_TakeKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakenKey>): grpc.ClientUnaryCall;
  takeKey(argument: _atelier_v1_TakeKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_TakenKey>): grpc.ClientUnaryCall;
  
}

/**
 * A person's questions to support. For the signed-in person only. A ticket of another account looks exactly like one that does not
 * exist: not_found.
 */
export interface TicketsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Again with the same form_key adds nothing. ticket_closed.
   */
  AddMessage: grpc.handleUnaryCall<_atelier_v1_AddMessageRequest, _atelier_v1_TicketInput>;
  
  /**
   * Again changes nothing.
   */
  CloseTicket: grpc.handleUnaryCall<_atelier_v1_CloseTicketRequest, _atelier_v1_TicketInput>;
  
  GetTicket: grpc.handleUnaryCall<_atelier_v1_GetTicketRequest, _atelier_v1_TicketInput>;
  
  /**
   * The one that changed last first.
   */
  ListTickets: grpc.handleUnaryCall<_atelier_v1_ListTicketsRequest, _atelier_v1_ListTicketsReplyInput>;
  
  /**
   * Again with the same form_key answers the ticket that it made. rate_limited with too many tickets that are not closed.
   */
  OpenTicket: grpc.handleUnaryCall<_atelier_v1_OpenTicketRequest, _atelier_v1_TicketInput>;
  
  /**
   * The member key that support has put on the ticket, for this one time. not_found where there is none, or none any more.
   */
  TakeKey: grpc.handleUnaryCall<_atelier_v1_TakeKeyRequest, _atelier_v1_TakenKeyInput>;
  
}

export interface TicketsDefinition extends grpc.ServiceDefinition {
  AddMessage: MethodDefinition<_atelier_v1_AddMessageRequestInput, _atelier_v1_TicketInput, _atelier_v1_AddMessageRequest, _atelier_v1_Ticket>
  CloseTicket: MethodDefinition<_atelier_v1_CloseTicketRequestInput, _atelier_v1_TicketInput, _atelier_v1_CloseTicketRequest, _atelier_v1_Ticket>
  GetTicket: MethodDefinition<_atelier_v1_GetTicketRequestInput, _atelier_v1_TicketInput, _atelier_v1_GetTicketRequest, _atelier_v1_Ticket>
  ListTickets: MethodDefinition<_atelier_v1_ListTicketsRequestInput, _atelier_v1_ListTicketsReplyInput, _atelier_v1_ListTicketsRequest, _atelier_v1_ListTicketsReply>
  OpenTicket: MethodDefinition<_atelier_v1_OpenTicketRequestInput, _atelier_v1_TicketInput, _atelier_v1_OpenTicketRequest, _atelier_v1_Ticket>
  TakeKey: MethodDefinition<_atelier_v1_TakeKeyRequestInput, _atelier_v1_TakenKeyInput, _atelier_v1_TakeKeyRequest, _atelier_v1_TakenKey>
}
