// Accepts or refuses a call of core by the service token that comes with it.
import { ServiceRefused } from "../../../proto/service-refusals.ts";
import { ACT_AS } from "../../../runtime/config/service-names.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import type { App } from "../app.ts";
import type { RevokedNames } from "./revoked-names.ts";
import type { ServiceIdentity, VerifyToken } from "./verify-token.ts";

/** The scope that a service token must have for a call. */
export type WantedScope = {
  /** The RPC service or other claim that the token must have; undefined if any valid token is enough. */
  readonly service?: string;
  /** Whether the call is made for an account by naming it, without a key. */
  readonly actsAs?: boolean;
  /** For the log. */
  readonly requestId?: string;
};

export type Guard = {
  /** Returns the service that calls, from the metadata `authorization`. Rejects with ServiceRefused. */
  admit(authorization: string, wanted?: WantedScope): Promise<ServiceIdentity>;
};

export type GuardOptions = { verifyToken: VerifyToken; revokedNames: RevokedNames };

export function createGuard(app: App, { verifyToken, revokedNames }: GuardOptions): Guard {
  async function verify(authorization: string, { service, actsAs }: WantedScope): Promise<ServiceIdentity> {
    if (authorization === "") throw new ServiceRefused("service_token_missing");
    const [scheme = "", token = ""] = authorization.split(" ", 2);
    if (scheme.toLowerCase() !== "bearer") throw new ServiceRefused("service_token_invalid");
    const identity = await verifyToken(token);
    const { name, claims } = identity;
    if (await revokedNames.isRevoked(name)) throw new ServiceRefused("service_name_revoked", { name });
    if (service !== undefined && !(claims as readonly string[]).includes(service))
      throw new ServiceRefused("service_scope_missing", { name, service });
    if (actsAs && !claims.includes(ACT_AS)) throw new ServiceRefused("service_may_not_act", { name });
    return identity;
  }

  return {
    admit: (authorization, wanted = {}) =>
      verify(authorization, wanted).catch((error: unknown) => {
        if (error instanceof ServiceRefused)
          logSecurity(app.log, "service_token_refused", {
            service: error.facts["name"],
            why: error.reason,
            wanted: wanted.service,
            request_id: wanted.requestId,
          });
        throw error;
      }),
  };
}
