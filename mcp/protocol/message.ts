// Turns a request body into one JSON-RPC message that is safe to hand to the protocol library, or into a precise refusal.
import { type RequestId, specTypeSchemas, type StandardSchemaV1 } from "@modelcontextprotocol/server";
import { z } from "zod";
import { parseJsonBody } from "../../edge/http/json-body.ts";
import { AppError, type Issue } from "../../proto/codes.ts";
import { toIssues } from "../../proto/resources/issues.ts";
import { isObject } from "../../runtime/json-object.ts";

/** The field in the filter of a listener that comes back: for each task, the number of the last event that it has seen. */
export const AFTER = "atelier/after";

const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
const MAX_SHOWN = 100;
/** As many tasks as an account may have open. */
const MAX_TASKS = 50;

export type Request = { jsonrpc: "2.0"; id: RequestId; method: string; params?: Record<string, unknown> };
export type Notification = { jsonrpc: "2.0"; method: string; params?: Record<string, unknown> };

/** A message that is answered with a JSON-RPC error without reaching the protocol library. */
export class MessageRefusal extends Error {
  readonly error: AppError;
  readonly id: RequestId | null;
  /** The JSON-RPC code. */
  readonly code: number | undefined;
  /** The HTTP status: 200 if the message was understood and the error is the answer to it. */
  readonly httpStatus: number;
  /** The protocol's own data of the error, next to the ApiError. */
  readonly data: object | undefined;

  constructor(
    error: AppError,
    {
      id = null,
      code,
      httpStatus = 400,
      data,
    }: { id?: RequestId | null; code?: number; httpStatus?: number; data?: object } = {},
  ) {
    super(error.message);
    this.name = "MessageRefusal";
    this.error = error;
    this.id = id;
    this.code = code;
    this.httpStatus = httpStatus;
    this.data = data;
  }
}

const taskRequest = z.looseObject({ params: z.looseObject({ taskId: z.string() }) });
const listenRequest = z.looseObject({
  params: z.looseObject({
    notifications: z.looseObject({
      taskIds: z.array(z.string()).max(MAX_TASKS).optional(),
      [AFTER]: z.record(z.string(), z.number().int().min(0)).optional(),
    }),
  }),
});
const SCHEMAS: Readonly<Record<string, StandardSchemaV1>> = {
  initialize: specTypeSchemas.InitializeRequest,
  "tools/call": specTypeSchemas.CallToolRequest,
  "tools/list": specTypeSchemas.ListToolsRequest,
  "resources/list": specTypeSchemas.ListResourcesRequest,
  "resources/templates/list": specTypeSchemas.ListResourceTemplatesRequest,
  "resources/read": specTypeSchemas.ReadResourceRequest,
  "prompts/list": specTypeSchemas.ListPromptsRequest,
  "prompts/get": specTypeSchemas.GetPromptRequest,
  "completion/complete": specTypeSchemas.CompleteRequest,
  "subscriptions/listen": listenRequest,
  "tasks/get": taskRequest,
  "tasks/cancel": taskRequest,
  "tasks/update": taskRequest,
};

const messageSchema = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number().int()], { error: "must be a string or an integer" }).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown(), { error: "must be an object" }).optional(),
});

/** Returns the one message in `body`. Throws AppError invalid_json, or MessageRefusal. */
export function readMessage(body: Buffer): Request | Notification {
  const document = parseDocument(body);
  if (Array.isArray(document)) {
    throw invalid("Batches are not supported here.", "Send each message in a request of its own.", null);
  }
  if (isMessage(document)) return document;
  const id = readId(document);
  if (isResponse(document)) {
    throw invalid(
      "This server sends no requests, so there is nothing to respond to.",
      "Send requests and notifications only.",
      id,
    );
  }
  const hint = "Send one JSON-RPC 2.0 request or notification: jsonrpc, id, method, params.";
  const { error } = messageSchema.safeParse(document, { reportInput: true });
  throw invalid("The body is not a JSON-RPC 2.0 message.", hint, id, error && toIssues(error));
}

/** Whether it fits messageSchema. The schema takes as long as parsing the body, so it is used only to find what is wrong. */
function isMessage(document: unknown): document is Request | Notification {
  if (!isObject(document) || document["jsonrpc"] !== "2.0" || typeof document["method"] !== "string")
    return false;
  return Object.keys(document).every(
    (name) =>
      name === "jsonrpc" ||
      name === "method" ||
      (name === "id" && isId(document["id"])) ||
      (name === "params" && isObject(document["params"])),
  );
}

function parseDocument(body: Buffer): unknown {
  try {
    return parseJsonBody(body);
  } catch (error) {
    // Valid JSON that would harm a later reader is an invalid request; only what is not JSON at all is a parse error.
    if (error instanceof AppError && error.code === "invalid_request")
      throw new MessageRefusal(error, { code: INVALID_REQUEST });
    throw error;
  }
}

export function isRequest(message: Request | Notification): message is Request {
  return "id" in message;
}

/** The parent span, as the client names it. */
export function traceparentOf({ params }: Request | Notification): string | undefined {
  const meta: { traceparent?: unknown } = Object(params?.["_meta"]);
  return typeof meta.traceparent === "string" ? meta.traceparent : undefined;
}

/**
 * Refuses a request with invalid params for its method, because the protocol library would report an internal error. Throws MessageRefusal
 * with -32602.
 */
export function checkParams(request: Request): void {
  const schema = Object.hasOwn(SCHEMAS, request.method) ? SCHEMAS[request.method] : undefined;
  const checked = schema?.["~standard"].validate(request);
  if (checked instanceof Promise) throw new Error("a protocol schema answered later");
  if (!checked?.issues) return;
  const error = new AppError("invalid_request", {
    message: `The params do not fit the method ${request.method}.`,
    hint: "Correct these fields and send the message again.",
    // The library's schemas are zod schemas too, but they leave the values out of their issues.
    issues: checked.issues.flatMap(toLibraryIssues),
  });
  throw new MessageRefusal(error, { id: request.id, code: INVALID_PARAMS, httpStatus: 200 });
}

/** Refuses a method that is not served. Throws MessageRefusal with -32601. */
export function refuseMethod({ id, method }: Request, httpStatus: number): never {
  throw new MessageRefusal(noSuchMethod(method), { id, httpStatus });
}

export function noSuchMethod(method: string): AppError {
  return new AppError("method_not_allowed", {
    message: `This server has no method ${shown(method)}.`,
    hint: "Use tools/list to see the tools and tools/call to use one.",
  });
}

/** The client's own text, cut to a length fit for an error message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text);
}

function invalid(message: string, hint: string, id: RequestId | null, issues?: Issue[]): MessageRefusal {
  return new MessageRefusal(new AppError("invalid_request", { message, hint, ...(issues && { issues }) }), {
    id,
    code: INVALID_REQUEST,
  });
}

function readId(document: unknown): RequestId | null {
  if (typeof document !== "object" || document === null || !("id" in document)) return null;
  return isId(document.id) ? document.id : null;
}

function isId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isResponse(document: unknown): boolean {
  return (
    typeof document === "object" &&
    document !== null &&
    !("method" in document) &&
    ("result" in document || "error" in document)
  );
}

function toLibraryIssues(issue: StandardSchemaV1.Issue): Issue[] {
  const path = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const input = issue.message.endsWith("received undefined") ? undefined : null;
  return toIssues({ issues: [{ ...issue, path, input } as z.core.$ZodIssue] }).map(
    ({ path: at, message }) => ({
      path: at,
      message: message.slice(0, 2 * MAX_SHOWN).toWellFormed(),
    }),
  );
}
