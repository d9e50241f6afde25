// Core's gRPC server with other handlers and without a database.
import { pino } from "pino";
import { type Server, startServer } from "../../core/entry/server.ts";
import type { App } from "../../core/kernel/app.ts";
import type { Call, Services } from "../../core/kernel/rpc.ts";
import type { VerifyToken } from "../../core/kernel/services/verify-token.ts";
import { ServiceRefused } from "../../proto/service-refusals.ts";
import type { GenerateReplyInput } from "../../proto/types/atelier/v1/GenerateReply.ts";
import type { GenerateRequest } from "../../proto/types/atelier/v1/GenerateRequest.ts";
import type { GetJobRequest } from "../../proto/types/atelier/v1/GetJobRequest.ts";
import type { JobInput } from "../../proto/types/atelier/v1/Job.ts";
import { type Claim, CLAIMS } from "../../runtime/config/service-names.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";

/** A read, and a request that may have an Idempotency-Key. ListPlans is always served. */
export type ServedJobs = {
  GetJob?: (request: GetJobRequest, call: Call) => Promise<JobInput>;
  Generate?: (request: GenerateRequest, call: Call) => Promise<GenerateReplyInput>;
};

/** A service token with these scopes. */
export const goodToken = (claims: readonly Claim[] = CLAIMS) => `token-for-${claims.join(",")}`;

const readToken: VerifyToken = async (token) => {
  if (!token.startsWith("token-for-")) throw new ServiceRefused("service_token_invalid");
  const claims = token.slice("token-for-".length).split(",") as Claim[];
  return { name: "test", claims, expiresAt: Infinity, tokenId: "1" };
};

export type ServedOptions = { port?: number; write?: (line: string) => void; verifyToken?: VerifyToken };

export function startServed(
  jobs: ServedJobs,
  { port = 0, write = () => {}, verifyToken = readToken }: ServedOptions = {},
): Promise<Server> {
  const log = pino({ level: "info" }, { write });
  return startServer({ log, metrics: createMetrics() } as unknown as App, {
    host: "127.0.0.1",
    port,
    services: { Jobs: jobs, Models: { ListPlans: async () => ({ plans: [] }) } } as unknown as Services,
    verifyToken,
    revokedNames: { isRevoked: async () => false },
  });
}
