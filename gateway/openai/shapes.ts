// Requests and answers of the addresses that speak OpenAI's API. Fields that are not known are refused, as everywhere.
import { z } from "zod";
import { idempotencyKeyHeader } from "../http/idempotency-key.ts";
import { MAX_WAIT_SECONDS } from "../../proto/resources/page.ts";

const MAX_NAME = 100;
const MAX_WORD = 100;
const MAX_USER = 512;

const model = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .optional()
  .describe("An id of GET /v1/models: a model of this service, or an alias of one.");
const word = z.string().max(MAX_WORD).optional();

export const openAiHeaders = z.looseObject({
  "idempotency-key": idempotencyKeyHeader,
  prefer: z
    .string()
    .optional()
    .describe(`wait=N: hold the response at most N seconds, 1 to ${MAX_WAIT_SECONDS}, which is the default.`),
});

export const imageRequestSchema = z
  .strictObject({
    model,
    prompt: z.string().min(1).describe("What to make."),
    n: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("The number of outputs, if the model makes several in one job."),
    size: word.describe("auto, or WIDTHxHEIGHT as the model's params_schema allows it."),
    response_format: z
      .enum(["url", "b64_json"])
      .optional()
      .describe("By default url; b64_json where the model was named gpt-image-…, as OpenAI has it."),
    quality: word.describe("auto or standard, where the model has no choice of it."),
    style: word.describe("vivid, where the model has no choice of it."),
    background: word.describe("auto or opaque, where the model has no choice of it."),
    moderation: word.describe("auto."),
    output_format: word.describe("As the model makes them: png for those of the embedded provider."),
    stream: z.literal(false).optional().describe("Pictures come whole."),
    user: z.string().max(MAX_USER).optional().describe("Kept in the job's metadata as user."),
  })
  .meta({ id: "OpenAiImageRequest" });

export const speechRequestSchema = z
  .strictObject({
    model,
    input: z.string().min(1).describe("What to say."),
    voice: word.describe(
      "A voice of the model, or one of OpenAI's, which is replaced by one of the model's.",
    ),
    response_format: word.describe(
      "As the model makes it, where it is left out: wav for those of the embedded provider.",
    ),
    speed: z.number().optional().describe("1 is the voice's own pace."),
    instructions: z.string().max(4096).optional().describe("How to say it, where the model takes that."),
    stream_format: z.literal("audio").optional().describe("The file comes as it is."),
  })
  .meta({ id: "OpenAiSpeechRequest" });

export const imagesSchema = z
  .object({
    created: z.number().int().describe("When the job ended, in seconds since 1970."),
    data: z.array(
      z
        .object({
          url: z.string().optional().describe("Signed and expiring."),
          b64_json: z.string().optional().describe("The file in base64."),
        })
        .meta({ id: "OpenAiImage" }),
    ),
  })
  .meta({ id: "OpenAiImages" });

export const openAiModelsSchema = z
  .object({
    object: z.literal("list"),
    data: z.array(
      z
        .object({
          id: z.string().describe("The types that model accepts."),
          object: z.literal("model"),
          created: z.number().int().describe("0: not told."),
          owned_by: z.string().describe("The provider."),
        })
        .meta({ id: "OpenAiModel" }),
    ),
  })
  .meta({ id: "OpenAiModels" });
