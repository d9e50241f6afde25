// GET /api/catalog-changes: what changed in the catalog since a version, as lines of JSON, for feeds and agents that keep a copy.
import { Readable } from "node:stream";
import { z } from "zod";
import { preferenceFor } from "../../edge/http/accept.ts";
import { clientGone } from "../../edge/http/client-gone.ts";
import type { CoreClient } from "../../proto/client.ts";
import { catalogChangeSchema } from "../../proto/resources/product.ts";
import type { CatalogChange } from "../../proto/types/atelier/v1/CatalogChange.ts";
import { type BegunStream, beginStream } from "../catalog/begin-stream.ts";
import { CATALOG_CHANGES } from "../catalog/examples.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor, PUBLIC } from "../http/auth.ts";
import { queryWhole } from "../http/query.ts";
import { operation } from "../openapi/operation.ts";

const CONTENT_TYPE = "application/x-ndjson";
/** The same lines for clients that know no media type for them. */
const PLAIN_TYPE = "text/plain";
const MAX_EPOCH = 64;
const LINE_END = Buffer.from("\n");

export function catalogChangeRoutes(app: GatewayApp, core: CoreClient, draining: AbortSignal): void {
  app.get(
    "/api/catalog-changes",
    operation({
      config: { access: PUBLIC },
      querystring: z.object({
        since: queryWhole(0)
          .default(0)
          .describe("The version of the last checkpoint that you have seen; 0 for every public product."),
        epoch: z
          .string()
          .max(MAX_EPOCH)
          .optional()
          .describe(
            "The epoch of that checkpoint. When the catalog has another one by now, the call is refused.",
          ),
      }),
      operationId: "listCatalogChanges",
      summary: "Follow changes of the catalog",
      description: `Lines of JSON, each a CatalogChange: \`upsert\` with the whole product, \`remove\` for one that is public no more, and at the end one \`checkpoint\`, whose version is the \`since\` of the next call. A stream without a checkpoint was cut off: ask again with the same \`since\`. A product comes at most once, with its latest state; a sale that begins or ends is a change like any other. Every line carries the \`epoch\` of its version. When that is another one than before, as after a restored backup, or when \`since\` or \`epoch\` is refused, begin again at 0 with an empty copy.`,
      tag: "Catalog",
      unavailable: "catalog_unavailable",
      success: {
        200: {
          description: "The changes, oldest first.",
          schema: catalogChangeSchema,
          contentTypes: [CONTENT_TYPE, PLAIN_TYPE],
          headers: ["Cache-Control"],
          // One line, because the schema is that of one line.
          example: CATALOG_CHANGES[1],
        },
      },
    }),
    async (request, reply) => {
      const signal = AbortSignal.any([clientGone(reply), draining]);
      const { since, epoch } = request.query;
      const lines = await beginStream(
        core.catalog.ListChanges({ since, epoch }, { ...callFor(request), signal }),
      );
      reply.header("cache-control", "no-cache").type(typeFor(request.headers.accept));
      if (request.method === "HEAD") {
        await lines.rest.return?.();
        return reply.send();
      }
      return reply.send(Readable.from(linesOf(lines), { objectMode: false }));
    },
  );
}

function typeFor(accept: string | undefined): string {
  const plain = preferenceFor(PLAIN_TYPE, accept);
  return plain.isNamed && plain.quality > preferenceFor(CONTENT_TYPE, accept).quality
    ? PLAIN_TYPE
    : CONTENT_TYPE;
}

async function* linesOf({ first, rest }: BegunStream<CatalogChange>): AsyncGenerator<Buffer> {
  for (let next = first; !next.done; next = await rest.next())
    yield Buffer.concat([next.value.line, LINE_END]);
}
