// The tool endpoints as a fastify plugin: the address, the tools and the checks of each.
import type { FastifyInstance } from "fastify";
import type { CoreClient } from "../proto/client.ts";
import { AppError, ERROR_TABLE } from "../proto/codes.ts";
import { toApiError } from "../proto/resources/error.ts";
import type { Config } from "../runtime/config.ts";
import type { Logger } from "../runtime/log.ts";
import { homeOrigins } from "../runtime/http/home-origins.ts";
import { createKeyGuard } from "../runtime/http/key-guard.ts";
import type { RateLimits } from "../runtime/http/rate-limit.ts";
import type { Tracing } from "../runtime/tracing.ts";
import { admitKey, type KeyRules } from "./protocol/auth.ts";
import { type Endpoint, registerEndpoint } from "./protocol/endpoint.ts";
import { generationKeys } from "./generation/keys.ts";
import { GENERATION_INFO, GENERATION_INSTRUCTIONS } from "./generation/tools.ts";
import { GENERATION_WORDS } from "./generation/words.ts";
import { memberKeys } from "./member/keys.ts";
import { MEMBER_INFO, MEMBER_INSTRUCTIONS } from "./member/tools.ts";
import { MEMBER_WORDS } from "./member/words.ts";

const GENERATION_PATH = "/api/mcp";
const MEMBER_PATH = "/api/member/mcp";

export type McpOptions = {
  core: CoreClient;
  config: Config;
  limits: RateLimits;
  /** Public addresses, without a trailing slash. */
  baseUrl: string;
  generationBaseUrl: string;
  tracing?: Tracing | undefined;
};

export async function mcpRoutes(app: FastifyInstance, options: McpOptions): Promise<void> {
  const { core, config, limits, baseUrl, generationBaseUrl, tracing } = options;
  const allowedOrigins = new Set([
    ...config.allowedOrigins,
    ...homeOrigins(config, baseUrl),
    ...homeOrigins(config, generationBaseUrl),
  ]);
  const guard = createKeyGuard(limits);
  const openEndpoint = (
    face: Pick<Endpoint, "path" | "url" | "info" | "instructions" | "words">,
    rules: KeyRules,
  ) =>
    app.register(registerEndpoint, {
      ...face,
      core,
      log: app.log as Logger,
      tracing,
      allowedOrigins,
      admit: (request, reply, signal) => admitKey(request, reply, signal, { limits, rules, guard }),
    });

  denyOAuthDiscovery(app);
  await openEndpoint(
    {
      path: GENERATION_PATH,
      url: generationBaseUrl + GENERATION_PATH,
      info: GENERATION_INFO,
      instructions: GENERATION_INSTRUCTIONS,
      words: GENERATION_WORDS,
    },
    generationKeys(core),
  );
  await openEndpoint(
    {
      path: MEMBER_PATH,
      url: baseUrl + MEMBER_PATH,
      info: MEMBER_INFO,
      instructions: MEMBER_INSTRUCTIONS,
      words: MEMBER_WORDS,
    },
    memberKeys(core),
  );
}

/** Assistants look here for an OAuth server; anything but a plain "no" makes some of them start OAuth and drop the key they have. */
function denyOAuthDiscovery(app: FastifyInstance): void {
  const names = ["oauth-*", "openid-configuration", "openid-configuration/*"];
  const paths = ["", GENERATION_PATH, MEMBER_PATH].flatMap((prefix) =>
    names.map((name) => `${prefix}/.well-known/${name}`),
  );
  for (const url of paths) {
    app.get(url, (request, reply) => {
      const error = new AppError("not_found", {
        hint: "There is no OAuth here: send the key in the header Authorization: Bearer <key>.",
      });
      return reply
        .code(ERROR_TABLE.not_found.http)
        .header("cache-control", "no-store")
        .send(toApiError(error, request.id));
    });
  }
}
