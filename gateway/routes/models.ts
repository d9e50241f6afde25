// GET /api/models and GET /api/plans: what can be made and on which plans.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { modalitySchema } from "../../proto/resources/job.ts";
import { modelSchema, planSchema } from "../../proto/resources/model.ts";
import { toList, toResult } from "../answers/result.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor, PUBLIC, READ } from "../http/auth.ts";
import { MODEL_EXAMPLE, PLAN_EXAMPLE } from "../openapi/examples.ts";
import { operation, listAnswer, resultAnswer } from "../openapi/operation.ts";

export function modelRoutes(app: GatewayApp, core: CoreClient): void {
  listModels(app, core);
  getModel(app, core);
  listPlans(app, core);
}

function listModels(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/models",
    operation({
      config: { access: READ, envelope: true },
      querystring: z.object({ modality: modalitySchema.optional().describe("Only models that make this.") }),
      operationId: "listModels",
      summary: "List live models with their prices",
      description:
        "Every model that can be used now, its price in credits and the JSON Schema of its params.",
      tag: "Models",
      success: { 200: listAnswer("All live models.", modelSchema, MODEL_EXAMPLE) },
    }),
    async (request, reply) => {
      const { models } = await core.models.ListModels(
        { modality: request.query.modality ?? "" },
        callFor(request),
      );
      return reply.send(toList(fromMessages(modelSchema, models)));
    },
  );
}

function getModel(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/models/:slug",
    operation({
      config: { access: READ, envelope: true },
      params: z.object({ slug: z.string().min(1).describe("The model_slug, as the list shows it.") }),
      operationId: "getModel",
      summary: "Read a model",
      description:
        "Its price and the JSON Schema of its params. A paused or a retired one too, because jobs still name it.",
      tag: "Models",
      errors: ["not_found"],
      success: { 200: resultAnswer("The model.", modelSchema, MODEL_EXAMPLE) },
    }),
    async (request, reply) => {
      const model = await core.models.GetModel({ model_slug: request.params.slug }, callFor(request));
      return reply.send(toResult(fromMessage(modelSchema, model)));
    },
  );
}

function listPlans(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/plans",
    operation({
      config: { access: PUBLIC, envelope: true },
      operationId: "listPlans",
      summary: "List plans",
      description:
        "Every plan, how many jobs it runs at a time and whether it includes this API. Needs no key.",
      tag: "Models",
      success: { 200: listAnswer("All plans.", planSchema, PLAN_EXAMPLE, ["Cache-Control"]) },
    }),
    async (request, reply) => {
      const { plans } = await core.models.ListPlans({}, callFor(request));
      return reply
        .header("cache-control", "public, max-age=60")
        .send(toList(fromMessages(planSchema, plans)));
    },
  );
}
