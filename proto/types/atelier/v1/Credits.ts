// Original file: atelier/v1/credits.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BalanceInput as _atelier_v1_BalanceInput, Balance as _atelier_v1_Balance } from '../../atelier/v1/Balance.ts';
import type { GetBalanceRequestInput as _atelier_v1_GetBalanceRequestInput, GetBalanceRequest as _atelier_v1_GetBalanceRequest } from '../../atelier/v1/GetBalanceRequest.ts';
import type { GetLowCreditsRequestInput as _atelier_v1_GetLowCreditsRequestInput, GetLowCreditsRequest as _atelier_v1_GetLowCreditsRequest } from '../../atelier/v1/GetLowCreditsRequest.ts';
import type { ListLedgerReplyInput as _atelier_v1_ListLedgerReplyInput, ListLedgerReply as _atelier_v1_ListLedgerReply } from '../../atelier/v1/ListLedgerReply.ts';
import type { ListLedgerRequestInput as _atelier_v1_ListLedgerRequestInput, ListLedgerRequest as _atelier_v1_ListLedgerRequest } from '../../atelier/v1/ListLedgerRequest.ts';
import type { LowCreditsInput as _atelier_v1_LowCreditsInput, LowCredits as _atelier_v1_LowCredits } from '../../atelier/v1/LowCredits.ts';

/**
 * The caller's credits. Needs read scope.
 */
export interface CreditsClient extends grpc.Client {
  GetBalance(argument: _atelier_v1_GetBalanceRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Balance>): grpc.ClientUnaryCall;
  GetBalance(argument: _atelier_v1_GetBalanceRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Balance>): grpc.ClientUnaryCall;
  GetBalance(argument: _atelier_v1_GetBalanceRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Balance>): grpc.ClientUnaryCall;
  GetBalance(argument: _atelier_v1_GetBalanceRequestInput, callback: grpc.requestCallback<_atelier_v1_Balance>): grpc.ClientUnaryCall;
  getBalance(argument: _atelier_v1_GetBalanceRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Balance>): grpc.ClientUnaryCall;
  getBalance(argument: _atelier_v1_GetBalanceRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Balance>): grpc.ClientUnaryCall;
  getBalance(argument: _atelier_v1_GetBalanceRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Balance>): grpc.ClientUnaryCall;
  getBalance(argument: _atelier_v1_GetBalanceRequestInput, callback: grpc.requestCallback<_atelier_v1_Balance>): grpc.ClientUnaryCall;
  
  /**
   * Below how many available credits the signed-in person is told by mail, once until there are as many again. Not for keys.
   */
  GetLowCredits(argument: _atelier_v1_GetLowCreditsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  GetLowCredits(argument: _atelier_v1_GetLowCreditsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  GetLowCredits(argument: _atelier_v1_GetLowCreditsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  GetLowCredits(argument: _atelier_v1_GetLowCreditsRequestInput, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  /**
   * Below how many available credits the signed-in person is told by mail, once until there are as many again. Not for keys.
   */
  getLowCredits(argument: _atelier_v1_GetLowCreditsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  getLowCredits(argument: _atelier_v1_GetLowCreditsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  getLowCredits(argument: _atelier_v1_GetLowCreditsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  getLowCredits(argument: _atelier_v1_GetLowCreditsRequestInput, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  
  /**
   * Newest first.
   */
  ListLedger(argument: _atelier_v1_ListLedgerRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  ListLedger(argument: _atelier_v1_ListLedgerRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  ListLedger(argument: _atelier_v1_ListLedgerRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  ListLedger(argument: _atelier_v1_ListLedgerRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listLedger(argument: _atelier_v1_ListLedgerRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  listLedger(argument: _atelier_v1_ListLedgerRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  listLedger(argument: _atelier_v1_ListLedgerRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  listLedger(argument: _atelier_v1_ListLedgerRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  
  SetLowCredits(argument: _atelier_v1_LowCreditsInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  SetLowCredits(argument: _atelier_v1_LowCreditsInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  SetLowCredits(argument: _atelier_v1_LowCreditsInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  SetLowCredits(argument: _atelier_v1_LowCreditsInput, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  setLowCredits(argument: _atelier_v1_LowCreditsInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  setLowCredits(argument: _atelier_v1_LowCreditsInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  setLowCredits(argument: _atelier_v1_LowCreditsInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  setLowCredits(argument: _atelier_v1_LowCreditsInput, callback: grpc.requestCallback<_atelier_v1_LowCredits>): grpc.ClientUnaryCall;
  
}

/**
 * The caller's credits. Needs read scope.
 */
export interface CreditsHandlers extends grpc.UntypedServiceImplementation {
  GetBalance: grpc.handleUnaryCall<_atelier_v1_GetBalanceRequest, _atelier_v1_BalanceInput>;
  
  /**
   * Below how many available credits the signed-in person is told by mail, once until there are as many again. Not for keys.
   */
  GetLowCredits: grpc.handleUnaryCall<_atelier_v1_GetLowCreditsRequest, _atelier_v1_LowCreditsInput>;
  
  /**
   * Newest first.
   */
  ListLedger: grpc.handleUnaryCall<_atelier_v1_ListLedgerRequest, _atelier_v1_ListLedgerReplyInput>;
  
  SetLowCredits: grpc.handleUnaryCall<_atelier_v1_LowCredits, _atelier_v1_LowCreditsInput>;
  
}

export interface CreditsDefinition extends grpc.ServiceDefinition {
  GetBalance: MethodDefinition<_atelier_v1_GetBalanceRequestInput, _atelier_v1_BalanceInput, _atelier_v1_GetBalanceRequest, _atelier_v1_Balance>
  GetLowCredits: MethodDefinition<_atelier_v1_GetLowCreditsRequestInput, _atelier_v1_LowCreditsInput, _atelier_v1_GetLowCreditsRequest, _atelier_v1_LowCredits>
  ListLedger: MethodDefinition<_atelier_v1_ListLedgerRequestInput, _atelier_v1_ListLedgerReplyInput, _atelier_v1_ListLedgerRequest, _atelier_v1_ListLedgerReply>
  SetLowCredits: MethodDefinition<_atelier_v1_LowCreditsInput, _atelier_v1_LowCreditsInput, _atelier_v1_LowCredits, _atelier_v1_LowCredits>
}
