// A route's own description for the OpenAPI document, in addition to the schemas that validate its requests.
import type { FastifyContextConfig } from "fastify";
import type { z } from "zod";
import type { ErrorCode } from "../../proto/codes.ts";
import { listOf, resultOf, toList, toResult } from "../answers/result.ts";
import type { Access } from "../http/auth.ts";

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
  /** Responses of this status with a body. */
  success: { readonly [status: number]: Success };
  /** Answers without a body, by status. */
  bodiless?: { readonly [status: number]: { description: string; headers?: readonly ResponseHeaderName[] } };
  /** Besides those that follow from the access to the route and those that any request may meet. */
  errors?: readonly ErrorCode[];
  requestExample?: unknown;
  /** Its body is a file, whatever the media type says. */
  takesFile?: boolean;
  /** Its body may be a form with files, too. */
  takesForm?: boolean;
  /** The answer when core is away; by default service_unavailable and deadline_exceeded. */
  unavailable?: "catalog_unavailable";
};

/** The document's form, with what it needs of the route's config. */
export type PublishedOperation = Operation & { envelope: boolean; by: Access["by"] };

/** Carries to document.ts what the transformation of schemas would drop. */
export const OPERATION_KEY = "x-operation";

const SECURITY = {
  key: [{ generationKey: [] }, { generationKeyHeader: [] }],
  "key-or-signature": [{ generationKey: [] }, { generationKeyHeader: [] }, { signedUrl: [] }],
  none: [],
} satisfies Record<Access["by"], { [scheme: string]: string[] }[]>;

/** The schemas that validate a request. */
type Requested = Partial<Record<"body" | "headers" | "params" | "querystring", z.ZodType>>;
type Declared = Operation & Requested & { config: FastifyContextConfig };

/** The options of a route: its config, the schemas that validate its requests, and its part of the document. */
export function operation<const D extends Declared>(
  declared: D & Record<Exclude<keyof D, keyof Declared>, never>,
): { config: FastifyContextConfig; schema: Pick<D, keyof D & keyof Requested> } {
  const { config, body, headers, params, querystring, ...described } = declared as Declared;
  const { operationId, summary, description, tag, success } = described;
  const by = config.access?.by ?? "none";
  const response = Object.entries(success).map(
    ([status, { contentTypes = ["application/json"], ...each }]) => {
      const content = contentTypes.map((type) => [type, { schema: each.schema }]);
      return [status, { description: each.description, content: Object.fromEntries(content) }];
    },
  );
  const schema = {
    ...Object.fromEntries(
      Object.entries({ body, headers, params, querystring }).filter(([, part]) => part !== undefined),
    ),
    operationId,
    summary,
    description,
    tags: [tag],
    security: SECURITY[by],
    response: Object.fromEntries(response),
    [OPERATION_KEY]: { ...described, by, envelope: config.envelope ?? false } satisfies PublishedOperation,
  };
  return { config, schema: schema as unknown as Pick<D, keyof D & keyof Requested> };
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
