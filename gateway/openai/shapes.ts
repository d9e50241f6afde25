// Requests and responses in OpenAI's format. Unknown fields are refused, as everywhere.
import { z } from "zod";
import { generateRequestSchema, jobSchema, metadataValueSchema } from "../../proto/resources/job.ts";
import { MAX_WAIT_SECONDS } from "../../proto/resources/page.ts";
import { idempotencyKeyHeader } from "../http/idempotency-key.ts";
import { queryInteger } from "../http/query.ts";

const MAX_NAME = 100;
const MAX_WORD = 100;

const model = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .optional()
  .describe("An id of GET /v1/models: a model of this service, or an alias of one.");
/** Options of the service itself; OpenAI's libraries send them as extra fields. */
const { expires_in, keep_days } = generateRequestSchema.shape;
const own = { expires_in, keep_days };
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
    ...own,
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
    user: metadataValueSchema.optional().describe("Kept in the job's metadata as user."),
  })
  .meta({ id: "OpenAiImageRequest" });

/** In a form the file itself; in JSON what names one: an upload_id, an output_id or a URL. */
const picture = z.string().min(1).max(2048);

export const imageEditRequestSchema = imageRequestSchema
  .omit({ style: true, moderation: true })
  .extend({
    image: z
      .union([picture.transform((one) => [one]), z.array(picture).min(1).max(16)])
      .describe(
        "The picture to work from, or several: files of the form; in JSON upload_ids, output_ids or URLs.",
      ),
    mask: picture.optional().describe("Where the picture may change, for models that have this param."),
    input_fidelity: word.describe("low, where the model has no choice of it."),
    partial_images: z.literal(0).optional().describe("Pictures come whole."),
  })
  .meta({ id: "OpenAiImageEditRequest" });

const pictureReferenceSchema = z
  .union([
    z.strictObject({ image_url: picture }).meta({ id: "OpenAiPictureUrl" }),
    z.strictObject({ file_id: picture }).meta({ id: "OpenAiPictureFile" }),
  ])
  .transform((named) => ("image_url" in named ? named.image_url : named.file_id));

export const videoRequestSchema = z
  .strictObject({
    model,
    ...own,
    prompt: z.string().min(1).describe("What to make."),
    seconds: z
      .union(
        [
          z.number(),
          // The model's own range refuses what is too long or negative.
          z
            .string()
            .regex(/^-?\d{1,9}(\.\d{1,9})?$/)
            .transform(Number),
        ],
        { error: "must be a number of seconds, such as 4" },
      )
      .optional()
      .describe("How long, as the model's params_schema allows it."),
    size: word.describe("WIDTHxHEIGHT as the model's params_schema allows it."),
    input_reference: z
      .union([picture, pictureReferenceSchema])
      .optional()
      .describe("A picture to begin with: a file of the form; in JSON an upload_id, an output_id or a URL."),
  })
  .meta({ id: "OpenAiVideoRequest" });

export const videoSchema = z
  .object({
    id: z.string().describe("The job_id."),
    object: z.literal("video"),
    status: z.enum(["queued", "in_progress", "completed", "failed"]),
    progress: z.number().int().describe("Per cent, as far as the provider tells."),
    model: z.string(),
    prompt: z.string(),
    seconds: z.string().describe("Of the file; before that of the request."),
    size: z.string().describe("WIDTHxHEIGHT; empty where it is not known yet."),
    created_at: z.number().int().describe("Seconds since 1970."),
    completed_at: z.number().int().nullable(),
    expires_at: z.number().int().nullable().describe("When the file is removed."),
    error: jobSchema.shape.error,
    remixed_from_video_id: z.null(),
  })
  .meta({ id: "OpenAiVideo" });

export const videosSchema = z
  .object({
    object: z.literal("list"),
    data: z.array(videoSchema),
    first_id: z.string().nullable(),
    last_id: z
      .string()
      .nullable()
      .describe("What the next page's after is. With has_more and no videos: reading stopped there."),
    has_more: z.boolean(),
  })
  .meta({ id: "OpenAiVideos" });

export const videosQuery = z.object({
  after: z.string().max(100).optional().describe("The last id of the page before."),
  limit: queryInteger(1, 100).optional().describe("1 to 100; 20 where it is left out."),
  order: z.literal("desc").optional().describe("Newest first."),
});

export const videoContentQuery = z.object({
  variant: z.literal("video").optional().describe("The file itself. A job's thumbnails are in getJob."),
});

export const deletedVideoSchema = z
  .object({ id: z.string(), object: z.literal("video.deleted"), deleted: z.literal(true) })
  .meta({ id: "OpenAiDeletedVideo" });

export const speechRequestSchema = z
  .strictObject({
    model,
    ...own,
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
