// GET /api/catalog and GET /api/catalog/{slug}: the public products, for anyone.
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { catalogDetailSchema, catalogPageSchema } from "../../proto/resources/product.ts";
import { CATALOG_DETAIL, CATALOG_PAGE } from "../catalog/examples.ts";
import type { AnswerContent } from "../catalog/kept-answer.ts";
import { CATALOG_DEADLINE_MS, type KeptAnswers, toExpiry } from "../catalog/kept-answers.ts";
import {
  addressOf,
  LIST_PATH,
  type ListQuery,
  listQuerySchema,
  pageLinks,
  parseListQuery,
  toListRequest,
} from "../catalog/list-query.ts";
import { serveKept } from "../catalog/serve-kept.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor } from "../http/auth.ts";
import { OPEN } from "../http/crawlers.ts";
import { operation, type ResponseHeaderName } from "../openapi/operation.ts";

const DETAIL_ROUTE = `${LIST_PATH}/:slug`;
const CONTENT_TYPE = "application/json; charset=utf-8";
const PAGE_HEADERS: ResponseHeaderName[] = ["Cache-Control", "ETag", "Vary"];
const UNCHANGED = {
  304: {
    description: "You have it already: the ETag in If-None-Match is right. Does not count for the rate.",
    headers: PAGE_HEADERS,
  },
} as const;

type Options = Pick<GatewayOptions, "core" | "limits" | "baseUrl">;

export function catalogRoutes(app: GatewayApp, answers: KeptAnswers, options: Options): void {
  listProducts(app, answers, options);
  getProduct(app, answers, options);
}

function listProducts(app: GatewayApp, answers: KeptAnswers, { core, limits, baseUrl }: Options): void {
  app.get(
    LIST_PATH,
    {
      ...operation({
        ...OPEN,
        querystring: listQuerySchema,
        operationId: "listCatalogProducts",
        summary: "List products",
        description:
          "One page of the public products that match all filters. An empty page is no error; its hint names the parameter that left no products. Unknown parameters are ignored.",
        tag: "Catalog",
        unavailable: "catalog_unavailable",
        success: {
          200: {
            description: "The page.",
            schema: catalogPageSchema,
            headers: [...PAGE_HEADERS, "Link"],
            example: CATALOG_PAGE,
          },
        },
        bodiless: UNCHANGED,
      }),
      validatorCompiler: laterInHandler,
    },
    (request, reply) =>
      serveKept(request, reply, {
        answers,
        limits,
        read: () => {
          const query = parseListQuery(request.query as Record<string, unknown>);
          return { key: addressOf(query), ask: () => askList(core, query, baseUrl, callOf(request)) };
        },
      }),
  );
}

function getProduct(app: GatewayApp, answers: KeptAnswers, { core, limits }: Options): void {
  app.get(
    DETAIL_ROUTE,
    {
      ...operation({
        ...OPEN,
        params: z.object({
          slug: z.string().min(1).describe("The slug of a product, as the list shows it."),
        }),
        operationId: "getCatalogProduct",
        summary: "Show one product",
        description:
          "The public details of one product. A product that is not public looks like one that does not exist.",
        tag: "Catalog",
        unavailable: "catalog_unavailable",
        success: {
          200: {
            description: "The product.",
            schema: catalogDetailSchema,
            headers: PAGE_HEADERS,
            example: CATALOG_DETAIL,
          },
        },
        bodiless: UNCHANGED,
        errors: ["product_not_found"],
      }),
      validatorCompiler: laterInHandler,
    },
    (request, reply) => {
      const { slug } = request.params;
      const key = `${LIST_PATH}/${encodeURIComponent(slug.toWellFormed())}`;
      return serveKept(request, reply, {
        answers,
        limits,
        read: () => ({ key, ask: () => askProduct(core, slug, callOf(request)) }),
      });
    },
  );
}

/** serveKept checks a query itself: a client with the current response is answered before. */
function laterInHandler() {
  return (value: unknown) => ({ value });
}

function callOf(request: FastifyRequest): CallOptions {
  return { ...callFor(request), deadlineMs: CATALOG_DEADLINE_MS };
}

async function askList(
  core: CoreClient,
  query: ListQuery,
  baseUrl: string,
  call: CallOptions,
): Promise<AnswerContent> {
  const reply = await core.catalog.ListProducts(toListRequest(query), call);
  return {
    body: toBuffer(reply.body),
    contentType: CONTENT_TYPE,
    route: LIST_PATH,
    revision: reply.revision,
    expiresAtMs: toExpiry(reply.expires_at),
    link: pageLinks(query, reply.total_pages, baseUrl),
  };
}

async function askProduct(core: CoreClient, slug: string, call: CallOptions): Promise<AnswerContent> {
  const reply = await core.catalog.GetProduct({ slug }, call);
  return {
    body: toBuffer(reply.body),
    contentType: CONTENT_TYPE,
    route: DETAIL_ROUTE,
    revision: reply.revision,
    expiresAtMs: toExpiry(reply.expires_at),
  };
}

// This is a copy: protobuf returns a view of the whole message, which the cache must not keep alive.
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes);
}
