// Original file: atelier/v1/memberships.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AuthenticateMemberRequestInput as _atelier_v1_AuthenticateMemberRequestInput, AuthenticateMemberRequest as _atelier_v1_AuthenticateMemberRequest } from '../../atelier/v1/AuthenticateMemberRequest.ts';
import type { GetMembershipRequestInput as _atelier_v1_GetMembershipRequestInput, GetMembershipRequest as _atelier_v1_GetMembershipRequest } from '../../atelier/v1/GetMembershipRequest.ts';
import type { ListLicencesReplyInput as _atelier_v1_ListLicencesReplyInput, ListLicencesReply as _atelier_v1_ListLicencesReply } from '../../atelier/v1/ListLicencesReply.ts';
import type { ListLicencesRequestInput as _atelier_v1_ListLicencesRequestInput, ListLicencesRequest as _atelier_v1_ListLicencesRequest } from '../../atelier/v1/ListLicencesRequest.ts';
import type { ListTiersReplyInput as _atelier_v1_ListTiersReplyInput, ListTiersReply as _atelier_v1_ListTiersReply } from '../../atelier/v1/ListTiersReply.ts';
import type { ListTiersRequestInput as _atelier_v1_ListTiersRequestInput, ListTiersRequest as _atelier_v1_ListTiersRequest } from '../../atelier/v1/ListTiersRequest.ts';
import type { MemberIdentityInput as _atelier_v1_MemberIdentityInput, MemberIdentity as _atelier_v1_MemberIdentity } from '../../atelier/v1/MemberIdentity.ts';
import type { MembershipInput as _atelier_v1_MembershipInput, Membership as _atelier_v1_Membership } from '../../atelier/v1/Membership.ts';

/**
 * Memberships, and the licences of products. All but ListTiers are for the member: a member key (source `member`), whose account
 * must have an active membership that includes the member tools now, or the signed-in person, who may also have none.
 * Errors: missing_key, invalid_key (every other kind of key looks like one that does not exist), account_suspended,
 * membership_inactive.
 */
export interface MembershipsClient extends grpc.Client {
  /**
   * Checks a member key, its account and its membership now, in the database.
   */
  Authenticate(argument: _atelier_v1_AuthenticateMemberRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_MemberIdentity>): grpc.ClientUnaryCall;
  Authenticate(argument: _atelier_v1_AuthenticateMemberRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_MemberIdentity>): grpc.ClientUnaryCall;
  Authenticate(argument: _atelier_v1_AuthenticateMemberRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_MemberIdentity>): grpc.ClientUnaryCall;
  Authenticate(argument: _atelier_v1_AuthenticateMemberRequestInput, callback: grpc.requestCallback<_atelier_v1_MemberIdentity>): grpc.ClientUnaryCall;
  /**
   * Checks a member key, its account and its membership now, in the database.
   */
  authenticate(argument: _atelier_v1_AuthenticateMemberRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_MemberIdentity>): grpc.ClientUnaryCall;
  authenticate(argument: _atelier_v1_AuthenticateMemberRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_MemberIdentity>): grpc.ClientUnaryCall;
  authenticate(argument: _atelier_v1_AuthenticateMemberRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_MemberIdentity>): grpc.ClientUnaryCall;
  authenticate(argument: _atelier_v1_AuthenticateMemberRequestInput, callback: grpc.requestCallback<_atelier_v1_MemberIdentity>): grpc.ClientUnaryCall;
  
  GetMembership(argument: _atelier_v1_GetMembershipRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  GetMembership(argument: _atelier_v1_GetMembershipRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  GetMembership(argument: _atelier_v1_GetMembershipRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  GetMembership(argument: _atelier_v1_GetMembershipRequestInput, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  getMembership(argument: _atelier_v1_GetMembershipRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  getMembership(argument: _atelier_v1_GetMembershipRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  getMembership(argument: _atelier_v1_GetMembershipRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  getMembership(argument: _atelier_v1_GetMembershipRequestInput, callback: grpc.requestCallback<_atelier_v1_Membership>): grpc.ClientUnaryCall;
  
  /**
   * Newest first. They outlive the membership: one that has lapsed takes none away.
   */
  ListLicences(argument: _atelier_v1_ListLicencesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  ListLicences(argument: _atelier_v1_ListLicencesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  ListLicences(argument: _atelier_v1_ListLicencesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  ListLicences(argument: _atelier_v1_ListLicencesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  /**
   * Newest first. They outlive the membership: one that has lapsed takes none away.
   */
  listLicences(argument: _atelier_v1_ListLicencesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  listLicences(argument: _atelier_v1_ListLicencesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  listLicences(argument: _atelier_v1_ListLicencesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  listLicences(argument: _atelier_v1_ListLicencesRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLicencesReply>): grpc.ClientUnaryCall;
  
  /**
   * Needs no caller.
   */
  ListTiers(argument: _atelier_v1_ListTiersRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTiersReply>): grpc.ClientUnaryCall;
  ListTiers(argument: _atelier_v1_ListTiersRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTiersReply>): grpc.ClientUnaryCall;
  ListTiers(argument: _atelier_v1_ListTiersRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTiersReply>): grpc.ClientUnaryCall;
  ListTiers(argument: _atelier_v1_ListTiersRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTiersReply>): grpc.ClientUnaryCall;
  /**
   * Needs no caller.
   */
  listTiers(argument: _atelier_v1_ListTiersRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTiersReply>): grpc.ClientUnaryCall;
  listTiers(argument: _atelier_v1_ListTiersRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListTiersReply>): grpc.ClientUnaryCall;
  listTiers(argument: _atelier_v1_ListTiersRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListTiersReply>): grpc.ClientUnaryCall;
  listTiers(argument: _atelier_v1_ListTiersRequestInput, callback: grpc.requestCallback<_atelier_v1_ListTiersReply>): grpc.ClientUnaryCall;
  
}

/**
 * Memberships, and the licences of products. All but ListTiers are for the member: a member key (source `member`), whose account
 * must have an active membership that includes the member tools now, or the signed-in person, who may also have none.
 * Errors: missing_key, invalid_key (every other kind of key looks like one that does not exist), account_suspended,
 * membership_inactive.
 */
export interface MembershipsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Checks a member key, its account and its membership now, in the database.
   */
  Authenticate: grpc.handleUnaryCall<_atelier_v1_AuthenticateMemberRequest, _atelier_v1_MemberIdentityInput>;
  
  GetMembership: grpc.handleUnaryCall<_atelier_v1_GetMembershipRequest, _atelier_v1_MembershipInput>;
  
  /**
   * Newest first. They outlive the membership: one that has lapsed takes none away.
   */
  ListLicences: grpc.handleUnaryCall<_atelier_v1_ListLicencesRequest, _atelier_v1_ListLicencesReplyInput>;
  
  /**
   * Needs no caller.
   */
  ListTiers: grpc.handleUnaryCall<_atelier_v1_ListTiersRequest, _atelier_v1_ListTiersReplyInput>;
  
}

export interface MembershipsDefinition extends grpc.ServiceDefinition {
  Authenticate: MethodDefinition<_atelier_v1_AuthenticateMemberRequestInput, _atelier_v1_MemberIdentityInput, _atelier_v1_AuthenticateMemberRequest, _atelier_v1_MemberIdentity>
  GetMembership: MethodDefinition<_atelier_v1_GetMembershipRequestInput, _atelier_v1_MembershipInput, _atelier_v1_GetMembershipRequest, _atelier_v1_Membership>
  ListLicences: MethodDefinition<_atelier_v1_ListLicencesRequestInput, _atelier_v1_ListLicencesReplyInput, _atelier_v1_ListLicencesRequest, _atelier_v1_ListLicencesReply>
  ListTiers: MethodDefinition<_atelier_v1_ListTiersRequestInput, _atelier_v1_ListTiersReplyInput, _atelier_v1_ListTiersRequest, _atelier_v1_ListTiersReply>
}
