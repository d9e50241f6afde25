// The gateway's dependencies, and the server as its routes see it.
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { RateLimits } from "../edge/http/rate-limit.ts";
import type { CoreClient } from "../proto/client.ts";
import type { Config } from "../runtime/config/config.ts";

export type GatewayOptions = {
  core: CoreClient;
  config: Config;
  limits: RateLimits;
  /** Public addresses, without a trailing slash. */
  baseUrl: string;
  generationBaseUrl: string;
};

/** Schemas of routes are zod's. */
export type GatewayApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;
