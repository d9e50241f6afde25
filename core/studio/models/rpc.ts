// Service Models: decodes, calls the verb, encodes.
import { z } from "zod";
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { invalidField } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { type Modality, modalitySchema } from "../../../proto/resources/job.ts";
import {
  type costSchema,
  modelDefinitionSchema,
  modelSchema,
  planSchema,
} from "../../../proto/resources/model.ts";
import type {
  AddModelRequest,
  AddModelRequestInput,
} from "../../../proto/types/atelier/v1/AddModelRequest.ts";
import type { ListModelsRequest } from "../../../proto/types/atelier/v1/ListModelsRequest.ts";
import type { ModelInput } from "../../../proto/types/atelier/v1/Model.ts";
import type { ModelsDefinition } from "../../../proto/types/atelier/v1/Models.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import { listPlans } from "../../identity/accounts/plans.ts";
import { toPlan } from "../../identity/accounts/resource.ts";
import type { App } from "../../kernel/app.ts";
import type { Fallback, ModelDoc } from "../../kernel/definitions.ts";
import { type Handlers, readMessage } from "../../kernel/rpc.ts";
import { MICROS, rateOf } from "../costs/rules.ts";
import type { AddModelInput } from "./add-model.ts";
import { getModel, listModels } from "./list-models.ts";
import { toModel } from "./resource.ts";

export function modelsHandlers(app: App): Handlers<ModelsDefinition> {
  return {
    async ListModels(request, { caller }) {
      await authenticate(app, caller, "read");
      const models = await listModels(app, decodeModelFilter(request));
      return { models: models.map(modelMessage) };
    },
    async GetModel({ model_slug }, { caller }) {
      await authenticate(app, caller, "read");
      return modelMessage(await getModel(app, model_slug));
    },
    async ShowModels({ with_former: all }) {
      const models = all ? [...(await app.models()).values()] : await listModels(app);
      return { models: models.map(modelMessage) };
    },
    async ListPlans() {
      const plans = await listPlans(app);
      return { plans: toMessages(planSchema, plans.map(toPlan)) };
    },
  };
}

const messages = new WeakMap<ModelDoc, ModelInput>();

/** Made once for each document of a model, which app.models() keeps for many calls. */
function modelMessage(model: ModelDoc): ModelInput {
  let message = messages.get(model);
  if (!message) {
    message = toMessage<typeof modelSchema, ModelInput>(modelSchema, toModel(model));
    messages.set(model, message);
  }
  return message;
}

const filterSchema = z.object({ modality: modalitySchema });

/** Throws invalid_request for a modality that does not exist; an empty one means all. */
export function decodeModelFilter({ modality }: ListModelsRequest): Modality | undefined {
  return modality === "" ? undefined : parseRequest(filterSchema, { modality }).modality;
}

/** The model as AddModel would take it again. */
export function definitionMessage(model: ModelDoc): AddModelRequestInput {
  return toMessage(modelDefinitionSchema, {
    model: toModel(model),
    provider_model: model.provider_model,
    run_timeout_seconds: model.run_timeout_ms / 1000,
    provider_options: model.provider_options,
    ...costField(model, model),
    ...(model.fallbacks && {
      fallbacks: model.fallbacks.map((fallback) => ({ ...fallback, ...costField(model, fallback) })),
    }),
  });
}

function costField(
  model: ModelDoc,
  route: Pick<Fallback, "provider" | "provider_model">,
): { cost?: z.output<typeof costSchema> } {
  const rate = rateOf(model, route);
  if (!rate) return {};
  const rules = rate.rules.map(({ when, micros }) => ({ when: { ...when }, amount: micros / MICROS }));
  return { cost: { currency: rate.currency, unit: rate.unit, default: rate.micros / MICROS, rules } };
}

const additionSchema = modelDefinitionSchema.omit({ model: true });

/** An operator's message, as the input of addModel. Throws invalid_request where it is not readable. */
export function decodeAddModel(request: AddModelRequest): AddModelInput {
  if (!request.model) throw invalidField("model", "is required");
  // In order, so that errors are named as in the operator's file.
  const { status: _live, credits, per, ...own } = readMessage(modelSchema, request.model);
  const { run_timeout_seconds, ...rest } = readMessage(additionSchema, request);
  // A message cannot leave them out in another way.
  const shorthand = own.pricing && request.model.per === "" ? {} : { credits, per };
  return { ...own, ...rest, ...shorthand, run_timeout_ms: run_timeout_seconds * 1000 };
}
