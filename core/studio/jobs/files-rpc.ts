// The part of the Jobs service that serves files: those that jobs made, and those that they were given.
import { AppError } from "../../../proto/codes.ts";
import type { JobsDefinition } from "../../../proto/types/atelier/v1/Jobs.ts";
import type { OutputHeadInput } from "../../../proto/types/atelier/v1/OutputHead.ts";
import type { ReadInputRequest } from "../../../proto/types/atelier/v1/ReadInputRequest.ts";
import type { ReadOutputChunkInput } from "../../../proto/types/atelier/v1/ReadOutputChunk.ts";
import type { ReadOutputRequest } from "../../../proto/types/atelier/v1/ReadOutputRequest.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import { checkStanding } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import {
  createDownloads,
  inMessages,
  type OpenedOutput,
  type OutputHead,
} from "../../kernel/outputs/open.ts";
import { verifySignedAccess } from "../../kernel/outputs/sign.ts";
import type { Call, Handlers } from "../../kernel/rpc.ts";
import { verifyInputAccess } from "./input-url.ts";
import { openInput } from "./inputs.ts";
import { type FileNaming, findFileNaming, names, openJobOutput } from "./open-output.ts";
import { openShare } from "./share.ts";

export function fileHandlers(app: App) {
  const downloads = createDownloads(app);
  return {
    ReadOutput: async function* (request, { caller }) {
      const { accountId, jobId, named, opened } = await openOutputFor(app, request, caller);
      // For callers that have to name the file; the bytes themselves come with a separate call.
      const naming =
        request.head_only && named
          ? await findFileNaming(app, { accountId, jobId, outputId: request.output_id })
          : undefined;
      // Visitors of a public link take no slot of the account.
      yield* give(opened, { headOnly: request.head_only, naming }, () =>
        downloads.take({ account: request.share_id || accountId }),
      );
    },
    ReadInput: async function* (request, { caller }) {
      const { accountId, opened } = await openInputFor(app, request, caller);
      yield* give(opened, { headOnly: request.head_only }, () => downloads.take({ account: accountId }));
    },
  } satisfies Partial<Handlers<JobsDefinition>>;
}

type Opened = { accountId: string; opened: OpenedOutput };

type OpenedOutputOf = Opened & {
  jobId: string;
  /** False if the prompt must not be shown. */ named: boolean;
};

async function openOutputFor(
  app: App,
  request: ReadOutputRequest,
  caller: Call["caller"],
): Promise<OpenedOutputOf> {
  const { job_id: jobId, output_id: outputId, signed, offset, length } = request;
  if (request.share_id !== "") {
    const { share, output } = await openShare(app, request.share_id);
    if (!names(output, outputId)) throw new AppError("not_found");
    const { account_id: accountId, job_id: ofJob } = share;
    const opened = await openJobOutput(app, { accountId, jobId: ofJob, outputId, offset, length });
    return { accountId, jobId: ofJob, named: share.shows_prompt, opened };
  }
  const accountId = signed
    ? verifySignedAccess(app, { jobId, outputId, ...signed })
    : (await authenticate(app, caller, "read")).account._id;
  if (signed) await checkStanding(app, accountId);
  const opened = await openJobOutput(app, { accountId, jobId, outputId, offset, length });
  return { accountId, jobId, named: true, opened };
}

async function openInputFor(app: App, request: ReadInputRequest, caller: Call["caller"]): Promise<Opened> {
  const { job_id: jobId, param, signed, offset, length } = request;
  const accountId = signed
    ? verifyInputAccess(app, { jobId, param, ...signed })
    : (await authenticate(app, caller, "read")).account._id;
  if (signed) await checkStanding(app, accountId);
  return { accountId, opened: await openInput(app, { accountId, jobId, param, offset, length }) };
}

async function* give(
  { head, stream }: OpenedOutput,
  { headOnly, naming }: { headOnly: boolean; naming?: FileNaming | undefined },
  takePlace: () => () => void,
): AsyncGenerator<ReadOutputChunkInput> {
  const leave = headOnly ? () => {} : takePlace();
  try {
    yield { head: { ...headMessage(head), ...naming } };
    if (headOnly) return;
    for await (const data of inMessages(stream())) yield { data };
  } finally {
    leave();
  }
}

function headMessage(head: OutputHead): OutputHeadInput {
  return {
    mime_type: head.mimeType,
    bytes: head.bytes,
    sha256: head.sha256,
    offset: head.offset,
    length: head.length,
    expires_at: head.expiresAt.toISOString(),
  };
}
