// A request for a job as core gets it, and the checks that only core can make: the model, its params, what it can make of the prompt, its
// price, and the callback_url.
import type { Caller } from "../../../proto/caller.ts";
import { AppError, invalidField } from "../../../proto/codes.ts";
import { characters, type JobRequest } from "../../../proto/resources/job.ts";
import type { PricedBy } from "../../../proto/resources/pricing.ts";
import type { Span } from "../../../runtime/log/tracing.ts";
import { checkCallbackUrl } from "../../base/outbound/address.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import type { App } from "../../kernel/app.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { checkParams } from "../models/params.ts";
import { priceOf } from "../models/pricing-rules.ts";
import type { InputDoc } from "./store.ts";

export type AcceptRequest = {
  readonly caller: Caller;
  readonly request: JobRequest;
  readonly idempotencyKey: string | null;
  /** The approval that the user has given in the client of this request. */
  readonly confirmedId?: string | undefined;
  /** The approval with which the user starts it on the website, in place of its program. */
  readonly startsBy?: string | undefined;
  /** The files that its params name, already found and stored; absent if they name none. */
  readonly inputs?: readonly InputDoc[];
  /** If traces are on, the span in which it is accepted, the parent of its job's spans. */
  readonly span?: Span | undefined;
  /** The job that it repeats, if an operator asks for it. */
  readonly retryOf?: string;
};

/** Undefined if the request has no Idempotency-Key. */
export function idempotencyId(
  { idempotencyKey }: Pick<AcceptRequest, "idempotencyKey">,
  { account }: Identity,
): string | undefined {
  return idempotencyKey === null ? undefined : `${account._id} ${idempotencyKey}`;
}

export type Checked = {
  readonly model: ModelDoc;
  readonly params: Record<string, unknown>;
  readonly credits: number;
  readonly pricedBy: PricedBy;
};

export function checkRequest(
  app: App,
  request: JobRequest,
  models: ReadonlyMap<string, ModelDoc>,
): Checked | AppError {
  const model = models.get(request.model_slug);
  if (model?.status === "paused") {
    return new AppError("model_not_available", {
      message: `The model ${JSON.stringify(request.model_slug)} is paused.`,
      hint: "Try again later, or use another live model.",
    });
  }
  if (model?.status !== "live" || !app.providers.has(model.provider)) {
    return new AppError("model_not_available", {
      message: `There is no live model ${JSON.stringify(request.model_slug)}.`,
    });
  }
  if (model.modality !== request.modality) {
    return new AppError("modality_mismatch", {
      message: `${model._id} makes ${model.modality}, and the request asks for ${request.modality}.`,
    });
  }
  const length = characters(request.prompt);
  if (length > model.max_prompt_length)
    return invalidField(
      "prompt",
      `is ${length} characters; ${model._id} takes at most ${model.max_prompt_length}`,
    );
  const { outputDays } = app.config;
  if (request.keep_days !== undefined && request.keep_days > outputDays)
    return invalidField("keep_days", `must be at most ${outputDays}, as long as files are kept here`);
  const checked = checkParams(model, request.params ?? {});
  if (Array.isArray(checked)) return new AppError("invalid_request", { issues: checked });
  if (request.callback_url !== undefined) {
    const refused = checkCallbackUrl(app.config, request.callback_url);
    if (refused) return refused;
  }
  const { params } = checked;
  const { prompt } = request;
  const refusal = app.providers
    .get(model.provider)
    ?.refuse?.({ model: model.provider_model, prompt, params });
  if (refusal !== undefined) return invalidField("prompt", refusal);
  const { credits, by } = priceOf(model, { params, characters: length });
  return { model, params, credits, pricedBy: by };
}
