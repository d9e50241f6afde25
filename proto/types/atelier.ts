import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AccountInput as _atelier_v1_AccountInput, Account as _atelier_v1_Account } from './atelier/v1/Account.ts';
import type { AccountsClient as _atelier_v1_AccountsClient, AccountsDefinition as _atelier_v1_AccountsDefinition } from './atelier/v1/Accounts.ts';
import type { AddModelRequestInput as _atelier_v1_AddModelRequestInput, AddModelRequest as _atelier_v1_AddModelRequest } from './atelier/v1/AddModelRequest.ts';
import type { AdminClient as _atelier_v1_AdminClient, AdminDefinition as _atelier_v1_AdminDefinition } from './atelier/v1/Admin.ts';
import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from './atelier/v1/ApiKey.ts';
import type { AuditFindingInput as _atelier_v1_AuditFindingInput, AuditFinding as _atelier_v1_AuditFinding } from './atelier/v1/AuditFinding.ts';
import type { AuditReportInput as _atelier_v1_AuditReportInput, AuditReport as _atelier_v1_AuditReport } from './atelier/v1/AuditReport.ts';
import type { AuditRequestInput as _atelier_v1_AuditRequestInput, AuditRequest as _atelier_v1_AuditRequest } from './atelier/v1/AuditRequest.ts';
import type { AuthenticateRequestInput as _atelier_v1_AuthenticateRequestInput, AuthenticateRequest as _atelier_v1_AuthenticateRequest } from './atelier/v1/AuthenticateRequest.ts';
import type { BalanceInput as _atelier_v1_BalanceInput, Balance as _atelier_v1_Balance } from './atelier/v1/Balance.ts';
import type { CallbackSecretInput as _atelier_v1_CallbackSecretInput, CallbackSecret as _atelier_v1_CallbackSecret } from './atelier/v1/CallbackSecret.ts';
import type { CallbacksClient as _atelier_v1_CallbacksClient, CallbacksDefinition as _atelier_v1_CallbacksDefinition } from './atelier/v1/Callbacks.ts';
import type { CancelJobRequestInput as _atelier_v1_CancelJobRequestInput, CancelJobRequest as _atelier_v1_CancelJobRequest } from './atelier/v1/CancelJobRequest.ts';
import type { CreateAccountKeyRequestInput as _atelier_v1_CreateAccountKeyRequestInput, CreateAccountKeyRequest as _atelier_v1_CreateAccountKeyRequest } from './atelier/v1/CreateAccountKeyRequest.ts';
import type { CreateAccountRequestInput as _atelier_v1_CreateAccountRequestInput, CreateAccountRequest as _atelier_v1_CreateAccountRequest } from './atelier/v1/CreateAccountRequest.ts';
import type { CreateKeyReplyInput as _atelier_v1_CreateKeyReplyInput, CreateKeyReply as _atelier_v1_CreateKeyReply } from './atelier/v1/CreateKeyReply.ts';
import type { CreateKeyRequestInput as _atelier_v1_CreateKeyRequestInput, CreateKeyRequest as _atelier_v1_CreateKeyRequest } from './atelier/v1/CreateKeyRequest.ts';
import type { CreditsClient as _atelier_v1_CreditsClient, CreditsDefinition as _atelier_v1_CreditsDefinition } from './atelier/v1/Credits.ts';
import type { DeliveryInput as _atelier_v1_DeliveryInput, Delivery as _atelier_v1_Delivery } from './atelier/v1/Delivery.ts';
import type { DeliveryAttemptInput as _atelier_v1_DeliveryAttemptInput, DeliveryAttempt as _atelier_v1_DeliveryAttempt } from './atelier/v1/DeliveryAttempt.ts';
import type { GenerateReplyInput as _atelier_v1_GenerateReplyInput, GenerateReply as _atelier_v1_GenerateReply } from './atelier/v1/GenerateReply.ts';
import type { GenerateRequestInput as _atelier_v1_GenerateRequestInput, GenerateRequest as _atelier_v1_GenerateRequest } from './atelier/v1/GenerateRequest.ts';
import type { GetAccountRequestInput as _atelier_v1_GetAccountRequestInput, GetAccountRequest as _atelier_v1_GetAccountRequest } from './atelier/v1/GetAccountRequest.ts';
import type { GetBalanceRequestInput as _atelier_v1_GetBalanceRequestInput, GetBalanceRequest as _atelier_v1_GetBalanceRequest } from './atelier/v1/GetBalanceRequest.ts';
import type { GetJobRequestInput as _atelier_v1_GetJobRequestInput, GetJobRequest as _atelier_v1_GetJobRequest } from './atelier/v1/GetJobRequest.ts';
import type { GrantCreditsRequestInput as _atelier_v1_GrantCreditsRequestInput, GrantCreditsRequest as _atelier_v1_GrantCreditsRequest } from './atelier/v1/GrantCreditsRequest.ts';
import type { IdentityInput as _atelier_v1_IdentityInput, Identity as _atelier_v1_Identity } from './atelier/v1/Identity.ts';
import type { JobInput as _atelier_v1_JobInput, Job as _atelier_v1_Job } from './atelier/v1/Job.ts';
import type { JobCallbackInput as _atelier_v1_JobCallbackInput, JobCallback as _atelier_v1_JobCallback } from './atelier/v1/JobCallback.ts';
import type { JobErrorInput as _atelier_v1_JobErrorInput, JobError as _atelier_v1_JobError } from './atelier/v1/JobError.ts';
import type { JobEventInput as _atelier_v1_JobEventInput, JobEvent as _atelier_v1_JobEvent } from './atelier/v1/JobEvent.ts';
import type { JobsClient as _atelier_v1_JobsClient, JobsDefinition as _atelier_v1_JobsDefinition } from './atelier/v1/Jobs.ts';
import type { LedgerEntryInput as _atelier_v1_LedgerEntryInput, LedgerEntry as _atelier_v1_LedgerEntry } from './atelier/v1/LedgerEntry.ts';
import type { ListDeliveriesReplyInput as _atelier_v1_ListDeliveriesReplyInput, ListDeliveriesReply as _atelier_v1_ListDeliveriesReply } from './atelier/v1/ListDeliveriesReply.ts';
import type { ListDeliveriesRequestInput as _atelier_v1_ListDeliveriesRequestInput, ListDeliveriesRequest as _atelier_v1_ListDeliveriesRequest } from './atelier/v1/ListDeliveriesRequest.ts';
import type { ListJobsReplyInput as _atelier_v1_ListJobsReplyInput, ListJobsReply as _atelier_v1_ListJobsReply } from './atelier/v1/ListJobsReply.ts';
import type { ListJobsRequestInput as _atelier_v1_ListJobsRequestInput, ListJobsRequest as _atelier_v1_ListJobsRequest } from './atelier/v1/ListJobsRequest.ts';
import type { ListKeysReplyInput as _atelier_v1_ListKeysReplyInput, ListKeysReply as _atelier_v1_ListKeysReply } from './atelier/v1/ListKeysReply.ts';
import type { ListKeysRequestInput as _atelier_v1_ListKeysRequestInput, ListKeysRequest as _atelier_v1_ListKeysRequest } from './atelier/v1/ListKeysRequest.ts';
import type { ListLedgerReplyInput as _atelier_v1_ListLedgerReplyInput, ListLedgerReply as _atelier_v1_ListLedgerReply } from './atelier/v1/ListLedgerReply.ts';
import type { ListLedgerRequestInput as _atelier_v1_ListLedgerRequestInput, ListLedgerRequest as _atelier_v1_ListLedgerRequest } from './atelier/v1/ListLedgerRequest.ts';
import type { ListModelsReplyInput as _atelier_v1_ListModelsReplyInput, ListModelsReply as _atelier_v1_ListModelsReply } from './atelier/v1/ListModelsReply.ts';
import type { ListModelsRequestInput as _atelier_v1_ListModelsRequestInput, ListModelsRequest as _atelier_v1_ListModelsRequest } from './atelier/v1/ListModelsRequest.ts';
import type { ListPlansReplyInput as _atelier_v1_ListPlansReplyInput, ListPlansReply as _atelier_v1_ListPlansReply } from './atelier/v1/ListPlansReply.ts';
import type { ListPlansRequestInput as _atelier_v1_ListPlansRequestInput, ListPlansRequest as _atelier_v1_ListPlansRequest } from './atelier/v1/ListPlansRequest.ts';
import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from './atelier/v1/Model.ts';
import type { ModelsClient as _atelier_v1_ModelsClient, ModelsDefinition as _atelier_v1_ModelsDefinition } from './atelier/v1/Models.ts';
import type { OutputInput as _atelier_v1_OutputInput, Output as _atelier_v1_Output } from './atelier/v1/Output.ts';
import type { OutputHeadInput as _atelier_v1_OutputHeadInput, OutputHead as _atelier_v1_OutputHead } from './atelier/v1/OutputHead.ts';
import type { PlanInput as _atelier_v1_PlanInput, Plan as _atelier_v1_Plan } from './atelier/v1/Plan.ts';
import type { ReadOutputChunkInput as _atelier_v1_ReadOutputChunkInput, ReadOutputChunk as _atelier_v1_ReadOutputChunk } from './atelier/v1/ReadOutputChunk.ts';
import type { ReadOutputRequestInput as _atelier_v1_ReadOutputRequestInput, ReadOutputRequest as _atelier_v1_ReadOutputRequest } from './atelier/v1/ReadOutputRequest.ts';
import type { RedeliverRequestInput as _atelier_v1_RedeliverRequestInput, RedeliverRequest as _atelier_v1_RedeliverRequest } from './atelier/v1/RedeliverRequest.ts';
import type { RetireModelRequestInput as _atelier_v1_RetireModelRequestInput, RetireModelRequest as _atelier_v1_RetireModelRequest } from './atelier/v1/RetireModelRequest.ts';
import type { RevokeAccountKeyRequestInput as _atelier_v1_RevokeAccountKeyRequestInput, RevokeAccountKeyRequest as _atelier_v1_RevokeAccountKeyRequest } from './atelier/v1/RevokeAccountKeyRequest.ts';
import type { RevokeKeyRequestInput as _atelier_v1_RevokeKeyRequestInput, RevokeKeyRequest as _atelier_v1_RevokeKeyRequest } from './atelier/v1/RevokeKeyRequest.ts';
import type { RevokeServiceNameReplyInput as _atelier_v1_RevokeServiceNameReplyInput, RevokeServiceNameReply as _atelier_v1_RevokeServiceNameReply } from './atelier/v1/RevokeServiceNameReply.ts';
import type { RevokeServiceNameRequestInput as _atelier_v1_RevokeServiceNameRequestInput, RevokeServiceNameRequest as _atelier_v1_RevokeServiceNameRequest } from './atelier/v1/RevokeServiceNameRequest.ts';
import type { RotateCallbackSecretRequestInput as _atelier_v1_RotateCallbackSecretRequestInput, RotateCallbackSecretRequest as _atelier_v1_RotateCallbackSecretRequest } from './atelier/v1/RotateCallbackSecretRequest.ts';
import type { SetAccountStatusRequestInput as _atelier_v1_SetAccountStatusRequestInput, SetAccountStatusRequest as _atelier_v1_SetAccountStatusRequest } from './atelier/v1/SetAccountStatusRequest.ts';
import type { SetPlanRequestInput as _atelier_v1_SetPlanRequestInput, SetPlanRequest as _atelier_v1_SetPlanRequest } from './atelier/v1/SetPlanRequest.ts';
import type { SignedAccessInput as _atelier_v1_SignedAccessInput, SignedAccess as _atelier_v1_SignedAccess } from './atelier/v1/SignedAccess.ts';
import type { WatchJobRequestInput as _atelier_v1_WatchJobRequestInput, WatchJobRequest as _atelier_v1_WatchJobRequest } from './atelier/v1/WatchJobRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  atelier: {
    v1: {
      Account: MessageTypeDefinition<_atelier_v1_AccountInput, _atelier_v1_Account>
      /**
       * Accounts and what belongs to the person who owns one.
       */
      Accounts: SubtypeConstructor<typeof grpc.Client, _atelier_v1_AccountsClient> & { service: _atelier_v1_AccountsDefinition }
      AddModelRequest: MessageTypeDefinition<_atelier_v1_AddModelRequestInput, _atelier_v1_AddModelRequest>
      /**
       * Operators and support. Callable only with a service token that has the Admin scope.
       */
      Admin: SubtypeConstructor<typeof grpc.Client, _atelier_v1_AdminClient> & { service: _atelier_v1_AdminDefinition }
      ApiKey: MessageTypeDefinition<_atelier_v1_ApiKeyInput, _atelier_v1_ApiKey>
      AuditFinding: MessageTypeDefinition<_atelier_v1_AuditFindingInput, _atelier_v1_AuditFinding>
      AuditReport: MessageTypeDefinition<_atelier_v1_AuditReportInput, _atelier_v1_AuditReport>
      AuditRequest: MessageTypeDefinition<_atelier_v1_AuditRequestInput, _atelier_v1_AuditRequest>
      AuthenticateRequest: MessageTypeDefinition<_atelier_v1_AuthenticateRequestInput, _atelier_v1_AuthenticateRequest>
      Balance: MessageTypeDefinition<_atelier_v1_BalanceInput, _atelier_v1_Balance>
      CallbackSecret: MessageTypeDefinition<_atelier_v1_CallbackSecretInput, _atelier_v1_CallbackSecret>
      /**
       * Deliveries of a job's end to the address its owner gave.
       */
      Callbacks: SubtypeConstructor<typeof grpc.Client, _atelier_v1_CallbacksClient> & { service: _atelier_v1_CallbacksDefinition }
      CancelJobRequest: MessageTypeDefinition<_atelier_v1_CancelJobRequestInput, _atelier_v1_CancelJobRequest>
      CreateAccountKeyRequest: MessageTypeDefinition<_atelier_v1_CreateAccountKeyRequestInput, _atelier_v1_CreateAccountKeyRequest>
      CreateAccountRequest: MessageTypeDefinition<_atelier_v1_CreateAccountRequestInput, _atelier_v1_CreateAccountRequest>
      CreateKeyReply: MessageTypeDefinition<_atelier_v1_CreateKeyReplyInput, _atelier_v1_CreateKeyReply>
      CreateKeyRequest: MessageTypeDefinition<_atelier_v1_CreateKeyRequestInput, _atelier_v1_CreateKeyRequest>
      /**
       * The caller's credits. Needs read scope.
       */
      Credits: SubtypeConstructor<typeof grpc.Client, _atelier_v1_CreditsClient> & { service: _atelier_v1_CreditsDefinition }
      Delivery: MessageTypeDefinition<_atelier_v1_DeliveryInput, _atelier_v1_Delivery>
      DeliveryAttempt: MessageTypeDefinition<_atelier_v1_DeliveryAttemptInput, _atelier_v1_DeliveryAttempt>
      GenerateReply: MessageTypeDefinition<_atelier_v1_GenerateReplyInput, _atelier_v1_GenerateReply>
      GenerateRequest: MessageTypeDefinition<_atelier_v1_GenerateRequestInput, _atelier_v1_GenerateRequest>
      GetAccountRequest: MessageTypeDefinition<_atelier_v1_GetAccountRequestInput, _atelier_v1_GetAccountRequest>
      GetBalanceRequest: MessageTypeDefinition<_atelier_v1_GetBalanceRequestInput, _atelier_v1_GetBalanceRequest>
      GetJobRequest: MessageTypeDefinition<_atelier_v1_GetJobRequestInput, _atelier_v1_GetJobRequest>
      GrantCreditsRequest: MessageTypeDefinition<_atelier_v1_GrantCreditsRequestInput, _atelier_v1_GrantCreditsRequest>
      Identity: MessageTypeDefinition<_atelier_v1_IdentityInput, _atelier_v1_Identity>
      Job: MessageTypeDefinition<_atelier_v1_JobInput, _atelier_v1_Job>
      JobCallback: MessageTypeDefinition<_atelier_v1_JobCallbackInput, _atelier_v1_JobCallback>
      JobError: MessageTypeDefinition<_atelier_v1_JobErrorInput, _atelier_v1_JobError>
      JobEvent: MessageTypeDefinition<_atelier_v1_JobEventInput, _atelier_v1_JobEvent>
      /**
       * Generation jobs. Callers are named by metadata (see proto/caller.ts); every method answers about the caller's own jobs only.
       */
      Jobs: SubtypeConstructor<typeof grpc.Client, _atelier_v1_JobsClient> & { service: _atelier_v1_JobsDefinition }
      LedgerEntry: MessageTypeDefinition<_atelier_v1_LedgerEntryInput, _atelier_v1_LedgerEntry>
      ListDeliveriesReply: MessageTypeDefinition<_atelier_v1_ListDeliveriesReplyInput, _atelier_v1_ListDeliveriesReply>
      ListDeliveriesRequest: MessageTypeDefinition<_atelier_v1_ListDeliveriesRequestInput, _atelier_v1_ListDeliveriesRequest>
      ListJobsReply: MessageTypeDefinition<_atelier_v1_ListJobsReplyInput, _atelier_v1_ListJobsReply>
      ListJobsRequest: MessageTypeDefinition<_atelier_v1_ListJobsRequestInput, _atelier_v1_ListJobsRequest>
      ListKeysReply: MessageTypeDefinition<_atelier_v1_ListKeysReplyInput, _atelier_v1_ListKeysReply>
      ListKeysRequest: MessageTypeDefinition<_atelier_v1_ListKeysRequestInput, _atelier_v1_ListKeysRequest>
      ListLedgerReply: MessageTypeDefinition<_atelier_v1_ListLedgerReplyInput, _atelier_v1_ListLedgerReply>
      ListLedgerRequest: MessageTypeDefinition<_atelier_v1_ListLedgerRequestInput, _atelier_v1_ListLedgerRequest>
      ListModelsReply: MessageTypeDefinition<_atelier_v1_ListModelsReplyInput, _atelier_v1_ListModelsReply>
      ListModelsRequest: MessageTypeDefinition<_atelier_v1_ListModelsRequestInput, _atelier_v1_ListModelsRequest>
      ListPlansReply: MessageTypeDefinition<_atelier_v1_ListPlansReplyInput, _atelier_v1_ListPlansReply>
      ListPlansRequest: MessageTypeDefinition<_atelier_v1_ListPlansRequestInput, _atelier_v1_ListPlansRequest>
      Model: MessageTypeDefinition<_atelier_v1_ModelInput, _atelier_v1_Model>
      /**
       * What can be generated and on which plans.
       */
      Models: SubtypeConstructor<typeof grpc.Client, _atelier_v1_ModelsClient> & { service: _atelier_v1_ModelsDefinition }
      Output: MessageTypeDefinition<_atelier_v1_OutputInput, _atelier_v1_Output>
      OutputHead: MessageTypeDefinition<_atelier_v1_OutputHeadInput, _atelier_v1_OutputHead>
      Plan: MessageTypeDefinition<_atelier_v1_PlanInput, _atelier_v1_Plan>
      ReadOutputChunk: MessageTypeDefinition<_atelier_v1_ReadOutputChunkInput, _atelier_v1_ReadOutputChunk>
      ReadOutputRequest: MessageTypeDefinition<_atelier_v1_ReadOutputRequestInput, _atelier_v1_ReadOutputRequest>
      RedeliverRequest: MessageTypeDefinition<_atelier_v1_RedeliverRequestInput, _atelier_v1_RedeliverRequest>
      RetireModelRequest: MessageTypeDefinition<_atelier_v1_RetireModelRequestInput, _atelier_v1_RetireModelRequest>
      RevokeAccountKeyRequest: MessageTypeDefinition<_atelier_v1_RevokeAccountKeyRequestInput, _atelier_v1_RevokeAccountKeyRequest>
      RevokeKeyRequest: MessageTypeDefinition<_atelier_v1_RevokeKeyRequestInput, _atelier_v1_RevokeKeyRequest>
      RevokeServiceNameReply: MessageTypeDefinition<_atelier_v1_RevokeServiceNameReplyInput, _atelier_v1_RevokeServiceNameReply>
      RevokeServiceNameRequest: MessageTypeDefinition<_atelier_v1_RevokeServiceNameRequestInput, _atelier_v1_RevokeServiceNameRequest>
      RotateCallbackSecretRequest: MessageTypeDefinition<_atelier_v1_RotateCallbackSecretRequestInput, _atelier_v1_RotateCallbackSecretRequest>
      SetAccountStatusRequest: MessageTypeDefinition<_atelier_v1_SetAccountStatusRequestInput, _atelier_v1_SetAccountStatusRequest>
      SetPlanRequest: MessageTypeDefinition<_atelier_v1_SetPlanRequestInput, _atelier_v1_SetPlanRequest>
      SignedAccess: MessageTypeDefinition<_atelier_v1_SignedAccessInput, _atelier_v1_SignedAccess>
      WatchJobRequest: MessageTypeDefinition<_atelier_v1_WatchJobRequestInput, _atelier_v1_WatchJobRequest>
    }
  }
}

