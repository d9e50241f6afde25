// Original file: atelier/v1/sessions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CheckSessionRequestInput as _atelier_v1_CheckSessionRequestInput, CheckSessionRequest as _atelier_v1_CheckSessionRequest } from '../../atelier/v1/CheckSessionRequest.ts';
import type { CreateLinkRequestInput as _atelier_v1_CreateLinkRequestInput, CreateLinkRequest as _atelier_v1_CreateLinkRequest } from '../../atelier/v1/CreateLinkRequest.ts';
import type { EmailChangeInput as _atelier_v1_EmailChangeInput, EmailChange as _atelier_v1_EmailChange } from '../../atelier/v1/EmailChange.ts';
import type { EmailLinkInput as _atelier_v1_EmailLinkInput, EmailLink as _atelier_v1_EmailLink } from '../../atelier/v1/EmailLink.ts';
import type { FindLinkRequestInput as _atelier_v1_FindLinkRequestInput, FindLinkRequest as _atelier_v1_FindLinkRequest } from '../../atelier/v1/FindLinkRequest.ts';
import type { GetEmailChangeRequestInput as _atelier_v1_GetEmailChangeRequestInput, GetEmailChangeRequest as _atelier_v1_GetEmailChangeRequest } from '../../atelier/v1/GetEmailChangeRequest.ts';
import type { IdentifyByEmailRequestInput as _atelier_v1_IdentifyByEmailRequestInput, IdentifyByEmailRequest as _atelier_v1_IdentifyByEmailRequest } from '../../atelier/v1/IdentifyByEmailRequest.ts';
import type { ListSessionsReplyInput as _atelier_v1_ListSessionsReplyInput, ListSessionsReply as _atelier_v1_ListSessionsReply } from '../../atelier/v1/ListSessionsReply.ts';
import type { ListSessionsRequestInput as _atelier_v1_ListSessionsRequestInput, ListSessionsRequest as _atelier_v1_ListSessionsRequest } from '../../atelier/v1/ListSessionsRequest.ts';
import type { PersonInput as _atelier_v1_PersonInput, Person as _atelier_v1_Person } from '../../atelier/v1/Person.ts';
import type { RevokeOtherSessionsReplyInput as _atelier_v1_RevokeOtherSessionsReplyInput, RevokeOtherSessionsReply as _atelier_v1_RevokeOtherSessionsReply } from '../../atelier/v1/RevokeOtherSessionsReply.ts';
import type { RevokeOtherSessionsRequestInput as _atelier_v1_RevokeOtherSessionsRequestInput, RevokeOtherSessionsRequest as _atelier_v1_RevokeOtherSessionsRequest } from '../../atelier/v1/RevokeOtherSessionsRequest.ts';
import type { RevokeSessionRequestInput as _atelier_v1_RevokeSessionRequestInput, RevokeSessionRequest as _atelier_v1_RevokeSessionRequest } from '../../atelier/v1/RevokeSessionRequest.ts';
import type { SessionInput as _atelier_v1_SessionInput, Session as _atelier_v1_Session } from '../../atelier/v1/Session.ts';
import type { SignInLinkInput as _atelier_v1_SignInLinkInput, SignInLink as _atelier_v1_SignInLink } from '../../atelier/v1/SignInLink.ts';
import type { SignInRequestInput as _atelier_v1_SignInRequestInput, SignInRequest as _atelier_v1_SignInRequest } from '../../atelier/v1/SignInRequest.ts';
import type { SignedInInput as _atelier_v1_SignedInInput, SignedIn as _atelier_v1_SignedIn } from '../../atelier/v1/SignedIn.ts';
import type { StartEmailChangeReplyInput as _atelier_v1_StartEmailChangeReplyInput, StartEmailChangeReply as _atelier_v1_StartEmailChangeReply } from '../../atelier/v1/StartEmailChangeReply.ts';
import type { StartEmailChangeRequestInput as _atelier_v1_StartEmailChangeRequestInput, StartEmailChangeRequest as _atelier_v1_StartEmailChangeRequest } from '../../atelier/v1/StartEmailChangeRequest.ts';

/**
 * People who sign in on the website. The secrets of links and sessions stay with the gateway; core keeps hashes and records.
 */
export interface SessionsClient extends grpc.Client {
  /**
   * Who holds this session, checked now, in the database. Errors: not_signed_in, account_suspended.
   */
  CheckSession(argument: _atelier_v1_CheckSessionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  CheckSession(argument: _atelier_v1_CheckSessionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  CheckSession(argument: _atelier_v1_CheckSessionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  CheckSession(argument: _atelier_v1_CheckSessionRequestInput, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  /**
   * Who holds this session, checked now, in the database. Errors: not_signed_in, account_suspended.
   */
  checkSession(argument: _atelier_v1_CheckSessionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  checkSession(argument: _atelier_v1_CheckSessionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  checkSession(argument: _atelier_v1_CheckSessionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  checkSession(argument: _atelier_v1_CheckSessionRequestInput, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  
  /**
   * Keeps a link that was made for an e-mail address, and ends those made for it before. Answers the same whether an account has the
   * address or not.
   */
  CreateLink(argument: _atelier_v1_CreateLinkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  CreateLink(argument: _atelier_v1_CreateLinkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  CreateLink(argument: _atelier_v1_CreateLinkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  CreateLink(argument: _atelier_v1_CreateLinkRequestInput, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  /**
   * Keeps a link that was made for an e-mail address, and ends those made for it before. Answers the same whether an account has the
   * address or not.
   */
  createLink(argument: _atelier_v1_CreateLinkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  createLink(argument: _atelier_v1_CreateLinkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  createLink(argument: _atelier_v1_CreateLinkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  createLink(argument: _atelier_v1_CreateLinkRequestInput, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  
  /**
   * What a link that was mailed because of a change of address would do. Uses nothing up. Errors: invalid_link.
   */
  FindEmailLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  FindEmailLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  FindEmailLink(argument: _atelier_v1_FindLinkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  FindEmailLink(argument: _atelier_v1_FindLinkRequestInput, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  /**
   * What a link that was mailed because of a change of address would do. Uses nothing up. Errors: invalid_link.
   */
  findEmailLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  findEmailLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  findEmailLink(argument: _atelier_v1_FindLinkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  findEmailLink(argument: _atelier_v1_FindLinkRequestInput, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  
  /**
   * Whom a link that is still good would sign in. Uses nothing up. Errors: invalid_link.
   */
  FindLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  FindLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  FindLink(argument: _atelier_v1_FindLinkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  FindLink(argument: _atelier_v1_FindLinkRequestInput, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  /**
   * Whom a link that is still good would sign in. Uses nothing up. Errors: invalid_link.
   */
  findLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  findLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  findLink(argument: _atelier_v1_FindLinkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  findLink(argument: _atelier_v1_FindLinkRequestInput, callback: grpc.requestCallback<_atelier_v1_SignInLink>): grpc.ClientUnaryCall;
  
  /**
   * What the caller's account has of that: a change that waits for its link, and one that can be undone.
   */
  GetEmailChange(argument: _atelier_v1_GetEmailChangeRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailChange>): grpc.ClientUnaryCall;
  GetEmailChange(argument: _atelier_v1_GetEmailChangeRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EmailChange>): grpc.ClientUnaryCall;
  GetEmailChange(argument: _atelier_v1_GetEmailChangeRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailChange>): grpc.ClientUnaryCall;
  GetEmailChange(argument: _atelier_v1_GetEmailChangeRequestInput, callback: grpc.requestCallback<_atelier_v1_EmailChange>): grpc.ClientUnaryCall;
  /**
   * What the caller's account has of that: a change that waits for its link, and one that can be undone.
   */
  getEmailChange(argument: _atelier_v1_GetEmailChangeRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailChange>): grpc.ClientUnaryCall;
  getEmailChange(argument: _atelier_v1_GetEmailChangeRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EmailChange>): grpc.ClientUnaryCall;
  getEmailChange(argument: _atelier_v1_GetEmailChangeRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailChange>): grpc.ClientUnaryCall;
  getEmailChange(argument: _atelier_v1_GetEmailChangeRequestInput, callback: grpc.requestCallback<_atelier_v1_EmailChange>): grpc.ClientUnaryCall;
  
  /**
   * The person with an e-mail address that a trusted issuer has verified; makes an account when there is none. Errors: account_suspended.
   */
  IdentifyByEmail(argument: _atelier_v1_IdentifyByEmailRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  IdentifyByEmail(argument: _atelier_v1_IdentifyByEmailRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  IdentifyByEmail(argument: _atelier_v1_IdentifyByEmailRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  IdentifyByEmail(argument: _atelier_v1_IdentifyByEmailRequestInput, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  /**
   * The person with an e-mail address that a trusted issuer has verified; makes an account when there is none. Errors: account_suspended.
   */
  identifyByEmail(argument: _atelier_v1_IdentifyByEmailRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  identifyByEmail(argument: _atelier_v1_IdentifyByEmailRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  identifyByEmail(argument: _atelier_v1_IdentifyByEmailRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  identifyByEmail(argument: _atelier_v1_IdentifyByEmailRequestInput, callback: grpc.requestCallback<_atelier_v1_Person>): grpc.ClientUnaryCall;
  
  /**
   * Live ones of the caller, the last used first.
   */
  ListSessions(argument: _atelier_v1_ListSessionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSessionsReply>): grpc.ClientUnaryCall;
  ListSessions(argument: _atelier_v1_ListSessionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListSessionsReply>): grpc.ClientUnaryCall;
  ListSessions(argument: _atelier_v1_ListSessionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSessionsReply>): grpc.ClientUnaryCall;
  ListSessions(argument: _atelier_v1_ListSessionsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListSessionsReply>): grpc.ClientUnaryCall;
  /**
   * Live ones of the caller, the last used first.
   */
  listSessions(argument: _atelier_v1_ListSessionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSessionsReply>): grpc.ClientUnaryCall;
  listSessions(argument: _atelier_v1_ListSessionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListSessionsReply>): grpc.ClientUnaryCall;
  listSessions(argument: _atelier_v1_ListSessionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListSessionsReply>): grpc.ClientUnaryCall;
  listSessions(argument: _atelier_v1_ListSessionsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListSessionsReply>): grpc.ClientUnaryCall;
  
  RevokeOtherSessions(argument: _atelier_v1_RevokeOtherSessionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RevokeOtherSessionsReply>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _atelier_v1_RevokeOtherSessionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RevokeOtherSessionsReply>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _atelier_v1_RevokeOtherSessionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RevokeOtherSessionsReply>): grpc.ClientUnaryCall;
  RevokeOtherSessions(argument: _atelier_v1_RevokeOtherSessionsRequestInput, callback: grpc.requestCallback<_atelier_v1_RevokeOtherSessionsReply>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _atelier_v1_RevokeOtherSessionsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RevokeOtherSessionsReply>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _atelier_v1_RevokeOtherSessionsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RevokeOtherSessionsReply>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _atelier_v1_RevokeOtherSessionsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RevokeOtherSessionsReply>): grpc.ClientUnaryCall;
  revokeOtherSessions(argument: _atelier_v1_RevokeOtherSessionsRequestInput, callback: grpc.requestCallback<_atelier_v1_RevokeOtherSessionsReply>): grpc.ClientUnaryCall;
  
  /**
   * Signs one of the caller's sessions out; again is no error. Errors: not_found.
   */
  RevokeSession(argument: _atelier_v1_RevokeSessionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Session>): grpc.ClientUnaryCall;
  RevokeSession(argument: _atelier_v1_RevokeSessionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Session>): grpc.ClientUnaryCall;
  RevokeSession(argument: _atelier_v1_RevokeSessionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Session>): grpc.ClientUnaryCall;
  RevokeSession(argument: _atelier_v1_RevokeSessionRequestInput, callback: grpc.requestCallback<_atelier_v1_Session>): grpc.ClientUnaryCall;
  /**
   * Signs one of the caller's sessions out; again is no error. Errors: not_found.
   */
  revokeSession(argument: _atelier_v1_RevokeSessionRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Session>): grpc.ClientUnaryCall;
  revokeSession(argument: _atelier_v1_RevokeSessionRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Session>): grpc.ClientUnaryCall;
  revokeSession(argument: _atelier_v1_RevokeSessionRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Session>): grpc.ClientUnaryCall;
  revokeSession(argument: _atelier_v1_RevokeSessionRequestInput, callback: grpc.requestCallback<_atelier_v1_Session>): grpc.ClientUnaryCall;
  
  /**
   * Uses a link up and opens a session, with an account made for an address that has none. Errors: invalid_link, account_suspended.
   */
  SignIn(argument: _atelier_v1_SignInRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignedIn>): grpc.ClientUnaryCall;
  SignIn(argument: _atelier_v1_SignInRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SignedIn>): grpc.ClientUnaryCall;
  SignIn(argument: _atelier_v1_SignInRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignedIn>): grpc.ClientUnaryCall;
  SignIn(argument: _atelier_v1_SignInRequestInput, callback: grpc.requestCallback<_atelier_v1_SignedIn>): grpc.ClientUnaryCall;
  /**
   * Uses a link up and opens a session, with an account made for an address that has none. Errors: invalid_link, account_suspended.
   */
  signIn(argument: _atelier_v1_SignInRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignedIn>): grpc.ClientUnaryCall;
  signIn(argument: _atelier_v1_SignInRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SignedIn>): grpc.ClientUnaryCall;
  signIn(argument: _atelier_v1_SignInRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignedIn>): grpc.ClientUnaryCall;
  signIn(argument: _atelier_v1_SignInRequestInput, callback: grpc.requestCallback<_atelier_v1_SignedIn>): grpc.ClientUnaryCall;
  
  /**
   * The caller wants another e-mail address: keeps a link that is then mailed to it, and ends those kept before. The calling service
   * has seen the person sign in within the last day. Errors: invalid_request.
   */
  StartEmailChange(argument: _atelier_v1_StartEmailChangeRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_StartEmailChangeReply>): grpc.ClientUnaryCall;
  StartEmailChange(argument: _atelier_v1_StartEmailChangeRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_StartEmailChangeReply>): grpc.ClientUnaryCall;
  StartEmailChange(argument: _atelier_v1_StartEmailChangeRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_StartEmailChangeReply>): grpc.ClientUnaryCall;
  StartEmailChange(argument: _atelier_v1_StartEmailChangeRequestInput, callback: grpc.requestCallback<_atelier_v1_StartEmailChangeReply>): grpc.ClientUnaryCall;
  /**
   * The caller wants another e-mail address: keeps a link that is then mailed to it, and ends those kept before. The calling service
   * has seen the person sign in within the last day. Errors: invalid_request.
   */
  startEmailChange(argument: _atelier_v1_StartEmailChangeRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_StartEmailChangeReply>): grpc.ClientUnaryCall;
  startEmailChange(argument: _atelier_v1_StartEmailChangeRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_StartEmailChangeReply>): grpc.ClientUnaryCall;
  startEmailChange(argument: _atelier_v1_StartEmailChangeRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_StartEmailChangeReply>): grpc.ClientUnaryCall;
  startEmailChange(argument: _atelier_v1_StartEmailChangeRequestInput, callback: grpc.requestCallback<_atelier_v1_StartEmailChangeReply>): grpc.ClientUnaryCall;
  
  /**
   * Uses it up: the account has the new address, or again the one before. Errors: invalid_link, invalid_request where the address
   * belongs to another account by now.
   */
  UseEmailLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  UseEmailLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  UseEmailLink(argument: _atelier_v1_FindLinkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  UseEmailLink(argument: _atelier_v1_FindLinkRequestInput, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  /**
   * Uses it up: the account has the new address, or again the one before. Errors: invalid_link, invalid_request where the address
   * belongs to another account by now.
   */
  useEmailLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  useEmailLink(argument: _atelier_v1_FindLinkRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  useEmailLink(argument: _atelier_v1_FindLinkRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  useEmailLink(argument: _atelier_v1_FindLinkRequestInput, callback: grpc.requestCallback<_atelier_v1_EmailLink>): grpc.ClientUnaryCall;
  
}

/**
 * People who sign in on the website. The secrets of links and sessions stay with the gateway; core keeps hashes and records.
 */
export interface SessionsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Who holds this session, checked now, in the database. Errors: not_signed_in, account_suspended.
   */
  CheckSession: grpc.handleUnaryCall<_atelier_v1_CheckSessionRequest, _atelier_v1_PersonInput>;
  
  /**
   * Keeps a link that was made for an e-mail address, and ends those made for it before. Answers the same whether an account has the
   * address or not.
   */
  CreateLink: grpc.handleUnaryCall<_atelier_v1_CreateLinkRequest, _atelier_v1_SignInLinkInput>;
  
  /**
   * What a link that was mailed because of a change of address would do. Uses nothing up. Errors: invalid_link.
   */
  FindEmailLink: grpc.handleUnaryCall<_atelier_v1_FindLinkRequest, _atelier_v1_EmailLinkInput>;
  
  /**
   * Whom a link that is still good would sign in. Uses nothing up. Errors: invalid_link.
   */
  FindLink: grpc.handleUnaryCall<_atelier_v1_FindLinkRequest, _atelier_v1_SignInLinkInput>;
  
  /**
   * What the caller's account has of that: a change that waits for its link, and one that can be undone.
   */
  GetEmailChange: grpc.handleUnaryCall<_atelier_v1_GetEmailChangeRequest, _atelier_v1_EmailChangeInput>;
  
  /**
   * The person with an e-mail address that a trusted issuer has verified; makes an account when there is none. Errors: account_suspended.
   */
  IdentifyByEmail: grpc.handleUnaryCall<_atelier_v1_IdentifyByEmailRequest, _atelier_v1_PersonInput>;
  
  /**
   * Live ones of the caller, the last used first.
   */
  ListSessions: grpc.handleUnaryCall<_atelier_v1_ListSessionsRequest, _atelier_v1_ListSessionsReplyInput>;
  
  RevokeOtherSessions: grpc.handleUnaryCall<_atelier_v1_RevokeOtherSessionsRequest, _atelier_v1_RevokeOtherSessionsReplyInput>;
  
  /**
   * Signs one of the caller's sessions out; again is no error. Errors: not_found.
   */
  RevokeSession: grpc.handleUnaryCall<_atelier_v1_RevokeSessionRequest, _atelier_v1_SessionInput>;
  
  /**
   * Uses a link up and opens a session, with an account made for an address that has none. Errors: invalid_link, account_suspended.
   */
  SignIn: grpc.handleUnaryCall<_atelier_v1_SignInRequest, _atelier_v1_SignedInInput>;
  
  /**
   * The caller wants another e-mail address: keeps a link that is then mailed to it, and ends those kept before. The calling service
   * has seen the person sign in within the last day. Errors: invalid_request.
   */
  StartEmailChange: grpc.handleUnaryCall<_atelier_v1_StartEmailChangeRequest, _atelier_v1_StartEmailChangeReplyInput>;
  
  /**
   * Uses it up: the account has the new address, or again the one before. Errors: invalid_link, invalid_request where the address
   * belongs to another account by now.
   */
  UseEmailLink: grpc.handleUnaryCall<_atelier_v1_FindLinkRequest, _atelier_v1_EmailLinkInput>;
  
}

export interface SessionsDefinition extends grpc.ServiceDefinition {
  CheckSession: MethodDefinition<_atelier_v1_CheckSessionRequestInput, _atelier_v1_PersonInput, _atelier_v1_CheckSessionRequest, _atelier_v1_Person>
  CreateLink: MethodDefinition<_atelier_v1_CreateLinkRequestInput, _atelier_v1_SignInLinkInput, _atelier_v1_CreateLinkRequest, _atelier_v1_SignInLink>
  FindEmailLink: MethodDefinition<_atelier_v1_FindLinkRequestInput, _atelier_v1_EmailLinkInput, _atelier_v1_FindLinkRequest, _atelier_v1_EmailLink>
  FindLink: MethodDefinition<_atelier_v1_FindLinkRequestInput, _atelier_v1_SignInLinkInput, _atelier_v1_FindLinkRequest, _atelier_v1_SignInLink>
  GetEmailChange: MethodDefinition<_atelier_v1_GetEmailChangeRequestInput, _atelier_v1_EmailChangeInput, _atelier_v1_GetEmailChangeRequest, _atelier_v1_EmailChange>
  IdentifyByEmail: MethodDefinition<_atelier_v1_IdentifyByEmailRequestInput, _atelier_v1_PersonInput, _atelier_v1_IdentifyByEmailRequest, _atelier_v1_Person>
  ListSessions: MethodDefinition<_atelier_v1_ListSessionsRequestInput, _atelier_v1_ListSessionsReplyInput, _atelier_v1_ListSessionsRequest, _atelier_v1_ListSessionsReply>
  RevokeOtherSessions: MethodDefinition<_atelier_v1_RevokeOtherSessionsRequestInput, _atelier_v1_RevokeOtherSessionsReplyInput, _atelier_v1_RevokeOtherSessionsRequest, _atelier_v1_RevokeOtherSessionsReply>
  RevokeSession: MethodDefinition<_atelier_v1_RevokeSessionRequestInput, _atelier_v1_SessionInput, _atelier_v1_RevokeSessionRequest, _atelier_v1_Session>
  SignIn: MethodDefinition<_atelier_v1_SignInRequestInput, _atelier_v1_SignedInInput, _atelier_v1_SignInRequest, _atelier_v1_SignedIn>
  StartEmailChange: MethodDefinition<_atelier_v1_StartEmailChangeRequestInput, _atelier_v1_StartEmailChangeReplyInput, _atelier_v1_StartEmailChangeRequest, _atelier_v1_StartEmailChangeReply>
  UseEmailLink: MethodDefinition<_atelier_v1_FindLinkRequestInput, _atelier_v1_EmailLinkInput, _atelier_v1_FindLinkRequest, _atelier_v1_EmailLink>
}
