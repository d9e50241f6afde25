// Why core refuses a calling service itself, for any caller behind it. It is reported with gRPC's own codes and a reason in its own domain, not
// with a code of the error table: it is meant for those who run the service, not for its users.
import { status } from "@grpc/grpc-js";

type RefusalRow = {
  readonly grpc: status;
  readonly message: string;
  /** What to do next, for the operator of the calling service. */
  readonly hint: string;
};

export const SERVICE_REFUSALS = {
  service_token_missing: {
    grpc: status.UNAUTHENTICATED,
    message: "The call has no service token.",
    hint: "Send the metadata authorization: Bearer <token>; `atelier service-token issue` makes one.",
  },
  service_token_invalid: {
    grpc: status.UNAUTHENTICATED,
    message:
      "This is not a service token for core: it is damaged, for another audience, or lacks sub, iat, exp or jti.",
    hint: "Check that the whole token was copied, or issue a new one with `atelier service-token issue`.",
  },
  service_token_expired: {
    grpc: status.UNAUTHENTICATED,
    message: "The service token has expired.",
    hint: "Issue a new one with `atelier service-token issue`; check the clock if it should still be good.",
  },
  service_token_too_long: {
    grpc: status.UNAUTHENTICATED,
    message: "The service token is good for longer than core allows, or its iat is in the future.",
    hint: "Sign tokens for at most the time that the documentation names, with a clock that is right.",
  },
  service_key_unknown: {
    grpc: status.UNAUTHENTICATED,
    message: "The service token is signed with a key that core does not trust.",
    hint: "Issue a new token with `atelier service-token issue`, or add the key to ATELIER_SERVICE_TRUSTED_KEYS of core.",
  },
  service_key_exceeded: {
    grpc: status.UNAUTHENTICATED,
    message: "The service token claims a name or a scope that its key may not sign for.",
    hint: "Claim less, or say in ATELIER_SERVICE_TRUSTED_KEYS of core what the key may claim.",
  },
  service_name_revoked: {
    grpc: status.UNAUTHENTICATED,
    message: "The name of the service is revoked.",
    hint: "A revoked name never comes back; issue a token under another name.",
  },
  service_scope_missing: {
    grpc: status.PERMISSION_DENIED,
    message: "The service token does not cover the RPC service that was called.",
    hint: "Issue a token that names it: `atelier service-token issue NAME --scope …`.",
  },
  service_may_not_act: {
    grpc: status.PERMISSION_DENIED,
    message: "The service token does not let its holder act for an account without a key of it.",
    hint: "Leave atelier-account out and send the caller's key, or issue a token with --act-as.",
  },
} as const satisfies Record<string, RefusalRow>;

export type ServiceRefusalReason = keyof typeof SERVICE_REFUSALS;

/** What is known about a refused call, for its caller and for the log. It never contains the token. */
export type ServiceRefusalInfo = { readonly name?: string; readonly service?: string };

export class ServiceRefused extends Error {
  override readonly name = "ServiceRefused";
  readonly reason: ServiceRefusalReason;
  readonly facts: ServiceRefusalInfo;

  constructor(reason: ServiceRefusalReason, facts: ServiceRefusalInfo = {}) {
    super(SERVICE_REFUSALS[reason].message);
    this.reason = reason;
    this.facts = facts;
  }
}

export function isServiceRefusalReason(value: string): value is ServiceRefusalReason {
  return Object.hasOwn(SERVICE_REFUSALS, value);
}
