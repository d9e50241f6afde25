// Original file: atelier/v1/admin.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountInput as _atelier_v1_AccountInput, Account as _atelier_v1_Account } from '../../atelier/v1/Account.ts';
import type { AddModelRequestInput as _atelier_v1_AddModelRequestInput, AddModelRequest as _atelier_v1_AddModelRequest } from '../../atelier/v1/AddModelRequest.ts';
import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from '../../atelier/v1/ApiKey.ts';
import type { AuditReportInput as _atelier_v1_AuditReportInput, AuditReport as _atelier_v1_AuditReport } from '../../atelier/v1/AuditReport.ts';
import type { AuditRequestInput as _atelier_v1_AuditRequestInput, AuditRequest as _atelier_v1_AuditRequest } from '../../atelier/v1/AuditRequest.ts';
import type { CreateAccountKeyRequestInput as _atelier_v1_CreateAccountKeyRequestInput, CreateAccountKeyRequest as _atelier_v1_CreateAccountKeyRequest } from '../../atelier/v1/CreateAccountKeyRequest.ts';
import type { CreateAccountRequestInput as _atelier_v1_CreateAccountRequestInput, CreateAccountRequest as _atelier_v1_CreateAccountRequest } from '../../atelier/v1/CreateAccountRequest.ts';
import type { CreateKeyReplyInput as _atelier_v1_CreateKeyReplyInput, CreateKeyReply as _atelier_v1_CreateKeyReply } from '../../atelier/v1/CreateKeyReply.ts';
import type { GetAccountRequestInput as _atelier_v1_GetAccountRequestInput, GetAccountRequest as _atelier_v1_GetAccountRequest } from '../../atelier/v1/GetAccountRequest.ts';
import type { GrantCreditsRequestInput as _atelier_v1_GrantCreditsRequestInput, GrantCreditsRequest as _atelier_v1_GrantCreditsRequest } from '../../atelier/v1/GrantCreditsRequest.ts';
import type { LedgerEntryInput as _atelier_v1_LedgerEntryInput, LedgerEntry as _atelier_v1_LedgerEntry } from '../../atelier/v1/LedgerEntry.ts';
import type { ListModelsReplyInput as _atelier_v1_ListModelsReplyInput, ListModelsReply as _atelier_v1_ListModelsReply } from '../../atelier/v1/ListModelsReply.ts';
import type { ListModelsRequestInput as _atelier_v1_ListModelsRequestInput, ListModelsRequest as _atelier_v1_ListModelsRequest } from '../../atelier/v1/ListModelsRequest.ts';
import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from '../../atelier/v1/Model.ts';
import type { RetireModelRequestInput as _atelier_v1_RetireModelRequestInput, RetireModelRequest as _atelier_v1_RetireModelRequest } from '../../atelier/v1/RetireModelRequest.ts';
import type { RevokeAccountKeyRequestInput as _atelier_v1_RevokeAccountKeyRequestInput, RevokeAccountKeyRequest as _atelier_v1_RevokeAccountKeyRequest } from '../../atelier/v1/RevokeAccountKeyRequest.ts';
import type { RevokeServiceNameReplyInput as _atelier_v1_RevokeServiceNameReplyInput, RevokeServiceNameReply as _atelier_v1_RevokeServiceNameReply } from '../../atelier/v1/RevokeServiceNameReply.ts';
import type { RevokeServiceNameRequestInput as _atelier_v1_RevokeServiceNameRequestInput, RevokeServiceNameRequest as _atelier_v1_RevokeServiceNameRequest } from '../../atelier/v1/RevokeServiceNameRequest.ts';
import type { SetAccountStatusRequestInput as _atelier_v1_SetAccountStatusRequestInput, SetAccountStatusRequest as _atelier_v1_SetAccountStatusRequest } from '../../atelier/v1/SetAccountStatusRequest.ts';
import type { SetPlanRequestInput as _atelier_v1_SetPlanRequestInput, SetPlanRequest as _atelier_v1_SetPlanRequest } from '../../atelier/v1/SetPlanRequest.ts';

/**
 * Operators and support. Callable only with a service token that has the Admin scope.
 */
export interface AdminClient extends grpc.Client {
  AddModel(argument: _atelier_v1_AddModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  AddModel(argument: _atelier_v1_AddModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  AddModel(argument: _atelier_v1_AddModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  AddModel(argument: _atelier_v1_AddModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  addModel(argument: _atelier_v1_AddModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  addModel(argument: _atelier_v1_AddModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  addModel(argument: _atelier_v1_AddModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  addModel(argument: _atelier_v1_AddModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  
  /**
   * Recounts everything; streams progress and findings, ends with done.
   */
  Audit(argument: _atelier_v1_AuditRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_AuditReport>;
  Audit(argument: _atelier_v1_AuditRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_AuditReport>;
  /**
   * Recounts everything; streams progress and findings, ends with done.
   */
  audit(argument: _atelier_v1_AuditRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_AuditReport>;
  audit(argument: _atelier_v1_AuditRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_AuditReport>;
  
  CreateAccount(argument: _atelier_v1_CreateAccountRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  CreateAccount(argument: _atelier_v1_CreateAccountRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  CreateAccount(argument: _atelier_v1_CreateAccountRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  CreateAccount(argument: _atelier_v1_CreateAccountRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  createAccount(argument: _atelier_v1_CreateAccountRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  createAccount(argument: _atelier_v1_CreateAccountRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  createAccount(argument: _atelier_v1_CreateAccountRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  createAccount(argument: _atelier_v1_CreateAccountRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  
  CreateAccountKey(argument: _atelier_v1_CreateAccountKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  CreateAccountKey(argument: _atelier_v1_CreateAccountKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  CreateAccountKey(argument: _atelier_v1_CreateAccountKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  CreateAccountKey(argument: _atelier_v1_CreateAccountKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  createAccountKey(argument: _atelier_v1_CreateAccountKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  createAccountKey(argument: _atelier_v1_CreateAccountKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  createAccountKey(argument: _atelier_v1_CreateAccountKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  createAccountKey(argument: _atelier_v1_CreateAccountKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  
  GetAccount(argument: _atelier_v1_GetAccountRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  GetAccount(argument: _atelier_v1_GetAccountRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  GetAccount(argument: _atelier_v1_GetAccountRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  GetAccount(argument: _atelier_v1_GetAccountRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  getAccount(argument: _atelier_v1_GetAccountRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  getAccount(argument: _atelier_v1_GetAccountRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  getAccount(argument: _atelier_v1_GetAccountRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  getAccount(argument: _atelier_v1_GetAccountRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  
  GrantCredits(argument: _atelier_v1_GrantCreditsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  GrantCredits(argument: _atelier_v1_GrantCreditsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  GrantCredits(argument: _atelier_v1_GrantCreditsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  GrantCredits(argument: _atelier_v1_GrantCreditsRequestInput, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  grantCredits(argument: _atelier_v1_GrantCreditsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  grantCredits(argument: _atelier_v1_GrantCreditsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  grantCredits(argument: _atelier_v1_GrantCreditsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  grantCredits(argument: _atelier_v1_GrantCreditsRequestInput, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  
  /**
   * Retired ones too.
   */
  ListAllModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ListAllModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ListAllModels(argument: _atelier_v1_ListModelsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ListAllModels(argument: _atelier_v1_ListModelsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  /**
   * Retired ones too.
   */
  listAllModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  listAllModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  listAllModels(argument: _atelier_v1_ListModelsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  listAllModels(argument: _atelier_v1_ListModelsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  
  RetireModel(argument: _atelier_v1_RetireModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  RetireModel(argument: _atelier_v1_RetireModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  RetireModel(argument: _atelier_v1_RetireModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  RetireModel(argument: _atelier_v1_RetireModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  retireModel(argument: _atelier_v1_RetireModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  retireModel(argument: _atelier_v1_RetireModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  retireModel(argument: _atelier_v1_RetireModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  retireModel(argument: _atelier_v1_RetireModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  
  RevokeAccountKey(argument: _atelier_v1_RevokeAccountKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeAccountKey(argument: _atelier_v1_RevokeAccountKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeAccountKey(argument: _atelier_v1_RevokeAccountKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeAccountKey(argument: _atelier_v1_RevokeAccountKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeAccountKey(argument: _atelier_v1_RevokeAccountKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeAccountKey(argument: _atelier_v1_RevokeAccountKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeAccountKey(argument: _atelier_v1_RevokeAccountKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeAccountKey(argument: _atelier_v1_RevokeAccountKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  
  /**
   * From now on every token whose sub is this name is refused.
   */
  RevokeServiceName(argument: _atelier_v1_RevokeServiceNameRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RevokeServiceNameReply>): grpc.ClientUnaryCall;
  RevokeServiceName(argument: _atelier_v1_RevokeServiceNameRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RevokeServiceNameReply>): grpc.ClientUnaryCall;
  RevokeServiceName(argument: _atelier_v1_RevokeServiceNameRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RevokeServiceNameReply>): grpc.ClientUnaryCall;
  RevokeServiceName(argument: _atelier_v1_RevokeServiceNameRequestInput, callback: grpc.requestCallback<_atelier_v1_RevokeServiceNameReply>): grpc.ClientUnaryCall;
  /**
   * From now on every token whose sub is this name is refused.
   */
  revokeServiceName(argument: _atelier_v1_RevokeServiceNameRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RevokeServiceNameReply>): grpc.ClientUnaryCall;
  revokeServiceName(argument: _atelier_v1_RevokeServiceNameRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RevokeServiceNameReply>): grpc.ClientUnaryCall;
  revokeServiceName(argument: _atelier_v1_RevokeServiceNameRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RevokeServiceNameReply>): grpc.ClientUnaryCall;
  revokeServiceName(argument: _atelier_v1_RevokeServiceNameRequestInput, callback: grpc.requestCallback<_atelier_v1_RevokeServiceNameReply>): grpc.ClientUnaryCall;
  
  SetAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  
  SetPlan(argument: _atelier_v1_SetPlanRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetPlan(argument: _atelier_v1_SetPlanRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetPlan(argument: _atelier_v1_SetPlanRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetPlan(argument: _atelier_v1_SetPlanRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setPlan(argument: _atelier_v1_SetPlanRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setPlan(argument: _atelier_v1_SetPlanRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setPlan(argument: _atelier_v1_SetPlanRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setPlan(argument: _atelier_v1_SetPlanRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  
}

/**
 * Operators and support. Callable only with a service token that has the Admin scope.
 */
export interface AdminHandlers extends grpc.UntypedServiceImplementation {
  AddModel: grpc.handleUnaryCall<_atelier_v1_AddModelRequest, _atelier_v1_ModelInput>;
  
  /**
   * Recounts everything; streams progress and findings, ends with done.
   */
  Audit: grpc.handleServerStreamingCall<_atelier_v1_AuditRequest, _atelier_v1_AuditReportInput>;
  
  CreateAccount: grpc.handleUnaryCall<_atelier_v1_CreateAccountRequest, _atelier_v1_AccountInput>;
  
  CreateAccountKey: grpc.handleUnaryCall<_atelier_v1_CreateAccountKeyRequest, _atelier_v1_CreateKeyReplyInput>;
  
  GetAccount: grpc.handleUnaryCall<_atelier_v1_GetAccountRequest, _atelier_v1_AccountInput>;
  
  GrantCredits: grpc.handleUnaryCall<_atelier_v1_GrantCreditsRequest, _atelier_v1_LedgerEntryInput>;
  
  /**
   * Retired ones too.
   */
  ListAllModels: grpc.handleUnaryCall<_atelier_v1_ListModelsRequest, _atelier_v1_ListModelsReplyInput>;
  
  RetireModel: grpc.handleUnaryCall<_atelier_v1_RetireModelRequest, _atelier_v1_ModelInput>;
  
  RevokeAccountKey: grpc.handleUnaryCall<_atelier_v1_RevokeAccountKeyRequest, _atelier_v1_ApiKeyInput>;
  
  /**
   * From now on every token whose sub is this name is refused.
   */
  RevokeServiceName: grpc.handleUnaryCall<_atelier_v1_RevokeServiceNameRequest, _atelier_v1_RevokeServiceNameReplyInput>;
  
  SetAccountStatus: grpc.handleUnaryCall<_atelier_v1_SetAccountStatusRequest, _atelier_v1_AccountInput>;
  
  SetPlan: grpc.handleUnaryCall<_atelier_v1_SetPlanRequest, _atelier_v1_AccountInput>;
  
}

export interface AdminDefinition extends grpc.ServiceDefinition {
  AddModel: MethodDefinition<_atelier_v1_AddModelRequestInput, _atelier_v1_ModelInput, _atelier_v1_AddModelRequest, _atelier_v1_Model>
  Audit: MethodDefinition<_atelier_v1_AuditRequestInput, _atelier_v1_AuditReportInput, _atelier_v1_AuditRequest, _atelier_v1_AuditReport>
  CreateAccount: MethodDefinition<_atelier_v1_CreateAccountRequestInput, _atelier_v1_AccountInput, _atelier_v1_CreateAccountRequest, _atelier_v1_Account>
  CreateAccountKey: MethodDefinition<_atelier_v1_CreateAccountKeyRequestInput, _atelier_v1_CreateKeyReplyInput, _atelier_v1_CreateAccountKeyRequest, _atelier_v1_CreateKeyReply>
  GetAccount: MethodDefinition<_atelier_v1_GetAccountRequestInput, _atelier_v1_AccountInput, _atelier_v1_GetAccountRequest, _atelier_v1_Account>
  GrantCredits: MethodDefinition<_atelier_v1_GrantCreditsRequestInput, _atelier_v1_LedgerEntryInput, _atelier_v1_GrantCreditsRequest, _atelier_v1_LedgerEntry>
  ListAllModels: MethodDefinition<_atelier_v1_ListModelsRequestInput, _atelier_v1_ListModelsReplyInput, _atelier_v1_ListModelsRequest, _atelier_v1_ListModelsReply>
  RetireModel: MethodDefinition<_atelier_v1_RetireModelRequestInput, _atelier_v1_ModelInput, _atelier_v1_RetireModelRequest, _atelier_v1_Model>
  RevokeAccountKey: MethodDefinition<_atelier_v1_RevokeAccountKeyRequestInput, _atelier_v1_ApiKeyInput, _atelier_v1_RevokeAccountKeyRequest, _atelier_v1_ApiKey>
  RevokeServiceName: MethodDefinition<_atelier_v1_RevokeServiceNameRequestInput, _atelier_v1_RevokeServiceNameReplyInput, _atelier_v1_RevokeServiceNameRequest, _atelier_v1_RevokeServiceNameReply>
  SetAccountStatus: MethodDefinition<_atelier_v1_SetAccountStatusRequestInput, _atelier_v1_AccountInput, _atelier_v1_SetAccountStatusRequest, _atelier_v1_Account>
  SetPlan: MethodDefinition<_atelier_v1_SetPlanRequestInput, _atelier_v1_AccountInput, _atelier_v1_SetPlanRequest, _atelier_v1_Account>
}
