// /openapi.json: the document of the whole REST surface, made from the schemas that validate it; and /docs, where errors point.
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { z } from "zod";
import type { GatewayOptions } from "./gateway.ts";
import { PUBLIC } from "./auth.ts";
import { docsPage } from "./docs-page.ts";
import { namesEtag, strongEtag } from "./etag.ts";
import { type Document, finishDocument } from "./openapi-document.ts";
import { TAGS } from "./operation.ts";

const VERSION = "1.0.0";
const CACHE_CONTROL = "public, max-age=300";
const DESCRIPTION = `Makes images, videos and audio. Send a generation key in the Authorization header.

Every success is \`{"ok": true, "result": …}\`; a list's result is \`{"data": […], "next_cursor": …}\`. Every error is an ApiError; with
\`Accept: application/problem+json\` it comes as RFC 9457. Unknown query names are ignored, unknown fields of a body are refused.`;

/** Register before the routes that the document is to describe. */
export async function publishOpenApi(
  app: FastifyInstance,
  { generationBaseUrl }: Pick<GatewayOptions, "generationBaseUrl">,
): Promise<void> {
  const zodToJsonConfig = { override: improveSchema };
  const toComponents = createJsonSchemaTransformObject({ zodToJsonConfig });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.1",
      info: { title: "Atelier", version: VERSION, description: DESCRIPTION },
      servers: [{ url: generationBaseUrl, description: "Generation API" }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          generationKey: {
            type: "http",
            scheme: "bearer",
            description: "A generation key: atl_gen_… Never put it into an address.",
          },
          signedUrl: {
            type: "apiKey",
            in: "query",
            name: "signature",
            description: "The signed, expiring address of an output.",
          },
        },
      },
    },
    convertConstToEnum: false,
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: (input) =>
      finishDocument(toComponents(input) as Document) as ReturnType<typeof toComponents>,
  });

  let document: { body: Buffer; etag: string } | undefined;
  app.get("/openapi.json", { config: { access: PUBLIC }, schema: { hide: true } }, async (request, reply) => {
    document ??= render(app);
    reply.headers({ etag: document.etag, "cache-control": CACHE_CONTROL });
    if (namesEtag(request.headers["if-none-match"], document.etag)) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(document.body);
  });
  app.get("/docs", { config: { access: PUBLIC }, schema: { hide: true } }, async (_request, reply) =>
    reply.header("cache-control", CACHE_CONTROL).type("text/html; charset=utf-8").send(docsPage()),
  );
}

function render(app: FastifyInstance): { body: Buffer; etag: string } {
  const text = JSON.stringify(app.swagger());
  return { body: Buffer.from(text), etag: strongEtag([text]) };
}

type Conversion = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

function improveSchema({ zodSchema, jsonSchema }: Conversion): void {
  // "format: date-time" says it; the pattern beside it is 300 characters that nobody can read.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Answers may get more fields; only what is declared strict refuses them.
  const { def } = zodSchema._zod;
  if (def.type === "object" && !def.catchall) delete jsonSchema.additionalProperties;
  // Bounds of every whole number in JavaScript, which say nothing.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // zod leaves defaults of preprocessed values out.
  if (def.type === "default")
    jsonSchema.default = def.defaultValue as z.core.JSONSchema.BaseSchema["default"];
}
