// /openapi.json: the document of the whole REST surface, made from the schemas that validate it.
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { z } from "zod";
import type { GatewayOptions } from "../gateway.ts";
import { PUBLIC } from "../http/auth.ts";
import { sendDocument, type StaticDocument, staticDocument } from "../http/static-document.ts";
import { type Document, finishDocument } from "./document.ts";
import { TAGS } from "./operation.ts";

const VERSION = "1.0.0";
const DESCRIPTION = `The catalog shows the public products to anyone. The generation API makes images, videos and audio: send a generation key in the Authorization header.

Answers of the generation API are \`{"ok": true, "result": …}\`; a list's result is \`{"data": […], "next_cursor": …}\`. Every error is an ApiError; with \`Accept: application/problem+json\` it comes as RFC 9457. Unknown query names are ignored, unknown fields of a body are refused. Any answer may get more fields, so ignore those that you do not know.`;

/** Register before the routes that the document is to describe; it is there once they are. */
export async function publishOpenApi(
  app: FastifyInstance,
  { baseUrl, generationBaseUrl }: Pick<GatewayOptions, "baseUrl" | "generationBaseUrl">,
): Promise<() => Document> {
  const zodToJsonConfig = { override: improveSchema };
  const toComponents = createJsonSchemaTransformObject({ zodToJsonConfig });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.1",
      info: {
        title: "Atelier",
        version: VERSION,
        description: DESCRIPTION,
        contact: { name: "Atelier", url: `${baseUrl}/docs` },
        license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
      },
      servers: [{ url: baseUrl }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          generationKey: {
            type: "http",
            scheme: "bearer",
            description:
              "A generation key: atl_gen_… Never put it into an address. `Token` is taken for `Bearer`.",
          },
          generationKeyHeader: {
            type: "apiKey",
            in: "header",
            name: "x-api-key",
            description: "The same key in a header of its own. Two different keys are refused.",
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
      finishDocument(
        toComponents(input) as Document,
        generationBaseUrl === baseUrl ? undefined : generationBaseUrl,
      ) as ReturnType<typeof toComponents>,
  });

  const read = () => app.swagger() as unknown as Document;
  let sent: StaticDocument | undefined;
  app.get("/openapi.json", { config: { access: PUBLIC }, schema: { hide: true } }, (request, reply) => {
    sent ??= staticDocument("application/json; charset=utf-8", JSON.stringify(read()));
    return sendDocument(request, reply, sent);
  });
  return read;
}

type Conversion = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

function improveSchema({ zodSchema, jsonSchema }: Conversion): void {
  // "format: date-time" suffices; the pattern is 300 unreadable characters.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Responses may get more fields; only schemas declared strict refuse them.
  const { def } = zodSchema._zod;
  if (def.type === "object" && !def.catchall) delete jsonSchema.additionalProperties;
  // Bounds of every whole number in JavaScript, which say nothing.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // A list that grows: generators make a text of it, which takes the values to come.
  if (jsonSchema["x-extensible-enum"] !== undefined) delete jsonSchema.enum;
  // zod leaves defaults of preprocessed values out.
  if (def.type === "default")
    jsonSchema.default = def.defaultValue as z.core.JSONSchema.BaseSchema["default"];
}
