// Original file: atelier/v1/admin.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AccountInput as _atelier_v1_AccountInput, Account as _atelier_v1_Account } from '../../atelier/v1/Account.ts';
import type { AddModelRequestInput as _atelier_v1_AddModelRequestInput, AddModelRequest as _atelier_v1_AddModelRequest } from '../../atelier/v1/AddModelRequest.ts';
import type { AddProductFilePartInput as _atelier_v1_AddProductFilePartInput, AddProductFilePart as _atelier_v1_AddProductFilePart } from '../../atelier/v1/AddProductFilePart.ts';
import type { AddedProductFileInput as _atelier_v1_AddedProductFileInput, AddedProductFile as _atelier_v1_AddedProductFile } from '../../atelier/v1/AddedProductFile.ts';
import type { AnySubscriptionRequestInput as _atelier_v1_AnySubscriptionRequestInput, AnySubscriptionRequest as _atelier_v1_AnySubscriptionRequest } from '../../atelier/v1/AnySubscriptionRequest.ts';
import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from '../../atelier/v1/ApiKey.ts';
import type { ApproveWelcomeCreditsRequestInput as _atelier_v1_ApproveWelcomeCreditsRequestInput, ApproveWelcomeCreditsRequest as _atelier_v1_ApproveWelcomeCreditsRequest } from '../../atelier/v1/ApproveWelcomeCreditsRequest.ts';
import type { AuditReportInput as _atelier_v1_AuditReportInput, AuditReport as _atelier_v1_AuditReport } from '../../atelier/v1/AuditReport.ts';
import type { AuditRequestInput as _atelier_v1_AuditRequestInput, AuditRequest as _atelier_v1_AuditRequest } from '../../atelier/v1/AuditRequest.ts';
import type { BulkInput as _atelier_v1_BulkInput, Bulk as _atelier_v1_Bulk } from '../../atelier/v1/Bulk.ts';
import type { CancelAnyJobRequestInput as _atelier_v1_CancelAnyJobRequestInput, CancelAnyJobRequest as _atelier_v1_CancelAnyJobRequest } from '../../atelier/v1/CancelAnyJobRequest.ts';
import type { CloseTicketRequestInput as _atelier_v1_CloseTicketRequestInput, CloseTicketRequest as _atelier_v1_CloseTicketRequest } from '../../atelier/v1/CloseTicketRequest.ts';
import type { CreateAccountKeyRequestInput as _atelier_v1_CreateAccountKeyRequestInput, CreateAccountKeyRequest as _atelier_v1_CreateAccountKeyRequest } from '../../atelier/v1/CreateAccountKeyRequest.ts';
import type { CreateAccountRequestInput as _atelier_v1_CreateAccountRequestInput, CreateAccountRequest as _atelier_v1_CreateAccountRequest } from '../../atelier/v1/CreateAccountRequest.ts';
import type { CreateKeyReplyInput as _atelier_v1_CreateKeyReplyInput, CreateKeyReply as _atelier_v1_CreateKeyReply } from '../../atelier/v1/CreateKeyReply.ts';
import type { CreditPackInput as _atelier_v1_CreditPackInput, CreditPack as _atelier_v1_CreditPack } from '../../atelier/v1/CreditPack.ts';
import type { EndMembershipRequestInput as _atelier_v1_EndMembershipRequestInput, EndMembershipRequest as _atelier_v1_EndMembershipRequest } from '../../atelier/v1/EndMembershipRequest.ts';
import type { EndSessionsReplyInput as _atelier_v1_EndSessionsReplyInput, EndSessionsReply as _atelier_v1_EndSessionsReply } from '../../atelier/v1/EndSessionsReply.ts';
import type { EndSessionsRequestInput as _atelier_v1_EndSessionsRequestInput, EndSessionsRequest as _atelier_v1_EndSessionsRequest } from '../../atelier/v1/EndSessionsRequest.ts';
import type { EndSubscriptionRequestInput as _atelier_v1_EndSubscriptionRequestInput, EndSubscriptionRequest as _atelier_v1_EndSubscriptionRequest } from '../../atelier/v1/EndSubscriptionRequest.ts';
import type { FailedMailInput as _atelier_v1_FailedMailInput, FailedMail as _atelier_v1_FailedMail } from '../../atelier/v1/FailedMail.ts';
import type { FindReplyInput as _atelier_v1_FindReplyInput, FindReply as _atelier_v1_FindReply } from '../../atelier/v1/FindReply.ts';
import type { FindRequestInput as _atelier_v1_FindRequestInput, FindRequest as _atelier_v1_FindRequest } from '../../atelier/v1/FindRequest.ts';
import type { GetAccountMembershipRequestInput as _atelier_v1_GetAccountMembershipRequestInput, GetAccountMembershipRequest as _atelier_v1_GetAccountMembershipRequest } from '../../atelier/v1/GetAccountMembershipRequest.ts';
import type { GetAccountRequestInput as _atelier_v1_GetAccountRequestInput, GetAccountRequest as _atelier_v1_GetAccountRequest } from '../../atelier/v1/GetAccountRequest.ts';
import type { GetAnyJobRequestInput as _atelier_v1_GetAnyJobRequestInput, GetAnyJobRequest as _atelier_v1_GetAnyJobRequest } from '../../atelier/v1/GetAnyJobRequest.ts';
import type { GetBulkRequestInput as _atelier_v1_GetBulkRequestInput, GetBulkRequest as _atelier_v1_GetBulkRequest } from '../../atelier/v1/GetBulkRequest.ts';
import type { GetStatusRequestInput as _atelier_v1_GetStatusRequestInput, GetStatusRequest as _atelier_v1_GetStatusRequest } from '../../atelier/v1/GetStatusRequest.ts';
import type { GetTicketRequestInput as _atelier_v1_GetTicketRequestInput, GetTicketRequest as _atelier_v1_GetTicketRequest } from '../../atelier/v1/GetTicketRequest.ts';
import type { GrantCreditsRequestInput as _atelier_v1_GrantCreditsRequestInput, GrantCreditsRequest as _atelier_v1_GrantCreditsRequest } from '../../atelier/v1/GrantCreditsRequest.ts';
import type { GrantLicenceRequestInput as _atelier_v1_GrantLicenceRequestInput, GrantLicenceRequest as _atelier_v1_GrantLicenceRequest } from '../../atelier/v1/GrantLicenceRequest.ts';
import type { JobInput as _atelier_v1_JobInput, Job as _atelier_v1_Job } from '../../atelier/v1/Job.ts';
import type { LedgerEntryInput as _atelier_v1_LedgerEntryInput, LedgerEntry as _atelier_v1_LedgerEntry } from '../../atelier/v1/LedgerEntry.ts';
import type { LicenceInput as _atelier_v1_LicenceInput, Licence as _atelier_v1_Licence } from '../../atelier/v1/Licence.ts';
import type { ListAccountDownloadsRequestInput as _atelier_v1_ListAccountDownloadsRequestInput, ListAccountDownloadsRequest as _atelier_v1_ListAccountDownloadsRequest } from '../../atelier/v1/ListAccountDownloadsRequest.ts';
import type { ListAccountJobsRequestInput as _atelier_v1_ListAccountJobsRequestInput, ListAccountJobsRequest as _atelier_v1_ListAccountJobsRequest } from '../../atelier/v1/ListAccountJobsRequest.ts';
import type { ListAccountKeysRequestInput as _atelier_v1_ListAccountKeysRequestInput, ListAccountKeysRequest as _atelier_v1_ListAccountKeysRequest } from '../../atelier/v1/ListAccountKeysRequest.ts';
import type { ListAccountLedgerRequestInput as _atelier_v1_ListAccountLedgerRequestInput, ListAccountLedgerRequest as _atelier_v1_ListAccountLedgerRequest } from '../../atelier/v1/ListAccountLedgerRequest.ts';
import type { ListAccountLicencesRequestInput as _atelier_v1_ListAccountLicencesRequestInput, ListAccountLicencesRequest as _atelier_v1_ListAccountLicencesRequest } from '../../atelier/v1/ListAccountLicencesRequest.ts';
import type { ListAccountsReplyInput as _atelier_v1_ListAccountsReplyInput, ListAccountsReply as _atelier_v1_ListAccountsReply } from '../../atelier/v1/ListAccountsReply.ts';
import type { ListAccountsRequestInput as _atelier_v1_ListAccountsRequestInput, ListAccountsRequest as _atelier_v1_ListAccountsRequest } from '../../atelier/v1/ListAccountsRequest.ts';
import type { ListAllModelsReplyInput as _atelier_v1_ListAllModelsReplyInput, ListAllModelsReply as _atelier_v1_ListAllModelsReply } from '../../atelier/v1/ListAllModelsReply.ts';
import type { ListAllTicketsRequestInput as _atelier_v1_ListAllTicketsRequestInput, ListAllTicketsRequest as _atelier_v1_ListAllTicketsRequest } from '../../atelier/v1/ListAllTicketsRequest.ts';
import type { ListAnyOrdersRequestInput as _atelier_v1_ListAnyOrdersRequestInput, ListAnyOrdersRequest as _atelier_v1_ListAnyOrdersRequest } from '../../atelier/v1/ListAnyOrdersRequest.ts';
import type { ListAnySubscriptionsReplyInput as _atelier_v1_ListAnySubscriptionsReplyInput, ListAnySubscriptionsReply as _atelier_v1_ListAnySubscriptionsReply } from '../../atelier/v1/ListAnySubscriptionsReply.ts';
import type { ListAnySubscriptionsRequestInput as _atelier_v1_ListAnySubscriptionsRequestInput, ListAnySubscriptionsRequest as _atelier_v1_ListAnySubscriptionsRequest } from '../../atelier/v1/ListAnySubscriptionsRequest.ts';
import type { ListAuditTrailReplyInput as _atelier_v1_ListAuditTrailReplyInput, ListAuditTrailReply as _atelier_v1_ListAuditTrailReply } from '../../atelier/v1/ListAuditTrailReply.ts';
import type { ListAuditTrailRequestInput as _atelier_v1_ListAuditTrailRequestInput, ListAuditTrailRequest as _atelier_v1_ListAuditTrailRequest } from '../../atelier/v1/ListAuditTrailRequest.ts';
import type { ListBulksReplyInput as _atelier_v1_ListBulksReplyInput, ListBulksReply as _atelier_v1_ListBulksReply } from '../../atelier/v1/ListBulksReply.ts';
import type { ListBulksRequestInput as _atelier_v1_ListBulksRequestInput, ListBulksRequest as _atelier_v1_ListBulksRequest } from '../../atelier/v1/ListBulksRequest.ts';
import type { ListCreditPacksReplyInput as _atelier_v1_ListCreditPacksReplyInput, ListCreditPacksReply as _atelier_v1_ListCreditPacksReply } from '../../atelier/v1/ListCreditPacksReply.ts';
import type { ListCreditPacksRequestInput as _atelier_v1_ListCreditPacksRequestInput, ListCreditPacksRequest as _atelier_v1_ListCreditPacksRequest } from '../../atelier/v1/ListCreditPacksRequest.ts';
import type { ListDeadDeliveriesReplyInput as _atelier_v1_ListDeadDeliveriesReplyInput, ListDeadDeliveriesReply as _atelier_v1_ListDeadDeliveriesReply } from '../../atelier/v1/ListDeadDeliveriesReply.ts';
import type { ListDeadDeliveriesRequestInput as _atelier_v1_ListDeadDeliveriesRequestInput, ListDeadDeliveriesRequest as _atelier_v1_ListDeadDeliveriesRequest } from '../../atelier/v1/ListDeadDeliveriesRequest.ts';
import type { ListDeadReceiversReplyInput as _atelier_v1_ListDeadReceiversReplyInput, ListDeadReceiversReply as _atelier_v1_ListDeadReceiversReply } from '../../atelier/v1/ListDeadReceiversReply.ts';
import type { ListDeadReceiversRequestInput as _atelier_v1_ListDeadReceiversRequestInput, ListDeadReceiversRequest as _atelier_v1_ListDeadReceiversRequest } from '../../atelier/v1/ListDeadReceiversRequest.ts';
import type { ListDownloadsReplyInput as _atelier_v1_ListDownloadsReplyInput, ListDownloadsReply as _atelier_v1_ListDownloadsReply } from '../../atelier/v1/ListDownloadsReply.ts';
import type { ListFailedMailsReplyInput as _atelier_v1_ListFailedMailsReplyInput, ListFailedMailsReply as _atelier_v1_ListFailedMailsReply } from '../../atelier/v1/ListFailedMailsReply.ts';
import type { ListFailedMailsRequestInput as _atelier_v1_ListFailedMailsRequestInput, ListFailedMailsRequest as _atelier_v1_ListFailedMailsRequest } from '../../atelier/v1/ListFailedMailsRequest.ts';
import type { ListJobsReplyInput as _atelier_v1_ListJobsReplyInput, ListJobsReply as _atelier_v1_ListJobsReply } from '../../atelier/v1/ListJobsReply.ts';
import type { ListKeysReplyInput as _atelier_v1_ListKeysReplyInput, ListKeysReply as _atelier_v1_ListKeysReply } from '../../atelier/v1/ListKeysReply.ts';
import type { ListLedgerReplyInput as _atelier_v1_ListLedgerReplyInput, ListLedgerReply as _atelier_v1_ListLedgerReply } from '../../atelier/v1/ListLedgerReply.ts';
import type { ListLicencesReplyInput as _atelier_v1_ListLicencesReplyInput, ListLicencesReply as _atelier_v1_ListLicencesReply } from '../../atelier/v1/ListLicencesReply.ts';
import type { ListMemberKeysRequestInput as _atelier_v1_ListMemberKeysRequestInput, ListMemberKeysRequest as _atelier_v1_ListMemberKeysRequest } from '../../atelier/v1/ListMemberKeysRequest.ts';
import type { ListModelsRequestInput as _atelier_v1_ListModelsRequestInput, ListModelsRequest as _atelier_v1_ListModelsRequest } from '../../atelier/v1/ListModelsRequest.ts';
import type { ListOrdersReplyInput as _atelier_v1_ListOrdersReplyInput, ListOrdersReply as _atelier_v1_ListOrdersReply } from '../../atelier/v1/ListOrdersReply.ts';
import type { ListProductFilesReplyInput as _atelier_v1_ListProductFilesReplyInput, ListProductFilesReply as _atelier_v1_ListProductFilesReply } from '../../atelier/v1/ListProductFilesReply.ts';
import type { ListProductFilesRequestInput as _atelier_v1_ListProductFilesRequestInput, ListProductFilesRequest as _atelier_v1_ListProductFilesRequest } from '../../atelier/v1/ListProductFilesRequest.ts';
import type { ListProvidersReplyInput as _atelier_v1_ListProvidersReplyInput, ListProvidersReply as _atelier_v1_ListProvidersReply } from '../../atelier/v1/ListProvidersReply.ts';
import type { ListProvidersRequestInput as _atelier_v1_ListProvidersRequestInput, ListProvidersRequest as _atelier_v1_ListProvidersRequest } from '../../atelier/v1/ListProvidersRequest.ts';
import type { ListStuckReplyInput as _atelier_v1_ListStuckReplyInput, ListStuckReply as _atelier_v1_ListStuckReply } from '../../atelier/v1/ListStuckReply.ts';
import type { ListStuckRequestInput as _atelier_v1_ListStuckRequestInput, ListStuckRequest as _atelier_v1_ListStuckRequest } from '../../atelier/v1/ListStuckRequest.ts';
import type { ListTicketsReplyInput as _atelier_v1_ListTicketsReplyInput, ListTicketsReply as _atelier_v1_ListTicketsReply } from '../../atelier/v1/ListTicketsReply.ts';
import type { MembershipInput as _atelier_v1_MembershipInput, Membership as _atelier_v1_Membership } from '../../atelier/v1/Membership.ts';
import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from '../../atelier/v1/Model.ts';
import type { OrderInput as _atelier_v1_OrderInput, Order as _atelier_v1_Order } from '../../atelier/v1/Order.ts';
import type { OrderRequestInput as _atelier_v1_OrderRequestInput, OrderRequest as _atelier_v1_OrderRequest } from '../../atelier/v1/OrderRequest.ts';
import type { PauseModelRequestInput as _atelier_v1_PauseModelRequestInput, PauseModelRequest as _atelier_v1_PauseModelRequest } from '../../atelier/v1/PauseModelRequest.ts';
import type { PauseProviderRequestInput as _atelier_v1_PauseProviderRequestInput, PauseProviderRequest as _atelier_v1_PauseProviderRequest } from '../../atelier/v1/PauseProviderRequest.ts';
import type { PauseQueueRequestInput as _atelier_v1_PauseQueueRequestInput, PauseQueueRequest as _atelier_v1_PauseQueueRequest } from '../../atelier/v1/PauseQueueRequest.ts';
import type { PlanInput as _atelier_v1_PlanInput, Plan as _atelier_v1_Plan } from '../../atelier/v1/Plan.ts';
import type { PlanBulkRequestInput as _atelier_v1_PlanBulkRequestInput, PlanBulkRequest as _atelier_v1_PlanBulkRequest } from '../../atelier/v1/PlanBulkRequest.ts';
import type { ProductFileInput as _atelier_v1_ProductFileInput, ProductFile as _atelier_v1_ProductFile } from '../../atelier/v1/ProductFile.ts';
import type { ProviderInput as _atelier_v1_ProviderInput, Provider as _atelier_v1_Provider } from '../../atelier/v1/Provider.ts';
import type { ProvisionMemberKeyRequestInput as _atelier_v1_ProvisionMemberKeyRequestInput, ProvisionMemberKeyRequest as _atelier_v1_ProvisionMemberKeyRequest } from '../../atelier/v1/ProvisionMemberKeyRequest.ts';
import type { ProvisionTicketKeyRequestInput as _atelier_v1_ProvisionTicketKeyRequestInput, ProvisionTicketKeyRequest as _atelier_v1_ProvisionTicketKeyRequest } from '../../atelier/v1/ProvisionTicketKeyRequest.ts';
import type { QueueStatusInput as _atelier_v1_QueueStatusInput, QueueStatus as _atelier_v1_QueueStatus } from '../../atelier/v1/QueueStatus.ts';
import type { RecordServiceTokenReplyInput as _atelier_v1_RecordServiceTokenReplyInput, RecordServiceTokenReply as _atelier_v1_RecordServiceTokenReply } from '../../atelier/v1/RecordServiceTokenReply.ts';
import type { RecordServiceTokenRequestInput as _atelier_v1_RecordServiceTokenRequestInput, RecordServiceTokenRequest as _atelier_v1_RecordServiceTokenRequest } from '../../atelier/v1/RecordServiceTokenRequest.ts';
import type { RefundOrderRequestInput as _atelier_v1_RefundOrderRequestInput, RefundOrderRequest as _atelier_v1_RefundOrderRequest } from '../../atelier/v1/RefundOrderRequest.ts';
import type { RemoveProductFileRequestInput as _atelier_v1_RemoveProductFileRequestInput, RemoveProductFileRequest as _atelier_v1_RemoveProductFileRequest } from '../../atelier/v1/RemoveProductFileRequest.ts';
import type { ReplyToTicketRequestInput as _atelier_v1_ReplyToTicketRequestInput, ReplyToTicketRequest as _atelier_v1_ReplyToTicketRequest } from '../../atelier/v1/ReplyToTicketRequest.ts';
import type { ResendMailRequestInput as _atelier_v1_ResendMailRequestInput, ResendMailRequest as _atelier_v1_ResendMailRequest } from '../../atelier/v1/ResendMailRequest.ts';
import type { ResumeModelRequestInput as _atelier_v1_ResumeModelRequestInput, ResumeModelRequest as _atelier_v1_ResumeModelRequest } from '../../atelier/v1/ResumeModelRequest.ts';
import type { ResumeProviderRequestInput as _atelier_v1_ResumeProviderRequestInput, ResumeProviderRequest as _atelier_v1_ResumeProviderRequest } from '../../atelier/v1/ResumeProviderRequest.ts';
import type { ResumeQueueRequestInput as _atelier_v1_ResumeQueueRequestInput, ResumeQueueRequest as _atelier_v1_ResumeQueueRequest } from '../../atelier/v1/ResumeQueueRequest.ts';
import type { RetireModelRequestInput as _atelier_v1_RetireModelRequestInput, RetireModelRequest as _atelier_v1_RetireModelRequest } from '../../atelier/v1/RetireModelRequest.ts';
import type { RevokeAccountKeyRequestInput as _atelier_v1_RevokeAccountKeyRequestInput, RevokeAccountKeyRequest as _atelier_v1_RevokeAccountKeyRequest } from '../../atelier/v1/RevokeAccountKeyRequest.ts';
import type { RevokeLicenceRequestInput as _atelier_v1_RevokeLicenceRequestInput, RevokeLicenceRequest as _atelier_v1_RevokeLicenceRequest } from '../../atelier/v1/RevokeLicenceRequest.ts';
import type { RevokeMemberKeyRequestInput as _atelier_v1_RevokeMemberKeyRequestInput, RevokeMemberKeyRequest as _atelier_v1_RevokeMemberKeyRequest } from '../../atelier/v1/RevokeMemberKeyRequest.ts';
import type { RevokeServiceNameReplyInput as _atelier_v1_RevokeServiceNameReplyInput, RevokeServiceNameReply as _atelier_v1_RevokeServiceNameReply } from '../../atelier/v1/RevokeServiceNameReply.ts';
import type { RevokeServiceNameRequestInput as _atelier_v1_RevokeServiceNameRequestInput, RevokeServiceNameRequest as _atelier_v1_RevokeServiceNameRequest } from '../../atelier/v1/RevokeServiceNameRequest.ts';
import type { RunBulkRequestInput as _atelier_v1_RunBulkRequestInput, RunBulkRequest as _atelier_v1_RunBulkRequest } from '../../atelier/v1/RunBulkRequest.ts';
import type { SetAccountStatusRequestInput as _atelier_v1_SetAccountStatusRequestInput, SetAccountStatusRequest as _atelier_v1_SetAccountStatusRequest } from '../../atelier/v1/SetAccountStatusRequest.ts';
import type { SetMembershipRequestInput as _atelier_v1_SetMembershipRequestInput, SetMembershipRequest as _atelier_v1_SetMembershipRequest } from '../../atelier/v1/SetMembershipRequest.ts';
import type { SetPlanPriceRequestInput as _atelier_v1_SetPlanPriceRequestInput, SetPlanPriceRequest as _atelier_v1_SetPlanPriceRequest } from '../../atelier/v1/SetPlanPriceRequest.ts';
import type { SetPlanRequestInput as _atelier_v1_SetPlanRequestInput, SetPlanRequest as _atelier_v1_SetPlanRequest } from '../../atelier/v1/SetPlanRequest.ts';
import type { SetProviderLimitsRequestInput as _atelier_v1_SetProviderLimitsRequestInput, SetProviderLimitsRequest as _atelier_v1_SetProviderLimitsRequest } from '../../atelier/v1/SetProviderLimitsRequest.ts';
import type { SetTierPricesRequestInput as _atelier_v1_SetTierPricesRequestInput, SetTierPricesRequest as _atelier_v1_SetTierPricesRequest } from '../../atelier/v1/SetTierPricesRequest.ts';
import type { StatusInput as _atelier_v1_StatusInput, Status as _atelier_v1_Status } from '../../atelier/v1/Status.ts';
import type { SubscriptionInput as _atelier_v1_SubscriptionInput, Subscription as _atelier_v1_Subscription } from '../../atelier/v1/Subscription.ts';
import type { TicketInput as _atelier_v1_TicketInput, Ticket as _atelier_v1_Ticket } from '../../atelier/v1/Ticket.ts';
import type { TierInput as _atelier_v1_TierInput, Tier as _atelier_v1_Tier } from '../../atelier/v1/Tier.ts';

/**
 * Operators and support. Callable only with a service token that has the Admin scope. Every write is recorded before it is done,
 * with the name of the service that asks and what the metadata `atelier-operator-bin` and `atelier-reason-bin` (UTF-8) tell: which
 * person, and why. A write that does not tell both is refused.
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
   * The first message says what comes, the others carry its bytes. The same file again changes nothing; another one of the same name
   * and version is invalid_request, and so is one that is not what it says.
   */
  AddProductFile(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_AddedProductFile>): grpc.ClientWritableStream<_atelier_v1_AddProductFilePartInput>;
  AddProductFile(metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_AddedProductFile>): grpc.ClientWritableStream<_atelier_v1_AddProductFilePartInput>;
  AddProductFile(options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_AddedProductFile>): grpc.ClientWritableStream<_atelier_v1_AddProductFilePartInput>;
  AddProductFile(callback: grpc.requestCallback<_atelier_v1_AddedProductFile>): grpc.ClientWritableStream<_atelier_v1_AddProductFilePartInput>;
  /**
   * The first message says what comes, the others carry its bytes. The same file again changes nothing; another one of the same name
   * and version is invalid_request, and so is one that is not what it says.
   */
  addProductFile(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_AddedProductFile>): grpc.ClientWritableStream<_atelier_v1_AddProductFilePartInput>;
  addProductFile(metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_AddedProductFile>): grpc.ClientWritableStream<_atelier_v1_AddProductFilePartInput>;
  addProductFile(options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_AddedProductFile>): grpc.ClientWritableStream<_atelier_v1_AddProductFilePartInput>;
  addProductFile(callback: grpc.requestCallback<_atelier_v1_AddedProductFile>): grpc.ClientWritableStream<_atelier_v1_AddProductFilePartInput>;
  
  /**
   * Gives an account the free plan's credits that ATELIER_HOLD_WELCOME_CREDITS holds back. Errors: not_found, invalid_request where none
   * are held.
   */
  ApproveWelcomeCredits(argument: _atelier_v1_ApproveWelcomeCreditsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  ApproveWelcomeCredits(argument: _atelier_v1_ApproveWelcomeCreditsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  ApproveWelcomeCredits(argument: _atelier_v1_ApproveWelcomeCreditsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  ApproveWelcomeCredits(argument: _atelier_v1_ApproveWelcomeCreditsRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  /**
   * Gives an account the free plan's credits that ATELIER_HOLD_WELCOME_CREDITS holds back. Errors: not_found, invalid_request where none
   * are held.
   */
  approveWelcomeCredits(argument: _atelier_v1_ApproveWelcomeCreditsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  approveWelcomeCredits(argument: _atelier_v1_ApproveWelcomeCreditsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  approveWelcomeCredits(argument: _atelier_v1_ApproveWelcomeCreditsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  approveWelcomeCredits(argument: _atelier_v1_ApproveWelcomeCreditsRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  
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
  
  /**
   * While it is reserved, whosever it is.
   */
  CancelAnyJob(argument: _atelier_v1_CancelAnyJobRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  CancelAnyJob(argument: _atelier_v1_CancelAnyJobRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  CancelAnyJob(argument: _atelier_v1_CancelAnyJobRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  CancelAnyJob(argument: _atelier_v1_CancelAnyJobRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  /**
   * While it is reserved, whosever it is.
   */
  cancelAnyJob(argument: _atelier_v1_CancelAnyJobRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  cancelAnyJob(argument: _atelier_v1_CancelAnyJobRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  cancelAnyJob(argument: _atelier_v1_CancelAnyJobRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  cancelAnyJob(argument: _atelier_v1_CancelAnyJobRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  
  /**
   * Again changes nothing.
   */
  CloseAnyTicket(argument: _atelier_v1_CloseTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  CloseAnyTicket(argument: _atelier_v1_CloseTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  CloseAnyTicket(argument: _atelier_v1_CloseTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  CloseAnyTicket(argument: _atelier_v1_CloseTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  /**
   * Again changes nothing.
   */
  closeAnyTicket(argument: _atelier_v1_CloseTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  closeAnyTicket(argument: _atelier_v1_CloseTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  closeAnyTicket(argument: _atelier_v1_CloseTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  closeAnyTicket(argument: _atelier_v1_CloseTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  
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
  
  /**
   * Ends it now. Again changes nothing. Licences stay.
   */
  EndMembership(argument: _atelier_v1_EndMembershipRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  EndMembership(argument: _atelier_v1_EndMembershipRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  EndMembership(argument: _atelier_v1_EndMembershipRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  EndMembership(argument: _atelier_v1_EndMembershipRequestInput, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  /**
   * Ends it now. Again changes nothing. Licences stay.
   */
  endMembership(argument: _atelier_v1_EndMembershipRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  endMembership(argument: _atelier_v1_EndMembershipRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  endMembership(argument: _atelier_v1_EndMembershipRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  endMembership(argument: _atelier_v1_EndMembershipRequestInput, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  
  /**
   * Ends all sessions of the account on the website. Sessions that another system issues end there.
   */
  EndSessions(argument: _atelier_v1_EndSessionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EndSessionsReply>): grpc.ClientUnaryCall;
  EndSessions(argument: _atelier_v1_EndSessionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EndSessionsReply>): grpc.ClientUnaryCall;
  EndSessions(argument: _atelier_v1_EndSessionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EndSessionsReply>): grpc.ClientUnaryCall;
  EndSessions(argument: _atelier_v1_EndSessionsRequestInput, callback: grpc.requestCallback<_atelier_v1_EndSessionsReply>): grpc.ClientUnaryCall;
  /**
   * Ends all sessions of the account on the website. Sessions that another system issues end there.
   */
  endSessions(argument: _atelier_v1_EndSessionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EndSessionsReply>): grpc.ClientUnaryCall;
  endSessions(argument: _atelier_v1_EndSessionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EndSessionsReply>): grpc.ClientUnaryCall;
  endSessions(argument: _atelier_v1_EndSessionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EndSessionsReply>): grpc.ClientUnaryCall;
  endSessions(argument: _atelier_v1_EndSessionsRequestInput, callback: grpc.requestCallback<_atelier_v1_EndSessionsReply>): grpc.ClientUnaryCall;
  
  /**
   * Ends it at once, here and at the provider; no payment is given back. order_conflict where it has ended.
   */
  EndSubscription(argument: _atelier_v1_EndSubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  EndSubscription(argument: _atelier_v1_EndSubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  EndSubscription(argument: _atelier_v1_EndSubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  EndSubscription(argument: _atelier_v1_EndSubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  /**
   * Ends it at once, here and at the provider; no payment is given back. order_conflict where it has ended.
   */
  endSubscription(argument: _atelier_v1_EndSubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  endSubscription(argument: _atelier_v1_EndSubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  endSubscription(argument: _atelier_v1_EndSubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  endSubscription(argument: _atelier_v1_EndSubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  
  /**
   * What a word may mean: any id, the beginning of an e-mail address, a part of a name, a key or its end, a slug, a receipt's number, a
   * request id. What has no index is looked for among the newest 20,000.
   */
  Find(argument: _atelier_v1_FindRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_FindReply>): grpc.ClientUnaryCall;
  Find(argument: _atelier_v1_FindRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_FindReply>): grpc.ClientUnaryCall;
  Find(argument: _atelier_v1_FindRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_FindReply>): grpc.ClientUnaryCall;
  Find(argument: _atelier_v1_FindRequestInput, callback: grpc.requestCallback<_atelier_v1_FindReply>): grpc.ClientUnaryCall;
  /**
   * What a word may mean: any id, the beginning of an e-mail address, a part of a name, a key or its end, a slug, a receipt's number, a
   * request id. What has no index is looked for among the newest 20,000.
   */
  find(argument: _atelier_v1_FindRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_FindReply>): grpc.ClientUnaryCall;
  find(argument: _atelier_v1_FindRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_FindReply>): grpc.ClientUnaryCall;
  find(argument: _atelier_v1_FindRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_FindReply>): grpc.ClientUnaryCall;
  find(argument: _atelier_v1_FindRequestInput, callback: grpc.requestCallback<_atelier_v1_FindReply>): grpc.ClientUnaryCall;
  
  GetAccount(argument: _atelier_v1_GetAccountRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  GetAccount(argument: _atelier_v1_GetAccountRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  GetAccount(argument: _atelier_v1_GetAccountRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  GetAccount(argument: _atelier_v1_GetAccountRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  getAccount(argument: _atelier_v1_GetAccountRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  getAccount(argument: _atelier_v1_GetAccountRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  getAccount(argument: _atelier_v1_GetAccountRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  getAccount(argument: _atelier_v1_GetAccountRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  
  GetAccountMembership(argument: _atelier_v1_GetAccountMembershipRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  GetAccountMembership(argument: _atelier_v1_GetAccountMembershipRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  GetAccountMembership(argument: _atelier_v1_GetAccountMembershipRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  GetAccountMembership(argument: _atelier_v1_GetAccountMembershipRequestInput, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  getAccountMembership(argument: _atelier_v1_GetAccountMembershipRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  getAccountMembership(argument: _atelier_v1_GetAccountMembershipRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  getAccountMembership(argument: _atelier_v1_GetAccountMembershipRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  getAccountMembership(argument: _atelier_v1_GetAccountMembershipRequestInput, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  
  /**
   * Whosever it is.
   */
  GetAnyJob(argument: _atelier_v1_GetAnyJobRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  GetAnyJob(argument: _atelier_v1_GetAnyJobRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  GetAnyJob(argument: _atelier_v1_GetAnyJobRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  GetAnyJob(argument: _atelier_v1_GetAnyJobRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  /**
   * Whosever it is.
   */
  getAnyJob(argument: _atelier_v1_GetAnyJobRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  getAnyJob(argument: _atelier_v1_GetAnyJobRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  getAnyJob(argument: _atelier_v1_GetAnyJobRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  getAnyJob(argument: _atelier_v1_GetAnyJobRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  
  GetAnyOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  GetAnyOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  GetAnyOrder(argument: _atelier_v1_OrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  GetAnyOrder(argument: _atelier_v1_OrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  getAnyOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  getAnyOrder(argument: _atelier_v1_OrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  getAnyOrder(argument: _atelier_v1_OrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  getAnyOrder(argument: _atelier_v1_OrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  
  GetAnySubscription(argument: _atelier_v1_AnySubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  GetAnySubscription(argument: _atelier_v1_AnySubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  GetAnySubscription(argument: _atelier_v1_AnySubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  GetAnySubscription(argument: _atelier_v1_AnySubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  getAnySubscription(argument: _atelier_v1_AnySubscriptionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  getAnySubscription(argument: _atelier_v1_AnySubscriptionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  getAnySubscription(argument: _atelier_v1_AnySubscriptionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  getAnySubscription(argument: _atelier_v1_AnySubscriptionRequestInput, callback: grpc.requestCallback<_atelier_v1_Subscription>): grpc.ClientUnaryCall;
  
  /**
   * Whosever it is.
   */
  GetAnyTicket(argument: _atelier_v1_GetTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  GetAnyTicket(argument: _atelier_v1_GetTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  GetAnyTicket(argument: _atelier_v1_GetTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  GetAnyTicket(argument: _atelier_v1_GetTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  /**
   * Whosever it is.
   */
  getAnyTicket(argument: _atelier_v1_GetTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  getAnyTicket(argument: _atelier_v1_GetTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  getAnyTicket(argument: _atelier_v1_GetTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  getAnyTicket(argument: _atelier_v1_GetTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  
  GetBulk(argument: _atelier_v1_GetBulkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  GetBulk(argument: _atelier_v1_GetBulkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  GetBulk(argument: _atelier_v1_GetBulkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  GetBulk(argument: _atelier_v1_GetBulkRequestInput, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  getBulk(argument: _atelier_v1_GetBulkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  getBulk(argument: _atelier_v1_GetBulkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  getBulk(argument: _atelier_v1_GetBulkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  getBulk(argument: _atelier_v1_GetBulkRequestInput, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  
  /**
   * The queue, and what operators have paused.
   */
  GetStatus(argument: _atelier_v1_GetStatusRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Status>): grpc.ClientUnaryCall;
  GetStatus(argument: _atelier_v1_GetStatusRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Status>): grpc.ClientUnaryCall;
  GetStatus(argument: _atelier_v1_GetStatusRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Status>): grpc.ClientUnaryCall;
  GetStatus(argument: _atelier_v1_GetStatusRequestInput, callback: grpc.requestCallback<_atelier_v1_Status>): grpc.ClientUnaryCall;
  /**
   * The queue, and what operators have paused.
   */
  getStatus(argument: _atelier_v1_GetStatusRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Status>): grpc.ClientUnaryCall;
  getStatus(argument: _atelier_v1_GetStatusRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Status>): grpc.ClientUnaryCall;
  getStatus(argument: _atelier_v1_GetStatusRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Status>): grpc.ClientUnaryCall;
  getStatus(argument: _atelier_v1_GetStatusRequestInput, callback: grpc.requestCallback<_atelier_v1_Status>): grpc.ClientUnaryCall;
  
  GrantCredits(argument: _atelier_v1_GrantCreditsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  GrantCredits(argument: _atelier_v1_GrantCreditsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  GrantCredits(argument: _atelier_v1_GrantCreditsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  GrantCredits(argument: _atelier_v1_GrantCreditsRequestInput, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  grantCredits(argument: _atelier_v1_GrantCreditsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  grantCredits(argument: _atelier_v1_GrantCreditsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  grantCredits(argument: _atelier_v1_GrantCreditsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  grantCredits(argument: _atelier_v1_GrantCreditsRequestInput, callback: grpc.requestCallback<_atelier_v1_LedgerEntry>): grpc.ClientUnaryCall;
  
  /**
   * An account has at most one live licence of a kind for a product: a second grant answers the first and changes nothing.
   * product_not_found; membership_required where the licence needs a membership.
   */
  GrantLicence(argument: _atelier_v1_GrantLicenceRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  GrantLicence(argument: _atelier_v1_GrantLicenceRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  GrantLicence(argument: _atelier_v1_GrantLicenceRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  GrantLicence(argument: _atelier_v1_GrantLicenceRequestInput, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  /**
   * An account has at most one live licence of a kind for a product: a second grant answers the first and changes nothing.
   * product_not_found; membership_required where the licence needs a membership.
   */
  grantLicence(argument: _atelier_v1_GrantLicenceRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  grantLicence(argument: _atelier_v1_GrantLicenceRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  grantLicence(argument: _atelier_v1_GrantLicenceRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  grantLicence(argument: _atelier_v1_GrantLicenceRequestInput, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  
  /**
   * Newest first.
   */
  ListAccountDownloads(argument: _atelier_v1_ListAccountDownloadsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  ListAccountDownloads(argument: _atelier_v1_ListAccountDownloadsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  ListAccountDownloads(argument: _atelier_v1_ListAccountDownloadsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  ListAccountDownloads(argument: _atelier_v1_ListAccountDownloadsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listAccountDownloads(argument: _atelier_v1_ListAccountDownloadsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  listAccountDownloads(argument: _atelier_v1_ListAccountDownloadsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  listAccountDownloads(argument: _atelier_v1_ListAccountDownloadsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  listAccountDownloads(argument: _atelier_v1_ListAccountDownloadsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  
  /**
   * Newest first.
   */
  ListAccountJobs(argument: _atelier_v1_ListAccountJobsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  ListAccountJobs(argument: _atelier_v1_ListAccountJobsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  ListAccountJobs(argument: _atelier_v1_ListAccountJobsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  ListAccountJobs(argument: _atelier_v1_ListAccountJobsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listAccountJobs(argument: _atelier_v1_ListAccountJobsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  listAccountJobs(argument: _atelier_v1_ListAccountJobsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  listAccountJobs(argument: _atelier_v1_ListAccountJobsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  listAccountJobs(argument: _atelier_v1_ListAccountJobsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  
  /**
   * Generation keys, newest first; revoked and expired ones too.
   */
  ListAccountKeys(argument: _atelier_v1_ListAccountKeysRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListAccountKeys(argument: _atelier_v1_ListAccountKeysRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListAccountKeys(argument: _atelier_v1_ListAccountKeysRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListAccountKeys(argument: _atelier_v1_ListAccountKeysRequestInput, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  /**
   * Generation keys, newest first; revoked and expired ones too.
   */
  listAccountKeys(argument: _atelier_v1_ListAccountKeysRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listAccountKeys(argument: _atelier_v1_ListAccountKeysRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listAccountKeys(argument: _atelier_v1_ListAccountKeysRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listAccountKeys(argument: _atelier_v1_ListAccountKeysRequestInput, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  
  /**
   * Newest first.
   */
  ListAccountLedger(argument: _atelier_v1_ListAccountLedgerRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  ListAccountLedger(argument: _atelier_v1_ListAccountLedgerRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  ListAccountLedger(argument: _atelier_v1_ListAccountLedgerRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  ListAccountLedger(argument: _atelier_v1_ListAccountLedgerRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listAccountLedger(argument: _atelier_v1_ListAccountLedgerRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  listAccountLedger(argument: _atelier_v1_ListAccountLedgerRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  listAccountLedger(argument: _atelier_v1_ListAccountLedgerRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  listAccountLedger(argument: _atelier_v1_ListAccountLedgerRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLedgerReply>): grpc.ClientUnaryCall;
  
  ListAccountLicences(argument: _atelier_v1_ListAccountLicencesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  ListAccountLicences(argument: _atelier_v1_ListAccountLicencesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  ListAccountLicences(argument: _atelier_v1_ListAccountLicencesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  ListAccountLicences(argument: _atelier_v1_ListAccountLicencesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  listAccountLicences(argument: _atelier_v1_ListAccountLicencesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  listAccountLicences(argument: _atelier_v1_ListAccountLicencesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  listAccountLicences(argument: _atelier_v1_ListAccountLicencesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  listAccountLicences(argument: _atelier_v1_ListAccountLicencesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  
  /**
   * Newest first.
   */
  ListAccounts(argument: _atelier_v1_ListAccountsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAccountsReply>): grpc.ClientUnaryCall;
  ListAccounts(argument: _atelier_v1_ListAccountsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListAccountsReply>): grpc.ClientUnaryCall;
  ListAccounts(argument: _atelier_v1_ListAccountsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAccountsReply>): grpc.ClientUnaryCall;
  ListAccounts(argument: _atelier_v1_ListAccountsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListAccountsReply>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listAccounts(argument: _atelier_v1_ListAccountsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAccountsReply>): grpc.ClientUnaryCall;
  listAccounts(argument: _atelier_v1_ListAccountsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListAccountsReply>): grpc.ClientUnaryCall;
  listAccounts(argument: _atelier_v1_ListAccountsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAccountsReply>): grpc.ClientUnaryCall;
  listAccounts(argument: _atelier_v1_ListAccountsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListAccountsReply>): grpc.ClientUnaryCall;
  
  /**
   * Paused and retired ones too.
   */
  ListAllModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAllModelsReply>): grpc.ClientUnaryCall;
  ListAllModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListAllModelsReply>): grpc.ClientUnaryCall;
  ListAllModels(argument: _atelier_v1_ListModelsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAllModelsReply>): grpc.ClientUnaryCall;
  ListAllModels(argument: _atelier_v1_ListModelsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListAllModelsReply>): grpc.ClientUnaryCall;
  /**
   * Paused and retired ones too.
   */
  listAllModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAllModelsReply>): grpc.ClientUnaryCall;
  listAllModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListAllModelsReply>): grpc.ClientUnaryCall;
  listAllModels(argument: _atelier_v1_ListModelsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAllModelsReply>): grpc.ClientUnaryCall;
  listAllModels(argument: _atelier_v1_ListModelsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListAllModelsReply>): grpc.ClientUnaryCall;
  
  /**
   * The one that changed last first.
   */
  ListAllTickets(argument: _atelier_v1_ListAllTicketsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  ListAllTickets(argument: _atelier_v1_ListAllTicketsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  ListAllTickets(argument: _atelier_v1_ListAllTicketsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  ListAllTickets(argument: _atelier_v1_ListAllTicketsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  /**
   * The one that changed last first.
   */
  listAllTickets(argument: _atelier_v1_ListAllTicketsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  listAllTickets(argument: _atelier_v1_ListAllTicketsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  listAllTickets(argument: _atelier_v1_ListAllTicketsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  listAllTickets(argument: _atelier_v1_ListAllTicketsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTicketsReply>): grpc.ClientUnaryCall;
  
  /**
   * Orders of an account, or of all; newest first.
   */
  ListAnyOrders(argument: _atelier_v1_ListAnyOrdersRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  ListAnyOrders(argument: _atelier_v1_ListAnyOrdersRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  ListAnyOrders(argument: _atelier_v1_ListAnyOrdersRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  ListAnyOrders(argument: _atelier_v1_ListAnyOrdersRequestInput, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  /**
   * Orders of an account, or of all; newest first.
   */
  listAnyOrders(argument: _atelier_v1_ListAnyOrdersRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  listAnyOrders(argument: _atelier_v1_ListAnyOrdersRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  listAnyOrders(argument: _atelier_v1_ListAnyOrdersRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  listAnyOrders(argument: _atelier_v1_ListAnyOrdersRequestInput, callback: grpc.requestCallback<_atelier_v1_ListOrdersReply>): grpc.ClientUnaryCall;
  
  /**
   * Subscriptions of an account, or of all; newest first.
   */
  ListAnySubscriptions(argument: _atelier_v1_ListAnySubscriptionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAnySubscriptionsReply>): grpc.ClientUnaryCall;
  ListAnySubscriptions(argument: _atelier_v1_ListAnySubscriptionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListAnySubscriptionsReply>): grpc.ClientUnaryCall;
  ListAnySubscriptions(argument: _atelier_v1_ListAnySubscriptionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAnySubscriptionsReply>): grpc.ClientUnaryCall;
  ListAnySubscriptions(argument: _atelier_v1_ListAnySubscriptionsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListAnySubscriptionsReply>): grpc.ClientUnaryCall;
  /**
   * Subscriptions of an account, or of all; newest first.
   */
  listAnySubscriptions(argument: _atelier_v1_ListAnySubscriptionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAnySubscriptionsReply>): grpc.ClientUnaryCall;
  listAnySubscriptions(argument: _atelier_v1_ListAnySubscriptionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListAnySubscriptionsReply>): grpc.ClientUnaryCall;
  listAnySubscriptions(argument: _atelier_v1_ListAnySubscriptionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAnySubscriptionsReply>): grpc.ClientUnaryCall;
  listAnySubscriptions(argument: _atelier_v1_ListAnySubscriptionsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListAnySubscriptionsReply>): grpc.ClientUnaryCall;
  
  /**
   * What was asked for, newest first, refused requests too.
   */
  ListAuditTrail(argument: _atelier_v1_ListAuditTrailRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAuditTrailReply>): grpc.ClientUnaryCall;
  ListAuditTrail(argument: _atelier_v1_ListAuditTrailRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListAuditTrailReply>): grpc.ClientUnaryCall;
  ListAuditTrail(argument: _atelier_v1_ListAuditTrailRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAuditTrailReply>): grpc.ClientUnaryCall;
  ListAuditTrail(argument: _atelier_v1_ListAuditTrailRequestInput, callback: grpc.requestCallback<_atelier_v1_ListAuditTrailReply>): grpc.ClientUnaryCall;
  /**
   * What was asked for, newest first, refused requests too.
   */
  listAuditTrail(argument: _atelier_v1_ListAuditTrailRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAuditTrailReply>): grpc.ClientUnaryCall;
  listAuditTrail(argument: _atelier_v1_ListAuditTrailRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListAuditTrailReply>): grpc.ClientUnaryCall;
  listAuditTrail(argument: _atelier_v1_ListAuditTrailRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListAuditTrailReply>): grpc.ClientUnaryCall;
  listAuditTrail(argument: _atelier_v1_ListAuditTrailRequestInput, callback: grpc.requestCallback<_atelier_v1_ListAuditTrailReply>): grpc.ClientUnaryCall;
  
  /**
   * Newest first.
   */
  ListBulks(argument: _atelier_v1_ListBulksRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListBulksReply>): grpc.ClientUnaryCall;
  ListBulks(argument: _atelier_v1_ListBulksRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListBulksReply>): grpc.ClientUnaryCall;
  ListBulks(argument: _atelier_v1_ListBulksRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListBulksReply>): grpc.ClientUnaryCall;
  ListBulks(argument: _atelier_v1_ListBulksRequestInput, callback: grpc.requestCallback<_atelier_v1_ListBulksReply>): grpc.ClientUnaryCall;
  /**
   * Newest first.
   */
  listBulks(argument: _atelier_v1_ListBulksRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListBulksReply>): grpc.ClientUnaryCall;
  listBulks(argument: _atelier_v1_ListBulksRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListBulksReply>): grpc.ClientUnaryCall;
  listBulks(argument: _atelier_v1_ListBulksRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListBulksReply>): grpc.ClientUnaryCall;
  listBulks(argument: _atelier_v1_ListBulksRequestInput, callback: grpc.requestCallback<_atelier_v1_ListBulksReply>): grpc.ClientUnaryCall;
  
  /**
   * Those that are not sold too, the smallest first.
   */
  ListCreditPacks(argument: _atelier_v1_ListCreditPacksRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListCreditPacksReply>): grpc.ClientUnaryCall;
  ListCreditPacks(argument: _atelier_v1_ListCreditPacksRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListCreditPacksReply>): grpc.ClientUnaryCall;
  ListCreditPacks(argument: _atelier_v1_ListCreditPacksRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListCreditPacksReply>): grpc.ClientUnaryCall;
  ListCreditPacks(argument: _atelier_v1_ListCreditPacksRequestInput, callback: grpc.requestCallback<_atelier_v1_ListCreditPacksReply>): grpc.ClientUnaryCall;
  /**
   * Those that are not sold too, the smallest first.
   */
  listCreditPacks(argument: _atelier_v1_ListCreditPacksRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListCreditPacksReply>): grpc.ClientUnaryCall;
  listCreditPacks(argument: _atelier_v1_ListCreditPacksRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListCreditPacksReply>): grpc.ClientUnaryCall;
  listCreditPacks(argument: _atelier_v1_ListCreditPacksRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListCreditPacksReply>): grpc.ClientUnaryCall;
  listCreditPacks(argument: _atelier_v1_ListCreditPacksRequestInput, callback: grpc.requestCallback<_atelier_v1_ListCreditPacksReply>): grpc.ClientUnaryCall;
  
  /**
   * Callbacks that did not arrive and that nobody has dealt with, those of the newest jobs first.
   */
  ListDeadDeliveries(argument: _atelier_v1_ListDeadDeliveriesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeadDeliveriesReply>): grpc.ClientUnaryCall;
  ListDeadDeliveries(argument: _atelier_v1_ListDeadDeliveriesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDeadDeliveriesReply>): grpc.ClientUnaryCall;
  ListDeadDeliveries(argument: _atelier_v1_ListDeadDeliveriesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeadDeliveriesReply>): grpc.ClientUnaryCall;
  ListDeadDeliveries(argument: _atelier_v1_ListDeadDeliveriesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDeadDeliveriesReply>): grpc.ClientUnaryCall;
  /**
   * Callbacks that did not arrive and that nobody has dealt with, those of the newest jobs first.
   */
  listDeadDeliveries(argument: _atelier_v1_ListDeadDeliveriesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeadDeliveriesReply>): grpc.ClientUnaryCall;
  listDeadDeliveries(argument: _atelier_v1_ListDeadDeliveriesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDeadDeliveriesReply>): grpc.ClientUnaryCall;
  listDeadDeliveries(argument: _atelier_v1_ListDeadDeliveriesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeadDeliveriesReply>): grpc.ClientUnaryCall;
  listDeadDeliveries(argument: _atelier_v1_ListDeadDeliveriesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDeadDeliveriesReply>): grpc.ClientUnaryCall;
  
  /**
   * How many there are by receiver, the most first.
   */
  ListDeadReceivers(argument: _atelier_v1_ListDeadReceiversRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeadReceiversReply>): grpc.ClientUnaryCall;
  ListDeadReceivers(argument: _atelier_v1_ListDeadReceiversRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDeadReceiversReply>): grpc.ClientUnaryCall;
  ListDeadReceivers(argument: _atelier_v1_ListDeadReceiversRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeadReceiversReply>): grpc.ClientUnaryCall;
  ListDeadReceivers(argument: _atelier_v1_ListDeadReceiversRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDeadReceiversReply>): grpc.ClientUnaryCall;
  /**
   * How many there are by receiver, the most first.
   */
  listDeadReceivers(argument: _atelier_v1_ListDeadReceiversRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeadReceiversReply>): grpc.ClientUnaryCall;
  listDeadReceivers(argument: _atelier_v1_ListDeadReceiversRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDeadReceiversReply>): grpc.ClientUnaryCall;
  listDeadReceivers(argument: _atelier_v1_ListDeadReceiversRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDeadReceiversReply>): grpc.ClientUnaryCall;
  listDeadReceivers(argument: _atelier_v1_ListDeadReceiversRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDeadReceiversReply>): grpc.ClientUnaryCall;
  
  /**
   * Mails that were given up in the last week, the last first.
   */
  ListFailedMails(argument: _atelier_v1_ListFailedMailsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListFailedMailsReply>): grpc.ClientUnaryCall;
  ListFailedMails(argument: _atelier_v1_ListFailedMailsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListFailedMailsReply>): grpc.ClientUnaryCall;
  ListFailedMails(argument: _atelier_v1_ListFailedMailsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListFailedMailsReply>): grpc.ClientUnaryCall;
  ListFailedMails(argument: _atelier_v1_ListFailedMailsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListFailedMailsReply>): grpc.ClientUnaryCall;
  /**
   * Mails that were given up in the last week, the last first.
   */
  listFailedMails(argument: _atelier_v1_ListFailedMailsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListFailedMailsReply>): grpc.ClientUnaryCall;
  listFailedMails(argument: _atelier_v1_ListFailedMailsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListFailedMailsReply>): grpc.ClientUnaryCall;
  listFailedMails(argument: _atelier_v1_ListFailedMailsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListFailedMailsReply>): grpc.ClientUnaryCall;
  listFailedMails(argument: _atelier_v1_ListFailedMailsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListFailedMailsReply>): grpc.ClientUnaryCall;
  
  ListMemberKeys(argument: _atelier_v1_ListMemberKeysRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListMemberKeys(argument: _atelier_v1_ListMemberKeysRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListMemberKeys(argument: _atelier_v1_ListMemberKeysRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListMemberKeys(argument: _atelier_v1_ListMemberKeysRequestInput, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listMemberKeys(argument: _atelier_v1_ListMemberKeysRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listMemberKeys(argument: _atelier_v1_ListMemberKeysRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listMemberKeys(argument: _atelier_v1_ListMemberKeysRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listMemberKeys(argument: _atelier_v1_ListMemberKeysRequestInput, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  
  /**
   * By name, the newest version first.
   */
  ListProductFiles(argument: _atelier_v1_ListProductFilesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProductFilesReply>): grpc.ClientUnaryCall;
  ListProductFiles(argument: _atelier_v1_ListProductFilesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListProductFilesReply>): grpc.ClientUnaryCall;
  ListProductFiles(argument: _atelier_v1_ListProductFilesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProductFilesReply>): grpc.ClientUnaryCall;
  ListProductFiles(argument: _atelier_v1_ListProductFilesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListProductFilesReply>): grpc.ClientUnaryCall;
  /**
   * By name, the newest version first.
   */
  listProductFiles(argument: _atelier_v1_ListProductFilesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProductFilesReply>): grpc.ClientUnaryCall;
  listProductFiles(argument: _atelier_v1_ListProductFilesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListProductFilesReply>): grpc.ClientUnaryCall;
  listProductFiles(argument: _atelier_v1_ListProductFilesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProductFilesReply>): grpc.ClientUnaryCall;
  listProductFiles(argument: _atelier_v1_ListProductFilesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListProductFilesReply>): grpc.ClientUnaryCall;
  
  /**
   * What makes files: limits, pauses, and models that fail.
   */
  ListProviders(argument: _atelier_v1_ListProvidersRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProvidersReply>): grpc.ClientUnaryCall;
  ListProviders(argument: _atelier_v1_ListProvidersRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListProvidersReply>): grpc.ClientUnaryCall;
  ListProviders(argument: _atelier_v1_ListProvidersRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProvidersReply>): grpc.ClientUnaryCall;
  ListProviders(argument: _atelier_v1_ListProvidersRequestInput, callback: grpc.requestCallback<_atelier_v1_ListProvidersReply>): grpc.ClientUnaryCall;
  /**
   * What makes files: limits, pauses, and models that fail.
   */
  listProviders(argument: _atelier_v1_ListProvidersRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProvidersReply>): grpc.ClientUnaryCall;
  listProviders(argument: _atelier_v1_ListProvidersRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListProvidersReply>): grpc.ClientUnaryCall;
  listProviders(argument: _atelier_v1_ListProvidersRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListProvidersReply>): grpc.ClientUnaryCall;
  listProviders(argument: _atelier_v1_ListProvidersRequestInput, callback: grpc.requestCallback<_atelier_v1_ListProvidersReply>): grpc.ClientUnaryCall;
  
  /**
   * What needs a person.
   */
  ListStuck(argument: _atelier_v1_ListStuckRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListStuckReply>): grpc.ClientUnaryCall;
  ListStuck(argument: _atelier_v1_ListStuckRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListStuckReply>): grpc.ClientUnaryCall;
  ListStuck(argument: _atelier_v1_ListStuckRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListStuckReply>): grpc.ClientUnaryCall;
  ListStuck(argument: _atelier_v1_ListStuckRequestInput, callback: grpc.requestCallback<_atelier_v1_ListStuckReply>): grpc.ClientUnaryCall;
  /**
   * What needs a person.
   */
  listStuck(argument: _atelier_v1_ListStuckRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListStuckReply>): grpc.ClientUnaryCall;
  listStuck(argument: _atelier_v1_ListStuckRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListStuckReply>): grpc.ClientUnaryCall;
  listStuck(argument: _atelier_v1_ListStuckRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListStuckReply>): grpc.ClientUnaryCall;
  listStuck(argument: _atelier_v1_ListStuckRequestInput, callback: grpc.requestCallback<_atelier_v1_ListStuckReply>): grpc.ClientUnaryCall;
  
  /**
   * It accepts nothing until it is resumed. Its waiting jobs wait on, running ones go on.
   */
  PauseModel(argument: _atelier_v1_PauseModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  PauseModel(argument: _atelier_v1_PauseModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  PauseModel(argument: _atelier_v1_PauseModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  PauseModel(argument: _atelier_v1_PauseModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  /**
   * It accepts nothing until it is resumed. Its waiting jobs wait on, running ones go on.
   */
  pauseModel(argument: _atelier_v1_PauseModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  pauseModel(argument: _atelier_v1_PauseModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  pauseModel(argument: _atelier_v1_PauseModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  pauseModel(argument: _atelier_v1_PauseModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  
  /**
   * Nobody calls it until it is resumed. Models that have no other provider are paused with it.
   */
  PauseProvider(argument: _atelier_v1_PauseProviderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  PauseProvider(argument: _atelier_v1_PauseProviderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  PauseProvider(argument: _atelier_v1_PauseProviderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  PauseProvider(argument: _atelier_v1_PauseProviderRequestInput, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  /**
   * Nobody calls it until it is resumed. Models that have no other provider are paused with it.
   */
  pauseProvider(argument: _atelier_v1_PauseProviderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  pauseProvider(argument: _atelier_v1_PauseProviderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  pauseProvider(argument: _atelier_v1_PauseProviderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  pauseProvider(argument: _atelier_v1_PauseProviderRequestInput, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  
  /**
   * No waiting job starts until it is resumed; what runs goes on. Where it is paused already, only `refuse` changes.
   */
  PauseQueue(argument: _atelier_v1_PauseQueueRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  PauseQueue(argument: _atelier_v1_PauseQueueRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  PauseQueue(argument: _atelier_v1_PauseQueueRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  PauseQueue(argument: _atelier_v1_PauseQueueRequestInput, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  /**
   * No waiting job starts until it is resumed; what runs goes on. Where it is paused already, only `refuse` changes.
   */
  pauseQueue(argument: _atelier_v1_PauseQueueRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  pauseQueue(argument: _atelier_v1_PauseQueueRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  pauseQueue(argument: _atelier_v1_PauseQueueRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  pauseQueue(argument: _atelier_v1_PauseQueueRequestInput, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  
  /**
   * A dry run: counts what an act on many jobs would do, and writes down to which. Moves nothing. invalid_request for a selection that no
   * index serves (neither ids nor account nor since, of jobs that have ended), or of more than 50,000.
   */
  PlanBulk(argument: _atelier_v1_PlanBulkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  PlanBulk(argument: _atelier_v1_PlanBulkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  PlanBulk(argument: _atelier_v1_PlanBulkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  PlanBulk(argument: _atelier_v1_PlanBulkRequestInput, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  /**
   * A dry run: counts what an act on many jobs would do, and writes down to which. Moves nothing. invalid_request for a selection that no
   * index serves (neither ids nor account nor since, of jobs that have ended), or of more than 50,000.
   */
  planBulk(argument: _atelier_v1_PlanBulkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  planBulk(argument: _atelier_v1_PlanBulkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  planBulk(argument: _atelier_v1_PlanBulkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  planBulk(argument: _atelier_v1_PlanBulkRequestInput, callback: grpc.requestCallback<_atelier_v1_Bulk>): grpc.ClientUnaryCall;
  
  /**
   * The only other way to a member key.
   */
  ProvisionMemberKey(argument: _atelier_v1_ProvisionMemberKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  ProvisionMemberKey(argument: _atelier_v1_ProvisionMemberKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  ProvisionMemberKey(argument: _atelier_v1_ProvisionMemberKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  ProvisionMemberKey(argument: _atelier_v1_ProvisionMemberKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  /**
   * The only other way to a member key.
   */
  provisionMemberKey(argument: _atelier_v1_ProvisionMemberKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  provisionMemberKey(argument: _atelier_v1_ProvisionMemberKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  provisionMemberKey(argument: _atelier_v1_ProvisionMemberKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  provisionMemberKey(argument: _atelier_v1_ProvisionMemberKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  
  /**
   * Puts a new member key on a ticket that asks for one: the person sees it there once, within 7 days, and nobody else does.
   * membership_required where the membership does not include the member tools.
   */
  ProvisionTicketKey(argument: _atelier_v1_ProvisionTicketKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  ProvisionTicketKey(argument: _atelier_v1_ProvisionTicketKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  ProvisionTicketKey(argument: _atelier_v1_ProvisionTicketKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  ProvisionTicketKey(argument: _atelier_v1_ProvisionTicketKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  /**
   * Puts a new member key on a ticket that asks for one: the person sees it there once, within 7 days, and nobody else does.
   * membership_required where the membership does not include the member tools.
   */
  provisionTicketKey(argument: _atelier_v1_ProvisionTicketKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  provisionTicketKey(argument: _atelier_v1_ProvisionTicketKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  provisionTicketKey(argument: _atelier_v1_ProvisionTicketKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  provisionTicketKey(argument: _atelier_v1_ProvisionTicketKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  
  /**
   * Before a token is signed for another internal service. invalid_request for a name that is revoked or that no issued token can have.
   */
  RecordServiceToken(argument: _atelier_v1_RecordServiceTokenRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RecordServiceTokenReply>): grpc.ClientUnaryCall;
  RecordServiceToken(argument: _atelier_v1_RecordServiceTokenRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RecordServiceTokenReply>): grpc.ClientUnaryCall;
  RecordServiceToken(argument: _atelier_v1_RecordServiceTokenRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RecordServiceTokenReply>): grpc.ClientUnaryCall;
  RecordServiceToken(argument: _atelier_v1_RecordServiceTokenRequestInput, callback: grpc.requestCallback<_atelier_v1_RecordServiceTokenReply>): grpc.ClientUnaryCall;
  /**
   * Before a token is signed for another internal service. invalid_request for a name that is revoked or that no issued token can have.
   */
  recordServiceToken(argument: _atelier_v1_RecordServiceTokenRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RecordServiceTokenReply>): grpc.ClientUnaryCall;
  recordServiceToken(argument: _atelier_v1_RecordServiceTokenRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RecordServiceTokenReply>): grpc.ClientUnaryCall;
  recordServiceToken(argument: _atelier_v1_RecordServiceTokenRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RecordServiceTokenReply>): grpc.ClientUnaryCall;
  recordServiceToken(argument: _atelier_v1_RecordServiceTokenRequestInput, callback: grpc.requestCallback<_atelier_v1_RecordServiceTokenReply>): grpc.ClientUnaryCall;
  
  /**
   * Ends what was bought and gives the payment back. order_conflict where it is not fulfilled: a second refund is refused.
   */
  RefundOrder(argument: _atelier_v1_RefundOrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  RefundOrder(argument: _atelier_v1_RefundOrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  RefundOrder(argument: _atelier_v1_RefundOrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  RefundOrder(argument: _atelier_v1_RefundOrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  /**
   * Ends what was bought and gives the payment back. order_conflict where it is not fulfilled: a second refund is refused.
   */
  refundOrder(argument: _atelier_v1_RefundOrderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  refundOrder(argument: _atelier_v1_RefundOrderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  refundOrder(argument: _atelier_v1_RefundOrderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  refundOrder(argument: _atelier_v1_RefundOrderRequestInput, callback: grpc.requestCallback<_atelier_v1_Order>): grpc.ClientUnaryCall;
  
  /**
   * Nobody can download it any more.
   */
  RemoveProductFile(argument: _atelier_v1_RemoveProductFileRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ProductFile>): grpc.ClientUnaryCall;
  RemoveProductFile(argument: _atelier_v1_RemoveProductFileRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ProductFile>): grpc.ClientUnaryCall;
  RemoveProductFile(argument: _atelier_v1_RemoveProductFileRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ProductFile>): grpc.ClientUnaryCall;
  RemoveProductFile(argument: _atelier_v1_RemoveProductFileRequestInput, callback: grpc.requestCallback<_atelier_v1_ProductFile>): grpc.ClientUnaryCall;
  /**
   * Nobody can download it any more.
   */
  removeProductFile(argument: _atelier_v1_RemoveProductFileRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ProductFile>): grpc.ClientUnaryCall;
  removeProductFile(argument: _atelier_v1_RemoveProductFileRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ProductFile>): grpc.ClientUnaryCall;
  removeProductFile(argument: _atelier_v1_RemoveProductFileRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ProductFile>): grpc.ClientUnaryCall;
  removeProductFile(argument: _atelier_v1_RemoveProductFileRequestInput, callback: grpc.requestCallback<_atelier_v1_ProductFile>): grpc.ClientUnaryCall;
  
  /**
   * The person is told by mail. ticket_closed.
   */
  ReplyToTicket(argument: _atelier_v1_ReplyToTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  ReplyToTicket(argument: _atelier_v1_ReplyToTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  ReplyToTicket(argument: _atelier_v1_ReplyToTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  ReplyToTicket(argument: _atelier_v1_ReplyToTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  /**
   * The person is told by mail. ticket_closed.
   */
  replyToTicket(argument: _atelier_v1_ReplyToTicketRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  replyToTicket(argument: _atelier_v1_ReplyToTicketRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  replyToTicket(argument: _atelier_v1_ReplyToTicketRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  replyToTicket(argument: _atelier_v1_ReplyToTicketRequestInput, callback: grpc.requestCallback<_atelier_v1_Ticket>): grpc.ClientUnaryCall;
  
  /**
   * With all attempts anew. invalid_request for one that was not given up, or is more than a week old.
   */
  ResendMail(argument: _atelier_v1_ResendMailRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_FailedMail>): grpc.ClientUnaryCall;
  ResendMail(argument: _atelier_v1_ResendMailRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_FailedMail>): grpc.ClientUnaryCall;
  ResendMail(argument: _atelier_v1_ResendMailRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_FailedMail>): grpc.ClientUnaryCall;
  ResendMail(argument: _atelier_v1_ResendMailRequestInput, callback: grpc.requestCallback<_atelier_v1_FailedMail>): grpc.ClientUnaryCall;
  /**
   * With all attempts anew. invalid_request for one that was not given up, or is more than a week old.
   */
  resendMail(argument: _atelier_v1_ResendMailRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_FailedMail>): grpc.ClientUnaryCall;
  resendMail(argument: _atelier_v1_ResendMailRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_FailedMail>): grpc.ClientUnaryCall;
  resendMail(argument: _atelier_v1_ResendMailRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_FailedMail>): grpc.ClientUnaryCall;
  resendMail(argument: _atelier_v1_ResendMailRequestInput, callback: grpc.requestCallback<_atelier_v1_FailedMail>): grpc.ClientUnaryCall;
  
  ResumeModel(argument: _atelier_v1_ResumeModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  ResumeModel(argument: _atelier_v1_ResumeModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  ResumeModel(argument: _atelier_v1_ResumeModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  ResumeModel(argument: _atelier_v1_ResumeModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  resumeModel(argument: _atelier_v1_ResumeModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  resumeModel(argument: _atelier_v1_ResumeModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  resumeModel(argument: _atelier_v1_ResumeModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  resumeModel(argument: _atelier_v1_ResumeModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  
  ResumeProvider(argument: _atelier_v1_ResumeProviderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  ResumeProvider(argument: _atelier_v1_ResumeProviderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  ResumeProvider(argument: _atelier_v1_ResumeProviderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  ResumeProvider(argument: _atelier_v1_ResumeProviderRequestInput, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  resumeProvider(argument: _atelier_v1_ResumeProviderRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  resumeProvider(argument: _atelier_v1_ResumeProviderRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  resumeProvider(argument: _atelier_v1_ResumeProviderRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  resumeProvider(argument: _atelier_v1_ResumeProviderRequestInput, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  
  /**
   * Of an open queue changes nothing.
   */
  ResumeQueue(argument: _atelier_v1_ResumeQueueRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  ResumeQueue(argument: _atelier_v1_ResumeQueueRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  ResumeQueue(argument: _atelier_v1_ResumeQueueRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  ResumeQueue(argument: _atelier_v1_ResumeQueueRequestInput, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  /**
   * Of an open queue changes nothing.
   */
  resumeQueue(argument: _atelier_v1_ResumeQueueRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  resumeQueue(argument: _atelier_v1_ResumeQueueRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  resumeQueue(argument: _atelier_v1_ResumeQueueRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  resumeQueue(argument: _atelier_v1_ResumeQueueRequestInput, callback: grpc.requestCallback<_atelier_v1_QueueStatus>): grpc.ClientUnaryCall;
  
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
   * Again changes nothing.
   */
  RevokeLicence(argument: _atelier_v1_RevokeLicenceRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  RevokeLicence(argument: _atelier_v1_RevokeLicenceRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  RevokeLicence(argument: _atelier_v1_RevokeLicenceRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  RevokeLicence(argument: _atelier_v1_RevokeLicenceRequestInput, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  /**
   * Again changes nothing.
   */
  revokeLicence(argument: _atelier_v1_RevokeLicenceRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  revokeLicence(argument: _atelier_v1_RevokeLicenceRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  revokeLicence(argument: _atelier_v1_RevokeLicenceRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  revokeLicence(argument: _atelier_v1_RevokeLicenceRequestInput, callback: grpc.requestCallback<_atelier_v1_Licence>): grpc.ClientUnaryCall;
  
  /**
   * Refused from its next request on. Again changes nothing.
   */
  RevokeMemberKey(argument: _atelier_v1_RevokeMemberKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeMemberKey(argument: _atelier_v1_RevokeMemberKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeMemberKey(argument: _atelier_v1_RevokeMemberKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeMemberKey(argument: _atelier_v1_RevokeMemberKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  /**
   * Refused from its next request on. Again changes nothing.
   */
  revokeMemberKey(argument: _atelier_v1_RevokeMemberKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeMemberKey(argument: _atelier_v1_RevokeMemberKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeMemberKey(argument: _atelier_v1_RevokeMemberKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeMemberKey(argument: _atelier_v1_RevokeMemberKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  
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
  
  /**
   * Does what a dry run wrote down, each job at most once whatever is repeated or killed; streams how far it is. Run again it goes on.
   * invalid_request for another act, and for a dry run of more than a day ago on which nobody has acted.
   */
  RunBulk(argument: _atelier_v1_RunBulkRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_Bulk>;
  RunBulk(argument: _atelier_v1_RunBulkRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_Bulk>;
  /**
   * Does what a dry run wrote down, each job at most once whatever is repeated or killed; streams how far it is. Run again it goes on.
   * invalid_request for another act, and for a dry run of more than a day ago on which nobody has acted.
   */
  runBulk(argument: _atelier_v1_RunBulkRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_Bulk>;
  runBulk(argument: _atelier_v1_RunBulkRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_Bulk>;
  
  /**
   * Suspended: every request is refused, waiting jobs wait, sessions end for good and signed addresses of files do not open.
   */
  SetAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  /**
   * Suspended: every request is refused, waiting jobs wait, sessions end for good and signed addresses of files do not open.
   */
  setAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setAccountStatus(argument: _atelier_v1_SetAccountStatusRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  
  /**
   * Makes or changes one. Orders keep what they were placed for.
   */
  SetCreditPack(argument: _atelier_v1_CreditPackInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreditPack>): grpc.ClientUnaryCall;
  SetCreditPack(argument: _atelier_v1_CreditPackInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CreditPack>): grpc.ClientUnaryCall;
  SetCreditPack(argument: _atelier_v1_CreditPackInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreditPack>): grpc.ClientUnaryCall;
  SetCreditPack(argument: _atelier_v1_CreditPackInput, callback: grpc.requestCallback<_atelier_v1_CreditPack>): grpc.ClientUnaryCall;
  /**
   * Makes or changes one. Orders keep what they were placed for.
   */
  setCreditPack(argument: _atelier_v1_CreditPackInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreditPack>): grpc.ClientUnaryCall;
  setCreditPack(argument: _atelier_v1_CreditPackInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CreditPack>): grpc.ClientUnaryCall;
  setCreditPack(argument: _atelier_v1_CreditPackInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreditPack>): grpc.ClientUnaryCall;
  setCreditPack(argument: _atelier_v1_CreditPackInput, callback: grpc.requestCallback<_atelier_v1_CreditPack>): grpc.ClientUnaryCall;
  
  /**
   * Starts or extends a membership, or moves it to another tier.
   */
  SetMembership(argument: _atelier_v1_SetMembershipRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  SetMembership(argument: _atelier_v1_SetMembershipRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  SetMembership(argument: _atelier_v1_SetMembershipRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  SetMembership(argument: _atelier_v1_SetMembershipRequestInput, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  /**
   * Starts or extends a membership, or moves it to another tier.
   */
  setMembership(argument: _atelier_v1_SetMembershipRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  setMembership(argument: _atelier_v1_SetMembershipRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  setMembership(argument: _atelier_v1_SetMembershipRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  setMembership(argument: _atelier_v1_SetMembershipRequestInput, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  
  SetPlan(argument: _atelier_v1_SetPlanRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetPlan(argument: _atelier_v1_SetPlanRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetPlan(argument: _atelier_v1_SetPlanRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  SetPlan(argument: _atelier_v1_SetPlanRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setPlan(argument: _atelier_v1_SetPlanRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setPlan(argument: _atelier_v1_SetPlanRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setPlan(argument: _atelier_v1_SetPlanRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  setPlan(argument: _atelier_v1_SetPlanRequestInput, callback: grpc.requestCallback<_atelier_v1_Account>): grpc.ClientUnaryCall;
  
  /**
   * What a month of a plan costs from now on. Who pays for it already goes on at the price of that time.
   */
  SetPlanPrice(argument: _atelier_v1_SetPlanPriceRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Plan>): grpc.ClientUnaryCall;
  SetPlanPrice(argument: _atelier_v1_SetPlanPriceRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Plan>): grpc.ClientUnaryCall;
  SetPlanPrice(argument: _atelier_v1_SetPlanPriceRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Plan>): grpc.ClientUnaryCall;
  SetPlanPrice(argument: _atelier_v1_SetPlanPriceRequestInput, callback: grpc.requestCallback<_atelier_v1_Plan>): grpc.ClientUnaryCall;
  /**
   * What a month of a plan costs from now on. Who pays for it already goes on at the price of that time.
   */
  setPlanPrice(argument: _atelier_v1_SetPlanPriceRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Plan>): grpc.ClientUnaryCall;
  setPlanPrice(argument: _atelier_v1_SetPlanPriceRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Plan>): grpc.ClientUnaryCall;
  setPlanPrice(argument: _atelier_v1_SetPlanPriceRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Plan>): grpc.ClientUnaryCall;
  setPlanPrice(argument: _atelier_v1_SetPlanPriceRequestInput, callback: grpc.requestCallback<_atelier_v1_Plan>): grpc.ClientUnaryCall;
  
  SetProviderLimits(argument: _atelier_v1_SetProviderLimitsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  SetProviderLimits(argument: _atelier_v1_SetProviderLimitsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  SetProviderLimits(argument: _atelier_v1_SetProviderLimitsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  SetProviderLimits(argument: _atelier_v1_SetProviderLimitsRequestInput, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  setProviderLimits(argument: _atelier_v1_SetProviderLimitsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  setProviderLimits(argument: _atelier_v1_SetProviderLimitsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  setProviderLimits(argument: _atelier_v1_SetProviderLimitsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  setProviderLimits(argument: _atelier_v1_SetProviderLimitsRequestInput, callback: grpc.requestCallback<_atelier_v1_Provider>): grpc.ClientUnaryCall;
  
  /**
   * The same for a tier, by the month and by the year.
   */
  SetTierPrices(argument: _atelier_v1_SetTierPricesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Tier>): grpc.ClientUnaryCall;
  SetTierPrices(argument: _atelier_v1_SetTierPricesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Tier>): grpc.ClientUnaryCall;
  SetTierPrices(argument: _atelier_v1_SetTierPricesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Tier>): grpc.ClientUnaryCall;
  SetTierPrices(argument: _atelier_v1_SetTierPricesRequestInput, callback: grpc.requestCallback<_atelier_v1_Tier>): grpc.ClientUnaryCall;
  /**
   * The same for a tier, by the month and by the year.
   */
  setTierPrices(argument: _atelier_v1_SetTierPricesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Tier>): grpc.ClientUnaryCall;
  setTierPrices(argument: _atelier_v1_SetTierPricesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Tier>): grpc.ClientUnaryCall;
  setTierPrices(argument: _atelier_v1_SetTierPricesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Tier>): grpc.ClientUnaryCall;
  setTierPrices(argument: _atelier_v1_SetTierPricesRequestInput, callback: grpc.requestCallback<_atelier_v1_Tier>): grpc.ClientUnaryCall;
  
}

/**
 * Operators and support. Callable only with a service token that has the Admin scope. Every write is recorded before it is done,
 * with the name of the service that asks and what the metadata `atelier-operator-bin` and `atelier-reason-bin` (UTF-8) tell: which
 * person, and why. A write that does not tell both is refused.
 */
export interface AdminHandlers extends grpc.UntypedServiceImplementation {
  AddModel: grpc.handleUnaryCall<_atelier_v1_AddModelRequest, _atelier_v1_ModelInput>;
  
  /**
   * The first message says what comes, the others carry its bytes. The same file again changes nothing; another one of the same name
   * and version is invalid_request, and so is one that is not what it says.
   */
  AddProductFile: grpc.handleClientStreamingCall<_atelier_v1_AddProductFilePart, _atelier_v1_AddedProductFileInput>;
  
  /**
   * Gives an account the free plan's credits that ATELIER_HOLD_WELCOME_CREDITS holds back. Errors: not_found, invalid_request where none
   * are held.
   */
  ApproveWelcomeCredits: grpc.handleUnaryCall<_atelier_v1_ApproveWelcomeCreditsRequest, _atelier_v1_AccountInput>;
  
  /**
   * Recounts everything; streams progress and findings, ends with done.
   */
  Audit: grpc.handleServerStreamingCall<_atelier_v1_AuditRequest, _atelier_v1_AuditReportInput>;
  
  /**
   * While it is reserved, whosever it is.
   */
  CancelAnyJob: grpc.handleUnaryCall<_atelier_v1_CancelAnyJobRequest, _atelier_v1_JobInput>;
  
  /**
   * Again changes nothing.
   */
  CloseAnyTicket: grpc.handleUnaryCall<_atelier_v1_CloseTicketRequest, _atelier_v1_TicketInput>;
  
  CreateAccount: grpc.handleUnaryCall<_atelier_v1_CreateAccountRequest, _atelier_v1_AccountInput>;
  
  CreateAccountKey: grpc.handleUnaryCall<_atelier_v1_CreateAccountKeyRequest, _atelier_v1_CreateKeyReplyInput>;
  
  /**
   * Ends it now. Again changes nothing. Licences stay.
   */
  EndMembership: grpc.handleUnaryCall<_atelier_v1_EndMembershipRequest, _atelier_v1_MembershipInput>;
  
  /**
   * Ends all sessions of the account on the website. Sessions that another system issues end there.
   */
  EndSessions: grpc.handleUnaryCall<_atelier_v1_EndSessionsRequest, _atelier_v1_EndSessionsReplyInput>;
  
  /**
   * Ends it at once, here and at the provider; no payment is given back. order_conflict where it has ended.
   */
  EndSubscription: grpc.handleUnaryCall<_atelier_v1_EndSubscriptionRequest, _atelier_v1_SubscriptionInput>;
  
  /**
   * What a word may mean: any id, the beginning of an e-mail address, a part of a name, a key or its end, a slug, a receipt's number, a
   * request id. What has no index is looked for among the newest 20,000.
   */
  Find: grpc.handleUnaryCall<_atelier_v1_FindRequest, _atelier_v1_FindReplyInput>;
  
  GetAccount: grpc.handleUnaryCall<_atelier_v1_GetAccountRequest, _atelier_v1_AccountInput>;
  
  GetAccountMembership: grpc.handleUnaryCall<_atelier_v1_GetAccountMembershipRequest, _atelier_v1_MembershipInput>;
  
  /**
   * Whosever it is.
   */
  GetAnyJob: grpc.handleUnaryCall<_atelier_v1_GetAnyJobRequest, _atelier_v1_JobInput>;
  
  GetAnyOrder: grpc.handleUnaryCall<_atelier_v1_OrderRequest, _atelier_v1_OrderInput>;
  
  GetAnySubscription: grpc.handleUnaryCall<_atelier_v1_AnySubscriptionRequest, _atelier_v1_SubscriptionInput>;
  
  /**
   * Whosever it is.
   */
  GetAnyTicket: grpc.handleUnaryCall<_atelier_v1_GetTicketRequest, _atelier_v1_TicketInput>;
  
  GetBulk: grpc.handleUnaryCall<_atelier_v1_GetBulkRequest, _atelier_v1_BulkInput>;
  
  /**
   * The queue, and what operators have paused.
   */
  GetStatus: grpc.handleUnaryCall<_atelier_v1_GetStatusRequest, _atelier_v1_StatusInput>;
  
  GrantCredits: grpc.handleUnaryCall<_atelier_v1_GrantCreditsRequest, _atelier_v1_LedgerEntryInput>;
  
  /**
   * An account has at most one live licence of a kind for a product: a second grant answers the first and changes nothing.
   * product_not_found; membership_required where the licence needs a membership.
   */
  GrantLicence: grpc.handleUnaryCall<_atelier_v1_GrantLicenceRequest, _atelier_v1_LicenceInput>;
  
  /**
   * Newest first.
   */
  ListAccountDownloads: grpc.handleUnaryCall<_atelier_v1_ListAccountDownloadsRequest, _atelier_v1_ListDownloadsReplyInput>;
  
  /**
   * Newest first.
   */
  ListAccountJobs: grpc.handleUnaryCall<_atelier_v1_ListAccountJobsRequest, _atelier_v1_ListJobsReplyInput>;
  
  /**
   * Generation keys, newest first; revoked and expired ones too.
   */
  ListAccountKeys: grpc.handleUnaryCall<_atelier_v1_ListAccountKeysRequest, _atelier_v1_ListKeysReplyInput>;
  
  /**
   * Newest first.
   */
  ListAccountLedger: grpc.handleUnaryCall<_atelier_v1_ListAccountLedgerRequest, _atelier_v1_ListLedgerReplyInput>;
  
  ListAccountLicences: grpc.handleUnaryCall<_atelier_v1_ListAccountLicencesRequest, _atelier_v1_ListLicencesReplyInput>;
  
  /**
   * Newest first.
   */
  ListAccounts: grpc.handleUnaryCall<_atelier_v1_ListAccountsRequest, _atelier_v1_ListAccountsReplyInput>;
  
  /**
   * Paused and retired ones too.
   */
  ListAllModels: grpc.handleUnaryCall<_atelier_v1_ListModelsRequest, _atelier_v1_ListAllModelsReplyInput>;
  
  /**
   * The one that changed last first.
   */
  ListAllTickets: grpc.handleUnaryCall<_atelier_v1_ListAllTicketsRequest, _atelier_v1_ListTicketsReplyInput>;
  
  /**
   * Orders of an account, or of all; newest first.
   */
  ListAnyOrders: grpc.handleUnaryCall<_atelier_v1_ListAnyOrdersRequest, _atelier_v1_ListOrdersReplyInput>;
  
  /**
   * Subscriptions of an account, or of all; newest first.
   */
  ListAnySubscriptions: grpc.handleUnaryCall<_atelier_v1_ListAnySubscriptionsRequest, _atelier_v1_ListAnySubscriptionsReplyInput>;
  
  /**
   * What was asked for, newest first, refused requests too.
   */
  ListAuditTrail: grpc.handleUnaryCall<_atelier_v1_ListAuditTrailRequest, _atelier_v1_ListAuditTrailReplyInput>;
  
  /**
   * Newest first.
   */
  ListBulks: grpc.handleUnaryCall<_atelier_v1_ListBulksRequest, _atelier_v1_ListBulksReplyInput>;
  
  /**
   * Those that are not sold too, the smallest first.
   */
  ListCreditPacks: grpc.handleUnaryCall<_atelier_v1_ListCreditPacksRequest, _atelier_v1_ListCreditPacksReplyInput>;
  
  /**
   * Callbacks that did not arrive and that nobody has dealt with, those of the newest jobs first.
   */
  ListDeadDeliveries: grpc.handleUnaryCall<_atelier_v1_ListDeadDeliveriesRequest, _atelier_v1_ListDeadDeliveriesReplyInput>;
  
  /**
   * How many there are by receiver, the most first.
   */
  ListDeadReceivers: grpc.handleUnaryCall<_atelier_v1_ListDeadReceiversRequest, _atelier_v1_ListDeadReceiversReplyInput>;
  
  /**
   * Mails that were given up in the last week, the last first.
   */
  ListFailedMails: grpc.handleUnaryCall<_atelier_v1_ListFailedMailsRequest, _atelier_v1_ListFailedMailsReplyInput>;
  
  ListMemberKeys: grpc.handleUnaryCall<_atelier_v1_ListMemberKeysRequest, _atelier_v1_ListKeysReplyInput>;
  
  /**
   * By name, the newest version first.
   */
  ListProductFiles: grpc.handleUnaryCall<_atelier_v1_ListProductFilesRequest, _atelier_v1_ListProductFilesReplyInput>;
  
  /**
   * What makes files: limits, pauses, and models that fail.
   */
  ListProviders: grpc.handleUnaryCall<_atelier_v1_ListProvidersRequest, _atelier_v1_ListProvidersReplyInput>;
  
  /**
   * What needs a person.
   */
  ListStuck: grpc.handleUnaryCall<_atelier_v1_ListStuckRequest, _atelier_v1_ListStuckReplyInput>;
  
  /**
   * It accepts nothing until it is resumed. Its waiting jobs wait on, running ones go on.
   */
  PauseModel: grpc.handleUnaryCall<_atelier_v1_PauseModelRequest, _atelier_v1_ModelInput>;
  
  /**
   * Nobody calls it until it is resumed. Models that have no other provider are paused with it.
   */
  PauseProvider: grpc.handleUnaryCall<_atelier_v1_PauseProviderRequest, _atelier_v1_ProviderInput>;
  
  /**
   * No waiting job starts until it is resumed; what runs goes on. Where it is paused already, only `refuse` changes.
   */
  PauseQueue: grpc.handleUnaryCall<_atelier_v1_PauseQueueRequest, _atelier_v1_QueueStatusInput>;
  
  /**
   * A dry run: counts what an act on many jobs would do, and writes down to which. Moves nothing. invalid_request for a selection that no
   * index serves (neither ids nor account nor since, of jobs that have ended), or of more than 50,000.
   */
  PlanBulk: grpc.handleUnaryCall<_atelier_v1_PlanBulkRequest, _atelier_v1_BulkInput>;
  
  /**
   * The only other way to a member key.
   */
  ProvisionMemberKey: grpc.handleUnaryCall<_atelier_v1_ProvisionMemberKeyRequest, _atelier_v1_CreateKeyReplyInput>;
  
  /**
   * Puts a new member key on a ticket that asks for one: the person sees it there once, within 7 days, and nobody else does.
   * membership_required where the membership does not include the member tools.
   */
  ProvisionTicketKey: grpc.handleUnaryCall<_atelier_v1_ProvisionTicketKeyRequest, _atelier_v1_TicketInput>;
  
  /**
   * Before a token is signed for another internal service. invalid_request for a name that is revoked or that no issued token can have.
   */
  RecordServiceToken: grpc.handleUnaryCall<_atelier_v1_RecordServiceTokenRequest, _atelier_v1_RecordServiceTokenReplyInput>;
  
  /**
   * Ends what was bought and gives the payment back. order_conflict where it is not fulfilled: a second refund is refused.
   */
  RefundOrder: grpc.handleUnaryCall<_atelier_v1_RefundOrderRequest, _atelier_v1_OrderInput>;
  
  /**
   * Nobody can download it any more.
   */
  RemoveProductFile: grpc.handleUnaryCall<_atelier_v1_RemoveProductFileRequest, _atelier_v1_ProductFileInput>;
  
  /**
   * The person is told by mail. ticket_closed.
   */
  ReplyToTicket: grpc.handleUnaryCall<_atelier_v1_ReplyToTicketRequest, _atelier_v1_TicketInput>;
  
  /**
   * With all attempts anew. invalid_request for one that was not given up, or is more than a week old.
   */
  ResendMail: grpc.handleUnaryCall<_atelier_v1_ResendMailRequest, _atelier_v1_FailedMailInput>;
  
  ResumeModel: grpc.handleUnaryCall<_atelier_v1_ResumeModelRequest, _atelier_v1_ModelInput>;
  
  ResumeProvider: grpc.handleUnaryCall<_atelier_v1_ResumeProviderRequest, _atelier_v1_ProviderInput>;
  
  /**
   * Of an open queue changes nothing.
   */
  ResumeQueue: grpc.handleUnaryCall<_atelier_v1_ResumeQueueRequest, _atelier_v1_QueueStatusInput>;
  
  RetireModel: grpc.handleUnaryCall<_atelier_v1_RetireModelRequest, _atelier_v1_ModelInput>;
  
  RevokeAccountKey: grpc.handleUnaryCall<_atelier_v1_RevokeAccountKeyRequest, _atelier_v1_ApiKeyInput>;
  
  /**
   * Again changes nothing.
   */
  RevokeLicence: grpc.handleUnaryCall<_atelier_v1_RevokeLicenceRequest, _atelier_v1_LicenceInput>;
  
  /**
   * Refused from its next request on. Again changes nothing.
   */
  RevokeMemberKey: grpc.handleUnaryCall<_atelier_v1_RevokeMemberKeyRequest, _atelier_v1_ApiKeyInput>;
  
  /**
   * From now on every token whose sub is this name is refused.
   */
  RevokeServiceName: grpc.handleUnaryCall<_atelier_v1_RevokeServiceNameRequest, _atelier_v1_RevokeServiceNameReplyInput>;
  
  /**
   * Does what a dry run wrote down, each job at most once whatever is repeated or killed; streams how far it is. Run again it goes on.
   * invalid_request for another act, and for a dry run of more than a day ago on which nobody has acted.
   */
  RunBulk: grpc.handleServerStreamingCall<_atelier_v1_RunBulkRequest, _atelier_v1_BulkInput>;
  
  /**
   * Suspended: every request is refused, waiting jobs wait, sessions end for good and signed addresses of files do not open.
   */
  SetAccountStatus: grpc.handleUnaryCall<_atelier_v1_SetAccountStatusRequest, _atelier_v1_AccountInput>;
  
  /**
   * Makes or changes one. Orders keep what they were placed for.
   */
  SetCreditPack: grpc.handleUnaryCall<_atelier_v1_CreditPack, _atelier_v1_CreditPackInput>;
  
  /**
   * Starts or extends a membership, or moves it to another tier.
   */
  SetMembership: grpc.handleUnaryCall<_atelier_v1_SetMembershipRequest, _atelier_v1_MembershipInput>;
  
  SetPlan: grpc.handleUnaryCall<_atelier_v1_SetPlanRequest, _atelier_v1_AccountInput>;
  
  /**
   * What a month of a plan costs from now on. Who pays for it already goes on at the price of that time.
   */
  SetPlanPrice: grpc.handleUnaryCall<_atelier_v1_SetPlanPriceRequest, _atelier_v1_PlanInput>;
  
  SetProviderLimits: grpc.handleUnaryCall<_atelier_v1_SetProviderLimitsRequest, _atelier_v1_ProviderInput>;
  
  /**
   * The same for a tier, by the month and by the year.
   */
  SetTierPrices: grpc.handleUnaryCall<_atelier_v1_SetTierPricesRequest, _atelier_v1_TierInput>;
  
}

export interface AdminDefinition extends grpc.ServiceDefinition {
  AddModel: MethodDefinition<_atelier_v1_AddModelRequestInput, _atelier_v1_ModelInput, _atelier_v1_AddModelRequest, _atelier_v1_Model>
  AddProductFile: MethodDefinition<_atelier_v1_AddProductFilePartInput, _atelier_v1_AddedProductFileInput, _atelier_v1_AddProductFilePart, _atelier_v1_AddedProductFile>
  ApproveWelcomeCredits: MethodDefinition<_atelier_v1_ApproveWelcomeCreditsRequestInput, _atelier_v1_AccountInput, _atelier_v1_ApproveWelcomeCreditsRequest, _atelier_v1_Account>
  Audit: MethodDefinition<_atelier_v1_AuditRequestInput, _atelier_v1_AuditReportInput, _atelier_v1_AuditRequest, _atelier_v1_AuditReport>
  CancelAnyJob: MethodDefinition<_atelier_v1_CancelAnyJobRequestInput, _atelier_v1_JobInput, _atelier_v1_CancelAnyJobRequest, _atelier_v1_Job>
  CloseAnyTicket: MethodDefinition<_atelier_v1_CloseTicketRequestInput, _atelier_v1_TicketInput, _atelier_v1_CloseTicketRequest, _atelier_v1_Ticket>
  CreateAccount: MethodDefinition<_atelier_v1_CreateAccountRequestInput, _atelier_v1_AccountInput, _atelier_v1_CreateAccountRequest, _atelier_v1_Account>
  CreateAccountKey: MethodDefinition<_atelier_v1_CreateAccountKeyRequestInput, _atelier_v1_CreateKeyReplyInput, _atelier_v1_CreateAccountKeyRequest, _atelier_v1_CreateKeyReply>
  EndMembership: MethodDefinition<_atelier_v1_EndMembershipRequestInput, _atelier_v1_MembershipInput, _atelier_v1_EndMembershipRequest, _atelier_v1_Membership>
  EndSessions: MethodDefinition<_atelier_v1_EndSessionsRequestInput, _atelier_v1_EndSessionsReplyInput, _atelier_v1_EndSessionsRequest, _atelier_v1_EndSessionsReply>
  EndSubscription: MethodDefinition<_atelier_v1_EndSubscriptionRequestInput, _atelier_v1_SubscriptionInput, _atelier_v1_EndSubscriptionRequest, _atelier_v1_Subscription>
  Find: MethodDefinition<_atelier_v1_FindRequestInput, _atelier_v1_FindReplyInput, _atelier_v1_FindRequest, _atelier_v1_FindReply>
  GetAccount: MethodDefinition<_atelier_v1_GetAccountRequestInput, _atelier_v1_AccountInput, _atelier_v1_GetAccountRequest, _atelier_v1_Account>
  GetAccountMembership: MethodDefinition<_atelier_v1_GetAccountMembershipRequestInput, _atelier_v1_MembershipInput, _atelier_v1_GetAccountMembershipRequest, _atelier_v1_Membership>
  GetAnyJob: MethodDefinition<_atelier_v1_GetAnyJobRequestInput, _atelier_v1_JobInput, _atelier_v1_GetAnyJobRequest, _atelier_v1_Job>
  GetAnyOrder: MethodDefinition<_atelier_v1_OrderRequestInput, _atelier_v1_OrderInput, _atelier_v1_OrderRequest, _atelier_v1_Order>
  GetAnySubscription: MethodDefinition<_atelier_v1_AnySubscriptionRequestInput, _atelier_v1_SubscriptionInput, _atelier_v1_AnySubscriptionRequest, _atelier_v1_Subscription>
  GetAnyTicket: MethodDefinition<_atelier_v1_GetTicketRequestInput, _atelier_v1_TicketInput, _atelier_v1_GetTicketRequest, _atelier_v1_Ticket>
  GetBulk: MethodDefinition<_atelier_v1_GetBulkRequestInput, _atelier_v1_BulkInput, _atelier_v1_GetBulkRequest, _atelier_v1_Bulk>
  GetStatus: MethodDefinition<_atelier_v1_GetStatusRequestInput, _atelier_v1_StatusInput, _atelier_v1_GetStatusRequest, _atelier_v1_Status>
  GrantCredits: MethodDefinition<_atelier_v1_GrantCreditsRequestInput, _atelier_v1_LedgerEntryInput, _atelier_v1_GrantCreditsRequest, _atelier_v1_LedgerEntry>
  GrantLicence: MethodDefinition<_atelier_v1_GrantLicenceRequestInput, _atelier_v1_LicenceInput, _atelier_v1_GrantLicenceRequest, _atelier_v1_Licence>
  ListAccountDownloads: MethodDefinition<_atelier_v1_ListAccountDownloadsRequestInput, _atelier_v1_ListDownloadsReplyInput, _atelier_v1_ListAccountDownloadsRequest, _atelier_v1_ListDownloadsReply>
  ListAccountJobs: MethodDefinition<_atelier_v1_ListAccountJobsRequestInput, _atelier_v1_ListJobsReplyInput, _atelier_v1_ListAccountJobsRequest, _atelier_v1_ListJobsReply>
  ListAccountKeys: MethodDefinition<_atelier_v1_ListAccountKeysRequestInput, _atelier_v1_ListKeysReplyInput, _atelier_v1_ListAccountKeysRequest, _atelier_v1_ListKeysReply>
  ListAccountLedger: MethodDefinition<_atelier_v1_ListAccountLedgerRequestInput, _atelier_v1_ListLedgerReplyInput, _atelier_v1_ListAccountLedgerRequest, _atelier_v1_ListLedgerReply>
  ListAccountLicences: MethodDefinition<_atelier_v1_ListAccountLicencesRequestInput, _atelier_v1_ListLicencesReplyInput, _atelier_v1_ListAccountLicencesRequest, _atelier_v1_ListLicencesReply>
  ListAccounts: MethodDefinition<_atelier_v1_ListAccountsRequestInput, _atelier_v1_ListAccountsReplyInput, _atelier_v1_ListAccountsRequest, _atelier_v1_ListAccountsReply>
  ListAllModels: MethodDefinition<_atelier_v1_ListModelsRequestInput, _atelier_v1_ListAllModelsReplyInput, _atelier_v1_ListModelsRequest, _atelier_v1_ListAllModelsReply>
  ListAllTickets: MethodDefinition<_atelier_v1_ListAllTicketsRequestInput, _atelier_v1_ListTicketsReplyInput, _atelier_v1_ListAllTicketsRequest, _atelier_v1_ListTicketsReply>
  ListAnyOrders: MethodDefinition<_atelier_v1_ListAnyOrdersRequestInput, _atelier_v1_ListOrdersReplyInput, _atelier_v1_ListAnyOrdersRequest, _atelier_v1_ListOrdersReply>
  ListAnySubscriptions: MethodDefinition<_atelier_v1_ListAnySubscriptionsRequestInput, _atelier_v1_ListAnySubscriptionsReplyInput, _atelier_v1_ListAnySubscriptionsRequest, _atelier_v1_ListAnySubscriptionsReply>
  ListAuditTrail: MethodDefinition<_atelier_v1_ListAuditTrailRequestInput, _atelier_v1_ListAuditTrailReplyInput, _atelier_v1_ListAuditTrailRequest, _atelier_v1_ListAuditTrailReply>
  ListBulks: MethodDefinition<_atelier_v1_ListBulksRequestInput, _atelier_v1_ListBulksReplyInput, _atelier_v1_ListBulksRequest, _atelier_v1_ListBulksReply>
  ListCreditPacks: MethodDefinition<_atelier_v1_ListCreditPacksRequestInput, _atelier_v1_ListCreditPacksReplyInput, _atelier_v1_ListCreditPacksRequest, _atelier_v1_ListCreditPacksReply>
  ListDeadDeliveries: MethodDefinition<_atelier_v1_ListDeadDeliveriesRequestInput, _atelier_v1_ListDeadDeliveriesReplyInput, _atelier_v1_ListDeadDeliveriesRequest, _atelier_v1_ListDeadDeliveriesReply>
  ListDeadReceivers: MethodDefinition<_atelier_v1_ListDeadReceiversRequestInput, _atelier_v1_ListDeadReceiversReplyInput, _atelier_v1_ListDeadReceiversRequest, _atelier_v1_ListDeadReceiversReply>
  ListFailedMails: MethodDefinition<_atelier_v1_ListFailedMailsRequestInput, _atelier_v1_ListFailedMailsReplyInput, _atelier_v1_ListFailedMailsRequest, _atelier_v1_ListFailedMailsReply>
  ListMemberKeys: MethodDefinition<_atelier_v1_ListMemberKeysRequestInput, _atelier_v1_ListKeysReplyInput, _atelier_v1_ListMemberKeysRequest, _atelier_v1_ListKeysReply>
  ListProductFiles: MethodDefinition<_atelier_v1_ListProductFilesRequestInput, _atelier_v1_ListProductFilesReplyInput, _atelier_v1_ListProductFilesRequest, _atelier_v1_ListProductFilesReply>
  ListProviders: MethodDefinition<_atelier_v1_ListProvidersRequestInput, _atelier_v1_ListProvidersReplyInput, _atelier_v1_ListProvidersRequest, _atelier_v1_ListProvidersReply>
  ListStuck: MethodDefinition<_atelier_v1_ListStuckRequestInput, _atelier_v1_ListStuckReplyInput, _atelier_v1_ListStuckRequest, _atelier_v1_ListStuckReply>
  PauseModel: MethodDefinition<_atelier_v1_PauseModelRequestInput, _atelier_v1_ModelInput, _atelier_v1_PauseModelRequest, _atelier_v1_Model>
  PauseProvider: MethodDefinition<_atelier_v1_PauseProviderRequestInput, _atelier_v1_ProviderInput, _atelier_v1_PauseProviderRequest, _atelier_v1_Provider>
  PauseQueue: MethodDefinition<_atelier_v1_PauseQueueRequestInput, _atelier_v1_QueueStatusInput, _atelier_v1_PauseQueueRequest, _atelier_v1_QueueStatus>
  PlanBulk: MethodDefinition<_atelier_v1_PlanBulkRequestInput, _atelier_v1_BulkInput, _atelier_v1_PlanBulkRequest, _atelier_v1_Bulk>
  ProvisionMemberKey: MethodDefinition<_atelier_v1_ProvisionMemberKeyRequestInput, _atelier_v1_CreateKeyReplyInput, _atelier_v1_ProvisionMemberKeyRequest, _atelier_v1_CreateKeyReply>
  ProvisionTicketKey: MethodDefinition<_atelier_v1_ProvisionTicketKeyRequestInput, _atelier_v1_TicketInput, _atelier_v1_ProvisionTicketKeyRequest, _atelier_v1_Ticket>
  RecordServiceToken: MethodDefinition<_atelier_v1_RecordServiceTokenRequestInput, _atelier_v1_RecordServiceTokenReplyInput, _atelier_v1_RecordServiceTokenRequest, _atelier_v1_RecordServiceTokenReply>
  RefundOrder: MethodDefinition<_atelier_v1_RefundOrderRequestInput, _atelier_v1_OrderInput, _atelier_v1_RefundOrderRequest, _atelier_v1_Order>
  RemoveProductFile: MethodDefinition<_atelier_v1_RemoveProductFileRequestInput, _atelier_v1_ProductFileInput, _atelier_v1_RemoveProductFileRequest, _atelier_v1_ProductFile>
  ReplyToTicket: MethodDefinition<_atelier_v1_ReplyToTicketRequestInput, _atelier_v1_TicketInput, _atelier_v1_ReplyToTicketRequest, _atelier_v1_Ticket>
  ResendMail: MethodDefinition<_atelier_v1_ResendMailRequestInput, _atelier_v1_FailedMailInput, _atelier_v1_ResendMailRequest, _atelier_v1_FailedMail>
  ResumeModel: MethodDefinition<_atelier_v1_ResumeModelRequestInput, _atelier_v1_ModelInput, _atelier_v1_ResumeModelRequest, _atelier_v1_Model>
  ResumeProvider: MethodDefinition<_atelier_v1_ResumeProviderRequestInput, _atelier_v1_ProviderInput, _atelier_v1_ResumeProviderRequest, _atelier_v1_Provider>
  ResumeQueue: MethodDefinition<_atelier_v1_ResumeQueueRequestInput, _atelier_v1_QueueStatusInput, _atelier_v1_ResumeQueueRequest, _atelier_v1_QueueStatus>
  RetireModel: MethodDefinition<_atelier_v1_RetireModelRequestInput, _atelier_v1_ModelInput, _atelier_v1_RetireModelRequest, _atelier_v1_Model>
  RevokeAccountKey: MethodDefinition<_atelier_v1_RevokeAccountKeyRequestInput, _atelier_v1_ApiKeyInput, _atelier_v1_RevokeAccountKeyRequest, _atelier_v1_ApiKey>
  RevokeLicence: MethodDefinition<_atelier_v1_RevokeLicenceRequestInput, _atelier_v1_LicenceInput, _atelier_v1_RevokeLicenceRequest, _atelier_v1_Licence>
  RevokeMemberKey: MethodDefinition<_atelier_v1_RevokeMemberKeyRequestInput, _atelier_v1_ApiKeyInput, _atelier_v1_RevokeMemberKeyRequest, _atelier_v1_ApiKey>
  RevokeServiceName: MethodDefinition<_atelier_v1_RevokeServiceNameRequestInput, _atelier_v1_RevokeServiceNameReplyInput, _atelier_v1_RevokeServiceNameRequest, _atelier_v1_RevokeServiceNameReply>
  RunBulk: MethodDefinition<_atelier_v1_RunBulkRequestInput, _atelier_v1_BulkInput, _atelier_v1_RunBulkRequest, _atelier_v1_Bulk>
  SetAccountStatus: MethodDefinition<_atelier_v1_SetAccountStatusRequestInput, _atelier_v1_AccountInput, _atelier_v1_SetAccountStatusRequest, _atelier_v1_Account>
  SetCreditPack: MethodDefinition<_atelier_v1_CreditPackInput, _atelier_v1_CreditPackInput, _atelier_v1_CreditPack, _atelier_v1_CreditPack>
  SetMembership: MethodDefinition<_atelier_v1_SetMembershipRequestInput, _atelier_v1_MembershipInput, _atelier_v1_SetMembershipRequest, _atelier_v1_Membership>
  SetPlan: MethodDefinition<_atelier_v1_SetPlanRequestInput, _atelier_v1_AccountInput, _atelier_v1_SetPlanRequest, _atelier_v1_Account>
  SetPlanPrice: MethodDefinition<_atelier_v1_SetPlanPriceRequestInput, _atelier_v1_PlanInput, _atelier_v1_SetPlanPriceRequest, _atelier_v1_Plan>
  SetProviderLimits: MethodDefinition<_atelier_v1_SetProviderLimitsRequestInput, _atelier_v1_ProviderInput, _atelier_v1_SetProviderLimitsRequest, _atelier_v1_Provider>
  SetTierPrices: MethodDefinition<_atelier_v1_SetTierPricesRequestInput, _atelier_v1_TierInput, _atelier_v1_SetTierPricesRequest, _atelier_v1_Tier>
}
