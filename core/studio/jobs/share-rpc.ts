// The part of the Jobs service for public links to outputs, and for favourites.
import type { JobsDefinition } from "../../../proto/types/atelier/v1/Jobs.ts";
import type { ShareInput } from "../../../proto/types/atelier/v1/Share.ts";
import type { SharedOutputInput } from "../../../proto/types/atelier/v1/SharedOutput.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import type { App } from "../../kernel/app.ts";
import type { Call, Handlers } from "../../kernel/rpc.ts";
import { findOwnJob } from "./get.ts";
import { endShare, listSharesOfJob, type OpenedShare, openShare, shareOutput } from "./share.ts";
import { saveStarred } from "./store-list.ts";
import type { ShareDoc } from "./store-shares.ts";

export function shareHandlers(app: App) {
  const ownerOf = async ({ caller }: Call, scope: "read" | "write") =>
    (await authenticate(app, caller, scope)).account._id;
  return {
    ShareOutput: async ({ job_id: jobId, output_id: outputId, shows_prompt: showsPrompt }, call) => {
      const accountId = await ownerOf(call, "write");
      return shareMessage(await shareOutput(app, { accountId, jobId, outputId, showsPrompt }));
    },
    EndShare: async ({ job_id: jobId, output_id: outputId }, call) => {
      await endShare(app, { accountId: await ownerOf(call, "write"), jobId, outputId });
      return {};
    },
    ListShares: async ({ job_id: jobId }, call) => ({
      shares: (await listSharesOfJob(app, await ownerOf(call, "read"), jobId)).map(shareMessage),
    }),
    StarJob: async ({ job_id: jobId, starred }, call) => {
      const { _id, account_id: accountId } = await findOwnJob(app, await ownerOf(call, "write"), jobId);
      await saveStarred(app.mongo.db, { accountId, jobId: _id }, starred);
      return {};
    },
    GetSharedOutput: async ({ share_id: shareId }) => sharedMessage(await openShare(app, shareId)),
  } satisfies Partial<Handlers<JobsDefinition>>;
}

function shareMessage({ _id, output_id, shows_prompt }: ShareDoc): ShareInput {
  return { share_id: _id, output_id, shows_prompt };
}

function sharedMessage({ share, job, output }: OpenedShare): SharedOutputInput {
  const largest = output.thumbnails?.at(-1);
  return {
    output_id: output.output_id,
    mime_type: output.mime_type,
    bytes: output.bytes,
    ...(output.width !== null && { width: output.width }),
    ...(output.height !== null && { height: output.height }),
    modality: job.modality,
    model_slug: job.model_slug,
    made_at: (job.ended_at ?? job.created_at).toISOString(),
    ...(share.shows_prompt && { prompt: job.prompt }),
    ...(largest && {
      picture: { file_id: largest.file_id, width: largest.width, height: largest.height },
    }),
  };
}
