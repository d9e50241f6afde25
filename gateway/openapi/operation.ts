// A route's own description for the OpenAPI document, in addition to the schemas that validate its requests.
import type { FastifySchema } from "fastify";
import type { z } from "zod";
import type { ErrorCode } from "../../proto/codes.ts";
import { listOf, resultOf, toList, toResult } from "../answers/result.ts";

export const TAGS = {
  Catalog: "Browse the public products. Needs no key.",
  Generation: "Make images, videos and audio.",
  Jobs: "Follow and steer what is being made.",
  Workflows: "Several jobs that build on each other, as one.",
  Outputs: "Fetch the files.",
  Uploads: "Files that jobs are given.",
  "OpenAI-compatible": "For tools that only speak OpenAI's API.",
  Models: "Models with their prices, params and plans.",
  Account: "Whose key it is, and what it may do.",
  Credits: "The balance and every entry that led to it.",
  Proof: "Verify what the service says of itself.",
  Callbacks: "Deliveries of a job's end to your own address.",
} as const;

export type ResponseHeaderName =
  | "Accept-Ranges"
  | "Cache-Control"
  | "Content-Disposition"
  | "Content-Range"
  | "ETag"
  | "Idempotency-Replayed"
  | "Last-Modified"
  | "Link"
  | "Location"
  | "Preference-Applied"
  | "RateLimit"
  | "RateLimit-Policy"
  | "Retry-After"
  | "Vary"
  | "X-Request-Id";

type Success = {
  description: string;
  schema: z.ZodType;
  /** Default: application/json. */
  contentTypes?: readonly string[];
  /** Besides X-Request-Id, which every answer has, and RateLimit. */
  headers?: readonly ResponseHeaderName[];
  example?: unknown;
};

export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tag: keyof typeof TAGS;
  /** "key": a generation key. "key-or-signature": or a signed URL. "none": public. */
  security: "key" | "key-or-signature" | "none";
  /** Responses of this status with a body. */
  success: { readonly [status: number]: Success };
  /** Answers without a body, by status. */
  bodiless?: { readonly [status: number]: { description: string; headers?: readonly ResponseHeaderName[] } };
  /** Besides those that follow from `security` and those that any request may meet. */
  errors?: readonly ErrorCode[];
  requestExample?: unknown;
  /** Its body is a file, whatever the media type says. */
  takesFile?: boolean;
  /** Its body may be a form with files, too. */
  takesForm?: boolean;
  /** The answer when core is away; by default service_unavailable and deadline_exceeded. */
  unavailable?: "catalog_unavailable";
};

/** The document's form, with the errors from the route's config. */
export type PublishedOperation = Operation & { envelope: boolean };

/** Carries to document.ts what the transformation of schemas would drop. */
export const OPERATION_KEY = "x-operation";

const SECURITY = {
  key: [{ generationKey: [] }, { generationKeyHeader: [] }],
  "key-or-signature": [{ generationKey: [] }, { generationKeyHeader: [] }, { signedUrl: [] }],
  none: [],
} satisfies Record<Operation["security"], { [scheme: string]: string[] }[]>;

/** The documenting part of a route's schema; the route adds the validating part. */
export function declareOperation(
  operation: Operation,
): Omit<FastifySchema, "body" | "headers" | "params" | "querystring"> {
  const response = Object.entries(operation.success).map(([status, success]) => {
    const { description, schema, contentTypes = ["application/json"] } = success;
    return [
      status,
      { description, content: Object.fromEntries(contentTypes.map((type) => [type, { schema }])) },
    ];
  });
  const schema = {
    operationId: operation.operationId,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    security: SECURITY[operation.security],
    response: Object.fromEntries(response),
    [OPERATION_KEY]: operation,
  };
  return schema;
}

/** A successful response with one result. */
export function resultAnswer(
  description: string,
  result: z.ZodType,
  example: unknown,
  headers: readonly ResponseHeaderName[] = [],
): Success {
  return { description, schema: resultOf(result), example: toResult(example), headers };
}

/** A successful response with a list, by the example of one item. */
export function listAnswer(
  description: string,
  item: z.ZodType,
  example: unknown,
  headers: readonly ResponseHeaderName[] = [],
): Success {
  return { description, schema: listOf(item), example: toList([example]), headers };
}
