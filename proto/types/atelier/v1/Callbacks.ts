// Original file: atelier/v1/callbacks.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeliveryInput as _atelier_v1_DeliveryInput, Delivery as _atelier_v1_Delivery } from '../../atelier/v1/Delivery.ts';
import type { DeliveryPageInput as _atelier_v1_DeliveryPageInput, DeliveryPage as _atelier_v1_DeliveryPage } from '../../atelier/v1/DeliveryPage.ts';
import type { ListDeliveriesReplyInput as _atelier_v1_ListDeliveriesReplyInput, ListDeliveriesReply as _atelier_v1_ListDeliveriesReply } from '../../atelier/v1/ListDeliveriesReply.ts';
import type { ListDeliveriesRequestInput as _atelier_v1_ListDeliveriesRequestInput, ListDeliveriesRequest as _atelier_v1_ListDeliveriesRequest } from '../../atelier/v1/ListDeliveriesRequest.ts';
import type { ListOwnDeliveriesRequestInput as _atelier_v1_ListOwnDeliveriesRequestInput, ListOwnDeliveriesRequest as _atelier_v1_ListOwnDeliveriesRequest } from '../../atelier/v1/ListOwnDeliveriesRequest.ts';
import type { RedeliverRequestInput as _atelier_v1_RedeliverRequestInput, RedeliverRequest as _atelier_v1_RedeliverRequest } from '../../atelier/v1/RedeliverRequest.ts';
import type { SendTestEventRequestInput as _atelier_v1_SendTestEventRequestInput, SendTestEventRequest as _atelier_v1_SendTestEventRequest } from '../../atelier/v1/SendTestEventRequest.ts';

/**
 * Deliveries of the end of a job or a workflow to the address its owner gave.
 */
export interface CallbacksClient extends grpc.Client {
  ListDeliveries(argument: _atelier_v1_ListDeliveriesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeliveriesReply>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _atelier_v1_ListDeliveriesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDeliveriesReply>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _atelier_v1_ListDeliveriesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeliveriesReply>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _atelier_v1_ListDeliveriesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDeliveriesReply>): grpc.ClientUnaryCall;
  listDeliveries(argument: _atelier_v1_ListDeliveriesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeliveriesReply>): grpc.ClientUnaryCall;
  listDeliveries(argument: _atelier_v1_ListDeliveriesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDeliveriesReply>): grpc.ClientUnaryCall;
  listDeliveries(argument: _atelier_v1_ListDeliveriesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeliveriesReply>): grpc.ClientUnaryCall;
  listDeliveries(argument: _atelier_v1_ListDeliveriesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDeliveriesReply>): grpc.ClientUnaryCall;
  
  /**
   * All of the account, of the newest jobs first, test events among them.
   */
  ListOwnDeliveries(argument: _atelier_v1_ListOwnDeliveriesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeliveryPage>): grpc.ClientUnaryCall;
  ListOwnDeliveries(argument: _atelier_v1_ListOwnDeliveriesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DeliveryPage>): grpc.ClientUnaryCall;
  ListOwnDeliveries(argument: _atelier_v1_ListOwnDeliveriesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeliveryPage>): grpc.ClientUnaryCall;
  ListOwnDeliveries(argument: _atelier_v1_ListOwnDeliveriesRequestInput, callback: grpc.requestCallback<_atelier_v1_DeliveryPage>): grpc.ClientUnaryCall;
  /**
   * All of the account, of the newest jobs first, test events among them.
   */
  listOwnDeliveries(argument: _atelier_v1_ListOwnDeliveriesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeliveryPage>): grpc.ClientUnaryCall;
  listOwnDeliveries(argument: _atelier_v1_ListOwnDeliveriesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DeliveryPage>): grpc.ClientUnaryCall;
  listOwnDeliveries(argument: _atelier_v1_ListOwnDeliveriesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeliveryPage>): grpc.ClientUnaryCall;
  listOwnDeliveries(argument: _atelier_v1_ListOwnDeliveriesRequestInput, callback: grpc.requestCallback<_atelier_v1_DeliveryPage>): grpc.ClientUnaryCall;
  
  /**
   * The job's final event once more, due at once. One that is pending is made due instead of queueing another. Errors: job_not_found,
   * job_not_ended, invalid_request, rate_limited.
   */
  Redeliver(argument: _atelier_v1_RedeliverRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  Redeliver(argument: _atelier_v1_RedeliverRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  Redeliver(argument: _atelier_v1_RedeliverRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  Redeliver(argument: _atelier_v1_RedeliverRequestInput, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  /**
   * The job's final event once more, due at once. One that is pending is made due instead of queueing another. Errors: job_not_found,
   * job_not_ended, invalid_request, rate_limited.
   */
  redeliver(argument: _atelier_v1_RedeliverRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  redeliver(argument: _atelier_v1_RedeliverRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  redeliver(argument: _atelier_v1_RedeliverRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  redeliver(argument: _atelier_v1_RedeliverRequestInput, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  
  /**
   * Sends one signed event `test` at once and answers what the receiver said. Moves nothing. Errors: callback_url_refused, rate_limited.
   */
  SendTestEvent(argument: _atelier_v1_SendTestEventRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  SendTestEvent(argument: _atelier_v1_SendTestEventRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  SendTestEvent(argument: _atelier_v1_SendTestEventRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  SendTestEvent(argument: _atelier_v1_SendTestEventRequestInput, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  /**
   * Sends one signed event `test` at once and answers what the receiver said. Moves nothing. Errors: callback_url_refused, rate_limited.
   */
  sendTestEvent(argument: _atelier_v1_SendTestEventRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  sendTestEvent(argument: _atelier_v1_SendTestEventRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  sendTestEvent(argument: _atelier_v1_SendTestEventRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  sendTestEvent(argument: _atelier_v1_SendTestEventRequestInput, callback: grpc.requestCallback<_atelier_v1_Delivery>): grpc.ClientUnaryCall;
  
}

/**
 * Deliveries of the end of a job or a workflow to the address its owner gave.
 */
export interface CallbacksHandlers extends grpc.UntypedServiceImplementation {
  ListDeliveries: grpc.handleUnaryCall<_atelier_v1_ListDeliveriesRequest, _atelier_v1_ListDeliveriesReplyInput>;
  
  /**
   * All of the account, of the newest jobs first, test events among them.
   */
  ListOwnDeliveries: grpc.handleUnaryCall<_atelier_v1_ListOwnDeliveriesRequest, _atelier_v1_DeliveryPageInput>;
  
  /**
   * The job's final event once more, due at once. One that is pending is made due instead of queueing another. Errors: job_not_found,
   * job_not_ended, invalid_request, rate_limited.
   */
  Redeliver: grpc.handleUnaryCall<_atelier_v1_RedeliverRequest, _atelier_v1_DeliveryInput>;
  
  /**
   * Sends one signed event `test` at once and answers what the receiver said. Moves nothing. Errors: callback_url_refused, rate_limited.
   */
  SendTestEvent: grpc.handleUnaryCall<_atelier_v1_SendTestEventRequest, _atelier_v1_DeliveryInput>;
  
}

export interface CallbacksDefinition extends grpc.ServiceDefinition {
  ListDeliveries: MethodDefinition<_atelier_v1_ListDeliveriesRequestInput, _atelier_v1_ListDeliveriesReplyInput, _atelier_v1_ListDeliveriesRequest, _atelier_v1_ListDeliveriesReply>
  ListOwnDeliveries: MethodDefinition<_atelier_v1_ListOwnDeliveriesRequestInput, _atelier_v1_DeliveryPageInput, _atelier_v1_ListOwnDeliveriesRequest, _atelier_v1_DeliveryPage>
  Redeliver: MethodDefinition<_atelier_v1_RedeliverRequestInput, _atelier_v1_DeliveryInput, _atelier_v1_RedeliverRequest, _atelier_v1_Delivery>
  SendTestEvent: MethodDefinition<_atelier_v1_SendTestEventRequestInput, _atelier_v1_DeliveryInput, _atelier_v1_SendTestEventRequest, _atelier_v1_Delivery>
}
