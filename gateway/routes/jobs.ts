// Jobs of the caller's account: one (with a wait for its end), all, and cancelling.
import { z } from "zod";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { parseQuery } from "../../proto/resources/issues.ts";
import {
  jobStatesSchema,
  metadataFilterSchema,
  modelFilterSchema,
  promptSearchSchema,
} from "../../proto/resources/job-filter.ts";
import { jobSchema, modalitySchema } from "../../proto/resources/job.ts";
import { MAX_WAIT_SECONDS } from "../../proto/resources/page.ts";
import { type ReceiptPayload, receiptPayloadSchema, receiptSchema } from "../../proto/resources/receipt.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import type { ListJobsRequestInput } from "../../proto/types/atelier/v1/ListJobsRequest.ts";
import { jobParams } from "../answers/path-params.ts";
import { readJob } from "../answers/read-job.ts";
import { toList, toResult } from "../answers/result.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { CANCEL, callFor, READ } from "../http/auth.ts";
import { namesEtag, strongEtag } from "../http/etag.ts";
import { inBrackets, pageQuery, queryInteger, queryTime } from "../http/query.ts";
import { CANCELLED_JOB, CANCELLING_JOB, JOB, RECEIPT } from "../openapi/examples.ts";
import { listAnswer, operation, resultAnswer } from "../openapi/operation.ts";

export function jobRoutes(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  getJob(app, options, draining);
  getReceipt(app, options);
  listJobs(app, options);
  cancelJob(app, options);
}

const NO_RECEIPT = { receipt: null, payload: null };

function getReceipt(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(
    "/api/jobs/:id/receipt",
    operation({
      config: { access: READ, envelope: true },
      params: jobParams,
      operationId: "getReceipt",
      summary: "Read a job's signed receipt",
      description:
        "A statement about the job in its state now, signed by the service: credits, ledger entries and the digests of the outputs. Anyone can verify it with the keys at /.well-known/jwks.json. The same string comes with the job's webhook and with finished tool results.",
      tag: "Jobs",
      success: { 200: resultAnswer("The receipt.", receiptSchema, RECEIPT) },
      errors: ["job_not_found"],
    }),
    async (request, reply) => {
      const asked = { job_id: request.params.id, with_receipt: true };
      const { receipt } = await core.jobs.GetJob(asked, callFor(request));
      return reply.send(
        toResult(receipt === undefined ? NO_RECEIPT : { receipt, payload: payloadOf(receipt) }),
      );
    },
  );
}

/** Core's statements of a receipt. */
function payloadOf(receipt: string): ReceiptPayload {
  const [, payload = ""] = receipt.split(".");
  return receiptPayloadSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
}

function getJob(app: GatewayApp, options: GatewayOptions, draining: AbortSignal): void {
  app.get(
    "/api/jobs/:id",
    operation({
      config: { access: READ, envelope: true },
      params: jobParams,
      querystring: z.object({
        wait: queryInteger(1, MAX_WAIT_SECONDS)
          .optional()
          .meta({ description: "Hold the response until the job has ended, at most this many seconds." }),
      }),
      operationId: "getJob",
      summary: "Read a job, event by event",
      description: "One job in full: state, events, outputs, error and webhook.",
      tag: "Jobs",
      success: { 200: resultAnswer("The job.", jobSchema, JOB, ["ETag"]) },
      bodiless: { 304: { description: "Not changed since the ETag in If-None-Match.", headers: ["ETag"] } },
      errors: ["job_not_found"],
    }),
    async (request, reply) => {
      const job = await readJob(
        options,
        { job_id: request.params.id, wait_seconds: request.query.wait ?? 0 },
        request,
        reply,
        draining,
      );
      const etag = jobEtag(job);
      reply.header("etag", etag);
      if (namesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply.send(toResult(fromMessage(jobSchema, job)));
    },
  );
}

function listJobs(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(
    "/api/jobs",
    operation({
      config: { access: READ, envelope: true },
      querystring: jobsQuery,
      operationId: "listJobs",
      summary: "List jobs, newest first",
      description:
        "The jobs of the key's account, page by page, from every surface. Filters are combined. A page reads a bounded number of jobs, so it may hold fewer than limit, or none, and still have a next_cursor, which continues where reading stopped. Only next_cursor null is the end.",
      tag: "Jobs",
      success: { 200: listAnswer("A page of jobs.", jobSchema, JOB) },
    }),
    async (request, reply) => {
      const page = await core.jobs.ListJobs(toListJobs(request.query), callFor(request));
      return reply.send(toList(fromMessages(jobSchema, page.jobs), page.next_cursor));
    },
  );
}

function cancelJob(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(
    "/api/jobs/:id/cancel",
    operation({
      config: { access: CANCEL, bodyOptional: true, envelope: true },
      params: jobParams,
      operationId: "cancelJob",
      summary: "Cancel a job",
      description:
        "A waiting job is cancelled immediately, and its credits are released. A running job is `cancelling` until its provider has stopped. It is then `cancelled` and refunded in full, or `completed` or `failed` if that came first. Repeating the request changes nothing. The request needs no body.",
      tag: "Jobs",
      success: {
        200: resultAnswer(
          "The job is cancelled; or it was done in the moment in which that was asked.",
          jobSchema,
          CANCELLED_JOB,
        ),
        202: resultAnswer("The job runs, and is being stopped.", jobSchema, CANCELLING_JOB),
      },
      errors: ["insufficient_scope", "job_not_found", "job_not_cancellable"],
    }),
    async (request, reply) => {
      const job = await core.jobs.CancelJob({ job_id: request.params.id }, callFor(request));
      return reply.code(job.state === "cancelling" ? 202 : 200).send(toResult(fromMessage(jobSchema, job)));
    },
  );
}

/** Covers everything in the response: some fields change without a new event, such as the place in the queue and the signed URLs. */
function jobEtag({ events: _inVersion, ...job }: Job): string {
  return strongEtag([job]);
}

/** As the document shows it. Loose, because names in brackets are free. */
const jobsQuery = z.looseObject({
  ...pageQuery,
  state: jobStatesSchema.optional().meta({
    description:
      "Only jobs in this state, or in one of several: separate them by commas, or repeat the parameter.",
  }),
  modality: modalitySchema.optional().describe("Only jobs that make this."),
  model: modelFilterSchema.optional().describe("Only jobs of the model with this slug."),
  since: queryTime.optional().meta({ description: "Only jobs made then or later." }),
  until: queryTime.optional().meta({ description: "Only jobs made before." }),
  metadata: metadataFilterSchema
    .optional()
    .describe("Only jobs with these pairs in their metadata, all of them: metadata[order]=4711."),
  search: promptSearchSchema
    .optional()
    .describe(
      "Only jobs whose prompt has all of these words, or beginnings, ends and middles of words, in either case.",
    ),
});

/** Throws invalid_request, naming the bracketed parameter that is wrong. */
function toListJobs(query: z.output<typeof jobsQuery>): ListJobsRequestInput {
  const {
    limit,
    cursor = "",
    state = "",
    modality = "",
    model = "",
    since = "",
    until = "",
    search = "",
  } = query;
  const { metadata } = parseQuery(metadataSchema, { metadata: inBrackets(query, "metadata") });
  return { limit, cursor, state, modality, model, since, until, metadata, search };
}

const metadataSchema = z.object({ metadata: metadataFilterSchema });
