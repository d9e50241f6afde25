import fastify from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ATTEMPT_WAITS_MS } from "../../core/studio/webhooks/rules.ts";
import * as catalogExamples from "../../gateway/catalog/examples.ts";
import { PUBLIC } from "../../gateway/http/auth.ts";
import { useZod } from "../../gateway/http/zod-schemas.ts";
import {
  imageRequestSchema,
  imagesSchema,
  openAiModelsSchema,
  speechRequestSchema,
  videosSchema,
} from "../../gateway/openai/shapes.ts";
import * as openAiExamples from "../../gateway/openapi/examples-openai.ts";
import * as workflowExamples from "../../gateway/openapi/examples-workflow.ts";
import * as examples from "../../gateway/openapi/examples.ts";
import { publishOpenApi } from "../../gateway/openapi/openapi.ts";
import { operation } from "../../gateway/openapi/operation.ts";
import { ERROR_TABLE } from "../../proto/codes.ts";
import { callbackSchema, deliverySchema, testEventSchema } from "../../proto/resources/callback.ts";
import { balanceSchema, findBrokenEntry, ledgerEntrySchema } from "../../proto/resources/credits.ts";
import { apiErrorSchema, openAiErrorSchema } from "../../proto/resources/error.ts";
import { generateRequestSchema, generateResultSchema, jobSchema } from "../../proto/resources/job.ts";
import { modelSchema, planSchema } from "../../proto/resources/model.ts";
import {
  catalogChangeSchema,
  catalogDetailSchema,
  catalogPageSchema,
} from "../../proto/resources/product.ts";
import {
  workflowCallbackSchema,
  workflowRequestSchema,
  workflowResultSchema,
  workflowSchema,
} from "../../proto/resources/workflow.ts";
import { sharedByTests } from "../support/shared.ts";
import { serveGateway } from "./serve-gateway.ts";

type Media = { schema?: object; example?: unknown; examples?: Record<string, { $ref?: string }> };
type Response = { description?: string; headers?: Record<string, unknown>; content?: Record<string, Media> };
type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  deprecated?: boolean;
  schema: Record<string, unknown>;
  description?: string;
};
type Method = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
};
type Document = {
  webhooks: Record<"jobEnded" | "workflowEnded" | "receiverTried", { post: Method }>;
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Method>>;
  components: {
    schemas: Record<string, unknown>;
    headers: Record<string, unknown>;
    examples: Record<string, { value: unknown }>;
  };
};

let document: Document;
let operations: [string, Method][];
const gateway = sharedByTests(() => serveGateway());
beforeAll(async () => {
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;
  operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map((method): [string, Method] => [method.operationId ?? "", method]),
  );
});

describe("the OpenAPI document", () => {
  test("[VER-01] matches its snapshot", async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("__snapshots__/openapi.json");
  });

  test("describes every operation", () => {
    expect(operations).not.toEqual([]);
    for (const [, method] of operations) {
      expect(method).toMatchObject({
        summary: expect.any(String),
        description: expect.any(String),
        tags: [expect.any(String)],
        security: expect.any(Array),
      });
      for (const parameter of method.parameters ?? [])
        expect(parameter, parameter.name).toHaveProperty("description");
    }
  });

  test("resolves every reference and has no unused component", () => {
    const text = JSON.stringify(document);
    const refs = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(
        ([, kind, name]) => `${kind}/${name}`,
      ),
    );
    const parts = document.components as unknown as Record<string, Record<string, unknown>>;
    for (const ref of refs) {
      const [kind = "", name = ""] = ref.split("/");
      expect(parts[kind], ref).toHaveProperty([name]);
    }
    for (const name of Object.keys(document.components.schemas)) expect(refs).toContain(`schemas/${name}`);
    expect(Object.keys(document.components.schemas).filter((name) => name.endsWith("Input"))).toEqual([]);
  });

  test("documents each error by its status, with an example", () => {
    for (const [id, method] of operations) {
      const errors = Object.entries(method.responses).filter(
        ([status, { content }]) => Number(status) >= 400 && content,
      );
      const isCatalog = method.tags?.includes("Catalog");
      for (const status of ["400", "408", "417", "429", "431", "500", ...(isCatalog ? [] : ["503", "504"])])
        expect(Object.keys(method.responses), id).toContain(status);
      if (isCatalog) expect(Object.keys(method.responses), id).not.toContain("503");
      for (const [status, response] of errors) {
        // Refused before the path is known, and so with the texts of every other path.
        const isUnread = ["408", "417", "431"].includes(status);
        const isOpenAi = !isUnread && method.tags?.includes("OpenAI-compatible");
        expect(response.content?.["application/json"]?.schema).toEqual({
          $ref: `#/components/schemas/${isOpenAi ? "OpenAiError" : "ApiError"}`,
        });
        for (const [code, { $ref }] of Object.entries(
          response.content?.["application/json"]?.examples ?? {},
        )) {
          const { value } = document.components.examples[$ref?.split("/").at(-1) ?? ""] ?? {};
          expect(String(ERROR_TABLE[code as keyof typeof ERROR_TABLE].http), code).toBe(status);
          if (isOpenAi) {
            expect(value).toMatchObject({ error: { code } });
            continue;
          }
          expect(value).toMatchObject({ code });
          // Only responses of the generation API have `ok`.
          expect((value as { ok?: boolean }).ok).toBe(isCatalog ? undefined : false);
        }
      }
      expect(method.responses["429"]?.headers).toHaveProperty("Retry-After");
    }
  });

  test.each([
    ["request", generateRequestSchema, [examples.GENERATE_REQUEST]],
    ["result", generateResultSchema, [examples.GENERATE_RESULT]],
    ["job", jobSchema, [examples.JOB, examples.CANCELLED_JOB]],
    ["model", modelSchema, [examples.MODEL_EXAMPLE]],
    ["request for a workflow", workflowRequestSchema, [workflowExamples.WORKFLOW_REQUEST]],
    ["workflow's acceptance", workflowResultSchema, [workflowExamples.WORKFLOW_RESULT]],
    [
      "workflow",
      workflowSchema,
      [workflowExamples.WORKFLOW, workflowExamples.CANCELLED_WORKFLOW, workflowExamples.CANCELLING_WORKFLOW],
    ],
    ["plan", planSchema, [examples.PLAN_EXAMPLE]],
    ["balance", balanceSchema, [examples.BALANCE]],
    ["ledger entry", ledgerEntrySchema, [examples.LEDGER_ENTRY]],
    ["delivery", deliverySchema, [examples.DELIVERY, examples.NEW_DELIVERY]],
    ["page of products", catalogPageSchema, [catalogExamples.CATALOG_PAGE]],
    ["product", catalogDetailSchema, [catalogExamples.CATALOG_DETAIL]],
    ["request in OpenAI's format", imageRequestSchema, [openAiExamples.OPENAI_IMAGE_REQUEST]],
    ["request for speech in OpenAI's format", speechRequestSchema, [openAiExamples.OPENAI_SPEECH_REQUEST]],
    ["response in OpenAI's format", imagesSchema, [openAiExamples.OPENAI_IMAGES]],
    ["list of videos in OpenAI's format", videosSchema, [openAiExamples.OPENAI_VIDEOS]],
    ["list of models in OpenAI's format", openAiModelsSchema, [openAiExamples.OPENAI_MODELS]],
    ["change of the catalog", catalogChangeSchema, catalogExamples.CATALOG_CHANGES],
  ])("shows a %s that matches its schema, field for field", (_name, schema, shown) => {
    for (const example of shown) expect(schema.parse(example)).toEqual(example);
  });

  test("shows errors that match their schema, and a ledger entry with a correct hash", () => {
    for (const [name, { value }] of Object.entries(document.components.examples)) {
      const schema = name.startsWith("openai.") ? openAiErrorSchema : apiErrorSchema.strict();
      expect(schema.parse(value)).toEqual(value);
    }
    expect(findBrokenEntry([examples.LEDGER_ENTRY], examples.LEDGER_ENTRY.prev_hash)).toBeUndefined();
  });

  test("[VER-40] names every envelope, list, error and webhook, so that generated clients do too", () => {
    const unnamed: string[] = [];
    const visit = (part: unknown, path: string, isNamed: boolean): void => {
      if (typeof part !== "object" || part === null) return;
      if (!isNamed && "properties" in part) unnamed.push(path);
      for (const [name, child] of Object.entries(part))
        if (name !== "example" && name !== "examples") visit(child, `${path}/${name}`, false);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name, true);
    visit(document.paths, "paths", false);
    // The catalog's alias describes its own deprecation.
    expect(unnamed.filter((path) => path !== "CatalogDetail/properties/catalogProduct")).toEqual([]);
    const answerOf = (id: string) => {
      const [, method] = operations.find(([name]) => name === id) ?? [];
      return method?.responses["200"]?.content?.["application/json"]?.schema;
    };
    expect(answerOf("getJob")).toEqual({ $ref: "#/components/schemas/JobAnswer" });
    expect(answerOf("cancelJob")).toEqual({ $ref: "#/components/schemas/JobAnswer" });
    expect(answerOf("listJobs")).toEqual({ $ref: "#/components/schemas/JobListAnswer" });
  });

  test("[VER-40] leaves error codes open, and lists the known ones", () => {
    const { code } = (document.components.schemas["ApiError"] as { properties: Record<string, object> })
      .properties;
    expect(code).toMatchObject({ type: "string", "x-extensible-enum": Object.keys(ERROR_TABLE) });
    expect(code).not.toHaveProperty("enum");
  });

  test("[VER-40] distinguishes change lines by a discriminator", () => {
    const ref = (name: string) => `#/components/schemas/${name}`;
    expect(document.components.schemas["CatalogChange"]).toMatchObject({
      oneOf: [
        { $ref: ref("CatalogUpsert") },
        { $ref: ref("CatalogRemoval") },
        { $ref: ref("CatalogCheckpoint") },
      ],
      discriminator: {
        propertyName: "op",
        mapping: {
          upsert: ref("CatalogUpsert"),
          remove: ref("CatalogRemoval"),
          checkpoint: ref("CatalogCheckpoint"),
        },
      },
    });
  });

  test("[VER-41] describes the webhook: both signatures, the retries, and a matching body", () => {
    const { post } = document.webhooks.jobEnded;
    expect(post.parameters?.map(({ name }) => name)).toEqual([
      "x-service-event",
      "x-service-signature",
      "x-service-delivery",
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
    const waits = ["5 s", "30 s", "2 min", "10 min", "1 h", "6 h"];
    expect(post.description).toContain(`${waits.slice(0, -1).join(", ")} and ${waits.at(-1)}`);
    expect(ATTEMPT_WAITS_MS.slice(1)).toEqual(
      [5, 30, 120, 600, 3_600, 21_600].map((seconds) => seconds * 1000),
    );
    const media = post.requestBody?.content["application/json"];
    expect(media?.schema).toEqual({ $ref: "#/components/schemas/Callback" });
    expect(callbackSchema.parse(media?.example)).toEqual(media?.example);
  });

  test("[FLOW-01] describes the workflow's webhook: signed like a job's, with a matching body", () => {
    const { post } = document.webhooks.workflowEnded;
    expect(post.parameters).toEqual(document.webhooks.jobEnded.post.parameters);
    const media = post.requestBody?.content["application/json"];
    expect(media?.schema).toEqual({ $ref: "#/components/schemas/WorkflowCallback" });
    expect(workflowCallbackSchema.parse(media?.example)).toEqual(media?.example);
    expect(callbackSchema.safeParse(media?.example).success).toBe(false);
  });

  test("describes the test event: signed like a webhook, without a job", () => {
    const { post } = document.webhooks.receiverTried;
    expect(post.parameters).toEqual(document.webhooks.jobEnded.post.parameters);
    const media = post.requestBody?.content["application/json"];
    expect(media?.schema).toEqual({ $ref: "#/components/schemas/TestEvent" });
    expect(testEventSchema.parse(media?.example)).toEqual(media?.example);
    expect(callbackSchema.safeParse(media?.example).success).toBe(false);
  });

  test("[VER-42] limits integers to exact ones, as the service does", async () => {
    const [, list] = operations.find(([id]) => id === "listCatalogProducts") ?? [];
    const page = list?.parameters?.find(({ name }) => name === "page");
    expect(page?.schema["maximum"]).toBe(Number.MAX_SAFE_INTEGER);
    const beyond = await fetch(`${gateway.url}/api/catalog?page=${2 ** 53}`);
    expect(beyond.status).toBe(400);
  });
});

test.each([true, false])("error examples follow the route's config.envelope: %s", async (envelope) => {
  const server = fastify().withTypeProvider<ZodTypeProvider>();
  useZod(server);
  const urls = { baseUrl: "http://localhost", generationBaseUrl: "http://localhost" };
  await publishOpenApi(server, urls);
  for (const tag of ["Catalog", "Jobs"] as const) {
    const success = { 200: { description: "Yes.", schema: z.object({}) } };
    const said = {
      operationId: tag,
      summary: "Say.",
      description: "It.",
      success,
    } as const;
    const config = { access: PUBLIC, ...(envelope && { envelope }) };
    server.get(`/${tag}`, operation({ config, ...said, tag }), () => ({}));
  }
  await server.ready();
  const { paths, components } = server.swagger() as unknown as Document;
  for (const { get } of Object.values(paths)) {
    const refs = Object.values(get?.responses["500"]?.content ?? {}).flatMap(({ examples = {} }) =>
      Object.values(examples).map(({ $ref = "" }) => $ref.split("/").at(-1) ?? ""),
    );
    expect(refs).toHaveLength(1);
    for (const name of refs)
      expect(Object.keys(components.examples[name]?.value ?? {}).includes("ok")).toBe(envelope);
  }
});

test("the errors page explains every code and links the document", async () => {
  const response = await fetch(`${gateway.url}/docs`);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const html = await response.text();
  expect(html).toContain('href="/openapi.json"');
  for (const code of Object.keys(ERROR_TABLE)) expect(html).toContain(`id="${code}"`);
});
