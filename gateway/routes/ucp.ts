// The Universal Commerce Protocol: the profile at /.well-known/ucp, and its catalog over REST. There is no checkout in it: people buy on the
// product's page.
import type { z } from "zod";
import { getUcpProduct, lookUpUcp, searchUcp, type UcpContext } from "../../proto/ask-ucp.ts";
import {
  UCP_CAPABILITIES,
  UCP_VERSION,
  ucpDetailSchema,
  ucpFoundSchema,
  ucpGetProductSchema,
  ucpLookedUpSchema,
  ucpLookupSchema,
  ucpSearchSchema,
} from "../../proto/resources/ucp.ts";
import { CATALOG_DEADLINE_MS } from "../catalog/kept-answers.ts";
import { UCP_DETAIL, UCP_FOUND, UCP_LOOKED_UP, UCP_LOOKUP, UCP_SEARCH } from "../feeds/examples.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, PUBLIC } from "../http/auth.ts";
import { sendDocument, staticDocument } from "../http/static-document.ts";
import { declareOperation, type Operation } from "../openapi/operation.ts";

const PROFILE_PATH = "/.well-known/ucp";
const REST_PATH = "/ucp";
/** Served by the tool endpoint. */
const TOOLS_PATH = "/ucp/mcp";
const SPECIFICATION = `https://ucp.dev/${UCP_VERSION}`;
const PROTOCOL = `As the Universal Commerce Protocol (${UCP_VERSION}) has it. Fields of a request that are not named here change nothing, and neither does the header UCP-Agent.`;

type Question<Request extends z.ZodType, Answer extends z.ZodType> = {
  path: string;
  operation: Pick<Operation, "operationId" | "summary" | "description">;
  request: Request;
  requestExample: z.input<Request>;
  answer: Answer;
  example: z.output<Answer>;
  ask: (request: z.output<Request>, context: UcpContext) => Promise<z.output<Answer>>;
};

export function ucpRoutes(app: GatewayApp, options: GatewayOptions): void {
  const profile = staticDocument(
    "application/json; charset=utf-8",
    JSON.stringify(profileOf(options.baseUrl)),
  );
  app.get(PROFILE_PATH, { config: { access: PUBLIC }, schema: { hide: true } }, (request, reply) =>
    sendDocument(request, reply, profile),
  );
  answerQuestion(app, options, {
    path: "/catalog/search",
    operation: {
      operationId: "ucpSearchCatalog",
      summary: "Search what can be bought, as UCP has it",
      description: `Products that anybody can buy at this moment, with a variant for each licence. All words of the query must match. A page may have fewer products than asked for, even none, and still be followed by another. ${PROTOCOL}`,
    },
    request: ucpSearchSchema,
    requestExample: UCP_SEARCH,
    answer: ucpFoundSchema,
    example: UCP_FOUND,
    ask: searchUcp,
  });
  answerQuestion(app, options, {
    path: "/catalog/lookup",
    operation: {
      operationId: "ucpLookUpCatalog",
      summary: "Look up products and variants, as UCP has it",
      description: `Those that can be bought at this moment; a message names each id that is not among them. ${PROTOCOL}`,
    },
    request: ucpLookupSchema,
    requestExample: UCP_LOOKUP,
    answer: ucpLookedUpSchema,
    example: UCP_LOOKED_UP,
    ask: lookUpUcp,
  });
  answerQuestion(app, options, {
    path: "/catalog/product",
    operation: {
      operationId: "ucpGetProduct",
      summary: "Show one product, as UCP has it",
      description: `With the variant that is selected, else the standard licence. What cannot be bought is an answer with \`ucp.status\` error. ${PROTOCOL}`,
    },
    request: ucpGetProductSchema,
    requestExample: { id: UCP_LOOKUP.ids[0] ?? "" },
    answer: ucpDetailSchema,
    example: UCP_DETAIL,
    ask: getUcpProduct,
  });
}

function answerQuestion<Request extends z.ZodType, Answer extends z.ZodType>(
  app: GatewayApp,
  { core, baseUrl }: GatewayOptions,
  { path, operation, request: body, requestExample, answer, example, ask }: Question<Request, Answer>,
): void {
  app.post(
    REST_PATH + path,
    {
      config: { access: PUBLIC },
      schema: {
        body,
        ...declareOperation({
          ...operation,
          tag: "Catalog",
          security: "none",
          unavailable: "catalog_unavailable",
          requestExample,
          success: {
            200: { description: "The answer.", schema: answer, headers: ["Cache-Control"], example },
          },
        }),
      },
    },
    async (request, reply) => {
      const call = { ...callFor(request), deadlineMs: CATALOG_DEADLINE_MS };
      const answered = await ask(request.body as z.output<Request>, { core, call, baseUrl });
      return reply.header("cache-control", "no-store").send(answered);
    },
  );
}

/** What we have of the protocol, and nothing else. */
function profileOf(baseUrl: string) {
  const service = { version: UCP_VERSION, spec: `${SPECIFICATION}/specification/overview/` };
  const capability = (name: "search" | "lookup") => [
    {
      version: UCP_VERSION,
      spec: `${SPECIFICATION}/specification/shopping/catalog/${name}`,
      schema: `${SPECIFICATION}/schemas/shopping/catalog_${name}.json`,
    },
  ];
  return {
    ucp: {
      version: UCP_VERSION,
      services: {
        "dev.ucp.shopping": [
          {
            ...service,
            transport: "rest",
            schema: `${SPECIFICATION}/services/shopping/rest.openapi.json`,
            endpoint: baseUrl + REST_PATH,
          },
          {
            ...service,
            transport: "mcp",
            schema: `${SPECIFICATION}/services/shopping/mcp.openrpc.json`,
            endpoint: baseUrl + TOOLS_PATH,
          },
        ],
      },
      capabilities: {
        [UCP_CAPABILITIES.search]: capability("search"),
        [UCP_CAPABILITIES.lookup]: capability("lookup"),
      },
      payment_handlers: {},
    },
  };
}
