// The Jobs service: decode, call the verb, encode.
import { z } from "zod";
import { toMessage } from "../../../proto/codec.ts";
import { estimateSchema } from "../../../proto/resources/estimate.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import {
  generateRequestSchema,
  idempotencyKeySchema,
  jobEventSchema,
  type JobResource,
  jobSchema,
} from "../../../proto/resources/job.ts";
import { MAX_EVENT_SEQ, MAX_WAIT_SECONDS } from "../../../proto/resources/page.ts";
import { verifiedFileSchema } from "../../../proto/resources/verified-file.ts";
import { sha256Schema, verifiedOutputSchema } from "../../../proto/resources/verified-output.ts";
import type { GenerateRequest } from "../../../proto/types/atelier/v1/GenerateRequest.ts";
import type { JobInput } from "../../../proto/types/atelier/v1/Job.ts";
import type { JobEventInput } from "../../../proto/types/atelier/v1/JobEvent.ts";
import type { JobsDefinition } from "../../../proto/types/atelier/v1/Jobs.ts";
import type { ListJobsReplyInput } from "../../../proto/types/atelier/v1/ListJobsReply.ts";
import type { VerifyFilePart } from "../../../proto/types/atelier/v1/VerifyFilePart.ts";
import type { WebhookDelivery } from "../../adapters/providers/provider.ts";
import type { Deadline } from "../../base/mongo/group-commit.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import { orAsk } from "../../identity/approvals/ask.ts";
import type { App } from "../../kernel/app.ts";
import { type Call, type Handlers, readMessage, withoutNulls } from "../../kernel/rpc.ts";
import type { UploadReceiver } from "../uploads/receive.ts";
import type { AcceptedJob } from "./accept.ts";
import type { ArchivedJob } from "./archive-rules.ts";
import type { CancelJob } from "./cancel.ts";
import type { AcceptRequest } from "./check-request.ts";
import { deleteOutputs } from "./delete-outputs.ts";
import { estimateJob, understand } from "./estimate.ts";
import { fileHandlers } from "./files-rpc.ts";
import { findOwnJob, getJob, type Watching } from "./get.ts";
import { withInputs } from "./inputs.ts";
import { listJobs } from "./list.ts";
import { createStudioState } from "./measure-queue.ts";
import { receiptOf } from "./receipt.ts";
import { toJob } from "./resource.ts";
import { isEnded, toJobEvents } from "./rules.ts";
import { shareHandlers } from "./share-rpc.ts";
import { sumSpending, sumSpendingByKey } from "./spending.ts";
import type { JobDoc } from "./store.ts";
import { createVerifying, verifyFile, verifyOutput } from "./verify-file.ts";

const paramsSchema = z.object({ params: z.record(z.string(), z.unknown()) });
const digestSchema = z.object({ sha256: sha256Schema });

/** Checks a provider's message about a call, and wakes its job. */
export type TakeWebhook = (
  call: { provider: string; accountId: string; jobId: string; signature: string },
  delivery: WebhookDelivery,
) => Promise<void>;

/** The caller of a watched job or workflow is checked again at least this often. */
export const WATCH_ROUND_MS = 60_000;

/** What a job's service does besides reading, as the process that starts it provides it. */
type JobVerbs = {
  accept: (request: AcceptRequest, deadline: Deadline) => Promise<AcceptedJob>;
  cancel: CancelJob;
  takeWebhook: TakeWebhook;
};

export function jobsHandlers(
  app: App,
  { accept, cancel, takeWebhook }: JobVerbs,
  { watching, uploads }: { watching: Watching; uploads: UploadReceiver },
): Handlers<JobsDefinition> {
  return {
    Generate: async (request, { caller, ...deadline }) => {
      const asked = { caller, ...decodeGenerate(request) };
      const { job, replayed } = await orAsk(
        app,
        () => withInputs(app, uploads, asked, deadline.signal, (one) => accept(one, deadline)),
        asked.confirmedId,
      );
      return {
        job_id: job._id,
        // The response to the first request, whatever has happened to the job since.
        state: "reserved",
        modality: job.modality,
        model_slug: job.model_slug,
        credits_reserved: job.credits,
        estimated_seconds: job.estimated_seconds,
        replayed,
      };
    },
    Estimate: async (request, { caller }) => {
      const { request: asked } = decodeGenerate(request);
      return toMessage(estimateSchema, await estimateJob(app, caller, asked));
    },
    Understand: async ({ model_slug: slug, prompt, params_json }, { caller }) => {
      const { params } = parseRequest(paramsSchema, readMessage(paramsSchema, { params_json }));
      const { understood = null, refusal } = await understand(app, caller, { slug, prompt, params });
      return { understood, refusal };
    },
    GetJob: async (request, { caller, signal }) => {
      const { account } = await authenticate(app, caller, "read");
      const { wait_seconds: waitSeconds } = parseRequest(waitSchema, request);
      const asked = { accountId: account._id, jobId: request.job_id, waitSeconds };
      const job = await getJob(app, watching, asked, signal);
      return ownMessage(app, job, request.with_receipt);
    },
    ListJobs: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      return pageMessage(await listJobs(app, { accountId: account._id, ...request }));
    },
    TakeProviderWebhook: async ({ provider, account: accountId, job: jobId, signature, headers, body }) => {
      await takeWebhook({ provider, accountId, jobId, signature }, { headers, body });
      return {};
    },
    CancelJob: async (request, { caller, ...deadline }) => {
      const { account } = await authenticate(app, caller, "write");
      await cancel({ accountId: account._id, jobId: request.job_id }, deadline);
      return jobMessage(await toJob(app, await findOwnJob(app, account._id, request.job_id)));
    },
    DeleteOutputs: async ({ job_id: jobId, output_ids: outputIds }, { caller }) => {
      const { account } = await authenticate(app, caller, "write");
      await deleteOutputs(app, { accountId: account._id, jobId, outputIds });
      return jobMessage(await toJob(app, await findOwnJob(app, account._id, jobId)));
    },
    ...spendingHandlers(app),
    WatchJob: (request, call) => {
      const { after_seq: afterSeq } = parseRequest(watchSchema, request);
      return watchJob(app, watching, { jobId: request.job_id, afterSeq }, call);
    },
    ...fileHandlers(app),
    ...shareHandlers(app),
    ...openHandlers(app),
  };
}

/** The client of the caller's account. */
function openHandlers(app: App) {
  const describeStudio = createStudioState(app);
  const verifying = createVerifying(app);
  return {
    VerifyOutput: async (request) => {
      const { sha256 } = parseRequest(digestSchema, request);
      return toMessage(verifiedOutputSchema, await verifyOutput(app, sha256));
    },
    VerifyFile: async (parts, { address, service, signal }) => {
      const file = { pieces: dataOf(parts), address: address || service, signal };
      return toMessage(verifiedFileSchema, await verifyFile(app, verifying, file));
    },
    DescribeStudio: async () => {
      const { liveModels, pausedModels, longestWaitSeconds } = await describeStudio();
      return {
        live_models: liveModels,
        paused_models: pausedModels,
        longest_wait_seconds: longestWaitSeconds,
      };
    },
  } satisfies Partial<Handlers<JobsDefinition>>;
}

async function* dataOf(parts: AsyncIterable<VerifyFilePart>): AsyncGenerator<Uint8Array> {
  for await (const { data } of parts) yield data;
}

function spendingHandlers(app: App) {
  return {
    SumSpending: async ({ days }, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      const { since, spending, complete } = await sumSpending(app, { accountId: account._id, days });
      return {
        since,
        complete,
        spending: spending.map(({ modelSlug, ...rest }) => ({ ...rest, model_slug: modelSlug })),
      };
    },
    SumSpendingByKey: async (_request, { caller }) => {
      const { spending, complete } = await sumSpendingByKey(app, await signedInAccount(app, caller));
      return {
        complete,
        spending: spending.map(({ keyId, ...sums }) => ({
          key_id: keyId,
          month_jobs: sums.monthJobs,
          month_credits: sums.monthCredits,
          recent_jobs: sums.recentJobs,
          recent_credits: sums.recentCredits,
        })),
      };
    },
  } satisfies Partial<Handlers<JobsDefinition>>;
}

function pageMessage({
  jobs,
  starred,
  nextCursor,
  lookedBackTo,
}: Awaited<ReturnType<typeof listJobs>>): ListJobsReplyInput {
  return {
    jobs: jobs.map((job) => ({ ...jobMessage(job), ...(starred.has(job.job_id) && { starred: true }) })),
    next_cursor: nextCursor,
    looked_back_to: lookedBackTo,
  };
}

/** With what only its owner is shown. */
async function ownMessage(app: App, job: JobDoc | ArchivedJob, withReceipt: boolean): Promise<JobInput> {
  const [shown, receipt] = await Promise.all([
    toJob(app, job),
    withReceipt ? receiptOf(app, job) : undefined,
  ]);
  return {
    ...jobMessage(shown),
    receipt,
    ...(job.starred && { starred: true }),
  };
}

/** A job has as many events as its version says. */
export function jobMessage(job: JobResource): JobInput {
  return toMessage(jobSchema, job, { version: job.events.length });
}

/** What a request has here besides the fields of every surface: the key's name, and the approval that the calling service vouches for. */
export const coreFields = {
  idempotency_key: idempotencyKeySchema.optional(),
  confirmation_id: z.string().max(64).optional(),
};
const generateSchema = generateRequestSchema.extend(coreFields);
export const waitSchema = z.object({ wait_seconds: z.number().int().min(0).max(MAX_WAIT_SECONDS) });
const watchSchema = z.object({ after_seq: z.number().int().min(0).max(MAX_EVENT_SEQ) });

/** Core refuses what a gateway would, because other services call it without a gateway. */
function decodeGenerate(message: GenerateRequest): Omit<AcceptRequest, "caller"> {
  const {
    idempotency_key: idempotencyKey = null,
    confirmation_id: confirmedId,
    ...request
  } = parseRequest(generateSchema, readMessage(generateSchema, message));
  if (request.params) request.params = withoutNulls(request.params);
  return { request, idempotencyKey, confirmedId };
}

async function* watchJob(
  app: App,
  { watcher, open }: Watching,
  { jobId, afterSeq }: { jobId: string; afterSeq: number },
  { caller, signal, begin }: Call,
): AsyncGenerator<JobEventInput> {
  const { account } = await authenticate(app, caller, "read");
  let job = await findOwnJob(app, account._id, jobId);
  const leave = open.take({ job: jobId, account: account._id, process: "" });
  try {
    begin?.();
    let seq = afterSeq;
    for (;;) {
      for (const event of toJobEvents(job).slice(seq)) {
        yield toMessage(jobEventSchema, event);
        seq = event.seq;
      }
      if (isEnded(job.state)) return;
      job = (await watcher.changed(jobId, job.version, WATCH_ROUND_MS, signal)) ?? job;
      if (signal.aborted) return;
      // Checked again each round, so that a revoked key gets nothing more.
      await authenticate(app, caller, "read");
    }
  } finally {
    leave();
  }
}
