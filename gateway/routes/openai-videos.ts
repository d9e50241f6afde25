// /v1/videos and /v1/images/edits for tools that only support OpenAI's API: routes that accept forms with files, and jobs with video files,
// in OpenAI's format.
import { clientGone } from "../../edge/http/client-gone.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { type JobResource, jobSchema } from "../../proto/resources/job.ts";
import { MAX_PAGE } from "../../proto/resources/page.ts";
import { jobParams } from "../answers/path-params.ts";
import { sendOutput } from "../answers/send-output.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, READ, WRITE } from "../http/auth.ts";
import { acceptForms } from "../openai/form.ts";
import { inTheirWords, make } from "../openai/make.ts";
import { needsNothing, takesPicture } from "../openai/names.ts";
import { videoParams } from "../openai/params.ts";
import {
  deletedVideoSchema,
  openAiHeaders,
  videoContentQuery,
  videoRequestSchema,
  videoSchema,
  videosQuery,
  videosSchema,
} from "../openai/shapes.ts";
import { isShown, toVideo } from "../openai/video.ts";
import { OPENAI_VIDEO, OPENAI_VIDEO_REQUEST, OPENAI_VIDEOS } from "../openapi/examples-openai.ts";
import { operation, type Operation } from "../openapi/operation.ts";
import { editImages, INPUT_ERRORS, MAKE, MAKES } from "./openai.ts";
import { OPENED } from "./outputs.ts";

const PATH = "/v1/videos";
const ONE = { tag: "OpenAI-compatible" } as const satisfies Partial<Operation>;
const VIDEO = { description: "The video.", schema: videoSchema, example: OPENAI_VIDEO };
/** What GET /v1/videos answers where nothing is said. */
const DEFAULT_LIMIT = 20;
/** Pages of jobs without a video to show that one request reads; the next request continues there. */
const MAX_READ = 10;

export async function openAiFileRoutes(
  app: GatewayApp,
  { draining, ...options }: GatewayOptions & { draining: AbortSignal },
): Promise<void> {
  acceptForms(app, options);
  editImages(app, options, draining);
  createVideo(app, options);
  listVideos(app, options);
  getVideo(app, options);
  getVideoContent(app, options);
  deleteVideo(app, options);
}

function createVideo(app: GatewayApp, options: GatewayOptions): void {
  app.post(
    PATH,
    operation({
      config: { access: MAKE, takesFile: true },
      headers: openAiHeaders,
      body: videoRequestSchema,
      ...MAKES,
      errors: [...MAKES.errors.filter((code) => code !== "generation_failed"), ...INPUT_ERRORS],
      operationId: "openAiCreateVideo",
      summary: "Make a video, as OpenAI's API has it",
      description:
        "Answers immediately; openAiGetVideo tells how far it is. JSON, or a form with a file. Each request is a job of the account, with the same price, limits and ledger entries as one of connectGenerate.",
      requestExample: OPENAI_VIDEO_REQUEST,
      takesForm: true,
      success: { 200: { ...VIDEO, headers: ["Location", "Idempotency-Replayed"] } },
    }),
    async (request, reply) => {
      const { model: name, prompt, ...settings } = request.body;
      const job_id = await make({
        request,
        reply,
        options,
        modality: "video",
        name,
        prompt,
        suits: settings.input_reference === undefined ? needsNothing : takesPicture,
        ask: (model) => videoParams(model, settings),
        fields: {
          "params.duration_seconds": "seconds",
          "params.width": "size",
          "params.height": "size",
          "params.image": "input_reference",
        },
      });
      const job = await options.core.jobs.GetJob({ job_id, wait_seconds: 0 }, callFor(request));
      return reply.removeHeader("x-should-retry").send(toVideo(fromMessage(jobSchema, job)));
    },
  );
}

function listVideos(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(
    PATH,
    operation({
      config: { access: READ },
      querystring: videosQuery,
      ...ONE,
      operationId: "openAiListVideos",
      summary: "List videos, newest first, as OpenAI's API has it",
      description:
        "The account's jobs that make videos, from every surface, without those whose file was deleted.",
      success: { 200: { description: "A page of videos.", schema: videosSchema, example: OPENAI_VIDEOS } },
    }),
    async (request, reply) => {
      const { after: cursor = "", limit = DEFAULT_LIMIT } = request.query;
      const call = { ...callFor(request), signal: clientGone(reply) };
      let page = { jobs: [] as JobResource[], next: cursor };
      for (let read = 0; read < MAX_READ && page.jobs.length === 0; read++) {
        const asked = { limit: read === 0 ? limit : MAX_PAGE, cursor: page.next, modality: "video" };
        const found = await core.jobs.ListJobs(asked, call).catch((error: unknown) => {
          throw inTheirWords(error, { cursor: "after" });
        });
        page = { jobs: fromMessages(jobSchema, found.jobs).filter(isShown), next: found.next_cursor };
        if (page.next === "") break;
      }
      const data = page.jobs.slice(0, limit).map(toVideo);
      return reply.send({
        object: "list",
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? (page.next || null),
        has_more: page.jobs.length > limit || page.next !== "",
      });
    },
  );
}

function getVideo(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(
    `${PATH}/:id`,
    operation({
      config: { access: READ },
      params: jobParams,
      ...ONE,
      operationId: "openAiGetVideo",
      summary: "Read how far a video is, as OpenAI's API has it",
      description: "getJob tells more of the same job. A video whose file was deleted is not found.",
      success: { 200: VIDEO },
      errors: ["job_not_found"],
    }),
    async (request, reply) => {
      const job = await core.jobs.GetJob({ job_id: request.params.id, wait_seconds: 0 }, callFor(request));
      return reply.send(toVideo(shown(fromMessage(jobSchema, job))));
    },
  );
}

function getVideoContent(app: GatewayApp, { core, config }: GatewayOptions): void {
  app.get(
    `${PATH}/:id/content`,
    operation({
      config: { access: READ },
      params: jobParams,
      querystring: videoContentQuery,
      ...ONE,
      operationId: "openAiGetVideoContent",
      summary: "Fetch a video's file, as OpenAI's API has it",
      description: "The file, whole or one range of it, once the video is completed.",
      success: OPENED.success,
      bodiless: OPENED.bodiless,
      errors: [...OPENED.errors, "job_not_ended"],
    }),
    async (request, reply) => {
      const call = callFor(request);
      const { id: job_id } = request.params;
      const job = shown(fromMessage(jobSchema, await core.jobs.GetJob({ job_id, wait_seconds: 0 }, call)));
      if (job.ended_at === null)
        throw new AppError("job_not_ended", { message: "The video is not completed yet." });
      const [output] = job.outputs;
      if (!output) throw new AppError("not_found", { message: `The video is ${job.state} and has no file.` });
      return sendOutput(request, reply, {
        core,
        config,
        call,
        asked: { job_id, output_id: output.output_id },
      });
    },
  );
}

function deleteVideo(app: GatewayApp, { core }: GatewayOptions): void {
  app.delete(
    `${PATH}/:id`,
    operation({
      config: { access: WRITE, bodyOptional: true },
      params: jobParams,
      ...ONE,
      operationId: "openAiDeleteVideo",
      summary: "Delete a video's file, as OpenAI's API has it",
      description: "Once it has ended. The job and its ledger entries stay.",
      success: {
        200: {
          description: "The file is deleted.",
          schema: deletedVideoSchema,
          example: { id: OPENAI_VIDEO.id, object: "video.deleted", deleted: true },
        },
      },
      errors: ["insufficient_scope", "job_not_found", "job_not_ended"],
    }),
    async (request, reply) => {
      const call = callFor(request);
      const { id: job_id } = request.params;
      shown(fromMessage(jobSchema, await core.jobs.GetJob({ job_id, wait_seconds: 0 }, call)));
      await core.jobs.DeleteOutputs({ job_id, output_ids: [] }, call);
      return reply.send({ id: job_id, object: "video.deleted", deleted: true });
    },
  );
}

/** Throws job_not_found for a job of another kind, and for one with a deleted file. */
function shown(job: JobResource): JobResource {
  if (!isShown(job)) throw new AppError("job_not_found");
  return job;
}
