import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AccountInput as _atelier_v1_AccountInput, Account as _atelier_v1_Account } from './atelier/v1/Account.ts';
import type { AccountsClient as _atelier_v1_AccountsClient, AccountsDefinition as _atelier_v1_AccountsDefinition } from './atelier/v1/Accounts.ts';
import type { AddMessageRequestInput as _atelier_v1_AddMessageRequestInput, AddMessageRequest as _atelier_v1_AddMessageRequest } from './atelier/v1/AddMessageRequest.ts';
import type { AddModelRequestInput as _atelier_v1_AddModelRequestInput, AddModelRequest as _atelier_v1_AddModelRequest } from './atelier/v1/AddModelRequest.ts';
import type { AddProductFilePartInput as _atelier_v1_AddProductFilePartInput, AddProductFilePart as _atelier_v1_AddProductFilePart } from './atelier/v1/AddProductFilePart.ts';
import type { AddedProductFileInput as _atelier_v1_AddedProductFileInput, AddedProductFile as _atelier_v1_AddedProductFile } from './atelier/v1/AddedProductFile.ts';
import type { AdminClient as _atelier_v1_AdminClient, AdminDefinition as _atelier_v1_AdminDefinition } from './atelier/v1/Admin.ts';
import type { AnswerConfirmationRequestInput as _atelier_v1_AnswerConfirmationRequestInput, AnswerConfirmationRequest as _atelier_v1_AnswerConfirmationRequest } from './atelier/v1/AnswerConfirmationRequest.ts';
import type { AnySubscriptionRequestInput as _atelier_v1_AnySubscriptionRequestInput, AnySubscriptionRequest as _atelier_v1_AnySubscriptionRequest } from './atelier/v1/AnySubscriptionRequest.ts';
import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from './atelier/v1/ApiKey.ts';
import type { ApproveWelcomeCreditsRequestInput as _atelier_v1_ApproveWelcomeCreditsRequestInput, ApproveWelcomeCreditsRequest as _atelier_v1_ApproveWelcomeCreditsRequest } from './atelier/v1/ApproveWelcomeCreditsRequest.ts';
import type { AuditFindingInput as _atelier_v1_AuditFindingInput, AuditFinding as _atelier_v1_AuditFinding } from './atelier/v1/AuditFinding.ts';
import type { AuditReportInput as _atelier_v1_AuditReportInput, AuditReport as _atelier_v1_AuditReport } from './atelier/v1/AuditReport.ts';
import type { AuditRequestInput as _atelier_v1_AuditRequestInput, AuditRequest as _atelier_v1_AuditRequest } from './atelier/v1/AuditRequest.ts';
import type { AuditTrailEntryInput as _atelier_v1_AuditTrailEntryInput, AuditTrailEntry as _atelier_v1_AuditTrailEntry } from './atelier/v1/AuditTrailEntry.ts';
import type { AuthenticateMemberRequestInput as _atelier_v1_AuthenticateMemberRequestInput, AuthenticateMemberRequest as _atelier_v1_AuthenticateMemberRequest } from './atelier/v1/AuthenticateMemberRequest.ts';
import type { AuthenticateRequestInput as _atelier_v1_AuthenticateRequestInput, AuthenticateRequest as _atelier_v1_AuthenticateRequest } from './atelier/v1/AuthenticateRequest.ts';
import type { BalanceInput as _atelier_v1_BalanceInput, Balance as _atelier_v1_Balance } from './atelier/v1/Balance.ts';
import type { BulkInput as _atelier_v1_BulkInput, Bulk as _atelier_v1_Bulk } from './atelier/v1/Bulk.ts';
import type { BulkLeftInput as _atelier_v1_BulkLeftInput, BulkLeft as _atelier_v1_BulkLeft } from './atelier/v1/BulkLeft.ts';
import type { BulkResultInput as _atelier_v1_BulkResultInput, BulkResult as _atelier_v1_BulkResult } from './atelier/v1/BulkResult.ts';
import type { CallbackSecretInput as _atelier_v1_CallbackSecretInput, CallbackSecret as _atelier_v1_CallbackSecret } from './atelier/v1/CallbackSecret.ts';
import type { CallbackSecretStateInput as _atelier_v1_CallbackSecretStateInput, CallbackSecretState as _atelier_v1_CallbackSecretState } from './atelier/v1/CallbackSecretState.ts';
import type { CallbacksClient as _atelier_v1_CallbacksClient, CallbacksDefinition as _atelier_v1_CallbacksDefinition } from './atelier/v1/Callbacks.ts';
import type { CancelAnyJobRequestInput as _atelier_v1_CancelAnyJobRequestInput, CancelAnyJobRequest as _atelier_v1_CancelAnyJobRequest } from './atelier/v1/CancelAnyJobRequest.ts';
import type { CancelJobRequestInput as _atelier_v1_CancelJobRequestInput, CancelJobRequest as _atelier_v1_CancelJobRequest } from './atelier/v1/CancelJobRequest.ts';
import type { CancelWorkflowRequestInput as _atelier_v1_CancelWorkflowRequestInput, CancelWorkflowRequest as _atelier_v1_CancelWorkflowRequest } from './atelier/v1/CancelWorkflowRequest.ts';
import type { CatalogClient as _atelier_v1_CatalogClient, CatalogDefinition as _atelier_v1_CatalogDefinition } from './atelier/v1/Catalog.ts';
import type { CatalogAdminClient as _atelier_v1_CatalogAdminClient, CatalogAdminDefinition as _atelier_v1_CatalogAdminDefinition } from './atelier/v1/CatalogAdmin.ts';
import type { CatalogChangeInput as _atelier_v1_CatalogChangeInput, CatalogChange as _atelier_v1_CatalogChange } from './atelier/v1/CatalogChange.ts';
import type { CatalogStateInput as _atelier_v1_CatalogStateInput, CatalogState as _atelier_v1_CatalogState } from './atelier/v1/CatalogState.ts';
import type { CategoryInput as _atelier_v1_CategoryInput, Category as _atelier_v1_Category } from './atelier/v1/Category.ts';
import type { ChangeKeyRequestInput as _atelier_v1_ChangeKeyRequestInput, ChangeKeyRequest as _atelier_v1_ChangeKeyRequest } from './atelier/v1/ChangeKeyRequest.ts';
import type { ChangeNameReplyInput as _atelier_v1_ChangeNameReplyInput, ChangeNameReply as _atelier_v1_ChangeNameReply } from './atelier/v1/ChangeNameReply.ts';
import type { ChangeNameRequestInput as _atelier_v1_ChangeNameRequestInput, ChangeNameRequest as _atelier_v1_ChangeNameRequest } from './atelier/v1/ChangeNameRequest.ts';
import type { ChangeQuoteInput as _atelier_v1_ChangeQuoteInput, ChangeQuote as _atelier_v1_ChangeQuote } from './atelier/v1/ChangeQuote.ts';
import type { ChangeSubscriptionRequestInput as _atelier_v1_ChangeSubscriptionRequestInput, ChangeSubscriptionRequest as _atelier_v1_ChangeSubscriptionRequest } from './atelier/v1/ChangeSubscriptionRequest.ts';
import type { CheckSessionRequestInput as _atelier_v1_CheckSessionRequestInput, CheckSessionRequest as _atelier_v1_CheckSessionRequest } from './atelier/v1/CheckSessionRequest.ts';
import type { CheckoutPageInput as _atelier_v1_CheckoutPageInput, CheckoutPage as _atelier_v1_CheckoutPage } from './atelier/v1/CheckoutPage.ts';
import type { CloseTicketRequestInput as _atelier_v1_CloseTicketRequestInput, CloseTicketRequest as _atelier_v1_CloseTicketRequest } from './atelier/v1/CloseTicketRequest.ts';
import type { ConfirmationInput as _atelier_v1_ConfirmationInput, Confirmation as _atelier_v1_Confirmation } from './atelier/v1/Confirmation.ts';
import type { ConfirmationJobInput as _atelier_v1_ConfirmationJobInput, ConfirmationJob as _atelier_v1_ConfirmationJob } from './atelier/v1/ConfirmationJob.ts';
import type { CreateAccountKeyRequestInput as _atelier_v1_CreateAccountKeyRequestInput, CreateAccountKeyRequest as _atelier_v1_CreateAccountKeyRequest } from './atelier/v1/CreateAccountKeyRequest.ts';
import type { CreateAccountRequestInput as _atelier_v1_CreateAccountRequestInput, CreateAccountRequest as _atelier_v1_CreateAccountRequest } from './atelier/v1/CreateAccountRequest.ts';
import type { CreateKeyReplyInput as _atelier_v1_CreateKeyReplyInput, CreateKeyReply as _atelier_v1_CreateKeyReply } from './atelier/v1/CreateKeyReply.ts';
import type { CreateKeyRequestInput as _atelier_v1_CreateKeyRequestInput, CreateKeyRequest as _atelier_v1_CreateKeyRequest } from './atelier/v1/CreateKeyRequest.ts';
import type { CreateLinkRequestInput as _atelier_v1_CreateLinkRequestInput, CreateLinkRequest as _atelier_v1_CreateLinkRequest } from './atelier/v1/CreateLinkRequest.ts';
import type { CreateUploadAddressRequestInput as _atelier_v1_CreateUploadAddressRequestInput, CreateUploadAddressRequest as _atelier_v1_CreateUploadAddressRequest } from './atelier/v1/CreateUploadAddressRequest.ts';
import type { CredentialsIngredientInput as _atelier_v1_CredentialsIngredientInput, CredentialsIngredient as _atelier_v1_CredentialsIngredient } from './atelier/v1/CredentialsIngredient.ts';
import type { CredentialsIssuerInput as _atelier_v1_CredentialsIssuerInput, CredentialsIssuer as _atelier_v1_CredentialsIssuer } from './atelier/v1/CredentialsIssuer.ts';
import type { CredentialsOriginInput as _atelier_v1_CredentialsOriginInput, CredentialsOrigin as _atelier_v1_CredentialsOrigin } from './atelier/v1/CredentialsOrigin.ts';
import type { CredentialsProblemInput as _atelier_v1_CredentialsProblemInput, CredentialsProblem as _atelier_v1_CredentialsProblem } from './atelier/v1/CredentialsProblem.ts';
import type { CreditPackInput as _atelier_v1_CreditPackInput, CreditPack as _atelier_v1_CreditPack } from './atelier/v1/CreditPack.ts';
import type { CreditsClient as _atelier_v1_CreditsClient, CreditsDefinition as _atelier_v1_CreditsDefinition } from './atelier/v1/Credits.ts';
import type { DeadDeliveryInput as _atelier_v1_DeadDeliveryInput, DeadDelivery as _atelier_v1_DeadDelivery } from './atelier/v1/DeadDelivery.ts';
import type { DeadReceiverInput as _atelier_v1_DeadReceiverInput, DeadReceiver as _atelier_v1_DeadReceiver } from './atelier/v1/DeadReceiver.ts';
import type { DeleteAccountReplyInput as _atelier_v1_DeleteAccountReplyInput, DeleteAccountReply as _atelier_v1_DeleteAccountReply } from './atelier/v1/DeleteAccountReply.ts';
import type { DeleteAccountRequestInput as _atelier_v1_DeleteAccountRequestInput, DeleteAccountRequest as _atelier_v1_DeleteAccountRequest } from './atelier/v1/DeleteAccountRequest.ts';
import type { DeleteOutputsRequestInput as _atelier_v1_DeleteOutputsRequestInput, DeleteOutputsRequest as _atelier_v1_DeleteOutputsRequest } from './atelier/v1/DeleteOutputsRequest.ts';
import type { DeletedUploadInput as _atelier_v1_DeletedUploadInput, DeletedUpload as _atelier_v1_DeletedUpload } from './atelier/v1/DeletedUpload.ts';
import type { DeliveryInput as _atelier_v1_DeliveryInput, Delivery as _atelier_v1_Delivery } from './atelier/v1/Delivery.ts';
import type { DeliveryAttemptInput as _atelier_v1_DeliveryAttemptInput, DeliveryAttempt as _atelier_v1_DeliveryAttempt } from './atelier/v1/DeliveryAttempt.ts';
import type { DeliveryPageInput as _atelier_v1_DeliveryPageInput, DeliveryPage as _atelier_v1_DeliveryPage } from './atelier/v1/DeliveryPage.ts';
import type { DemoCheckoutInput as _atelier_v1_DemoCheckoutInput, DemoCheckout as _atelier_v1_DemoCheckout } from './atelier/v1/DemoCheckout.ts';
import type { DemoCheckoutRequestInput as _atelier_v1_DemoCheckoutRequestInput, DemoCheckoutRequest as _atelier_v1_DemoCheckoutRequest } from './atelier/v1/DemoCheckoutRequest.ts';
import type { DescribeFilesReplyInput as _atelier_v1_DescribeFilesReplyInput, DescribeFilesReply as _atelier_v1_DescribeFilesReply } from './atelier/v1/DescribeFilesReply.ts';
import type { DescribeFilesRequestInput as _atelier_v1_DescribeFilesRequestInput, DescribeFilesRequest as _atelier_v1_DescribeFilesRequest } from './atelier/v1/DescribeFilesRequest.ts';
import type { DescribeShopRequestInput as _atelier_v1_DescribeShopRequestInput, DescribeShopRequest as _atelier_v1_DescribeShopRequest } from './atelier/v1/DescribeShopRequest.ts';
import type { DescribeStudioRequestInput as _atelier_v1_DescribeStudioRequestInput, DescribeStudioRequest as _atelier_v1_DescribeStudioRequest } from './atelier/v1/DescribeStudioRequest.ts';
import type { DownloadInput as _atelier_v1_DownloadInput, Download as _atelier_v1_Download } from './atelier/v1/Download.ts';
import type { EmailChangeInput as _atelier_v1_EmailChangeInput, EmailChange as _atelier_v1_EmailChange } from './atelier/v1/EmailChange.ts';
import type { EmailLinkInput as _atelier_v1_EmailLinkInput, EmailLink as _atelier_v1_EmailLink } from './atelier/v1/EmailLink.ts';
import type { EndMembershipRequestInput as _atelier_v1_EndMembershipRequestInput, EndMembershipRequest as _atelier_v1_EndMembershipRequest } from './atelier/v1/EndMembershipRequest.ts';
import type { EndSessionsReplyInput as _atelier_v1_EndSessionsReplyInput, EndSessionsReply as _atelier_v1_EndSessionsReply } from './atelier/v1/EndSessionsReply.ts';
import type { EndSessionsRequestInput as _atelier_v1_EndSessionsRequestInput, EndSessionsRequest as _atelier_v1_EndSessionsRequest } from './atelier/v1/EndSessionsRequest.ts';
import type { EndSubscriptionRequestInput as _atelier_v1_EndSubscriptionRequestInput, EndSubscriptionRequest as _atelier_v1_EndSubscriptionRequest } from './atelier/v1/EndSubscriptionRequest.ts';
import type { EstimateReplyInput as _atelier_v1_EstimateReplyInput, EstimateReply as _atelier_v1_EstimateReply } from './atelier/v1/EstimateReply.ts';
import type { ExpiringGrantInput as _atelier_v1_ExpiringGrantInput, ExpiringGrant as _atelier_v1_ExpiringGrant } from './atelier/v1/ExpiringGrant.ts';
import type { ExportAccountPartInput as _atelier_v1_ExportAccountPartInput, ExportAccountPart as _atelier_v1_ExportAccountPart } from './atelier/v1/ExportAccountPart.ts';
import type { ExportAccountRequestInput as _atelier_v1_ExportAccountRequestInput, ExportAccountRequest as _atelier_v1_ExportAccountRequest } from './atelier/v1/ExportAccountRequest.ts';
import type { ExportProductsRequestInput as _atelier_v1_ExportProductsRequestInput, ExportProductsRequest as _atelier_v1_ExportProductsRequest } from './atelier/v1/ExportProductsRequest.ts';
import type { ExportedProductInput as _atelier_v1_ExportedProductInput, ExportedProduct as _atelier_v1_ExportedProduct } from './atelier/v1/ExportedProduct.ts';
import type { FailedMailInput as _atelier_v1_FailedMailInput, FailedMail as _atelier_v1_FailedMail } from './atelier/v1/FailedMail.ts';
import type { FileFactsInput as _atelier_v1_FileFactsInput, FileFacts as _atelier_v1_FileFacts } from './atelier/v1/FileFacts.ts';
import type { FindLinkRequestInput as _atelier_v1_FindLinkRequestInput, FindLinkRequest as _atelier_v1_FindLinkRequest } from './atelier/v1/FindLinkRequest.ts';
import type { FindReplyInput as _atelier_v1_FindReplyInput, FindReply as _atelier_v1_FindReply } from './atelier/v1/FindReply.ts';
import type { FindRequestInput as _atelier_v1_FindRequestInput, FindRequest as _atelier_v1_FindRequest } from './atelier/v1/FindRequest.ts';
import type { FoundInput as _atelier_v1_FoundInput, Found as _atelier_v1_Found } from './atelier/v1/Found.ts';
import type { GenerateReplyInput as _atelier_v1_GenerateReplyInput, GenerateReply as _atelier_v1_GenerateReply } from './atelier/v1/GenerateReply.ts';
import type { GenerateRequestInput as _atelier_v1_GenerateRequestInput, GenerateRequest as _atelier_v1_GenerateRequest } from './atelier/v1/GenerateRequest.ts';
import type { GetAccountMembershipRequestInput as _atelier_v1_GetAccountMembershipRequestInput, GetAccountMembershipRequest as _atelier_v1_GetAccountMembershipRequest } from './atelier/v1/GetAccountMembershipRequest.ts';
import type { GetAccountRequestInput as _atelier_v1_GetAccountRequestInput, GetAccountRequest as _atelier_v1_GetAccountRequest } from './atelier/v1/GetAccountRequest.ts';
import type { GetAnyJobRequestInput as _atelier_v1_GetAnyJobRequestInput, GetAnyJobRequest as _atelier_v1_GetAnyJobRequest } from './atelier/v1/GetAnyJobRequest.ts';
import type { GetBalanceRequestInput as _atelier_v1_GetBalanceRequestInput, GetBalanceRequest as _atelier_v1_GetBalanceRequest } from './atelier/v1/GetBalanceRequest.ts';
import type { GetBulkRequestInput as _atelier_v1_GetBulkRequestInput, GetBulkRequest as _atelier_v1_GetBulkRequest } from './atelier/v1/GetBulkRequest.ts';
import type { GetCallbackSecretStateRequestInput as _atelier_v1_GetCallbackSecretStateRequestInput, GetCallbackSecretStateRequest as _atelier_v1_GetCallbackSecretStateRequest } from './atelier/v1/GetCallbackSecretStateRequest.ts';
import type { GetConfirmationRequestInput as _atelier_v1_GetConfirmationRequestInput, GetConfirmationRequest as _atelier_v1_GetConfirmationRequest } from './atelier/v1/GetConfirmationRequest.ts';
import type { GetEmailChangeRequestInput as _atelier_v1_GetEmailChangeRequestInput, GetEmailChangeRequest as _atelier_v1_GetEmailChangeRequest } from './atelier/v1/GetEmailChangeRequest.ts';
import type { GetJobRequestInput as _atelier_v1_GetJobRequestInput, GetJobRequest as _atelier_v1_GetJobRequest } from './atelier/v1/GetJobRequest.ts';
import type { GetLowCreditsRequestInput as _atelier_v1_GetLowCreditsRequestInput, GetLowCreditsRequest as _atelier_v1_GetLowCreditsRequest } from './atelier/v1/GetLowCreditsRequest.ts';
import type { GetMeRequestInput as _atelier_v1_GetMeRequestInput, GetMeRequest as _atelier_v1_GetMeRequest } from './atelier/v1/GetMeRequest.ts';
import type { GetMembershipRequestInput as _atelier_v1_GetMembershipRequestInput, GetMembershipRequest as _atelier_v1_GetMembershipRequest } from './atelier/v1/GetMembershipRequest.ts';
import type { GetModelRequestInput as _atelier_v1_GetModelRequestInput, GetModelRequest as _atelier_v1_GetModelRequest } from './atelier/v1/GetModelRequest.ts';
import type { GetProductReplyInput as _atelier_v1_GetProductReplyInput, GetProductReply as _atelier_v1_GetProductReply } from './atelier/v1/GetProductReply.ts';
import type { GetProductRequestInput as _atelier_v1_GetProductRequestInput, GetProductRequest as _atelier_v1_GetProductRequest } from './atelier/v1/GetProductRequest.ts';
import type { GetStatusRequestInput as _atelier_v1_GetStatusRequestInput, GetStatusRequest as _atelier_v1_GetStatusRequest } from './atelier/v1/GetStatusRequest.ts';
import type { GetTicketRequestInput as _atelier_v1_GetTicketRequestInput, GetTicketRequest as _atelier_v1_GetTicketRequest } from './atelier/v1/GetTicketRequest.ts';
import type { GetWorkflowRequestInput as _atelier_v1_GetWorkflowRequestInput, GetWorkflowRequest as _atelier_v1_GetWorkflowRequest } from './atelier/v1/GetWorkflowRequest.ts';
import type { GrantCreditsRequestInput as _atelier_v1_GrantCreditsRequestInput, GrantCreditsRequest as _atelier_v1_GrantCreditsRequest } from './atelier/v1/GrantCreditsRequest.ts';
import type { GrantLicenceRequestInput as _atelier_v1_GrantLicenceRequestInput, GrantLicenceRequest as _atelier_v1_GrantLicenceRequest } from './atelier/v1/GrantLicenceRequest.ts';
import type { GrantShareInput as _atelier_v1_GrantShareInput, GrantShare as _atelier_v1_GrantShare } from './atelier/v1/GrantShare.ts';
import type { IdentifyByEmailRequestInput as _atelier_v1_IdentifyByEmailRequestInput, IdentifyByEmailRequest as _atelier_v1_IdentifyByEmailRequest } from './atelier/v1/IdentifyByEmailRequest.ts';
import type { IdentityInput as _atelier_v1_IdentityInput, Identity as _atelier_v1_Identity } from './atelier/v1/Identity.ts';
import type { ImportFindingInput as _atelier_v1_ImportFindingInput, ImportFinding as _atelier_v1_ImportFinding } from './atelier/v1/ImportFinding.ts';
import type { ImportProductsReplyInput as _atelier_v1_ImportProductsReplyInput, ImportProductsReply as _atelier_v1_ImportProductsReply } from './atelier/v1/ImportProductsReply.ts';
import type { ImportProductsRequestInput as _atelier_v1_ImportProductsRequestInput, ImportProductsRequest as _atelier_v1_ImportProductsRequest } from './atelier/v1/ImportProductsRequest.ts';
import type { ImportRowInput as _atelier_v1_ImportRowInput, ImportRow as _atelier_v1_ImportRow } from './atelier/v1/ImportRow.ts';
import type { JobInput as _atelier_v1_JobInput, Job as _atelier_v1_Job } from './atelier/v1/Job.ts';
import type { JobCallbackInput as _atelier_v1_JobCallbackInput, JobCallback as _atelier_v1_JobCallback } from './atelier/v1/JobCallback.ts';
import type { JobCountsInput as _atelier_v1_JobCountsInput, JobCounts as _atelier_v1_JobCounts } from './atelier/v1/JobCounts.ts';
import type { JobErrorInput as _atelier_v1_JobErrorInput, JobError as _atelier_v1_JobError } from './atelier/v1/JobError.ts';
import type { JobEventInput as _atelier_v1_JobEventInput, JobEvent as _atelier_v1_JobEvent } from './atelier/v1/JobEvent.ts';
import type { JobsClient as _atelier_v1_JobsClient, JobsDefinition as _atelier_v1_JobsDefinition } from './atelier/v1/Jobs.ts';
import type { KeySpendingInput as _atelier_v1_KeySpendingInput, KeySpending as _atelier_v1_KeySpending } from './atelier/v1/KeySpending.ts';
import type { LedgerEntryInput as _atelier_v1_LedgerEntryInput, LedgerEntry as _atelier_v1_LedgerEntry } from './atelier/v1/LedgerEntry.ts';
import type { LibraryClient as _atelier_v1_LibraryClient, LibraryDefinition as _atelier_v1_LibraryDefinition } from './atelier/v1/Library.ts';
import type { LibraryLicenceInput as _atelier_v1_LibraryLicenceInput, LibraryLicence as _atelier_v1_LibraryLicence } from './atelier/v1/LibraryLicence.ts';
import type { LicenceInput as _atelier_v1_LicenceInput, Licence as _atelier_v1_Licence } from './atelier/v1/Licence.ts';
import type { ListAccountDownloadsRequestInput as _atelier_v1_ListAccountDownloadsRequestInput, ListAccountDownloadsRequest as _atelier_v1_ListAccountDownloadsRequest } from './atelier/v1/ListAccountDownloadsRequest.ts';
import type { ListAccountJobsRequestInput as _atelier_v1_ListAccountJobsRequestInput, ListAccountJobsRequest as _atelier_v1_ListAccountJobsRequest } from './atelier/v1/ListAccountJobsRequest.ts';
import type { ListAccountKeysRequestInput as _atelier_v1_ListAccountKeysRequestInput, ListAccountKeysRequest as _atelier_v1_ListAccountKeysRequest } from './atelier/v1/ListAccountKeysRequest.ts';
import type { ListAccountLedgerRequestInput as _atelier_v1_ListAccountLedgerRequestInput, ListAccountLedgerRequest as _atelier_v1_ListAccountLedgerRequest } from './atelier/v1/ListAccountLedgerRequest.ts';
import type { ListAccountLicencesRequestInput as _atelier_v1_ListAccountLicencesRequestInput, ListAccountLicencesRequest as _atelier_v1_ListAccountLicencesRequest } from './atelier/v1/ListAccountLicencesRequest.ts';
import type { ListAccountsReplyInput as _atelier_v1_ListAccountsReplyInput, ListAccountsReply as _atelier_v1_ListAccountsReply } from './atelier/v1/ListAccountsReply.ts';
import type { ListAccountsRequestInput as _atelier_v1_ListAccountsRequestInput, ListAccountsRequest as _atelier_v1_ListAccountsRequest } from './atelier/v1/ListAccountsRequest.ts';
import type { ListAllModelsReplyInput as _atelier_v1_ListAllModelsReplyInput, ListAllModelsReply as _atelier_v1_ListAllModelsReply } from './atelier/v1/ListAllModelsReply.ts';
import type { ListAllTicketsRequestInput as _atelier_v1_ListAllTicketsRequestInput, ListAllTicketsRequest as _atelier_v1_ListAllTicketsRequest } from './atelier/v1/ListAllTicketsRequest.ts';
import type { ListAnyOrdersRequestInput as _atelier_v1_ListAnyOrdersRequestInput, ListAnyOrdersRequest as _atelier_v1_ListAnyOrdersRequest } from './atelier/v1/ListAnyOrdersRequest.ts';
import type { ListAnySubscriptionsReplyInput as _atelier_v1_ListAnySubscriptionsReplyInput, ListAnySubscriptionsReply as _atelier_v1_ListAnySubscriptionsReply } from './atelier/v1/ListAnySubscriptionsReply.ts';
import type { ListAnySubscriptionsRequestInput as _atelier_v1_ListAnySubscriptionsRequestInput, ListAnySubscriptionsRequest as _atelier_v1_ListAnySubscriptionsRequest } from './atelier/v1/ListAnySubscriptionsRequest.ts';
import type { ListAuditTrailReplyInput as _atelier_v1_ListAuditTrailReplyInput, ListAuditTrailReply as _atelier_v1_ListAuditTrailReply } from './atelier/v1/ListAuditTrailReply.ts';
import type { ListAuditTrailRequestInput as _atelier_v1_ListAuditTrailRequestInput, ListAuditTrailRequest as _atelier_v1_ListAuditTrailRequest } from './atelier/v1/ListAuditTrailRequest.ts';
import type { ListBulksReplyInput as _atelier_v1_ListBulksReplyInput, ListBulksReply as _atelier_v1_ListBulksReply } from './atelier/v1/ListBulksReply.ts';
import type { ListBulksRequestInput as _atelier_v1_ListBulksRequestInput, ListBulksRequest as _atelier_v1_ListBulksRequest } from './atelier/v1/ListBulksRequest.ts';
import type { ListCategoriesReplyInput as _atelier_v1_ListCategoriesReplyInput, ListCategoriesReply as _atelier_v1_ListCategoriesReply } from './atelier/v1/ListCategoriesReply.ts';
import type { ListCategoriesRequestInput as _atelier_v1_ListCategoriesRequestInput, ListCategoriesRequest as _atelier_v1_ListCategoriesRequest } from './atelier/v1/ListCategoriesRequest.ts';
import type { ListChangesRequestInput as _atelier_v1_ListChangesRequestInput, ListChangesRequest as _atelier_v1_ListChangesRequest } from './atelier/v1/ListChangesRequest.ts';
import type { ListCreditPacksReplyInput as _atelier_v1_ListCreditPacksReplyInput, ListCreditPacksReply as _atelier_v1_ListCreditPacksReply } from './atelier/v1/ListCreditPacksReply.ts';
import type { ListCreditPacksRequestInput as _atelier_v1_ListCreditPacksRequestInput, ListCreditPacksRequest as _atelier_v1_ListCreditPacksRequest } from './atelier/v1/ListCreditPacksRequest.ts';
import type { ListDeadDeliveriesReplyInput as _atelier_v1_ListDeadDeliveriesReplyInput, ListDeadDeliveriesReply as _atelier_v1_ListDeadDeliveriesReply } from './atelier/v1/ListDeadDeliveriesReply.ts';
import type { ListDeadDeliveriesRequestInput as _atelier_v1_ListDeadDeliveriesRequestInput, ListDeadDeliveriesRequest as _atelier_v1_ListDeadDeliveriesRequest } from './atelier/v1/ListDeadDeliveriesRequest.ts';
import type { ListDeadReceiversReplyInput as _atelier_v1_ListDeadReceiversReplyInput, ListDeadReceiversReply as _atelier_v1_ListDeadReceiversReply } from './atelier/v1/ListDeadReceiversReply.ts';
import type { ListDeadReceiversRequestInput as _atelier_v1_ListDeadReceiversRequestInput, ListDeadReceiversRequest as _atelier_v1_ListDeadReceiversRequest } from './atelier/v1/ListDeadReceiversRequest.ts';
import type { ListDeliveriesReplyInput as _atelier_v1_ListDeliveriesReplyInput, ListDeliveriesReply as _atelier_v1_ListDeliveriesReply } from './atelier/v1/ListDeliveriesReply.ts';
import type { ListDeliveriesRequestInput as _atelier_v1_ListDeliveriesRequestInput, ListDeliveriesRequest as _atelier_v1_ListDeliveriesRequest } from './atelier/v1/ListDeliveriesRequest.ts';
import type { ListDownloadsReplyInput as _atelier_v1_ListDownloadsReplyInput, ListDownloadsReply as _atelier_v1_ListDownloadsReply } from './atelier/v1/ListDownloadsReply.ts';
import type { ListDownloadsRequestInput as _atelier_v1_ListDownloadsRequestInput, ListDownloadsRequest as _atelier_v1_ListDownloadsRequest } from './atelier/v1/ListDownloadsRequest.ts';
import type { ListFailedMailsReplyInput as _atelier_v1_ListFailedMailsReplyInput, ListFailedMailsReply as _atelier_v1_ListFailedMailsReply } from './atelier/v1/ListFailedMailsReply.ts';
import type { ListFailedMailsRequestInput as _atelier_v1_ListFailedMailsRequestInput, ListFailedMailsRequest as _atelier_v1_ListFailedMailsRequest } from './atelier/v1/ListFailedMailsRequest.ts';
import type { ListJobsReplyInput as _atelier_v1_ListJobsReplyInput, ListJobsReply as _atelier_v1_ListJobsReply } from './atelier/v1/ListJobsReply.ts';
import type { ListJobsRequestInput as _atelier_v1_ListJobsRequestInput, ListJobsRequest as _atelier_v1_ListJobsRequest } from './atelier/v1/ListJobsRequest.ts';
import type { ListKeysReplyInput as _atelier_v1_ListKeysReplyInput, ListKeysReply as _atelier_v1_ListKeysReply } from './atelier/v1/ListKeysReply.ts';
import type { ListKeysRequestInput as _atelier_v1_ListKeysRequestInput, ListKeysRequest as _atelier_v1_ListKeysRequest } from './atelier/v1/ListKeysRequest.ts';
import type { ListLedgerReplyInput as _atelier_v1_ListLedgerReplyInput, ListLedgerReply as _atelier_v1_ListLedgerReply } from './atelier/v1/ListLedgerReply.ts';
import type { ListLedgerRequestInput as _atelier_v1_ListLedgerRequestInput, ListLedgerRequest as _atelier_v1_ListLedgerRequest } from './atelier/v1/ListLedgerRequest.ts';
import type { ListLibraryReplyInput as _atelier_v1_ListLibraryReplyInput, ListLibraryReply as _atelier_v1_ListLibraryReply } from './atelier/v1/ListLibraryReply.ts';
import type { ListLibraryRequestInput as _atelier_v1_ListLibraryRequestInput, ListLibraryRequest as _atelier_v1_ListLibraryRequest } from './atelier/v1/ListLibraryRequest.ts';
import type { ListLicencesReplyInput as _atelier_v1_ListLicencesReplyInput, ListLicencesReply as _atelier_v1_ListLicencesReply } from './atelier/v1/ListLicencesReply.ts';
import type { ListLicencesRequestInput as _atelier_v1_ListLicencesRequestInput, ListLicencesRequest as _atelier_v1_ListLicencesRequest } from './atelier/v1/ListLicencesRequest.ts';
import type { ListMemberKeysRequestInput as _atelier_v1_ListMemberKeysRequestInput, ListMemberKeysRequest as _atelier_v1_ListMemberKeysRequest } from './atelier/v1/ListMemberKeysRequest.ts';
import type { ListModelsReplyInput as _atelier_v1_ListModelsReplyInput, ListModelsReply as _atelier_v1_ListModelsReply } from './atelier/v1/ListModelsReply.ts';
import type { ListModelsRequestInput as _atelier_v1_ListModelsRequestInput, ListModelsRequest as _atelier_v1_ListModelsRequest } from './atelier/v1/ListModelsRequest.ts';
import type { ListOffersRequestInput as _atelier_v1_ListOffersRequestInput, ListOffersRequest as _atelier_v1_ListOffersRequest } from './atelier/v1/ListOffersRequest.ts';
import type { ListOrdersReplyInput as _atelier_v1_ListOrdersReplyInput, ListOrdersReply as _atelier_v1_ListOrdersReply } from './atelier/v1/ListOrdersReply.ts';
import type { ListOrdersRequestInput as _atelier_v1_ListOrdersRequestInput, ListOrdersRequest as _atelier_v1_ListOrdersRequest } from './atelier/v1/ListOrdersRequest.ts';
import type { ListOwnDeliveriesRequestInput as _atelier_v1_ListOwnDeliveriesRequestInput, ListOwnDeliveriesRequest as _atelier_v1_ListOwnDeliveriesRequest } from './atelier/v1/ListOwnDeliveriesRequest.ts';
import type { ListPacksReplyInput as _atelier_v1_ListPacksReplyInput, ListPacksReply as _atelier_v1_ListPacksReply } from './atelier/v1/ListPacksReply.ts';
import type { ListPacksRequestInput as _atelier_v1_ListPacksRequestInput, ListPacksRequest as _atelier_v1_ListPacksRequest } from './atelier/v1/ListPacksRequest.ts';
import type { ListPlansReplyInput as _atelier_v1_ListPlansReplyInput, ListPlansReply as _atelier_v1_ListPlansReply } from './atelier/v1/ListPlansReply.ts';
import type { ListPlansRequestInput as _atelier_v1_ListPlansRequestInput, ListPlansRequest as _atelier_v1_ListPlansRequest } from './atelier/v1/ListPlansRequest.ts';
import type { ListProductFilesReplyInput as _atelier_v1_ListProductFilesReplyInput, ListProductFilesReply as _atelier_v1_ListProductFilesReply } from './atelier/v1/ListProductFilesReply.ts';
import type { ListProductFilesRequestInput as _atelier_v1_ListProductFilesRequestInput, ListProductFilesRequest as _atelier_v1_ListProductFilesRequest } from './atelier/v1/ListProductFilesRequest.ts';
import type { ListProductsReplyInput as _atelier_v1_ListProductsReplyInput, ListProductsReply as _atelier_v1_ListProductsReply } from './atelier/v1/ListProductsReply.ts';
import type { ListProductsRequestInput as _atelier_v1_ListProductsRequestInput, ListProductsRequest as _atelier_v1_ListProductsRequest } from './atelier/v1/ListProductsRequest.ts';
import type { ListProvidersReplyInput as _atelier_v1_ListProvidersReplyInput, ListProvidersReply as _atelier_v1_ListProvidersReply } from './atelier/v1/ListProvidersReply.ts';
import type { ListProvidersRequestInput as _atelier_v1_ListProvidersRequestInput, ListProvidersRequest as _atelier_v1_ListProvidersRequest } from './atelier/v1/ListProvidersRequest.ts';
import type { ListSessionsReplyInput as _atelier_v1_ListSessionsReplyInput, ListSessionsReply as _atelier_v1_ListSessionsReply } from './atelier/v1/ListSessionsReply.ts';
import type { ListSessionsRequestInput as _atelier_v1_ListSessionsRequestInput, ListSessionsRequest as _atelier_v1_ListSessionsRequest } from './atelier/v1/ListSessionsRequest.ts';
import type { ListSlugsReplyInput as _atelier_v1_ListSlugsReplyInput, ListSlugsReply as _atelier_v1_ListSlugsReply } from './atelier/v1/ListSlugsReply.ts';
import type { ListSlugsRequestInput as _atelier_v1_ListSlugsRequestInput, ListSlugsRequest as _atelier_v1_ListSlugsRequest } from './atelier/v1/ListSlugsRequest.ts';
import type { ListStuckReplyInput as _atelier_v1_ListStuckReplyInput, ListStuckReply as _atelier_v1_ListStuckReply } from './atelier/v1/ListStuckReply.ts';
import type { ListStuckRequestInput as _atelier_v1_ListStuckRequestInput, ListStuckRequest as _atelier_v1_ListStuckRequest } from './atelier/v1/ListStuckRequest.ts';
import type { ListSubscriptionsReplyInput as _atelier_v1_ListSubscriptionsReplyInput, ListSubscriptionsReply as _atelier_v1_ListSubscriptionsReply } from './atelier/v1/ListSubscriptionsReply.ts';
import type { ListSubscriptionsRequestInput as _atelier_v1_ListSubscriptionsRequestInput, ListSubscriptionsRequest as _atelier_v1_ListSubscriptionsRequest } from './atelier/v1/ListSubscriptionsRequest.ts';
import type { ListTagsReplyInput as _atelier_v1_ListTagsReplyInput, ListTagsReply as _atelier_v1_ListTagsReply } from './atelier/v1/ListTagsReply.ts';
import type { ListTagsRequestInput as _atelier_v1_ListTagsRequestInput, ListTagsRequest as _atelier_v1_ListTagsRequest } from './atelier/v1/ListTagsRequest.ts';
import type { ListTaxonomyReplyInput as _atelier_v1_ListTaxonomyReplyInput, ListTaxonomyReply as _atelier_v1_ListTaxonomyReply } from './atelier/v1/ListTaxonomyReply.ts';
import type { ListTaxonomyRequestInput as _atelier_v1_ListTaxonomyRequestInput, ListTaxonomyRequest as _atelier_v1_ListTaxonomyRequest } from './atelier/v1/ListTaxonomyRequest.ts';
import type { ListTicketsReplyInput as _atelier_v1_ListTicketsReplyInput, ListTicketsReply as _atelier_v1_ListTicketsReply } from './atelier/v1/ListTicketsReply.ts';
import type { ListTicketsRequestInput as _atelier_v1_ListTicketsRequestInput, ListTicketsRequest as _atelier_v1_ListTicketsRequest } from './atelier/v1/ListTicketsRequest.ts';
import type { ListTiersReplyInput as _atelier_v1_ListTiersReplyInput, ListTiersReply as _atelier_v1_ListTiersReply } from './atelier/v1/ListTiersReply.ts';
import type { ListTiersRequestInput as _atelier_v1_ListTiersRequestInput, ListTiersRequest as _atelier_v1_ListTiersRequest } from './atelier/v1/ListTiersRequest.ts';
import type { ListWorkflowsReplyInput as _atelier_v1_ListWorkflowsReplyInput, ListWorkflowsReply as _atelier_v1_ListWorkflowsReply } from './atelier/v1/ListWorkflowsReply.ts';
import type { ListWorkflowsRequestInput as _atelier_v1_ListWorkflowsRequestInput, ListWorkflowsRequest as _atelier_v1_ListWorkflowsRequest } from './atelier/v1/ListWorkflowsRequest.ts';
import type { LowCreditsInput as _atelier_v1_LowCreditsInput, LowCredits as _atelier_v1_LowCredits } from './atelier/v1/LowCredits.ts';
import type { MeInput as _atelier_v1_MeInput, Me as _atelier_v1_Me } from './atelier/v1/Me.ts';
import type { MemberIdentityInput as _atelier_v1_MemberIdentityInput, MemberIdentity as _atelier_v1_MemberIdentity } from './atelier/v1/MemberIdentity.ts';
import type { MembershipInput as _atelier_v1_MembershipInput, Membership as _atelier_v1_Membership } from './atelier/v1/Membership.ts';
import type { MembershipsClient as _atelier_v1_MembershipsClient, MembershipsDefinition as _atelier_v1_MembershipsDefinition } from './atelier/v1/Memberships.ts';
import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from './atelier/v1/Model.ts';
import type { ModelFallbackInput as _atelier_v1_ModelFallbackInput, ModelFallback as _atelier_v1_ModelFallback } from './atelier/v1/ModelFallback.ts';
import type { ModelsClient as _atelier_v1_ModelsClient, ModelsDefinition as _atelier_v1_ModelsDefinition } from './atelier/v1/Models.ts';
import type { OfferInput as _atelier_v1_OfferInput, Offer as _atelier_v1_Offer } from './atelier/v1/Offer.ts';
import type { OfferBatchInput as _atelier_v1_OfferBatchInput, OfferBatch as _atelier_v1_OfferBatch } from './atelier/v1/OfferBatch.ts';
import type { OfferedLicenceInput as _atelier_v1_OfferedLicenceInput, OfferedLicence as _atelier_v1_OfferedLicence } from './atelier/v1/OfferedLicence.ts';
import type { OfferedSaleInput as _atelier_v1_OfferedSaleInput, OfferedSale as _atelier_v1_OfferedSale } from './atelier/v1/OfferedSale.ts';
import type { OpenTicketRequestInput as _atelier_v1_OpenTicketRequestInput, OpenTicketRequest as _atelier_v1_OpenTicketRequest } from './atelier/v1/OpenTicketRequest.ts';
import type { OrderInput as _atelier_v1_OrderInput, Order as _atelier_v1_Order } from './atelier/v1/Order.ts';
import type { OrderEventInput as _atelier_v1_OrderEventInput, OrderEvent as _atelier_v1_OrderEvent } from './atelier/v1/OrderEvent.ts';
import type { OrderItemInput as _atelier_v1_OrderItemInput, OrderItem as _atelier_v1_OrderItem } from './atelier/v1/OrderItem.ts';
import type { OrderRequestInput as _atelier_v1_OrderRequestInput, OrderRequest as _atelier_v1_OrderRequest } from './atelier/v1/OrderRequest.ts';
import type { OrdersClient as _atelier_v1_OrdersClient, OrdersDefinition as _atelier_v1_OrdersDefinition } from './atelier/v1/Orders.ts';
import type { OutputInput as _atelier_v1_OutputInput, Output as _atelier_v1_Output } from './atelier/v1/Output.ts';
import type { OutputHeadInput as _atelier_v1_OutputHeadInput, OutputHead as _atelier_v1_OutputHead } from './atelier/v1/OutputHead.ts';
import type { PauseInput as _atelier_v1_PauseInput, Pause as _atelier_v1_Pause } from './atelier/v1/Pause.ts';
import type { PauseModelRequestInput as _atelier_v1_PauseModelRequestInput, PauseModelRequest as _atelier_v1_PauseModelRequest } from './atelier/v1/PauseModelRequest.ts';
import type { PauseProviderRequestInput as _atelier_v1_PauseProviderRequestInput, PauseProviderRequest as _atelier_v1_PauseProviderRequest } from './atelier/v1/PauseProviderRequest.ts';
import type { PauseQueueRequestInput as _atelier_v1_PauseQueueRequestInput, PauseQueueRequest as _atelier_v1_PauseQueueRequest } from './atelier/v1/PauseQueueRequest.ts';
import type { PersonInput as _atelier_v1_PersonInput, Person as _atelier_v1_Person } from './atelier/v1/Person.ts';
import type { PlaceOrderRequestInput as _atelier_v1_PlaceOrderRequestInput, PlaceOrderRequest as _atelier_v1_PlaceOrderRequest } from './atelier/v1/PlaceOrderRequest.ts';
import type { PlanInput as _atelier_v1_PlanInput, Plan as _atelier_v1_Plan } from './atelier/v1/Plan.ts';
import type { PlanBulkRequestInput as _atelier_v1_PlanBulkRequestInput, PlanBulkRequest as _atelier_v1_PlanBulkRequest } from './atelier/v1/PlanBulkRequest.ts';
import type { PortalInput as _atelier_v1_PortalInput, Portal as _atelier_v1_Portal } from './atelier/v1/Portal.ts';
import type { PressDemoCheckoutRequestInput as _atelier_v1_PressDemoCheckoutRequestInput, PressDemoCheckoutRequest as _atelier_v1_PressDemoCheckoutRequest } from './atelier/v1/PressDemoCheckoutRequest.ts';
import type { PricingTierInput as _atelier_v1_PricingTierInput, PricingTier as _atelier_v1_PricingTier } from './atelier/v1/PricingTier.ts';
import type { ProductInput as _atelier_v1_ProductInput, Product as _atelier_v1_Product } from './atelier/v1/Product.ts';
import type { ProductFileInput as _atelier_v1_ProductFileInput, ProductFile as _atelier_v1_ProductFile } from './atelier/v1/ProductFile.ts';
import type { ProductFileHeadInput as _atelier_v1_ProductFileHeadInput, ProductFileHead as _atelier_v1_ProductFileHead } from './atelier/v1/ProductFileHead.ts';
import type { ProductFileHeadlineInput as _atelier_v1_ProductFileHeadlineInput, ProductFileHeadline as _atelier_v1_ProductFileHeadline } from './atelier/v1/ProductFileHeadline.ts';
import type { ProductOfferInput as _atelier_v1_ProductOfferInput, ProductOffer as _atelier_v1_ProductOffer } from './atelier/v1/ProductOffer.ts';
import type { ProviderInput as _atelier_v1_ProviderInput, Provider as _atelier_v1_Provider } from './atelier/v1/Provider.ts';
import type { ProvisionMemberKeyRequestInput as _atelier_v1_ProvisionMemberKeyRequestInput, ProvisionMemberKeyRequest as _atelier_v1_ProvisionMemberKeyRequest } from './atelier/v1/ProvisionMemberKeyRequest.ts';
import type { ProvisionTicketKeyRequestInput as _atelier_v1_ProvisionTicketKeyRequestInput, ProvisionTicketKeyRequest as _atelier_v1_ProvisionTicketKeyRequest } from './atelier/v1/ProvisionTicketKeyRequest.ts';
import type { PutCategoryRequestInput as _atelier_v1_PutCategoryRequestInput, PutCategoryRequest as _atelier_v1_PutCategoryRequest } from './atelier/v1/PutCategoryRequest.ts';
import type { PutTagRequestInput as _atelier_v1_PutTagRequestInput, PutTagRequest as _atelier_v1_PutTagRequest } from './atelier/v1/PutTagRequest.ts';
import type { QueueStatusInput as _atelier_v1_QueueStatusInput, QueueStatus as _atelier_v1_QueueStatus } from './atelier/v1/QueueStatus.ts';
import type { ReadInputRequestInput as _atelier_v1_ReadInputRequestInput, ReadInputRequest as _atelier_v1_ReadInputRequest } from './atelier/v1/ReadInputRequest.ts';
import type { ReadOutputChunkInput as _atelier_v1_ReadOutputChunkInput, ReadOutputChunk as _atelier_v1_ReadOutputChunk } from './atelier/v1/ReadOutputChunk.ts';
import type { ReadOutputRequestInput as _atelier_v1_ReadOutputRequestInput, ReadOutputRequest as _atelier_v1_ReadOutputRequest } from './atelier/v1/ReadOutputRequest.ts';
import type { ReadProductFileChunkInput as _atelier_v1_ReadProductFileChunkInput, ReadProductFileChunk as _atelier_v1_ReadProductFileChunk } from './atelier/v1/ReadProductFileChunk.ts';
import type { ReadProductFileRequestInput as _atelier_v1_ReadProductFileRequestInput, ReadProductFileRequest as _atelier_v1_ReadProductFileRequest } from './atelier/v1/ReadProductFileRequest.ts';
import type { RecordServiceTokenReplyInput as _atelier_v1_RecordServiceTokenReplyInput, RecordServiceTokenReply as _atelier_v1_RecordServiceTokenReply } from './atelier/v1/RecordServiceTokenReply.ts';
import type { RecordServiceTokenRequestInput as _atelier_v1_RecordServiceTokenRequestInput, RecordServiceTokenRequest as _atelier_v1_RecordServiceTokenRequest } from './atelier/v1/RecordServiceTokenRequest.ts';
import type { RedeliverRequestInput as _atelier_v1_RedeliverRequestInput, RedeliverRequest as _atelier_v1_RedeliverRequest } from './atelier/v1/RedeliverRequest.ts';
import type { RefundOrderRequestInput as _atelier_v1_RefundOrderRequestInput, RefundOrderRequest as _atelier_v1_RefundOrderRequest } from './atelier/v1/RefundOrderRequest.ts';
import type { RemoveCategoryReplyInput as _atelier_v1_RemoveCategoryReplyInput, RemoveCategoryReply as _atelier_v1_RemoveCategoryReply } from './atelier/v1/RemoveCategoryReply.ts';
import type { RemoveCategoryRequestInput as _atelier_v1_RemoveCategoryRequestInput, RemoveCategoryRequest as _atelier_v1_RemoveCategoryRequest } from './atelier/v1/RemoveCategoryRequest.ts';
import type { RemoveProductFileRequestInput as _atelier_v1_RemoveProductFileRequestInput, RemoveProductFileRequest as _atelier_v1_RemoveProductFileRequest } from './atelier/v1/RemoveProductFileRequest.ts';
import type { RemoveTagReplyInput as _atelier_v1_RemoveTagReplyInput, RemoveTagReply as _atelier_v1_RemoveTagReply } from './atelier/v1/RemoveTagReply.ts';
import type { RemoveTagRequestInput as _atelier_v1_RemoveTagRequestInput, RemoveTagRequest as _atelier_v1_RemoveTagRequest } from './atelier/v1/RemoveTagRequest.ts';
import type { ReplyToTicketRequestInput as _atelier_v1_ReplyToTicketRequestInput, ReplyToTicketRequest as _atelier_v1_ReplyToTicketRequest } from './atelier/v1/ReplyToTicketRequest.ts';
import type { ResendMailRequestInput as _atelier_v1_ResendMailRequestInput, ResendMailRequest as _atelier_v1_ResendMailRequest } from './atelier/v1/ResendMailRequest.ts';
import type { ResumeModelRequestInput as _atelier_v1_ResumeModelRequestInput, ResumeModelRequest as _atelier_v1_ResumeModelRequest } from './atelier/v1/ResumeModelRequest.ts';
import type { ResumeProviderRequestInput as _atelier_v1_ResumeProviderRequestInput, ResumeProviderRequest as _atelier_v1_ResumeProviderRequest } from './atelier/v1/ResumeProviderRequest.ts';
import type { ResumeQueueRequestInput as _atelier_v1_ResumeQueueRequestInput, ResumeQueueRequest as _atelier_v1_ResumeQueueRequest } from './atelier/v1/ResumeQueueRequest.ts';
import type { RetireModelRequestInput as _atelier_v1_RetireModelRequestInput, RetireModelRequest as _atelier_v1_RetireModelRequest } from './atelier/v1/RetireModelRequest.ts';
import type { RevokeAccountKeyRequestInput as _atelier_v1_RevokeAccountKeyRequestInput, RevokeAccountKeyRequest as _atelier_v1_RevokeAccountKeyRequest } from './atelier/v1/RevokeAccountKeyRequest.ts';
import type { RevokeKeyRequestInput as _atelier_v1_RevokeKeyRequestInput, RevokeKeyRequest as _atelier_v1_RevokeKeyRequest } from './atelier/v1/RevokeKeyRequest.ts';
import type { RevokeLicenceRequestInput as _atelier_v1_RevokeLicenceRequestInput, RevokeLicenceRequest as _atelier_v1_RevokeLicenceRequest } from './atelier/v1/RevokeLicenceRequest.ts';
import type { RevokeMemberKeyRequestInput as _atelier_v1_RevokeMemberKeyRequestInput, RevokeMemberKeyRequest as _atelier_v1_RevokeMemberKeyRequest } from './atelier/v1/RevokeMemberKeyRequest.ts';
import type { RevokeOtherSessionsReplyInput as _atelier_v1_RevokeOtherSessionsReplyInput, RevokeOtherSessionsReply as _atelier_v1_RevokeOtherSessionsReply } from './atelier/v1/RevokeOtherSessionsReply.ts';
import type { RevokeOtherSessionsRequestInput as _atelier_v1_RevokeOtherSessionsRequestInput, RevokeOtherSessionsRequest as _atelier_v1_RevokeOtherSessionsRequest } from './atelier/v1/RevokeOtherSessionsRequest.ts';
import type { RevokeServiceNameReplyInput as _atelier_v1_RevokeServiceNameReplyInput, RevokeServiceNameReply as _atelier_v1_RevokeServiceNameReply } from './atelier/v1/RevokeServiceNameReply.ts';
import type { RevokeServiceNameRequestInput as _atelier_v1_RevokeServiceNameRequestInput, RevokeServiceNameRequest as _atelier_v1_RevokeServiceNameRequest } from './atelier/v1/RevokeServiceNameRequest.ts';
import type { RevokeSessionRequestInput as _atelier_v1_RevokeSessionRequestInput, RevokeSessionRequest as _atelier_v1_RevokeSessionRequest } from './atelier/v1/RevokeSessionRequest.ts';
import type { RollKeyReplyInput as _atelier_v1_RollKeyReplyInput, RollKeyReply as _atelier_v1_RollKeyReply } from './atelier/v1/RollKeyReply.ts';
import type { RollKeyRequestInput as _atelier_v1_RollKeyRequestInput, RollKeyRequest as _atelier_v1_RollKeyRequest } from './atelier/v1/RollKeyRequest.ts';
import type { RotateCallbackSecretRequestInput as _atelier_v1_RotateCallbackSecretRequestInput, RotateCallbackSecretRequest as _atelier_v1_RotateCallbackSecretRequest } from './atelier/v1/RotateCallbackSecretRequest.ts';
import type { RunBulkRequestInput as _atelier_v1_RunBulkRequestInput, RunBulkRequest as _atelier_v1_RunBulkRequest } from './atelier/v1/RunBulkRequest.ts';
import type { RunWorkflowReplyInput as _atelier_v1_RunWorkflowReplyInput, RunWorkflowReply as _atelier_v1_RunWorkflowReply } from './atelier/v1/RunWorkflowReply.ts';
import type { RunWorkflowRequestInput as _atelier_v1_RunWorkflowRequestInput, RunWorkflowRequest as _atelier_v1_RunWorkflowRequest } from './atelier/v1/RunWorkflowRequest.ts';
import type { SendTestEventRequestInput as _atelier_v1_SendTestEventRequestInput, SendTestEventRequest as _atelier_v1_SendTestEventRequest } from './atelier/v1/SendTestEventRequest.ts';
import type { SessionInput as _atelier_v1_SessionInput, Session as _atelier_v1_Session } from './atelier/v1/Session.ts';
import type { SessionsClient as _atelier_v1_SessionsClient, SessionsDefinition as _atelier_v1_SessionsDefinition } from './atelier/v1/Sessions.ts';
import type { SetAccountStatusRequestInput as _atelier_v1_SetAccountStatusRequestInput, SetAccountStatusRequest as _atelier_v1_SetAccountStatusRequest } from './atelier/v1/SetAccountStatusRequest.ts';
import type { SetMembershipRequestInput as _atelier_v1_SetMembershipRequestInput, SetMembershipRequest as _atelier_v1_SetMembershipRequest } from './atelier/v1/SetMembershipRequest.ts';
import type { SetPlanPriceRequestInput as _atelier_v1_SetPlanPriceRequestInput, SetPlanPriceRequest as _atelier_v1_SetPlanPriceRequest } from './atelier/v1/SetPlanPriceRequest.ts';
import type { SetPlanRequestInput as _atelier_v1_SetPlanRequestInput, SetPlanRequest as _atelier_v1_SetPlanRequest } from './atelier/v1/SetPlanRequest.ts';
import type { SetProductStatusReplyInput as _atelier_v1_SetProductStatusReplyInput, SetProductStatusReply as _atelier_v1_SetProductStatusReply } from './atelier/v1/SetProductStatusReply.ts';
import type { SetProductStatusRequestInput as _atelier_v1_SetProductStatusRequestInput, SetProductStatusRequest as _atelier_v1_SetProductStatusRequest } from './atelier/v1/SetProductStatusRequest.ts';
import type { SetProviderLimitsRequestInput as _atelier_v1_SetProviderLimitsRequestInput, SetProviderLimitsRequest as _atelier_v1_SetProviderLimitsRequest } from './atelier/v1/SetProviderLimitsRequest.ts';
import type { SetTierPricesRequestInput as _atelier_v1_SetTierPricesRequestInput, SetTierPricesRequest as _atelier_v1_SetTierPricesRequest } from './atelier/v1/SetTierPricesRequest.ts';
import type { ShopInput as _atelier_v1_ShopInput, Shop as _atelier_v1_Shop } from './atelier/v1/Shop.ts';
import type { ShowModelsRequestInput as _atelier_v1_ShowModelsRequestInput, ShowModelsRequest as _atelier_v1_ShowModelsRequest } from './atelier/v1/ShowModelsRequest.ts';
import type { SignFileRequestInput as _atelier_v1_SignFileRequestInput, SignFileRequest as _atelier_v1_SignFileRequest } from './atelier/v1/SignFileRequest.ts';
import type { SignInLinkInput as _atelier_v1_SignInLinkInput, SignInLink as _atelier_v1_SignInLink } from './atelier/v1/SignInLink.ts';
import type { SignInRequestInput as _atelier_v1_SignInRequestInput, SignInRequest as _atelier_v1_SignInRequest } from './atelier/v1/SignInRequest.ts';
import type { SignedAccessInput as _atelier_v1_SignedAccessInput, SignedAccess as _atelier_v1_SignedAccess } from './atelier/v1/SignedAccess.ts';
import type { SignedFileInput as _atelier_v1_SignedFileInput, SignedFile as _atelier_v1_SignedFile } from './atelier/v1/SignedFile.ts';
import type { SignedInInput as _atelier_v1_SignedInInput, SignedIn as _atelier_v1_SignedIn } from './atelier/v1/SignedIn.ts';
import type { SlugEntryInput as _atelier_v1_SlugEntryInput, SlugEntry as _atelier_v1_SlugEntry } from './atelier/v1/SlugEntry.ts';
import type { SpendingInput as _atelier_v1_SpendingInput, Spending as _atelier_v1_Spending } from './atelier/v1/Spending.ts';
import type { StartCheckoutRequestInput as _atelier_v1_StartCheckoutRequestInput, StartCheckoutRequest as _atelier_v1_StartCheckoutRequest } from './atelier/v1/StartCheckoutRequest.ts';
import type { StartEmailChangeReplyInput as _atelier_v1_StartEmailChangeReplyInput, StartEmailChangeReply as _atelier_v1_StartEmailChangeReply } from './atelier/v1/StartEmailChangeReply.ts';
import type { StartEmailChangeRequestInput as _atelier_v1_StartEmailChangeRequestInput, StartEmailChangeRequest as _atelier_v1_StartEmailChangeRequest } from './atelier/v1/StartEmailChangeRequest.ts';
import type { StatusInput as _atelier_v1_StatusInput, Status as _atelier_v1_Status } from './atelier/v1/Status.ts';
import type { StuckInput as _atelier_v1_StuckInput, Stuck as _atelier_v1_Stuck } from './atelier/v1/Stuck.ts';
import type { StudioStateInput as _atelier_v1_StudioStateInput, StudioState as _atelier_v1_StudioState } from './atelier/v1/StudioState.ts';
import type { SubscriptionInput as _atelier_v1_SubscriptionInput, Subscription as _atelier_v1_Subscription } from './atelier/v1/Subscription.ts';
import type { SubscriptionEventInput as _atelier_v1_SubscriptionEventInput, SubscriptionEvent as _atelier_v1_SubscriptionEvent } from './atelier/v1/SubscriptionEvent.ts';
import type { SubscriptionRequestInput as _atelier_v1_SubscriptionRequestInput, SubscriptionRequest as _atelier_v1_SubscriptionRequest } from './atelier/v1/SubscriptionRequest.ts';
import type { SubscriptionsClient as _atelier_v1_SubscriptionsClient, SubscriptionsDefinition as _atelier_v1_SubscriptionsDefinition } from './atelier/v1/Subscriptions.ts';
import type { SumSpendingByKeyReplyInput as _atelier_v1_SumSpendingByKeyReplyInput, SumSpendingByKeyReply as _atelier_v1_SumSpendingByKeyReply } from './atelier/v1/SumSpendingByKeyReply.ts';
import type { SumSpendingByKeyRequestInput as _atelier_v1_SumSpendingByKeyRequestInput, SumSpendingByKeyRequest as _atelier_v1_SumSpendingByKeyRequest } from './atelier/v1/SumSpendingByKeyRequest.ts';
import type { SumSpendingReplyInput as _atelier_v1_SumSpendingReplyInput, SumSpendingReply as _atelier_v1_SumSpendingReply } from './atelier/v1/SumSpendingReply.ts';
import type { SumSpendingRequestInput as _atelier_v1_SumSpendingRequestInput, SumSpendingRequest as _atelier_v1_SumSpendingRequest } from './atelier/v1/SumSpendingRequest.ts';
import type { SwitchCallbackSecretRequestInput as _atelier_v1_SwitchCallbackSecretRequestInput, SwitchCallbackSecretRequest as _atelier_v1_SwitchCallbackSecretRequest } from './atelier/v1/SwitchCallbackSecretRequest.ts';
import type { TagInput as _atelier_v1_TagInput, Tag as _atelier_v1_Tag } from './atelier/v1/Tag.ts';
import type { TakeKeyRequestInput as _atelier_v1_TakeKeyRequestInput, TakeKeyRequest as _atelier_v1_TakeKeyRequest } from './atelier/v1/TakeKeyRequest.ts';
import type { TakePaymentEventReplyInput as _atelier_v1_TakePaymentEventReplyInput, TakePaymentEventReply as _atelier_v1_TakePaymentEventReply } from './atelier/v1/TakePaymentEventReply.ts';
import type { TakePaymentEventRequestInput as _atelier_v1_TakePaymentEventRequestInput, TakePaymentEventRequest as _atelier_v1_TakePaymentEventRequest } from './atelier/v1/TakePaymentEventRequest.ts';
import type { TakeProviderWebhookReplyInput as _atelier_v1_TakeProviderWebhookReplyInput, TakeProviderWebhookReply as _atelier_v1_TakeProviderWebhookReply } from './atelier/v1/TakeProviderWebhookReply.ts';
import type { TakeProviderWebhookRequestInput as _atelier_v1_TakeProviderWebhookRequestInput, TakeProviderWebhookRequest as _atelier_v1_TakeProviderWebhookRequest } from './atelier/v1/TakeProviderWebhookRequest.ts';
import type { TakenKeyInput as _atelier_v1_TakenKeyInput, TakenKey as _atelier_v1_TakenKey } from './atelier/v1/TakenKey.ts';
import type { ThumbnailInput as _atelier_v1_ThumbnailInput, Thumbnail as _atelier_v1_Thumbnail } from './atelier/v1/Thumbnail.ts';
import type { TicketInput as _atelier_v1_TicketInput, Ticket as _atelier_v1_Ticket } from './atelier/v1/Ticket.ts';
import type { TicketKeyInput as _atelier_v1_TicketKeyInput, TicketKey as _atelier_v1_TicketKey } from './atelier/v1/TicketKey.ts';
import type { TicketMessageInput as _atelier_v1_TicketMessageInput, TicketMessage as _atelier_v1_TicketMessage } from './atelier/v1/TicketMessage.ts';
import type { TicketSummaryInput as _atelier_v1_TicketSummaryInput, TicketSummary as _atelier_v1_TicketSummary } from './atelier/v1/TicketSummary.ts';
import type { TicketsClient as _atelier_v1_TicketsClient, TicketsDefinition as _atelier_v1_TicketsDefinition } from './atelier/v1/Tickets.ts';
import type { TierInput as _atelier_v1_TierInput, Tier as _atelier_v1_Tier } from './atelier/v1/Tier.ts';
import type { UnderstandReplyInput as _atelier_v1_UnderstandReplyInput, UnderstandReply as _atelier_v1_UnderstandReply } from './atelier/v1/UnderstandReply.ts';
import type { UnderstandRequestInput as _atelier_v1_UnderstandRequestInput, UnderstandRequest as _atelier_v1_UnderstandRequest } from './atelier/v1/UnderstandRequest.ts';
import type { UnderstoodInput as _atelier_v1_UnderstoodInput, Understood as _atelier_v1_Understood } from './atelier/v1/Understood.ts';
import type { UploadInput as _atelier_v1_UploadInput, Upload as _atelier_v1_Upload } from './atelier/v1/Upload.ts';
import type { UploadAccessInput as _atelier_v1_UploadAccessInput, UploadAccess as _atelier_v1_UploadAccess } from './atelier/v1/UploadAccess.ts';
import type { UploadAddressInput as _atelier_v1_UploadAddressInput, UploadAddress as _atelier_v1_UploadAddress } from './atelier/v1/UploadAddress.ts';
import type { UploadPartInput as _atelier_v1_UploadPartInput, UploadPart as _atelier_v1_UploadPart } from './atelier/v1/UploadPart.ts';
import type { UploadRequestInput as _atelier_v1_UploadRequestInput, UploadRequest as _atelier_v1_UploadRequest } from './atelier/v1/UploadRequest.ts';
import type { UploadsClient as _atelier_v1_UploadsClient, UploadsDefinition as _atelier_v1_UploadsDefinition } from './atelier/v1/Uploads.ts';
import type { VerifiedFileInput as _atelier_v1_VerifiedFileInput, VerifiedFile as _atelier_v1_VerifiedFile } from './atelier/v1/VerifiedFile.ts';
import type { VerifiedOutputInput as _atelier_v1_VerifiedOutputInput, VerifiedOutput as _atelier_v1_VerifiedOutput } from './atelier/v1/VerifiedOutput.ts';
import type { VerifyFilePartInput as _atelier_v1_VerifyFilePartInput, VerifyFilePart as _atelier_v1_VerifyFilePart } from './atelier/v1/VerifyFilePart.ts';
import type { VerifyOutputRequestInput as _atelier_v1_VerifyOutputRequestInput, VerifyOutputRequest as _atelier_v1_VerifyOutputRequest } from './atelier/v1/VerifyOutputRequest.ts';
import type { WantedMembershipInput as _atelier_v1_WantedMembershipInput, WantedMembership as _atelier_v1_WantedMembership } from './atelier/v1/WantedMembership.ts';
import type { WantedPackInput as _atelier_v1_WantedPackInput, WantedPack as _atelier_v1_WantedPack } from './atelier/v1/WantedPack.ts';
import type { WantedPlanInput as _atelier_v1_WantedPlanInput, WantedPlan as _atelier_v1_WantedPlan } from './atelier/v1/WantedPlan.ts';
import type { WantedProductInput as _atelier_v1_WantedProductInput, WantedProduct as _atelier_v1_WantedProduct } from './atelier/v1/WantedProduct.ts';
import type { WatchCatalogRequestInput as _atelier_v1_WatchCatalogRequestInput, WatchCatalogRequest as _atelier_v1_WatchCatalogRequest } from './atelier/v1/WatchCatalogRequest.ts';
import type { WatchJobRequestInput as _atelier_v1_WatchJobRequestInput, WatchJobRequest as _atelier_v1_WatchJobRequest } from './atelier/v1/WatchJobRequest.ts';
import type { WatchWorkflowRequestInput as _atelier_v1_WatchWorkflowRequestInput, WatchWorkflowRequest as _atelier_v1_WatchWorkflowRequest } from './atelier/v1/WatchWorkflowRequest.ts';
import type { WorkflowInput as _atelier_v1_WorkflowInput, Workflow as _atelier_v1_Workflow } from './atelier/v1/Workflow.ts';
import type { WorkflowStepInput as _atelier_v1_WorkflowStepInput, WorkflowStep as _atelier_v1_WorkflowStep } from './atelier/v1/WorkflowStep.ts';
import type { WorkflowStepReplyInput as _atelier_v1_WorkflowStepReplyInput, WorkflowStepReply as _atelier_v1_WorkflowStepReply } from './atelier/v1/WorkflowStepReply.ts';
import type { WorkflowStepRequestInput as _atelier_v1_WorkflowStepRequestInput, WorkflowStepRequest as _atelier_v1_WorkflowStepRequest } from './atelier/v1/WorkflowStepRequest.ts';
import type { WorkflowsClient as _atelier_v1_WorkflowsClient, WorkflowsDefinition as _atelier_v1_WorkflowsDefinition } from './atelier/v1/Workflows.ts';

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
      AddMessageRequest: MessageTypeDefinition<_atelier_v1_AddMessageRequestInput, _atelier_v1_AddMessageRequest>
      AddModelRequest: MessageTypeDefinition<_atelier_v1_AddModelRequestInput, _atelier_v1_AddModelRequest>
      AddProductFilePart: MessageTypeDefinition<_atelier_v1_AddProductFilePartInput, _atelier_v1_AddProductFilePart>
      AddedProductFile: MessageTypeDefinition<_atelier_v1_AddedProductFileInput, _atelier_v1_AddedProductFile>
      /**
       * Operators and support. Callable only with a service token that has the Admin scope. Every write is recorded before it is done,
       * with the name of the service that asks and what the metadata `atelier-operator-bin` and `atelier-reason-bin` (UTF-8) tell: which
       * person, and why. A write that does not tell both is refused.
       */
      Admin: SubtypeConstructor<typeof grpc.Client, _atelier_v1_AdminClient> & { service: _atelier_v1_AdminDefinition }
      AnswerConfirmationRequest: MessageTypeDefinition<_atelier_v1_AnswerConfirmationRequestInput, _atelier_v1_AnswerConfirmationRequest>
      AnySubscriptionRequest: MessageTypeDefinition<_atelier_v1_AnySubscriptionRequestInput, _atelier_v1_AnySubscriptionRequest>
      ApiKey: MessageTypeDefinition<_atelier_v1_ApiKeyInput, _atelier_v1_ApiKey>
      ApproveWelcomeCreditsRequest: MessageTypeDefinition<_atelier_v1_ApproveWelcomeCreditsRequestInput, _atelier_v1_ApproveWelcomeCreditsRequest>
      AuditFinding: MessageTypeDefinition<_atelier_v1_AuditFindingInput, _atelier_v1_AuditFinding>
      AuditReport: MessageTypeDefinition<_atelier_v1_AuditReportInput, _atelier_v1_AuditReport>
      AuditRequest: MessageTypeDefinition<_atelier_v1_AuditRequestInput, _atelier_v1_AuditRequest>
      AuditTrailEntry: MessageTypeDefinition<_atelier_v1_AuditTrailEntryInput, _atelier_v1_AuditTrailEntry>
      AuthenticateMemberRequest: MessageTypeDefinition<_atelier_v1_AuthenticateMemberRequestInput, _atelier_v1_AuthenticateMemberRequest>
      AuthenticateRequest: MessageTypeDefinition<_atelier_v1_AuthenticateRequestInput, _atelier_v1_AuthenticateRequest>
      Balance: MessageTypeDefinition<_atelier_v1_BalanceInput, _atelier_v1_Balance>
      Bulk: MessageTypeDefinition<_atelier_v1_BulkInput, _atelier_v1_Bulk>
      BulkLeft: MessageTypeDefinition<_atelier_v1_BulkLeftInput, _atelier_v1_BulkLeft>
      BulkResult: MessageTypeDefinition<_atelier_v1_BulkResultInput, _atelier_v1_BulkResult>
      CallbackSecret: MessageTypeDefinition<_atelier_v1_CallbackSecretInput, _atelier_v1_CallbackSecret>
      CallbackSecretState: MessageTypeDefinition<_atelier_v1_CallbackSecretStateInput, _atelier_v1_CallbackSecretState>
      /**
       * Deliveries of the end of a job or a workflow to the address its owner gave.
       */
      Callbacks: SubtypeConstructor<typeof grpc.Client, _atelier_v1_CallbacksClient> & { service: _atelier_v1_CallbacksDefinition }
      CancelAnyJobRequest: MessageTypeDefinition<_atelier_v1_CancelAnyJobRequestInput, _atelier_v1_CancelAnyJobRequest>
      CancelJobRequest: MessageTypeDefinition<_atelier_v1_CancelJobRequestInput, _atelier_v1_CancelJobRequest>
      CancelWorkflowRequest: MessageTypeDefinition<_atelier_v1_CancelWorkflowRequestInput, _atelier_v1_CancelWorkflowRequest>
      /**
       * The public catalog: read only, for callers that need no credential. Draft and archived products do not exist here.
       * Every method answers catalog_unavailable while core cannot vouch that what it knows is at most a second old, or all there is.
       */
      Catalog: SubtypeConstructor<typeof grpc.Client, _atelier_v1_CatalogClient> & { service: _atelier_v1_CatalogDefinition }
      /**
       * Products, categories and tags for operators. Callable only with a service token that has the CatalogAdmin scope.
       */
      CatalogAdmin: SubtypeConstructor<typeof grpc.Client, _atelier_v1_CatalogAdminClient> & { service: _atelier_v1_CatalogAdminDefinition }
      CatalogChange: MessageTypeDefinition<_atelier_v1_CatalogChangeInput, _atelier_v1_CatalogChange>
      CatalogState: MessageTypeDefinition<_atelier_v1_CatalogStateInput, _atelier_v1_CatalogState>
      Category: MessageTypeDefinition<_atelier_v1_CategoryInput, _atelier_v1_Category>
      ChangeKeyRequest: MessageTypeDefinition<_atelier_v1_ChangeKeyRequestInput, _atelier_v1_ChangeKeyRequest>
      ChangeNameReply: MessageTypeDefinition<_atelier_v1_ChangeNameReplyInput, _atelier_v1_ChangeNameReply>
      ChangeNameRequest: MessageTypeDefinition<_atelier_v1_ChangeNameRequestInput, _atelier_v1_ChangeNameRequest>
      ChangeQuote: MessageTypeDefinition<_atelier_v1_ChangeQuoteInput, _atelier_v1_ChangeQuote>
      ChangeSubscriptionRequest: MessageTypeDefinition<_atelier_v1_ChangeSubscriptionRequestInput, _atelier_v1_ChangeSubscriptionRequest>
      CheckSessionRequest: MessageTypeDefinition<_atelier_v1_CheckSessionRequestInput, _atelier_v1_CheckSessionRequest>
      CheckoutPage: MessageTypeDefinition<_atelier_v1_CheckoutPageInput, _atelier_v1_CheckoutPage>
      CloseTicketRequest: MessageTypeDefinition<_atelier_v1_CloseTicketRequestInput, _atelier_v1_CloseTicketRequest>
      Confirmation: MessageTypeDefinition<_atelier_v1_ConfirmationInput, _atelier_v1_Confirmation>
      ConfirmationJob: MessageTypeDefinition<_atelier_v1_ConfirmationJobInput, _atelier_v1_ConfirmationJob>
      CreateAccountKeyRequest: MessageTypeDefinition<_atelier_v1_CreateAccountKeyRequestInput, _atelier_v1_CreateAccountKeyRequest>
      CreateAccountRequest: MessageTypeDefinition<_atelier_v1_CreateAccountRequestInput, _atelier_v1_CreateAccountRequest>
      CreateKeyReply: MessageTypeDefinition<_atelier_v1_CreateKeyReplyInput, _atelier_v1_CreateKeyReply>
      CreateKeyRequest: MessageTypeDefinition<_atelier_v1_CreateKeyRequestInput, _atelier_v1_CreateKeyRequest>
      CreateLinkRequest: MessageTypeDefinition<_atelier_v1_CreateLinkRequestInput, _atelier_v1_CreateLinkRequest>
      CreateUploadAddressRequest: MessageTypeDefinition<_atelier_v1_CreateUploadAddressRequestInput, _atelier_v1_CreateUploadAddressRequest>
      CredentialsIngredient: MessageTypeDefinition<_atelier_v1_CredentialsIngredientInput, _atelier_v1_CredentialsIngredient>
      CredentialsIssuer: MessageTypeDefinition<_atelier_v1_CredentialsIssuerInput, _atelier_v1_CredentialsIssuer>
      CredentialsOrigin: MessageTypeDefinition<_atelier_v1_CredentialsOriginInput, _atelier_v1_CredentialsOrigin>
      CredentialsProblem: MessageTypeDefinition<_atelier_v1_CredentialsProblemInput, _atelier_v1_CredentialsProblem>
      CreditPack: MessageTypeDefinition<_atelier_v1_CreditPackInput, _atelier_v1_CreditPack>
      /**
       * The caller's credits. Needs read scope.
       */
      Credits: SubtypeConstructor<typeof grpc.Client, _atelier_v1_CreditsClient> & { service: _atelier_v1_CreditsDefinition }
      DeadDelivery: MessageTypeDefinition<_atelier_v1_DeadDeliveryInput, _atelier_v1_DeadDelivery>
      DeadReceiver: MessageTypeDefinition<_atelier_v1_DeadReceiverInput, _atelier_v1_DeadReceiver>
      DeleteAccountReply: MessageTypeDefinition<_atelier_v1_DeleteAccountReplyInput, _atelier_v1_DeleteAccountReply>
      DeleteAccountRequest: MessageTypeDefinition<_atelier_v1_DeleteAccountRequestInput, _atelier_v1_DeleteAccountRequest>
      DeleteOutputsRequest: MessageTypeDefinition<_atelier_v1_DeleteOutputsRequestInput, _atelier_v1_DeleteOutputsRequest>
      DeletedUpload: MessageTypeDefinition<_atelier_v1_DeletedUploadInput, _atelier_v1_DeletedUpload>
      Delivery: MessageTypeDefinition<_atelier_v1_DeliveryInput, _atelier_v1_Delivery>
      DeliveryAttempt: MessageTypeDefinition<_atelier_v1_DeliveryAttemptInput, _atelier_v1_DeliveryAttempt>
      DeliveryPage: MessageTypeDefinition<_atelier_v1_DeliveryPageInput, _atelier_v1_DeliveryPage>
      DemoCheckout: MessageTypeDefinition<_atelier_v1_DemoCheckoutInput, _atelier_v1_DemoCheckout>
      DemoCheckoutRequest: MessageTypeDefinition<_atelier_v1_DemoCheckoutRequestInput, _atelier_v1_DemoCheckoutRequest>
      DescribeFilesReply: MessageTypeDefinition<_atelier_v1_DescribeFilesReplyInput, _atelier_v1_DescribeFilesReply>
      DescribeFilesRequest: MessageTypeDefinition<_atelier_v1_DescribeFilesRequestInput, _atelier_v1_DescribeFilesRequest>
      DescribeShopRequest: MessageTypeDefinition<_atelier_v1_DescribeShopRequestInput, _atelier_v1_DescribeShopRequest>
      DescribeStudioRequest: MessageTypeDefinition<_atelier_v1_DescribeStudioRequestInput, _atelier_v1_DescribeStudioRequest>
      Download: MessageTypeDefinition<_atelier_v1_DownloadInput, _atelier_v1_Download>
      EmailChange: MessageTypeDefinition<_atelier_v1_EmailChangeInput, _atelier_v1_EmailChange>
      EmailLink: MessageTypeDefinition<_atelier_v1_EmailLinkInput, _atelier_v1_EmailLink>
      EndMembershipRequest: MessageTypeDefinition<_atelier_v1_EndMembershipRequestInput, _atelier_v1_EndMembershipRequest>
      EndSessionsReply: MessageTypeDefinition<_atelier_v1_EndSessionsReplyInput, _atelier_v1_EndSessionsReply>
      EndSessionsRequest: MessageTypeDefinition<_atelier_v1_EndSessionsRequestInput, _atelier_v1_EndSessionsRequest>
      EndSubscriptionRequest: MessageTypeDefinition<_atelier_v1_EndSubscriptionRequestInput, _atelier_v1_EndSubscriptionRequest>
      EstimateReply: MessageTypeDefinition<_atelier_v1_EstimateReplyInput, _atelier_v1_EstimateReply>
      ExpiringGrant: MessageTypeDefinition<_atelier_v1_ExpiringGrantInput, _atelier_v1_ExpiringGrant>
      ExportAccountPart: MessageTypeDefinition<_atelier_v1_ExportAccountPartInput, _atelier_v1_ExportAccountPart>
      ExportAccountRequest: MessageTypeDefinition<_atelier_v1_ExportAccountRequestInput, _atelier_v1_ExportAccountRequest>
      ExportProductsRequest: MessageTypeDefinition<_atelier_v1_ExportProductsRequestInput, _atelier_v1_ExportProductsRequest>
      ExportedProduct: MessageTypeDefinition<_atelier_v1_ExportedProductInput, _atelier_v1_ExportedProduct>
      FailedMail: MessageTypeDefinition<_atelier_v1_FailedMailInput, _atelier_v1_FailedMail>
      FileFacts: MessageTypeDefinition<_atelier_v1_FileFactsInput, _atelier_v1_FileFacts>
      FindLinkRequest: MessageTypeDefinition<_atelier_v1_FindLinkRequestInput, _atelier_v1_FindLinkRequest>
      FindReply: MessageTypeDefinition<_atelier_v1_FindReplyInput, _atelier_v1_FindReply>
      FindRequest: MessageTypeDefinition<_atelier_v1_FindRequestInput, _atelier_v1_FindRequest>
      Found: MessageTypeDefinition<_atelier_v1_FoundInput, _atelier_v1_Found>
      GenerateReply: MessageTypeDefinition<_atelier_v1_GenerateReplyInput, _atelier_v1_GenerateReply>
      GenerateRequest: MessageTypeDefinition<_atelier_v1_GenerateRequestInput, _atelier_v1_GenerateRequest>
      GetAccountMembershipRequest: MessageTypeDefinition<_atelier_v1_GetAccountMembershipRequestInput, _atelier_v1_GetAccountMembershipRequest>
      GetAccountRequest: MessageTypeDefinition<_atelier_v1_GetAccountRequestInput, _atelier_v1_GetAccountRequest>
      GetAnyJobRequest: MessageTypeDefinition<_atelier_v1_GetAnyJobRequestInput, _atelier_v1_GetAnyJobRequest>
      GetBalanceRequest: MessageTypeDefinition<_atelier_v1_GetBalanceRequestInput, _atelier_v1_GetBalanceRequest>
      GetBulkRequest: MessageTypeDefinition<_atelier_v1_GetBulkRequestInput, _atelier_v1_GetBulkRequest>
      GetCallbackSecretStateRequest: MessageTypeDefinition<_atelier_v1_GetCallbackSecretStateRequestInput, _atelier_v1_GetCallbackSecretStateRequest>
      GetConfirmationRequest: MessageTypeDefinition<_atelier_v1_GetConfirmationRequestInput, _atelier_v1_GetConfirmationRequest>
      GetEmailChangeRequest: MessageTypeDefinition<_atelier_v1_GetEmailChangeRequestInput, _atelier_v1_GetEmailChangeRequest>
      GetJobRequest: MessageTypeDefinition<_atelier_v1_GetJobRequestInput, _atelier_v1_GetJobRequest>
      GetLowCreditsRequest: MessageTypeDefinition<_atelier_v1_GetLowCreditsRequestInput, _atelier_v1_GetLowCreditsRequest>
      GetMeRequest: MessageTypeDefinition<_atelier_v1_GetMeRequestInput, _atelier_v1_GetMeRequest>
      GetMembershipRequest: MessageTypeDefinition<_atelier_v1_GetMembershipRequestInput, _atelier_v1_GetMembershipRequest>
      GetModelRequest: MessageTypeDefinition<_atelier_v1_GetModelRequestInput, _atelier_v1_GetModelRequest>
      GetProductReply: MessageTypeDefinition<_atelier_v1_GetProductReplyInput, _atelier_v1_GetProductReply>
      GetProductRequest: MessageTypeDefinition<_atelier_v1_GetProductRequestInput, _atelier_v1_GetProductRequest>
      GetStatusRequest: MessageTypeDefinition<_atelier_v1_GetStatusRequestInput, _atelier_v1_GetStatusRequest>
      GetTicketRequest: MessageTypeDefinition<_atelier_v1_GetTicketRequestInput, _atelier_v1_GetTicketRequest>
      GetWorkflowRequest: MessageTypeDefinition<_atelier_v1_GetWorkflowRequestInput, _atelier_v1_GetWorkflowRequest>
      GrantCreditsRequest: MessageTypeDefinition<_atelier_v1_GrantCreditsRequestInput, _atelier_v1_GrantCreditsRequest>
      GrantLicenceRequest: MessageTypeDefinition<_atelier_v1_GrantLicenceRequestInput, _atelier_v1_GrantLicenceRequest>
      GrantShare: MessageTypeDefinition<_atelier_v1_GrantShareInput, _atelier_v1_GrantShare>
      IdentifyByEmailRequest: MessageTypeDefinition<_atelier_v1_IdentifyByEmailRequestInput, _atelier_v1_IdentifyByEmailRequest>
      Identity: MessageTypeDefinition<_atelier_v1_IdentityInput, _atelier_v1_Identity>
      ImportFinding: MessageTypeDefinition<_atelier_v1_ImportFindingInput, _atelier_v1_ImportFinding>
      ImportProductsReply: MessageTypeDefinition<_atelier_v1_ImportProductsReplyInput, _atelier_v1_ImportProductsReply>
      ImportProductsRequest: MessageTypeDefinition<_atelier_v1_ImportProductsRequestInput, _atelier_v1_ImportProductsRequest>
      ImportRow: MessageTypeDefinition<_atelier_v1_ImportRowInput, _atelier_v1_ImportRow>
      Job: MessageTypeDefinition<_atelier_v1_JobInput, _atelier_v1_Job>
      JobCallback: MessageTypeDefinition<_atelier_v1_JobCallbackInput, _atelier_v1_JobCallback>
      JobCounts: MessageTypeDefinition<_atelier_v1_JobCountsInput, _atelier_v1_JobCounts>
      JobError: MessageTypeDefinition<_atelier_v1_JobErrorInput, _atelier_v1_JobError>
      JobEvent: MessageTypeDefinition<_atelier_v1_JobEventInput, _atelier_v1_JobEvent>
      /**
       * Generation jobs. Callers are named by metadata (see proto/caller.ts); every method answers about the caller's own jobs only.
       */
      Jobs: SubtypeConstructor<typeof grpc.Client, _atelier_v1_JobsClient> & { service: _atelier_v1_JobsDefinition }
      KeySpending: MessageTypeDefinition<_atelier_v1_KeySpendingInput, _atelier_v1_KeySpending>
      LedgerEntry: MessageTypeDefinition<_atelier_v1_LedgerEntryInput, _atelier_v1_LedgerEntry>
      /**
       * What a person has licences of, and the files that come with them. For the signed-in person only; a signed link needs no caller.
       * A file that is not the caller's to have looks exactly like one that does not exist: not_found.
       */
      Library: SubtypeConstructor<typeof grpc.Client, _atelier_v1_LibraryClient> & { service: _atelier_v1_LibraryDefinition }
      LibraryLicence: MessageTypeDefinition<_atelier_v1_LibraryLicenceInput, _atelier_v1_LibraryLicence>
      Licence: MessageTypeDefinition<_atelier_v1_LicenceInput, _atelier_v1_Licence>
      ListAccountDownloadsRequest: MessageTypeDefinition<_atelier_v1_ListAccountDownloadsRequestInput, _atelier_v1_ListAccountDownloadsRequest>
      ListAccountJobsRequest: MessageTypeDefinition<_atelier_v1_ListAccountJobsRequestInput, _atelier_v1_ListAccountJobsRequest>
      ListAccountKeysRequest: MessageTypeDefinition<_atelier_v1_ListAccountKeysRequestInput, _atelier_v1_ListAccountKeysRequest>
      ListAccountLedgerRequest: MessageTypeDefinition<_atelier_v1_ListAccountLedgerRequestInput, _atelier_v1_ListAccountLedgerRequest>
      ListAccountLicencesRequest: MessageTypeDefinition<_atelier_v1_ListAccountLicencesRequestInput, _atelier_v1_ListAccountLicencesRequest>
      ListAccountsReply: MessageTypeDefinition<_atelier_v1_ListAccountsReplyInput, _atelier_v1_ListAccountsReply>
      ListAccountsRequest: MessageTypeDefinition<_atelier_v1_ListAccountsRequestInput, _atelier_v1_ListAccountsRequest>
      ListAllModelsReply: MessageTypeDefinition<_atelier_v1_ListAllModelsReplyInput, _atelier_v1_ListAllModelsReply>
      ListAllTicketsRequest: MessageTypeDefinition<_atelier_v1_ListAllTicketsRequestInput, _atelier_v1_ListAllTicketsRequest>
      ListAnyOrdersRequest: MessageTypeDefinition<_atelier_v1_ListAnyOrdersRequestInput, _atelier_v1_ListAnyOrdersRequest>
      ListAnySubscriptionsReply: MessageTypeDefinition<_atelier_v1_ListAnySubscriptionsReplyInput, _atelier_v1_ListAnySubscriptionsReply>
      ListAnySubscriptionsRequest: MessageTypeDefinition<_atelier_v1_ListAnySubscriptionsRequestInput, _atelier_v1_ListAnySubscriptionsRequest>
      ListAuditTrailReply: MessageTypeDefinition<_atelier_v1_ListAuditTrailReplyInput, _atelier_v1_ListAuditTrailReply>
      ListAuditTrailRequest: MessageTypeDefinition<_atelier_v1_ListAuditTrailRequestInput, _atelier_v1_ListAuditTrailRequest>
      ListBulksReply: MessageTypeDefinition<_atelier_v1_ListBulksReplyInput, _atelier_v1_ListBulksReply>
      ListBulksRequest: MessageTypeDefinition<_atelier_v1_ListBulksRequestInput, _atelier_v1_ListBulksRequest>
      ListCategoriesReply: MessageTypeDefinition<_atelier_v1_ListCategoriesReplyInput, _atelier_v1_ListCategoriesReply>
      ListCategoriesRequest: MessageTypeDefinition<_atelier_v1_ListCategoriesRequestInput, _atelier_v1_ListCategoriesRequest>
      ListChangesRequest: MessageTypeDefinition<_atelier_v1_ListChangesRequestInput, _atelier_v1_ListChangesRequest>
      ListCreditPacksReply: MessageTypeDefinition<_atelier_v1_ListCreditPacksReplyInput, _atelier_v1_ListCreditPacksReply>
      ListCreditPacksRequest: MessageTypeDefinition<_atelier_v1_ListCreditPacksRequestInput, _atelier_v1_ListCreditPacksRequest>
      ListDeadDeliveriesReply: MessageTypeDefinition<_atelier_v1_ListDeadDeliveriesReplyInput, _atelier_v1_ListDeadDeliveriesReply>
      ListDeadDeliveriesRequest: MessageTypeDefinition<_atelier_v1_ListDeadDeliveriesRequestInput, _atelier_v1_ListDeadDeliveriesRequest>
      ListDeadReceiversReply: MessageTypeDefinition<_atelier_v1_ListDeadReceiversReplyInput, _atelier_v1_ListDeadReceiversReply>
      ListDeadReceiversRequest: MessageTypeDefinition<_atelier_v1_ListDeadReceiversRequestInput, _atelier_v1_ListDeadReceiversRequest>
      ListDeliveriesReply: MessageTypeDefinition<_atelier_v1_ListDeliveriesReplyInput, _atelier_v1_ListDeliveriesReply>
      ListDeliveriesRequest: MessageTypeDefinition<_atelier_v1_ListDeliveriesRequestInput, _atelier_v1_ListDeliveriesRequest>
      ListDownloadsReply: MessageTypeDefinition<_atelier_v1_ListDownloadsReplyInput, _atelier_v1_ListDownloadsReply>
      ListDownloadsRequest: MessageTypeDefinition<_atelier_v1_ListDownloadsRequestInput, _atelier_v1_ListDownloadsRequest>
      ListFailedMailsReply: MessageTypeDefinition<_atelier_v1_ListFailedMailsReplyInput, _atelier_v1_ListFailedMailsReply>
      ListFailedMailsRequest: MessageTypeDefinition<_atelier_v1_ListFailedMailsRequestInput, _atelier_v1_ListFailedMailsRequest>
      ListJobsReply: MessageTypeDefinition<_atelier_v1_ListJobsReplyInput, _atelier_v1_ListJobsReply>
      ListJobsRequest: MessageTypeDefinition<_atelier_v1_ListJobsRequestInput, _atelier_v1_ListJobsRequest>
      ListKeysReply: MessageTypeDefinition<_atelier_v1_ListKeysReplyInput, _atelier_v1_ListKeysReply>
      ListKeysRequest: MessageTypeDefinition<_atelier_v1_ListKeysRequestInput, _atelier_v1_ListKeysRequest>
      ListLedgerReply: MessageTypeDefinition<_atelier_v1_ListLedgerReplyInput, _atelier_v1_ListLedgerReply>
      ListLedgerRequest: MessageTypeDefinition<_atelier_v1_ListLedgerRequestInput, _atelier_v1_ListLedgerRequest>
      ListLibraryReply: MessageTypeDefinition<_atelier_v1_ListLibraryReplyInput, _atelier_v1_ListLibraryReply>
      ListLibraryRequest: MessageTypeDefinition<_atelier_v1_ListLibraryRequestInput, _atelier_v1_ListLibraryRequest>
      ListLicencesReply: MessageTypeDefinition<_atelier_v1_ListLicencesReplyInput, _atelier_v1_ListLicencesReply>
      ListLicencesRequest: MessageTypeDefinition<_atelier_v1_ListLicencesRequestInput, _atelier_v1_ListLicencesRequest>
      ListMemberKeysRequest: MessageTypeDefinition<_atelier_v1_ListMemberKeysRequestInput, _atelier_v1_ListMemberKeysRequest>
      ListModelsReply: MessageTypeDefinition<_atelier_v1_ListModelsReplyInput, _atelier_v1_ListModelsReply>
      ListModelsRequest: MessageTypeDefinition<_atelier_v1_ListModelsRequestInput, _atelier_v1_ListModelsRequest>
      ListOffersRequest: MessageTypeDefinition<_atelier_v1_ListOffersRequestInput, _atelier_v1_ListOffersRequest>
      ListOrdersReply: MessageTypeDefinition<_atelier_v1_ListOrdersReplyInput, _atelier_v1_ListOrdersReply>
      ListOrdersRequest: MessageTypeDefinition<_atelier_v1_ListOrdersRequestInput, _atelier_v1_ListOrdersRequest>
      ListOwnDeliveriesRequest: MessageTypeDefinition<_atelier_v1_ListOwnDeliveriesRequestInput, _atelier_v1_ListOwnDeliveriesRequest>
      ListPacksReply: MessageTypeDefinition<_atelier_v1_ListPacksReplyInput, _atelier_v1_ListPacksReply>
      ListPacksRequest: MessageTypeDefinition<_atelier_v1_ListPacksRequestInput, _atelier_v1_ListPacksRequest>
      ListPlansReply: MessageTypeDefinition<_atelier_v1_ListPlansReplyInput, _atelier_v1_ListPlansReply>
      ListPlansRequest: MessageTypeDefinition<_atelier_v1_ListPlansRequestInput, _atelier_v1_ListPlansRequest>
      ListProductFilesReply: MessageTypeDefinition<_atelier_v1_ListProductFilesReplyInput, _atelier_v1_ListProductFilesReply>
      ListProductFilesRequest: MessageTypeDefinition<_atelier_v1_ListProductFilesRequestInput, _atelier_v1_ListProductFilesRequest>
      ListProductsReply: MessageTypeDefinition<_atelier_v1_ListProductsReplyInput, _atelier_v1_ListProductsReply>
      ListProductsRequest: MessageTypeDefinition<_atelier_v1_ListProductsRequestInput, _atelier_v1_ListProductsRequest>
      ListProvidersReply: MessageTypeDefinition<_atelier_v1_ListProvidersReplyInput, _atelier_v1_ListProvidersReply>
      ListProvidersRequest: MessageTypeDefinition<_atelier_v1_ListProvidersRequestInput, _atelier_v1_ListProvidersRequest>
      ListSessionsReply: MessageTypeDefinition<_atelier_v1_ListSessionsReplyInput, _atelier_v1_ListSessionsReply>
      ListSessionsRequest: MessageTypeDefinition<_atelier_v1_ListSessionsRequestInput, _atelier_v1_ListSessionsRequest>
      ListSlugsReply: MessageTypeDefinition<_atelier_v1_ListSlugsReplyInput, _atelier_v1_ListSlugsReply>
      ListSlugsRequest: MessageTypeDefinition<_atelier_v1_ListSlugsRequestInput, _atelier_v1_ListSlugsRequest>
      ListStuckReply: MessageTypeDefinition<_atelier_v1_ListStuckReplyInput, _atelier_v1_ListStuckReply>
      ListStuckRequest: MessageTypeDefinition<_atelier_v1_ListStuckRequestInput, _atelier_v1_ListStuckRequest>
      ListSubscriptionsReply: MessageTypeDefinition<_atelier_v1_ListSubscriptionsReplyInput, _atelier_v1_ListSubscriptionsReply>
      ListSubscriptionsRequest: MessageTypeDefinition<_atelier_v1_ListSubscriptionsRequestInput, _atelier_v1_ListSubscriptionsRequest>
      ListTagsReply: MessageTypeDefinition<_atelier_v1_ListTagsReplyInput, _atelier_v1_ListTagsReply>
      ListTagsRequest: MessageTypeDefinition<_atelier_v1_ListTagsRequestInput, _atelier_v1_ListTagsRequest>
      ListTaxonomyReply: MessageTypeDefinition<_atelier_v1_ListTaxonomyReplyInput, _atelier_v1_ListTaxonomyReply>
      ListTaxonomyRequest: MessageTypeDefinition<_atelier_v1_ListTaxonomyRequestInput, _atelier_v1_ListTaxonomyRequest>
      ListTicketsReply: MessageTypeDefinition<_atelier_v1_ListTicketsReplyInput, _atelier_v1_ListTicketsReply>
      ListTicketsRequest: MessageTypeDefinition<_atelier_v1_ListTicketsRequestInput, _atelier_v1_ListTicketsRequest>
      ListTiersReply: MessageTypeDefinition<_atelier_v1_ListTiersReplyInput, _atelier_v1_ListTiersReply>
      ListTiersRequest: MessageTypeDefinition<_atelier_v1_ListTiersRequestInput, _atelier_v1_ListTiersRequest>
      ListWorkflowsReply: MessageTypeDefinition<_atelier_v1_ListWorkflowsReplyInput, _atelier_v1_ListWorkflowsReply>
      ListWorkflowsRequest: MessageTypeDefinition<_atelier_v1_ListWorkflowsRequestInput, _atelier_v1_ListWorkflowsRequest>
      LowCredits: MessageTypeDefinition<_atelier_v1_LowCreditsInput, _atelier_v1_LowCredits>
      Me: MessageTypeDefinition<_atelier_v1_MeInput, _atelier_v1_Me>
      MemberIdentity: MessageTypeDefinition<_atelier_v1_MemberIdentityInput, _atelier_v1_MemberIdentity>
      Membership: MessageTypeDefinition<_atelier_v1_MembershipInput, _atelier_v1_Membership>
      /**
       * Memberships, and the licences of products. All but ListTiers are for the member: a member key (source `member`), whose account
       * must have an active membership that includes the member tools now, or the signed-in person, who may also have none.
       * Errors: missing_key, invalid_key (every other kind of key looks like one that does not exist), account_suspended,
       * membership_inactive.
       */
      Memberships: SubtypeConstructor<typeof grpc.Client, _atelier_v1_MembershipsClient> & { service: _atelier_v1_MembershipsDefinition }
      Model: MessageTypeDefinition<_atelier_v1_ModelInput, _atelier_v1_Model>
      ModelFallback: MessageTypeDefinition<_atelier_v1_ModelFallbackInput, _atelier_v1_ModelFallback>
      /**
       * What can be generated and on which plans.
       */
      Models: SubtypeConstructor<typeof grpc.Client, _atelier_v1_ModelsClient> & { service: _atelier_v1_ModelsDefinition }
      Offer: MessageTypeDefinition<_atelier_v1_OfferInput, _atelier_v1_Offer>
      OfferBatch: MessageTypeDefinition<_atelier_v1_OfferBatchInput, _atelier_v1_OfferBatch>
      OfferedLicence: MessageTypeDefinition<_atelier_v1_OfferedLicenceInput, _atelier_v1_OfferedLicence>
      OfferedSale: MessageTypeDefinition<_atelier_v1_OfferedSaleInput, _atelier_v1_OfferedSale>
      OpenTicketRequest: MessageTypeDefinition<_atelier_v1_OpenTicketRequestInput, _atelier_v1_OpenTicketRequest>
      Order: MessageTypeDefinition<_atelier_v1_OrderInput, _atelier_v1_Order>
      OrderEvent: MessageTypeDefinition<_atelier_v1_OrderEventInput, _atelier_v1_OrderEvent>
      OrderItem: MessageTypeDefinition<_atelier_v1_OrderItemInput, _atelier_v1_OrderItem>
      OrderRequest: MessageTypeDefinition<_atelier_v1_OrderRequestInput, _atelier_v1_OrderRequest>
      /**
       * What people buy. All but DescribeShop, ListPacks and TakePaymentEvent are for the signed-in person; no key and no tool buys.
       */
      Orders: SubtypeConstructor<typeof grpc.Client, _atelier_v1_OrdersClient> & { service: _atelier_v1_OrdersDefinition }
      Output: MessageTypeDefinition<_atelier_v1_OutputInput, _atelier_v1_Output>
      OutputHead: MessageTypeDefinition<_atelier_v1_OutputHeadInput, _atelier_v1_OutputHead>
      Pause: MessageTypeDefinition<_atelier_v1_PauseInput, _atelier_v1_Pause>
      PauseModelRequest: MessageTypeDefinition<_atelier_v1_PauseModelRequestInput, _atelier_v1_PauseModelRequest>
      PauseProviderRequest: MessageTypeDefinition<_atelier_v1_PauseProviderRequestInput, _atelier_v1_PauseProviderRequest>
      PauseQueueRequest: MessageTypeDefinition<_atelier_v1_PauseQueueRequestInput, _atelier_v1_PauseQueueRequest>
      Person: MessageTypeDefinition<_atelier_v1_PersonInput, _atelier_v1_Person>
      PlaceOrderRequest: MessageTypeDefinition<_atelier_v1_PlaceOrderRequestInput, _atelier_v1_PlaceOrderRequest>
      Plan: MessageTypeDefinition<_atelier_v1_PlanInput, _atelier_v1_Plan>
      PlanBulkRequest: MessageTypeDefinition<_atelier_v1_PlanBulkRequestInput, _atelier_v1_PlanBulkRequest>
      Portal: MessageTypeDefinition<_atelier_v1_PortalInput, _atelier_v1_Portal>
      PressDemoCheckoutRequest: MessageTypeDefinition<_atelier_v1_PressDemoCheckoutRequestInput, _atelier_v1_PressDemoCheckoutRequest>
      PricingTier: MessageTypeDefinition<_atelier_v1_PricingTierInput, _atelier_v1_PricingTier>
      Product: MessageTypeDefinition<_atelier_v1_ProductInput, _atelier_v1_Product>
      ProductFile: MessageTypeDefinition<_atelier_v1_ProductFileInput, _atelier_v1_ProductFile>
      ProductFileHead: MessageTypeDefinition<_atelier_v1_ProductFileHeadInput, _atelier_v1_ProductFileHead>
      ProductFileHeadline: MessageTypeDefinition<_atelier_v1_ProductFileHeadlineInput, _atelier_v1_ProductFileHeadline>
      ProductOffer: MessageTypeDefinition<_atelier_v1_ProductOfferInput, _atelier_v1_ProductOffer>
      Provider: MessageTypeDefinition<_atelier_v1_ProviderInput, _atelier_v1_Provider>
      ProvisionMemberKeyRequest: MessageTypeDefinition<_atelier_v1_ProvisionMemberKeyRequestInput, _atelier_v1_ProvisionMemberKeyRequest>
      ProvisionTicketKeyRequest: MessageTypeDefinition<_atelier_v1_ProvisionTicketKeyRequestInput, _atelier_v1_ProvisionTicketKeyRequest>
      PutCategoryRequest: MessageTypeDefinition<_atelier_v1_PutCategoryRequestInput, _atelier_v1_PutCategoryRequest>
      PutTagRequest: MessageTypeDefinition<_atelier_v1_PutTagRequestInput, _atelier_v1_PutTagRequest>
      QueueStatus: MessageTypeDefinition<_atelier_v1_QueueStatusInput, _atelier_v1_QueueStatus>
      ReadInputRequest: MessageTypeDefinition<_atelier_v1_ReadInputRequestInput, _atelier_v1_ReadInputRequest>
      ReadOutputChunk: MessageTypeDefinition<_atelier_v1_ReadOutputChunkInput, _atelier_v1_ReadOutputChunk>
      ReadOutputRequest: MessageTypeDefinition<_atelier_v1_ReadOutputRequestInput, _atelier_v1_ReadOutputRequest>
      ReadProductFileChunk: MessageTypeDefinition<_atelier_v1_ReadProductFileChunkInput, _atelier_v1_ReadProductFileChunk>
      ReadProductFileRequest: MessageTypeDefinition<_atelier_v1_ReadProductFileRequestInput, _atelier_v1_ReadProductFileRequest>
      RecordServiceTokenReply: MessageTypeDefinition<_atelier_v1_RecordServiceTokenReplyInput, _atelier_v1_RecordServiceTokenReply>
      RecordServiceTokenRequest: MessageTypeDefinition<_atelier_v1_RecordServiceTokenRequestInput, _atelier_v1_RecordServiceTokenRequest>
      RedeliverRequest: MessageTypeDefinition<_atelier_v1_RedeliverRequestInput, _atelier_v1_RedeliverRequest>
      RefundOrderRequest: MessageTypeDefinition<_atelier_v1_RefundOrderRequestInput, _atelier_v1_RefundOrderRequest>
      RemoveCategoryReply: MessageTypeDefinition<_atelier_v1_RemoveCategoryReplyInput, _atelier_v1_RemoveCategoryReply>
      RemoveCategoryRequest: MessageTypeDefinition<_atelier_v1_RemoveCategoryRequestInput, _atelier_v1_RemoveCategoryRequest>
      RemoveProductFileRequest: MessageTypeDefinition<_atelier_v1_RemoveProductFileRequestInput, _atelier_v1_RemoveProductFileRequest>
      RemoveTagReply: MessageTypeDefinition<_atelier_v1_RemoveTagReplyInput, _atelier_v1_RemoveTagReply>
      RemoveTagRequest: MessageTypeDefinition<_atelier_v1_RemoveTagRequestInput, _atelier_v1_RemoveTagRequest>
      ReplyToTicketRequest: MessageTypeDefinition<_atelier_v1_ReplyToTicketRequestInput, _atelier_v1_ReplyToTicketRequest>
      ResendMailRequest: MessageTypeDefinition<_atelier_v1_ResendMailRequestInput, _atelier_v1_ResendMailRequest>
      ResumeModelRequest: MessageTypeDefinition<_atelier_v1_ResumeModelRequestInput, _atelier_v1_ResumeModelRequest>
      ResumeProviderRequest: MessageTypeDefinition<_atelier_v1_ResumeProviderRequestInput, _atelier_v1_ResumeProviderRequest>
      ResumeQueueRequest: MessageTypeDefinition<_atelier_v1_ResumeQueueRequestInput, _atelier_v1_ResumeQueueRequest>
      RetireModelRequest: MessageTypeDefinition<_atelier_v1_RetireModelRequestInput, _atelier_v1_RetireModelRequest>
      RevokeAccountKeyRequest: MessageTypeDefinition<_atelier_v1_RevokeAccountKeyRequestInput, _atelier_v1_RevokeAccountKeyRequest>
      RevokeKeyRequest: MessageTypeDefinition<_atelier_v1_RevokeKeyRequestInput, _atelier_v1_RevokeKeyRequest>
      RevokeLicenceRequest: MessageTypeDefinition<_atelier_v1_RevokeLicenceRequestInput, _atelier_v1_RevokeLicenceRequest>
      RevokeMemberKeyRequest: MessageTypeDefinition<_atelier_v1_RevokeMemberKeyRequestInput, _atelier_v1_RevokeMemberKeyRequest>
      RevokeOtherSessionsReply: MessageTypeDefinition<_atelier_v1_RevokeOtherSessionsReplyInput, _atelier_v1_RevokeOtherSessionsReply>
      RevokeOtherSessionsRequest: MessageTypeDefinition<_atelier_v1_RevokeOtherSessionsRequestInput, _atelier_v1_RevokeOtherSessionsRequest>
      RevokeServiceNameReply: MessageTypeDefinition<_atelier_v1_RevokeServiceNameReplyInput, _atelier_v1_RevokeServiceNameReply>
      RevokeServiceNameRequest: MessageTypeDefinition<_atelier_v1_RevokeServiceNameRequestInput, _atelier_v1_RevokeServiceNameRequest>
      RevokeSessionRequest: MessageTypeDefinition<_atelier_v1_RevokeSessionRequestInput, _atelier_v1_RevokeSessionRequest>
      RollKeyReply: MessageTypeDefinition<_atelier_v1_RollKeyReplyInput, _atelier_v1_RollKeyReply>
      RollKeyRequest: MessageTypeDefinition<_atelier_v1_RollKeyRequestInput, _atelier_v1_RollKeyRequest>
      RotateCallbackSecretRequest: MessageTypeDefinition<_atelier_v1_RotateCallbackSecretRequestInput, _atelier_v1_RotateCallbackSecretRequest>
      RunBulkRequest: MessageTypeDefinition<_atelier_v1_RunBulkRequestInput, _atelier_v1_RunBulkRequest>
      RunWorkflowReply: MessageTypeDefinition<_atelier_v1_RunWorkflowReplyInput, _atelier_v1_RunWorkflowReply>
      RunWorkflowRequest: MessageTypeDefinition<_atelier_v1_RunWorkflowRequestInput, _atelier_v1_RunWorkflowRequest>
      SendTestEventRequest: MessageTypeDefinition<_atelier_v1_SendTestEventRequestInput, _atelier_v1_SendTestEventRequest>
      Session: MessageTypeDefinition<_atelier_v1_SessionInput, _atelier_v1_Session>
      /**
       * People who sign in on the website. The secrets of links and sessions stay with the gateway; core keeps hashes and records.
       */
      Sessions: SubtypeConstructor<typeof grpc.Client, _atelier_v1_SessionsClient> & { service: _atelier_v1_SessionsDefinition }
      SetAccountStatusRequest: MessageTypeDefinition<_atelier_v1_SetAccountStatusRequestInput, _atelier_v1_SetAccountStatusRequest>
      SetMembershipRequest: MessageTypeDefinition<_atelier_v1_SetMembershipRequestInput, _atelier_v1_SetMembershipRequest>
      SetPlanPriceRequest: MessageTypeDefinition<_atelier_v1_SetPlanPriceRequestInput, _atelier_v1_SetPlanPriceRequest>
      SetPlanRequest: MessageTypeDefinition<_atelier_v1_SetPlanRequestInput, _atelier_v1_SetPlanRequest>
      SetProductStatusReply: MessageTypeDefinition<_atelier_v1_SetProductStatusReplyInput, _atelier_v1_SetProductStatusReply>
      SetProductStatusRequest: MessageTypeDefinition<_atelier_v1_SetProductStatusRequestInput, _atelier_v1_SetProductStatusRequest>
      SetProviderLimitsRequest: MessageTypeDefinition<_atelier_v1_SetProviderLimitsRequestInput, _atelier_v1_SetProviderLimitsRequest>
      SetTierPricesRequest: MessageTypeDefinition<_atelier_v1_SetTierPricesRequestInput, _atelier_v1_SetTierPricesRequest>
      Shop: MessageTypeDefinition<_atelier_v1_ShopInput, _atelier_v1_Shop>
      ShowModelsRequest: MessageTypeDefinition<_atelier_v1_ShowModelsRequestInput, _atelier_v1_ShowModelsRequest>
      SignFileRequest: MessageTypeDefinition<_atelier_v1_SignFileRequestInput, _atelier_v1_SignFileRequest>
      SignInLink: MessageTypeDefinition<_atelier_v1_SignInLinkInput, _atelier_v1_SignInLink>
      SignInRequest: MessageTypeDefinition<_atelier_v1_SignInRequestInput, _atelier_v1_SignInRequest>
      SignedAccess: MessageTypeDefinition<_atelier_v1_SignedAccessInput, _atelier_v1_SignedAccess>
      SignedFile: MessageTypeDefinition<_atelier_v1_SignedFileInput, _atelier_v1_SignedFile>
      SignedIn: MessageTypeDefinition<_atelier_v1_SignedInInput, _atelier_v1_SignedIn>
      SlugEntry: MessageTypeDefinition<_atelier_v1_SlugEntryInput, _atelier_v1_SlugEntry>
      Spending: MessageTypeDefinition<_atelier_v1_SpendingInput, _atelier_v1_Spending>
      StartCheckoutRequest: MessageTypeDefinition<_atelier_v1_StartCheckoutRequestInput, _atelier_v1_StartCheckoutRequest>
      StartEmailChangeReply: MessageTypeDefinition<_atelier_v1_StartEmailChangeReplyInput, _atelier_v1_StartEmailChangeReply>
      StartEmailChangeRequest: MessageTypeDefinition<_atelier_v1_StartEmailChangeRequestInput, _atelier_v1_StartEmailChangeRequest>
      Status: MessageTypeDefinition<_atelier_v1_StatusInput, _atelier_v1_Status>
      Stuck: MessageTypeDefinition<_atelier_v1_StuckInput, _atelier_v1_Stuck>
      StudioState: MessageTypeDefinition<_atelier_v1_StudioStateInput, _atelier_v1_StudioState>
      Subscription: MessageTypeDefinition<_atelier_v1_SubscriptionInput, _atelier_v1_Subscription>
      SubscriptionEvent: MessageTypeDefinition<_atelier_v1_SubscriptionEventInput, _atelier_v1_SubscriptionEvent>
      SubscriptionRequest: MessageTypeDefinition<_atelier_v1_SubscriptionRequestInput, _atelier_v1_SubscriptionRequest>
      /**
       * Plans and memberships that are paid by the period. For the signed-in person alone: they are joined by orders, and no key changes them.
       * Errors of what changes: not_found (none of the kind), order_conflict, not_for_sale, price_changed.
       */
      Subscriptions: SubtypeConstructor<typeof grpc.Client, _atelier_v1_SubscriptionsClient> & { service: _atelier_v1_SubscriptionsDefinition }
      SumSpendingByKeyReply: MessageTypeDefinition<_atelier_v1_SumSpendingByKeyReplyInput, _atelier_v1_SumSpendingByKeyReply>
      SumSpendingByKeyRequest: MessageTypeDefinition<_atelier_v1_SumSpendingByKeyRequestInput, _atelier_v1_SumSpendingByKeyRequest>
      SumSpendingReply: MessageTypeDefinition<_atelier_v1_SumSpendingReplyInput, _atelier_v1_SumSpendingReply>
      SumSpendingRequest: MessageTypeDefinition<_atelier_v1_SumSpendingRequestInput, _atelier_v1_SumSpendingRequest>
      SwitchCallbackSecretRequest: MessageTypeDefinition<_atelier_v1_SwitchCallbackSecretRequestInput, _atelier_v1_SwitchCallbackSecretRequest>
      Tag: MessageTypeDefinition<_atelier_v1_TagInput, _atelier_v1_Tag>
      TakeKeyRequest: MessageTypeDefinition<_atelier_v1_TakeKeyRequestInput, _atelier_v1_TakeKeyRequest>
      TakePaymentEventReply: MessageTypeDefinition<_atelier_v1_TakePaymentEventReplyInput, _atelier_v1_TakePaymentEventReply>
      TakePaymentEventRequest: MessageTypeDefinition<_atelier_v1_TakePaymentEventRequestInput, _atelier_v1_TakePaymentEventRequest>
      TakeProviderWebhookReply: MessageTypeDefinition<_atelier_v1_TakeProviderWebhookReplyInput, _atelier_v1_TakeProviderWebhookReply>
      TakeProviderWebhookRequest: MessageTypeDefinition<_atelier_v1_TakeProviderWebhookRequestInput, _atelier_v1_TakeProviderWebhookRequest>
      TakenKey: MessageTypeDefinition<_atelier_v1_TakenKeyInput, _atelier_v1_TakenKey>
      Thumbnail: MessageTypeDefinition<_atelier_v1_ThumbnailInput, _atelier_v1_Thumbnail>
      Ticket: MessageTypeDefinition<_atelier_v1_TicketInput, _atelier_v1_Ticket>
      TicketKey: MessageTypeDefinition<_atelier_v1_TicketKeyInput, _atelier_v1_TicketKey>
      TicketMessage: MessageTypeDefinition<_atelier_v1_TicketMessageInput, _atelier_v1_TicketMessage>
      TicketSummary: MessageTypeDefinition<_atelier_v1_TicketSummaryInput, _atelier_v1_TicketSummary>
      /**
       * A person's questions to support. For the signed-in person only. A ticket of another account looks exactly like one that does not
       * exist: not_found.
       */
      Tickets: SubtypeConstructor<typeof grpc.Client, _atelier_v1_TicketsClient> & { service: _atelier_v1_TicketsDefinition }
      Tier: MessageTypeDefinition<_atelier_v1_TierInput, _atelier_v1_Tier>
      UnderstandReply: MessageTypeDefinition<_atelier_v1_UnderstandReplyInput, _atelier_v1_UnderstandReply>
      UnderstandRequest: MessageTypeDefinition<_atelier_v1_UnderstandRequestInput, _atelier_v1_UnderstandRequest>
      Understood: MessageTypeDefinition<_atelier_v1_UnderstoodInput, _atelier_v1_Understood>
      Upload: MessageTypeDefinition<_atelier_v1_UploadInput, _atelier_v1_Upload>
      UploadAccess: MessageTypeDefinition<_atelier_v1_UploadAccessInput, _atelier_v1_UploadAccess>
      UploadAddress: MessageTypeDefinition<_atelier_v1_UploadAddressInput, _atelier_v1_UploadAddress>
      UploadPart: MessageTypeDefinition<_atelier_v1_UploadPartInput, _atelier_v1_UploadPart>
      UploadRequest: MessageTypeDefinition<_atelier_v1_UploadRequestInput, _atelier_v1_UploadRequest>
      /**
       * Files that an account brings to be the input of its jobs. Another account's looks exactly like one that does not exist: upload_not_found.
       */
      Uploads: SubtypeConstructor<typeof grpc.Client, _atelier_v1_UploadsClient> & { service: _atelier_v1_UploadsDefinition }
      VerifiedFile: MessageTypeDefinition<_atelier_v1_VerifiedFileInput, _atelier_v1_VerifiedFile>
      VerifiedOutput: MessageTypeDefinition<_atelier_v1_VerifiedOutputInput, _atelier_v1_VerifiedOutput>
      VerifyFilePart: MessageTypeDefinition<_atelier_v1_VerifyFilePartInput, _atelier_v1_VerifyFilePart>
      VerifyOutputRequest: MessageTypeDefinition<_atelier_v1_VerifyOutputRequestInput, _atelier_v1_VerifyOutputRequest>
      WantedMembership: MessageTypeDefinition<_atelier_v1_WantedMembershipInput, _atelier_v1_WantedMembership>
      WantedPack: MessageTypeDefinition<_atelier_v1_WantedPackInput, _atelier_v1_WantedPack>
      WantedPlan: MessageTypeDefinition<_atelier_v1_WantedPlanInput, _atelier_v1_WantedPlan>
      WantedProduct: MessageTypeDefinition<_atelier_v1_WantedProductInput, _atelier_v1_WantedProduct>
      WatchCatalogRequest: MessageTypeDefinition<_atelier_v1_WatchCatalogRequestInput, _atelier_v1_WatchCatalogRequest>
      WatchJobRequest: MessageTypeDefinition<_atelier_v1_WatchJobRequestInput, _atelier_v1_WatchJobRequest>
      WatchWorkflowRequest: MessageTypeDefinition<_atelier_v1_WatchWorkflowRequestInput, _atelier_v1_WatchWorkflowRequest>
      Workflow: MessageTypeDefinition<_atelier_v1_WorkflowInput, _atelier_v1_Workflow>
      WorkflowStep: MessageTypeDefinition<_atelier_v1_WorkflowStepInput, _atelier_v1_WorkflowStep>
      WorkflowStepReply: MessageTypeDefinition<_atelier_v1_WorkflowStepReplyInput, _atelier_v1_WorkflowStepReply>
      WorkflowStepRequest: MessageTypeDefinition<_atelier_v1_WorkflowStepRequestInput, _atelier_v1_WorkflowStepRequest>
      /**
       * Small graphs of jobs, sent and paid as one. Every method answers about the caller's own workflows only. Each step is a job, and is read,
       * watched and cancelled as one by the service Jobs.
       */
      Workflows: SubtypeConstructor<typeof grpc.Client, _atelier_v1_WorkflowsClient> & { service: _atelier_v1_WorkflowsDefinition }
    }
  }
}

