// What a person has entered on the Generate page, as the form shows it and as the API takes it.
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Issue } from "../../../proto/codes.ts";
import { characters, idempotencyKeySchema, type JobResource } from "../../../proto/resources/job.ts";
import type { modelSchema } from "../../../proto/resources/model.ts";
import { priceOf, pricingOf } from "../../../proto/resources/pricing.ts";
import type { GenerateBody } from "../../answers/code-samples.ts";
import type { Form } from "../session/forms.ts";
import { ASPECT_FIELD, chosenSize } from "./aspect.ts";
import { type Param, paramsOf, readParam, toText } from "./params.ts";

export type Model = z.output<typeof modelSchema>;

export const ALL_OR_NOTHING_FIELD = "all_or_nothing";

/** Fields of the form that are numbers of the request, under the same names. */
export const WAIT_FIELDS = ["expires_in", "keep_days"] as const;
type WaitField = (typeof WAIT_FIELDS)[number];

export type Draft = {
  /** Names this press of the button, so that a second press makes no second job. */
  readonly idempotencyKey: string;
  readonly prompt: string;
  readonly callbackUrl: string;
  /** Whether a job that does not deliver everything is to fail. */
  readonly allOrNothing: boolean;
  /** Seconds and days, as the form shows them; empty means the default. */
  readonly waits: Readonly<Record<WaitField, string>>;
  /** By name of the param, as the form shows it. */
  readonly params: ReadonlyMap<string, string>;
};

/** The form as it is before anything was entered, or with what an earlier job was asked for. */
export function newDraft(model: Model, earlier?: Pick<JobResource, "prompt" | "params" | "callback">): Draft {
  return {
    idempotencyKey: randomUUID(),
    prompt: earlier?.prompt ?? "",
    callbackUrl: earlier?.callback?.url ?? "",
    allOrNothing: false,
    waits: waitsOf(() => ""),
    params: valuesOf(model, ({ name, fallback }) => {
      const value = earlier?.params[name];
      return value === undefined ? fallback : toText(value);
    }),
  };
}

/** The same, but with this value of a param. */
export function withParam(draft: Draft, name: string, value: string): Draft {
  return { ...draft, params: new Map([...draft.params, [name, value]]) };
}

/** The same, but with what an address says. */
export function withQuery(draft: Draft, query: Readonly<Record<string, unknown>>, model: Model): Draft {
  const said = (name: string) => (typeof query[name] === "string" ? query[name] : undefined);
  return {
    ...draft,
    prompt: said("prompt") ?? draft.prompt,
    callbackUrl: said("callback_url") ?? draft.callbackUrl,
    allOrNothing: draft.allOrNothing || said(ALL_OR_NOTHING_FIELD) !== undefined,
    waits: waitsOf((name) => said(name) ?? draft.waits[name]),
    params: valuesOf(model, ({ name, field }) => said(field) ?? draft.params.get(name) ?? ""),
  };
}

export function readDraft(form: Form, model: Model): Draft {
  const sentKey = idempotencyKeySchema.safeParse(form.get("idempotency_key"));
  const size: Readonly<Record<string, string>> = chosenSize(form.get(ASPECT_FIELD)) ?? {};
  return {
    idempotencyKey: sentKey.success ? sentKey.data : randomUUID(),
    // Forms send line breaks as two characters; they were typed as one, and are counted as one.
    prompt: form.get("prompt").replaceAll("\r\n", "\n"),
    callbackUrl: form.get("callback_url").trim(),
    allOrNothing: form.get(ALL_OR_NOTHING_FIELD) !== "",
    waits: waitsOf((name) => form.get(name).trim()),
    params: valuesOf(model, ({ name, field }) => size[name] ?? form.get(field)),
  };
}

/** The body that a program would send for the same. */
export function toBody(draft: Draft, model: Model): GenerateBody {
  return {
    modality: model.modality,
    model_slug: model.model_slug,
    prompt: draft.prompt,
    ...(draft.callbackUrl !== "" && { callback_url: draft.callbackUrl }),
    ...(draft.allOrNothing && { allow_partial: false }),
    ...Object.fromEntries(
      WAIT_FIELDS.filter((name) => draft.waits[name] !== "").map((name) => [name, Number(draft.waits[name])]),
    ),
    params: readParams(draft, model),
  };
}

/** What this would cost; undefined as long as the form does not say. */
export function priceOfDraft(draft: Draft, model: Model): number | undefined {
  const params = { ...readParams(newDraft(model), model), ...readParams(draft, model) };
  return priceOf(pricingOf(model), { params, characters: characters(draft.prompt) })?.credits;
}

function readParams(draft: Draft, model: Model): Record<string, unknown> {
  return Object.fromEntries(
    paramsOf(model.params_schema).flatMap((param) => {
      const value = readParam(param, draft.params.get(param.name) ?? "");
      return value === undefined ? [] : [[param.name, value] as const];
    }),
  );
}

/** What is wrong, by the name of the form's field; what has no field stands under "". */
export function issuesByField(issues: readonly Issue[], model: Model): ReadonlyMap<string, string> {
  const fields = new Set([
    "prompt",
    "callback_url",
    ...WAIT_FIELDS,
    ...paramsOf(model.params_schema).map(({ field }) => field),
  ]);
  const found = new Map<string, string>();
  for (const { path, message } of issues) {
    const field = path.startsWith("params.") ? `param.${path.slice("params.".length)}` : path;
    const words = isSentence(message)
      ? message
      : fields.has(field)
        ? `This ${message}.`
        : `${path} ${message}.`;
    const place = fields.has(field) ? field : "";
    found.set(place, [found.get(place), words].filter(Boolean).join(" "));
  }
  return found;
}

/** What is said of files is; of values only what they must be. */
function isSentence(message: string): boolean {
  return /^[A-Z].*\.$/s.test(message);
}

function waitsOf(valueOf: (name: WaitField) => string): Draft["waits"] {
  return { expires_in: valueOf("expires_in"), keep_days: valueOf("keep_days") };
}

function valuesOf(model: Model, valueOf: (param: Param) => string): ReadonlyMap<string, string> {
  return new Map(paramsOf(model.params_schema).map((param) => [param.name, valueOf(param)]));
}
