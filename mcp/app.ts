// The tool endpoints as a fastify plugin: the address, the tools and the access checks of each.
import type { FastifyInstance } from "fastify";
import { loadGuide } from "../edge/guide.ts";
import { homeOrigins } from "../edge/http/home-origins.ts";
import { createKeyGuard } from "../edge/http/key-guard.ts";
import type { RouteOptions } from "../edge/role.ts";
import { TOOL_SERVERS } from "../edge/tool-servers.ts";
import { AppError, ERROR_TABLE } from "../proto/codes.ts";
import { toApiError } from "../proto/resources/error.ts";
import type { Logger } from "../runtime/log/log.ts";
import { CATALOG_INSTRUCTIONS, CATALOG_TOOLSET } from "./catalog/tools.ts";
import { GENERATION_INSTRUCTIONS, GENERATION_WORDS, generationKeys } from "./generation/tools.ts";
import { MEMBER_INSTRUCTIONS, MEMBER_WORDS, memberKeys } from "./member/tools.ts";
import { admitAnyone, admitKey, type KeyRules } from "./protocol/auth.ts";
import { type Endpoint, registerEndpoint } from "./protocol/endpoint.ts";
import type { Toolset } from "./protocol/tool.ts";
import { createViews } from "./views/tool-views.ts";

export async function mcpRoutes(app: FastifyInstance, options: RouteOptions): Promise<void> {
  denyOAuthDiscovery(app);
  for (const endpoint of toolEndpoints(app.log as Logger, options))
    await app.register(registerEndpoint, endpoint);
}

/** The three endpoints with their access checks. */
export function toolEndpoints(log: Logger, options: RouteOptions): Endpoint[] {
  const { core, config, limits, baseUrl, generationBaseUrl, tracing } = options;
  const { catalog, generation, member } = TOOL_SERVERS;
  const endpoints = {
    catalog: options[catalog.at] + catalog.path,
    generation: options[generation.at] + generation.path,
    member: options[member.at] + member.path,
    connectPage: `${baseUrl}/connect`,
    site: baseUrl,
  };
  const shared = {
    endpoints,
    guide: loadGuide(config, { baseUrl, generationBaseUrl }),
    withViews: createViews(new URL(generationBaseUrl).origin),
    core,
    log,
    tracing,
    stallMs: config.stallMs,
    allowedOrigins: new Set([
      ...config.allowedOrigins,
      ...homeOrigins(config, baseUrl),
      ...homeOrigins(config, generationBaseUrl),
    ]),
  };
  const guard = createKeyGuard<Toolset>(limits);
  const admitWith = (rules: KeyRules): Pick<Endpoint, "admit" | "cancelTool"> => ({
    admit: (request, reply, client) => admitKey(request, reply, client, { limits, rules, guard }),
    cancelTool: rules.cancelTool,
  });
  return [
    {
      ...shared,
      ...catalog,
      url: endpoints.catalog,
      instructions: CATALOG_INSTRUCTIONS,
      words: {},
      admit: (request, reply) => admitAnyone(request, reply, { limits, toolset: CATALOG_TOOLSET }),
    },
    {
      ...shared,
      ...generation,
      url: endpoints.generation,
      instructions: GENERATION_INSTRUCTIONS,
      words: GENERATION_WORDS,
      ...admitWith(generationKeys(core)),
    },
    {
      ...shared,
      ...member,
      url: endpoints.member,
      instructions: MEMBER_INSTRUCTIONS,
      words: MEMBER_WORDS,
      ...admitWith(memberKeys(core)),
    },
  ];
}

/** Assistants look here for an OAuth server. Any answer but a plain "no" makes some of them start OAuth and drop the key that they have. */
function denyOAuthDiscovery(app: FastifyInstance): void {
  const names = ["oauth-*", "openid-configuration", "openid-configuration/*"];
  const prefixes = ["", ...Object.values(TOOL_SERVERS).map(({ path }) => path)];
  const paths = prefixes.flatMap((prefix) => names.map((name) => `${prefix}/.well-known/${name}`));
  for (const url of paths) {
    app.get(url, (request, reply) => {
      const error = new AppError("not_found", {
        hint: `There is no OAuth here: send the key in the header Authorization: Bearer <key>; ${TOOL_SERVERS.catalog.path} needs none.`,
      });
      return reply
        .code(ERROR_TABLE.not_found.http)
        .header("cache-control", "no-store")
        .send(toApiError(error, request.id));
    });
  }
}
