// Lets a call of core in, or refuses it: by the service token that comes with it.
import type { ServiceIdentity } from "../../runtime/service-token.ts";
import type { App } from "../app.ts";
import type { RevokedNames } from "./revoked-names.ts";

export type Guard = {
  /**
   * The service that calls, from the header `authorization`, if its token covers the RPC service `service`; where none is named, any good
   * token will do. Rejects with ServiceRefused.
   */
  admit(authorization: string, service?: string): Promise<ServiceIdentity>;
};

/** A refusal of the calling service itself, told with gRPC's own codes: it is not for the service's callers. */
export class ServiceRefused extends Error {
  readonly kind: "unknown" | "not-covered";

  constructor(kind: "unknown" | "not-covered", message: string) {
    super(message);
    this.kind = kind;
  }
}

export type GuardOptions = {
  verifyToken: (token: string) => Promise<ServiceIdentity | undefined>;
  revokedNames: RevokedNames;
};

export function createGuard(app: App, { verifyToken, revokedNames }: GuardOptions): Guard {
  return {
    async admit(authorization, service) {
      const identity = authorization.startsWith("Bearer ")
        ? await verifyToken(authorization.slice("Bearer ".length))
        : undefined;
      if (!identity || (await revokedNames.isRevoked(identity.name))) {
        app.log.warn({ service, name: identity?.name }, "refused a call without a good service token");
        throw new ServiceRefused("unknown", "A valid service token is needed.");
      }
      if (service !== undefined && !identity.scopes.includes(service)) {
        throw new ServiceRefused(
          "not-covered",
          `The service token of ${identity.name} does not cover ${service}.`,
        );
      }
      return identity;
    },
  };
}
