// Original file: atelier/v1/callbacks.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeliveryInput as _atelier_v1_DeliveryInput, Delivery as _atelier_v1_Delivery } from '../../atelier/v1/Delivery.ts';
import type { ListDeliveriesReplyInput as _atelier_v1_ListDeliveriesReplyInput, ListDeliveriesReply as _atelier_v1_ListDeliveriesReply } from '../../atelier/v1/ListDeliveriesReply.ts';
import type { ListDeliveriesRequestInput as _atelier_v1_ListDeliveriesRequestInput, ListDeliveriesRequest as _atelier_v1_ListDeliveriesRequest } from '../../atelier/v1/ListDeliveriesRequest.ts';
import type { RedeliverRequestInput as _atelier_v1_RedeliverRequestInput, RedeliverRequest as _atelier_v1_RedeliverRequest } from '../../atelier/v1/RedeliverRequest.ts';

/**
 * Deliveries of a job's end to the address its owner gave.
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
  
}

/**
 * Deliveries of a job's end to the address its owner gave.
 */
export interface CallbacksHandlers extends grpc.UntypedServiceImplementation {
  ListDeliveries: grpc.handleUnaryCall<_atelier_v1_ListDeliveriesRequest, _atelier_v1_ListDeliveriesReplyInput>;
  
  /**
   * The job's final event once more, due at once. One that is pending is made due instead of queueing another. Errors: job_not_found,
   * job_not_ended, invalid_request, rate_limited.
   */
  Redeliver: grpc.handleUnaryCall<_atelier_v1_RedeliverRequest, _atelier_v1_DeliveryInput>;
  
}

export interface CallbacksDefinition extends grpc.ServiceDefinition {
  ListDeliveries: MethodDefinition<_atelier_v1_ListDeliveriesRequestInput, _atelier_v1_ListDeliveriesReplyInput, _atelier_v1_ListDeliveriesRequest, _atelier_v1_ListDeliveriesReply>
  Redeliver: MethodDefinition<_atelier_v1_RedeliverRequestInput, _atelier_v1_DeliveryInput, _atelier_v1_RedeliverRequest, _atelier_v1_Delivery>
}
