// Service Models: decodes, calls the verb, encodes.
import { toMessage, toMessages } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { modelSchema, planSchema } from "../../proto/resources/model.ts";
import { invalidRequest } from "../../proto/resources/issues.ts";
import { MODALITIES, type Modality } from "../../proto/resources/job.ts";
import { findHarm } from "../../proto/resources/json-harm.ts";
import type { AddModelRequest, AddModelRequestInput } from "../../proto/types/atelier/v1/AddModelRequest.ts";
import type { ListModelsRequest } from "../../proto/types/atelier/v1/ListModelsRequest.ts";
import type { ModelsDefinition } from "../../proto/types/atelier/v1/Models.ts";
import { type ModelDoc, PRICE_UNITS } from "../definitions.ts";
import { authenticate } from "../accounts/authenticate.ts";
import { listPlans } from "../accounts/list-plans.ts";
import { toPlan } from "../accounts/resource.ts";
import type { App } from "../app.ts";
import type { Handlers } from "../rpc.ts";
import type { AddModelInput } from "./add-model.ts";
import { listModels } from "./list-models.ts";
import { toModel } from "./resource.ts";

export function modelsHandlers(app: App): Handlers<ModelsDefinition> {
  return {
    async ListModels(request, { caller }) {
      await authenticate(app, caller, "read");
      const models = await listModels(app, decodeModelFilter(request));
      return { models: toMessages(modelSchema, models.map(toModel)) };
    },
    async ListPlans() {
      const plans = await listPlans(app);
      return { plans: toMessages(planSchema, plans.map(toPlan)) };
    },
  };
}

/** Throws invalid_request for a modality that does not exist; an empty one means all. */
export function decodeModelFilter({ modality }: ListModelsRequest): { modality?: Modality } {
  return modality === "" ? {} : { modality: oneOf(MODALITIES, modality, "modality") };
}

/** The model as AddModel would take it again. */
export function definitionMessage(model: ModelDoc): AddModelRequestInput {
  return {
    model: toMessage(modelSchema, toModel(model)),
    provider_model: model.provider_model,
    run_timeout_seconds: model.run_timeout_ms / 1000,
    provider_options_json: JSON.stringify(model.provider_options),
  };
}

/** What an operator sends, as the input of addModel. Throws invalid_request where it is not even readable. */
export function decodeAddModel(request: AddModelRequest): AddModelInput {
  const { model } = request;
  if (!model) throw new AppError("invalid_request", { issues: [{ path: "model", message: "is required" }] });
  return {
    model_slug: model.model_slug,
    name: model.name,
    modality: oneOf(MODALITIES, model.modality, "modality"),
    description: model.description,
    credits: model.credits,
    per: oneOf(PRICE_UNITS, model.per, "per"),
    estimated_seconds: model.estimated_seconds,
    max_prompt_length: model.max_prompt_length,
    params_schema: jsonObject(model.params_schema_json, "params_schema"),
    provider: model.provider,
    provider_model: request.provider_model,
    run_timeout_ms: request.run_timeout_seconds * 1000,
    provider_options:
      request.provider_options_json === ""
        ? {}
        : jsonObject(request.provider_options_json, "provider_options"),
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: string, path: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw new AppError("invalid_request", {
    issues: [{ path, message: `must be one of ${allowed.join(", ")}` }],
  });
}

function jsonObject(text: string, path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidRequest([{ path, message: "must be a JSON object" }]);
  const harm = findHarm({ [path]: value });
  if (harm) throw invalidRequest([harm]);
  return value as Record<string, unknown>;
}
