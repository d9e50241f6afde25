// The setting ATELIER_HTTP_QUEUE_PROVIDERS: how to talk to providers that queue requests and answer in JSON. docs/operations/providers.md
// says what each part is for.
import { z } from "zod";
import { jsonText } from "./json-text.ts";

const NAME = /^[a-z][a-z0-9-]{0,49}$/;
/** The fields that a template may name, such as {model} and {params.size}. */
export const FIELD = /(?<!\$)\{([\w.]+)\}/g;

/** A path of names with dots between them. In a list, the path applies to each item. */
const place = z.string().regex(/^[\w-]+(?:\.[\w-]+)*$/, { error: "is not names with dots between them" });
const places = z.array(place).min(1);
const words = z.array(z.string().min(1));
/** A path at the provider's address, or the field of the handle that holds a whole address. */
const path = z.string().regex(/^[/{]/, { error: "must begin with / or with a {field}" });
const template = z.record(z.string().min(1), z.string());
const origin = z
  .url({ protocol: /^https?$/, error: "is not an http address" })
  .refine((text) => URL.canParse(text) && new URL(text).username === "", {
    error: "must not hold a name or a password",
  });
const request = (method: "GET" | "POST" | "PUT" | "DELETE") =>
  z.strictObject({ method: z.enum(["GET", "POST", "PUT", "DELETE", "PATCH"]).default(method), path });

const entrySchema = z.strictObject({
  address: origin,
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string()).default({}),
  hosts: z.array(origin).default([]),
  privateHosts: z.array(z.string().min(1)).default([]),
  submit: request("POST").extend({
    query: template.default({}),
    body: z.record(z.string(), z.unknown()).default({ "...": ["{options}", "{params}", "{inputs}"] }),
    idempotencyHeader: z
      .string()
      .regex(/^[\w-]+$/)
      .optional(),
  }),
  params: z.record(z.string(), z.string().min(1).nullable()).default({}),
  handle: z
    .record(z.string().regex(/^\w+$/), place)
    .refine((fields) => Object.keys(fields).length > 0, { error: "names no field to keep" }),
  status: request("GET"),
  result: request("GET").optional(),
  cancel: request("POST").optional(),
  states: z.strictObject({
    at: place,
    queued: words.default([]),
    running: words.default([]),
    made: words.min(1),
    failed: words.default([]),
    cancelled: words.default([]),
  }),
  progress: z.strictObject({ at: place, of: z.number().positive().default(1) }).optional(),
  position: place.optional(),
  pollAfterMs: z.number().int().min(100).max(3_600_000).optional(),
  pollAfterSecondsAt: place.optional(),
  files: places,
  usage: z
    .strictObject({
      seconds: place.optional(),
      outputs: place.optional(),
      cost: place.optional(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .optional(),
    })
    .optional(),
  errors: z
    .strictObject({
      at: places,
      refused: words.default([]),
      unavailable: words.default([]),
      cancelled: words.default([]),
    })
    .optional(),
  webhook: z
    .strictObject({
      handle: template,
      signature: z
        .discriminatedUnion("kind", [
          z.strictObject({ kind: z.literal("fal"), keys: origin }),
          z.strictObject({ kind: z.literal("standard"), secret: z.string().min(1) }),
        ])
        .optional(),
    })
    .optional(),
});

export type HttpQueueEntry = z.output<typeof entrySchema>;

/** Error messages say where the problem is and never quote a value, because it may be a key. */
export const httpQueueProviders = jsonText("{}").transform(
  (value, context): Readonly<Record<string, HttpQueueEntry>> => {
    const parsed = z.record(z.string(), entrySchema).safeParse(value);
    if (!parsed.success) {
      for (const issue of parsed.error.issues)
        context.addIssue({
          code: "custom",
          message: `${issue.path.join(".") || "it"}: ${issue.message}`,
        });
      return z.NEVER;
    }
    for (const [name, entry] of Object.entries(parsed.data)) {
      if (name === "local") context.addIssue({ code: "custom", message: "local is the embedded provider" });
      if (!NAME.test(name))
        context.addIssue({ code: "custom", message: "names of providers are lower-case words" });
      for (const problem of problemsOf(entry))
        context.addIssue({ code: "custom", message: `${name}.${problem}` });
    }
    return parsed.data;
  },
);

const MADE_OF_REQUEST = [
  "model",
  "modelRoot",
  "prompt",
  "modality",
  "params",
  "options",
  "inputs",
  "webhookUrl",
  "idempotencyKey",
];

function problemsOf(entry: HttpQueueEntry): string[] {
  const kept = Object.keys(entry.handle);
  const { submit, status, result, cancel, webhook } = entry;
  return [
    ...unknown("submit.path", submit.path, MADE_OF_REQUEST),
    ...Object.entries(submit.query).flatMap(([name, text]) =>
      unknown(`submit.query.${name}`, text, MADE_OF_REQUEST),
    ),
    ...textsIn(submit.body).flatMap((text) => unknown("submit.body", text, MADE_OF_REQUEST)),
    ...unknown("status.path", status.path, kept),
    ...unknown("result.path", result?.path ?? "", kept),
    ...unknown("cancel.path", cancel?.path ?? "", kept),
    ...Object.keys(entry.handle)
      .filter((field) => webhook && webhook.handle[field] === undefined)
      .map((field) => `webhook.handle: says nothing of ${field}, which the handle has`),
  ];
}

function unknown(where: string, text: string, known: readonly string[]): string[] {
  return [...text.matchAll(FIELD)]
    .map(([, name = ""]) => name.split(".")[0] ?? "")
    .filter((name) => !known.includes(name))
    .map((name) => `${where}: {${name}} is nothing that is known there`);
}

export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
