// Completes the OpenAPI document that the schemas give: errors of every operation, headers, examples, and only the components in use.
import { z } from "zod";
import { AppError, ERROR_TABLE, type ErrorCode, type Issue } from "../../proto/codes.ts";
import { apiErrorSchema, toApiError, toOpenAiError } from "../../proto/resources/error.ts";
import { invalidRequest } from "../../proto/resources/issues.ts";
import { isObject, valueAt } from "../../runtime/json-object.ts";
import {
  CALLBACK_OPERATION,
  CALLBACKS,
  EVENT_OPERATION,
  TEST_OPERATION,
  WORKFLOW_OPERATION,
} from "./callback-operation.ts";
import { OPERATION_KEY, type PublishedOperation, type ResponseHeaderName } from "./operation.ts";

const EXAMPLE_REQUEST_ID = "req_01JZ8Q4M3V6X9T2B7N5D8KAYEF";
const LIMIT_ISSUE: Issue = { path: "limit", message: "must be at most 100" };
const PAGE_SIZE_ISSUE: Issue = { path: "pageSize", message: "must be at most 50" };
const PROMPT_ISSUE: Issue = { path: "prompt", message: "must not be empty" };
const PLAIN_PREFIX = "catalog.";
const OPENAI_PREFIX = "openai.";
const PREFIX = /^(?:catalog|openai)\./;
const SCHEMA_PREFIX = "#/components/schemas/";
const SCHEMA_REF = /"#\/components\/schemas\/([^"]+)"/g;
const INPUT_SUFFIX = /Input$/;

type Json = Record<string, unknown>;
type PathItem = Record<string, Json>;
export type Document = {
  paths: Record<string, PathItem>;
  components: { schemas?: Record<string, unknown>; headers?: Json; examples?: Json } & Json;
} & Json;

// Named so that it becomes a component; used by name only.
apiErrorSchema
  .extend({
    type: z.string().describe("Where this kind of error is described."),
    title: z.string().describe("The kind of error, in words."),
    status: z.number().int().describe("The HTTP status."),
    detail: z.string().describe("Same as message."),
    instance: z.string().describe("The path that was called."),
  })
  .meta({ id: "Problem", description: "An ApiError as RFC 9457 has it." });

/** These are refused before the request has a path, so they are the same for every operation: a plain ApiError. */
const UNREADABLE: Readonly<Record<string, string>> = {
  408: "The request took too long to arrive.",
  417: "Expect asks for something other than 100-continue.",
  431: "The request line or the headers are too long.",
};

const OPENAI_TAG = "OpenAI-compatible";
const OPENAI_ERROR = { $ref: "#/components/schemas/OpenAiError" };

const ANY_REQUEST: readonly ErrorCode[] = ["invalid_request", "rate_limited", "internal"];
const CORE_AWAY: readonly ErrorCode[] = ["service_unavailable", "deadline_exceeded"];
const WITH_KEY: readonly ErrorCode[] = [
  "missing_key",
  "invalid_key",
  "plan_excludes_api",
  "account_suspended",
];
const WITH_BODY: readonly ErrorCode[] = ["invalid_json", "body_too_large", "unsupported_media_type"];
/** Any type is taken for a file, but what is no type at all. */
const WITH_FILE: readonly ErrorCode[] = ["unsupported_media_type"];

const RESPONSE_HEADERS: Record<ResponseHeaderName, { description: string; schema: Json }> = {
  "Accept-Ranges": header("bytes", { type: "string", const: "bytes" }),
  "Cache-Control": header("How long the response may be cached."),
  "Content-Disposition": header("A file name to save it under."),
  "Content-Range": header("The bytes sent and how many there are."),
  ETag: header("Version of the response; send it in If-None-Match."),
  "Idempotency-Replayed": header(
    "true when an earlier request with this Idempotency-Key made it and nothing was written now.",
    {
      type: "string",
      const: "true",
    },
  ),
  "Last-Modified": header(
    "When the catalog last changed; send it back in If-Modified-Since. Absent for some seconds after a change.",
  ),
  Link: header("The first, previous, next and last page, as far as they exist (RFC 8288)."),
  Location: header("The address of what was made.", { type: "string", format: "uri" }),
  "Preference-Applied": header("wait=N if the response was held as the request preferred; otherwise absent."),
  RateLimit: header(
    'What is left of the limit: r requests, new ones in t seconds, for example "api";r=599;t=42.',
  ),
  "RateLimit-Policy": header('The limit: q requests in w seconds, for example "api";q=600;w=60.'),
  "Retry-After": header("Seconds to wait.", { type: "integer", minimum: 1 }),
  Vary: header("accept-encoding: no other request header changes the response."),
  "X-Request-Id": header(
    "Id of this request in the logs of the service. A well-formed one that you send is kept.",
  ),
};

const FILE_BODY: Json = {
  description: "The file itself.",
  required: true,
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
};

/** `generationUrl`: the address of the generation API, if it differs from the document's server. */
export function finishDocument(document: Document, generationUrl: string | undefined): Document {
  for (const item of Object.values(document.paths)) {
    for (const [verb, method] of Object.entries(item)) {
      const operation = method[OPERATION_KEY] as PublishedOperation;
      delete method[OPERATION_KEY];
      method["responses"] = responsesOf(operation, verb, method);
      if (operation.takesFile) method["requestBody"] = FILE_BODY;
      if (operation.takesForm) addForm(method["requestBody"]);
      if (operation.requestExample) setExample(method["requestBody"] as Json, operation.requestExample);
      const events = CALLBACKS[operation.operationId];
      if (events) method["callbacks"] = events;
      takeNull(method["requestBody"], document);
      if (generationUrl !== undefined && operation.tag !== "Catalog")
        method["servers"] = [{ url: generationUrl, description: "Generation API" }];
      tidyParameters(method);
    }
  }
  document["webhooks"] = {
    jobEnded: { post: CALLBACK_OPERATION },
    workflowEnded: { post: WORKFLOW_OPERATION },
    receiverTried: { post: TEST_OPERATION },
    accountEvent: { post: EVENT_OPERATION },
  };
  nameVariants(document);
  document.components.headers = RESPONSE_HEADERS;
  document.components.examples = errorExamples(document);
  return keepUsedSchemas(document);
}

/** The same fields, of which some can be files. */
function addForm(requestBody: unknown): void {
  const content = valueAt(requestBody, "content") as Json;
  content["multipart/form-data"] = { schema: valueAt(content, "application/json", "schema") };
}

/** Null in an optional field of a body counts as left out, which the schema of the request says too. */
function takeNull(requestBody: unknown, { components: { schemas = {} } }: Document): void {
  const body = valueAt(requestBody, "content", "application/json", "schema");
  const ref = valueAt(body, "$ref");
  const schema = typeof ref === "string" ? schemas[ref.slice(SCHEMA_PREFIX.length)] : body;
  if (!isObject(schema) || !isObject(schema["properties"])) return;
  const required = [schema["required"]].flat();
  const fields = Object.entries(schema["properties"]).map(([name, field]) => [
    name,
    required.includes(name) || !isObject(field) ? field : orNull(field),
  ]);
  schema["properties"] = Object.fromEntries(fields);
}

function orNull(field: Json): Json {
  const { description, deprecated, ...type } = field;
  if (JSON.stringify(type).includes('"null"')) return field;
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    anyOf: [type, { type: "null" }],
  };
}

/** Generators make one type of a union only with a discriminator. */
function nameVariants({ components: { schemas = {} } }: Document): void {
  const change = schemas["CatalogChange"] as Json | undefined;
  if (!change) return;
  const ref = (name: string) => `#/components/schemas/${name}`;
  change["discriminator"] = {
    propertyName: "op",
    mapping: {
      upsert: ref("CatalogUpsert"),
      remove: ref("CatalogRemoval"),
      checkpoint: ref("CatalogCheckpoint"),
    },
  };
}

function responsesOf(operation: PublishedOperation, verb: string, method: Json): Json {
  const made = method["responses"] as Record<string, Json>;
  const responses: Json = {};
  for (const [status, success] of Object.entries(operation.success)) {
    const response = made[status] ?? {};
    response["headers"] = headersOf([...(success.headers ?? []), "RateLimit", "RateLimit-Policy"]);
    if (success.example !== undefined) setExample(response, success.example);
    responses[status] = response;
  }
  for (const [status, { description, headers = [] }] of Object.entries(operation.bodiless ?? {})) {
    responses[status] = { description, headers: headersOf(headers) };
  }
  for (const [status, codes] of errorsByStatus(operation, verb))
    responses[status] = errorResponse(codes, operation);
  for (const [status, description] of Object.entries(UNREADABLE))
    responses[status] = {
      description: `invalid_request: ${description}`,
      headers: headersOf([]),
      content: { "application/json": { schema: { $ref: `${SCHEMA_PREFIX}ApiError` } } },
    };
  return responses;
}

function errorsByStatus(operation: PublishedOperation, verb: string): Map<string, ErrorCode[]> {
  const codes = new Set([
    // One that needs no body may still be sent one.
    ...(verb === "get" ? [] : operation.takesFile ? WITH_FILE : WITH_BODY),
    ...(operation.by === "none" ? [] : WITH_KEY),
    ...(operation.errors ?? []),
    ...ANY_REQUEST,
    ...(operation.unavailable ? [operation.unavailable] : CORE_AWAY),
  ]);
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(ERROR_TABLE[code].http);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** Errors without `ok: false` have examples of their own, and so have those of another shape. */
function exampleNames({ envelope, tag }: PublishedOperation): (code: ErrorCode) => string {
  if (tag === OPENAI_TAG) return (code) => `${OPENAI_PREFIX}${code}`;
  return (code) => (envelope ? code : `${PLAIN_PREFIX}${code}`);
}

function errorResponse(codes: readonly ErrorCode[], operation: PublishedOperation): Json {
  const nameOf = exampleNames(operation);
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${nameOf(code)}` }]);
  return {
    description: codes.map((code) => `${code}: ${ERROR_TABLE[code].message}`).join(" "),
    headers: headersOf(errorHeaders(codes)),
    content:
      operation.tag === OPENAI_TAG
        ? { "application/json": { schema: OPENAI_ERROR, examples: Object.fromEntries(examples) } }
        : {
            "application/json": {
              schema: { $ref: "#/components/schemas/ApiError" },
              examples: Object.fromEntries(examples),
            },
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
          },
  };
}

function errorHeaders(codes: readonly ErrorCode[]): ResponseHeaderName[] {
  if (codes.includes("range_not_satisfiable")) return ["Content-Range"];
  if (codes.includes("rate_limited")) return ["Retry-After", "RateLimit", "RateLimit-Policy"];
  return codes.some(saysHowLong) ? ["Retry-After"] : [];
}

/** One for each code that an operation names. */
function errorExamples(document: Document): Json {
  const text = JSON.stringify(document.paths);
  const isUsed = (name: string) => text.includes(`"#/components/examples/${name}"`);
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[];
  const examples = codes.flatMap((code): [string, unknown][] => [
    [code, { ok: false, ...toApiError(exampleOf(code, LIMIT_ISSUE), EXAMPLE_REQUEST_ID) }],
    [`${PLAIN_PREFIX}${code}`, toApiError(exampleOf(code, PAGE_SIZE_ISSUE), EXAMPLE_REQUEST_ID)],
    [
      `${OPENAI_PREFIX}${code}`,
      toOpenAiError(code, toApiError(exampleOf(code, PROMPT_ISSUE), EXAMPLE_REQUEST_ID)),
    ],
  ]);
  return Object.fromEntries(
    examples
      .filter(([name]) => isUsed(name))
      .map(([name, value]) => [
        name,
        { summary: ERROR_TABLE[name.replace(PREFIX, "") as ErrorCode].message, value },
      ]),
  );
}

function exampleOf(code: ErrorCode, issue: Issue): AppError {
  if (code === "invalid_request") return invalidRequest([issue]);
  if (code === "insufficient_credits")
    return new AppError(code, { numbers: { credits_required: 4, credits_available: 1 } });
  if (code === "spend_limit_reached")
    return new AppError(code, { numbers: { limit: 500, used: 498, left: 2, credits_required: 4 } });
  if (code === "confirmation_required")
    return new AppError(code, {
      numbers: { credits_required: 400, confirm_above: 100 },
      facts: {
        confirmation_id: "cnf_01M7Y4QV7ADJX9R6K9KK54TA4V",
        confirm_url: "https://atelier.example/account/confirm/cnf_01M7Y4QV7ADJX9R6K9KK54TA4V",
      },
    });
  return new AppError(code, saysHowLong(code) ? { retryAfterSeconds: 12 } : {});
}

/** Whether the answer carries Retry-After. */
function saysHowLong(code: ErrorCode): boolean {
  return ERROR_TABLE[code].retryable && code !== "internal";
}

function headersOf(names: readonly ResponseHeaderName[]): Json {
  return Object.fromEntries(
    [...names, "X-Request-Id"].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function setExample(bearer: Json, example: unknown): void {
  for (const media of Object.values((bearer["content"] ?? {}) as Record<string, Json>))
    media["example"] = example;
}

/** Names of headers as people write them, which fastify has in lower case; and "deprecated" where tools look for it. */
function tidyParameters(method: Json): void {
  for (const parameter of (method["parameters"] ?? []) as Json[]) {
    const schema = (parameter["schema"] ?? {}) as Json;
    // Beyond it a number in JavaScript is not exact, so it is refused.
    if (schema["type"] === "integer") schema["maximum"] ??= Number.MAX_SAFE_INTEGER;
    if (schema["deprecated"] === true) parameter["deprecated"] = true;
    delete schema["deprecated"];
    // metadata[order]=7
    if (parameter["in"] === "query" && schema["type"] === "object")
      Object.assign(parameter, { style: "deepObject", explode: true });
    if (parameter["in"] !== "header") continue;
    const words = String(parameter["name"]).split("-");
    parameter["name"] = words
      .map((word) => (word === "id" ? "ID" : word.charAt(0).toUpperCase() + word.slice(1)))
      .join("-");
  }
}

/** Every named schema comes twice, as it is sent and as it is answered; here a name has one meaning, and unused ones go. */
function keepUsedSchemas(document: Document): Document {
  const all = document.components.schemas ?? {};
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(SCHEMA_REF)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(all[name] ?? null);
    }
  };
  visit(document.paths);
  visit(document["webhooks"]);
  const schemas = Object.fromEntries([...used].sort().map((name) => [name, all[name]]));
  const kept: Document = { ...document, components: { ...document.components, schemas } };
  const text = JSON.stringify(kept).replaceAll(
    SCHEMA_REF,
    (_ref, name: string) => `"#/components/schemas/${name.replace(INPUT_SUFFIX, "")}"`,
  );
  const renamed = JSON.parse(text) as Document;
  renamed.components.schemas = Object.fromEntries(
    Object.entries(renamed.components.schemas ?? {}).map(([name, schema]) => {
      const plain = name.replace(INPUT_SUFFIX, "");
      if (plain !== name && used.has(plain))
        throw new Error(`the schema ${plain} is used both as input and as output`);
      return [plain, schema];
    }),
  );
  return renamed;
}

function header(
  description: string,
  schema: Json = { type: "string" },
): { description: string; schema: Json } {
  return { description, schema };
}
