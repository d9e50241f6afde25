// Original file: atelier/v1/accounts.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AnswerConfirmationRequestInput as _atelier_v1_AnswerConfirmationRequestInput, AnswerConfirmationRequest as _atelier_v1_AnswerConfirmationRequest } from '../../atelier/v1/AnswerConfirmationRequest.ts';
import type { ApiKeyInput as _atelier_v1_ApiKeyInput, ApiKey as _atelier_v1_ApiKey } from '../../atelier/v1/ApiKey.ts';
import type { AuthenticateRequestInput as _atelier_v1_AuthenticateRequestInput, AuthenticateRequest as _atelier_v1_AuthenticateRequest } from '../../atelier/v1/AuthenticateRequest.ts';
import type { CallbackSecretInput as _atelier_v1_CallbackSecretInput, CallbackSecret as _atelier_v1_CallbackSecret } from '../../atelier/v1/CallbackSecret.ts';
import type { CallbackSecretStateInput as _atelier_v1_CallbackSecretStateInput, CallbackSecretState as _atelier_v1_CallbackSecretState } from '../../atelier/v1/CallbackSecretState.ts';
import type { ChangeKeyRequestInput as _atelier_v1_ChangeKeyRequestInput, ChangeKeyRequest as _atelier_v1_ChangeKeyRequest } from '../../atelier/v1/ChangeKeyRequest.ts';
import type { ChangeNameReplyInput as _atelier_v1_ChangeNameReplyInput, ChangeNameReply as _atelier_v1_ChangeNameReply } from '../../atelier/v1/ChangeNameReply.ts';
import type { ChangeNameRequestInput as _atelier_v1_ChangeNameRequestInput, ChangeNameRequest as _atelier_v1_ChangeNameRequest } from '../../atelier/v1/ChangeNameRequest.ts';
import type { ConfirmationInput as _atelier_v1_ConfirmationInput, Confirmation as _atelier_v1_Confirmation } from '../../atelier/v1/Confirmation.ts';
import type { CreateKeyReplyInput as _atelier_v1_CreateKeyReplyInput, CreateKeyReply as _atelier_v1_CreateKeyReply } from '../../atelier/v1/CreateKeyReply.ts';
import type { CreateKeyRequestInput as _atelier_v1_CreateKeyRequestInput, CreateKeyRequest as _atelier_v1_CreateKeyRequest } from '../../atelier/v1/CreateKeyRequest.ts';
import type { DeleteAccountReplyInput as _atelier_v1_DeleteAccountReplyInput, DeleteAccountReply as _atelier_v1_DeleteAccountReply } from '../../atelier/v1/DeleteAccountReply.ts';
import type { DeleteAccountRequestInput as _atelier_v1_DeleteAccountRequestInput, DeleteAccountRequest as _atelier_v1_DeleteAccountRequest } from '../../atelier/v1/DeleteAccountRequest.ts';
import type { ExportAccountPartInput as _atelier_v1_ExportAccountPartInput, ExportAccountPart as _atelier_v1_ExportAccountPart } from '../../atelier/v1/ExportAccountPart.ts';
import type { ExportAccountRequestInput as _atelier_v1_ExportAccountRequestInput, ExportAccountRequest as _atelier_v1_ExportAccountRequest } from '../../atelier/v1/ExportAccountRequest.ts';
import type { GetCallbackSecretStateRequestInput as _atelier_v1_GetCallbackSecretStateRequestInput, GetCallbackSecretStateRequest as _atelier_v1_GetCallbackSecretStateRequest } from '../../atelier/v1/GetCallbackSecretStateRequest.ts';
import type { GetConfirmationRequestInput as _atelier_v1_GetConfirmationRequestInput, GetConfirmationRequest as _atelier_v1_GetConfirmationRequest } from '../../atelier/v1/GetConfirmationRequest.ts';
import type { GetMeRequestInput as _atelier_v1_GetMeRequestInput, GetMeRequest as _atelier_v1_GetMeRequest } from '../../atelier/v1/GetMeRequest.ts';
import type { IdentityInput as _atelier_v1_IdentityInput, Identity as _atelier_v1_Identity } from '../../atelier/v1/Identity.ts';
import type { ListKeysReplyInput as _atelier_v1_ListKeysReplyInput, ListKeysReply as _atelier_v1_ListKeysReply } from '../../atelier/v1/ListKeysReply.ts';
import type { ListKeysRequestInput as _atelier_v1_ListKeysRequestInput, ListKeysRequest as _atelier_v1_ListKeysRequest } from '../../atelier/v1/ListKeysRequest.ts';
import type { MeInput as _atelier_v1_MeInput, Me as _atelier_v1_Me } from '../../atelier/v1/Me.ts';
import type { RevokeKeyRequestInput as _atelier_v1_RevokeKeyRequestInput, RevokeKeyRequest as _atelier_v1_RevokeKeyRequest } from '../../atelier/v1/RevokeKeyRequest.ts';
import type { RollKeyReplyInput as _atelier_v1_RollKeyReplyInput, RollKeyReply as _atelier_v1_RollKeyReply } from '../../atelier/v1/RollKeyReply.ts';
import type { RollKeyRequestInput as _atelier_v1_RollKeyRequestInput, RollKeyRequest as _atelier_v1_RollKeyRequest } from '../../atelier/v1/RollKeyRequest.ts';
import type { RotateCallbackSecretRequestInput as _atelier_v1_RotateCallbackSecretRequestInput, RotateCallbackSecretRequest as _atelier_v1_RotateCallbackSecretRequest } from '../../atelier/v1/RotateCallbackSecretRequest.ts';
import type { SwitchCallbackSecretRequestInput as _atelier_v1_SwitchCallbackSecretRequestInput, SwitchCallbackSecretRequest as _atelier_v1_SwitchCallbackSecretRequest } from '../../atelier/v1/SwitchCallbackSecretRequest.ts';

/**
 * Accounts and what belongs to the person who owns one.
 */
export interface AccountsClient extends grpc.Client {
  /**
   * The person's answer, which can be changed until a request has used it. Errors: not_found.
   */
  AnswerConfirmation(argument: _atelier_v1_AnswerConfirmationRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  AnswerConfirmation(argument: _atelier_v1_AnswerConfirmationRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  AnswerConfirmation(argument: _atelier_v1_AnswerConfirmationRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  AnswerConfirmation(argument: _atelier_v1_AnswerConfirmationRequestInput, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  /**
   * The person's answer, which can be changed until a request has used it. Errors: not_found.
   */
  answerConfirmation(argument: _atelier_v1_AnswerConfirmationRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  answerConfirmation(argument: _atelier_v1_AnswerConfirmationRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  answerConfirmation(argument: _atelier_v1_AnswerConfirmationRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  answerConfirmation(argument: _atelier_v1_AnswerConfirmationRequestInput, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  
  /**
   * Checks the caller's key, account and plan now, in the database. Errors: missing_key, invalid_key,
   * insufficient_scope, plan_excludes_api, account_suspended.
   */
  Authenticate(argument: _atelier_v1_AuthenticateRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Identity>): grpc.ClientUnaryCall;
  Authenticate(argument: _atelier_v1_AuthenticateRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Identity>): grpc.ClientUnaryCall;
  Authenticate(argument: _atelier_v1_AuthenticateRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Identity>): grpc.ClientUnaryCall;
  Authenticate(argument: _atelier_v1_AuthenticateRequestInput, callback: grpc.requestCallback<_atelier_v1_Identity>): grpc.ClientUnaryCall;
  /**
   * Checks the caller's key, account and plan now, in the database. Errors: missing_key, invalid_key,
   * insufficient_scope, plan_excludes_api, account_suspended.
   */
  authenticate(argument: _atelier_v1_AuthenticateRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Identity>): grpc.ClientUnaryCall;
  authenticate(argument: _atelier_v1_AuthenticateRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Identity>): grpc.ClientUnaryCall;
  authenticate(argument: _atelier_v1_AuthenticateRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Identity>): grpc.ClientUnaryCall;
  authenticate(argument: _atelier_v1_AuthenticateRequestInput, callback: grpc.requestCallback<_atelier_v1_Identity>): grpc.ClientUnaryCall;
  
  /**
   * Another name or limit for a live key. Errors: invalid_request, not_found.
   */
  ChangeKey(argument: _atelier_v1_ChangeKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  ChangeKey(argument: _atelier_v1_ChangeKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  ChangeKey(argument: _atelier_v1_ChangeKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  ChangeKey(argument: _atelier_v1_ChangeKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  /**
   * Another name or limit for a live key. Errors: invalid_request, not_found.
   */
  changeKey(argument: _atelier_v1_ChangeKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  changeKey(argument: _atelier_v1_ChangeKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  changeKey(argument: _atelier_v1_ChangeKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  changeKey(argument: _atelier_v1_ChangeKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  
  /**
   * Another name for the account. Errors: invalid_request.
   */
  ChangeName(argument: _atelier_v1_ChangeNameRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ChangeNameReply>): grpc.ClientUnaryCall;
  ChangeName(argument: _atelier_v1_ChangeNameRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ChangeNameReply>): grpc.ClientUnaryCall;
  ChangeName(argument: _atelier_v1_ChangeNameRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ChangeNameReply>): grpc.ClientUnaryCall;
  ChangeName(argument: _atelier_v1_ChangeNameRequestInput, callback: grpc.requestCallback<_atelier_v1_ChangeNameReply>): grpc.ClientUnaryCall;
  /**
   * Another name for the account. Errors: invalid_request.
   */
  changeName(argument: _atelier_v1_ChangeNameRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ChangeNameReply>): grpc.ClientUnaryCall;
  changeName(argument: _atelier_v1_ChangeNameRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ChangeNameReply>): grpc.ClientUnaryCall;
  changeName(argument: _atelier_v1_ChangeNameRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ChangeNameReply>): grpc.ClientUnaryCall;
  changeName(argument: _atelier_v1_ChangeNameRequestInput, callback: grpc.requestCallback<_atelier_v1_ChangeNameReply>): grpc.ClientUnaryCall;
  
  CreateKey(argument: _atelier_v1_CreateKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  CreateKey(argument: _atelier_v1_CreateKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  CreateKey(argument: _atelier_v1_CreateKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  CreateKey(argument: _atelier_v1_CreateKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  createKey(argument: _atelier_v1_CreateKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  createKey(argument: _atelier_v1_CreateKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  createKey(argument: _atelier_v1_CreateKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  createKey(argument: _atelier_v1_CreateKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_CreateKeyReply>): grpc.ClientUnaryCall;
  
  /**
   * For good. The ledger stays, without anything that says whose it was. The calling service has seen the person sign in within the
   * last day. Errors: invalid_request where the address is another.
   */
  DeleteAccount(argument: _atelier_v1_DeleteAccountRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeleteAccountReply>): grpc.ClientUnaryCall;
  DeleteAccount(argument: _atelier_v1_DeleteAccountRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DeleteAccountReply>): grpc.ClientUnaryCall;
  DeleteAccount(argument: _atelier_v1_DeleteAccountRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeleteAccountReply>): grpc.ClientUnaryCall;
  DeleteAccount(argument: _atelier_v1_DeleteAccountRequestInput, callback: grpc.requestCallback<_atelier_v1_DeleteAccountReply>): grpc.ClientUnaryCall;
  /**
   * For good. The ledger stays, without anything that says whose it was. The calling service has seen the person sign in within the
   * last day. Errors: invalid_request where the address is another.
   */
  deleteAccount(argument: _atelier_v1_DeleteAccountRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeleteAccountReply>): grpc.ClientUnaryCall;
  deleteAccount(argument: _atelier_v1_DeleteAccountRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DeleteAccountReply>): grpc.ClientUnaryCall;
  deleteAccount(argument: _atelier_v1_DeleteAccountRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeleteAccountReply>): grpc.ClientUnaryCall;
  deleteAccount(argument: _atelier_v1_DeleteAccountRequestInput, callback: grpc.requestCallback<_atelier_v1_DeleteAccountReply>): grpc.ClientUnaryCall;
  
  /**
   * Everything the account holds about its owner, without secrets.
   */
  ExportAccount(argument: _atelier_v1_ExportAccountRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ExportAccountPart>;
  ExportAccount(argument: _atelier_v1_ExportAccountRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ExportAccountPart>;
  /**
   * Everything the account holds about its owner, without secrets.
   */
  exportAccount(argument: _atelier_v1_ExportAccountRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ExportAccountPart>;
  exportAccount(argument: _atelier_v1_ExportAccountRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ExportAccountPart>;
  
  /**
   * Whether there is a secret that its owner knows; never the secret itself.
   */
  GetCallbackSecretState(argument: _atelier_v1_GetCallbackSecretStateRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  GetCallbackSecretState(argument: _atelier_v1_GetCallbackSecretStateRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  GetCallbackSecretState(argument: _atelier_v1_GetCallbackSecretStateRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  GetCallbackSecretState(argument: _atelier_v1_GetCallbackSecretStateRequestInput, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  /**
   * Whether there is a secret that its owner knows; never the secret itself.
   */
  getCallbackSecretState(argument: _atelier_v1_GetCallbackSecretStateRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  getCallbackSecretState(argument: _atelier_v1_GetCallbackSecretStateRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  getCallbackSecretState(argument: _atelier_v1_GetCallbackSecretStateRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  getCallbackSecretState(argument: _atelier_v1_GetCallbackSecretStateRequestInput, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  
  /**
   * What a key asks its person to confirm. Errors: not_found, also when its 15 minutes are over.
   */
  GetConfirmation(argument: _atelier_v1_GetConfirmationRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  GetConfirmation(argument: _atelier_v1_GetConfirmationRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  GetConfirmation(argument: _atelier_v1_GetConfirmationRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  GetConfirmation(argument: _atelier_v1_GetConfirmationRequestInput, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  /**
   * What a key asks its person to confirm. Errors: not_found, also when its 15 minutes are over.
   */
  getConfirmation(argument: _atelier_v1_GetConfirmationRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  getConfirmation(argument: _atelier_v1_GetConfirmationRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  getConfirmation(argument: _atelier_v1_GetConfirmationRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  getConfirmation(argument: _atelier_v1_GetConfirmationRequestInput, callback: grpc.requestCallback<_atelier_v1_Confirmation>): grpc.ClientUnaryCall;
  
  /**
   * Who calls, with which key, and what that may do now. Needs read scope.
   */
  GetMe(argument: _atelier_v1_GetMeRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Me>): grpc.ClientUnaryCall;
  GetMe(argument: _atelier_v1_GetMeRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Me>): grpc.ClientUnaryCall;
  GetMe(argument: _atelier_v1_GetMeRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Me>): grpc.ClientUnaryCall;
  GetMe(argument: _atelier_v1_GetMeRequestInput, callback: grpc.requestCallback<_atelier_v1_Me>): grpc.ClientUnaryCall;
  /**
   * Who calls, with which key, and what that may do now. Needs read scope.
   */
  getMe(argument: _atelier_v1_GetMeRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Me>): grpc.ClientUnaryCall;
  getMe(argument: _atelier_v1_GetMeRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Me>): grpc.ClientUnaryCall;
  getMe(argument: _atelier_v1_GetMeRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Me>): grpc.ClientUnaryCall;
  getMe(argument: _atelier_v1_GetMeRequestInput, callback: grpc.requestCallback<_atelier_v1_Me>): grpc.ClientUnaryCall;
  
  ListKeys(argument: _atelier_v1_ListKeysRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListKeys(argument: _atelier_v1_ListKeysRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListKeys(argument: _atelier_v1_ListKeysRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  ListKeys(argument: _atelier_v1_ListKeysRequestInput, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listKeys(argument: _atelier_v1_ListKeysRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listKeys(argument: _atelier_v1_ListKeysRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listKeys(argument: _atelier_v1_ListKeysRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  listKeys(argument: _atelier_v1_ListKeysRequestInput, callback: grpc.requestCallback<_atelier_v1_ListKeysReply>): grpc.ClientUnaryCall;
  
  RevokeKey(argument: _atelier_v1_RevokeKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeKey(argument: _atelier_v1_RevokeKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeKey(argument: _atelier_v1_RevokeKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  RevokeKey(argument: _atelier_v1_RevokeKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeKey(argument: _atelier_v1_RevokeKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeKey(argument: _atelier_v1_RevokeKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeKey(argument: _atelier_v1_RevokeKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  revokeKey(argument: _atelier_v1_RevokeKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_ApiKey>): grpc.ClientUnaryCall;
  
  /**
   * A new key with the name, access, limit and last day of a live one, which goes on working for the time that is named and then ends
   * by itself. Errors: invalid_request, not_found, plan_excludes_api, key_limit_reached.
   */
  RollKey(argument: _atelier_v1_RollKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RollKeyReply>): grpc.ClientUnaryCall;
  RollKey(argument: _atelier_v1_RollKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RollKeyReply>): grpc.ClientUnaryCall;
  RollKey(argument: _atelier_v1_RollKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RollKeyReply>): grpc.ClientUnaryCall;
  RollKey(argument: _atelier_v1_RollKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_RollKeyReply>): grpc.ClientUnaryCall;
  /**
   * A new key with the name, access, limit and last day of a live one, which goes on working for the time that is named and then ends
   * by itself. Errors: invalid_request, not_found, plan_excludes_api, key_limit_reached.
   */
  rollKey(argument: _atelier_v1_RollKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RollKeyReply>): grpc.ClientUnaryCall;
  rollKey(argument: _atelier_v1_RollKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RollKeyReply>): grpc.ClientUnaryCall;
  rollKey(argument: _atelier_v1_RollKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RollKeyReply>): grpc.ClientUnaryCall;
  rollKey(argument: _atelier_v1_RollKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_RollKeyReply>): grpc.ClientUnaryCall;
  
  /**
   * First step of a rotation: a new secret, with which webhook-signature is made too from now on.
   */
  RotateCallbackSecret(argument: _atelier_v1_RotateCallbackSecretRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecret>): grpc.ClientUnaryCall;
  RotateCallbackSecret(argument: _atelier_v1_RotateCallbackSecretRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CallbackSecret>): grpc.ClientUnaryCall;
  RotateCallbackSecret(argument: _atelier_v1_RotateCallbackSecretRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecret>): grpc.ClientUnaryCall;
  RotateCallbackSecret(argument: _atelier_v1_RotateCallbackSecretRequestInput, callback: grpc.requestCallback<_atelier_v1_CallbackSecret>): grpc.ClientUnaryCall;
  /**
   * First step of a rotation: a new secret, with which webhook-signature is made too from now on.
   */
  rotateCallbackSecret(argument: _atelier_v1_RotateCallbackSecretRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecret>): grpc.ClientUnaryCall;
  rotateCallbackSecret(argument: _atelier_v1_RotateCallbackSecretRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CallbackSecret>): grpc.ClientUnaryCall;
  rotateCallbackSecret(argument: _atelier_v1_RotateCallbackSecretRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecret>): grpc.ClientUnaryCall;
  rotateCallbackSecret(argument: _atelier_v1_RotateCallbackSecretRequestInput, callback: grpc.requestCallback<_atelier_v1_CallbackSecret>): grpc.ClientUnaryCall;
  
  /**
   * Second step: x-service-signature is made with the new secret from now on. Errors: invalid_request when no rotation waits for it.
   */
  SwitchCallbackSecret(argument: _atelier_v1_SwitchCallbackSecretRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  SwitchCallbackSecret(argument: _atelier_v1_SwitchCallbackSecretRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  SwitchCallbackSecret(argument: _atelier_v1_SwitchCallbackSecretRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  SwitchCallbackSecret(argument: _atelier_v1_SwitchCallbackSecretRequestInput, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  /**
   * Second step: x-service-signature is made with the new secret from now on. Errors: invalid_request when no rotation waits for it.
   */
  switchCallbackSecret(argument: _atelier_v1_SwitchCallbackSecretRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  switchCallbackSecret(argument: _atelier_v1_SwitchCallbackSecretRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  switchCallbackSecret(argument: _atelier_v1_SwitchCallbackSecretRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  switchCallbackSecret(argument: _atelier_v1_SwitchCallbackSecretRequestInput, callback: grpc.requestCallback<_atelier_v1_CallbackSecretState>): grpc.ClientUnaryCall;
  
}

/**
 * Accounts and what belongs to the person who owns one.
 */
export interface AccountsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * The person's answer, which can be changed until a request has used it. Errors: not_found.
   */
  AnswerConfirmation: grpc.handleUnaryCall<_atelier_v1_AnswerConfirmationRequest, _atelier_v1_ConfirmationInput>;
  
  /**
   * Checks the caller's key, account and plan now, in the database. Errors: missing_key, invalid_key,
   * insufficient_scope, plan_excludes_api, account_suspended.
   */
  Authenticate: grpc.handleUnaryCall<_atelier_v1_AuthenticateRequest, _atelier_v1_IdentityInput>;
  
  /**
   * Another name or limit for a live key. Errors: invalid_request, not_found.
   */
  ChangeKey: grpc.handleUnaryCall<_atelier_v1_ChangeKeyRequest, _atelier_v1_ApiKeyInput>;
  
  /**
   * Another name for the account. Errors: invalid_request.
   */
  ChangeName: grpc.handleUnaryCall<_atelier_v1_ChangeNameRequest, _atelier_v1_ChangeNameReplyInput>;
  
  CreateKey: grpc.handleUnaryCall<_atelier_v1_CreateKeyRequest, _atelier_v1_CreateKeyReplyInput>;
  
  /**
   * For good. The ledger stays, without anything that says whose it was. The calling service has seen the person sign in within the
   * last day. Errors: invalid_request where the address is another.
   */
  DeleteAccount: grpc.handleUnaryCall<_atelier_v1_DeleteAccountRequest, _atelier_v1_DeleteAccountReplyInput>;
  
  /**
   * Everything the account holds about its owner, without secrets.
   */
  ExportAccount: grpc.handleServerStreamingCall<_atelier_v1_ExportAccountRequest, _atelier_v1_ExportAccountPartInput>;
  
  /**
   * Whether there is a secret that its owner knows; never the secret itself.
   */
  GetCallbackSecretState: grpc.handleUnaryCall<_atelier_v1_GetCallbackSecretStateRequest, _atelier_v1_CallbackSecretStateInput>;
  
  /**
   * What a key asks its person to confirm. Errors: not_found, also when its 15 minutes are over.
   */
  GetConfirmation: grpc.handleUnaryCall<_atelier_v1_GetConfirmationRequest, _atelier_v1_ConfirmationInput>;
  
  /**
   * Who calls, with which key, and what that may do now. Needs read scope.
   */
  GetMe: grpc.handleUnaryCall<_atelier_v1_GetMeRequest, _atelier_v1_MeInput>;
  
  ListKeys: grpc.handleUnaryCall<_atelier_v1_ListKeysRequest, _atelier_v1_ListKeysReplyInput>;
  
  RevokeKey: grpc.handleUnaryCall<_atelier_v1_RevokeKeyRequest, _atelier_v1_ApiKeyInput>;
  
  /**
   * A new key with the name, access, limit and last day of a live one, which goes on working for the time that is named and then ends
   * by itself. Errors: invalid_request, not_found, plan_excludes_api, key_limit_reached.
   */
  RollKey: grpc.handleUnaryCall<_atelier_v1_RollKeyRequest, _atelier_v1_RollKeyReplyInput>;
  
  /**
   * First step of a rotation: a new secret, with which webhook-signature is made too from now on.
   */
  RotateCallbackSecret: grpc.handleUnaryCall<_atelier_v1_RotateCallbackSecretRequest, _atelier_v1_CallbackSecretInput>;
  
  /**
   * Second step: x-service-signature is made with the new secret from now on. Errors: invalid_request when no rotation waits for it.
   */
  SwitchCallbackSecret: grpc.handleUnaryCall<_atelier_v1_SwitchCallbackSecretRequest, _atelier_v1_CallbackSecretStateInput>;
  
}

export interface AccountsDefinition extends grpc.ServiceDefinition {
  AnswerConfirmation: MethodDefinition<_atelier_v1_AnswerConfirmationRequestInput, _atelier_v1_ConfirmationInput, _atelier_v1_AnswerConfirmationRequest, _atelier_v1_Confirmation>
  Authenticate: MethodDefinition<_atelier_v1_AuthenticateRequestInput, _atelier_v1_IdentityInput, _atelier_v1_AuthenticateRequest, _atelier_v1_Identity>
  ChangeKey: MethodDefinition<_atelier_v1_ChangeKeyRequestInput, _atelier_v1_ApiKeyInput, _atelier_v1_ChangeKeyRequest, _atelier_v1_ApiKey>
  ChangeName: MethodDefinition<_atelier_v1_ChangeNameRequestInput, _atelier_v1_ChangeNameReplyInput, _atelier_v1_ChangeNameRequest, _atelier_v1_ChangeNameReply>
  CreateKey: MethodDefinition<_atelier_v1_CreateKeyRequestInput, _atelier_v1_CreateKeyReplyInput, _atelier_v1_CreateKeyRequest, _atelier_v1_CreateKeyReply>
  DeleteAccount: MethodDefinition<_atelier_v1_DeleteAccountRequestInput, _atelier_v1_DeleteAccountReplyInput, _atelier_v1_DeleteAccountRequest, _atelier_v1_DeleteAccountReply>
  ExportAccount: MethodDefinition<_atelier_v1_ExportAccountRequestInput, _atelier_v1_ExportAccountPartInput, _atelier_v1_ExportAccountRequest, _atelier_v1_ExportAccountPart>
  GetCallbackSecretState: MethodDefinition<_atelier_v1_GetCallbackSecretStateRequestInput, _atelier_v1_CallbackSecretStateInput, _atelier_v1_GetCallbackSecretStateRequest, _atelier_v1_CallbackSecretState>
  GetConfirmation: MethodDefinition<_atelier_v1_GetConfirmationRequestInput, _atelier_v1_ConfirmationInput, _atelier_v1_GetConfirmationRequest, _atelier_v1_Confirmation>
  GetMe: MethodDefinition<_atelier_v1_GetMeRequestInput, _atelier_v1_MeInput, _atelier_v1_GetMeRequest, _atelier_v1_Me>
  ListKeys: MethodDefinition<_atelier_v1_ListKeysRequestInput, _atelier_v1_ListKeysReplyInput, _atelier_v1_ListKeysRequest, _atelier_v1_ListKeysReply>
  RevokeKey: MethodDefinition<_atelier_v1_RevokeKeyRequestInput, _atelier_v1_ApiKeyInput, _atelier_v1_RevokeKeyRequest, _atelier_v1_ApiKey>
  RollKey: MethodDefinition<_atelier_v1_RollKeyRequestInput, _atelier_v1_RollKeyReplyInput, _atelier_v1_RollKeyRequest, _atelier_v1_RollKeyReply>
  RotateCallbackSecret: MethodDefinition<_atelier_v1_RotateCallbackSecretRequestInput, _atelier_v1_CallbackSecretInput, _atelier_v1_RotateCallbackSecretRequest, _atelier_v1_CallbackSecret>
  SwitchCallbackSecret: MethodDefinition<_atelier_v1_SwitchCallbackSecretRequestInput, _atelier_v1_CallbackSecretStateInput, _atelier_v1_SwitchCallbackSecretRequest, _atelier_v1_CallbackSecretState>
}
