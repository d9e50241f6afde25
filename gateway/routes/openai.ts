// /v1/…: making pictures and speech for tools that only speak OpenAI's API. It is a thin translation: the job, its price, its limits and
// its ledger are those of any other request.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { JobResource } from "../../proto/resources/job.ts";
import { sendOutput } from "../answers/send-output.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { type Access, callFor, READ } from "../http/auth.ts";
import { liveModels, makeAndWait, type Making } from "../openai/make.ts";
import { knownNames, needsNothing, takesPicture } from "../openai/names.ts";
import { editParams, imageParams, speechParams } from "../openai/params.ts";
import { readWhole } from "../openai/read-whole.ts";
import {
  imageEditRequestSchema,
  imageRequestSchema,
  imagesSchema,
  openAiHeaders,
  openAiModelsSchema,
  speechRequestSchema,
} from "../openai/shapes.ts";
import {
  OPENAI_EDIT_REQUEST,
  OPENAI_IMAGE_REQUEST,
  OPENAI_IMAGES,
  OPENAI_MODELS,
  OPENAI_SPEECH_REQUEST,
} from "../openapi/examples-openai.ts";
import { operation, type Operation } from "../openapi/operation.ts";
import { FILE_ERRORS, SPENDING_ERRORS } from "./generate.ts";

export const MAKE: Access = { by: "key", scope: "write", limit: "generate" };
/** Names under which OpenAI's own models answer only with base64. */
const ANSWERS_BASE64 = /^gpt-image-/;

export const MAKES = {
  tag: "OpenAI-compatible",
  errors: [...SPENDING_ERRORS, "idempotency_mismatch", "queue_full", "generation_failed"],
} as const satisfies Partial<Operation>;
/** Of a file in a form, or that a field names. */
export const INPUT_ERRORS = [...FILE_ERRORS, "input_unreachable"] as const;
const WAITS =
  "The response is held until the job has ended, at most 60 seconds. After that it is deadline_exceeded, and the job continues. Each request is a job of the account, with the same price, limits and ledger entries as one of connectGenerate.";

const PICTURES = {
  description: "The pictures.",
  schema: imagesSchema,
  headers: ["Location", "Idempotency-Replayed"],
  example: OPENAI_IMAGES,
} as const;

export function openAiRoutes(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  createImages(app, options, draining);
  createSpeech(app, options, draining);
  listOpenAiModels(app, options);
}

function createImages(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  app.post(
    "/v1/images/generations",
    operation({
      config: { access: MAKE },
      headers: openAiHeaders,
      body: imageRequestSchema,
      ...MAKES,
      operationId: "openAiCreateImages",
      summary: "Make pictures, as OpenAI's API has it",
      description: `For tools that only speak OpenAI's API: their base URL is that of this service with /v1. ${WAITS}`,
      requestExample: OPENAI_IMAGE_REQUEST,
      success: { 200: PICTURES },
    }),
    async (request, reply) => {
      const { model: name, prompt, response_format, user, stream: _whole, ...settings } = request.body;
      const ask: Making["ask"] = (model) => imageParams(model, settings);
      const asked = { name, prompt, user, response_format, ask, suits: needsNothing };
      return answerPictures(request, reply, { options, draining, asked });
    },
  );
}

/** A separate scope, which accepts forms. */
export function editImages(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  app.post(
    "/v1/images/edits",
    operation({
      config: { access: MAKE, takesFile: true },
      headers: openAiHeaders,
      body: imageEditRequestSchema,
      ...MAKES,
      errors: [...MAKES.errors, ...INPUT_ERRORS],
      operationId: "openAiEditImages",
      summary: "Make pictures from a picture, as OpenAI's API has it",
      description: `A form with files, or JSON that names them. A common model name means the first live model that needs a picture and nothing else. ${WAITS}`,
      requestExample: OPENAI_EDIT_REQUEST,
      takesForm: true,
      success: { 200: PICTURES },
    }),
    async (request, reply) => {
      const {
        model: name,
        prompt,
        response_format,
        user,
        stream: _,
        partial_images: __,
        ...settings
      } = request.body;
      const ask: Making["ask"] = (model) => editParams(model, settings);
      const asked = { name, prompt, user, response_format, ask, suits: takesPicture };
      return answerPictures(request, reply, { options, draining, asked });
    },
  );
}

type AskedPictures = Pick<Making, "name" | "prompt" | "suits" | "ask"> & {
  readonly user: string | undefined;
  readonly response_format: "url" | "b64_json" | undefined;
};

async function answerPictures(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    options,
    draining,
    asked: { user, response_format, ...asked },
  }: { options: GatewayOptions; draining: AbortSignal; asked: AskedPictures },
): Promise<FastifyReply> {
  const job = await makeAndWait({
    request,
    reply,
    options,
    draining,
    modality: "image",
    ...asked,
    ...(user !== undefined && { metadata: { user } }),
    fields: {
      "params.count": "n",
      "params.width": "size",
      "params.height": "size",
      "params.image": "image",
      "params.mask": "mask",
      "metadata.user": "user",
    },
  });
  const inBase64 =
    response_format === "b64_json" || (!response_format && ANSWERS_BASE64.test(asked.name ?? ""));
  const data = inBase64
    ? await readWhole(options.core, callFor(request), job)
    : job.outputs.map(({ url }) => ({ url }));
  return reply.send({ created: endedSeconds(job), data });
}

function createSpeech(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  app.post(
    "/v1/audio/speech",
    operation({
      config: { access: MAKE },
      headers: openAiHeaders,
      body: speechRequestSchema,
      ...MAKES,
      operationId: "openAiCreateSpeech",
      summary: "Speak a text, as OpenAI's API has it",
      description: `Answers the file. ${WAITS}`,
      requestExample: OPENAI_SPEECH_REQUEST,
      success: {
        200: {
          description: "The file.",
          schema: z.string().meta({ format: "binary" }),
          contentTypes: ["application/octet-stream", "audio/wav", "audio/mpeg"],
          headers: ["Location", "Idempotency-Replayed", "Cache-Control", "Content-Disposition"],
        },
      },
    }),
    async (request, reply) => {
      const { model: name, input, stream_format: _whole, ...settings } = request.body;
      const job = await makeAndWait({
        request,
        reply,
        options,
        draining,
        modality: "audio",
        name,
        prompt: input,
        suits: needsNothing,
        ask: (model) => speechParams(model, settings),
        fields: { prompt: "input", "params.voice": "voice", "params.speed": "speed" },
      });
      // A POST cannot ask for a part of the answer, or whether it has changed.
      for (const name of ["range", "if-none-match"]) delete request.headers[name];
      const { core, config } = options;
      const asked = { job_id: job.job_id, output_id: job.outputs[0]?.output_id ?? "" };
      return sendOutput(request, reply, { core, config, call: callFor(request), asked });
    },
  );
}

function listOpenAiModels(app: GatewayApp, options: GatewayOptions): void {
  app.get(
    "/v1/models",
    operation({
      config: { access: READ },
      operationId: "openAiListModels",
      summary: "List models and names for them, as OpenAI's API has it",
      description: "The slugs of all live models and their aliases. listModels shows prices and params.",
      tag: "OpenAI-compatible",
      success: { 200: { description: "All of them.", schema: openAiModelsSchema, example: OPENAI_MODELS } },
    }),
    async (request, reply) => {
      const models = await liveModels(options, request);
      const data = knownNames(models, options.config.openAiModels).map(([id, { provider }]) => ({
        id,
        object: "model",
        created: 0,
        owned_by: provider,
      }));
      return reply.send({ object: "list", data });
    },
  );
}

function endedSeconds({ ended_at, created_at }: JobResource): number {
  return Math.floor(Date.parse(ended_at ?? created_at) / 1000);
}
