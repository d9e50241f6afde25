// /feeds/…: what can be bought, in the formats of shopping agents and search engines: Google's product feed, and that of the Agentic
// Commerce Protocol.
import { z } from "zod";
import { clientGone } from "../../edge/http/client-gone.ts";
import { cutWhenStalled } from "../../edge/http/slow-connections.ts";
import { beginStream } from "../catalog/begin-stream.ts";
import type { KeptAnswers } from "../catalog/kept-answers.ts";
import { acpMetadataSchema, acpProducts, acpProductSchema } from "../feeds/acp.ts";
import { ACP_METADATA, ACP_PRODUCT, GOOGLE_TEXT, GOOGLE_XML } from "../feeds/examples.ts";
import type { Feed } from "../feeds/feed.ts";
import { googleText, googleXml } from "../feeds/google.ts";
import { sendFeed } from "../feeds/send-feed.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, PUBLIC } from "../http/auth.ts";
import { queryInteger } from "../http/query.ts";
import { operation, type Operation, type ResponseHeaderName } from "../openapi/operation.ts";

const MAX_SHARDS = 1_000;
const HEADERS: ResponseHeaderName[] = ["Cache-Control", "ETag", "Last-Modified", "Vary"];
const ONLY_BOUGHT =
  "It holds only products that anyone can buy now: none that are not yet for sale, have no price, need a membership, or cost money where the site takes no payments.";
const SHARDS =
  "The whole feed comes in one answer; with `of` it is split into so many parts, and `shard` names one. A product stays in the same part for as long as `of` stays the same.";

const shardQuery = z
  .object({
    shard: queryInteger(1, MAX_SHARDS).default(1).describe("Which part, from 1."),
    of: queryInteger(1, MAX_SHARDS).default(1).describe("How many parts there are."),
  })
  .refine(({ shard, of }) => shard <= of, { path: ["shard"], error: "must be at most `of`" });

const PUBLISHED = {
  tag: "Catalog",
  unavailable: "catalog_unavailable",
  bodiless: {
    304: {
      description: "You have it already, by the ETag in If-None-Match or the time in If-Modified-Since.",
      headers: HEADERS,
    },
  },
} as const satisfies Partial<Operation>;

type Published = {
  path: string;
  feed: Feed;
  described: Pick<Operation, "operationId" | "summary" | "description">;
  /** The description of the feed, or of a line of it. */
  schema: z.ZodType;
  example: unknown;
};

export function feedRoutes(
  app: GatewayApp,
  answers: KeptAnswers,
  options: GatewayOptions,
  draining: AbortSignal,
): void {
  const { baseUrl } = options;
  for (const published of feedsOf(baseUrl)) publish(app, published, { ...options, answers, draining });
  metadataRoute(app, answers, options);
}

function feedsOf(baseUrl: string): Published[] {
  return [
    {
      path: "/feeds/google.xml",
      feed: googleXml(baseUrl),
      described: {
        operationId: "getGoogleFeed",
        summary: "Google's product feed, as RSS",
        description: `The products for Google Merchant Center, as RSS 2.0. ${ONLY_BOUGHT} What is free, and what is only licensed for clients, has no place in such a feed. ${SHARDS}`,
      },
      schema: z.string(),
      example: GOOGLE_XML,
    },
    {
      path: "/feeds/google.tsv",
      feed: googleText(baseUrl),
      described: {
        operationId: "getGoogleTextFeed",
        summary: "Google's product feed, as tab-separated text",
        description: `The same as getGoogleFeed, with a product on each line after that of the names. ${SHARDS}`,
      },
      schema: z.string(),
      example: GOOGLE_TEXT,
    },
    {
      path: "/feeds/acp/products.jsonl",
      feed: acpProducts(baseUrl),
      described: {
        operationId: "getAcpFeed",
        summary: "The Agentic Commerce Protocol's product feed",
        description: `The file products.jsonl of a full replacement (2026-04-17): a product on each line, with a variant for each licence. ${ONLY_BOUGHT} ${SHARDS}`,
      },
      schema: acpProductSchema,
      example: ACP_PRODUCT,
    },
  ];
}

type Publishing = GatewayOptions & { answers: KeptAnswers; draining: AbortSignal };

function publish(
  app: GatewayApp,
  { path, feed, described, schema, example }: Published,
  { core, config: { stallMs }, limits, answers, draining }: Publishing,
): void {
  const [contentType = ""] = feed.contentType.split(";");
  app.get(
    path,
    operation({
      config: { access: PUBLIC },
      querystring: shardQuery,
      ...PUBLISHED,
      ...described,
      success: {
        200: { description: "The feed.", schema, contentTypes: [contentType], headers: HEADERS, example },
      },
    }),
    async (request, reply) => {
      const { shard, of: shards } = request.query;
      // Reading a large catalog takes long, so permits for it are counted.
      reply.raw.once("close", limits.open(request.ip, request.caller));
      cutWhenStalled(reply.raw, stallMs);
      const signal = AbortSignal.any([clientGone(reply), draining]);
      const offers = core.catalog.ListOffers({ shard, shards }, { ...callFor(request), signal });
      const batches = await beginStream(offers);
      return sendFeed(request, reply, batches, {
        key: `${path}?shard=${shard}&of=${shards}`,
        feed,
        states: answers.states,
      });
    },
  );
}

function metadataRoute(app: GatewayApp, { states }: KeptAnswers, { core, baseUrl }: GatewayOptions): void {
  app.get(
    "/feeds/acp/metadata.json",
    operation({
      config: { access: PUBLIC },
      operationId: "getAcpFeedMetadata",
      summary: "The manifest of the Agentic Commerce Protocol's product feed",
      description: "The file metadata.json of a full replacement: whose feed it is, and from when.",
      tag: "Catalog",
      unavailable: "catalog_unavailable",
      success: {
        200: {
          description: "The metadata.",
          schema: acpMetadataSchema,
          headers: ["Cache-Control"],
          example: ACP_METADATA,
        },
      },
    }),
    async (request, reply) => {
      // Only the beginning, which contains the state.
      const { rest } = await beginStream(core.catalog.ListOffers({ shard: 1, shards: 1 }, callFor(request)));
      await rest.return?.();
      const updated_at = new Date(states.current()?.sinceMs ?? states.nowMs()).toISOString();
      return reply.header("cache-control", "no-cache").send({ id: new URL(baseUrl).host, updated_at });
    },
  );
}
