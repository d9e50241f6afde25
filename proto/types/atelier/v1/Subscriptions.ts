// Original file: atelier/v1/subscriptions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ChangeQuoteInput as _atelier_v1_ChangeQuoteInput, ChangeQuote as _atelier_v1_ChangeQuote } from '../../atelier/v1/ChangeQuote.ts';
import type { ChangeSubscriptionRequestInput as _atelier_v1_ChangeSubscriptionRequestInput, ChangeSubscriptionRequest as _atelier_v1_ChangeSubscriptionRequest } from '../../atelier/v1/ChangeSubscriptionRequest.ts';
import type { ListSubscriptionsReplyInput as _atelier_v1_ListSubscriptionsReplyInput, ListSubscriptionsReply as _atelier_v1_ListSubscriptionsReply } from '../../atelier/v1/ListSubscriptionsReply.ts';
import type { ListSubscriptionsRequestInput as _atelier_v1_ListSubscriptionsRequestInput, ListSubscriptionsRequest as _atelier_v1_ListSubscriptionsRequest } from '../../atelier/v1/ListSubscriptionsRequest.ts';
import type { PortalInput as _atelier_v1_PortalInput, Portal as _atelier_v1_Portal } from '../../atelier/v1/Portal.ts';
import type { SubscriptionInput as _atelier_v1_SubscriptionInput, Subscription as _atelier_v1_Subscription } from '../../atelier/v1/Subscription.ts';
import type { SubscriptionRequestInput as _atelier_v1_SubscriptionRequestInput, SubscriptionRequest as _atelier_v1_SubscriptionRequest } from '../../atelier/v1/SubscriptionRequest.ts';

/**
 * Plans and memberships that are paid by the period. For the signed-in person alone: they are joined by orders, and no key changes them.
 * Errors of what changes: not_found (none of the kind), order_conflict, not_for_sale, price_changed.
 */
export interface SubscriptionsClient extends grpc.Client {
  /**
   * It ends with the period that is paid; at once where a payment is missing. Again changes nothing.
   */
  CancelSubscription(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  CancelSubscription(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  CancelSubscription(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  CancelSubscription(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  /**
   * It ends with the period that is paid; at once where a payment is missing. Again changes nothing.
   */
  cancelSubscription(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  cancelSubscription(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  cancelSubscription(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  cancelSubscription(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  
  /**
   * Up at once, down from the next period on. Again changes nothing.
   */
  ChangeSubscription(argument: _atelier_v1_ChangeSubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  ChangeSubscription(argument: _atelier_v1_ChangeSubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  ChangeSubscription(argument: _atelier_v1_ChangeSubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  ChangeSubscription(argument: _atelier_v1_ChangeSubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  /**
   * Up at once, down from the next period on. Again changes nothing.
   */
  changeSubscription(argument: _atelier_v1_ChangeSubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  changeSubscription(argument: _atelier_v1_ChangeSubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  changeSubscription(argument: _atelier_v1_ChangeSubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  changeSubscription(argument: _atelier_v1_ChangeSubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  
  /**
   * A change that was to come with the next period does not.
   */
  DropChange(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  DropChange(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  DropChange(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  DropChange(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  /**
   * A change that was to come with the next period does not.
   */
  dropChange(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  dropChange(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  dropChange(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  dropChange(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  
  /**
   * At the demo provider alone: the period that is paid is over now. Errors: not_found.
   */
  EndDemoPeriod(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  EndDemoPeriod(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  EndDemoPeriod(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  EndDemoPeriod(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  /**
   * At the demo provider alone: the period that is paid is over now. Errors: not_found.
   */
  endDemoPeriod(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  endDemoPeriod(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  endDemoPeriod(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  endDemoPeriod(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  
  /**
   * Newest first, those that have ended too.
   */
  ListSubscriptions(argument: _atelier_v1_ListSubscriptionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSubscriptionsReply>): grpc.ClientUnaryCall;
  ListSubscriptions(argument: _atelier_v1_ListSubscriptionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListSubscriptionsReply>): grpc.ClientUnaryCall;
  ListSubscriptions(argument: _atelier_v1_ListSubscriptionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSubscriptionsReply>): grpc.ClientUnaryCall;
  ListSubscriptions(argument: _atelier_v1_ListSubscriptionsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListSubscriptionsReply>): grpc.ClientUnaryCall;
  /**
   * Newest first, those that have ended too.
   */
  listSubscriptions(argument: _atelier_v1_ListSubscriptionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSubscriptionsReply>): grpc.ClientUnaryCall;
  listSubscriptions(argument: _atelier_v1_ListSubscriptionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListSubscriptionsReply>): grpc.ClientUnaryCall;
  listSubscriptions(argument: _atelier_v1_ListSubscriptionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSubscriptionsReply>): grpc.ClientUnaryCall;
  listSubscriptions(argument: _atelier_v1_ListSubscriptionsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListSubscriptionsReply>): grpc.ClientUnaryCall;
  
  /**
   * Where cards and addresses are changed.
   */
  OpenPortal(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Portal>): grpc.ClientUnaryCall;
  OpenPortal(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Portal>): grpc.ClientUnaryCall;
  OpenPortal(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Portal>): grpc.ClientUnaryCall;
  OpenPortal(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Portal>): grpc.ClientUnaryCall;
  /**
   * Where cards and addresses are changed.
   */
  openPortal(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Portal>): grpc.ClientUnaryCall;
  openPortal(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Portal>): grpc.ClientUnaryCall;
  openPortal(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Portal>): grpc.ClientUnaryCall;
  openPortal(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Portal>): grpc.ClientUnaryCall;
  
  /**
   * What a change would come to.
   */
  QuoteChange(argument: _atelier_v1_ChangeSubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ChangeQuote>): grpc.ClientUnaryCall;
  QuoteChange(argument: _atelier_v1_ChangeSubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ChangeQuote>): grpc.ClientUnaryCall;
  QuoteChange(argument: _atelier_v1_ChangeSubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ChangeQuote>): grpc.ClientUnaryCall;
  QuoteChange(argument: _atelier_v1_ChangeSubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_ChangeQuote>): grpc.ClientUnaryCall;
  /**
   * What a change would come to.
   */
  quoteChange(argument: _atelier_v1_ChangeSubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ChangeQuote>): grpc.ClientUnaryCall;
  quoteChange(argument: _atelier_v1_ChangeSubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ChangeQuote>): grpc.ClientUnaryCall;
  quoteChange(argument: _atelier_v1_ChangeSubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ChangeQuote>): grpc.ClientUnaryCall;
  quoteChange(argument: _atelier_v1_ChangeSubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_ChangeQuote>): grpc.ClientUnaryCall;
  
  /**
   * A cancelled one goes on. Again changes nothing.
   */
  ResumeSubscription(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  ResumeSubscription(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  ResumeSubscription(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  ResumeSubscription(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  /**
   * A cancelled one goes on. Again changes nothing.
   */
  resumeSubscription(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  resumeSubscription(argument: _atelier_v1_SubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  resumeSubscription(argument: _atelier_v1_SubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  resumeSubscription(argument: _atelier_v1_SubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  
}

/**
 * Plans and memberships that are paid by the period. For the signed-in person alone: they are joined by orders, and no key changes them.
 * Errors of what changes: not_found (none of the kind), order_conflict, not_for_sale, price_changed.
 */
export interface SubscriptionsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * It ends with the period that is paid; at once where a payment is missing. Again changes nothing.
   */
  CancelSubscription: grpc.handleUnaryCall<_atelier_v1_SubscriptionRequest, _atelier_v1_SubscriptionInput>;
  
  /**
   * Up at once, down from the next period on. Again changes nothing.
   */
  ChangeSubscription: grpc.handleUnaryCall<_atelier_v1_ChangeSubscriptionRequest, _atelier_v1_SubscriptionInput>;
  
  /**
   * A change that was to come with the next period does not.
   */
  DropChange: grpc.handleUnaryCall<_atelier_v1_SubscriptionRequest, _atelier_v1_SubscriptionInput>;
  
  /**
   * At the demo provider alone: the period that is paid is over now. Errors: not_found.
   */
  EndDemoPeriod: grpc.handleUnaryCall<_atelier_v1_SubscriptionRequest, _atelier_v1_SubscriptionInput>;
  
  /**
   * Newest first, those that have ended too.
   */
  ListSubscriptions: grpc.handleUnaryCall<_atelier_v1_ListSubscriptionsRequest, _atelier_v1_ListSubscriptionsReplyInput>;
  
  /**
   * Where cards and addresses are changed.
   */
  OpenPortal: grpc.handleUnaryCall<_atelier_v1_SubscriptionRequest, _atelier_v1_PortalInput>;
  
  /**
   * What a change would come to.
   */
  QuoteChange: grpc.handleUnaryCall<_atelier_v1_ChangeSubscriptionRequest, _atelier_v1_ChangeQuoteInput>;
  
  /**
   * A cancelled one goes on. Again changes nothing.
   */
  ResumeSubscription: grpc.handleUnaryCall<_atelier_v1_SubscriptionRequest, _atelier_v1_SubscriptionInput>;
  
}

export interface SubscriptionsDefinition extends grpc.ServiceDefinition {
  CancelSubscription: MethodDefinition<_atelier_v1_SubscriptionRequestInput, _atelier_v1_SubscriptionInput, _atelier_v1_SubscriptionRequest, _atelier_v1_Subscription>
  ChangeSubscription: MethodDefinition<_atelier_v1_ChangeSubscriptionRequestInput, _atelier_v1_SubscriptionInput, _atelier_v1_ChangeSubscriptionRequest, _atelier_v1_Subscription>
  DropChange: MethodDefinition<_atelier_v1_SubscriptionRequestInput, _atelier_v1_SubscriptionInput, _atelier_v1_SubscriptionRequest, _atelier_v1_Subscription>
  EndDemoPeriod: MethodDefinition<_atelier_v1_SubscriptionRequestInput, _atelier_v1_SubscriptionInput, _atelier_v1_SubscriptionRequest, _atelier_v1_Subscription>
  ListSubscriptions: MethodDefinition<_atelier_v1_ListSubscriptionsRequestInput, _atelier_v1_ListSubscriptionsReplyInput, _atelier_v1_ListSubscriptionsRequest, _atelier_v1_ListSubscriptionsReply>
  OpenPortal: MethodDefinition<_atelier_v1_SubscriptionRequestInput, _atelier_v1_PortalInput, _atelier_v1_SubscriptionRequest, _atelier_v1_Portal>
  QuoteChange: MethodDefinition<_atelier_v1_ChangeSubscriptionRequestInput, _atelier_v1_ChangeQuoteInput, _atelier_v1_ChangeSubscriptionRequest, _atelier_v1_ChangeQuote>
  ResumeSubscription: MethodDefinition<_atelier_v1_SubscriptionRequestInput, _atelier_v1_SubscriptionInput, _atelier_v1_SubscriptionRequest, _atelier_v1_Subscription>
}
