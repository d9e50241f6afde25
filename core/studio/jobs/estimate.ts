// The cost of a generation. The request is checked like a real one, but nothing is held or written.
import type { Caller } from "../../../proto/caller.ts";
import { AppError, invalidField } from "../../../proto/codes.ts";
import type { EstimateResource } from "../../../proto/resources/estimate.ts";
import { type JobRequest, MAX_PROMPT_CHARACTERS, characters } from "../../../proto/resources/job.ts";
import type { Prediction } from "../../adapters/providers/provider.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import { capStates, leftOfCaps } from "../../identity/accounts/cap-rules.ts";
import { needsApproval } from "../../identity/approvals/rules.ts";
import { availableCredits, expireDue } from "../../identity/credits/rules.ts";
import type { App } from "../../kernel/app.ts";
import { getModel } from "../models/list-models.ts";
import { checkParams } from "../models/params.ts";
import { checkRequest } from "./check-request.ts";
import { refuseSpending } from "./rules.ts";

/**
 * Throws what accepting would throw, unless it is temporary: errors about the caller (except the scope), the model, the request and its
 * limits. Too few credits are reported in the result, and a full queue is ignored.
 */
export async function estimateJob(app: App, caller: Caller, request: JobRequest): Promise<EstimateResource> {
  const identity = await authenticate(app, caller, "read");
  const { account, limit } = identity;
  const at = app.clock.now();
  const checked = checkRequest(app, request, await app.models());
  if (checked instanceof AppError) throw checked;
  const { model, params, credits, pricedBy } = checked;
  const key = limit && capStates(at, limit);
  const refusal = refuseSpending(credits, { request: request.max_credits, key });
  if (refusal) throw refusal;
  const available = availableCredits(expireDue(account, at)?.head ?? account);
  return {
    modality: model.modality,
    model_slug: model._id,
    credits,
    units: pricedBy.units,
    per: pricedBy.unit,
    priced_by: pricedBy,
    estimated_seconds: model.estimated_seconds,
    params,
    credits_available: available,
    affordable: credits <= available,
    key_credits_left: leftOfCaps(key ?? []),
    needs_confirmation: needsApproval(identity, credits),
  };
}

/** Visitors may ask as well; a key needs the read scope. Params that are not valid yet are taken as they are. */
export async function understand(
  app: App,
  caller: Caller,
  {
    slug,
    prompt,
    params: given,
  }: { slug: string; prompt: string; params: Readonly<Record<string, unknown>> },
): Promise<Prediction> {
  if (caller.kind !== "none") await authenticate(app, caller, "read");
  if (characters(prompt) > MAX_PROMPT_CHARACTERS)
    throw invalidField("prompt", `must be at most ${MAX_PROMPT_CHARACTERS} characters`);
  const found = await getModel(app, slug);
  const checked = checkParams(found, given);
  const params = Array.isArray(checked) ? given : checked.params;
  const request = { model: found.provider_model, prompt, params };
  return (await app.providers.get(found.provider)?.understand?.(request)) ?? {};
}
